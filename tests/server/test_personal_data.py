"""Whatever is stored about a person is in their file and goes with them: every column of every table is looked at."""

import json
from typing import Any, Final

import pytest

from tests.ratings.matches import match
from tests.server.serving import Place
from tests.server.test_accounts import WORD, made, place_with
from tests.server.test_farewell import everything, finished_game, open_seat
from tests.server.test_tokens import bearer
from tichu.server import wire
from tichu.server.store import Store
from tichu.server.store.matches import keep_match

pytestmark = pytest.mark.anyio

ME, OTHER, MARK = "{me}", "{other}", "mark-of-"
LATE: Final = 4e9

#: By table: columns with ids, names or words of people, and an example, in which marks are to be found in the file.
PERSONAL: Final[dict[str, dict[str, Any]]] = {
    "sessions": {"player": ME, "device": f"{MARK}device"},
    "seat_keys": {"player": ME, "table_id": f"{MARK}table"},
    "recovery_codes": {"player": ME},
    "passkeys": {"player": ME, "id": f"{MARK}id", "name": f"{MARK}passkey"},
    "challenges": {"player": ME},
    "restrictions": {"player": ME},
    "acts": {"subject": ME, "words": f"{MARK}acts"},
    "follows": {"player": ME, "other": OTHER},
    "blocks": {"player": OTHER, "other": ME},
    "mail_codes": {"player": ME, "address": f"{MARK}new@example.org"},
    "reports": {"reporter": ME, "reported": OTHER, "words": f"{MARK}report", "chat": "[]", "record": ""},
    # What others report stays with the operator.
    "reports ": {
        "reporter": OTHER,
        "reported": ME,
        "words": "Adalbert has said this",
        "chat": json.dumps([{"at": 1, "player": ME, "name": "Adalbert", "text": "this"}]),
        "record": f'{{"seats": ["{ME}", "", "", ""]}}\n',
    },
    # By living there; the last two are for tables that are elsewhere or on their way, and follow what is in memory.
    "players": {"id": "", "name": ""},
    "accounts": {"player": "", "name": "", "email": ""},
    "account_names": {"key": "", "player": ""},
    "games": {"seats": "", "players": "", "record": ""},
    "game_players": {"player": "", "sheet": ""},
    "matches": {"player_0": "", "player_1": "", "player_2": "", "player_3": ""},
    "log": {"entry": ""},
    "replacements": {"old": "", "new": "", "name": ""},
    "directory": {"persons": "", "state": ""},
    "handovers": {"live": ""},
}
#: All other columns with texts: ids of things, hashes of secrets, and what is chosen from a list.
OF_NOBODY: Final = {
    "players": {"token_hash", "kind"},
    "accounts": {"handle", "password"},
    "sessions": {"token_hash", "id"},
    "seat_keys": {"key_hash"},
    "recovery_codes": {"code_hash"},
    "passkeys": {"public_key"},
    "challenges": {"id", "purpose", "challenge"},
    "acts": {"id", "what"},
    "reports": {"id", "table_id", "game", "reason"},
    "mail_codes": {"purpose", "code_hash", "password"},
    # A hash, for little more than an hour.
    "mail_counts": {"key"},
    "games": {"id", "table_id", "rules"},
    "game_players": {"game"},
    "matches": {"match", "facts"},
    "reviews": {"game", "data"},
    "log": {"table_id"},
    "totals": {"server"},
    # What is set aside keeps its log; the reason is the kind of an error and its number.
    "parked": {"table_id", "reason"},
    "tables": {"id", "owner", "build"},
    "nodes": {"id", "name", "url", "version"},
    "node_writes": {"node"},
    "handovers": {"table_id", "target"},
    "directory": {"id", "code", "address"},
    "page_files": {"path", "data"},
}
#: What else a row needs.
REST: Final[dict[str, dict[str, Any]]] = {
    "sessions": {"token_hash": "h", "id": "s", "created": 1.0, "seen": 1.0, "expires": LATE},
    "seat_keys": {"key_hash": "h", "created": 1.0},
    "recovery_codes": {"code_hash": "h"},
    "passkeys": {"public_key": "k", "uses": 1, "created": 1.0, "used": 1.0},
    "challenges": {"id": "c", "purpose": "register", "challenge": "c", "expires": LATE},
    "restrictions": {"muted": LATE, "banned": 0.0},
    "acts": {"id": "a", "at": 1.0, "what": "mute"},
    "follows": {"at": 1.0},
    "blocks": {"at": 1.0},
    "mail_codes": {"purpose": "confirm", "code_hash": "h", "password": "p", "expires": LATE, "tries": 0},
    "reports": {"id": "r", "at": 1.0, "table_id": "", "game": "", "reason": "abuse", "closed": 0.0},
    "reports ": {"id": "o", "at": 1.0, "table_id": "", "game": "", "reason": "abuse", "closed": 0.0},
}


def _columns(url: str) -> Any:
    if url.startswith("sqlite"):
        query = "SELECT t.name, c.name, c.type FROM sqlite_master t JOIN pragma_table_info(t.name) c WHERE t.type = ?"
        return (yield query, "table")
    query = "SELECT table_name, column_name, data_type FROM information_schema.columns WHERE table_schema = ?"
    return (yield query, "tichu")


def _insert(table: str, row: dict[str, Any]) -> Any:
    yield f"INSERT INTO {table} ({', '.join(row)}) VALUES ({', '.join('?' * len(row))})", *row.values()


def _set_mail(player: str, address: str) -> Any:
    yield "UPDATE accounts SET email = ? WHERE player = ?", address, player


async def test_it_is_known_of_every_text_whether_it_is_of_a_person(url: str, store: Store) -> None:
    """Whoever adds a column decides here, and for the tests below, what becomes of it."""
    texts = ("text", "blob", "bytea", "array")
    found: dict[str, set[str]] = {}
    for table, column, kind in await store.read(_columns, url):
        if kind.lower() in texts:
            found.setdefault(table, set()).add(column)
    known = {table: set(OF_NOBODY.get(table, ())) | set(PERSONAL.get(table, ())) for table in found}
    assert found == known


async def keep_examples(place: Place, me: str, other: str) -> None:
    """A row in every table that has something of a person."""
    for table, columns in PERSONAL.items():
        if table not in REST:
            continue
        filled = {
            name: value.replace(ME, me).replace(OTHER, other) if isinstance(value, str) else value
            for name, value in {**columns, **REST[table]}.items()
        }
        await place.lobby.store.write(_insert, table.strip(), filled)
    await place.lobby.store.write(_set_mail, me, f"{MARK}mail@example.org")
    await place.lobby.store.write(keep_match, match("mark-of-match", f"{me} b c d"))


async def test_all_of_it_is_in_the_file_and_nothing_of_it_is_left(url: str) -> None:
    async with place_with(url) as place:
        ada, bob = await made(place, "Adalbert"), await made(place, "Bob")
        game, table = await finished_game(place, ada["token"]), await open_seat(place, ada["token"])
        said = await place.post(ada["token"], table, wire.Say(id="hi", text=f"{MARK}word"))
        assert said["type"] == "ack"
        await keep_examples(place, ada["player"], bob["player"])
        file = (await place.http.get("/api/me/export", headers=bearer(ada["token"]))).text
        marks = [value for columns in PERSONAL.values() for value in columns.values() if str(value).startswith(MARK)]
        assert len(marks) > 6
        wanted = [*marks, f"{MARK}mail@example.org", "mark-of-match", f"{MARK}word", game, table, bob["player"]]
        assert [one for one in wanted if one not in file] == []
        assert str(int(LATE)) in file
        gone = await place.http.post("/api/me/farewell", json={"password": WORD}, headers=bearer(ada["token"]))
        assert gone.status_code == 200, gone.text
        # Words stay as they were said, and matches have ids of their own.
        stays = {"log": [f"{MARK}word"], "matches": ["mark-of-match"]}
        for name, text in (await everything(place.lobby.store)).items():
            for left in stays.get(name, ()):
                text = text.replace(left, "")
            for one in (ada["player"], "Adalbert", "adalbert", MARK):
                assert one not in text, (name, one)


def leave_before_report(place: Place, token: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Somebody is forgotten between the reading of what a report says and its being kept."""
    write = place.lobby.store.write

    async def late(script: Any, /, *args: Any, **more: Any) -> Any:
        if script.__name__ == "keep_report":
            monkeypatch.setattr(place.lobby.store, "write", write)
            gone = await place.http.post("/api/me/farewell", json={"password": WORD}, headers=bearer(token))
            assert gone.status_code == 200, gone.text
        return await write(script, *args, **more)

    monkeypatch.setattr(place.lobby.store, "write", late)


async def test_a_report_that_is_under_way_names_nobody_who_has_gone(url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    async with place_with(url) as place:
        ada, bob = await made(place, "Adalbert"), await made(place, "Bob")
        leave_before_report(place, ada["token"], monkeypatch)
        told = {"reason": "abuse", "words": "Adalbert again"}
        path = f"/api/players/{ada['player']}/reports"
        answer = await place.http.post(path, json=told, headers=bearer(bob["token"]))
        assert (answer.status_code, answer.json()["error"]) == (404, "no_such_player")
        for name, text in (await everything(place.lobby.store)).items():
            assert ada["player"] not in text, name
            assert "Adalbert" not in text, name


@pytest.mark.parametrize("about", ["table", "game"])
async def test_nor_anybody_who_was_only_near_it(url: str, monkeypatch: pytest.MonkeyPatch, about: str) -> None:
    async with place_with(url) as place:
        ada, bob, cyd = [await made(place, name) for name in ("Adalbert", "Bob", "Cyd")]
        where = {"game": await finished_game(place, ada["token"]), "table": await open_seat(place, cyd["token"])}
        for one in (ada, cyd):
            await place.post(one["token"], where["table"], wire.Say(id="s", text="hello"))
        await place.post(ada["token"], where["table"], wire.Sit(id="d", seat=1))
        leave_before_report(place, ada["token"], monkeypatch)
        path = f"/api/players/{cyd['player']}/reports"
        told = {"reason": "abuse", about: where[about]}
        answer = await place.http.post(path, json=told, headers=bearer(bob["token"]))
        assert answer.status_code == 201, answer.text
        tables = await everything(place.lobby.store)
        for name, text in tables.items():
            assert ada["player"] not in text, name
            assert "Adalbert" not in text, name
        assert cyd["player"] in tables["reports"]
        assert "gone:" in tables["reports"]
