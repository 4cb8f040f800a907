"""Look at puzzles again in worlds that are weighed by what the others did.

    python -m tools.recheck_puzzles FOUND.jsonl OUT.jsonl [--others learned] [--worlds N] [--workers N] [--seconds S]

FOUND is what ``tools/find_puzzles.py`` writes, or the file of the package.  OUT gets a line a puzzle: what the answer
is worth more than the best of the other candidates, with its standard error.  ``tools/find_puzzles.py FOUND --select
... --rechecked OUT`` leaves out what was good only as long as all worlds were equally likely.
"""

import time
from contextlib import closing
from itertools import takewhile
from math import hypot, inf
from pathlib import Path
from typing import Final, NamedTuple

import click
import msgspec

from tichu.analysis.beliefs import belief_about
from tichu.analysis.decisions import Decision
from tichu.analysis.precision import CUT_ERROR, Others, estimate
from tichu.analysis.puzzles import THEMES, Puzzle, position_of
from tichu.analysis.rollouts import play_on
from tichu.analysis.values import starts_in
from tichu.analysis.worlds import Worlds
from tichu.core.actions import parse_action
from tichu.core.phases import Phase
from tichu.parallel import open_pool
from tools.find_puzzles import read_found

#: After so many decisions the critic says what to expect.
_CUT: Final = 24


class Rechecked(msgspec.Struct):
    """A line of the file."""

    id: str
    worlds: int
    #: Of the candidate that comes nearest to the answer.
    lost: float
    lost_error: float


class _Task(NamedTuple):
    puzzle: Puzzle
    others: Others
    worlds: int
    deadline: float


def recheck(task: _Task) -> Rechecked | None:
    """Play the candidates on in other worlds; None if there is no time."""
    if time.time() > task.deadline:
        return None
    puzzle = task.puzzle
    view, eight, _, _ = position_of(puzzle)
    actions = [parse_action(each.action)[1] for each in puzzle.candidates]
    decision = Decision(len(puzzle.actions.split()), view, eight, actions[0])
    possible = Worlds(view, eight, belief_about(task.others))
    starts = starts_in(decision, possible, possible.sample(task.worlds, 1), actions)
    ends = play_on(starts, decisions=None if view.phase is Phase.GRAND else _CUT)
    points = (1 if view.seat % 2 == 0 else -1) * ends.points.reshape(-1, len(actions))
    cut = CUT_ERROR * (1 - float(ends.is_over.mean()))
    known = [estimate(points[:, 0] - points[:, place]) for place in range(1, len(actions))]
    mean, error = min(known, key=lambda each: each.mean)
    return Rechecked(puzzle.id, task.worlds, round(mean, 1), round(hypot(error, cut), 1))


@click.command()
@click.argument("found", type=click.Path(path_type=Path, dir_okay=False, exists=True))
@click.argument("out", type=click.Path(path_type=Path, dir_okay=False))
@click.option("--others", type=click.Choice(["learned", "people", "unknown"]), default="learned", show_default=True)
@click.option("--worlds", type=click.IntRange(48), default=400, show_default=True)
@click.option("--theme", "themes", type=click.Choice(THEMES), multiple=True, help="Only these; several times.")
@click.option("--workers", type=click.IntRange(1), help="Processes; as many as the machine has processors.")
@click.option("--seconds", type=click.FloatRange(0), help="Begin nothing after so long.")
def main(
    found: Path,
    out: Path,
    others: Others,
    worlds: int,
    themes: tuple[str, ...],
    workers: int | None,
    seconds: float | None,
) -> None:
    """Look again."""
    deadline = inf if seconds is None else time.time() + seconds
    tasks = [
        _Task(puzzle, others, worlds, deadline)
        for each in read_found(found)
        for puzzle in each.puzzles
        if not puzzle.proved and (not themes or puzzle.theme in themes)
    ]
    with closing(open_pool(workers)) as pool, out.open("ab") as file:
        for each in pool.map(recheck, takewhile(lambda task: time.time() < task.deadline, tasks)):
            if each is not None:
                file.write(msgspec.json.encode(each) + b"\n")
                file.flush()


if __name__ == "__main__":
    main()
