"""``tichu connect``: one of our bots at a table of any server."""

import sys

import click

from tichu.agents.guard import Guarded
from tichu.agents.registry import make_agent
from tichu.cli.options import BOTS
from tichu.cli.status import INTERRUPTED
from tichu.cli.typed import BOT, FiniteRange, typed

__all__ = ["connect"]

_HOUR_MS = 3_600_000


@click.command()
@click.argument("url")
@click.option("--bot", "name", required=True, type=BOT, help=f"The bot: {BOTS} or process:CMD.")
@click.option("--table", help="The id of the table, if URL is not its link.")
@click.option("--code", help="The code of the table.")
@click.option("--seat", type=click.IntRange(0, 3), help="Which seat; without it any free one.")
@click.option("--token", envvar="TICHU_TOKEN", help="Of an earlier run, to take up the same seat.")
@click.option("--seed", type=int, default=0, show_default=True, help="The bot's chance.")
@click.option(
    "--time", "limit_ms", type=FiniteRange(1, _HOUR_MS), default=5000, show_default=True, help="Ms a decision."
)
@click.option("--once", is_flag=True, help="End with the game instead of waiting for the next.")
def connect(
    url: str,
    name: str,
    table: str | None,
    code: str | None,
    seat: int | None,
    token: str | None,
    seed: int,
    limit_ms: float,
    once: bool,
) -> None:
    """Let a bot take a seat at a table of a server.

    URL is a server, as http://localhost:8080, or the link to a table.  The bot plays until it is interrupted or the
    table is gone; a connection that breaks is taken up again.
    """
    from tichu.server.client.client import Guest, ServerApi, parse_address  # Most commands need no server.

    with typed("URL"):
        address = parse_address(url)
    if [table, code, address.table].count(None) != 2:
        raise click.UsageError("say which table: by its link, or by one of --table and --code")
    server = ServerApi(address, token)
    agent = Guarded(make_agent(name, seed), limit_ms)
    try:
        if server.token is None:
            registered = server.register(name[-24:])
            click.echo(f"a new player {registered.player}; --token {registered.token} comes back to its seat", err=True)
        where = table or address.table or server.table_of(code or "")
        Guest(server, where, agent, seat, lambda line: click.echo(line, err=True)).play(once=once)
    except KeyboardInterrupt:
        sys.exit(INTERRUPTED)
    finally:
        server.close()
        agent.close()
