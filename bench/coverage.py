"""Do intervals hold what they promise?  ``python -m bench.coverage [--positions 1000] [--keep FILE]``.

Late decisions of the real games in ``tests/games``, and if these are too few of rounds of bots, with 50 to 400 possible
worlds, each with one history of gifts: the bot's two favourite actions are played on in *all* of them, so the mean
difference is known exactly.  Then worlds are drawn with replacement, a fixed number and as many as the adaptive budget
takes, and the share of intervals that contain the exact mean is told.  So is the share of games with a called mistake
if both actions are worth exactly the same: the mean is taken off, which leaves everything else as skewed as it is.
``--keep`` names a file of finished positions from which an interrupted run goes on.
"""

import argparse
import json
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from random import Random
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from bench.consistency import bot_rounds
from tichu.agents.learned.agent import LearnedAgent
from tichu.analysis.decisions import Decision, decisions_of, sequential_view
from tichu.analysis.precision import STAGES, Budget, chance_of, estimate, interval
from tichu.analysis.reviews import FALSE_DISCOVERIES
from tichu.analysis.rollouts import play_on
from tichu.analysis.values import starts_in
from tichu.analysis.worlds import Worlds
from tichu.core.actions import Action
from tichu.core.phases import Phase
from tichu.core.record import RoundRecord
from tichu.formats.reading import read_game

_GAMES = Path(__file__).parent.parent / "tests" / "games"
_FEWEST, _MOST = 50, 400
#: Quick, and not always sure of itself.
_BOT = "medium"
#: Of a round, so that positions are not all alike.
_A_ROUND = 12
_FIXED = 64
#: Samples of each position.
_SAMPLES = 20
#: That differ from the bot's: in a few decisions, in a round, and in a game.
_DECISIONS = (5, 17, 150)

Floats = NDArray[np.float64]


class Coverage(NamedTuple):
    """The share of intervals with the exact mean in them."""

    positions: int
    share: float
    error: float
    worlds: float


def positions() -> Iterator[tuple[str, Decision, Worlds]]:
    """Late decisions with neither too few nor too many possible worlds."""
    for path in sorted(_GAMES.glob("*.ttn")):
        reading = read_game(path)
        for number, one in enumerate(reading.rounds):
            if isinstance(one, RoundRecord):
                yield from _positions_of(f"{path.name} {number}", list(decisions_of(one, reading.rules)))
    for task in bot_rounds(_BOT):
        yield from _positions_of(f"{_BOT} {task.round}", list(decisions_of(task.record, task.rules)))


def _positions_of(name: str, decisions: list[Decision]) -> Iterator[tuple[str, Decision, Worlds]]:
    found = 0
    Random(name).shuffle(decisions)
    for decision in decisions:
        if found == _A_ROUND or decision.view.phase in (Phase.GRAND, Phase.EXCHANGE):
            continue
        worlds = Worlds(decision.view, decision.eight)
        if _FEWEST <= worlds.placements <= 4 * _MOST and _FEWEST <= len(worlds.hands) <= _MOST:
            found += 1
            yield f"{name} {decision.number}", decision, worlds


def exact_differences(decision: Decision, worlds: Worlds, bot: LearnedAgent) -> list[int] | None:
    """The second of the bot's favourites less the first, in every world; None where there is only one."""
    [ranked] = bot.rank_batch([sequential_view(decision.view)])
    if len(ranked) < 2:
        return None
    candidates: list[Action] = [ranked[0][0], ranked[1][0]]
    histories = [worlds.complete(hands, Random(place)) for place, hands in enumerate(worlds.hands)]
    points = play_on(starts_in(decision, worlds, histories, candidates)).points.reshape(-1, 2)
    return [int(each) for each in points[:, 1] - points[:, 0]]


def coverage(populations: Sequence[Floats], budget: Budget | None, samples: int = _SAMPLES) -> Coverage:
    """How often the exact mean lies in the 95 % interval; without a budget at a fixed number of worlds."""
    draw = np.random.default_rng(7)
    shares, numbers = [], []
    for population in populations:
        hits = 0
        for _ in range(samples):
            sample = _sample(population, budget, draw)
            low, high = interval(estimate(sample), len(sample))
            hits += low <= population.mean() <= high
            numbers.append(len(sample))
        shares.append(hits / samples)
    return Coverage(
        len(populations), float(np.mean(shares)), float(np.std(shares) / np.sqrt(len(shares))), float(np.mean(numbers))
    )


def _sample(population: Floats, budget: Budget | None, draw: np.random.Generator) -> Floats:
    """Differences in worlds drawn with replacement."""
    if budget is None:
        return draw.choice(population, _FIXED)
    sample = draw.choice(population, budget.first(draw.choice(population, budget.pilot)))
    for _ in range(STAGES):
        number = budget.more(sample)
        sample = np.concatenate([sample, draw.choice(population, number)])
    return sample


def false_alarms(populations: Sequence[Floats], decisions: int, games: int = 5000) -> float:
    """The share of games with a called mistake where played and challenger are worth the same."""
    draw = np.random.default_rng(8)
    budget = Budget()
    alarms = 0
    for _ in range(games):
        chances = []
        for place in draw.integers(len(populations), size=decisions):
            sample = _sample(populations[place] - populations[place].mean(), budget, draw)
            chances.append(chance_of(estimate(sample), len(sample)))
        # Whether the procedure of Benjamini and Hochberg calls anything.
        limits = FALSE_DISCOVERIES * np.arange(1, decisions + 1) / decisions
        alarms += bool((np.sort(chances) <= limits).any())
    return alarms / games


def main() -> None:
    """Play and count."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--positions", type=int, default=1000)
    parser.add_argument("--keep", type=Path)
    options = parser.parse_args()
    found = _populations(options.positions, options.keep)
    spread = [population for population in found if population.std() > 0]
    flat = len(found) - len(spread)
    print(f"{len(found)} positions, {flat} of them with the same difference in all worlds")  # noqa: T201
    for name, budget in ((f"{_FIXED} worlds", None), ("adaptive", Budget())):
        for which, populations in (("all", found), ("with spread", spread)):
            result = coverage(populations, budget)
            print(  # noqa: T201
                f"{name}, {which}: {100 * result.share:.1f} ± {100 * result.error:.1f} % of 95 % intervals hold"
                f" the exact mean ({result.worlds:.0f} worlds on average)"
            )
    for number in _DECISIONS:
        share = 100 * false_alarms(spread, number)
        print(f"games of {number} equal pairs of candidates with a called mistake: {share:.1f} %")  # noqa: T201


def _populations(wanted: int, keep: Path | None) -> list[Floats]:
    done: dict[str, list[int]] = {}
    if keep is not None and keep.exists():
        for line in keep.read_text().splitlines():
            done.update(json.loads(line))
    found: list[Floats] = []
    bot = LearnedAgent()
    for name, decision, worlds in positions():
        if len(found) == wanted:
            break
        if name not in done:
            done[name] = exact_differences(decision, worlds, bot) or []
            if keep is not None:
                with keep.open("a") as file:
                    file.write(json.dumps({name: done[name]}) + "\n")
        if done[name]:
            found.append(np.array(done[name], float))
            if sys.stderr.isatty() or len(found) % 100 == 0:
                print(f"{len(found)} of {wanted} positions", file=sys.stderr)  # noqa: T201
    return found


if __name__ == "__main__":
    main()
