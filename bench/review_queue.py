"""A server with more to review than it can do for hours: what others notice of it is measured by ``bench.load``."""

import asyncio
import json
from pathlib import Path
from typing import Final

import click

from bench.attacks.dear import request
from tichu import read_game
from tichu.core.record import format_jsonl
from tichu.server.config import Limits
from tichu.server.log import FinishedGame, GameSummary
from tichu.server.store import open_store

__all__ = ["LIMITS", "count_parts", "fill_queue", "store_games"]

_GAMES: Final = Path(__file__).parents[1] / "tests" / "games"
_USUAL: Final = Limits()
_JSON: Final = {"content-type": "application/json"}

#: Those who ask live at one address, and ask at once.
LIMITS: Final = ("--limit", "costly_burst=1000", "--limit", f"address_reviews_a_day={_USUAL.reviews}")


def store_games(folder: Path) -> list[str]:
    """Put as many real games into a new store as may be reviewed at a time: their ids."""
    texts = [format_jsonl(read_game(path).record()) for path in sorted(_GAMES.glob("*.ttn"))]
    names = [f"game-{number}" for number in range(_USUAL.reviews)]

    async def store() -> None:
        opened = await open_store(str(folder / "tichu.db"))
        for number, name in enumerate(names):
            seats = ("Ann", "Bob", "Cat", "Dan")
            summary = GameSummary(name, "old", 1e9, "standard", seats, ("", "", "", ""), (1000, 0), casual=False)
            await opened.append("old", 1, [], game=FinishedGame(summary, texts[number % len(texts)]))
        await opened.close()

    asyncio.run(store())
    return names


async def fill_queue(port: int, games: list[str]) -> None:
    """Ask for all of them, as few people as possible."""
    token = ""
    for number, game in enumerate(games):
        if number % _USUAL.person_reviews == 0:
            _, made = await request(port, "POST", "/api/players", _JSON, b'{"name": "Reviewer"}')
            token = json.loads(made)["token"]
        status, answer = await request(port, "POST", f"/api/games/{game}/review", {"authorization": f"Bearer {token}"})
        if status != 200:
            raise click.ClickException(f"a review was refused: {status} {answer[:200]!r}")


async def count_parts(port: int, games: list[str]) -> tuple[int, int]:
    """How many games are not done yet, and how many parts are."""
    states = [json.loads((await request(port, "GET", f"/api/games/{game}/review"))[1]) for game in games]
    return sum(state["state"] != "done" for state in states), sum(state["partsDone"] for state in states)
