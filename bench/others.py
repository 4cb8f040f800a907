"""Steps a second beside RLCard's doudizhu and OpenSpiel's dou_dizhu, in one run: ``python -m bench.others``.

The nearest relative of Tichu that others have is Dou Dizhu.  Like is compared with like, all of it random play on one
core: the form in which each plays most, and one game stepped from Python with an observation and a mask for every
decision, written and drawn from in the quickest way that each allows.  OpenSpiel plays most without both.  What is not
installed is said and left out: ``pip install rlcard open-spiel``.  Every figure is the median of several runs, taken in
turns, with its spread.
"""

import importlib.util
import random
import statistics
import sys
import time
from collections.abc import Callable
from typing import Any, Final, Literal

import click
import numpy as np

Mask = np.ndarray[tuple[int], np.dtype[np.int8]]

_SECONDS: Final = 1.0


def tichu_many(seconds: float) -> float:
    """1,024 games at once, all seats, observations and masks written for every decision."""
    from tichu.envs import SelfPlay

    games = SelfPlay(1024, forced=False)

    def step() -> int:
        games.step(games.sample())
        return len(games)

    return _rate(seconds, step)


def tichu_one(seconds: float) -> float:
    """One game, all seats: observation, unpacked mask, an action drawn from it in Python."""
    from tichu.envs import SelfPlay, unpack_masks

    games = SelfPlay(1, forced=False)
    actions = np.zeros(1, np.int64)

    def step() -> int:
        mask = unpack_masks(games.masks[0])
        actions[0] = random.choice(np.flatnonzero(mask))
        games.step(actions)
        return 1

    return _rate(seconds, step)


def tichu_openspiel(seconds: float) -> float:
    """The adapter to OpenSpiel, in Python: no bar is set for it."""
    import pyspiel

    import tichu.envs.openspiel  # noqa: F401  # The game is known afterwards.

    return _pyspiel(pyspiel.load_game("tichu"), seconds, "text")


def rlcard_one(seconds: float) -> float:
    """RLCard's doudizhu: observation and legal actions of every state."""
    import rlcard

    env = rlcard.make("doudizhu", config={"seed": 1})
    state, _ = env.reset()

    def step() -> int:
        nonlocal state
        legal = list(state["legal_actions"])
        _mask(env.num_actions, legal)
        state, _ = env.step(random.choice(legal))
        if env.is_over():
            state, _ = env.reset()
        return 1

    return _rate(seconds, step)


def openspiel_one(seconds: float) -> float:
    """OpenSpiel's dou_dizhu in C++, stepped from Python: observation tensor and mask."""
    import pyspiel

    return _pyspiel(pyspiel.load_game("dou_dizhu"), seconds, "tensor")


def openspiel_bare(seconds: float) -> float:
    """The same without observation and mask: as fast as it gets from Python."""
    import pyspiel

    return _pyspiel(pyspiel.load_game("dou_dizhu"), seconds, "nothing")


def _pyspiel(game: Any, seconds: float, observed: Literal["tensor", "text", "nothing"]) -> float:
    state = game.new_initial_state()
    actions = game.num_distinct_actions()

    def step() -> int:
        nonlocal state
        while state.is_chance_node():
            outcomes = state.chance_outcomes()
            state.apply_action(random.choices([one for one, _ in outcomes], [chance for _, chance in outcomes])[0])
        if observed == "tensor":
            state.observation_tensor(state.current_player())
        elif observed == "text":
            state.observation_string(state.current_player())
        legal = state.legal_actions()
        if observed != "nothing":
            # Its own legal_actions_mask() is a list of 26,057 numbers, and many times slower.
            _mask(actions, legal)
        state.apply_action(random.choice(legal))
        if state.is_terminal():
            state = game.new_initial_state()
        return 1

    return _rate(seconds, step)


def _mask(actions: int, legal: list[int]) -> Mask:
    mask = np.zeros(actions, np.int8)
    mask[legal] = 1
    return mask


def _rate(seconds: float, step: Callable[[], int]) -> float:
    """Steps a second, the beginning left out."""
    step()
    steps, start = 0, time.perf_counter()
    while (now := time.perf_counter()) - start < seconds:
        steps += step()
    return steps / (now - start)


#: What is measured, and the package that it needs.
MEASURED: Final[dict[str, tuple[Callable[[float], float], str | None]]] = {
    "many games: tichu, 1,024 in C++": (tichu_many, "tichu_native"),
    "many games: RLCard doudizhu, its only form": (rlcard_one, "rlcard"),
    "many games: OpenSpiel dou_dizhu, one after the other, without observation and mask": (openspiel_bare, "pyspiel"),
    "one game from Python: tichu": (tichu_one, "tichu_native"),
    "one game from Python: RLCard doudizhu": (rlcard_one, "rlcard"),
    "one game from Python: OpenSpiel dou_dizhu": (openspiel_one, "pyspiel"),
    "one game from Python: tichu in OpenSpiel (no bar)": (tichu_openspiel, "pyspiel"),
}


@click.command()
@click.option("--seconds", type=click.FloatRange(0.01), default=_SECONDS, show_default=True, help="Of a run.")
@click.option("--runs", type=click.IntRange(1), default=5, show_default=True)
def main(seconds: float, runs: int) -> None:
    """Measure in turns."""
    rates: dict[str, list[float]] = {}
    for _ in range(runs):
        for name, (measure, package) in MEASURED.items():
            if package is None or importlib.util.find_spec(package):
                rates.setdefault(name, []).append(measure(seconds))
    for name, (_, package) in MEASURED.items():
        found = rates.get(name)
        if found is None:
            sys.stdout.write(f"{name}: {package} is not installed\n")
        else:
            sys.stdout.write(f"{name}: {statistics.median(found):,.0f} ({min(found):,.0f} to {max(found):,.0f})\n")


if __name__ == "__main__":
    main()
