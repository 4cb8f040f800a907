"""Pauses of a rated match: nobody is ambushed by one, and nobody escapes into one."""

from tests.server.rated_club import RatedClub, refusal_of
from tests.server.test_rated_table import settings
from tichu.server import wire
from tichu.server.table.rated_pause import GATHER_S, PAUSE_S, WISH_S
from tichu.server.wire import Clock

SLOW = settings(clock=Clock(decision=60, reserve=600))


def paused() -> RatedClub:
    club = RatedClub(SLOW).agree().deal()
    for seat in range(4):
        club.command(seat, wire.Pause(id=club.id()))
    assert (club.stage, club.table.logged.paused_why) == ("paused", "agreed")
    return club


def abandoned() -> RatedClub:
    """All four go within a second, and the match waits."""
    club = RatedClub(SLOW).agree().deal()
    for seat in range(4):
        club.leave(seat)
    club.pass_time(31)
    assert (club.stage, club.table.logged.paused_why) == ("paused", "nobody")
    return club


def resume(club: RatedClub, *seats: int) -> None:
    for seat in seats:
        assert refusal_of(club, seat, wire.Resume(id=club.id())) is None


def is_running(club: RatedClub) -> bool:
    return club.stage == "playing"


def pass_pause(club: RatedClub, seconds: float) -> None:
    """Let time pass at a table that stands still."""
    until = club.now + seconds
    while club.wait(until):
        pass
    club.now = until
    club.take(club.table.tick(club.now))


def test_one_alone_does_not_end_it_while_others_are_away() -> None:
    club = paused()
    for seat in (1, 2, 3):
        club.leave(seat)
    resume(club, 0)
    pass_pause(club, 300)
    resume(club, 0)
    assert club.stage == "paused"
    assert club.rows == []
    club.connect(1, 2, 3)
    resume(club, 0, 1, 2)
    assert club.table.state().pause_asked == (0, 1, 2)
    assert club.stage == "paused"
    resume(club, 3)
    assert is_running(club)
    assert club.table.state().pause_asked == ()


def test_it_ends_by_itself_when_everybody_knew_it_would() -> None:
    """Whoever is about to lose does not escape by never coming back."""
    club = paused()
    ends = club.table.state().resumes_at
    assert ends == round(1000 * (club.now + PAUSE_S))
    club.leave(1)
    pass_pause(club, PAUSE_S - 1)
    assert club.stage == "paused"
    club.asleep = {0, 2, 3}
    pass_pause(club, 1)
    assert is_running(club)
    assert club.table.state().resumes_at is None
    club.pass_time(121)
    assert (club.rows[0].leaver, club.rows[0].winner) == (1, 0)


def test_the_end_of_a_pause_outlives_a_restart() -> None:
    club = paused()
    ends = club.table.state().resumes_at
    club.restart(10)
    club.connect(0, 1, 2, 3)
    assert club.table.state().resumes_at == ends
    pass_pause(club, PAUSE_S)
    assert is_running(club)


def test_a_pause_lasts_no_longer_because_the_clock_of_the_next_node_is_behind() -> None:
    """As after a step of the clock of the database, which nodes read when they start."""
    club = paused()
    club.restart(-3600)
    club.connect(0, 1, 2, 3)
    assert club.table.state().resumes_at == round(1000 * (club.now + PAUSE_S))
    pass_pause(club, PAUSE_S)
    assert is_running(club)


def test_wishes_are_forgotten() -> None:
    """The fourth does not choose the moment."""
    club = RatedClub(SLOW).agree().deal()
    club.asleep = {0, 1, 2, 3}
    for seat in (1, 2, 3):
        club.command(seat, wire.Pause(id=club.id()))
    club.pass_time(WISH_S + 1)
    assert club.table.state().pause_asked == ()
    club.command(0, wire.Pause(id=club.id()))
    assert is_running(club)
    assert club.table.state().pause_asked == (0,)


def test_everybody_hears_that_a_wish_is_forgotten() -> None:
    club = RatedClub(SLOW).agree().deal()
    club.asleep = {0, 1, 2, 3}
    club.command(1, wire.Pause(id=club.id()))
    club.forget()
    club.pass_time(WISH_S + 1)
    told = [m.table.pause_asked for m in club.heard["player2"] if isinstance(m, wire.State)]
    assert told[-1] == ()


def test_wishes_to_go_on_are_forgotten_too() -> None:
    club = paused()
    resume(club, 0, 1, 2)
    pass_pause(club, WISH_S + 1)
    resume(club, 3)
    assert club.stage == "paused"


def test_whoever_comes_back_first_waits_for_the_others() -> None:
    club = abandoned()
    club.now += 600
    club.connect(0)
    assert club.stage == "paused"
    assert club.table.state().resumes_at == round(1000 * (club.now + GATHER_S))
    pass_pause(club, 130)
    assert club.rows == []
    club.connect(1, 2)
    assert club.stage == "paused"
    club.connect(3)
    assert is_running(club)
    assert club.table.state().resumes_at is None


def test_who_does_not_come_back_has_left_all_the_same() -> None:
    club = abandoned()
    club.connect(0, 1, 2)
    club.asleep = {0, 1, 2}
    pass_pause(club, GATHER_S)
    assert is_running(club)
    club.pass_time(121)
    assert (club.rows[0].ending, club.rows[0].leaver) == ("left", 3)


def test_a_match_that_all_have_left_for_an_hour_is_over_for_nobody() -> None:
    """Who comes by at night does not win against three who sleep."""
    club = abandoned()
    due = club.table.due()
    assert due is not None
    club.now = due
    assert club.table.tick(club.now).closed
    assert due <= 1_000_000 + 3700


def test_at_an_unrated_table_anybody_who_is_back_goes_on() -> None:
    club = RatedClub(settings(rated=False))
    club.seat_people(0, 1, 2, 3)
    club.start()
    club.deal()
    for seat in range(4):
        club.leave(seat)
    club.pass_time(31)
    assert club.stage == "paused"
    assert club.table.due() is None
    club.connect(2)
    assert is_running(club)
