"""Games that were played become samples: what a seat saw, what it might have done, what it did, and how it ended.

    python -m tichu.envs.samples games.npz a.ttn b.tch

Every decision of a seat is a sample, calls and bombs out of turn too; what the table decided is not.  Under
``bombs=anytime`` nobody says that they do not bomb, so there are no samples of that.
"""

import argparse
import sys
import warnings
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import NamedTuple
from zipfile import BadZipFile

import numpy as np
from numpy.lib.npyio import NpzFile
from numpy.typing import NDArray

from tichu.core.actions import Action, Exchange
from tichu.core.errors import GameError, NotationError
from tichu.core.match import Match
from tichu.core.record import Reading, RoundRecord, replay
from tichu.core.round import Round
from tichu.core.rules import Rules
from tichu.core.view import View
from tichu.encoding import (
    ACTION_COUNT,
    OBSERVATION_SIZE,
    VERSION,
    encode,
    encode_exchange,
    pack_mask,
    write_mask,
    write_observation,
)
from tichu.formats.reading import read_games
from tichu.formats.sources import Paths, find_files

__all__ = ["Sample", "Samples", "load_samples", "samples_of", "save_samples"]


class Sample(NamedTuple):
    """One decision."""

    observation: NDArray[np.uint8]
    #: Packed.
    mask: NDArray[np.uint8]
    action: int
    seat: int
    #: Of the round: own team, other team.
    score: tuple[int, int]


class Samples(NamedTuple):
    """What a file of samples holds, a row a decision."""

    version: int
    observations: NDArray[np.uint8]
    masks: NDArray[np.uint8]
    actions: NDArray[np.int16]
    seats: NDArray[np.int8]
    scores: NDArray[np.int16]
    #: Which round, counted over all files.
    rounds: NDArray[np.int32]
    #: Per round: where it is from and by which rules it was played.
    sources: NDArray[np.str_]
    rules: NDArray[np.str_]


def samples_of(one: RoundRecord, rules: Rules, score: tuple[int, int] = (0, 0)) -> Iterator[Sample]:
    """The decisions of a finished round; ``score`` is the match before it.

    :raises GameError: the round is not finished, or its record is wrong
    """
    if one.score is None:
        raise GameError("the round is not finished")
    yield from _decisions(one, list(replay(one, rules)), one.score, score)


def _decisions(
    one: RoundRecord, states: Sequence[Round], outcome: tuple[int, int], score: tuple[int, int]
) -> Iterator[Sample]:
    for state, (seat, action) in zip(states, one.actions, strict=False):
        if state.table_may(seat, action) or state.automatic() == (seat, action):
            continue  # §10
        ended = outcome if seat % 2 == 0 else outcome[::-1]
        view = state.view(seat)._replace(score=score if seat % 2 == 0 else score[::-1])
        for number, picks in _numbers(action, view, state):
            observation, mask = np.zeros(OBSERVATION_SIZE, np.uint8), np.zeros(ACTION_COUNT, np.int8)
            write_observation(view, observation, picks)
            write_mask(view, mask, picks)
            assert mask[number]
            yield Sample(observation, pack_mask(mask), number, seat, ended)


def _numbers(action: Action, view: View, state: Round) -> Iterator[tuple[int, tuple[int, ...]]]:
    if not isinstance(action, Exchange):
        yield encode(action, view), ()
    elif view.seat in state.pending:  # A choice that replaces another is asked of nobody.
        for place, number in enumerate(encode_exchange(action)):
            yield number, action.cards[:place]


def _games(path: Path, report: Callable[[str], None]) -> Iterator[tuple[str, Reading | NotationError]]:
    """The games of a file; one that is missing or damaged costs what is not in it."""
    try:
        yield from read_games(path)
    except NotationError as error:
        report(str(error))
    except OSError as error:
        report(f"{path}: {error.strerror or error}")


def _rounds(paths: Paths, report: Callable[[str], None]) -> Iterator[tuple[str, Rules, list[Sample]]]:
    """Per finished round its source, rules and samples; what is wrong with one costs that one."""
    for path in find_files(paths):
        for place, reading in _games(path, report):
            if isinstance(reading, NotationError):
                report(f"{place}: {reading}")
                continue
            match = Match(reading.rules)
            for number, one in enumerate(reading.rounds):
                if isinstance(one, NotationError):
                    report(f"{place} round {number}: {one}")
                    continue
                if one.score is None:
                    continue
                try:
                    states = list(replay(one, reading.rules))
                except GameError as error:
                    report(f"{place} round {number}: {error}")
                    continue
                samples = list(_decisions(one, states, one.score, match.score))
                yield f"{place} round {number}", reading.rules, samples
                match = match._replace(outcomes=(*match.outcomes, states[-1].outcome))


def _warn(text: str) -> None:
    warnings.warn(f"left out: {text}", stacklevel=2)


def save_samples(target: Path, paths: Paths, report: Callable[[str], None] = _warn) -> int:
    """Write the decisions of all finished rounds of some games; how many there are.

    A round that is wrong is left out, and so is a file that cannot be read; ``report`` is told which and why.

    :raises GameError: there is no finished round
    """
    rounds = list(_rounds(paths, report))
    samples = [sample for _, _, of_round in rounds for sample in of_round]
    if not samples:
        raise GameError("no finished round in these games")
    counts = [len(of_round) for _, _, of_round in rounds]
    np.savez_compressed(
        target,
        version=np.int64(VERSION),
        observations=np.stack([sample.observation for sample in samples]),
        masks=np.stack([sample.mask for sample in samples]),
        actions=np.array([sample.action for sample in samples], np.int16),
        seats=np.array([sample.seat for sample in samples], np.int8),
        scores=np.array([sample.score for sample in samples], np.int16),
        rounds=np.repeat(np.arange(len(rounds), dtype=np.int32), counts),
        sources=np.array([source for source, _, _ in rounds]),
        rules=np.array([str(rules) for _, rules, _ in rounds]),
    )
    return len(samples)


def load_samples(path: Path) -> Samples:
    """Read what :func:`save_samples` has written.

    :raises GameError: the file is of another version of the encoding, or not one of samples
    :raises OSError: it cannot be read
    """
    try:
        opened = np.load(path)
    except (ValueError, EOFError, BadZipFile):
        raise GameError(f"{path}: this is not a file of samples") from None
    if not isinstance(opened, NpzFile) or not {"version", *Samples._fields[1:]} <= set(opened):
        raise GameError(f"{path}: this is not a file of samples")
    with opened as file:
        version = int(file["version"])
        if version != VERSION:
            raise GameError(f"{path}: samples of encoding {version}, and this is {VERSION}")
        return Samples(version, *(file[name] for name in Samples._fields[1:]))


def _main() -> None:
    parser = argparse.ArgumentParser(
        prog="python -m tichu.envs.samples",
        description="Make samples of games: what a seat saw, what it might have done, what it did, and how it ended.",
        epilog="What is wrong - a file, a game, a round - is left out and reported, and the exit status is 1.",
    )
    parser.add_argument("target", metavar="OUT.npz", type=Path)
    parser.add_argument("files", metavar="FILE", nargs="+", type=Path, help=".ttn, .jsonl or .tch, packed or a folder")
    arguments = parser.parse_args()
    left_out: list[str] = []
    try:
        written = save_samples(arguments.target, arguments.files, lambda text: _left_out(text, left_out))
    except GameError as error:
        sys.exit(f"Error: {error}")
    except OSError as error:
        sys.exit(f"Error: {error.filename or arguments.target}: {error.strerror}")
    except KeyboardInterrupt:
        sys.exit(130)
    sys.stdout.write(f"{written} samples of encoding {VERSION}\n")
    if left_out:
        sys.exit(1)


def _left_out(text: str, told: list[str]) -> None:
    told.append(text)
    sys.stderr.write(f"left out: {text}\n")


if __name__ == "__main__":
    _main()
