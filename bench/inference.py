"""What a decision of a network costs, and how often the native core decides as numpy does.

    python -m bench.inference [DECISIONS]

The networks are the champion and the small one; the decisions are those of rounds that each plays against itself.  Both
ways are measured in turns in one run, by the CPU seconds of this process, on one core; a figure is the median of
several passes over the same decisions.  Last comes what a step costs in an environment with such bots.
"""

import tichu.agents.learned  # noqa: F401  # isort: skip  # Before numpy, which it loads with one thread.

import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from random import Random
from statistics import median

import click
import numpy as np
from numpy.typing import NDArray

from tichu.agents.learned.agent import LearnedAgent, _best
from tichu.agents.learned.network import Network, champion, small
from tichu.arena import play_round
from tichu.core.deals import shuffled_deal
from tichu.core.rules import Rules
from tichu.encoding import ACTION_COUNT, pack_mask
from tichu.envs.seat_vector import SeatVectorEnv

_RULES = Rules.parse("standard bombs=ordered")
_BATCHES = (1, 16, 256)
_PASSES = 5
#: Decisions of a pass, at least: as many as take a fraction of a second.
_TIMED = 1024

Rows = NDArray[np.uint8]


@dataclass(frozen=True, eq=False)
class _Recorder(Network):
    """Notes what it is asked."""

    def scores(self, observation: Rows, numbers: NDArray[np.int64]):  # type: ignore[no-untyped-def]
        _ASKED.append((observation, numbers))
        return super().scores(observation, numbers)


_ASKED: list[tuple[Rows, NDArray[np.int64]]] = []


def _decisions(network: Network, count: int) -> tuple[Rows, list[NDArray[np.int64]]]:
    _ASKED.clear()
    recorder = _Recorder(network.entry, network.blocks, network.head, network.value)
    rng = Random(2090)
    while len(_ASKED) < count:
        play_round([LearnedAgent(network=recorder) for _ in range(4)], shuffled_deal(rng), _RULES)
    asked = _ASKED[:count]
    return np.stack([row for row, _ in asked]), [numbers for _, numbers in asked]


def _masks(numbers: list[NDArray[np.int64]]) -> Rows:
    masks = np.zeros((len(numbers), ACTION_COUNT), np.int8)
    for mask, legal in zip(masks, numbers, strict=True):
        mask[legal] = 1
    return pack_mask(masks)


def _slices(count: int, batch: int) -> Iterator[slice]:
    return (slice(start, start + batch) for start in range(0, count - batch + 1, batch))


def _seconds(work: Callable[[], object]) -> float:
    begin = time.process_time()
    work()
    return time.process_time() - begin


def _agreement(network: Network, rows: Rows, numbers: list[NDArray[np.int64]]) -> int:
    assert network.native is not None
    chosen = np.empty(len(rows), np.int64)
    network.native.choose(rows, _masks(numbers), chosen)
    reference = network.by_numpy().scores_together(rows, numbers)
    legal = [each.tolist() for each in numbers]
    return sum(
        _best(scores, each) == number for (scores, _), each, number in zip(reference, legal, chosen, strict=True)
    )


def _speeds(network: Network, rows: Rows, numbers: list[NDArray[np.int64]], batch: int) -> dict[str, float]:
    """Decisions a second, by the way they are computed."""
    count = min(len(rows), _TIMED) // batch * batch
    native, masks = network.native, _masks(numbers[:count])
    assert native is not None
    into = np.empty(count, np.int64)

    def ask(one: Network) -> None:
        for each in _slices(count, batch):
            for _ in one.scores_together(rows[each], numbers[each]) if batch > 1 else ():
                pass
            if batch == 1:
                one.scores(rows[each][0], numbers[each][0])

    def choose() -> None:
        for each in _slices(count, batch):
            native.choose(rows[each], masks[each], into[each])

    reference = network.by_numpy()
    ways = {"numpy": lambda: ask(reference), "native": lambda: ask(network), "chosen natively": choose}
    spent: dict[str, list[float]] = {name: [] for name in ways}
    for _ in range(_PASSES):
        for name, way in ways.items():
            spent[name].append(_seconds(way))
    return {name: count / median(each) for name, each in spent.items()}


def _steps(bot: str) -> float:
    """Steps a second of one seat in many games against three of a bot."""
    games, calls = 256, 20
    tables = SeatVectorEnv(games, bot, bot, _RULES)
    tables.reset(seed=1)
    # All games begin with the same decisions; after some steps they are where they happen to be.
    for _ in range(2 * calls):
        tables.step(tables.sample())

    def play() -> None:
        for _ in range(calls):
            tables.step(tables.sample())

    return games * calls / median(_seconds(play) for _ in range(_PASSES))


@click.command()
@click.argument("decisions", metavar="DECISIONS", type=click.IntRange(1000), default=10_000)
def main(decisions: int) -> None:
    """Measure both networks."""
    speeds: dict[tuple[str, int, str], float] = {}
    for name, network in (("champion", champion()), ("small", small())):
        if network.native is None:
            raise click.ClickException("there is no native core to compare with")
        rows, numbers = _decisions(network, decisions)
        same = _agreement(network, rows, numbers)
        print(f"{name}: the same action in {same:,} of {decisions:,} decisions, {same / decisions:.3%}")  # noqa: T201
        for batch in _BATCHES:
            for way, speed in _speeds(network, rows, numbers, batch).items():
                speeds[name, batch, way] = speed
    print(f"{'decisions a second':16} {'batch':>6} {'numpy':>9} {'native':>9} {'chosen natively':>16}")  # noqa: T201
    for name in ("champion", "small"):
        for batch in _BATCHES:
            one, two, three = (speeds[name, batch, way] for way in ("numpy", "native", "chosen natively"))
            print(f"{name:18} {batch:6} {one:9,.0f} {two:9,.0f} {three:16,.0f}   {two / one:.1f} times numpy")  # noqa: T201
    for batch in _BATCHES:
        ratio = speeds["small", batch, "chosen natively"] / speeds["champion", batch, "chosen natively"]
        print(f"small over champion, batch {batch}: {ratio:.1f} times")  # noqa: T201
    for bot in ("greedy", "small", "learned"):
        print(f"steps a second against three {bot}: {_steps(bot):,.0f}")  # noqa: T201


if __name__ == "__main__":
    main()
