"""``tichu rules``, ``legal`` and ``perft``: questions about rule sets and positions."""

import click

from tichu.cli.options import PositionCommand, position_argument, rules_option
from tichu.core.actions import format_action
from tichu.core.errors import NotationError
from tichu.core.perft import divide
from tichu.core.perft import perft as count
from tichu.core.round import Round
from tichu.core.rules import FIELDS, PRESETS, Rules

__all__ = ["legal", "perft", "rules"]


@click.command()
@click.argument("preset", required=False, nargs=-1)
def rules(preset: tuple[str, ...]) -> None:
    """Show the presets, or the fields of one rule set: tichu rules standard bombs=in-turn."""
    if preset:
        chosen = Rules.parse(" ".join(preset))
        click.echo(str(chosen))
        for field, values in FIELDS.items():
            click.echo(f"  {field:20}{getattr(chosen, field)!s:12}  ({', '.join(values)})")
        return
    width = max(map(len, PRESETS)) + 2
    click.echo(" " * 20 + "".join(name.ljust(width) for name in PRESETS))
    for field in FIELDS:
        row = "".join(str(getattr(preset_rules, field)).ljust(width) for preset_rules in PRESETS.values())
        click.echo((field.ljust(20) + row).rstrip())


@click.command(cls=PositionCommand)
@position_argument
@click.option("--seat", type=click.IntRange(0, 3), help="Whose actions; the lowest pending seat if not given.")
@rules_option
def legal(position: str, seat: int | None, rules: Rules) -> None:
    """List the legal actions of a seat, one a line."""
    state = Round.from_position(position, rules)
    if seat is None:
        if not state.pending:
            raise NotationError("the round is over: nobody has anything to decide")
        seat = state.pending[0]
    for action in state.legal(seat):
        click.echo(format_action(seat, action))


@click.command(cls=PositionCommand)
@position_argument
@click.argument("depth", type=click.IntRange(0))
@rules_option
@click.option("--divide", "divided", is_flag=True, help="Show the count after each first action.")
def perft(position: str, depth: int, rules: Rules, divided: bool) -> None:
    """Count the sequences of DEPTH actions from a position."""
    state = Round.from_position(position, rules)
    if not divided or depth == 0 or not state.pending:
        click.echo(count(state, depth))
        return
    total = 0
    for action, number in divide(state, depth):
        click.echo(f"{format_action(state.pending[0], action)} {number}")
        total += number
    click.echo(total)
