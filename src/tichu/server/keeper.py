"""What a room asks of whoever keeps all of them."""

from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING, NamedTuple, Protocol

from tichu.agents.base import Choice
from tichu.server.outbox import Outbox
from tichu.server.presence import Presence
from tichu.server.table import Table
from tichu.server.table.ports import BotAsk, Player, Step

if TYPE_CHECKING:
    from tichu.server.room import Room

__all__ = ["Asker", "InboxItem", "Keeper", "Permission", "answering", "connecting"]

#: Whoever decides for bots.
Asker = Callable[[BotAsk], Awaitable[Choice]]


class InboxItem(NamedTuple):
    """What waits at a table."""

    work: Callable[[Table, float], Step]
    #: The socket that gets the welcome.
    outbox: Outbox | None
    #: Who said what, and when: whatever happens, it is answered.
    said: tuple[str, str] | None
    came: float
    #: What must be done first, by whoever owns the table; False if nothing is to follow.
    before: Callable[[], Awaitable[bool]] | None = None


class Permission(Protocol):
    """Whether a room may speak: one of a node may only while the others believe that it is there."""

    @property
    def is_held(self) -> bool:
        """Whether it may now."""

    @property
    def silent_s(self) -> float:
        """For how many seconds it might not so far."""

    async def wait(self) -> None:
        """Return when it may."""


class Keeper(Protocol):
    """All rooms of a server."""

    #: Who has sockets in which of them.
    presence: Presence["Room"]

    async def reload(self, table_id: str) -> tuple[Table, int]:
        """The table as it is stored, and the number of its next entry."""

    async def give_up(self, room: "Room", error: Exception) -> None:
        """Set a table aside that breaks again and again."""

    async def close_table(self, room: "Room") -> None:
        """Forget a table."""

    def note_seats(self, room: "Room") -> None:
        """Others sit there now."""

    def note_change(self, room: "Room") -> None:
        """It looks different from outside: somebody came or went, or a round is over."""

    def lose(self, room: "Room") -> None:
        """Another server has the table now."""

    def rest(self, room: "Room") -> None:
        """Nobody is there and nothing goes on: drop the room until somebody comes."""


def answering(ask: BotAsk) -> Callable[[Table, Choice, float], Step]:
    """What the answer of a bot does."""
    return lambda table, choice, now: table.take_answer(ask, choice, now)


def connecting(player: Player) -> Callable[[Table, float], Step]:
    """What the coming of a player does, once more.

    All sockets of the player hear it, also those with no more than the key of a seat: it tells no token.
    """
    return lambda table, now: table.connect(player, now)
