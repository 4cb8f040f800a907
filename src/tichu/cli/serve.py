"""``tichu serve`` and ``tichu backup``: a server for tables."""

import asyncio
import logging
import math
import socket
import sys
from collections.abc import Awaitable, Callable
from dataclasses import fields, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias

import click

from tichu.cli.typed import RULES, FilePath, FiniteRange, did_you_mean
from tichu.core.errors import GameError
from tichu.core.rules import Rules
from tichu.server.config import Config, Limits, QuickRules, data_folder

if TYPE_CHECKING:  # A server takes a while to import, which no other command has to wait for.
    from tichu.server.lobby import Lobby

__all__ = ["FILE_NAME", "backup", "data_option", "run_server", "serve"]

#: Called when the server listens.
Started: TypeAlias = "Callable[[Lobby], Awaitable[None]]"

FILE_NAME = "tichu.db"

data_option = click.option(
    "--data",
    type=FilePath(file_okay=False),
    envvar="TICHU_DATA",
    help=f"The folder for tables and games; usually {data_folder()}.",
)


class _LimitType(click.ParamType[tuple[str, float]]):
    name = "name=number"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> tuple[str, float]:
        if isinstance(value, tuple):
            return value
        name, _, number = str(value).partition("=")
        known = {field.name: field.type for field in fields(Limits)}
        if name not in known:
            self.fail(f"no limit {name!r}; there are {', '.join(known)}{did_you_mean(name, known)}", param, ctx)
        try:
            limit = (int if known[name] is int else float)(number)
        except ValueError:
            self.fail(f"{number!r} in {value!r} is not a number", param, ctx)
        if not 0 <= limit < math.inf:
            self.fail(f"{number!r} in {value!r} is not a number from 0 up", param, ctx)
        return name, limit


def _words(ctx: click.Context, param: click.Parameter, value: str) -> tuple[str, ...]:
    return tuple(value.replace(",", " ").split())


@click.command()
@click.option("--host", envvar="TICHU_HOST", default="127.0.0.1", show_default=True, help="0.0.0.0 for everybody.")
@click.option("--port", envvar="TICHU_PORT", type=click.IntRange(0, 65535), default=8080, show_default=True)
@data_option
@click.option(
    "--database", envvar="TICHU_DATABASE", help=f"sqlite:PATH or postgresql://...; usually {FILE_NAME} in the folder."
)
@click.option("--public-url", envvar="TICHU_PUBLIC_URL", default="", help="How the world sees it: https://example.org")
@click.option("--prefix", envvar="TICHU_PREFIX", default="", help="The path under which a proxy shows it: /tichu")
@click.option(
    "--trusted-proxies",
    envvar="TICHU_TRUSTED_PROXIES",
    default="",
    callback=_words,
    help="Addresses or networks whose X-Forwarded-For and X-Forwarded-Proto are believed.",
)
@click.option(
    "--names", envvar="TICHU_NAMES", default="", callback=_words, help="Other names by which browsers reach it."
)
@click.option(
    "--origins", envvar="TICHU_ORIGINS", default="", callback=_words, help="Other sites whose pages may talk to it."
)
@click.option(
    "--retention-days",
    type=FiniteRange(0),
    envvar="TICHU_RETENTION_DAYS",
    default=0,
    show_default=True,
    help="Forget finished games after this many days; 0 keeps them.",
)
@click.option(
    "--table-days",
    type=FiniteRange(0, min_open=True),
    envvar="TICHU_TABLE_DAYS",
    default=30,
    show_default=True,
    help="Close tables that nobody has visited for this many days.",
)
@click.option(
    "--player-days",
    type=FiniteRange(0),
    envvar="TICHU_PLAYER_DAYS",
    default=180,
    show_default=True,
    help="Forget players in no kept game who did not come for this many days; 0 keeps them.",
)
@click.option(
    "--service-worker/--no-service-worker",
    envvar="TICHU_SERVICE_WORKER",
    default=True,
    show_default=True,
    help="Let browsers keep the page's files, or have them drop what they have kept.",
)
@click.option(
    "--workers",
    type=click.IntRange(1, 64),
    envvar="TICHU_WORKERS",
    default=1,
    show_default=True,
    help="Processes in which bots think.",
)
@click.option(
    "--metrics-token", envvar="TICHU_METRICS_TOKEN", default="", help="Who shows it may read /metrics; else nobody may."
)
@click.option(
    "--metrics-port",
    type=click.IntRange(0, 65535),
    envvar="TICHU_METRICS_PORT",
    default=0,
    help="Show the metrics at a port of their own, to this machine alone.",
)
@click.option(
    "--operator-token", envvar="TICHU_OPERATOR_TOKEN", default="", help="Who shows it may do what tichu admin does."
)
@click.option(
    "--smtp",
    envvar="TICHU_SMTP",
    default="",
    help="Where mail is handed in, for lost passwords: smtp://user:password@host:587; better given as TICHU_SMTP.",
)
@click.option(
    "--mail-from", envvar="TICHU_MAIL_FROM", default="", help="The address that mail comes from: tichu@example.org"
)
@click.option(
    "--node", envvar="TICHU_NODE", default="", help="Share a PostgreSQL database with other nodes, by this name."
)
@click.option(
    "--node-url", envvar="TICHU_NODE_URL", default="", help="Where other nodes reach it: http://10.0.0.1:8080"
)
@click.option(
    "--node-secret", envvar="TICHU_NODE_SECRET", default="", help="What nodes prove themselves with to each other."
)
@click.option(
    "--processes",
    type=click.IntRange(1, 64),
    envvar="TICHU_PROCESSES",
    default=1,
    show_default=True,
    help="So many nodes behind one listener, over PostgreSQL.",
)
@click.option(
    "--quick-rules",
    type=RULES,
    envvar="TICHU_QUICK_RULES",
    default="standard",
    show_default=True,
    help="What is played in quick matches.",
)
@click.option("--quick-pace", type=FiniteRange(0, 10), envvar="TICHU_QUICK_PACE", default=1, help="And how fast.")
@click.option(
    "--quick-bots-seconds",
    type=FiniteRange(0),
    envvar="TICHU_QUICK_BOTS_SECONDS",
    default=45,
    show_default=True,
    help="After how long bots are offered to those who look for a match.",
)
@click.option(
    "--quick-same-address",
    is_flag=True,
    envvar="TICHU_QUICK_SAME_ADDRESS",
    help="Let people of one address meet in rated quick matches, as in a club behind one router.",
)
@click.option(
    "--limit", "limits", type=_LimitType(), envvar="TICHU_LIMIT", multiple=True, help="Change a limit of the guard."
)
def serve(
    host: str,
    port: int,
    data: Path | None,
    database: str | None,
    public_url: str,
    prefix: str,
    trusted_proxies: tuple[str, ...],
    names: tuple[str, ...],
    origins: tuple[str, ...],
    retention_days: float,
    table_days: float,
    player_days: float,
    service_worker: bool,
    workers: int,
    metrics_token: str,
    metrics_port: int,
    operator_token: str,
    smtp: str,
    mail_from: str,
    node: str,
    node_url: str,
    node_secret: str,
    processes: int,
    quick_rules: Rules,
    quick_pace: float,
    quick_bots_seconds: float,
    quick_same_address: bool,
    limits: tuple[tuple[str, float], ...],
) -> None:
    """Serve tables to browsers and bots, until Ctrl-C.  Every option can be given as a variable: TICHU_PORT=80."""
    config = Config(
        database=database or str((data or data_folder()) / FILE_NAME),
        public_url=public_url,
        prefix=prefix,
        trusted_proxies=trusted_proxies,
        more_names=names,
        more_origins=origins,
        retention_days=retention_days,
        table_days=table_days,
        player_days=player_days,
        service_worker=service_worker,
        workers=workers,
        metrics_token=metrics_token,
        metrics_port=metrics_port,
        operator_token=operator_token,
        smtp=smtp,
        mail_from=mail_from,
        limits=Limits(**dict(limits)),  # type: ignore[arg-type]
        quick=QuickRules(
            rules=str(quick_rules),
            pace=quick_pace,
            bots_seconds=quick_bots_seconds,
            same_address=quick_same_address,
        ),
    )
    from tichu.server.serve import listen

    logging.basicConfig(format="%(asctime)s %(levelname)s %(message)s", level=logging.INFO)
    with listen(host, port) as place:
        address = f"http://{place_name(place)}{prefix}/"
        if processes > 1:
            _run_processes(config, place, processes, (node, node_url, node_secret), public_url or address)
            return
        if node:
            url = node_url or f"http://{_reached_at(place)}"
            config = replace(config, node=node, node_url=url, node_secret=node_secret)
        run_server(config, place, _announce(f"Tables at {public_url or address} until Ctrl-C"))


def _run_processes(
    config: Config, place: socket.socket, processes: int, node: tuple[str, str, str], address: str
) -> None:
    from tichu.server.processes import node_configs, run_processes

    name, url, secret = node
    configs = node_configs(config, processes, name, url, secret)
    click.echo(f"Tables at {address} in {processes} processes until Ctrl-C")
    if not run_processes(configs, place):
        raise click.ClickException("the processes do not keep running; the log says why")


def _reached_at(place: socket.socket) -> str:
    """Where other nodes find this one unless it is told."""
    name = place_name(place)
    return name.replace("0.0.0.0:", "127.0.0.1:").replace("[::]:", "[::1]:")


def place_name(place: socket.socket) -> str:
    """Host and port as they stand in an address."""
    host, port = place.getsockname()[:2]
    return f"[{host}]:{port}" if ":" in host else f"{host}:{port}"


def _announce(line: str) -> Started:
    async def started(lobby: "Lobby") -> None:
        click.echo(line)

    return started


def run_server(config: Config, place: socket.socket, started: Started) -> None:
    """Run a server to its end; what is wrong with its store is one line."""
    from tichu.server.serve import run
    from tichu.server.store import StoreError, TakenOver
    from tichu.server.supervision import REPLACED

    try:
        asyncio.run(run(config, place, started))
    except TakenOver as error:
        click.echo(f"Error: {error}", err=True)
        sys.exit(REPLACED)
    except StoreError as error:
        raise click.ClickException(str(error)) from None


@click.command()
@click.argument("file", type=FilePath(dir_okay=False))
@data_option
@click.option("--database", envvar="TICHU_DATABASE", help="As for tichu serve.")
def backup(file: Path, data: Path | None, database: str | None) -> None:
    """Copy all tables, games and players into FILE, also while a server runs."""
    from tichu.server.store import StoreError
    from tichu.server.store.sqlite import SqliteStore

    source = database or str((data or data_folder()) / FILE_NAME)
    if source.startswith(("postgres://", "postgresql://")):
        raise GameError("a PostgreSQL database is backed up with pg_dump")
    path = Path(source.removeprefix("sqlite:"))
    if not path.is_file():
        raise GameError(f"{path}: no such file; --data says where the server keeps its tables")
    try:
        asyncio.run(SqliteStore(path).backup(file))
    except StoreError as error:
        raise click.ClickException(str(error)) from None
    click.echo(f"Everything is in {file}.")
