"""``tichu solve``: the exact value of every action with open hands."""

import json
import sys
from typing import TYPE_CHECKING

import click

from tichu.cli.options import PositionCommand, position_argument, rules_option
from tichu.cli.status import INTERRUPTED
from tichu.cli.typed import typed
from tichu.core.actions import format_action
from tichu.core.round import Round
from tichu.core.rules import Rules

if TYPE_CHECKING:
    from tichu.analysis.solver import Solution

__all__ = ["solve"]

_BUDGET = 10_000_000


@click.command(cls=PositionCommand)
@position_argument
@rules_option
@click.option(
    "--nodes",
    type=click.IntRange(1),
    default=_BUDGET,
    show_default=True,
    help="How many states are looked at before the bounds known by then are told.",
)
@click.option("--json", "as_json", is_flag=True, help="One JSON object.")
def solve(position: str, rules: Rules, nodes: int, as_json: bool) -> None:
    """Say what every action is worth if all four see all cards and play their best.

    A value is the difference of the round's scores, team 0+2 less team 1+3.  Bombs at any time are solved in order
    (bombs=ordered).  A position that takes more than --nodes gets bounds for what is not known: 20 cards in all four
    hands are quick, 56 are hopeless.
    """
    from tichu.analysis.solver import Interrupted
    from tichu.analysis.solver import solve as search

    with typed("POSITION"):
        state = Round.from_position(position, rules)
    is_interrupted = False
    try:
        solution = search(state, nodes)
    except Interrupted as interrupted:
        solution, is_interrupted = interrupted.solution, True
    best = solution.best
    if as_json:
        click.echo(json.dumps(_as_json(solution, rules)))
    else:
        for each in sorted(solution.actions, key=lambda each: each not in best):
            value = f"{each.value:+d}" if each.value is not None else f"{each.lowest:+d} to {each.highest:+d}"
            mark = " *" if each in best else ""
            click.echo(f"{format_action(solution.seat, each.action)} {value}{mark}")
        if not solution.is_exact:
            why = "interrupted" if is_interrupted else "--nodes was not enough"
            click.echo(f"{why}: bounds after {solution.nodes:,} states; * may still be best", err=True)
    if is_interrupted:
        sys.exit(INTERRUPTED)


def _as_json(solution: "Solution", rules: Rules) -> dict[str, object]:
    best = solution.best
    return {
        "seat": solution.seat,
        "rules": str(rules.sequential()),
        "exact": solution.is_exact,
        "nodes": solution.nodes,
        "actions": [
            {
                "action": format_action(solution.seat, each.action),
                "value": each.value,
                "lowest": each.lowest,
                "highest": each.highest,
                "best": each in best,
            }
            for each in solution.actions
        ],
    }
