"""What people try at rated tables: each trick is refused or harmless."""

import random

import pytest

from tests.server.rated_club import RATED, RatedClub, refusal_of
from tests.server.test_rated_table import settings
from tichu.ratings import Ledger, MatchRow, settle_all
from tichu.server import log, wire
from tichu.server.table import Table
from tichu.server.table.ports import Player
from tichu.server.wire import Clock
from tichu.server.wire.settings import Settings

STRANGER = Player("stranger", "Stranger", account=True)
POWERS = (
    wire.Remove(id="x", seat=1),
    wire.PutBot(id="x", seat=1, bot="random"),
    wire.Swap(id="x", first=0, second=1),
    wire.Swap(id="x", first=1, second=3),
    wire.StandIn(id="x", seat=1),
    wire.Assist(id="x", seat=1),
    wire.SetPace(id="x", pace=0.25),
)


def with_bots() -> RatedClub:
    """One person and three bots, brought together by the server."""
    club = RatedClub()
    people = (club.people[0], None, None, None)
    club.table, step = Table.create_match(("t", "C"), RATED, people, (False, False), club.now, club.entropy)
    club.take(step)
    club.connect(0)
    return club.deal()


def quick() -> RatedClub:
    return RatedClub(settings(clock=Clock(decision=5, reserve=0))).agree().deal()


# Those of the script.


def test_a_second_identity_takes_the_seat_of_an_opponent_bot() -> None:
    club = with_bots()
    club.connect(STRANGER)
    for seat in range(4):
        assert refusal_of(club, STRANGER, wire.Sit(id=club.id(), seat=seat)) == "RATED"
    view = club.table.snapshot(STRANGER.id, club.now).view
    assert view is not None
    assert view.hand == ()


def test_the_host_removes_a_player_and_sits_down_there() -> None:
    club = RatedClub().agree().deal()
    assert refusal_of(club, 0, wire.Remove(id="r", seat=1)) == "RATED"
    assert refusal_of(club, 0, wire.Sit(id="s", seat=1)) == "RATED"
    assert club.table.logged.persons() == ("player0", "player1", "player2", "player3")


def test_leaving_costs_a_match() -> None:
    club = RatedClub().agree().deal()
    club.command(1, wire.Stand(id="s"))
    ledger = Ledger()
    (change,) = [ledger.apply(ledger.settle(row)) for row in club.rows]
    moved = [0 if one is None else one[1].shown - one[0].shown for one in change.players]
    assert moved[1] < 0 < moved[0] == moved[2]
    assert moved[3] == 0


def test_a_stranger_does_not_inherit_a_seat_that_has_won() -> None:
    club = RatedClub().agree().deal()
    club.command(1, wire.Stand(id="s"))
    club.connect(STRANGER)
    assert refusal_of(club, STRANGER, wire.Sit(id="t", seat=0)) == "SEAT_TAKEN"
    assert STRANGER.id not in club.rows[0].players


def test_a_sleeper_does_not_win_by_a_strong_bot() -> None:
    club = quick()
    club.asleep = {2}
    club.pass_time(900)
    assert (club.rows[0].ending, club.rows[0].leaver) == ("left", 2)


def test_a_hosts_pause_stops_no_clock() -> None:
    club = quick()
    club.asleep = {0, 1, 2, 3}
    for _ in range(3):
        club.command(0, wire.Pause(id=club.id()))
    assert club.table.logged.stage == "playing"
    club.pass_time(6)
    assert any(isinstance(entry, log.ActionEntry) and entry.by == "clock" for entry in club.entries)


# And more.


@pytest.mark.parametrize("command", POWERS, ids=repr)
def test_nobody_has_power_over_others(command: wire.Command) -> None:
    club = RatedClub().agree().deal()
    club.leave(1)
    for player in (0, 2, 3, STRANGER):
        assert refusal_of(club, player, command) == "RATED"


@pytest.mark.parametrize("command", POWERS, ids=repr)
def test_nor_before_a_match_or_after_it(command: wire.Command) -> None:
    club = RatedClub()
    for seat in range(4):
        club.connect(seat)
        club.command(seat, wire.Sit(id=club.id(), seat=seat))
    assert refusal_of(club, 0, command) == "RATED"
    for seat in range(4):
        club.command(seat, wire.Ready(id=club.id()))
    club.to_the_end()
    club.forget()
    assert refusal_of(club, 0, wire.Remove(id="again", seat=1)) == "RATED"


def test_coming_and_going_every_minute_adds_up() -> None:
    club = RatedClub(settings(clock=Clock(decision=60, reserve=600))).agree().deal()
    club.asleep = {0, 1, 2, 3}
    for _ in range(12):
        if club.table.logged.stage == "over":
            break
        club.leave(3)
        club.pass_time(20)
        club.connect(3)
    assert club.rows[0].leaver == 3


def test_a_call_or_a_draft_does_not_count_as_being_awake() -> None:
    club = quick()
    club.asleep = {2}
    rng = random.Random(1)
    for _ in range(3000):
        if club.table.logged.stage == "over":
            break
        view = club.table.snapshot("player2", club.now).view
        if view is not None and view.may_call:
            club.command(2, wire.DeclareTichu(id=club.id()))
        if view is not None and view.decision == "exchange":
            club.command(2, wire.SelectExchange(id=club.id(), left=view.hand[0]))
        if not club.act(rng):
            club.wait()
    assert (club.rows[0].ending, club.rows[0].leaver) == ("left", 2)


def test_passing_by_itself_does_not_count_as_being_awake() -> None:
    club = quick()
    club.asleep = {2}
    rng = random.Random(1)
    for _ in range(3000):
        if club.table.logged.stage == "over":
            break
        if club.table.logged.game is not None:
            club.command(2, wire.AutoPass(id=club.id(), until="trick"))
        if not club.act(rng):
            club.wait()
    assert (club.rows[0].ending, club.rows[0].leaver) == ("left", 2)


def test_a_match_that_is_lost_does_not_become_unrated() -> None:
    club = RatedClub().agree().deal()
    assert refusal_of(club, 0, wire.ChangeSettings(id="c", settings=Settings())) is not None
    assert club.table.logged.settings.rated


def test_whoever_has_left_does_not_come_back() -> None:
    club = RatedClub().agree().deal()
    club.command(1, wire.Stand(id="s"))
    club.leave(1)
    club.connect(1)
    assert refusal_of(club, 1, wire.Pass(id="p")) is not None
    assert (club.table.state().stage, club.table.state().winner, len(club.rows)) == ("over", 0, 1)


def test_leaving_twice_counts_once() -> None:
    club = RatedClub().agree().deal()
    for name in ("s", "s", "t"):
        club.command(1, wire.Stand(id=name))
    assert len(club.rows) == 1


def test_standing_up_after_the_end_takes_nothing_back() -> None:
    club = RatedClub().agree().to_the_end()
    for seat in range(4):
        club.command(seat, wire.Stand(id=club.id()))
    assert len(club.rows) == 1
    assert club.rows[0].ending == "played"


def test_one_account_holds_one_seat() -> None:
    club = RatedClub()
    club.connect(0)
    club.command(0, wire.Sit(id="a", seat=0))
    club.command(0, wire.Sit(id="b", seat=1))
    assert club.table.logged.persons() == ("player0",)
    assert club.table.logged.seats[0] is None


def test_a_guest_cannot_agree_for_an_account() -> None:
    club = RatedClub()
    for seat in range(4):
        club.connect(seat)
        club.command(seat, wire.Sit(id=club.id(), seat=seat))
    # The account has become a guest's socket: whoever comes under this id now has shown no account.
    club.connect(club.people[3]._replace(account=False))
    assert refusal_of(club, club.people[3]._replace(account=False), wire.Ready(id="r")) == "ACCOUNT_ONLY"


def almost_agreed() -> RatedClub:
    """Three have agreed to a match in which the third is the partner of the first; one seat is free."""
    club = RatedClub()
    club.connect(0, 1, 2, 3, STRANGER)
    for seat in range(3):
        club.command(seat, wire.Sit(id=club.id(), seat=seat))
        club.command(seat, wire.Ready(id=club.id()))
    return club


@pytest.mark.parametrize(
    "moves",
    [
        ((2, wire.Sit(id="m", seat=3)),),
        ((2, wire.Swap(id="m", first=2, second=3)),),
        ((2, wire.Stand(id="m")), (2, wire.Sit(id="n", seat=3))),
    ],
    ids=["sits down elsewhere", "swaps", "stands up"],
)
def test_nobody_gets_another_partner_after_they_have_agreed(moves: tuple[tuple[int, wire.Command], ...]) -> None:
    club = almost_agreed()
    for mover, command in moves:
        assert refusal_of(club, mover, command) is None
    club.command(STRANGER, wire.Sit(id="s", seat=2))
    for player in (STRANGER, 2, 1):
        club.command(player, wire.Ready(id=club.id()))
    assert club.stage == "open"
    assert [seat.ready for seat in club.table.state().seats] == [False, True, True, True]
    club.command(0, wire.Ready(id="now I know"))
    assert club.stage == "playing"


def test_nor_other_opponents() -> None:
    club = almost_agreed()
    club.command(1, wire.Stand(id="m"))
    club.command(STRANGER, wire.Sit(id="s", seat=1))
    club.command(3, wire.Sit(id="s", seat=3))
    for player in (STRANGER, 3):
        club.command(player, wire.Ready(id=club.id()))
    assert club.stage == "open"


def test_whoever_comes_to_a_free_seat_asks_nobody_anew() -> None:
    club = almost_agreed()
    club.command(3, wire.Sit(id="s", seat=3))
    club.command(0, wire.Sit(id="again", seat=0))
    club.restart(1)
    club.connect(0, 1, 2, 3)
    club.command(3, wire.Ready(id="r"))
    assert club.stage == "playing"


def test_there_are_no_hints() -> None:
    club = RatedClub().agree().deal()
    answer = club.table.hint("player0", wire.Hint(id="h"), club.now)
    assert isinstance(answer, wire.Refused)
    assert answer.reason == "CASUAL_ONLY"


def test_whoever_watches_says_nothing() -> None:
    club = RatedClub().agree().deal()
    club.connect(STRANGER)
    assert refusal_of(club, STRANGER, wire.Say(id="s", text="seat 1 has the Dragon")) == "NOT_SEATED"
    assert refusal_of(club, STRANGER, wire.Emote(id="e", emote="hello")) == "NOT_SEATED"


def test_going_with_the_partner_does_not_save_a_match_against_bots() -> None:
    club = RatedClub()
    pair = (club.people[0], None, club.people[2], None)
    club.table, step = Table.create_match(("t", "C"), RATED, pair, (True, False), club.now, club.entropy)
    club.take(step)
    club.connect(0, 2)
    club.deal()
    club.leave(0)
    club.leave(2)
    club.pass_time(130)
    assert (club.rows[0].ending, club.rows[0].winner) == ("left", 1)


def test_not_coming_at_all_is_leaving() -> None:
    club = RatedClub()
    club.table, step = Table.create_match(("t", "C"), RATED, club.people, (False, False), club.now, club.entropy)
    club.take(step)
    club.connect(0, 1, 2)
    club.pass_time(150)
    assert club.rows[0].leaver == 3


def test_partners_of_leavers_are_spared_three_times_a_month() -> None:
    """Two friends who came alone: the one leaves whenever they are about to lose."""
    rows = [
        MatchRow(
            match=f"m{number}",
            at=number * 3_600_000,
            rules="standard",
            clock="normal",
            players=("ann", f"b{number}", "cy", f"d{number}"),
            score=(0, 900),
            winner=1,
            ending="left",
            leaver=0,
        )
        for number in range(5)
    ]
    assert [row.spared for row in settle_all(rows)] == [True, True, True, False, False]


def test_who_comes_as_a_pair_loses_as_a_pair() -> None:
    club = RatedClub()
    club.table, step = Table.create_match(("t", "C"), RATED, club.people, (True, False), club.now, club.entropy)
    club.take(step)
    club.connect(0, 1, 2, 3)
    club.deal()
    club.command(0, wire.Stand(id="s"))
    ledger = Ledger()
    change = ledger.apply(ledger.settle(club.rows[0]))
    moved = [0 if one is None else one[1].shown - one[0].shown for one in change.players]
    assert max(moved[0], moved[2]) < 0


def test_a_restart_takes_nothing_back() -> None:
    """Whatever a player hopes of it: seats stay locked, what was missed stays missed."""
    club = quick()
    club.asleep = {2}
    while club.table.logged.rated.missed[2] < 2:
        assert club.stage == "playing"
        club.pass_time(1)
    club.restart(5)
    club.connect(0, 1, 2, 3)
    club.connect(STRANGER)
    assert club.table.logged.rated.missed[2] == 2
    assert refusal_of(club, STRANGER, wire.Sit(id="s", seat=2)) == "RATED"
    club.pass_time(60)
    assert club.rows[0].leaver == 2
