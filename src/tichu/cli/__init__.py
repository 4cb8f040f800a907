"""The command line.

Every command is a thin face over the library.  What the user got wrong is one line and exit status 1, never a
traceback.
"""

import importlib
import io
import sys
from typing import Any, Final

import click

from tichu import __version__
from tichu.core.errors import GameError

__all__ = ["main"]

#: In which module of this package each command is.  Only the one that is asked for is imported: together they take
#: longer than the server takes to start.
_MODULES: Final = {
    "arena": "arena",
    "ask": "ask",
    "backup": "serve",
    "bench": "bench",
    "bot": "bots",
    "bot-check": "bots",
    "conformance": "conformance",
    "connect": "connect",
    "convert": "records",
    "export": "data",
    "legal": "positions",
    "perft": "positions",
    "play": "play",
    "replay": "records",
    "rules": "positions",
    "selfplay": "selfplay",
    "serve": "serve",
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

    def invoke(self, ctx: click.Context) -> Any:
        try:
            return super().invoke(ctx)
        except GameError as error:
            raise click.ClickException(str(error)) from None
        except OSError as error:
            if isinstance(error, BrokenPipeError):
                raise
            place = f"{error.filename}: " if error.filename else ""
            raise click.ClickException(f"{place}{error.strerror}") from None


@click.group(cls=_Commands, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, prog_name="tichu")
def main() -> None:
    """Tichu: rules, records, bots, and a table to play at."""
    for stream in (sys.stdout, sys.stderr):
        # A name that the terminal cannot show must not end the command.
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")
