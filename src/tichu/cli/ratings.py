"""``tichu ratings``: everybody's ratings from the rows of their matches."""

import asyncio
import hashlib
import json
import time
from pathlib import Path

import click

from tichu.cli.options import json_option
from tichu.cli.serve import FILE_NAME, data_option
from tichu.core.errors import GameError
from tichu.ratings import Ledger, rebuild, settle_all
from tichu.server.config import data_folder

__all__ = ["ratings"]


@click.command()
@data_option
@click.option("--database", envvar="TICHU_DATABASE", help="As for tichu serve.")
@click.option("--settle", is_flag=True, help="First work out anew what every match counts for, and store it.")
@json_option
def ratings(data: Path | None, database: str | None, settle: bool, as_json: bool) -> None:
    """Rebuild all ratings from the rows of matches; no server may run on them meanwhile."""
    from tichu.server.store import StoreError

    source = database or str((data or data_folder()) / FILE_NAME)
    path = Path(source.removeprefix("sqlite:"))
    if not source.startswith(("postgres://", "postgresql://")) and not path.is_file():
        raise GameError(f"{path}: no such file; --data says where the server keeps its tables")
    began = time.perf_counter()
    try:
        number, changed, ledger = asyncio.run(_rebuild(source, settle=settle))
    except StoreError as error:
        raise click.ClickException(str(error)) from None
    seconds = time.perf_counter() - began
    digest = hashlib.sha256(ledger.dump()).hexdigest()
    pools = [
        {
            "league": pool.league,
            "rules": pool.rules,
            "clock": pool.clock,
            "players": len(board.players),
            "listed": len(board.leaderboard()),
            "pairs": len(board.pairs),
        }
        for pool, board in ledger.boards.items()
    ]
    if as_json:
        told = {"matches": number, "changed": changed, "pools": pools, "seconds": round(seconds, 3), "digest": digest}
        click.echo(json.dumps(told))
        return
    if settle:
        click.echo(f"{changed} matches count for something else now.")
    for one in pools:
        click.echo(
            "{league}, {rules}, {clock}: {players} players, {listed} of them listed, {pairs} pairs".format(**one)
        )
    click.echo(f"{number} matches, rebuilt within {seconds:.1f} s: {digest}")


async def _rebuild(source: str, *, settle: bool) -> tuple[int, int, Ledger]:
    from tichu.server.rating.service import all_rows
    from tichu.server.store import open_store
    from tichu.server.store.matches import change_matches

    store = await open_store(source)
    try:
        rows = [row async for row in all_rows(store)]
        changed = 0
        if settle:
            # What was taken back stays so; only what follows from other rows is worked out anew.
            settled = list(settle_all(rows))
            new = [row for row, was in zip(settled, rows, strict=True) if row != was]
            await store.write(change_matches, new)
            rows, changed = settled, len(new)
        return len(rows), changed, rebuild(rows)
    finally:
        await store.close()
