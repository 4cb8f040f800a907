"""What a guest may be called, and what the key of a seat is good for."""

from typing import TypeVar

from msgspec.structs import replace

from tichu.server.players import Identity, Players
from tichu.server.table.ports import Player
from tichu.server.table.refusals import TableReason
from tichu.server.wire import Refused, Sit, TableState

__all__ = ["is_good_at", "with_free_name"]

T = TypeVar("T")


def is_good_at(known: Identity, table: TableState | None) -> bool:
    """Whether a token is good at a table: the key of a seat only there, while its owner sits and the game lasts."""
    if known.table is None:
        return True
    if table is None or table.id != known.table or table.stage == "over":
        return False
    return any(seat.player == known.player.id for seat in table.seats)


async def with_free_name(players: Players, player: Player, said: T) -> T | Refused:
    """What a guest says, unless it would give them the name of an account."""
    if not isinstance(said, Sit) or player.account:
        return said
    name = said.name or player.name
    if not name or not await players.is_name_taken(name):
        return said
    if not said.name:
        return replace(said, name="Guest")
    reason = TableReason.NAME_TAKEN
    return Refused(id=said.id, reason=reason.name, message=reason.value, version=0)
