"""``tichu rules``, ``legal`` and ``perft``: questions about rule sets and positions."""

import json
from typing import Any

import click
from click.shell_completion import CompletionItem

from tichu.cli.options import PositionCommand, json_option, position_argument, rules_option
from tichu.cli.typed import RULES, parse_rules, typed
from tichu.core.actions import format_action
from tichu.core.errors import NotationError
from tichu.core.perft import divide
from tichu.core.perft import perft as count
from tichu.core.round import Round
from tichu.core.rules import FIELDS, PRESETS, Rules

__all__ = ["legal", "perft", "rules"]


def _fields(rules: Rules) -> dict[str, str]:
    return {field: str(getattr(rules, field)) for field in FIELDS}


def _complete_rules(ctx: click.Context, param: click.Parameter, incomplete: str) -> list[CompletionItem]:
    return RULES.shell_complete(ctx, param, incomplete)


@click.command()
@click.argument("preset", metavar="[PRESET] [FIELD=VALUE]...", required=False, nargs=-1, shell_complete=_complete_rules)
@json_option
def rules(preset: tuple[str, ...], as_json: bool) -> None:
    """Show the presets, or the fields of one rule set: tichu rules standard bombs=in-turn."""
    with typed("PRESET"):
        chosen = parse_rules(" ".join(preset)) if preset else None
    if as_json:
        shown = {str(chosen): _fields(chosen)} if chosen else {name: _fields(one) for name, one in PRESETS.items()}
        click.echo(json.dumps(shown))
        return
    if chosen:
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
@json_option
def legal(position: str, seat: int | None, rules: Rules, as_json: bool) -> None:
    """List the legal actions of a seat, one a line."""
    with typed("POSITION"):
        state = Round.from_position(position, rules)
        if seat is None and not state.pending:
            raise NotationError("the round is over: nobody has anything to decide")
    who = state.pending[0] if seat is None else seat
    actions = (format_action(who, action) for action in state.legal(who))
    if as_json:
        click.echo(json.dumps({"position": str(state), "rules": str(rules), "seat": who, "legal": list(actions)}))
        return
    for action in actions:
        click.echo(action)


@click.command(cls=PositionCommand)
@position_argument
@click.argument("depth", type=click.IntRange(0))
@rules_option
@click.option("--divide", "divided", is_flag=True, help="Show the count after each first action.")
@json_option
def perft(position: str, depth: int, rules: Rules, divided: bool, as_json: bool) -> None:
    """Count the sequences of DEPTH actions from a position."""
    with typed("POSITION"):
        state = Round.from_position(position, rules)
    told: dict[str, Any] = {"position": str(state), "rules": str(rules), "depth": depth}
    if not divided or depth == 0 or not state.pending:
        told["count"] = count(state, depth)
        click.echo(json.dumps(told) if as_json else told["count"])
        return
    counts: dict[str, int] = {}
    for action, number in divide(state, depth):
        text = format_action(state.pending[0], action)
        counts[text] = number
        if not as_json:
            click.echo(f"{text} {number}")
    total = sum(counts.values())
    click.echo(json.dumps({**told, "count": total, "divide": counts}) if as_json else total)
