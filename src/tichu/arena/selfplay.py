"""Games that bots play for their records alone: data sets, the same for the same seed on any machine."""

from collections.abc import Iterator
from itertools import count

from tichu.arena.duel import Chunk, PlayedGame, play_chunk_once
from tichu.arena.series import KILLED
from tichu.arena.setup import Setup
from tichu.core.errors import GameError
from tichu.parallel import Pool, WorkerDied

__all__ = ["play_games"]

#: Which games make a chunk is fixed, so that bots that take batches decide the same whoever plays.
_GAMES_A_CHUNK = 16


def play_games(setup: Setup, rounds: int, pool: Pool) -> Iterator[PlayedGame]:
    """Games in order until ``rounds`` are reached: of one round each, or whole matches, the last one to its end.

    :raises GameError: a bot has ended the process in which it played
    """
    size = 1 if setup.matches and not setup.in_batches else _GAMES_A_CHUNK
    # How many matches it takes is not known; what was begun too much is dropped.
    starts = count(0, size) if setup.matches else range(0, rounds, size)
    ends = (start + size if setup.matches else min(start + size, rounds) for start in count(0, size))
    chunks = (Chunk(setup, range(start, end)) for start, end in zip(starts, ends, strict=False))
    played = pool.map(play_chunk_once, chunks)
    left = rounds
    try:
        for games in played:
            for game in games:
                yield game
                left -= len(game.record.rounds)
                if left <= 0:
                    return
    except WorkerDied:
        raise GameError(KILLED) from None
    finally:
        played.close()
