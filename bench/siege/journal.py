"""What the guests know to be acknowledged, against what is in the store."""

from collections.abc import Sequence
from itertools import zip_longest
from typing import Final, NamedTuple

from bench.siege.honest import HonestTable
from tichu.core.actions import DeclineBomb, Take, format_action, parse_action
from tichu.core.record import read_jsonl
from tichu.server import log
from tichu.server.store import Store, StoredTable, open_store

__all__ = ["Comparison", "compare"]

_ALL: Final = 1_000_000


class Comparison(NamedTuple):
    """What came of it."""

    acknowledged: int
    games: int
    #: A line for each table whose store and journal differ.
    differences: list[str]
    #: How many tables of others the store holds.
    others: int


async def compare(database: str, tables: Sequence[HonestTable]) -> Comparison:
    """Read everything from the store of a server that has ended."""
    store = await open_store(database)
    try:
        stored = {one.id: one async for one in store.tables()}
        played: dict[str, list[str]] = {}
        for summary in reversed(await store.games(limit=_ALL)):
            played.setdefault(summary.table, []).append(summary.id)
        games = [await _finished(store, played.get(table.id, [])) for table in tables]
    finally:
        await store.close()
    differences = []
    for table, finished in zip(tables, games, strict=True):
        if table.id not in stored:
            differences.append(f"table {table.id} is not stored")
            continue
        kept = [text for text in (*finished.actions, *_open_actions(stored[table.id], finished.ids)) if _is_said(text)]
        kept = [text for text in kept if int(text[0]) < table.people]
        difference = _difference(table.journal, kept)
        if difference:
            last = [line.decode() for line in stored[table.id].entries[-4:]]
            differences.append(f"table {table.id}, {table.people} people: {difference}; last stored {last}")
        differences += [f"table {table.id}: {text} twice" for text in _repeated(stored[table.id])]
    ours = {table.id for table in tables}
    return Comparison(
        sum(len(table.journal) for table in tables),
        sum(len(finished.ids) for finished in games),
        differences,
        len(stored.keys() - ours),
    )


class _Finished(NamedTuple):
    ids: frozenset[str]
    actions: list[str]


async def _finished(store: Store, ids: Sequence[str]) -> _Finished:
    """The finished games of a table, from the first on."""
    actions: list[str] = []
    for number in ids:
        game = await store.game(number)
        assert game is not None
        for one in read_jsonl(game.record).record().rounds:
            actions += [format_action(*step) for step in one.actions]
    return _Finished(frozenset(ids), actions)


def _open_actions(stored: StoredTable, finished: frozenset[str]) -> list[str]:
    """What the log holds of the game that is not over; one that has just ended may still be in it."""
    actions: list[str] = []
    game: str | None = None
    for line in stored.entries:
        entry = log.decode(line)
        match entry:
            case log.Checkpoint():
                game = entry.game
                actions += [text for result in entry.results for text in result.actions if game not in finished]
            case log.SeatEntry(what="start"):
                game = entry.game
            case log.ActionEntry() if game not in finished:
                actions.append(entry.action)
    return actions


def _is_said(text: str) -> bool:
    """Whether a player said it; a trick is taken by the table, but for the Dragon's."""
    _, action = parse_action(text)
    return not isinstance(action, DeclineBomb) and not (isinstance(action, Take) and action.recipient is None)


def _repeated(stored: StoredTable) -> list[str]:
    """Commands that stand in the log more than once."""
    seen: dict[str, int] = {}
    for line in stored.entries:
        entry = log.decode(line)
        if isinstance(entry, log.ActionEntry) and entry.command is not None:
            seen[entry.command] = seen.get(entry.command, 0) + 1
    return [command for command, number in seen.items() if number > 1]


def _difference(journal: Sequence[str], kept: Sequence[str]) -> str:
    for number, (said, stored) in enumerate(zip_longest(journal, kept)):
        if said != stored:
            return f"action {number} was acknowledged as {said} and is stored as {stored} (of {len(journal)})"
    return ""
