"""Do sheets say who plays well?  ``python -m bench.consistency [ROUNDS] [--bot NAME ...] [--policy small]``.

Rounds of four bots of a kind, all from the same deals, and real rounds from ``tests/games`` are reviewed with a small
budget; told are the points lost a round by all four, the strongest of the arena first.  Their order should be the same:
every pair of bots in the other order is told, with the difference and its error.  ``--keep`` names a file of finished
rounds from which an interrupted run goes on.
"""

import json
from collections.abc import Iterator
from itertools import combinations, islice
from pathlib import Path
from random import Random

import click

from tichu.agents.registry import make_agent
from tichu.analysis.precision import Budget, Policy
from tichu.analysis.reviews import RoundTask, per_round, review_round, tasks_of
from tichu.core.deals import shuffled_deal
from tichu.core.game import Game
from tichu.core.record import RoundRecord
from tichu.core.rules import Rules
from tichu.formats.reading import read_game
from tichu.ratings import ANCHORS

_GAMES = Path(__file__).parent.parent / "tests" / "games"
#: The strongest first; ``best`` is ``learned``.
_BOTS = tuple(
    anchor.name for anchor in sorted(ANCHORS.values(), key=lambda each: -each.rating.mu) if anchor.name != "best"
)
#: Of how the other bots play nothing is known.
_KNOWN = ("searching", "learned", "small")
#: Single decisions need not be known well: their mean is asked for.
_BUDGET = Budget(pilot=8, fewest=16, most=16)


def bot_rounds(bot: str, first: int = 0, policy: Policy = "learned") -> Iterator[RoundTask]:
    """Rounds of four bots of a kind, from a number on."""
    rules = Rules.parse("standard").sequential()
    number = first
    budget = _BUDGET._replace(others="learned" if bot in _KNOWN else "unknown", policy=policy)
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


def people_rounds(policy: Policy = "learned") -> Iterator[RoundTask]:
    """Real rounds, one of each game after another."""
    budget = _BUDGET._replace(others="people", policy=policy)
    tasks = [tasks_of(path.name, read_game(path), budget, 1) for path in sorted(_GAMES.glob("*.ttn"))]
    while tasks:
        # One round of each game, then the next of each.
        for game in list(tasks):
            task = next(game, None)
            if task is None:
                tasks.remove(game)
            else:
                yield task


def lost_in(task: RoundTask) -> float:
    """The points that all four have lost in a round."""
    return sum(each.lost for each in review_round(task).decisions)


def reversed_pairs(lost: dict[str, list[float]]) -> Iterator[str]:
    """Pairs of bots of which the weaker one, by the arena, loses less; bots play the same deals."""
    names = [name for name in _BOTS if name in lost]
    for better, worse in combinations(names, 2):
        differences = [[two - one] for one, two in zip(lost[better], lost[worse], strict=True)]
        known = per_round(differences)
        if known.lost_per_round < 0:
            yield f"{worse} loses {known.lost_per_round:+.1f} ± {known.lost_per_round_error} more than {better}"


@click.command()
@click.argument("number", metavar="ROUNDS", type=click.IntRange(2), default=40)
@click.option("--bot", "names", multiple=True, default=("people", *_BOTS), help="Or the word people; several times.")
@click.option("--policy", type=click.Choice(("learned", "small")), default="learned", help="Who plays rounds on.")
@click.option("--keep", type=click.Path(path_type=Path, dir_okay=False), help="Finished rounds, to go on from.")
def main(number: int, names: tuple[str, ...], policy: Policy, keep: Path | None) -> None:
    """Review and compare."""
    lost: dict[str, list[float]] = {name: [] for name in names}
    if keep is not None and keep.exists():
        for line in keep.read_text().splitlines():
            name, points = json.loads(line)
            lost.setdefault(name, []).append(points)
    for name in names:
        done = lost[name][:number]
        rounds = people_rounds(policy) if name == "people" else bot_rounds(name, len(done), policy)
        if name == "people":
            rounds = islice(rounds, len(done), None)
        for task in islice(rounds, number - len(done)):
            done.append(lost_in(task))
            if keep is not None:
                with keep.open("a") as file:
                    file.write(json.dumps([name, done[-1]]) + "\n")
        lost[name] = done
        mean = per_round([[points] for points in done])
        print(f"{name}: {mean.lost_per_round:+.1f} ± {mean.lost_per_round_error} points lost a round", flush=True)  # noqa: T201
    for line in reversed_pairs(lost):
        print(f"not as in the arena: {line}")  # noqa: T201


if __name__ == "__main__":
    main()
