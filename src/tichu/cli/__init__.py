"""The command line.

Every command is a thin face over the library.  What the user got wrong is one line and exit status 1, never a
traceback.
"""

import io
import sys
from typing import Any

import click

from tichu import __version__
from tichu.cli.arena import arena
from tichu.cli.ask import ask
from tichu.cli.bench import bench
from tichu.cli.bots import bot, bot_check
from tichu.cli.connect import connect
from tichu.cli.data import export, stats
from tichu.cli.play import play
from tichu.cli.positions import legal, perft, rules
from tichu.cli.records import convert, replay
from tichu.cli.selfplay import selfplay
from tichu.cli.serve import backup, serve
from tichu.cli.verify import verify
from tichu.core.errors import GameError

__all__ = ["main"]


class _Commands(click.Group):
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


for command in (
    rules,
    legal,
    perft,
    replay,
    convert,
    export,
    stats,
    verify,
    bench,
    bot,
    bot_check,
    ask,
    play,
    serve,
    connect,
    backup,
    arena,
    selfplay,
):
    main.add_command(command)
