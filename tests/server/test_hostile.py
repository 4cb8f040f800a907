"""What somebody could do to others, to a clock or to the processor without breaking a rule of the game."""

import random

import pytest
from click.testing import CliRunner

from tests.server.players import Club
from tests.server.test_table import BOMBS, accepted, play, playing, refusal, view_of
from tichu.cli import main
from tichu.server import protocol as wire
from tichu.server.step import Player, Settings
from tichu.server.table import Table

GUEST = Player("guest", "Gil")


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

    def test_auto_pass_can_be_called_off_and_on_during_the_own_turn(self) -> None:
        club = on_the_clock()
        accepted(club, 3, wire.AutoPass(id="on", until="trick"))
        accepted(club, 3, wire.AutoPass(id="off", until="off"))
        due = club.table.due()
        assert due is not None
        assert round(1000 * due) == view_of(club, 3).clocks[0].ends
        accepted(club, 3, wire.AutoPass(id="again", until="trick"))
        club.wait()
        assert club.table.fold.trick[-1] == wire.Play(seat=3)

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
        assert club.table.fold.stage == "paused"
        return club

    def test_bots_go_on_for_whoever_comes_to_watch(self) -> None:
        club = self.bots_alone()
        club.connect(GUEST)
        assert club.table.fold.stage == "playing"

    def test_a_host_without_a_seat_ends_the_own_pause(self) -> None:
        club = self.bots_alone()
        club.connect(0)
        accepted(club, 0, wire.Pause(id="a"))
        assert refusal(club, GUEST, wire.Resume(id="b")) == "NOT_SEATED"
        accepted(club, 0, wire.Resume(id="c"))


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
    assert club.table.fold.last_trick


@pytest.mark.parametrize("name", ["\u3164", "\u2800\uffa0", "\u200b\u202e", "\x1b\x00"])
def test_nobody_has_an_invisible_name(name: str) -> None:
    club = Club()
    accepted(club, 0, wire.Sit(id="a", seat=0, name=name))
    assert club.table.state().seats[0].name == "Ada"
    assert refusal(club, 0, wire.Say(id="b", text=name)) == "EMPTY"


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
