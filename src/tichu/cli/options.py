"""Parameters that several commands share."""

import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import click

from tichu.agents.registry import AGENTS, LEVELS
from tichu.cli.typed import RULES
from tichu.core.errors import GameError
from tichu.formats.sources import find_files

__all__ = [
    "BOTS",
    "OUR_BOTS",
    "PositionCommand",
    "found_files",
    "json_option",
    "pool_options",
    "position_argument",
    "progress_bar",
    "rules_option",
]

#: How a bot can be named, for help texts: ours, then all that need no other program.
OUR_BOTS = f"{', '.join(AGENTS)}, a level ({', '.join(LEVELS)})"
BOTS = f"{OUR_BOTS}, path/file.py:Class"


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


rules_option = click.option(
    "--rules", type=RULES, default="standard", show_default=True, help='A rule set, as "standard bombs=in-turn".'
)


json_option = click.option("--json", "as_json", is_flag=True, help="One JSON object.")


def pool_options(command: Callable[..., None]) -> Callable[..., None]:
    """Who works, and whether they are quiet about it."""
    for option in (
        click.option("--quiet", is_flag=True, help="No progress and no summary; what is left out is still reported."),
        click.option("--ray", metavar="ADDRESS", help="Work on a Ray cluster instead; 'local' starts one here."),
        click.option(
            "--workers", type=click.IntRange(1), help="Processes to work in; as many as the machine has processors."
        ),
    ):
        command = option(command)
    return command


def found_files(files: Iterable[Path]) -> list[Path]:
    """The files that are meant; to find nothing wrong in no game would be a lie.

    :raises GameError: folders alone are named, and there is no game in them
    """
    paths = list(find_files(files))
    if not paths:
        raise GameError(f"no game in {', '.join(map(str, files))}")
    return paths


@contextmanager
def progress_bar(length: int, label: str, *, is_quiet: bool) -> Iterator[Callable[[int], None]]:
    """A bar, on a terminal: it is told how many steps are done."""
    is_hidden = is_quiet or not sys.stderr.isatty()
    with click.progressbar(length=length, label=label, file=sys.stderr, show_pos=True, hidden=is_hidden) as bar:
        yield bar.update
