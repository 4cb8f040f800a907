"""``tichu bench``: how fast the parts are, as the docs report it.

A figure is the median of several runs with their spread: single timings say little.  Environments are measured in
seconds of the processor, which others that work beside them hardly change; the rest by the clock.  Rounds are played
with all decisions, under ``bombs=ordered``, the form in which simulations play; ``python.rounds_per_s`` is under
``bombs=in-turn``, the game that other engines offer.
"""

import importlib
import importlib.util
import json
import statistics
import sys
import time
from collections.abc import Callable
from random import Random
from typing import Any

import click

from tichu.cli.typed import did_you_mean
from tichu.core.actions import CALL_GRAND, CALL_TICHU, DECLINE_GRAND
from tichu.core.deals import shuffled_deal
from tichu.core.phases import Phase
from tichu.core.round import Round
from tichu.core.rules import Rules
from tichu.kernel import HOW_TO_GET_IT

__all__ = ["bench"]

_RUNS = 7
_CALL_CHANCE = 0.05
_RULES = Rules(bombs="ordered")
_GAMES = 1024


def _python_rounds() -> float:
    """Random rounds a second in pure Python: every play drawn from the full legal set."""
    return _python_rounds_under(Rules(bombs="in-turn"))


def _python_ordered_rounds() -> float:
    """The same with the questions to bomb."""
    return _python_rounds_under(_RULES)


def _python_rounds_under(rules: Rules) -> float:
    rng = Random(1)
    rounds = 200
    start = time.perf_counter()
    for _ in range(rounds):
        _random_round(rules, rng)
    return rounds / (time.perf_counter() - start)


def _random_round(rules: Rules, rng: Random) -> None:
    state = Round.start(shuffled_deal(rng), rules)
    while state.pending:
        seat = state.pending[0]
        if state.phase is Phase.GRAND:
            called = rng.random() < _CALL_CHANCE
            state = state.after_unchecked(seat, CALL_GRAND if called else DECLINE_GRAND)
            continue
        legal = state.legal(seat)
        if rng.random() < _CALL_CHANCE and legal.may_call:
            state = state.after_unchecked(seat, CALL_TICHU)
            continue
        state = state.after_unchecked(seat, legal.draw(rng))


def _native_rounds() -> float:
    """The same in the native core, with the questions to bomb."""
    from tichu.kernel import native

    rounds = 50_000
    start = time.perf_counter()
    native.random_rounds(_RULES, rounds, seed=1)
    return rounds / (time.perf_counter() - start)


def _native_loop() -> float:
    """Decisions a second in a Python loop of ``legal`` and ``after``, any legal action equally likely."""
    from tichu.kernel import native

    draw = Random(1).random
    states = [native.State(native.deal(_RULES, seed=1, game=game)) for game in range(3000)]
    steps = 0
    start = time.perf_counter()
    for first in states:
        state = first
        while (seat := state.seat) >= 0:
            legal = state.legal(seat)
            state = state.after(seat, legal[int(draw() * len(legal))])
            steps += 1
    return steps / (time.perf_counter() - start)


def _native_batch(threads: int) -> float:
    """Decisions a second of a batch that is told what to do by index, the drawing of the indices included."""
    import numpy

    from tichu.kernel import native

    batch = native.batch(_GAMES, _RULES, seed=1, threads=threads)
    counts = batch.counts
    rng = numpy.random.default_rng(1)
    batch.random_steps(150)
    calls = 1000
    start = time.perf_counter()
    for _ in range(calls):
        batch.step((rng.random(_GAMES) * counts).astype(numpy.int64))
    return calls * _GAMES / (time.perf_counter() - start)


def _native_batch_on_one() -> float:
    return _native_batch(1)


def _native_batch_on_two() -> float:
    return _native_batch(2)


def _aec_steps() -> float:
    """Decisions a second through PettingZoo's interface and usual wrappers, a random one drawn from every mask."""
    from tichu.envs import tichu_v0

    draw = Random(1).random
    table = tichu_v0.env(rules=_RULES)
    table.reset(seed=1)
    steps = 0
    start = time.process_time()
    while steps < 10_000:
        for _ in table.agent_iter():
            observation, _, terminated, truncated, _ = table.last()
            if terminated or truncated:
                table.step(None)
                continue
            choices = observation["action_mask"].nonzero()[0]
            table.step(choices[int(draw() * len(choices))])
            steps += 1
        table.reset()
    return steps / (time.process_time() - start)


def _vector_steps() -> float:
    """Decisions a second of 1,024 games on one core, observations and masks written, random ones from the masks."""
    from tichu.envs import SelfPlay

    games = SelfPlay(_GAMES, _RULES, seed=1)
    for _ in range(150):
        games.step(games.sample())
    calls = 1000
    start = time.process_time()
    for _ in range(calls):
        games.step(games.sample())
    return calls * _GAMES / (time.process_time() - start)


def _single_steps() -> float:
    """Decisions a second of one seat against greedy, made by ``gymnasium.make`` as it is, random from the mask."""
    gymnasium: Any = importlib.import_module("gymnasium")
    table = gymnasium.make("tichu.envs:tichu/Tichu-v0", rules=_RULES)
    observation, _ = table.reset(seed=1)
    draw = Random(1).random
    steps = 10_000
    start = time.process_time()
    for _ in range(steps):
        choices = observation["action_mask"].nonzero()[0]
        observation, _, terminated, truncated, _ = table.step(choices[int(draw() * len(choices))])
        if terminated or truncated:
            observation, _ = table.reset()
    return steps / (time.process_time() - start)


def _seat_steps(bot: str, games: int, calls: int) -> float:
    """The same of many games on one core, made by ``gymnasium.make_vec``, observations and masks copied."""
    gymnasium: Any = importlib.import_module("gymnasium")
    tables = gymnasium.make_vec("tichu.envs:tichu/Tichu-v0", num_envs=games, opponents=bot, partner=bot, rules=_RULES)
    tables.reset(seed=1)
    # All games begin with the same decisions; after some rounds they are where they happen to be.
    for _ in range(max(calls // 10, 40)):
        tables.step(tables.sample())
    start = time.process_time()
    for _ in range(calls):
        tables.step(tables.sample())
    return calls * games / (time.process_time() - start)


def _seat_steps_against_greedy() -> float:
    return _seat_steps("greedy", _GAMES, 500)


def _seat_steps_against_small() -> float:
    return _seat_steps("small", _GAMES, 40)


def _seat_steps_against_learned() -> float:
    return _seat_steps("learned", 256, 20)


def _dou_dizhu_games() -> float:
    """Random games of another climbing game a second, in OpenSpiel from Python, the random deal included."""
    pyspiel: Any = importlib.import_module("pyspiel")
    game = pyspiel.load_game("dou_dizhu")
    rng = Random(1)
    games = 300
    start = time.perf_counter()
    for _ in range(games):
        state = game.new_initial_state()
        while not state.is_terminal():
            state.apply_action(rng.choice(state.legal_actions()))
    return games / (time.perf_counter() - start)


# Each with the module that it needs.
_BENCHES: dict[str, tuple[str, Callable[[], float]]] = {
    "python.rounds_per_s": ("tichu", _python_rounds),
    "python.ordered_rounds_per_s": ("tichu", _python_ordered_rounds),
    "native.rounds_per_s": ("tichu_native", _native_rounds),
    "native.loop_steps_per_s": ("tichu_native", _native_loop),
    "native.batch_steps_per_s": ("tichu_native", _native_batch_on_one),
    "native.batch2_steps_per_s": ("tichu_native", _native_batch_on_two),
    "aec.steps_per_s": ("pettingzoo", _aec_steps),
    "vector.steps_per_s": ("tichu_native", _vector_steps),
    "single.steps_per_s": ("gymnasium", _single_steps),
    "seats.steps_per_s": ("gymnasium", _seat_steps_against_greedy),
    "seats.small_steps_per_s": ("gymnasium", _seat_steps_against_small),
    "seats.learned_steps_per_s": ("gymnasium", _seat_steps_against_learned),
    "openspiel.dou_dizhu_per_s": ("pyspiel", _dou_dizhu_games),
}
# How to get them.
_INSTALL = {
    "tichu_native": HOW_TO_GET_IT,
    "pettingzoo": "pip install 'tichu[envs]' brings it",
    "gymnasium": "pip install 'tichu[envs]' brings it",
    "pyspiel": "pip install 'tichu[openspiel]' brings it",
}
# What one figure is of another, if both are measured.
_RATIOS = {
    "native.times_python": ("native.rounds_per_s", "python.ordered_rounds_per_s"),
    "native.times_one_thread": ("native.batch2_steps_per_s", "native.batch_steps_per_s"),
}


@click.command()
@click.argument("names", nargs=-1)
@click.option("--json", "as_json", is_flag=True, help="One object, name to median.")
def bench(names: tuple[str, ...], as_json: bool) -> None:
    """Measure the speed of the named parts, or of all that are installed: median of seven runs, and their range."""
    for word in names:
        if not word:
            raise click.BadParameter("the name of a measurement is empty", param_hint="'NAMES'")
        if not any(name.startswith(word) for name in _BENCHES):
            hint = did_you_mean(word, _BENCHES)
            raise click.BadParameter(
                f"no benchmark {word!r}; there are {', '.join(_BENCHES)}{hint}", param_hint="'NAMES'"
            )
    medians: dict[str, float] = {}
    try:
        _measure(names, medians, is_quiet=as_json)
    finally:
        # What was measured is told, also after Ctrl-C.
        for name, (one, other) in _RATIOS.items():
            if one in medians and other in medians:
                medians[name] = medians[one] / medians[other]
                if not as_json:
                    click.echo(f"{name:28}{medians[name]:14,.1f}")
        if as_json:
            click.echo(json.dumps(medians))


def _measure(names: tuple[str, ...], medians: dict[str, float], *, is_quiet: bool) -> None:
    for name, (module, run) in _BENCHES.items():
        if names and not any(name.startswith(word) for word in names):
            continue
        if importlib.util.find_spec(module) is None:
            if names:
                told = f"{name} needs the module {module}, which is not installed"
                raise click.ClickException(f"{told}; {_INSTALL[module]}")
            continue
        with click.progressbar(range(_RUNS), label=name, file=sys.stderr, hidden=not sys.stderr.isatty()) as runs:
            figures = [run() for _ in runs]
        medians[name] = statistics.median(figures)
        if not is_quiet:
            click.echo(f"{name:28}{medians[name]:14,.0f}   ({min(figures):,.0f} to {max(figures):,.0f})")
