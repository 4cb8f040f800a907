"""Who would like to swap seats with whom, before a game and between two.

True only now and not stored: whoever still wants it after a restart asks again.
"""

from typing import NamedTuple

from tichu.server.table.ports import Player
from tichu.server.table.state import LoggedState
from tichu.server.wire import Swap

__all__ = ["SwapWishes"]


class _Wish(NamedTuple):
    """A wish is about two people in their seats: when either has moved or another game has begun, it is none."""

    asked: str
    seats: tuple[int, int]
    game: str | None


class SwapWishes:
    """One wish of each player at most; two that want the same have agreed."""

    def __init__(self) -> None:
        self._wishes: dict[str, _Wish] = {}

    def by_seat(self, logged: LoggedState) -> dict[int, int]:
        """Whose seat somebody would like to have, by the seat that they have now."""
        return {wish.seats[0]: wish.seats[1] for wish in self._standing(logged).values()}

    def keep_standing(self, logged: LoggedState) -> None:
        """Forget what is no wish any more: whoever comes back to a seat has not asked again."""
        self._wishes = self._standing(logged)

    def _standing(self, logged: LoggedState) -> dict[str, _Wish]:
        if logged.stage in ("playing", "paused"):
            return {}
        seats = logged.seats_by_player()
        return {
            player: wish
            for player, wish in self._wishes.items()
            if (seats.get(player), seats.get(wish.asked)) == wish.seats and wish.game == logged.game_id
        }

    def is_agreed(self, logged: LoggedState, player: Player, swap: Swap) -> bool:
        """Whether the other one of the two has asked for the same."""
        own = logged.seat_of(player.id)
        if own is None or own not in (swap.first, swap.second):
            return False
        return self.by_seat(logged).get(_other(swap, own)) == own

    def take(self, logged: LoggedState, player: Player, swap: Swap) -> bool:
        """Note that somebody has to be asked, or that it is taken back; False where no wish is what is meant."""
        own = logged.seat_of(player.id)
        if own is None or own not in (swap.first, swap.second) or logged.stage in ("playing", "paused"):
            return False
        other = _other(swap, own)
        if other == own:
            self._wishes.pop(player.id, None)
            return True
        there = logged.seats[other]
        if there is None or there.player is None or self.is_agreed(logged, player, swap):
            return False
        self._wishes[player.id] = _Wish(there.player, (own, other), logged.game_id)
        return True


def _other(swap: Swap, own: int) -> int:
    return swap.first if own == swap.second else swap.second
