"""The reviewed rounds of a run, in a file of JSON lines from which an interrupted run goes on.

The first line names the settings; each further one is a round.  A last line that was cut short is dropped.
"""

from pathlib import Path
from typing import Final

import msgspec

from tichu import __version__
from tichu.analysis.precision import Budget
from tichu.analysis.reviews import RoundReview, RoundTask
from tichu.analysis.weights import weights_digest
from tichu.core.errors import GameError

__all__ = ["ReviewSheet"]

_FORMAT: Final = "tichu analysis 3"


class _Header(msgspec.Struct, frozen=True):
    format: str
    tichu: str
    weights: str
    budget: str
    seed: int


class ReviewSheet:
    """Rounds that are done.

    :raises GameError: the file is of a run with other settings, or something else
    """

    def __init__(self, path: Path, budget: Budget, seed: int) -> None:
        self._done: dict[tuple[str, int, int], RoundReview] = {}
        header = _Header(_FORMAT, __version__, weights_digest(), _text_of(budget), seed)
        with path.open("a+b") as file:
            file.seek(0)
            content = file.read()
            end = content.rfind(b"\n") + 1
            if not end and not msgspec.json.encode(header).startswith(content):
                # Not even the first line of ours, cut short: somebody else's file.
                raise GameError(f"{path}, line 1: not a file to go on from")
            self._read(path, content[:end].splitlines(), header)
            # What was cut short must not stick to the next line.
            file.truncate(end)
        self._file = path.open("ab")
        if end == 0:
            self._write(header)

    def _read(self, path: Path, lines: list[bytes], header: _Header) -> None:
        for number, line in enumerate(lines, start=1):
            try:
                if number > 1:
                    review = msgspec.json.decode(line, type=RoundReview)
                    self._done[review.file, review.round, review.digest] = review
                    continue
                found = msgspec.json.decode(line, type=_Header)
            except msgspec.DecodeError:
                raise GameError(f"{path}, line {number}: not a file to go on from") from None
            if found != header:
                raise GameError(f"{path}: made with other settings: {_settings(found)}, not {_settings(header)}")

    def find(self, task: RoundTask) -> RoundReview | None:
        """The review of a round, if it is done."""
        return self._done.get((task.file, task.round, task.digest))

    def add(self, review: RoundReview) -> None:
        """Keep a review."""
        self._write(review)

    def _write(self, line: msgspec.Struct) -> None:
        self._file.write(msgspec.json.encode(line) + b"\n")
        self._file.flush()

    def close(self) -> None:
        """Close the file."""
        self._file.close()


def _settings(header: _Header) -> str:
    return f"tichu {header.tichu} with weights {header.weights}, {header.budget} --seed {header.seed}"


def _text_of(budget: Budget) -> str:
    full = " --full" if budget.decisions is None else ""
    policy = "" if budget.policy == "learned" else f" --policy {budget.policy}"
    seconds = "" if budget.seconds is None else f" --seconds {budget.seconds:g}"
    return f"--worlds {budget.most} --error {budget.error:g} --others {budget.others}{policy}{seconds}{full}"
