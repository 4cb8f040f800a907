"""The command line.

Every command is a thin face over the library.  Whatever goes wrong is told in a sentence on the standard error, never
by a traceback.  The exit status is 2 for a command line that cannot be understood, 1 for what is wrong with the things
that it names, 130 after Ctrl-C.
"""

import importlib
import io
import sys
from typing import Any, Final

import click

from tichu import __version__
from tichu.cli.status import INTERRUPTED
from tichu.core.errors import GameError

__all__ = ["main"]

#: In which module of this package each command is.  Only the one that is asked for is imported: together they take
#: longer than the server takes to start.
_MODULES: Final = {
    "admin": "admin",
    "analyse": "analyse",
    "arena": "arena",
    "ask": "ask",
    "backup": "serve",
    "bench": "bench",
    "benchmark": "benchmark",
    "bot": "bots",
    "bot-check": "bots",
    "conformance": "conformance",
    "connect": "connect",
    "convert": "convert",
    "drill": "drill",
    "export": "data",
    "legal": "positions",
    "perft": "positions",
    "play": "play",
    "puzzle": "puzzle",
    "ratings": "ratings",
    "replay": "records",
    "rules": "positions",
    "selfplay": "selfplay",
    "serve": "serve",
    "solve": "solve",
    "stats": "data",
    "verify": "verify",
}


class _Commands(click.Group):
    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(_MODULES)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in _MODULES:
            return None
        module = importlib.import_module(f"tichu.cli.{_MODULES[cmd_name]}")
        command: click.Command = getattr(module, cmd_name.replace("-", "_"))
        return command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        if args[0] not in _MODULES and not args[0].startswith("-"):
            from tichu.cli.typed import did_you_mean

            hint = did_you_mean(args[0], _MODULES) or f"; there are {', '.join(_MODULES)}"
            ctx.fail(f"No such command {args[0]!r}{hint}")
        return super().resolve_command(ctx, args)

    def make_context(
        self, info_name: str | None, args: list[str], parent: click.Context | None = None, **extra: Any
    ) -> click.Context:
        try:
            return super().make_context(info_name, args, parent, **extra)
        except KeyboardInterrupt:
            raise click.exceptions.Exit(INTERRUPTED) from None

    def invoke(self, ctx: click.Context) -> Any:
        try:
            return super().invoke(ctx)
        except KeyboardInterrupt:
            ctx.exit(INTERRUPTED)
        except GameError as error:
            raise click.ClickException(str(error)) from None
        except OSError as error:
            if isinstance(error, BrokenPipeError):
                raise
            place = f"{error.filename}: " if error.filename else ""
            raise click.ClickException(f"{place}{error.strerror or error}") from None


@click.group(cls=_Commands, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, prog_name="tichu")
def main() -> None:
    """Tichu: rules, records, bots, and a table to play at."""
    for stream in (sys.stdout, sys.stderr):
        # A name that the terminal cannot show must not end the command.
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")
