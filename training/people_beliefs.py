"""Learn how far to trust a belief about people, who do not play like the bot it was learned from.

    python -m training.people_beliefs beliefs.npz tests/games/[0-3]*.ttn

Games of people are few: a last layer of their own, learned from 40 games, was better in these and worse in others.  So
one number is learned, by which all weights of the network, told that the others are careless, are multiplied: the one
under which the true hands of the games are most likely.  It is written into the same file.
"""

import argparse
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final, NamedTuple

import numpy as np

from tichu.analysis.beliefs import Belief, read_belief
from tichu.analysis.decisions import decisions_of
from tichu.analysis.precision import Budget
from tichu.analysis.reviews import tasks_of
from tichu.analysis.worlds import Worlds
from tichu.core.cards import Cards
from tichu.core.errors import GameError
from tichu.core.phases import Phase
from tichu.core.record import replay
from tichu.formats.reading import read_game
from training.command_line import TrainingError, entry_point, positive_int, print_line

__all__ = ["Example", "examples_of", "losses", "main"]

_SCALES: Final = tuple(round(0.05 * step, 2) for step in range(8, 21))


class Example(NamedTuple):
    """What a seat could think possible, and what the hands were."""

    worlds: Worlds
    hands: tuple[Cards, ...]


def examples_of(paths: Sequence[Path], every: int) -> Iterator[Example]:
    """Some of the decisions of games, after the Grand calls."""
    number = 0
    for path in paths:
        for task in tasks_of(path.name, read_game(path), Budget(), 0):
            try:
                states = list(replay(task.record, task.rules))
                decisions = list(decisions_of(task.record, task.rules, task.score))
            except GameError as error:
                print_line(f"{path.name}: a round left out: {error}")
                continue
            for decision in decisions:
                number += decision.view.phase is not Phase.GRAND
                if decision.view.phase is not Phase.GRAND and number % every == 0:
                    yield Example(Worlds(decision.view, decision.eight), states[decision.number].hands)


def losses(known: Belief, example: Example, scales: Sequence[float]) -> list[float]:
    """The log-loss of a decision by each of the scales."""
    return [-example.worlds.believing(known._replace(scale=scale)).log_probability(example.hands) for scale in scales]


@entry_point
def main(arguments: list[str] | None = None) -> None:
    """Choose the scale, and write it into the file."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("beliefs", type=Path, metavar="BELIEFS.npz", help="what training.beliefs has written")
    parser.add_argument("games", type=Path, nargs="+", help="games of people, in any format")
    parser.add_argument("--every", type=positive_int, default=16, help="take one of so many decisions")
    options = parser.parse_args(arguments)
    known = read_belief(options.beliefs)._replace(is_careless=True)
    found = np.array([losses(known, example, _SCALES) for example in examples_of(options.games, options.every)])
    if not len(found):
        raise TrainingError("there is nothing to learn from in these games")
    print_line(f"{len(found):,} decisions in {len(options.games)} games")
    means = found.mean(0)
    for scale, mean in zip(_SCALES, means, strict=True):
        print_line(f"times {scale:.2f}: log-loss a decision {mean:.4f}")
    with np.load(options.beliefs, allow_pickle=False) as file:
        arrays = {name: file[name] for name in file.files if not name.startswith("people_")}
    best = _SCALES[int(means.argmin())]
    np.savez_compressed(options.beliefs, **arrays, people_scale=np.array(best))
    print_line(f"{options.beliefs}: what is believed of people is multiplied by {best:.2f}")


if __name__ == "__main__":
    main()
