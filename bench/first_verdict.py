"""How soon a review has something to show: ``python -m bench.first_verdict [GAMES]``.

A server of our own with real games that nobody has reviewed.  For one after another a person asks for the review; told
is after how many seconds the first decision was compared.  The process for reviews is started for the first of them.
"""

import asyncio
import json
import tempfile
import time
from pathlib import Path

import click

from bench.attacks.dear import request
from bench.load import start_server, stop_server
from bench.review_queue import LIMITS, store_games

_JSON = {"content-type": "application/json"}
_POLL_S = 0.05
_LONGEST_S = 120.0


async def first_verdict(port: int, game: str) -> float:
    """Seconds until a decision of the game was compared.

    :raises click.ClickException: it is refused, or takes too long
    """
    _, made = await request(port, "POST", "/api/players", _JSON, b'{"name": "Reviewer"}')
    headers = {"authorization": f"Bearer {json.loads(made)['token']}"}
    begin = time.monotonic()
    status, answer = await request(port, "POST", f"/api/games/{game}/review", headers)
    while status == 200 and time.monotonic() < begin + _LONGEST_S:
        if any(each.get("worlds") for each in json.loads(answer)["decisions"]):
            return time.monotonic() - begin
        await asyncio.sleep(_POLL_S)
        status, answer = await request(port, "GET", f"/api/games/{game}/review")
    raise click.ClickException(f"no verdict within {_LONGEST_S:.0f} s: {status} {answer[:200]!r}")


async def _measure(port: int, games: list[str]) -> None:
    for number, game in enumerate(games):
        note = " (the process is started)" if number == 0 else f" ({number} other games in the queue)"
        print(f"{game}: {await first_verdict(port, game):.1f} s{note}", flush=True)  # noqa: T201


@click.command()
@click.argument("number", metavar="GAMES", type=click.IntRange(1, 20), default=5)
def main(number: int) -> None:
    """Measure."""
    with tempfile.TemporaryDirectory() as name:
        games = store_games(Path(name))[:number]
        server, port = start_server(Path(name), *LIMITS)
        try:
            asyncio.run(_measure(port, games))
        finally:
            stop_server(server)


if __name__ == "__main__":
    main()
