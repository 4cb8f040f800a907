"""What somebody could do to others, to a clock or to the processor without breaking a rule of the game."""

import random

import pytest
from click.testing import CliRunner
from msgspec import structs

from tests.server.players import Club
from tests.server.test_table import BOMBS, accepted, play, playing, refusal, view_of
from tichu.cli import main
from tichu.server import wire
from tichu.server.table import Table
from tichu.server.table.ports import Player
from tichu.server.wire.settings import Settings

GUEST = Player("guest", "Gil")
#: Nobody has played yet; seat 1 leads.
ALL_DEALT = (
    "Do3s4s5s6s7s8s9sTsJsQsKsAs2b/2s3b4b5b6b7b8b9bTbJbQbKbAbMa/"
    "2g3g4g5g6g7g8g9gTgJgQgKgAgDr/2r3r4r5r6r7r8r9rTrJrQrKrArPh p1 - 0/0/0/0 - ---- - -/-/-/-"
)


def on_the_clock() -> Club:
    """Seat 3 has ten seconds to beat a seven."""
    club = playing(BOMBS, clock=wire.Clock(decision=10))
    accepted(club, 0, play("7s"))
    club.wait()
    assert [clock.seat for clock in view_of(club, 3).clocks] == [3]
    return club


class TestClocks:
    @pytest.mark.parametrize(
        ("who", "command"),
        [
            (3, wire.AutoPass(id="x", until="off")),
            (1, wire.AutoPass(id="x", until="turn")),
            (2, wire.Stand(id="x")),
            (0, wire.Remove(id="x", seat=1)),
        ],
    )
    def test_nothing_that_is_no_decision_winds_a_clock_up(self, who: int, command: wire.Command) -> None:
        club = on_the_clock()
        before = view_of(club, 3).clocks
        club.now += 9
        accepted(club, who, command)
        assert view_of(club, 3).clocks == before

    def test_who_leaves_and_comes_back_has_no_more_time_than_before(self) -> None:
        club = on_the_clock()
        before = view_of(club, 3).clocks
        club.answers_bots = False
        club.now += 9
        accepted(club, 3, wire.Stand(id="a"))
        assert view_of(club, 0).clocks == ()
        accepted(club, 3, wire.Sit(id="b", seat=3))
        assert view_of(club, 3).clocks == before

    def test_a_call_gives_nobody_more_time(self) -> None:
        club = playing(ALL_DEALT, rules="standard exchange=no", clock=wire.Clock(decision=10, reserve=20))
        before = view_of(club, 1).clocks
        assert [clock.seat for clock in before] == [1]
        club.now += 9
        accepted(club, 0, wire.DeclareTichu(id="a"))
        assert view_of(club, 1).clocks == before
        # Twelve seconds of the reserve, of which a call in their midst counts none twice.
        club.now += 6
        accepted(club, 1, wire.DeclareTichu(id="b"))
        club.now += 7
        accepted(club, 1, play("2s"))
        assert club.table.logged.reserves == [20, pytest.approx(8.0), 20, 20]

    def test_a_call_during_the_exchange_gives_nobody_more_time(self) -> None:
        club = playing(rules="standard grand=no", clock=wire.Clock(decision=10, reserve=20))
        club.play(random.Random(1), stop=lambda: club.table.logged.phase() == "TICHU.EXCHANGE_SELECT")
        before = view_of(club, 0).clocks
        assert [clock.seat for clock in before] == [0, 1, 2, 3]
        club.now += 9
        accepted(club, 0, wire.DeclareTichu(id="a"))
        assert view_of(club, 0).clocks == before
        cards = view_of(club, 1).hand
        accepted(club, 1, wire.ConfirmExchange(id="b", left=cards[0], partner=cards[1], right=cards[2]))
        club.now += 9
        accepted(club, 1, wire.DeclareTichu(id="c"))
        assert club.table.logged.reserves == [20, 20, 20, 20]

    def test_a_pause_stops_the_clock_and_does_not_wind_it_up(self) -> None:
        club = on_the_clock()
        (before,) = view_of(club, 3).clocks
        club.now += 9
        accepted(club, 0, wire.Pause(id="a"))
        assert view_of(club, 3).clocks == ()
        club.now += 1000
        accepted(club, 0, wire.Resume(id="b"))
        while view_of(club, 3).window is not None:
            club.wait()
        (after,) = view_of(club, 3).clocks
        assert (after.ends - before.ends, after.reserve_ends - before.reserve_ends) == (1_000_000, 1_000_000)

    def test_a_bot_in_the_seat_uses_up_the_time_that_was_left(self) -> None:
        club = playing(BOMBS, clock=wire.Clock(decision=10, reserve=20))
        club.now += 15
        club.take(club.table.tick(club.now))
        accepted(club, 0, wire.Stand(id="a"))
        club.wait()
        assert club.table.logged.trick.plays[0].seat == 0
        assert 10 < club.table.logged.reserves[0] < 15.1

    def test_auto_pass_can_be_called_off_and_on_during_the_own_turn(self) -> None:
        club = on_the_clock()
        accepted(club, 3, wire.AutoPass(id="on", until="trick"))
        accepted(club, 3, wire.AutoPass(id="off", until="off"))
        due = club.table.due()
        assert due is not None
        assert round(1000 * due) == view_of(club, 3).clocks[0].ends
        accepted(club, 3, wire.AutoPass(id="again", until="trick"))
        club.wait()
        assert club.table.logged.trick.plays[-1] == wire.Play(seat=3)

    def test_who_sits_down_does_not_pass_as_the_one_before_did(self) -> None:
        club = playing(BOMBS)
        accepted(club, 3, wire.AutoPass(id="a", until="trick"))
        accepted(club, 2, wire.AutoPass(id="a", until="trick"))
        accepted(club, 3, wire.Stand(id="b"))
        club.connect(GUEST)
        accepted(club, GUEST, wire.Sit(id="c", seat=3))
        view = club.table.snapshot(GUEST.id, club.now).view
        assert view is not None
        assert view.auto_pass == "off"
        assert view_of(club, 2).auto_pass == "trick"


class TestFidgets:
    @pytest.mark.parametrize(
        "command",
        [
            wire.Say(id="x", text="hm"),
            wire.Emote(id="x", emote="hurry"),
            wire.SelectExchange(id="x"),
            wire.AutoPass(id="x", until="off"),
        ],
    )
    def test_who_never_stops_makes_the_log_grow_slowly(self, command: wire.Command) -> None:
        club = playing(rules="standard grand=no")
        club.play(random.Random(1), stop=lambda: club.table.logged.phase() == "TICHU.EXCHANGE_SELECT")
        club.forget()
        answers: list[object] = []
        for number in range(1000):
            club.now += 0.1
            answers.append(club.command(1, structs.replace(command, id=f"{number}")))
        refused = [answer.reason for answer in answers if isinstance(answer, wire.Refused)]
        assert set(refused) == {"TOO_FAST"}
        assert len(club.entries) <= 1000 - len(refused) <= 130
        # Others do not have to be quiet, and the game goes on for the one who is.
        accepted(club, 2, wire.Say(id="y", text="now, now"))
        cards = view_of(club, 1).hand
        accepted(club, 1, wire.ConfirmExchange(id="z", left=cards[0], partner=cards[1], right=cards[2]))

    def test_who_is_ready_is_ready_once(self) -> None:
        club = playing()
        club.play(random.Random(1), stop=lambda: bool(club.table.logged.results))
        club.forget()
        answers = [club.command(1, wire.Ready(id=f"{number}")) for number in range(100)]
        assert sum(isinstance(answer, wire.Ack) for answer in answers) == 30
        assert {answer.reason for answer in answers if isinstance(answer, wire.Refused)} == {"TOO_FAST"}
        assert [entry.command for entry in club.entries if entry.command] == ["player1 0"]
        assert club.table.state().seats[1].ready
        accepted(club, 2, wire.Ready(id="y"))
        assert [entry.command for entry in club.entries if entry.command] == ["player1 0", "player2 y"]

    def test_getting_up_and_sitting_down_has_an_end(self) -> None:
        club = playing(BOMBS)
        club.answers_bots = False
        answers = [
            club.command(2, wire.Sit(id=f"{number}", seat=2) if number % 2 else wire.Stand(id=f"{number}"))
            for number in range(60)
        ]
        assert 20 < sum(isinstance(answer, wire.Ack) for answer in answers) <= 30

    def test_hints_have_an_end_too(self) -> None:
        club = playing(BOMBS)
        asked = [club.table.hint("player0", wire.Hint(id=f"{number}"), club.now) for number in range(60)]
        refused = {answer.reason for answer in asked if isinstance(answer, wire.Refused)}
        assert refused == {"TOO_FAST"}
        club.now += 60
        assert not isinstance(club.table.hint("player0", wire.Hint(id="later"), club.now), wire.Refused)

    def test_one_play_waits_for_the_end_of_a_window_and_not_thousands(self) -> None:
        club = playing(BOMBS)
        accepted(club, 0, play("7s"))
        assert club.command(3, play("9s", "first")) is None
        assert refusal(club, 3, wire.Pass(id="second")) == "NOT_NOW"
        assert club.command(3, play("9s", "first")) is None
        club.wait()
        assert club.table.logged.trick.plays[-1].seat == 3

    def test_a_crowd_of_spectators_is_no_louder_than_one(self) -> None:
        club = Club()
        crowd = [Player(f"guest{number}", "Gil") for number in range(100)]
        answers = [club.command(guest, wire.Say(id="x", text="hello")) for guest in crowd]
        assert sum(isinstance(answer, wire.Ack) for answer in answers) == 30
        accepted(club, crowd[-1], wire.Sit(id="y", seat=1))
        accepted(club, crowd[-1], wire.Say(id="z", text="hello"))

    def test_an_honest_chatter_never_notices(self) -> None:
        club = playing(BOMBS)
        for number in range(20):
            accepted(club, 1, wire.Emote(id=f"e{number}", emote="laugh"))
        for number in range(100):
            club.now += 1.5
            accepted(club, 1, wire.Say(id=f"s{number}", text="and then she said"))


class TestTimers:
    def test_a_time_that_runs_out_during_a_window_waits_for_its_end(self) -> None:
        club = on_the_clock()
        club.now += 9.99
        accepted(club, 1, wire.PlayBomb(id="b", cards=("2s", "2b", "2g", "2r")))
        window = view_of(club, 0).window
        due = club.table.due()
        assert window is not None
        assert due is not None
        assert round(1000 * due) == window.ends

    def test_a_table_does_not_wake_up_while_a_bot_thinks_about_the_missed_decision(self) -> None:
        club = on_the_clock()
        club.answers_bots = False
        club.now += 10
        club.take(club.table.tick(club.now))
        assert club.table.due() is None


class TestPauses:
    def bots_alone(self) -> Club:
        """A host who only watches, gone for a minute."""
        club = Club()
        club.connect(0)
        club.seat_people()
        club.start()
        club.take(club.table.disconnect("player0", club.now))
        club.now += 60
        club.take(club.table.tick(club.now))
        assert club.table.logged.stage == "paused"
        return club

    def test_bots_go_on_for_whoever_comes_to_watch(self) -> None:
        club = self.bots_alone()
        club.connect(GUEST)
        assert club.table.logged.stage == "playing"

    def test_a_host_without_a_seat_ends_the_own_pause(self) -> None:
        club = self.bots_alone()
        club.connect(0)
        accepted(club, 0, wire.Pause(id="a"))
        assert refusal(club, GUEST, wire.Resume(id="b")) == "NOT_SEATED"
        accepted(club, 0, wire.Resume(id="c"))


def test_spectators_hear_of_the_table_at_once_and_of_the_trick_later() -> None:
    club = playing(BOMBS)
    club.connect(GUEST)
    shown = club.table.snapshot(GUEST.id, club.now).view
    accepted(club, 0, play("7s"))
    for who, command, stage in (
        (0, wire.Pause(id="a"), "paused"),
        (0, wire.Resume(id="b"), "playing"),
        (1, wire.Stand(id="c"), "playing"),
        (0, wire.PutBot(id="d", seat=1, bot="random"), "playing"),
    ):
        accepted(club, who, command)
        heard = club.heard[GUEST.id][-1]
        assert isinstance(heard, wire.State)
        assert heard.table == club.table.state()
        assert heard.table.stage == stage
        assert heard.view == shown
    assert not any(isinstance(message, wire.EventMessage) for message in club.heard[GUEST.id])


def test_who_sits_down_in_the_middle_of_a_trick_misses_no_version() -> None:
    club = playing(BOMBS)
    club.answers_bots = False
    accepted(club, 0, play("7s"))
    club.wait()
    accepted(club, 1, wire.Stand(id="a"))
    assert club.command(3, play("9s", "n")) is not None
    accepted(club, 1, wire.Sit(id="b", seat=1))
    accepted(club, 2, wire.Say(id="c", text="welcome back"))
    version = 0
    for message in club.heard["player1"]:
        if isinstance(message, wire.EventMessage):
            assert message.version == version + 1
        if isinstance(message, wire.EventMessage | wire.State | wire.Welcome):
            version = message.version
    assert version == club.table.logged.version


def test_spectators_see_the_same_after_a_restart() -> None:
    club = Club(Settings(pace=0.1))
    club.seat_people(0, 1, 2, 3)
    club.connect(GUEST)
    club.start()
    rng = random.Random(1)
    for _ in range(60):
        club.play(rng, most=1)
        before = club.table.snapshot(GUEST.id, club.now)
        restored = Table.restore(club.entries, club.now)
        after = restored.snapshot(GUEST.id, club.now)
        assert after.version == before.version
        assert (after.view is None) == (before.view is None)
        if before.view is not None and after.view is not None:
            assert (after.view.trick, after.view.last_trick, after.view.counts, after.view.pending) == (
                *(before.view.trick, before.view.last_trick),
                *(before.view.counts, before.view.pending),
            )
    assert club.table.logged.trick.last


@pytest.mark.parametrize("number", ["nan", "inf", "-inf", "-1", "0", "1e+300", "x"])
def test_a_time_is_a_number_of_milliseconds(number: str) -> None:
    result = CliRunner().invoke(main, ["connect", "http://127.0.0.1:1/t/x", "--bot", "greedy", "--time", number])
    assert isinstance(result.exception, SystemExit)
    assert result.exit_code == 2
    assert "Invalid value for '--time'" in result.output
    assert number in result.output


@pytest.mark.parametrize(
    ("option", "number"),
    [("--retention-days", "nan"), ("--table-days", "inf"), ("--limit", "socket_rate=nan"), ("--limit", "waiting=-1")],
)
def test_no_server_starts_with_a_number_that_is_none(option: str, number: str) -> None:
    result = CliRunner().invoke(main, ["serve", "--port", "0", "--database", "mysql://x", option, number])
    assert isinstance(result.exception, SystemExit)
    assert result.exit_code == 2
    assert f"Invalid value for '{option}'" in result.output


@pytest.mark.parametrize(
    ("arguments", "place"),
    [
        (["http://127.0.0.1:1/t/x", "--token", "\u20ac"], "the token"),
        (["http://127.0.0.1:1/t/x", "--token", "a\nb"], "the token"),
        (["http://a..b/t/x"], "a..b"),
    ],
)
def test_what_cannot_be_sent_is_one_line(arguments: list[str], place: str) -> None:
    result = CliRunner().invoke(main, ["connect", *arguments, "--bot", "greedy"])
    assert isinstance(result.exception, SystemExit)
    assert result.exit_code == 1
    assert place in result.output
