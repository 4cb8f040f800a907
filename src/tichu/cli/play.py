"""``tichu play``: a table with three bots in the browser, or in the terminal."""

import logging
import socket
from dataclasses import replace
from pathlib import Path
from typing import Final

import click
from click.core import ParameterSource

from tichu.cli.options import OUR_BOTS, rules_option
from tichu.cli.serve import data_option, run_server
from tichu.cli.typed import BOT, Choice, FilePath
from tichu.core.rules import Goal, Rules
from tichu.server.config import Config, data_folder

__all__ = ["play"]

#: A browser keeps what belongs to an address, and the port is part of it: the same one if it is free.
_PORT: Final = 8424
_TERMINAL_BOT: Final = "heuristic"
#: Seconds before each decision of a bot in the terminal.
_PAUSES: Final = {"slow": 1.5, "normal": 0.7, "fast": 0.2, "instant": 0.0}
_TERMINAL_ONLY: Final = ("seed", "record", "speed")
_BROWSER_ONLY: Final = ("lan", "port", "data", "open_browser")


@click.command()
@rules_option
@click.option(
    "--bots",
    metavar="SPEC",
    type=BOT,
    help=f"Who plays the other seats: {OUR_BOTS}; in the terminal also path/file.py:Class or process:CMD.",
)
@click.option(
    "--target", metavar="N", type=click.IntRange(1, 999_999), help="Play to N points: short for goal=target:N."
)
@click.option("--name", help="Your name at the table.")
@click.option("--lan", is_flag=True, help="Let others in the same network join, by link or QR code.")
@click.option("--port", type=click.IntRange(0, 65535), help="Where to listen; usually a free port.")
@data_option
@click.option("--browser/--no-browser", "open_browser", default=True, help="Open the browser, or only say where.")
@click.option("--terminal", is_flag=True, help="Play in the terminal instead.")
@click.option("--seed", type=int, help="Terminal: deal the same cards again.")
@click.option("--record", type=FilePath(dir_okay=False), help="Terminal: keep the game in a new .ttn file.")
@click.option(
    "--speed",
    type=Choice(list(_PAUSES)),
    default="normal",
    show_default=True,
    help="Terminal: how fast the bots play.",
)
@click.pass_context
def play(
    ctx: click.Context,
    rules: Rules,
    bots: str | None,
    target: int | None,
    name: str | None,
    lan: bool,
    port: int | None,
    data: Path | None,
    open_browser: bool,
    terminal: bool,
    seed: int | None,
    record: Path | None,
    speed: str,
) -> None:
    """Play with a bot as partner against two bots; with --lan friends take their seats."""
    for option in _BROWSER_ONLY if terminal else _TERMINAL_ONLY:
        if ctx.get_parameter_source(option) is ParameterSource.COMMANDLINE:
            other = "without" if terminal else "with"
            raise click.UsageError(f"--{option.replace('open_', '')} goes {other} --terminal")
    if target is not None:
        rules = replace(rules, goal=Goal("target", target))
    if terminal:
        # Not needed for the table in the browser, which should be there at once.
        from tichu.cli.terminal import play_in_terminal

        play_in_terminal(rules, bots or _TERMINAL_BOT, seed, record, name or "You", _PAUSES[speed])
        return
    # Others would read "You" as somebody else.
    _play_in_browser(rules, bots, name or ("Host" if lan else "You"), lan, port, data or data_folder(), open_browser)


def _play_in_browser(
    rules: Rules, bot: str | None, name: str, lan: bool, port: int | None, data: Path, open_browser: bool
) -> None:
    from tichu.server.http.links import lan_address
    from tichu.server.local import LocalGame  # No other command has to wait for a server.

    logging.basicConfig(format="%(levelname)s %(message)s", level=logging.WARNING)
    with _place("0.0.0.0" if lan else "127.0.0.1", port) as place:
        host = (lan_address() if lan else None) or "127.0.0.1"
        if lan and host == "127.0.0.1":
            click.echo("No network was found; only this computer can join.", err=True)
        config = Config(database=str(data / "play.db"), public_url=f"http://{host}:{place.getsockname()[1]}")
        local_game = LocalGame(config, str(rules), bot, name, say=click.echo, is_shared=lan, open_browser=open_browser)
        run_server(config, place, local_game.begin)


def _place(host: str, port: int | None) -> socket.socket:
    from tichu.server.serve import listen

    if port is not None:
        return listen(host, port)
    try:
        return listen(host, _PORT)
    except OSError:
        return listen(host, 0)
