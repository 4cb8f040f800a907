"""Steps a second beside RLCard's doudizhu and OpenSpiel's dou_dizhu, in one run: ``python -m bench.others``.

The nearest relative of Tichu that others have is Dou Dizhu.  Like is compared with like, all of it random play on one
core, and every decision of every seat is a step: many games by what each offers for that, and one game stepped from
Python with an observation and a mask for every decision, written and drawn from in the quickest way that each allows.
What is not installed is said and left out: ``pip install rlcard==1.2.0 open-spiel``.

Everything is made and warmed up first.  Then all are measured in turns, so that what else the machine does meets all
alike; seconds are those of the processor, and every figure is the median of the turns with its range.  The load of the
machine is told at both ends.
"""

import importlib
import importlib.metadata
import os
import random
import statistics
import sys
import time
from collections.abc import Callable
from typing import Any, Final, Literal, NamedTuple

import click
import numpy as np

Mask = np.ndarray[tuple[int], np.dtype[np.int8]]

#: Plays on and tells how many decisions that were.
Step = Callable[[], int]

_MANY: Final = 1024
#: As many as its examples take; more are no quicker, for it steps them one after the other.
_SYNC: Final = 64
_WARM_UP_S: Final = 0.3
#: As in ``tichu bench vector``.  All are asked, as the others ask who can only pass.
_RULES: Final = "standard bombs=ordered"


def tichu_many() -> Step:
    """1,024 games at once, all seats, observations and masks written for every decision."""
    from tichu.envs import SelfPlay

    games = SelfPlay(_MANY, _RULES)

    def step() -> int:
        games.step(games.sample())
        return len(games)

    return step


def tichu_one() -> Step:
    """One game, all seats: observation, unpacked mask, an action drawn from it in Python."""
    from tichu.envs import SelfPlay, unpack_masks

    games = SelfPlay(1, _RULES)
    actions = np.zeros(1, np.int64)

    def step() -> int:
        legal = unpack_masks(games.masks[0]).nonzero()[0]
        actions[0] = legal[int(random.random() * len(legal))]
        games.step(actions)
        return 1

    return step


def tichu_openspiel() -> Step:
    """The adapter to OpenSpiel, in Python: no bar is set for it."""
    import pyspiel

    import tichu.envs.openspiel  # noqa: F401  # The game is known afterwards.

    return _pyspiel(pyspiel.load_game("tichu", {"rules": _RULES}), "text")


def rlcard_one() -> Step:
    """RLCard's doudizhu: observation and legal actions of every state."""
    rlcard: Any = importlib.import_module("rlcard")
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

    return step


def openspiel_many() -> Step:
    """OpenSpiel's own form of many games, in Python: time steps with observations and legal actions of all seats."""
    environment: Any = importlib.import_module("open_spiel.python.rl_environment")
    vector: Any = importlib.import_module("open_spiel.python.vector_env")
    output: Any = importlib.import_module("open_spiel.python.rl_agent").StepOutput
    games = vector.SyncVectorEnv([environment.Environment("dou_dizhu") for _ in range(_SYNC)])
    states = games.reset()

    def step() -> int:
        nonlocal states
        actions = [random.choice(one.observations["legal_actions"][one.current_player()]) for one in states]
        states, *_ = games.step([output(action, None) for action in actions], reset_if_done=True)
        return _SYNC

    return step


def openspiel_one() -> Step:
    """OpenSpiel's dou_dizhu in C++, stepped from Python: observation tensor and mask."""
    import pyspiel

    return _pyspiel(pyspiel.load_game("dou_dizhu"), "tensor")


def openspiel_bare() -> Step:
    """The same without observation and mask: as fast as it gets from Python."""
    import pyspiel

    return _pyspiel(pyspiel.load_game("dou_dizhu"), "nothing")


def _pyspiel(game: Any, observed: Literal["tensor", "text", "nothing"]) -> Step:
    state = game.new_initial_state()
    actions = game.num_distinct_actions()
    _check_uniform(game)

    def step() -> int:
        nonlocal state
        while state.is_chance_node():
            state.apply_action(random.choice(state.legal_actions()))
        if observed == "tensor":
            state.observation_tensor(state.current_player())
        elif observed == "text":
            state.observation_string(state.current_player())
        legal = state.legal_actions()
        if observed != "nothing":
            # Its own legal_actions_mask() is a list of 26,057 numbers, and takes a hundred times as long.
            _mask(actions, legal)
        state.apply_action(random.choice(legal))
        if state.is_terminal():
            state = game.new_initial_state()
        return 1

    return step


def _check_uniform(game: Any) -> None:
    """Whoever draws from a deal's legal actions must know that they are equally likely."""
    state = game.new_initial_state()
    while state.is_chance_node():
        outcomes = state.chance_outcomes()
        if len({chance for _, chance in outcomes}) != 1:
            raise ValueError("the deals of this game are not equally likely")
        state.apply_action(random.choice(outcomes)[0])


def _mask(actions: int, legal: list[int]) -> Mask:
    mask = np.zeros(actions, np.int8)
    mask[legal] = 1
    return mask


def _rate(seconds: float, step: Step) -> float:
    """Steps in a second of the processor."""
    steps, start = 0, time.process_time()
    while (now := time.process_time()) - start < seconds:
        steps += step()
    return steps / (now - start)


class Measured(NamedTuple):
    """What is measured, and the package that it needs."""

    name: str
    make: Callable[[], Step]
    package: str


MEASURED: Final = (
    Measured("many games: tichu, SelfPlay of 1,024", tichu_many, "tichu-native"),
    Measured("many games: RLCard doudizhu, one after the other: it has no other form", rlcard_one, "rlcard"),
    Measured("many games: OpenSpiel dou_dizhu, SyncVectorEnv of 64", openspiel_many, "open-spiel"),
    Measured(
        "many games: OpenSpiel dou_dizhu, one after the other, without observation and mask",
        openspiel_bare,
        "open-spiel",
    ),
    Measured("one game from Python: tichu, SelfPlay of one", tichu_one, "tichu-native"),
    Measured("one game from Python: RLCard doudizhu", rlcard_one, "rlcard"),
    Measured("one game from Python: OpenSpiel dou_dizhu", openspiel_one, "open-spiel"),
    Measured("one game from Python: tichu in OpenSpiel (no bar)", tichu_openspiel, "open-spiel"),
)


def _version(package: str) -> str | None:
    try:
        return importlib.metadata.version(package)
    except importlib.metadata.PackageNotFoundError:
        return None


def measure(seconds: float, turns: int) -> dict[str, list[float]]:
    """The rates of each turn, by name; what is not installed has none."""
    steps = {one.name: one.make() for one in MEASURED if _version(one.package)}
    for step in steps.values():
        _rate(min(_WARM_UP_S, seconds), step)
    rates: dict[str, list[float]] = {name: [] for name in steps}
    for _ in range(turns):
        for name, step in steps.items():
            rates[name].append(_rate(seconds, step))
    return rates


def _load() -> str:
    return ", ".join(f"{load:.1f}" for load in os.getloadavg())


@click.command()
@click.option("--seconds", type=click.FloatRange(0.01), default=1.0, show_default=True, help="Of a turn.")
@click.option("--runs", type=click.IntRange(1), default=7, show_default=True, help="How many turns.")
def main(seconds: float, runs: int) -> None:
    """Measure in turns."""
    packages = dict.fromkeys(one.package for one in MEASURED)
    versions = ", ".join(f"{package} {_version(package) or 'not installed'}" for package in packages)
    sys.stdout.write(f"{versions}; {os.cpu_count()} cores, load before: {_load()}\n")
    rates = measure(seconds, runs)
    for one in MEASURED:
        found = rates.get(one.name)
        told = f"{one.package} is not installed"
        if found:
            told = f"{statistics.median(found):,.0f} ({min(found):,.0f} to {max(found):,.0f})"
        sys.stdout.write(f"{one.name}: {told}\n")
    sys.stdout.write(f"load after: {_load()}\n")


if __name__ == "__main__":
    main()
