"""Before a game and between two: two people swap seats when both want it, without the host."""

from collections.abc import Callable

import pytest

from tests.server.players import Club
from tests.server.rated_club import RatedClub, refusal_of
from tests.server.test_friends import leave, over, restarted
from tests.server.test_table import accepted, refusal
from tichu.server import wire


def lobby(*seats: int) -> Club:
    club = Club()
    club.seat_people(*seats)
    return club


def swap(first: int, second: int, name: str = "") -> wire.Swap:
    return wire.Swap(id=name or f"swap {first} {second}", first=first, second=second)


def wishes(club: Club) -> list[int | None]:
    return [seat.swap_with for seat in club.table.state().seats]


def sitters(club: Club) -> list[str | None]:
    return [seat.player for seat in club.table.state().seats]


@pytest.mark.parametrize("make", [lobby, over])
def test_two_swap_when_both_have_asked(make: Callable[..., Club]) -> None:
    club = make(0, 1, 2, 3)
    accepted(club, 1, swap(1, 2))
    assert wishes(club) == [None, 2, None, None]
    assert sitters(club) == ["player0", "player1", "player2", "player3"]
    for person in ("player0", "player2"):
        told = club.heard[person][-1]
        assert isinstance(told, wire.State)
        assert told.table.seats[1].swap_with == 2
    # The two seats are the same in any order.
    accepted(club, 2, swap(1, 2))
    assert sitters(club) == ["player0", "player2", "player1", "player3"]
    assert wishes(club) == [None] * 4
    assert restarted(club).logged.seats == club.table.logged.seats


def test_whoever_had_agreed_to_a_rematch_still_has_until_seats_change() -> None:
    club = over(0, 1, 2, 3)
    accepted(club, 3, wire.Ready(id="r"))
    accepted(club, 1, swap(1, 2))
    assert club.table.state().seats[3].ready
    accepted(club, 2, swap(2, 1))
    assert not club.table.state().seats[3].ready


def test_the_host_swaps_at_once_also_when_asked() -> None:
    club = lobby(0, 1, 2)
    accepted(club, 1, swap(1, 0))
    assert wishes(club)[1] == 0
    accepted(club, 0, swap(0, 1))
    assert sitters(club) == ["player1", "player0", "player2", None]
    accepted(club, 0, swap(0, 2))
    assert sitters(club) == ["player2", "player0", "player1", None]


def test_nobody_is_moved_by_others() -> None:
    club = lobby(0, 1, 2, 3)
    assert refusal(club, 1, swap(2, 3)) == "NOT_HOST"
    accepted(club, 1, swap(1, 2))
    # What two want is not what a third has agreed to, nor the host.
    accepted(club, 3, swap(3, 2))
    assert sitters(club) == ["player0", "player1", "player2", "player3"]
    assert wishes(club) == [None, 2, None, 2]
    club.connect(person := club.people[0]._replace(id="watcher", name="Eve"))
    answer = club.command(person, swap(1, 2, "w"))
    assert isinstance(answer, wire.Refused)
    assert answer.reason == "NOT_HOST"


def test_there_is_one_wish_of_each_and_it_can_be_taken_back() -> None:
    club = lobby(0, 1, 2, 3)
    accepted(club, 1, swap(1, 2))
    accepted(club, 1, swap(1, 3))
    assert wishes(club) == [None, 3, None, None]
    accepted(club, 1, swap(1, 1))
    assert wishes(club) == [None] * 4
    # Too late: the other one is asked now.
    accepted(club, 3, swap(3, 1))
    assert wishes(club) == [None, None, None, 1]
    # Whoever is host by now can take it back like everybody.
    leave(club, 0)
    accepted(club, 3, swap(3, 3))
    assert wishes(club) == [None] * 4


@pytest.mark.parametrize("who", [1, 2])
def test_it_ends_when_either_moves_and_does_not_come_back(who: int) -> None:
    club = lobby(0, 1, 2)
    accepted(club, 1, swap(1, 2))
    accepted(club, who, swap(who, 3, "away"))
    assert wishes(club) == [None] * 4
    accepted(club, who, swap(who, 3, "back"))
    assert wishes(club) == [None] * 4
    accepted(club, 2, swap(1, 2, "now"))
    assert sitters(club) == ["player0", "player1", "player2", None]


def test_it_ends_with_an_agreement_even_if_the_host_puts_all_back() -> None:
    club = lobby(0, 1, 2)
    accepted(club, 1, swap(1, 2))
    accepted(club, 2, swap(1, 2))
    accepted(club, 0, swap(1, 2))
    assert wishes(club) == [None] * 4


def test_a_wish_of_before_the_game_is_none_after_it() -> None:
    club = lobby(0, 1, 2)
    accepted(club, 1, swap(1, 2))
    club.start()
    assert wishes(club) == [None] * 4
    assert refusal(club, 2, swap(2, 1)) == "NOT_NOW"
    club.table.logged.stage = "over"
    assert wishes(club) == [None] * 4


def test_while_the_host_is_away_whoever_plays_is_host() -> None:
    club = lobby(0, 1, 2)
    leave(club, 0)
    accepted(club, 1, swap(1, 2))
    assert sitters(club) == ["player0", "player2", "player1", None]


def test_at_a_rated_table_people_stay_where_they_sit() -> None:
    club = RatedClub()
    for seat in (0, 1):
        club.connect(seat)
        assert isinstance(club.command(seat, wire.Sit(id=club.id(), seat=seat)), wire.Ack)
    assert refusal_of(club, 1, swap(1, 0)) == "RATED"
    assert wishes(club) == [None] * 4
