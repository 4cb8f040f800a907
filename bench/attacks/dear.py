"""Requests and messages that may take a server long, and what it must have for that: games, tables, a long talk."""

import asyncio
import hashlib
import json
import random
import re
import secrets
import sys
from collections.abc import Awaitable, Callable, Iterator
from itertools import count
from pathlib import Path
from typing import Any, Final

import msgspec

from bench.sockets import open_socket
from tichu import Game, Rules, format_action, format_deal, shuffled_deal
from tichu.analysis.verdicts import KINDS, CandidateValue, DecisionReview, RoundPlan
from tichu.core.record import Record, RoundRecord, format_jsonl
from tichu.ratings import MatchRow
from tichu.server.log import Checkpoint, FinishedGame, GameSummary, Occupant, OpenEntry, Result, encode
from tichu.server.results import count_game
from tichu.server.reviews.sheets import SeatSheet, encode_sheet
from tichu.server.store import StoredPart, StoredPlayer, open_store
from tichu.server.store.matches import keep_match
from tichu.server.store.scripts import Script
from tichu.server.store.showing import keep_sheets

__all__ = ["Attack", "Target", "attacks", "prepare_store", "request"]

_HOST: Final = "127.0.0.1"
_JSON: Final = {"content-type": "application/json"}
_PLAYER: Final = "attacker"
_GAME: Final = "game0"
_LONG: Final = "long"
#: Games that a profile adds up, and how many rounds they have.
_REVIEWED, _LONG_GAME_ROUNDS = 200, 150
#: Guests who have blocked the player: nobody can keep them from it, and each costs nothing.
_BLOCKERS: Final = 10_000
#: Rated matches, and who plays in them, so that there is a leaderboard.
_MATCHES, _RATED = 300, 24
#: As long as a body and a frame may be.
_BODY: Final = 16_000
_FRAME: Final = 8_000

#: Does something once and says how it was answered, in a word.
Attack = Callable[[], Awaitable[str]]


async def request(
    port: int, method: str, path: str, headers: dict[str, str] | None = None, body: bytes = b""
) -> tuple[int, bytes]:
    """One HTTP request on a connection of its own."""
    reader, writer = await asyncio.open_connection(_HOST, port)
    lines = [f"{method} {path} HTTP/1.1", f"content-length: {len(body)}", "connection: close"]
    lines += [f"{name}: {value}" for name, value in ({"host": f"{_HOST}:{port}"} | (headers or {})).items()]
    writer.write("\r\n".join([*lines, "", ""]).encode() + body)
    try:
        answer = await reader.read()
    finally:
        writer.close()
    head, _, content = answer.partition(b"\r\n\r\n")
    found = re.match(rb"HTTP/1.1 (\d+)", head)
    return (int(found[1]) if found else 0), content


def _round(rules: Rules, rng: random.Random) -> Game:
    game = Game.start(shuffled_deal(rng), rules)
    while not game.round.is_over:
        seat = game.round.pending[0]
        game = game.after(seat, game.round.view(seat).legal().draw(rng))
    return game


def _long_round(rules: str) -> tuple[str, list[str]]:
    """A deal and nearly all actions of the longest of some rounds."""
    games = (_round(Rules.parse(rules), random.Random(seed)) for seed in range(60))
    longest = max(games, key=lambda game: len(game.actions))
    return format_deal(longest.deal), [format_action(*one) for one in longest.actions[:-2]]


async def prepare_store(folder: Path, token: str, games: int) -> None:
    """A player with many finished games, the last of them long."""
    rng = random.Random(1)
    rounds = [_round(Rules(), rng) for _ in range(40)]
    record = format_jsonl(
        Record(Rules(), tuple(RoundRecord(one.deal, one.actions, one.round.outcome.score) for one in rounds))
    )
    store = await open_store(str(folder / "tichu.db"))
    key = hashlib.sha256(token.encode()).hexdigest()
    await store.keep_player(StoredPlayer(_PLAYER, "Eve", key, "person", 1.0))
    names, players = ("Eve", "Ben", "Cho", "Dov"), (_PLAYER, "", "", "")
    summary = GameSummary(_GAME, "old", 2e9, "standard", names, players, (1000, 0), casual=False)
    counted = count_game(FinishedGame(summary, record))
    await store.append(_LONG, 1, [encode(_long_game(rounds))])
    for number in range(games):
        one = counted.summary._replace(id=f"game{number}", finished=2e9 - number)
        await store.append("old", 1, [], game=counted._replace(summary=one, is_open=True))
        if number < _REVIEWED:
            await store.write(keep_sheets, one.id, [_sheet(_LONG_GAME_ROUNDS)] * 4)
    for part in _long_review(len(rounds)):
        await store.keep_review(_GAME, part)
    await store.write(_blocks)
    for row in _season(rng):
        await store.write(keep_match, row)
    await store.close()


def _blocks() -> Script[None]:
    for number in range(_BLOCKERS):
        yield "INSERT INTO blocks VALUES (?, ?, ?)", f"guest{number}", _PLAYER, 1.0


def _season(rng: random.Random) -> Iterator[MatchRow]:
    people = [_PLAYER, *(f"rated{number}" for number in range(1, _RATED))]
    for number in range(_MATCHES):
        a, b, c, d = rng.sample(people, 4)
        yield MatchRow(
            match=f"match{number}",
            at=86_400_000 * number,
            rules="standard",
            clock="normal",
            players=(a, b, c, d),
            score=(1000, 500),
            winner=0 if rng.random() < 0.5 else 1,
            from_pool=True,
        )


def _sheet(rounds: int) -> str:
    """What was lost in a game in which there was something to lose in every way, in every round."""
    return encode_sheet(SeatSheet(rounds, dict.fromkeys(KINDS, (17.25,) * rounds)))


def _long_review(rounds: int) -> Iterator[StoredPart]:
    """Of every round but the last, so that it is not over: a plan, and nine parts of two decisions."""
    values = tuple(CandidateValue(f"1:{card}", 10.0, 5.0, 0.5) for card in ("7s", "8s", "9s"))
    for number in range(rounds - 1):
        same = tuple(DecisionReview("", number, action, 0, "follow", "0:-", "0:-", 0.0, 0.0, 0) for action in range(40))
        parts = tuple((action, action + 1) for action in range(100, 118, 2))
        yield StoredPart(number, 0, msgspec.json.encode(RoundPlan(same, parts, before=0.5, after=0.5)))
        for part, actions in enumerate(parts, 1):
            found = [
                DecisionReview("", number, action, 1, "lead", "1:7s", "1:8s", 9.0, 8.0, 400, values, action / 200)
                for action in actions
            ]
            yield StoredPart(number, part, msgspec.json.encode(found))


def _long_game(rounds: list[Game]) -> Checkpoint:
    """A table at which very many rounds of a game are played; all of them are in its state and in its log."""
    opened = OpenEntry(
        at=2e9,
        id=_LONG,
        code="LONGER",
        secret="00" * 16,
        host=_PLAYER,
        settings='{"rules":"standard goal=target:10000"}',
    )
    results = tuple(
        Result(
            points=one.round.outcome.points,
            bonus=(0, 0),
            out=one.round.outcome.out,
            calls="----",
            deal=format_deal(one.deal),
            actions=tuple(format_action(*action) for action in one.actions),
            commit="0" * 64,
            seed="0" * 64,
            nonces=("0" * 64,) * 4,
            nonce_commits=("0" * 64,) * 4,
        )
        for one in rounds * 4
    )
    seats = (
        Occupant(name="Eve", player=_PLAYER),
        *(Occupant(name=name, bot="greedy") for name in ("Ben", "Cho", "Dov")),
    )
    return Checkpoint(
        at=2e9, opened=opened, version=20_000, seats=seats, host=_PLAYER, game="long", stage="playing", results=results
    )


class Target:
    """A server that has been prepared, and how to reach it."""

    def __init__(self, port: int, token: str) -> None:
        self.port = port
        self.only = ""
        #: The token of the player with many games.
        self.eve = token
        self.bearer = {"authorization": f"Bearer {token}"}
        #: A table in the middle of a round with a long talk, and the token of its host.
        self.table = self.host = ""
        self._numbers = count()

    @classmethod
    async def prepare(cls, port: int, token: str, tables: int) -> "Target":
        """Open tables, and talk at one of them."""
        target = cls(port, token)
        for _ in range(tables):
            await target.make(
                {"settings": {"private": False, "name": "A table of forty signs, all of them long"}}, eve=True
            )
        body = {"settings": {"pace": 10.0}, "seats": ["you", "greedy", "greedy", "greedy"], "start": True}
        made = await target.make(body)
        target.table, target.host = made["table"]["id"], made["you"]["token"]
        return target

    async def make(self, body: dict[str, Any], *, eve: bool = False) -> Any:
        """A table, of the player with many games or of somebody new."""
        headers = _JSON | (self.bearer if eve else {})
        status, made = await request(self.port, "POST", "/api/tables", headers, json.dumps(body).encode())
        if status != 201:
            sys.exit(f"no table could be made: {status} {made[:200]!r}")
        return json.loads(made)

    def get(self, path: str, headers: dict[str, str] | None = None) -> Attack:
        """Ask for a page."""

        async def attack() -> str:
            status, _ = await request(self.port, "GET", path, self.bearer | (headers or {}))
            return str(status)

        return attack

    async def read_stream(self) -> str:
        """Follow a table for one line."""
        reader, writer = await asyncio.open_connection(_HOST, self.port)
        try:
            head = f"GET /api/tables/{self.table}/stream HTTP/1.1\r\nhost: {_HOST}\r\n"
            writer.write(f"{head}authorization: {self.bearer['authorization']}\r\n\r\n".encode())
            status = (await reader.readline()).split()[1].decode()
            while b"welcome" not in await reader.readline():
                pass
            return status
        finally:
            writer.close()

    def post(self, path: str, body: bytes | dict[str, Any]) -> Attack:
        """Post something."""
        data = body if isinstance(body, bytes) else json.dumps(body).encode()

        async def attack() -> str:
            status, _ = await request(self.port, "POST", path, self.bearer | _JSON, data)
            return str(status)

        return attack

    def say(
        self,
        *messages: bytes | dict[str, Any],
        since: int | None = None,
        token: str | None = None,
        table: str | None = None,
    ) -> Attack:
        """Come to the table and say something, each with another id; the answer to the last."""

        async def attack() -> str:
            heard: asyncio.Queue[bytes] = asyncio.Queue()
            socket = await open_socket(
                _HOST, self.port, None, "/ws/v1", heard.put_nowait, lambda: heard.put_nowait(b'{"type":"closed"}')
            )
            try:
                hello = {"type": "hello", "table": table or self.table, "token": token or self.host, "since": since}
                socket.say(json.dumps(hello).encode())
                answer = json.loads(await heard.get())
                for message in messages:
                    name = f"x{next(self._numbers)}"
                    data = message if isinstance(message, bytes) else json.dumps(message | {"id": name}).encode()
                    socket.say(data)
                    while True:
                        answer = json.loads(await heard.get())
                        if answer["type"] in ("closed", "error") or answer.get("id") == name:
                            break
                return str(answer.get("reason") or answer.get("code") or answer["type"])
            finally:
                socket.close()

        return attack


async def attacks(target: Target) -> dict[str, Attack]:
    """Everything that may be dear, by name."""
    deal, actions = _long_round("courtesy")
    wrong = [*actions[:-1], "0:Dr"]
    given = {"deal": deal, "rules": "courtesy"}
    bots = ["greedy"] * 4
    deep = b"[" * (_FRAME - 100)
    marks = "a" + "\u0301" * 279
    cards = ["2s", "3s", "4s", "5s", "6s", "7s", "8s", "9s", "Ts", "Js", "Qs", "Ks", "As", "Ph"]
    rules = "standard bombs=in-turn exchange=no grand=no dragon=auto goal=target:10000"
    game = f"/api/games/{_GAME}"
    table = f"/api/tables/{target.table}/commands"
    plain: dict[str, Attack] = {
        "nothing dear": target.get("/api/rules"),
        "pictures": target.get("/api/qr?path=/t/" + "x" * 190),
        "pictures, long host": target.get("/api/qr?path=/t/x", {"host": "a" * 3000}),
        "secret pictures": target.post("/api/qr", {"path": "/t/" + "x" * 290}),
        "views": target.get(f"{game}/views"),
        "views, gzip": target.get(f"{game}/views?seat=0", {"accept-encoding": "gzip"}),
        "game as JSON": target.get(f"{game}.json"),
        "game as TTN": target.get(f"{game}.ttn"),
        "game as BSW log": target.get(f"{game}.tch"),
        "about a game": target.get(game),
        "own results": target.get("/api/me"),
        "a long game": target.get(f"/api/tables/{_LONG}"),
        "own games": target.get("/api/games?limit=50"),
        "the start page": target.get("/api/home"),
        "somebody": target.get(f"/api/players/{_PLAYER}"),
        "somebody's games": target.get(f"/api/players/{_PLAYER}/games?limit=50"),
        "somebody's ratings": target.get("/api/players/rated1/ratings"),
        "the leaderboard": target.get("/api/leaderboard"),
        "people": target.get("/api/me/people"),
        "everything about oneself": target.get("/api/me/export"),
        "lost passwords": target.post("/api/login/mail", {"name": "\ufdfa" * 24}),
        "addresses": target.post("/api/me/email", {"email": "a" * 200 + "@example.org", "password": "x" * 900}),
        "a long review": target.get(f"/api/games/{_GAME}/review"),
        "reviews": target.post(f"/api/games/{_GAME}/review", {}),
        "codes": target.get("/api/codes/" + "A" * 200),
        "public tables": target.get("/api/tables"),
        "health": target.get("/healthz"),
        "description of the API": target.get("/openapi.json"),
        "the page": target.get("/"),
        "new players": target.post("/api/players", {"name": "ﷺ" * 24}),
        "tables": target.post("/api/tables", {"settings": {"rules": rules}, "seats": ["you"]}),
        "tables of bots": target.post("/api/tables", {"settings": {"pace": 0}, "seats": bots, "start": True}),
        "tables, a round played": target.post("/api/tables", {"settings": given | {"actions": actions}, "start": True}),
        "tables, a wrong round": target.post("/api/tables", {"settings": given | {"actions": wrong}}),
        "tables, much too long": target.post("/api/tables", {"settings": given | {"actions": ["0:-"] * 400}}),
        "bodies, deep": target.post("/api/tables", b"[" * _BODY),
        "bodies, many fields": target.post("/api/tables", {f"f{n}": n for n in range(1200)}),
        "bodies, long number": target.post("/api/tables", b'{"settings": {"pace": ' + b"9" * _BODY + b"}}"),
        "headers, many": target.get("/api/rules", {f"x-{n}": "y" * 50 for n in range(90)}),
        "paths, long": target.get("/api/tables/" + "x" * 60_000),
        "queries, long": target.get("/api/games?" + "&".join(f"a{n}=%41%42" for n in range(3000))),
        "commands": target.post(table, {"type": "TABLE.SAY", "id": "one", "text": marks}),
    }
    sockets: dict[str, Attack] = {
        "streams": target.read_stream,
        "coming": target.say(),
        "coming after long": target.say(since=0),
        "watching": target.say(token=secrets.token_urlsafe(24)),
        "coming to a long game": target.say(table=_LONG),
        "talk in a long game": target.say({"type": "TABLE.SAY", "text": marks}, table=_LONG, token=target.eve),
        "talk": target.say({"type": "TABLE.SAY", "text": marks}),
        "talk, on and on": target.say(*[{"type": "TABLE.SAY", "text": "a" * 280}] * 25),
        "checks": target.say(*[{"type": "check", "cards": cards}] * 20),
        "plays": target.say(*[{"type": "TICHU.PLAY_CARDS", "cards": cards, "version": 1}] * 20),
        "hints": target.say({"type": "hint"}),
        "frames, deep": target.say(b'{"type":"check","id":"a","cards":' + deep),
        "frames, many cards": target.say({"type": "check", "cards": ["2s"] * 900}),
        "settings": target.say({"type": "TABLE.CHANGE_SETTINGS", "settings": {"rules": rules}}),
        "pauses": target.say({"type": "TABLE.PAUSE"}, {"type": "TABLE.RESUME"}),
    }
    return {name: attack for name, attack in (plain | sockets).items() if target.only in name}
