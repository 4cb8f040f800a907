"""Rated tables: how a match begins, goes on and ends, and what it leaves behind."""

import random

import pytest

from tests.server.players import Club
from tests.server.rated_club import RATED, RatedClub, refusal_of
from tichu.core.errors import GameError
from tichu.server import log, wire
from tichu.server.table import Table
from tichu.server.table.ports import Player
from tichu.server.wire import Clock
from tichu.server.wire.settings import Settings


def settings(**changes: object) -> Settings:
    fields = {name: getattr(RATED, name) for name in RATED.__struct_fields__}
    return Settings(**(fields | changes))


class TestSettings:
    @pytest.mark.parametrize(
        ("changes", "why"),
        [({"clock": None}, "needs a clock"), ({"casual": True}, "not casual"), ({"position": "x"}, "casual")],
    )
    def test_a_rated_table_has_a_clock_and_is_not_casual(self, changes: dict[str, object], why: str) -> None:
        with pytest.raises(GameError, match=why):
            RatedClub(settings(**changes))

    def test_a_table_does_not_become_rated(self) -> None:
        club = Club()
        club.connect(0)
        assert refusal_of(club, 0, wire.ChangeSettings(id="a", settings=RATED)) == "WRONG_SETTINGS"

    def test_nor_does_it_cease_to_be(self) -> None:
        club = RatedClub()
        club.connect(0)
        assert refusal_of(club, 0, wire.ChangeSettings(id="a", settings=Settings())) == "NOT_HOST"


class TestBeginning:
    def test_a_match_begins_when_all_four_agree(self) -> None:
        club = RatedClub()
        for seat in range(4):
            club.connect(seat)
            club.command(seat, wire.Sit(id=club.id(), seat=seat))
        for seat in range(3):
            club.command(seat, wire.Ready(id=club.id()))
        assert club.stage == "open"
        club.command(3, wire.Start(id=club.id()))
        assert club.stage == "playing"

    def test_the_host_cannot_begin_it_with_bots(self) -> None:
        club = RatedClub()
        club.connect(0)
        club.command(0, wire.Sit(id="s", seat=0))
        assert refusal_of(club, 0, wire.PutBot(id="b", seat=1, bot="easy")) == "RATED"
        assert refusal_of(club, 0, wire.Start(id="g")) is None  # Agrees, and waits for three others.
        assert club.table.logged.stage == "open"

    def test_a_guest_has_no_seat(self) -> None:
        club = RatedClub()
        club.connect(club.guest)
        assert refusal_of(club, club.guest, wire.Sit(id="s", seat=0)) == "ACCOUNT_ONLY"

    def test_who_has_gone_has_not_agreed(self) -> None:
        club = RatedClub()
        for seat in range(4):
            club.connect(seat)
            club.command(seat, wire.Sit(id=club.id(), seat=seat))
            club.command(seat, wire.Ready(id=club.id())) if seat < 3 else None
        club.leave(0)
        club.command(3, wire.Ready(id="r"))
        assert club.stage == "open"
        club.connect(0)
        club.command(0, wire.Ready(id="again"))
        assert club.stage == "playing"

    def test_programs_and_people_are_not_rated_together(self) -> None:
        club = RatedClub()
        club.people[3] = club.people[3]._replace(kind="bot")
        for seat in range(4):
            club.connect(seat)
            club.command(seat, wire.Sit(id=club.id(), seat=seat))
        for seat in range(3):
            club.command(seat, wire.Ready(id=club.id()))
        assert refusal_of(club, 3, wire.Ready(id="r")) == "RATED"
        assert club.table.logged.stage == "open"

    def test_programs_are_rated_in_a_league_of_their_own(self) -> None:
        club = RatedClub()
        club.people = [person._replace(kind="bot") for person in club.people]
        club.agree().to_the_end()
        assert club.rows[0].league == "bots"

    def test_one_sits_under_the_name_of_the_account(self) -> None:
        club = RatedClub()
        club.connect(0)
        club.command(0, wire.Sit(id="s", seat=0, name="Somebody else"))
        assert club.table.state().seats[0].name == "Ada"


class TestEnding:
    def test_a_match_that_is_played_leaves_a_row(self) -> None:
        club = RatedClub().agree().to_the_end()
        (row,) = club.rows
        assert (row.match, row.ending, row.leaver) == (club.games[0].summary.id, "played", None)
        assert row.players == ("player0", "player1", "player2", "player3")
        assert (row.rules, row.clock, row.from_pool) == ("standard goal=target:200", "normal", False)
        assert row.score == club.games[0].summary.score
        assert row.winner == club.games[0].summary.winner

    def test_an_unrated_match_leaves_none(self) -> None:
        club = RatedClub(settings(rated=False))
        club.seat_people(0, 1, 2, 3)
        club.start()
        club.to_the_end()
        assert club.rows == []
        assert len(club.games) == 1

    def test_a_rematch_needs_all_four_and_is_not_from_the_pool(self) -> None:
        club = RatedClub()
        names, pairs = ("t", "C"), (True, False)
        club.table, step = Table.create_match(names, RATED, club.people, pairs, club.now, club.entropy)
        assert club.table.logged.rated.from_pool
        club.take(step)
        club.connect(0, 1, 2, 3)
        club.to_the_end()
        assert (club.rows[0].from_pool, club.rows[0].pairs) == (True, (True, False))
        for seat in range(3):
            club.command(seat, wire.Ready(id=club.id()))
        assert club.table.logged.stage == "over"
        club.command(3, wire.Ready(id=club.id()))
        club.to_the_end()
        assert (club.rows[1].from_pool, club.rows[1].pairs) == (False, (True, False))
        assert club.rows[0].match != club.rows[1].match

    def test_standing_up_is_leaving(self) -> None:
        club = RatedClub().agree().deal()
        assert refusal_of(club, 2, wire.Stand(id="s")) is None
        (row,) = club.rows
        assert (row.ending, row.leaver, row.winner) == ("left", 2, 1)
        state = club.table.state()
        assert (state.stage, state.winner, state.left, state.game) == ("over", 1, 2, None)
        assert club.games == []

    def test_what_waited_for_a_window_is_answered_when_somebody_leaves(self) -> None:
        club = RatedClub(seed=2).agree().deal()
        rng = random.Random(1)
        while (seat := _waits_for_a_window(club)) is None:
            assert club.act(rng) or club.wait()
        assert club.command(seat, wire.Pass(id="queued")) is None
        club.command((seat + 1) % 4, wire.Stand(id="s"))
        answers = [m for m in club.heard[f"player{seat}"] if isinstance(m, wire.Refused) and m.id == "queued"]
        assert [m.reason for m in answers] == ["NOT_NOW"]


def _waits_for_a_window(club: RatedClub) -> int | None:
    """A seat that could pass if a bomb window were not open."""
    views = [club.table.snapshot(f"player{seat}", club.now).view for seat in range(4)]
    return next((view.seat for view in views if view is not None and view.may_pass and view.window), None)


class TestBeingAway:
    def test_two_minutes_are_leaving(self) -> None:
        club = RatedClub(settings(clock=Clock(decision=60, reserve=600))).agree().deal()
        club.leave(1)
        club.asleep = {0, 1, 2, 3}
        club.pass_time(119)
        assert club.rows == []
        assert club.table.state().seats[1].leaves_at is not None
        club.pass_time(1.1)
        assert (club.rows[0].leaver, club.rows[0].winner) == (1, 0)

    def test_being_away_adds_up(self) -> None:
        club = RatedClub(settings(clock=Clock(decision=60, reserve=600))).agree().deal()
        club.asleep = {0, 1, 2, 3}
        for _ in range(2):
            club.leave(1)
            club.pass_time(50)
            club.connect(1)
        assert club.table.logged.rated.away[1] == pytest.approx(100, abs=0.1)
        assert club.table.state().seats[1].leaves_at is None
        club.leave(1)
        club.pass_time(20.5)
        assert club.rows[0].leaver == 1

    def test_three_missed_decisions_running_are_leaving(self) -> None:
        club = RatedClub(settings(clock=Clock(decision=5, reserve=0))).agree().deal()
        club.asleep = {3}
        club.pass_time(600)
        assert (club.rows[0].ending, club.rows[0].leaver) == ("left", 3)
        missed = [e for e in club.entries if isinstance(e, log.ActionEntry) and e.by == "clock"]
        assert [e.action[0] for e in missed] == ["3", "3", "3"]

    def test_two_and_then_one_that_is_taken_are_not(self) -> None:
        club = RatedClub(settings(clock=Clock(decision=5, reserve=0))).agree().deal()
        while club.table.logged.rated.missed[3] < 2:
            club.asleep = {3}
            club.pass_time(1)
            assert club.table.logged.stage == "playing"
        club.asleep = set()
        club.to_the_end()
        assert club.rows[0].ending == "played"

    def test_a_weak_bot_decides_for_whoever_sleeps(self) -> None:
        club = RatedClub(settings(clock=Clock(decision=5, reserve=0))).agree().deal()
        asked: list[str] = []
        decide = club.decide
        club.decide = lambda ask: (asked.append(ask.bot), decide(ask))[1]  # type: ignore[func-returns-value, method-assign]
        club.asleep = {3}
        club.pass_time(30)
        assert set(asked) == {"easy"}

    def test_it_is_not_counted_while_the_server_is_away(self) -> None:
        club = RatedClub(settings(clock=Clock(decision=5, reserve=0))).agree().deal()
        club.leave(1)
        club.pass_time(2)
        club.connect(1)
        club.restart(3600)
        club.pass_time(29)
        assert club.rows == []
        club.connect(0)  # The others have two minutes from now on.
        club.pass_time(100)
        assert club.rows == []
        club.connect(1, 2, 3)
        assert sum(club.table.logged.rated.away) < 3
        club.to_the_end()
        assert club.rows[0].ending == "played"

    def test_after_the_server_was_away_one_must_come_back_all_the_same(self) -> None:
        club = RatedClub(settings(clock=Clock(decision=60, reserve=600))).agree().deal()
        club.restart(3600)
        club.asleep = {0, 1, 2, 3}
        club.connect(0, 1, 2)
        club.pass_time(239)
        assert club.rows == []
        club.pass_time(2)
        assert club.rows[0].leaver == 3

    def test_what_was_counted_outlives_a_restart(self) -> None:
        club = RatedClub(settings(clock=Clock(decision=60, reserve=600))).agree().deal()
        club.asleep = {0, 1, 2, 3}
        club.leave(1)
        club.pass_time(90)
        club.connect(1)
        facts = club.table.logged.rated
        club.restart(10)
        assert club.table.logged.rated == facts
        club.connect(0, 1, 2, 3)
        club.leave(1)
        club.pass_time(31)
        assert club.rows[0].leaver == 1

    def test_facts_outlive_a_checkpoint(self) -> None:
        club = RatedClub(settings(clock=Clock(decision=60, reserve=600), rules="standard")).agree().deal()
        club.leave(1)
        club.asleep = {0, 1, 2, 3}
        club.pass_time(10)
        club.connect(1)
        before = club.table.logged.rated
        assert before.away[1] > 0
        club.asleep = set()
        club.play(random.Random(1), stop=lambda: len(club.checkpoints) > 1)
        assert isinstance(club.entries[club.checkpoints[-1]], log.Checkpoint)
        club.restart(1)
        assert club.table.logged.rated == before

    def test_if_all_are_away_the_match_waits(self) -> None:
        club = RatedClub().agree().deal()
        for seat in range(4):
            club.leave(seat)
        club.pass_time(3600)
        assert club.table.logged.stage == "paused"
        assert club.rows == []
        club.connect(0, 1, 2, 3)
        club.to_the_end()
        assert club.rows[0].ending == "played"

    def test_against_bots_it_does_not_wait(self) -> None:
        club = RatedClub()
        club.table, step = Table.create_match(
            ("t", "C"), RATED, (club.people[0], None, None, None), (False, False), 0.0
        )
        club.now = 0.0
        club.take(step)
        club.connect(0)
        club.deal()
        club.leave(0)
        club.pass_time(121)
        assert (club.rows[0].leaver, club.rows[0].players[1]) == (0, "bot:medium")


class TestPause:
    def test_all_must_want_it(self) -> None:
        club = RatedClub().agree().deal()
        for seat in range(3):
            assert refusal_of(club, seat, wire.Pause(id=club.id())) is None
            assert club.table.logged.stage == "playing"
        assert club.table.state().pause_asked == (0, 1, 2)
        club.command(3, wire.Pause(id="p"))
        assert (club.table.logged.stage, club.table.logged.paused_why) == ("paused", "agreed")
        assert club.table.state().pause_asked == ()

    def test_all_must_want_its_end(self) -> None:
        club = RatedClub().agree().deal()
        for seat in range(4):
            club.command(seat, wire.Pause(id=club.id()))
        assert refusal_of(club, club.guest, wire.Resume(id="g")) == "NOT_SEATED"
        for seat in range(4):
            assert club.table.logged.stage == "paused"
            assert refusal_of(club, seat, wire.Resume(id=club.id())) is None
        assert club.table.logged.stage == "playing"

    def test_who_goes_takes_the_wish_along(self) -> None:
        club = RatedClub().agree().deal()
        club.command(0, wire.Pause(id="a"))
        club.leave(0)
        assert club.table.state().pause_asked == ()

    def test_nobody_is_away_during_a_pause(self) -> None:
        club = RatedClub().agree().deal()
        for seat in range(4):
            club.command(seat, wire.Pause(id=club.id()))
        club.leave(1)
        club.pass_time(800)
        assert club.rows == []
        club.pass_time(100)
        assert club.table.logged.stage == "playing"
        assert club.table.logged.rated.away[1] == 0
        assert club.table.state().seats[1].leaves_at is not None

    def test_against_bots_alone_there_is_none(self) -> None:
        club = RatedClub()
        club.table, step = Table.create_match(
            ("t", "C"), RATED, (club.people[0], None, None, None), (False, False), 0.0
        )
        club.now = 0.0
        club.take(step)
        club.connect(0)
        club.deal()
        assert refusal_of(club, 0, wire.Pause(id="p")) == "NOT_NOW"


class TestFlags:
    def test_two_from_one_address_are_flagged(self) -> None:
        club = RatedClub()
        club.people[2] = club.people[2]._replace(address="10.0.0.1")
        club.people[0] = club.people[0]._replace(address="10.0.0.1")
        club.agree().to_the_end()
        assert club.rows[0].flags == ("address 0 2",)

    def test_whoever_watches_from_a_players_browser_is_flagged(self) -> None:
        club = RatedClub()
        club.people[1] = club.people[1]._replace(device="d1", address="10.0.0.1")
        club.agree().deal()
        club.connect(Player("other", "Other", device="d1", address="10.0.0.1"))
        club.connect(Player("stranger", "Stranger", device="d2", address="10.0.0.2"))
        club.to_the_end()
        assert club.rows[0].flags == ("browser 1 watching",)

    def test_whoever_was_there_before_the_match_is_flagged_too(self) -> None:
        club = RatedClub()
        club.people[1] = club.people[1]._replace(device="d1", address="10.0.0.1")
        club.people[2] = club.people[2]._replace(address="10.0.0.2")
        # One who goes in time sees nothing of it.
        for other, device, address in (
            ("a", "d1", "10.0.0.1"),
            ("b", "d1", ""),
            ("c", "d3", "10.0.0.2"),
            ("d", "", ""),
        ):
            club.connect(Player(other, other, device=device, address=address))
        club.connect(Player("gone", "Gone", address="10.0.0.2"))
        club.take(club.table.disconnect("gone", club.now))
        club.agree()
        club.restart(1)
        club.connect(*range(4))
        club.deal().to_the_end()
        assert club.rows[0].flags == ("address 2 watching", "browser 1 watching")

    def test_nobody_is_told_and_no_address_is_stored(self) -> None:
        club = RatedClub()
        club.people = [person._replace(address="10.0.0.1", device="d1") for person in club.people]
        club.agree().to_the_end()
        stored = b"".join(log.encode(entry) for entry in club.entries)
        assert b"10.0.0.1" not in stored
        assert b"d1" not in stored.replace(b'"command"', b"")
        assert "browser" not in repr(club.heard)
