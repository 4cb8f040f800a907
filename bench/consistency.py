"""Do sheets say who plays well?  ``python -m bench.consistency [ROUNDS] [--bot NAME ...]``.

Rounds of four bots of a kind, all from the same deals, and real rounds from ``tests/games`` are reviewed with a small
budget; told are the points lost a round by all four.  The order of the bots should be that of the arena.
"""

from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from random import Random

import click

from tichu.agents.registry import make_agent
from tichu.analysis.precision import Budget
from tichu.analysis.reviews import RoundTask, per_round, review_round, tasks_of
from tichu.core.deals import shuffled_deal
from tichu.core.game import Game
from tichu.core.record import RoundRecord
from tichu.core.rules import Rules
from tichu.formats.reading import read_game

_GAMES = Path(__file__).parent.parent / "tests" / "games"
#: The strongest first.
_BOTS = ("searching", "learned", "small", "human", "hard", "heuristic", "medium", "greedy", "easy", "random")
#: Of how the other bots play nothing is known.
_KNOWN = ("searching", "learned", "small")
#: Single decisions need not be known well: their mean is asked for.
_BUDGET = Budget(pilot=8, fewest=16, most=16)


def bot_rounds(bot: str, first: int = 0) -> Iterator[RoundTask]:
    """Rounds of four bots of a kind, from a number on."""
    rules = Rules.parse("standard").sequential()
    number = first
    budget = _BUDGET._replace(others="learned" if bot in _KNOWN else "unknown")
    while True:
        game = Game.start(shuffled_deal(Random(number)), rules)
        agents = [make_agent(bot, 4 * number + seat) for seat in range(4)]
        while not game.round.is_over:
            seat = game.round.pending[0]
            view = game.view(seat)
            game = game.after(seat, agents[seat].act(view, view.legal()))
        record = RoundRecord(game.deal, game.actions, game.round.outcome.score)
        yield RoundTask(bot, number, record, rules, (0, 0), budget, 1)
        number += 1


def people_rounds() -> Iterator[RoundTask]:
    """Real rounds, one game after another."""
    budget = _BUDGET._replace(others="people")
    tasks = [tasks_of(path.name, read_game(path), budget, 1) for path in sorted(_GAMES.glob("*.ttn"))]
    while tasks:
        # One round of each game, then the next of each.
        for game in list(tasks):
            task = next(game, None)
            if task is None:
                tasks.remove(game)
            else:
                yield task


@click.command()
@click.argument("number", metavar="ROUNDS", type=click.IntRange(1), default=40)
@click.option("--bot", "names", multiple=True, default=("people", *_BOTS), help="Or the word people; several times.")
def main(number: int, names: tuple[str, ...]) -> None:
    """Review and compare."""
    for name in names:
        rounds = people_rounds() if name == "people" else bot_rounds(name)
        lost = [sum(each.lost for each in review_round(task).decisions) for task in islice(rounds, number)]
        mean = per_round([[points] for points in lost])
        print(f"{name}: {mean.lost_per_round:+.1f} ± {mean.lost_per_round_error} points lost a round", flush=True)  # noqa: T201


if __name__ == "__main__":
    main()
