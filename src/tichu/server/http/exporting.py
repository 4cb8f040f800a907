"""Everything that a server knows about one person, as a file, bit by bit: nobody else waits while it is written."""

from collections.abc import AsyncIterator, Iterable, Sequence
from typing import Any, Final

import msgspec
from msgspec.structs import replace

from tichu.ratings.rows import format_row
from tichu.server.lobby import Lobby
from tichu.server.players import Identity
from tichu.server.slices import Slices
from tichu.server.store.exporting import facts_about
from tichu.server.store.matches import match_of, matches_with
from tichu.server.turns import Turns

__all__ = ["write_export"]

_PAGE: Final = 20
#: Rows written in one go.
_ROWS: Final = 50


class _Line(msgspec.Struct):
    """As much of an entry of a log as tells who said what."""

    e: str
    at: float
    player: str = ""
    text: str = ""


_LINE: Final = msgspec.json.Decoder(_Line)


async def write_export(lobby: Lobby, known: Identity, looking: Turns) -> AsyncIterator[bytes]:
    """One JSON object."""
    player, slices = known.player.id, Slices()
    await lobby.players.store_visits()
    facts = await lobby.store.read(facts_about, player)
    yield b"{"
    for number, (part, rows) in enumerate(facts.items()):
        yield (b',"' if number else b'"facts":{"') + part.encode() + b'":'
        if isinstance(rows, list):
            for piece in _written(rows):
                yield piece
                await slices.end()
        else:
            yield msgspec.json.encode(rows)
    yield b'},"matches":['
    for number, row in enumerate(await lobby.store.read(matches_with, player)):
        yield (b"," if number else b"") + _match(player, row)
        await slices.end()
    yield b'],"tables":'
    for piece in _written(await lobby.tables_of(player, lobby.config.limits.tables)):
        yield piece
        await slices.end()
    yield b',"said":'
    async with looking.take():
        said = await _said(lobby, player)
    for piece in _written(said):
        yield piece
        await slices.end()
    yield b',"games":['
    before: float | None = None
    first = True
    while games := await lobby.store.games(player, before=before, limit=_PAGE):
        for summary in games:
            game = await lobby.store.game(summary.id)
            if game is not None:
                whole = {**game.summary._asdict(), "record": game.record}
                yield (b"" if first else b",") + msgspec.json.encode(whole)
                first = False
        before = games[-1].finished
    yield b"]}"


def _match(player: str, values: Sequence[Any]) -> bytes:
    """A rated match; what is odd about others there is not for this one."""
    row = match_of(values).row
    own = {str(seat) for seat, who in enumerate(row.players) if who == player}
    flags = tuple(flag for flag in row.flags if own & set(flag.split()[1:]))
    return format_row(replace(row, flags=flags)).encode()


def _written(rows: list[Any]) -> Iterable[bytes]:
    """A list, some of it at a time."""
    yield b"["
    for start in range(0, len(rows), _ROWS):
        yield (b"," if start else b"") + msgspec.json.encode(rows[start : start + _ROWS])[1:-1]
    yield b"]"


async def _said(lobby: Lobby, player: str) -> list[dict[str, Any]]:
    """What somebody has said at tables that are open."""
    said: list[dict[str, Any]] = []
    slices, sign = Slices(), player.encode()
    async for stored in lobby.store.tables():
        for entry in stored.entries:
            # To look for the id first spares reading what others have done.
            if sign in entry:
                line = _LINE.decode(entry)
                if line.e == "said" and line.player == player:
                    said.append({"table": stored.id, "at": line.at, "text": line.text})
        await slices.end()
    return said
