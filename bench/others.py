"""Steps a second beside RLCard's doudizhu and OpenSpiel's dou_dizhu, in one run: ``python -m bench.others``.

The nearest relative of Tichu that others have is Dou Dizhu.  Like is compared with like, all of it random play on one
core: the form in which each plays most, and one game stepped from Python with an observation and a mask for every
decision.  What is not installed is said and left out: ``pip install rlcard open-spiel``.  Every figure is the median of
several runs, taken in turns, with its spread.
"""

import importlib.util
import random
import statistics
import sys
import time
from collections.abc import Callable
from typing import Final

import click
import numpy as np

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
    rng = np.random.default_rng(1)

    def step() -> int:
        mask = unpack_masks(games.masks[0])
        actions[0] = rng.choice(np.flatnonzero(mask))
        games.step(actions)
        return 1

    return _rate(seconds, step)


def tichu_openspiel(seconds: float) -> float:
    """The adapter to OpenSpiel, in Python: no bar is set for it."""
    import pyspiel

    import tichu.envs.openspiel  # noqa: F401  # The game is known afterwards.

    return _pyspiel_one(pyspiel.load_game("tichu"), seconds, has_tensor=False)


def rlcard_one(seconds: float) -> float:
    """RLCard's doudizhu: observation and legal actions of every state."""
    import rlcard

    env = rlcard.make("doudizhu", config={"seed": 1})
    state, _ = env.reset()

    def step() -> int:
        nonlocal state
        mask = np.zeros(env.num_actions, np.int8)
        mask[list(state["legal_actions"])] = 1
        state, _ = env.step(random.choice(list(state["legal_actions"])))
        if env.is_over():
            state, _ = env.reset()
        return 1

    return _rate(seconds, step)


def openspiel_one(seconds: float) -> float:
    """OpenSpiel's dou_dizhu in C++, stepped from Python: observation tensor and mask."""
    import pyspiel

    return _pyspiel_one(pyspiel.load_game("dou_dizhu"), seconds, has_tensor=True)


def _pyspiel_one(game: object, seconds: float, *, has_tensor: bool) -> float:
    state = game.new_initial_state()  # type: ignore[attr-defined]

    def step() -> int:
        nonlocal state
        while state.is_chance_node():
            outcomes = state.chance_outcomes()
            state.apply_action(random.choices([one for one, _ in outcomes], [chance for _, chance in outcomes])[0])
        if has_tensor:
            state.observation_tensor(state.current_player())
        else:
            state.observation_string(state.current_player())
        np.array(state.legal_actions_mask(), np.int8)
        state.apply_action(random.choice(state.legal_actions()))
        if state.is_terminal():
            state = game.new_initial_state()  # type: ignore[attr-defined]
        return 1

    return _rate(seconds, step)


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
    "many games: OpenSpiel dou_dizhu, its only form": (openspiel_one, "pyspiel"),
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
