"""What real sessions said: frames of sockets and requests, with names in place of what differs from server to server.

``python -m bench.fuzz.seeds`` records ``seeds.jsonl`` anew: four guests play a game, one says everything else once, and
the requests are those that the page and programs make.
"""

import asyncio
import json
import sys
import tempfile
from pathlib import Path
from random import Random
from typing import Any, Final, NamedTuple, get_args

import msgspec

from bench.load import start_server, stop_server
from bench.siege.honest import HonestTable, Tally
from tichu.server import wire

__all__ = ["Place", "Request", "Seeds", "load_seeds"]

_FILE: Final = Path(__file__).with_name("seeds.jsonl")
_FRAMES: Final = 150
_SECONDS: Final = 300.0


class Request(NamedTuple):
    """A request as it was made."""

    method: str
    path: str
    headers: dict[str, str]
    body: Any = None


class Seeds(NamedTuple):
    """All that was recorded."""

    #: By their type, so that a pass is not said more often than a wish.
    frames: tuple[tuple[dict[str, Any], ...], ...]
    requests: tuple[Request, ...]

    def frame(self, rng: Random) -> dict[str, Any]:
        """One of the frames."""
        return rng.choice(rng.choice(self.frames))


class Place(NamedTuple):
    """What the names in the seeds stand for on one server."""

    table: str
    token: str
    game: str = "none"
    code: str = "ABCDEF"

    def fill(self, text: str) -> str:
        """Put the real things in."""
        for name, value in self._asdict().items():
            text = text.replace(f"<{name}>", value)
        return text


#: What nobody says in the course of a game; fields that are named alike hold the like.
_FIELDS: Final[dict[str, Any]] = {
    "seat": 1,
    "first": 0,
    "second": 2,
    "bot": "greedy",
    "until": "turn",
    "text": "Hello, 안녕, Grüß Gott 🀄",
    "emote": "wow",
    "nonce": "0a1b",
    "commitment": "ab" * 32,
    "cards": ["7s", "7b"],
    "declaredCombo": {"type": "PAIR", "highRank": "7", "length": 2, "phoenixAs": "7", "wishRank": "NONE"},
    "wishRank": "A",
    "toOpponentPlayerId": 1,
    "left": "7s",
    "partner": "Ma",
    "right": "Dr",
    "version": 12,
    "name": "Ada",
    "table": "<table>",
    "token": "<token>",
    "since": 3,
    "pace": 1.0,
    "settings": {"rules": "standard goal=target:500", "private": True, "clock": {"decision": 30, "reserve": 60}},
}

_JSON: Final = {"content-type": "application/json"}
_TOKEN: Final = {"authorization": "Bearer <token>"}
_PASSWORD: Final = "correct horse"
_REQUESTS: Final = (
    *(
        Request("GET", path, {})
        for path in ("/", "/api/tables", "/api/tables/<table>", "/api/codes/<code>", "/api/rules", "/api/bots")
    ),
    *(Request("GET", path, {}) for path in ("/healthz", "/openapi.json", "/metrics", "/t/<table>")),
    Request("GET", "/api/qr?path=/t/x", {}),
    *(Request("GET", f"/api/games/<game>{end}", {}) for end in ("", ".ttn", ".tch", ".json", "/views?seat=1&round=0")),
    *(Request("GET", path, _TOKEN) for path in ("/api/me", "/api/games?limit=5&before=99", "/metrics")),
    Request("GET", "/api/tables/<table>/stream?since=1", _TOKEN),
    *(Request("GET", path, {}) for path in ("/api/home", "/api/login", "/game/<game>", "/player/none", "/api/puzzles")),
    Request("GET", "/api/leaderboard?rules=standard&clock=fast&league=people", {}),
    Request("GET", "/api/puzzles/none", {}),
    *(Request("GET", f"/api/players/none{end}", _TOKEN) for end in ("", "/games?before=99&limit=3", "/ratings")),
    *(Request("GET", f"/api/games/<game>/{end}", {}) for end in ("review", "ratings")),
    *(Request("GET", path, _TOKEN) for path in ("/api/home", "/api/quick")),
    *(Request("GET", f"/api/me/{what}", _TOKEN) for what in ("account", "export", "passkeys", "people")),
    *(
        Request(method, f"/api/me/{what}", _TOKEN)
        for what in ("follows/none", "blocks/none")
        for method in ("POST", "DELETE")
    ),
    *(Request("DELETE", path, _TOKEN) for path in ("/api/quick", "/api/me/sessions", "/api/me/sessions/none")),
    Request("DELETE", "/api/me/passkeys/none", _TOKEN),
    *(
        Request("POST", path, _JSON | _TOKEN, said)
        for path, said in (
            ("/api/quick", {"rated": False, "speed": "fast", "partner": "none", "device": "phone"}),
            ("/api/quick/bots", {}),
            ("/api/games/<game>/review", {}),
            ("/api/tables/<table>/key", {}),
            ("/api/players/none/reports", {"reason": "other", "words": "Hello", "table": "<table>", "game": "<game>"}),
            ("/api/me/codes", {"password": _PASSWORD}),
            ("/api/me/email", {"email": "ada@example.org", "password": _PASSWORD, "language": "en"}),
            ("/api/me/email/code", {"code": "abcd-efgh", "language": "de"}),
            ("/api/me/email/removal", {"password": _PASSWORD, "language": "ko"}),
            ("/api/me/guests", {"token": "none"}),
            ("/api/me/name", {"name": "Ada"}),
            ("/api/me/password", {"password": _PASSWORD, "newPassword": "battery staple"}),
            ("/api/me/passkeys", {"credential": "{}", "name": "phone", "password": _PASSWORD}),
            ("/api/me/passkeys/options", {}),
        )
    ),
    *(
        Request("POST", path, _JSON, said)
        for path, said in (
            ("/api/accounts", {"name": "Ada", "password": _PASSWORD, "device": "phone"}),
            ("/api/login", {"name": "Ada", "password": _PASSWORD, "device": "phone"}),
            ("/api/login/mail", {"name": "Ada", "language": "en"}),
            ("/api/login/passkey", {"credential": "{}", "device": "phone"}),
            ("/api/login/passkey/options", {}),
            (
                "/api/login/recovery",
                {"name": "Ada", "code": "abcd-efgh", "password": _PASSWORD, "device": "phone", "language": "en"},
            ),
        )
    ),
    Request("POST", "/api/players", _JSON, {"name": "Bob", "kind": "bot"}),
    Request("POST", "/api/qr", _JSON, {"path": "/t/<table>#<token>"}),
    Request(
        "POST",
        "/api/tables",
        _JSON | _TOKEN,
        {
            "settings": {"rules": "standard bombs=ordered", "name": "Ours", "clock": {"decision": 20, "reserve": 60}},
            "seats": ["you", "greedy", None, "medium"],
            "start": False,
            "name": "Ada",
        },
    ),
    Request(
        "POST",
        "/api/tables",
        _JSON,
        {"settings": {"pace": 0.5, "deal": "x", "actions": ["0-G", "1-G"]}, "seats": ["you"]},
    ),
    *(
        Request("POST", "/api/tables/<table>/commands", _JSON | _TOKEN, said)
        for said in (
            {"type": "TICHU.PASS", "id": "p1"},
            {"type": "check", "id": "k1", "cards": ["7s"]},
            {"type": "hint", "id": "h1"},
            {"type": "TABLE.SAY", "id": "s1", "text": "Hello"},
        )
    ),
)


def load_seeds() -> Seeds:
    """What was recorded, and a frame of every kind that clients may send."""
    frames: dict[str, list[dict[str, Any]]] = {}
    for frame in (*map(json.loads, _FILE.read_text(encoding="utf-8").splitlines()), *_every_kind()):
        frames.setdefault(frame["type"], []).append(frame)
    return Seeds(tuple(map(tuple, frames.values())), _REQUESTS)


def _every_kind() -> list[dict[str, Any]]:
    frames = []
    for kind in get_args(wire.FromClient):
        names = [field.encode_name for field in msgspec.structs.fields(kind)]
        known = {name: _FIELDS[name] for name in names if name in _FIELDS}
        frames.append(known | {"type": str(kind.__struct_config__.tag)} | ({"id": "e1"} if "id" in names else {}))
    return frames


async def _record(port: int) -> list[bytes]:
    """Four guests play until enough was said."""
    said: list[bytes] = []
    table = HonestTable(Tally(), Random(1), 0.02, 4)
    table.on_said = said.append
    await table.sit_down(port, "127.0.0.1", {"rules": "standard goal=target:1", "pace": 0})
    table.play()
    async with asyncio.timeout(_SECONDS):
        while len(said) < _FRAMES:
            await asyncio.sleep(0.1)
    table.leave()
    return [frame.replace(table.id.encode(), b"<table>") for frame in said[:_FRAMES]]


def main() -> None:
    """Record anew."""
    with tempfile.TemporaryDirectory(prefix="tichu-fuzz-") as folder:
        server, port = start_server(Path(folder))
        try:
            frames = asyncio.run(_record(port))
        finally:
            stop_server(server)
    seen: dict[str, None] = {}
    for line in frames:
        frame = json.loads(line)
        if frame.get("token"):
            frame["token"] = "<token>"
        same = {name: value for name, value in (("version", 7), ("id", "c1")) if name in frame}
        seen[json.dumps(frame | same)] = None
    _FILE.write_text("".join(f"{line}\n" for line in seen), encoding="utf-8")
    sys.stderr.write(f"{len(seen)} frames\n")


if __name__ == "__main__":
    main()
