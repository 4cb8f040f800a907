"""A site with many people: what they wait for, and how long a rebuild of all ratings takes.

``python -m bench.site`` fills a SQLite file and a PostgreSQL server of its own with 10,000 accounts and 100,000 rated
matches of known strength, one of ten reviewed, starts a server on each, and asks it over HTTP for profiles,
leaderboards and what the home page shows; then it rebuilds all ratings and compares them with the server's to the last
bit.  Whoever asks is logged in as one of the accounts, which have games, ratings, tables of their own, and people whom
they follow and block; 200 tables of theirs are open, and at some of them a game is on.
"""

import asyncio
import random
import statistics
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from functools import partial
from pathlib import Path
from typing import Any, Final

import click
import httpx

from bench.postgres import NoPostgres, postgres
from tichu.agents.base import Choice
from tichu.agents.greedy import GreedyAgent
from tichu.analysis.verdicts import KINDS
from tichu.ratings import History, MatchRow, rebuild
from tichu.server.config import Config, Limits
from tichu.server.lobby import Lobby
from tichu.server.log import FinishedGame, GameSummary, SeatResult
from tichu.server.players import SESSION_S, hash_token, new_token
from tichu.server.rating.service import all_rows
from tichu.server.reviews.sheets import SeatSheet, encode_sheet
from tichu.server.serve import listen, start_server
from tichu.server.store import Store, open_store
from tichu.server.store.accounts import NewSession, add_session, has_password
from tichu.server.store.matches import MATCH_COLUMNS, match_values
from tichu.server.store.rows import PLAYER_GAMES, player_rows, row_of, total_rows
from tichu.server.store.scripts import Script
from tichu.server.store.showing import keep_sheets
from tichu.server.table.ports import BotAsk, Player
from tichu.server.wire.settings import Settings

__all__ = ["fill", "make_rows", "measure", "move_in"]

_START: Final = 1_700_000_000_000
#: Statements take so many rows at once.
_BATCH: Final = 100
_CHUNK: Final = 5_000
#: Accounts that visit the site, and how many others each follows and blocks.
_VISITORS: Final = 40
_RELATIONS: Final = 5
#: Of so many games one was reviewed, and what every seat lost in it.
_REVIEWED: Final = 10
_LOST: Final = SeatSheet(8, {kind: tuple(range(8)) for kind in KINDS})
_FREE: Final = Limits(address_rate=1e6, address_burst=1_000_000, costly_rate=1e6, costly_burst=1_000_000)


def make_rows(players: int, matches: int, seed: int) -> Iterator[MatchRow]:
    """Matches of people whose strength decides, over half a year; neighbours in strength meet, as in a pool."""
    rng, history = random.Random(seed), History()
    strength = {f"player{at:05}": rng.gauss(0, 20) for at in range(players)}
    order = sorted(strength, key=lambda player: strength[player])
    step = 180 * 24 * 3_600_000 // matches
    for number in range(matches):
        at = rng.randrange(players - 40)
        a, b, c, d = rng.sample(order[at : at + 40], 4)
        margin = strength[a] + strength[c] - strength[b] - strength[d]
        winner = int(rng.random() > 1 / (1 + 10 ** (-margin / 100)))
        row = MatchRow(
            match=f"match{number:06}",
            at=_START + number * step,
            rules="standard",
            clock=rng.choice(("fast", "normal")),
            players=(a, b, c, d),
            score=(1000, 600) if winner == 0 else (600, 1000),
            winner=winner,  # type: ignore[arg-type]
            pairs=(rng.random() < 0.1, False),
            from_pool=True,
        )
        row = history.settle(row)
        history.add(row)
        yield row


def _insert(head: str, rows: Sequence[tuple[Any, ...]]) -> Script[None]:
    for start in range(0, len(rows), _BATCH):
        some = rows[start : start + _BATCH]
        marks = ", ".join("(" + ", ".join("?" * len(row)) + ")" for row in some)
        yield f"{head} VALUES {marks}", *(value for row in some for value in row)


async def fill(store: Store, players: int, matches: int, seed: int) -> None:
    """People and their matches."""
    names = [f"player{at:05}" for at in range(players)]
    people = [(name, name, f"hash {name}", "person", 0.0, 0.0) for name in names]
    head = "INSERT INTO players (id, name, token_hash, kind, created, seen)"
    for start in range(0, players, _CHUNK):
        await store.write(_insert, head, people[start : start + _CHUNK])
    head = "INSERT INTO accounts (player, name, handle, password, email, created)"
    accounts = [(name, name, f"handle {name}", "", "", 0.0) for name in names]
    for start in range(0, players, _CHUNK):
        await store.write(_insert, head, accounts[start : start + _CHUNK])
    rows = list(make_rows(players, matches, seed))
    for start in range(0, matches, _CHUNK):
        some = rows[start : start + _CHUNK]
        kept = [match_values(row, place) for place, row in enumerate(some, start + 1)]
        await store.write(_insert, f"INSERT INTO matches ({MATCH_COLUMNS})", kept)
        games = [_game(row) for row in some]
        await store.write(_insert, "INSERT INTO games", [row_of(game) for game in games])
        await store.write(_insert, f"INSERT INTO {PLAYER_GAMES}", [one for game in games for one in player_rows(game)])
        await store.write(_review, games[::_REVIEWED])
        await store.write(_insert, "INSERT INTO totals", total_rows(map(player_rows, games), f"bench {start}"))


def _review(games: Sequence[FinishedGame]) -> Script[None]:
    for game in games:
        yield from keep_sheets(game.summary.id, [encode_sheet(_LOST)] * 4)


def _game(row: MatchRow) -> FinishedGame:
    """The game of a match as it is kept, but for its record, which nobody here reads."""
    summary = GameSummary(
        row.match, "table", row.at / 1000, row.rules, row.players, row.players, row.score, False, row.winner
    )
    results = tuple(
        SeatResult(int(row.winner == seat % 2), 8, row.score[seat % 2], row.score[1 - seat % 2], 2, 1, 2, 1, 0, 0)
        for seat in range(4)
    )
    return FinishedGame(summary, "", results, is_open=True)


async def move_in(lobby: Lobby, players: int, tables: int, seed: int) -> list[str]:
    """Some of the accounts log in, make these tables, and follow and block others: their tokens."""
    rng, now, tokens = random.Random(seed), lobby.time(), []
    visitors = [f"player{at:05}" for at in rng.sample(range(players), min(_VISITORS, players // 2))]
    others = [player for player in (f"player{at:05}" for at in range(players)) if player not in visitors]
    for number, visitor in enumerate(visitors):
        token = new_token()
        session = NewSession(hash_token(token), f"session {number}", "bench", now, now + SESSION_S)
        assert await lobby.store.write(add_session, visitor, session, 1, partial(has_password, visitor, "")) is not None
        tokens.append(token)
        *followed, blocked = rng.sample(others, _RELATIONS)
        for other in followed:
            await lobby.accounts.relations.follow(visitor, other)
        await lobby.accounts.relations.block(visitor, blocked)
    for number in range(tables):
        host = visitors[number % len(visitors)]
        # At every fourth a game is on, which waits for its host.
        is_on = number % 4 == 0
        seats = ("you", "medium", "medium", "medium") if is_on else ("you", "medium", None, None)
        settings, player = Settings(private=False), Player(host, host, account=True)
        await lobby.open_table(settings, player, seats, start=is_on, address=host)
    return tokens


async def measure(url: str, players: int, requests: int, tokens: Sequence[str], seed: int) -> dict[str, list[float]]:
    """Seconds that answers took, by what was asked for; those with these tokens ask in turns."""
    rng = random.Random(seed)
    found: dict[str, list[float]] = {"profile": [], "leaderboard": [], "home": []}
    async with httpx.AsyncClient(base_url=url, timeout=60) as http:

        async def ask(what: str, *paths: str) -> None:
            headers = {"authorization": f"Bearer {rng.choice(tokens)}"}
            began = time.perf_counter()
            for path in paths:
                answer = await http.get(path, headers=headers)
                assert answer.status_code == 200, (path, answer.text)
            found[what].append(time.perf_counter() - began)

        for _ in range(requests):
            player = f"player{rng.randrange(players):05}"
            profile = f"/api/players/{player}"
            await ask("profile", profile, f"{profile}/ratings", f"{profile}/games?limit=10")
            await ask("leaderboard", f"/api/leaderboard?clock={rng.choice(('fast', 'normal'))}")
            await ask("home", "/api/home", "/api/me")
    return found


async def greedy(ask: BotAsk) -> Choice:
    """A bot in this process; nobody plays here."""
    return GreedyAgent(ask.seed).explain(ask.view, ask.view.legal())


async def _run(name: str, database: str, players: int, matches: int, tables: int, requests: int, seed: int) -> None:
    store = await open_store(database)
    await fill(store, players, matches, seed)
    await store.close()
    with listen("127.0.0.1", 0) as place:
        url = f"http://127.0.0.1:{place.getsockname()[1]}"
        began = time.perf_counter()
        async with start_server(Config(limits=_FREE, database=database), place, greedy) as server:
            last = f"match{matches - 1:06}"
            assert await server.lobby.ratings.wait_for(last, 600)
            click.echo(f"{name}: {matches:,} matches are rated {time.perf_counter() - began:.1f} s after the start")
            tokens = await move_in(server.lobby, players, tables, seed)
            found = await measure(url, players, requests, tokens, seed)
            digest = server.lobby.ratings.digest()
            began = time.perf_counter()
            await server.lobby.ratings.rebuild()
            seconds = time.perf_counter() - began
            assert server.lobby.ratings.digest() == digest
            rows = [row async for row in all_rows(server.lobby.store)]
            board = server.lobby.ratings.leaderboard(rows[0].pool)
            assert board == rebuild(rows).board(rows[0].pool).leaderboard()
    click.echo(
        f"{name}: rebuilt within {seconds:.1f} s, equal to the last bit: {digest[:16]}; {len(board):,} are listed"
    )
    for what, times in found.items():
        milliseconds = sorted(1000 * one for one in times)
        p99 = milliseconds[min(len(milliseconds) - 1, int(0.99 * len(milliseconds)))]
        click.echo(
            f"{name}: {what:<12} median {statistics.median(milliseconds):.1f} ms, p99 {p99:.1f} ms, "
            f"longest {milliseconds[-1]:.1f} ms of {len(milliseconds)}"
        )


@click.command()
@click.option("--players", type=click.IntRange(100), default=10_000)
@click.option("--matches", type=click.IntRange(10), default=100_000)
@click.option("--tables", type=click.IntRange(0, 4000), default=200, help="That are open meanwhile.")
@click.option("--requests", type=click.IntRange(4), default=400, help="Of each kind.")
@click.option("--seed", type=int, default=1)
@click.option("--only", type=click.Choice(["sqlite", "postgres"]), help="One of the two stores.")
def main(players: int, matches: int, tables: int, requests: int, seed: int, only: str | None) -> None:
    """Fill a site and visit it."""
    with ExitStack() as stack:
        folder = stack.enter_context(tempfile.TemporaryDirectory(prefix="tichu-site-"))
        stores = {"sqlite": f"sqlite:{Path(folder) / 'tichu.db'}"}
        if only != "sqlite":
            try:
                stores["postgres"] = stack.enter_context(postgres())
            except NoPostgres as error:
                raise click.ClickException(f"no PostgreSQL: {error}") from None
        for name, database in stores.items():
            if only in (None, name):
                asyncio.run(_run(name, database, players, matches, tables, requests, seed))


if __name__ == "__main__":
    main()
