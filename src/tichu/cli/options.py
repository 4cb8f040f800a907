"""Parameters that several commands share."""

import math
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import click

from tichu.agents.registry import AGENTS, LEVELS
from tichu.core.rules import Rules

__all__ = [
    "BOTS",
    "INTERRUPTED",
    "OUR_BOTS",
    "RULES",
    "FiniteRange",
    "PositionCommand",
    "pool_options",
    "position_argument",
    "progress_bar",
    "rules_option",
]

#: The exit status after Ctrl-C.
INTERRUPTED = 130

#: How a bot can be named, for help texts: ours, then all that need no other program.
OUR_BOTS = f"{', '.join(AGENTS)}, a level ({', '.join(LEVELS)})"
BOTS = f"{OUR_BOTS}, path/file.py:Class"


class _RulesType(click.ParamType[Rules]):
    name = "rules"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Rules:
        # An error is not a wrong usage of the command but a wrong text, like all others: exit status 1.
        return value if isinstance(value, Rules) else Rules.parse(value)


class PositionCommand(click.Command):
    """A command with a position among its arguments, which begins with ``-`` when seat 0 has no cards."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Read the arguments; a blank in front keeps a position from being taken for options."""
        return super().parse_args(ctx, [f" {text}" if text.startswith("-/") else text for text in args])


class _PositionType(click.ParamType[str]):
    name = "position"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> str:
        return str(value).removeprefix(" ")


position_argument = click.argument("position", type=_PositionType())


class FiniteRange(click.FloatRange):
    """A range that ends somewhere, also for ``inf``, and that ``nan`` is not in."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> float:
        """The number."""
        number = float(super().convert(value, param, ctx))
        if not math.isfinite(number):
            self.fail(f"{value} is not a finite number.", param, ctx)
        return number


RULES = _RulesType()
rules_option = click.option(
    "--rules", type=RULES, default="standard", show_default=True, help='A rule set, as "standard bombs=in-turn".'
)


def pool_options(command: Callable[..., None]) -> Callable[..., None]:
    """Who works, and whether they are quiet about it."""
    for option in (
        click.option("--quiet", is_flag=True, help="No progress and no summary; what is left out is still reported."),
        click.option("--ray", metavar="ADDRESS", help="Work on a Ray cluster instead; 'local' starts one here."),
        click.option("--workers", type=int, help="Processes to work in; as many as the machine has processors."),
    ):
        command = option(command)
    return command


@contextmanager
def progress_bar(length: int, label: str, *, is_quiet: bool) -> Iterator[Callable[[int], None]]:
    """A bar, on a terminal: it is told how many steps are done."""
    is_hidden = is_quiet or not sys.stderr.isatty()
    with click.progressbar(length=length, label=label, file=sys.stderr, show_pos=True, hidden=is_hidden) as bar:
        yield bar.update
