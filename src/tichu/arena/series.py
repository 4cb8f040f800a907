"""A pair of teams plays its deals, in order, until all are played or the answer is clear."""

from collections.abc import Iterator, Mapping
from typing import Final

from tichu.arena.duel import Chunk, PlayedDeal, chunks, play_chunk
from tichu.arena.intervals import Bounds, Sprt
from tichu.arena.setup import Setup
from tichu.core.errors import GameError
from tichu.parallel import Pool, WorkerDied

__all__ = ["KILLED", "play_series"]

KILLED: Final = "a bot took the process down in which it played; as process:CMD it would only lose its decisions"


def play_series(
    setup: Setup,
    deals: int,
    pool: Pool,
    *,
    finished: Mapping[int, PlayedDeal],
    bounds: Bounds | None = None,
    keep_records: bool = False,
) -> Iterator[PlayedDeal]:
    """The deals in order, those of an earlier run taken from ``finished``.

    The test is asked after each deal, in order, so it too ends the same whoever plays.

    :raises GameError: a bot has ended the process in which it played
    """
    planned = chunks(setup, deals)
    # A chunk that was cut short is played again from its start, as if nothing had happened.
    missing = [numbers for numbers in planned if not all(number in finished for number in numbers)]
    fresh = pool.map(play_chunk, (Chunk(setup, numbers, keep_records) for numbers in missing))
    test = None if bounds is None else Sprt(bounds)
    try:
        for numbers in planned:
            known = [finished[number] for number in numbers if number in finished]
            for played in known if len(known) == len(numbers) else next(fresh):
                yield played
                if test is not None:
                    test.add(played.points / played.rounds)
                    if test.answer is not None:
                        return
    except WorkerDied:
        raise GameError(KILLED) from None
    finally:
        fresh.close()
