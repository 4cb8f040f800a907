"""What people may be called at a table, and what the key of a seat is good for."""

import asyncio
from collections.abc import Awaitable, Callable, Collection, Coroutine
from typing import Final, TypeVar

from msgspec.structs import replace

from tichu.server.failures import RareLine
from tichu.server.players import NAME_LENGTH, Identity, Players
from tichu.server.store import StoreError
from tichu.server.table.ports import Player
from tichu.server.table.refusals import TableReason
from tichu.server.table.sanitize import clean
from tichu.server.table.state import LoggedState
from tichu.server.wire import Emote, Refused, Say, Sit, TableState

__all__ = ["end_former_seat_keys", "end_seat_keys", "is_good_at", "under_free_name"]

T = TypeVar("T")

_RETRY_S: Final = 1.0


def is_good_at(known: Identity, table: TableState | None) -> bool:
    """Whether a token is good at a table: the key of a seat only there, while its owner sits and the game lasts."""
    if known.table is None:
        return True
    if table is None or table.id != known.table or table.stage == "over":
        return False
    return any(seat.player == known.player.id for seat in table.seats)


def end_seat_keys(
    players: Players, table: str, owners: Collection[str], store_line: RareLine
) -> Coroutine[None, None, dict[str, list[str]]]:
    """The keys of these people at a table are nobody's, as soon as the store lets them be; their hashes, by player."""
    return _end_at_last(lambda: players.end_seat_keys(table, owners), store_line)


def end_former_seat_keys(
    players: Players, logged: LoggedState, store_line: RareLine
) -> Coroutine[None, None, dict[str, list[str]]]:
    """The same where a table comes from the store: of whoever got up, or of all if the game there is over."""
    table, seated = logged.opened.id, () if logged.stage == "over" else logged.persons()
    return _end_at_last(lambda: players.end_former_seat_keys(table, seated), store_line)


async def _end_at_last(
    end: Callable[[], Awaitable[dict[str, list[str]]]], store_line: RareLine
) -> dict[str, list[str]]:
    while True:
        try:
            return await end()
        except StoreError as error:
            # Or they would be good again with the next game.
            store_line.write("the keys of a seat wait for the store", error)
        await asyncio.sleep(_RETRY_S)


async def under_free_name(players: Players, known: Identity, said: T) -> tuple[Player, T | Refused]:
    """Who says something, and what, unless it would give somebody the name of another's account."""
    if known.player.account and isinstance(said, Sit | Say | Emote):
        # It may be called otherwise by now, and somebody else like that.
        known = await players.identify(known.token) or known
    player = known.player
    if isinstance(said, Say | Emote):
        return (await players.with_own_name(known)).player, said
    if not isinstance(said, Sit):
        return player, said
    chosen = "" if player.account else clean(said.name, NAME_LENGTH)
    name = chosen or player.name
    if not player.account and name and await players.is_name_taken(name):
        if chosen:
            reason = TableReason.NAME_TAKEN
            return player, Refused(id=said.id, reason=reason.name, message=reason.value, version=0)
        name = "Guest"
        said = replace(said, name=name)
    return player._replace(numbers_taken=await players.numbers_taken(name or "Guest")), said
