"""What searching is worth at the champion's own doubtful decisions: ``python -m bench.searching measure FILE``.

Four champions play rounds; wherever they like another action nearly as well, both are played on in worlds that the
seat thinks possible, in several ways: in worlds drawn by belief or uniformly, by which network, and after how many
decisions the critic judges.  What the second action is really worth more than the first is measured in the world as it
was, by the champion: cut short, where chance has had less of a say, and to the end.  ``--others`` measures it in other
possible worlds as well, to the end: there a search looks better than it is, if the worlds are not as they should be.

``report`` tells what each way is worth to who chooses by it, with a rule that was fitted to the other half of the
rounds; errors are those of rounds.
"""

import json
import time
from collections.abc import Iterator, Sequence
from contextlib import closing
from math import log, sqrt
from pathlib import Path
from random import Random
from typing import Any, Final, NamedTuple

import click
import numpy as np
from numpy.typing import NDArray

from tichu.agents.learned.agent import LearnedAgent
from tichu.analysis.decisions import Decision, decisions_of
from tichu.analysis.precision import estimate
from tichu.analysis.rollouts import Start, play_on, policy, public_part
from tichu.analysis.searching import LEFT_ALONE, Doubt, belief_of_others, cut_for, doubt_of, weigh
from tichu.analysis.values import starts_in
from tichu.analysis.worlds import Worlds
from tichu.core.deals import shuffled_deal
from tichu.core.game import Game
from tichu.core.phases import Phase
from tichu.core.record import RoundRecord, replay
from tichu.core.round import Round
from tichu.core.rules import Rules
from tichu.parallel import open_pool

#: In which worlds, which network plays on, for how many decisions (None: to the end), in how many times as many worlds.
_WAYS: Final = (
    ("uniform", "small", 8, 1),
    ("belief", "small", 0, 1),
    ("belief", "small", 8, 1),
    ("belief", "small", None, 2),
)
#: After how many decisions what is true is measured.
_TRUTHS: Final = (8, 24, None)
#: An action that the champion likes less, beside its choice and in percent, is not looked at.
_LEAST: Final = 3
#: Of a round, so that many rounds are seen.
_A_ROUND: Final = 12
_RULES: Final = Rules.parse("standard").sequential()
Floats = NDArray[np.float64]


class _Task(NamedTuple):
    round: int
    worlds: int
    others: int
    ways: tuple[tuple[str, str, int | None, int], ...]


def _played(number: int) -> RoundRecord:
    game = Game.start(shuffled_deal(Random(number)), _RULES)
    bot = LearnedAgent()
    while not game.round.is_over:
        seat = game.round.pending[0]
        view = game.view(seat)
        game = game.after(seat, bot.act(view, view.legal()))
    return RoundRecord(game.deal, game.actions, game.round.outcome.score)


def _differences(starts: Sequence[Start], seat: int, network: str, cut: int | None) -> Floats:
    points = play_on(starts, policy(network), cut).points.reshape(-1, 2).astype(float)
    differences: Floats = points[:, 1] - points[:, 0]
    return differences if seat % 2 == 0 else -differences


def _measure(task: _Task) -> list[dict[str, Any]]:
    record = _played(task.round)
    bot = LearnedAgent()
    found = []
    for decision in decisions_of(record, _RULES):
        doubt = doubt_of(bot, decision.view, _LEAST)
        if len(doubt.actions) > 1:
            found.append((decision, doubt))
    rng = Random(task.round)
    if len(found) > _A_ROUND:
        found = sorted(rng.sample(found, _A_ROUND), key=lambda each: each[0].number)
    states = dict(_states(record, {decision.number for decision, _ in found}))
    return [_compare(task, decision, doubt, states[decision.number]) for decision, doubt in found]


def _states(record: RoundRecord, wanted: set[int]) -> Iterator[tuple[int, Round]]:
    return ((number, state) for number, state in enumerate(replay(record, _RULES)) if number in wanted)


def _compare(task: _Task, decision: Decision, doubt: Doubt, state: Round) -> dict[str, Any]:
    view = decision.view
    pair = doubt.actions[:2]
    rng = Random(1000 * task.round + decision.number)
    worlds = {
        "uniform": Worlds(view, decision.eight),
        "belief": Worlds(view, decision.eight, belief_of_others()),
    }
    drawn = {
        name: starts_in(decision, each, each.draw_some(_most(task, name), rng), pair) for name, each in worlds.items()
    }
    ways = {}
    for name, network, cut, times in task.ways:
        here = drawn[name][: 2 * task.worlds * times]
        begin = time.process_time()
        differences = _differences(here, view.seat, network, cut_for(view, cut))
        cost = 1000 * (time.process_time() - begin) / len(here)
        parts = [round(float(differences[:size].mean()), 2) for size in _sizes(task.worlds * times)]
        ways[_name(name, network, cut)] = [parts, round(float(differences.std(ddof=1)), 1), round(cost, 3)]
    score = view.score if view.seat % 2 == 0 else view.score[::-1]
    account = public_part(view.history)
    real = [Start(state, account, view.seat, each, score) for each in pair]
    found = {
        "round": task.round,
        "number": decision.number,
        "phase": view.phase.name,
        "pair": [str(each) for each in pair],
        "odds": round(doubt.odds[1], 4),
        "cards": list(view.counts),
        "worlds": task.worlds,
        "ways": ways,
        "true": [round(float(_differences(real, view.seat, "learned", cut_for(view, cut))[0]), 2) for cut in _TRUTHS],
    }
    if task.others:
        starts = starts_in(decision, worlds["belief"], worlds["belief"].draw_some(task.others, rng), pair)
        found["others"] = round(float(_differences(starts, view.seat, "learned", None).mean()), 2)
    return found


def _name(worlds: str, network: str, cut: int | None, _: int = 0) -> str:
    return f"{worlds} {network}:{cut}"


def _most(task: _Task, worlds: str) -> int:
    return task.worlds * max((times for name, _, _, times in task.ways if name == worlds), default=0)


def _sizes(worlds: int) -> tuple[int, ...]:
    return worlds // 4, worlds // 2, worlds


@click.group()
def main() -> None:
    """Measure and tell."""


@main.command()
@click.argument("file", type=click.Path(path_type=Path, dir_okay=False))
@click.option("--seconds", type=float, default=60.0, help="How long rounds are begun.")
@click.option("--workers", type=int, default=1)
@click.option("--worlds", type=int, default=128, help="Worlds to choose by.")
@click.option("--others", type=int, default=0, help="Other possible worlds to measure in.")
@click.option("--only", default="", help="Only ways with this in their names.")
def measure(file: Path, seconds: float, workers: int, worlds: int, others: int, only: str) -> None:
    """Add decisions to FILE, a line each; goes on after the last round that is there."""
    done = (
        max((json.loads(line)["round"] for line in file.read_text().splitlines()), default=-1) if file.exists() else -1
    )
    end = time.monotonic() + seconds
    ways = tuple(way for way in _WAYS if only in _name(*way))

    def tasks() -> Iterator[_Task]:
        number = done
        while time.monotonic() < end:
            number += 1
            yield _Task(number, worlds, others, ways)

    with closing(open_pool(workers)) as pool, file.open("a") as out:
        for lines in pool.map(_measure, tasks()):
            out.writelines(json.dumps(line) + "\n" for line in lines)
            out.flush()


@main.command()
@click.argument("file", type=click.Path(path_type=Path, exists=True, dir_okay=False))
@click.option("--percent", type=float, default=_LEAST, help="How much the second is liked, beside the first.")
def report(file: Path, percent: float) -> None:
    """What each way is worth."""
    lines = [json.loads(line) for line in file.read_text().splitlines()]
    lines = [line for line in lines if 100 * line["odds"] >= percent]
    for name, some in _parts(lines):
        _tell(name, some)


def _parts(lines: list[dict[str, Any]]) -> Iterator[tuple[str, list[dict[str, Any]]]]:
    yield "all", lines
    for phase in sorted({line["phase"] for line in lines}):
        yield phase, [line for line in lines if line["phase"] == phase]
    calls = [line for line in lines if "T" in line["pair"]]
    yield "Tichu calls", calls


def _tell(name: str, lines: list[dict[str, Any]]) -> None:
    if len(lines) < 50:
        return
    rounds = np.array([line["round"] for line in lines])
    gap = np.array([-log(line["odds"]) for line in lines])
    truths = {f"true at {cut}": np.array([line["true"][at] for line in lines]) for at, cut in enumerate(_TRUTHS)}
    if "others" in lines[0]:
        truths["other worlds"] = np.array([line["others"] for line in lines])
    told = ", ".join(f"{truth} {_mean(values, rounds)}" for truth, values in truths.items())
    print(f"{name}: {len(lines)} decisions of {len(set(rounds))} rounds, the second is worth more by: {told}")  # noqa: T201
    for way in lines[0]["ways"]:
        parts = np.array([line["ways"][way][0] for line in lines])
        deviation = np.median([line["ways"][way][1] for line in lines])
        cost = np.mean([line["ways"][way][2] for line in lines])
        print(f"  {way:20} {cost:.2f} ms, deviation {deviation:4.0f}")  # noqa: T201
        for column in range(parts.shape[1]):
            _tell_rule([parts[:, column], gap], truths, rounds)
        switched = np.array([_is_taken(line, way) for line in lines], float)
        _tell_gain("as the bot does it", switched, truths, rounds)


def _is_taken(line: dict[str, Any], way: str) -> bool:
    """Whether the bot would take the second action, had it searched in this way."""
    parts, deviation, _ = line["ways"][way]
    worlds = line["worlds"] * next(each[-1] for each in _WAYS if _name(*each) == way)
    phase = Phase[line["phase"]]
    # Means and deviations are what is kept: two worlds that have them stand for all.
    spread = deviation * sqrt((worlds - 1) / worlds)
    known = estimate(np.tile([parts[-1] - spread, parts[-1] + spread], worlds // 2))
    return phase not in LEFT_ALONE and weigh(known, phase).mean > 0


def _tell_rule(inputs: Sequence[Floats], truths: dict[str, Floats], rounds: NDArray[np.int64]) -> None:
    """What is gained a decision by a linear rule for the first truth, each half of the rounds by that of the other."""
    columns = np.stack([*inputs, np.ones_like(inputs[0])], 1)
    switched = np.zeros_like(inputs[0])
    rules = []
    aim = next(iter(truths.values()))
    for half in (0, 1):
        here, there = rounds % 2 == half, rounds % 2 != half
        known, *_ = np.linalg.lstsq(columns[there], aim[there], rcond=None)
        rules.append(known)
        switched[here] = columns[here] @ known > 0
    rule = " ".join(f"{each:+.2f}" for each in np.mean(rules, 0))
    _tell_gain(f"by {rule}", switched, truths, rounds)


def _tell_gain(how: str, switched: Floats, truths: dict[str, Floats], rounds: NDArray[np.int64]) -> None:
    gained = ", ".join(f"{name} {_mean(switched * truth, rounds)}" for name, truth in truths.items())
    print(f"    {100 * switched.mean():3.0f} % {how}: {gained}")  # noqa: T201


def _mean(values: Floats, rounds: NDArray[np.int64]) -> str:
    """The mean with its standard error, a round being one observation."""
    mean = values.mean()
    sums = np.bincount(np.unique(rounds, return_inverse=True)[1], values - mean)
    return f"{mean:+.2f} ± {float(np.sqrt((sums**2).sum())) / len(values):.2f}"


if __name__ == "__main__":
    main()
