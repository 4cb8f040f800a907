"""Many files over many workers: the games are cut out here, read and played there, and come back in order."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import Final, NamedTuple, TypeVar

from tichu.core.errors import NotationError
from tichu.data.rows import GameTables, SkippedRound, game_tables
from tichu.formats.sources import GameText, game_texts, name_of
from tichu.parallel import Pool

__all__ = ["Batch", "batches", "map_games", "read_batch"]

#: Enough that handing over costs nothing, and few enough that progress shows.
_BATCH: Final = 16

_Result = TypeVar("_Result")


class Batch(NamedTuple):
    """Games with the number of the first, or a file that could not be read."""

    first: int
    games: Sequence[GameText]
    #: How many files end in this batch.
    files: int
    failures: Sequence[SkippedRound] = ()


def batches(paths: Iterable[Path], size: int = _BATCH) -> Iterator[Batch]:
    """The games of all files; one that cannot be read is told and costs only itself."""
    games: list[GameText] = []
    failures: list[SkippedRound] = []
    first = files = 0
    for path in paths:
        try:
            for game in game_texts(path):
                games.append(game)
                if len(games) >= size:
                    yield Batch(first, games, files, failures)
                    first, games, files, failures = first + len(games), [], 0, []
        except NotationError as error:
            failures.append(SkippedRound(name_of(path), None, str(error).removeprefix(f"{name_of(path)}: ")))
        except OSError as error:
            failures.append(SkippedRound(name_of(path), None, error.strerror or str(error)))
        files += 1
    if games or files:
        yield Batch(first, games, files, failures)


def read_batch(batch: Batch) -> GameTables:
    """The rows of all games of a batch."""
    tables = GameTables([], [], [], [], [*batch.failures])
    for number, game in enumerate(batch.games, start=batch.first):
        try:
            reading = game.read()
        except NotationError as error:
            tables.skipped.append(SkippedRound(game.place, None, str(error)))
            continue
        more = game_tables(game.place, reading, number)
        tables.games.extend(more.games)
        tables.rounds.extend(more.rounds)
        tables.seats.extend(more.seats)
        tables.decisions.extend(more.decisions)
        tables.skipped.extend(more.skipped)
    return tables


def map_games(
    work: Callable[[Batch], _Result], paths: Iterable[Path], pool: Pool, advance: Callable[[int], None]
) -> Iterator[_Result]:
    """What ``work`` makes of each batch, in order; ``advance`` is told how many files are done."""
    ended: list[int] = []

    def handed() -> Iterator[Batch]:
        for batch in batches(paths):
            ended.append(batch.files)
            yield batch

    results = pool.map(work, handed())
    try:
        for done, result in enumerate(results):
            yield result
            advance(ended[done])
    finally:
        results.close()
