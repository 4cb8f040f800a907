"""The benchmarks Tichu-1M and Tichu-100M: how well a bot plays that has learned from so many decisions.

Both are evaluated alike, and everything about it is fixed here: rules, opponents, deals and seed.
``docs/benchmark.md`` has the conditions and the results.  Whoever changes what an opponent does raises :data:`VERSION`.
"""

from collections.abc import Callable, Iterator, Sequence
from statistics import fmean, stdev
from typing import Any, Final, NamedTuple

from tichu import __version__
from tichu.arena.duel import PlayedDeal
from tichu.arena.series import play_series
from tichu.arena.setup import Setup
from tichu.arena.summary import summarise
from tichu.arena.teams import Team
from tichu.arena.tournament import plan
from tichu.core.errors import GameError
from tichu.core.rules import STANDARD
from tichu.parallel import Pool

__all__ = [
    "DEALS",
    "OPPONENTS",
    "RULES",
    "SEED",
    "STEPS",
    "TRAINING_SEEDS",
    "VERSION",
    "Evaluation",
    "Over",
    "as_json",
    "as_markdown",
    "as_text",
    "evaluate",
    "spread",
]

#: Results of different versions cannot be compared.
VERSION: Final = 2

#: How many decisions a learner may take in training, by the name of the benchmark.
STEPS: Final = {"Tichu-1M": 1_000_000, "Tichu-100M": 100_000_000}
TRAINING_SEEDS: Final = (1, 2, 3)

RULES: Final = STANDARD
#: The first may be trained against; the others are met in the evaluation alone.
OPPONENTS: Final = ("greedy", "heuristic", "learned")
DEALS: Final = 1_000
SEED: Final = 1_000_000


class Over(NamedTuple):
    """Points a round over one opponent."""

    opponent: str
    points_per_round: float
    ci95: tuple[float, float]
    #: Decisions that were not the bot's own: illegal, late, or a crash.
    faults: int
    #: How many were played: fewer than were wanted if it was interrupted.
    deals: int = DEALS


class Evaluation(NamedTuple):
    """A bot against all opponents, as far as they were played."""

    bot: str
    results: tuple[Over, ...]

    @property
    def faults(self) -> int:
        """Crashes, illegal and late decisions; a bot with any has no result."""
        return sum(result.faults for result in self.results)


def evaluate(
    bot: Team, pool: Pool, *, deals: int = DEALS, advance: Callable[[int], None] | None = None
) -> Iterator[Over]:
    """The results of a bot, one opponent after another; fewer deals are only a look.

    What was played before an error or Ctrl-C is told first.

    :raises GameError: the bot cannot be had
    """
    for opponent in OPPONENTS:
        setup = plan([bot, Team(opponent, (opponent, opponent))], deals, rules=RULES, seed=SEED).setups[0]
        played: list[PlayedDeal] = []
        try:
            for one in play_series(setup, deals, pool, finished={}):
                played.append(one)
                if advance is not None:
                    advance(1)
        except (GameError, KeyboardInterrupt):
            if played:
                yield _over(opponent, setup, played)
            raise
        yield _over(opponent, setup, played)


def _over(opponent: str, setup: Setup, played: Sequence[PlayedDeal]) -> Over:
    summary = summarise(setup, played)
    faults = sum(summary.team_tally(0).faults.values())
    return Over(opponent, summary.points_per_round, summary.ci95, faults, len(played))


def spread(evaluations: Sequence[Evaluation]) -> list[tuple[str, float, float]]:
    """Of several training seeds: opponent, mean, and the standard deviation between them; of all of them or none.

    >>> one, two = (Evaluation("a", (Over("greedy", points, (0, 9), 0),)) for points in (1, 3))
    >>> spread([one, two])
    [('greedy', 2.0, 1.4142135623730951)]
    """
    if any(evaluation.faults for evaluation in evaluations):
        return []
    columns = [
        column
        for column in zip(*(evaluation.results for evaluation in evaluations), strict=False)
        if len({result.deals for result in column}) == 1
    ]
    points = [(column[0].opponent, [result.points_per_round for result in column]) for column in columns]
    return [(opponent, fmean(each), stdev(each)) for opponent, each in points] if len(evaluations) > 1 else []


def as_json(evaluations: Sequence[Evaluation], deals: int) -> dict[str, Any]:
    """For programs."""
    return {
        "benchmark": VERSION,
        "tichu": __version__,
        "rules": str(RULES),
        "deals": deals,
        "seed": SEED,
        "bots": [
            {"bot": one.bot, "over": {result.opponent: _result_json(result) for result in one.results}}
            for one in evaluations
        ],
        "spread": {
            opponent: {"mean": mean, "standard_deviation": deviation}
            for opponent, mean, deviation in spread(evaluations)
        },
    }


def _result_json(result: Over) -> dict[str, Any]:
    return {name: value for name, value in result._asdict().items() if name != "opponent"}


def as_markdown(evaluations: Sequence[Evaluation], deals: int = DEALS) -> str:
    """Rows for the table of the docs, of what was played to its end."""
    evaluations = [one for one in evaluations if all(result.deals == deals for result in one.results)]
    rows = [
        " | ".join([f"| `{one.bot}`", *map(_points_and_interval, one.results)]) + " |\n"
        for one in evaluations
        if not one.faults
    ]
    between = [f"{mean:+.1f} ± {deviation:.1f}" for _, mean, deviation in spread(evaluations)]
    if between:
        rows.append(" | ".join([f"| mean of {len(evaluations)} ± standard deviation", *between]) + " |\n")
    return "".join(rows)


def as_text(evaluations: Sequence[Evaluation], deals: int) -> str:
    """For people."""
    lines = [
        f"benchmark {VERSION}: {RULES}, {deals:,} deals played twice, seed {SEED}",
        "points a round over each opponent, 95 % interval",
    ]
    if deals != DEALS:
        lines.append(f"only a look: a result takes {DEALS:,} deals")
    for one in evaluations:
        lines += ["", one.bot]
        for result in one.results:
            faults = f"   {result.faults:,} faults: not a result" if result.faults else ""
            early = f"   after {result.deals:,} deals" if result.deals != deals else ""
            lines.append(f"  {result.opponent:12}{_points_and_interval(result)}{early}{faults}")
    between = spread(evaluations)
    if between:
        lines += ["", f"mean of {len(evaluations)}, and the standard deviation between them"]
        lines += [f"  {opponent:12}{mean:+.1f} ± {deviation:.1f}" for opponent, mean, deviation in between]
    return "\n".join([*lines, ""])


def _points_and_interval(result: Over) -> str:
    low, high = result.ci95
    return f"{result.points_per_round:+.1f} ({low:+.1f} to {high:+.1f})"
