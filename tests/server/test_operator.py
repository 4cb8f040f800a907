"""Whoever runs a server: who may do what to whom, at once and everywhere, and every act is in the log."""

import asyncio
import hashlib
import json
import logging
import secrets
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import httpx
import pytest

from tests.ratings.matches import left
from tests.server.nodes import cluster
from tests.server.serving import FREE, Guest, Place, served
from tests.server.test_accounts import WORD, become, log_in, made
from tests.server.test_farewell import everything, finished_game, open_seat
from tests.server.test_rated_rows import keep, season, settled
from tests.server.test_tokens import bearer, ended
from tichu.ratings import rebuild, settle_all
from tichu.server import wire
from tichu.server.config import Limits
from tichu.server.log import FinishedGame, GameSummary, SeatResult
from tichu.server.rating.service import all_rows
from tichu.server.store.operator import drop_old_reports

pytestmark = pytest.mark.anyio

TOKEN = "the token of the operator"
HOUR = 3600


@asynccontextmanager
async def run_place(url: str = ":memory:", **limits: Any) -> AsyncIterator[Place]:
    known = {name: getattr(FREE, name) for name in FREE.__dataclass_fields__}
    often = {"login_burst": 1000, "address_login_burst": 1000, "report_burst": 100}
    async with served(database=url, operator_token=TOKEN, limits=Limits(**{**known, **often, **limits})) as place:
        yield place


async def ask(place: Place, path: str, **query: Any) -> dict[str, Any]:
    answer = await place.http.get(f"/api/operator{path}", params=query, headers=bearer(TOKEN))
    assert answer.status_code == 200, answer.text
    told: dict[str, Any] = answer.json()
    return told


async def do(place: Place, path: str, **body: Any) -> httpx.Response:
    return await place.http.post(f"/api/operator{path}", json=body, headers=bearer(TOKEN))


async def acts(place: Place, **query: Any) -> list[tuple[str, str, str]]:
    return [(one["what"], one["subject"], one["words"]) for one in (await ask(place, "/acts", **query))["acts"]]


async def report(place: Place, token: str, player: str, **body: Any) -> httpx.Response:
    return await place.http.post(
        f"/api/players/{player}/reports", json={"reason": "abuse", **body}, headers=bearer(token)
    )


async def refused(place: Place, table: str, token: str) -> str:
    """What is said to somebody who comes with a socket."""
    async with place.socket() as socket:
        guest = Guest(socket)
        await guest.say({"type": "hello", "table": table, "token": token, "name": ""})
        return (await guest.hear(wire.Error)).code


async def test_without_the_token_there_is_no_such_place() -> None:
    async with run_place() as place:
        guest = await place.player()
        for headers in ({}, bearer(guest["token"]), bearer("wrong"), bearer(TOKEN + "x")):
            for path in ("/players?q=a", "/acts", "/reports", "/matches", "/statistics"):
                answer = await place.http.get(f"/api/operator{path}", headers=headers)
                assert (answer.status_code, answer.json()["error"]) == (404, "not_found")
        # Who guesses does not get far.
        statuses = [
            (await place.http.get("/api/operator/acts", headers=bearer("guess"))).status_code for _ in range(30)
        ]
        assert statuses[-1] == 429
        assert await acts(place) == []
    async with served() as place:
        for token in ("x", TOKEN):
            answer = await place.http.get("/api/operator/acts", headers={"authorization": f"Bearer {token}"})
            assert answer.status_code in (401, 404)


async def test_people_are_found_by_id_and_by_name(url: str) -> None:
    async with run_place(url) as place:
        ada, guest = await made(place, "Adalbert"), await place.player("adam 100%")
        for text, found in (
            ("adalbert", [ada]),
            ("Ada", [ada, guest]),
            (guest["player"], [guest]),
            ("AdaIbert", [ada]),
            ("adam 100%", [guest]),
            ("%", []),
            ("_dam", []),
        ):
            told = (await ask(place, "/players", q=text))["players"]
            assert [one["player"] for one in told] == [one["player"] for one in found], text
        assert [told["account"] for told in (await ask(place, "/players", q="ada"))["players"]] == [True, False]
        for text in ("", "a\nb", "x" * 61):
            answer = await place.http.get("/api/operator/players", params={"q": text}, headers=bearer(TOKEN))
            assert answer.status_code == 400


async def test_a_ban_ends_every_socket_at_once_and_lets_nobody_in(url: str) -> None:
    async with run_place(url) as place:
        ada = await made(place, "Ada")
        table = await open_seat(place, ada["token"])
        key = (await place.http.post(f"/api/tables/{table}/key", headers=bearer(ada["token"]))).json()["key"]
        stream = place.http.stream("GET", f"/api/tables/{table}/stream", headers=bearer(ada["token"]))
        async with place.guest(table, ada["token"]) as here, place.guest(table, key=key) as there, stream as lines:
            done = await do(place, f"/players/{ada['player']}/ban", seconds=HOUR, why="threats")
            assert done.status_code == 200, done.text
            assert done.json()["until"] > 0
            await ended(here)
            await ended(there)
            async with asyncio.timeout(20):
                told = [json.loads(line) async for line in lines.aiter_lines() if line.strip()]
            assert told[-1]["code"] == "closing"
        assert await refused(place, table, ada["token"]) == "banned"
        for method, path, body in (
            ("GET", "/api/me", None),
            ("POST", "/api/tables", {}),
            ("POST", f"/api/tables/{table}/commands", {"type": "TABLE.START", "id": "x"}),
            ("POST", "/api/quick", {"rated": True, "speed": "normal"}),
            ("POST", "/api/me/name", {"name": "Eve"}),
            ("POST", "/api/login", {"name": "Ada", "password": WORD}),
        ):
            answer = await place.http.request(method, path, json=body, headers=bearer(ada["token"]))
            assert (answer.status_code, answer.json()["error"]) == (403, "banned"), (path, answer.text)
        # What is theirs stays theirs.
        assert (await place.http.get("/api/me/export", headers=bearer(ada["token"]))).status_code == 200
        assert (await ask(place, "/players", q="Ada"))["players"][0]["banned"] is not None
        assert await acts(place, subject=ada["player"]) == [("ban", ada["player"], "1 h: threats")]
        assert (await do(place, f"/players/{ada['player']}/ban", seconds=0)).status_code == 200
        async with place.guest(table, ada["token"]) as guest:
            assert guest.welcome.you.seat == 0
        assert (await log_in(place)).status_code == 200
        assert [what for what, _, _ in await acts(place)] == ["unban", "ban"]


async def test_a_ban_outlives_the_server_and_ends_by_itself(url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    async with run_place(url) as place:
        ada = await made(place, "Ada")
        await do(place, f"/players/{ada['player']}/ban", seconds=HOUR)
    async with run_place(url) as place:
        assert (await place.http.get("/api/me", headers=bearer(ada["token"]))).status_code == 403
        now = place.lobby.time()
        monkeypatch.setattr(place.lobby, "time", lambda: now + HOUR + 1)
        assert (await place.http.get("/api/me", headers=bearer(ada["token"]))).status_code == 200


async def test_whoever_is_banned_looks_for_no_match_any_more() -> None:
    async with run_place() as place:
        ada = await made(place, "Ada")
        asked = {"rated": True, "speed": "normal"}
        looking = await place.http.post("/api/quick", json=asked, headers=bearer(ada["token"]))
        assert looking.is_success, looking.text
        assert place.lobby.quick_match.search_of(ada["player"]) is not None
        await do(place, f"/players/{ada['player']}/ban", seconds=HOUR)
        assert place.lobby.quick_match.search_of(ada["player"]) is None


async def test_whoever_is_banned_in_that_moment_begins_no_search(monkeypatch: pytest.MonkeyPatch) -> None:
    async with run_place() as place:
        ada = await made(place, "Ada")
        relations = place.lobby.accounts.relations
        blocks = relations.blocks

        async def banned_first(player: str) -> frozenset[str]:
            await do(place, f"/players/{player}/ban", seconds=HOUR)
            return await blocks(player)

        monkeypatch.setattr(relations, "blocks", banned_first)
        asked = {"rated": True, "speed": "normal"}
        assert (await place.http.post("/api/quick", json=asked, headers=bearer(ada["token"]))).status_code == 403
        assert place.lobby.quick_match.search_of(ada["player"]) is None


async def test_a_ban_holds_on_all_nodes_at_once(postgres: str) -> None:
    async with cluster(postgres, "one", "two", operator_token=TOKEN) as (one, two):
        ada = (await become(one, None, f"Ada {secrets.token_hex(3)}")).json()
        table = await open_seat(two, ada["token"])
        async with two.guest(table, ada["token"]) as here, one.guest(table, ada["token"]) as through:
            asked = {"rated": True, "speed": "normal"}
            looking = await two.http.post("/api/quick", json=asked, headers=bearer(ada["token"]))
            assert looking.is_success, looking.text
            assert one.lobby.quick_match.search_of(ada["player"]) is not None
            done = await do(two, f"/players/{ada['player']}/ban", seconds=HOUR)
            assert done.status_code == 200, done.text
            async with asyncio.timeout(10):
                await ended(here)
                await ended(through)
        # Whoever looks for a match does so at the oldest node.
        async with asyncio.timeout(10):
            while two.lobby.quick_match.search_of(ada["player"]) or one.lobby.quick_match.search_of(ada["player"]):
                await asyncio.sleep(0.05)
        for node in (one, two):
            assert (await node.http.get("/api/me", headers=bearer(ada["token"]))).status_code == 403
            assert await refused(node, table, ada["token"]) == "banned"
        assert (await do(two, f"/players/{ada['player']}/ban", seconds=0)).status_code == 200
        async with asyncio.timeout(10):
            while (await one.http.get("/api/me", headers=bearer(ada["token"]))).status_code != 200:
                await asyncio.sleep(0.05)


async def test_whoever_is_muted_plays_and_says_nothing(url: str) -> None:
    async with run_place(url) as place:
        ada = await made(place, "Ada")
        table = await open_seat(place, ada["token"])
        async with place.guest(table, ada["token"]) as guest:
            assert isinstance(await guest.do(wire.Say(id="1", text="hello")), wire.Ack)
            # The socket stays, and is silent from now on.
            await do(place, f"/players/{ada['player']}/mute", seconds=HOUR, why="shouts")
            for said in (wire.Say(id="2", text="HELLO"), wire.Emote(id="3", emote="thanks")):
                answer = await guest.do(said)
                assert isinstance(answer, wire.Refused)
                assert answer.reason == "MUTED"
            assert (await place.post(ada["token"], table, wire.Say(id="4", text="HELLO")))["reason"] == "MUTED"
            assert isinstance(await guest.do(wire.Ready(id="5")), wire.Ack | wire.Refused)
            await do(place, f"/players/{ada['player']}/mute", seconds=0)
            assert isinstance(await guest.do(wire.Say(id="6", text="hello again")), wire.Ack)
        assert await acts(place) == [("unmute", ada["player"], ""), ("mute", ada["player"], "1 h: shouts")]


async def test_a_mute_and_a_ban_do_not_undo_each_other(url: str) -> None:
    async with run_place(url) as place:
        guest = await place.player("Cyd")
        await do(place, f"/players/{guest['player']}/mute", seconds=HOUR)
        await do(place, f"/players/{guest['player']}/ban", seconds=HOUR)
        await do(place, f"/players/{guest['player']}/ban", seconds=0)
        told = (await ask(place, "/players", q=guest["player"]))["players"][0]
        assert told["banned"] is None
        assert told["muted"] is not None


async def test_a_name_is_changed_for_an_account_and_for_a_guest(url: str) -> None:
    async with run_place(url) as place:
        ada, guest = await made(place, "Rude word"), await place.player("Ruder word")
        table = await open_seat(place, ada["token"])
        async with place.guest(table, ada["token"]) as here:
            assert (await do(place, f"/players/{ada['player']}/name", name="Ada")).status_code == 200
            await ended(here)
        assert (await place.http.get("/api/me", headers=bearer(ada["token"]))).status_code == 200
        assert (await log_in(place, "Rude word")).status_code == 403
        assert (await log_in(place, "Ada")).status_code == 200
        taken = await do(place, f"/players/{guest['player']}/name", name="ADA")
        assert (taken.status_code, taken.json()["error"]) == (409, "name_taken")
        assert (await do(place, f"/players/{guest['player']}/name", name="Cyd", why="rude")).status_code == 200
        told = (await ask(place, "/players", q=guest["player"]))["players"][0]
        assert told["name"] == "Cyd"
        assert [words for _, _, words in await acts(place)] == ["Ruder word - Cyd: rude", "Rude word - Ada"]
        bad = await do(place, f"/players/{ada['player']}/name", name="x")
        assert (bad.status_code, bad.json()["error"]) == (400, "bad_name")


async def test_nobody_is_nobody() -> None:
    async with run_place() as place:
        for path, body in (
            ("/players/none/name", {"name": "Ada"}),
            ("/players/none/mute", {"seconds": 1}),
            ("/players/none/ban", {"seconds": 1}),
            ("/players/none/delete", {}),
            ("/players/%F0%9F%8E%B4/ban", {"seconds": 1}),
            ("/matches/none/unrate", {}),
            ("/reports/none/close", {}),
        ):
            assert (await do(place, path, **body)).status_code == 404, path
        assert await acts(place) == []
        for seconds in (-1, 10**10, 1.5, "x"):
            assert (await do(place, "/players/none/ban", seconds=seconds)).status_code == 400


async def test_an_operator_deletes_as_people_delete_themselves(url: str) -> None:
    async with run_place(url) as place:
        ada, bob = await made(place, "Adalbert"), await made(place, "Bob")
        await finished_game(place, ada["token"])
        table = await open_seat(place, bob["token"])
        await place.post(ada["token"], table, wire.Say(id="x", text="nonsense"))
        assert (await report(place, bob["token"], ada["player"], table=table, words="Adalbert shouts")).is_success
        await do(place, f"/players/{ada['player']}/name", name="Adalbert II")
        gone = await do(place, f"/players/{ada['player']}/delete", why="asked by letter")
        assert gone.status_code == 200, gone.text
        for name, text in (await everything(place.lobby.store)).items():
            assert ada["player"] not in text, name
            assert "Adalbert" not in text, name
        assert (await acts(place))[0] == ("delete", "", "asked by letter")


async def test_a_match_is_taken_back_and_what_follows_is_worked_out_anew(url: str) -> None:
    async with run_place(url) as place:
        lobby, rows = place.lobby, season(60)
        await keep(lobby.store, rows)
        lobby.ratings.rebuild_soon()
        await settled(lobby.ratings, rows)
        before = lobby.ratings.digest()
        done = await do(place, f"/matches/{rows[3].match}/unrate", why="one person")
        assert done.status_code == 200, done.text
        assert lobby.ratings.digest() != before
        stored = [row async for row in all_rows(lobby.store)]
        assert [row.match for row in stored if row.unrated] == [rows[3].match]
        assert list(settle_all(stored)) == stored
        assert hashlib.sha256(rebuild(stored).dump()).hexdigest() == lobby.ratings.digest()
        after = lobby.ratings.digest()
        await lobby.ratings.rebuild()
        assert lobby.ratings.digest() == after
        assert await acts(place) == [("unrate", rows[3].match, "one person")]


async def test_flags_of_matches_can_be_read(url: str) -> None:
    from msgspec.structs import replace

    async with run_place(url) as place:
        ada = await made(place, "Ada")
        plain, flagged = season(2)
        flagged = replace(
            flagged,
            players=(ada["player"], *flagged.players[1:]),
            flags=("address 0 2", "browser 1 3"),
            match="flagged",
        )
        await keep(place.lobby.store, [plain, flagged])
        (told,) = (await ask(place, "/matches"))["matches"]
        assert (told["match"], told["flags"]) == ("flagged", ["address 0 2", "browser 1 3"])
        assert (told["names"][0], told["unrated"]) == ("Ada", False)
        assert (await ask(place, "/matches", before=0))["matches"] == []


async def test_whoever_left_without_harm_to_a_stranger_is_listed(url: str) -> None:
    async with run_place(url) as place:
        rows = [left(2, "alone", at=1), left(0, "pair", "e f g h", at=2, pairs=(True, False))]
        await keep(place.lobby.store, rows)
        place.lobby.ratings.rebuild_soon()
        await settled(place.lobby.ratings, rows)
        (told,) = (await ask(place, "/matches"))["matches"]
        assert (told["match"], told["flags"]) == ("alone", ["spared 0"])


async def test_odd_numbers_are_told_and_nothing_follows(url: str) -> None:
    async with run_place(url) as place:
        ada, bob = await made(place, "Ada"), await made(place, "Bob")
        for number in range(40):
            lucky = SeatResult(1, 10, 900, 300, 9, 1, 4, 4, 2, 2)
            usual = SeatResult(number % 2, 10, 500, 500, 2, 1, 4, 2, 2, 1)
            summary = GameSummary(
                *(f"g{number}", "t", float(number), "standard", ("Ada", "Bob", "Cyd", "Dee")),
                players=(ada["player"], bob["player"], "c", "d"),
                score=(1000, 500),
                casual=False,
                winner=0,
            )
            game = FinishedGame(summary, '{"seats":["","","",""]}\n', (lucky, usual, usual, usual))
            entry = json.dumps({"type": "resumed", "at": 0}).encode()
            await place.lobby.store.append(f"t{number}", 1, [entry], game=game)
        told = (await ask(place, "/statistics"))["statistics"]
        assert {one["name"] for one in told} == {"Ada"}
        assert {one["what"] for one in told} >= {"won", "first_out", "tichu_made"}
        assert all(one["sigmas"] >= 5 for one in told)
        assert (await ask(place, "/players", q="Ada"))["players"][0]["banned"] is None
        assert await acts(place) == []


async def test_a_report_brings_what_was_said_and_played(url: str) -> None:
    async with run_place(url) as place:
        ada, bob = await made(place, "Ada"), await made(place, "Bob")
        table = await open_seat(place, ada["token"])
        await place.post(bob["token"], table, wire.Sit(id="s", seat=1))
        await place.post(bob["token"], table, wire.Say(id="r", text="rude words"))
        kept = await report(place, ada["token"], bob["player"], table=table, words="see\nabove")
        assert kept.status_code == 201, kept.text
        (waiting,) = (await ask(place, "/reports"))["reports"]
        assert (waiting["reported"], waiting["reason"], waiting["words"]) == (bob["player"], "abuse", "see above")
        assert "rude words" not in json.dumps(waiting)
        file = await ask(place, f"/reports/{waiting['id']}")
        assert [(line["name"], line["text"]) for line in file["chat"]] == [("Bob", "rude words")]
        assert json.loads(file["record"].splitlines()[0])["seats"][:2] == [ada["player"], bob["player"]]
        assert (await ask(place, "/players", q="Bob"))["players"][0]["reports"] == 1
        assert (await do(place, f"/reports/{waiting['id']}/close", why="warned")).status_code == 200
        assert (await do(place, f"/reports/{waiting['id']}/close")).status_code == 404
        assert (await ask(place, "/reports"))["reports"] == []
        assert [one["id"] for one in (await ask(place, "/reports", closed=1))["reports"]] == [waiting["id"]]
        # Who reads what was said is in the log.
        assert await acts(place) == [("close", waiting["id"], "warned"), ("read-report", waiting["id"], "")]
        now = place.lobby.time()
        await place.lobby.store.write(drop_old_reports, now + 89 * 86_400)
        assert (await ask(place, "/reports", closed=1))["reports"]
        await place.lobby.store.write(drop_old_reports, now + 91 * 86_400)
        assert (await ask(place, "/reports", closed=1))["reports"] == []


async def test_a_report_of_a_finished_game_has_its_record(url: str) -> None:
    async with run_place(url) as place:
        ada, bob = await made(place, "Ada"), await made(place, "Bob")
        game = await finished_game(place, ada["token"])
        kept = await report(place, bob["token"], ada["player"], game=game, reason="cheating")
        assert kept.status_code == 201, kept.text
        file = await ask(place, f"/reports/{kept.json()['report']}")
        header, *rounds = (json.loads(line) for line in file["record"].splitlines())
        assert header["seats"][0] == ada["player"]
        assert rounds[0]["actions"]


async def test_a_report_in_the_middle_of_a_round_has_what_was_played_so_far() -> None:
    async with run_place() as place:
        bob = await place.player("Bob")
        made_table = await place.table("you", "greedy", "greedy", "greedy", start=True)
        table, ada = made_table["table"]["id"], made_table["you"]
        async with place.guest(table, ada["token"]) as guest:
            await guest.dealt()
        kept = await report(place, bob["token"], ada["player"], table=table)
        file = await ask(place, f"/reports/{kept.json()['report']}")
        rounds = [json.loads(line) for line in file["record"].splitlines()[1:]]
        assert [one["round"] for one in rounds] == [0]
        assert rounds[0]["deal"]


async def test_reports_are_few_and_about_somebody(url: str) -> None:
    async with run_place(url, report_burst=4, report_rate=0.001) as place:
        ada, bob = await place.player("Ada"), await place.player("Bob")
        for player, body, status in (
            (ada["player"], {}, 409),
            ("none", {}, 404),
            (bob["player"], {"table": "none"}, 404),
            (bob["player"], {"game": "none"}, 404),
        ):
            assert (await report(place, ada["token"], player, **body)).status_code == status
        assert (await report(place, ada["token"], bob["player"])).status_code == 429
        assert (await report(place, ada["token"], bob["player"], reason="boring")).status_code == 400
        assert (await place.http.post(f"/api/players/{bob['player']}/reports", json={})).status_code == 401
    async with run_place(url) as place:
        statuses = [(await report(place, ada["token"], bob["player"])).status_code for _ in range(22)]
        assert statuses == [201] * 20 + [409] * 2


async def test_an_ended_token_is_an_act_too(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG)
    async with run_place() as place:
        guest = await place.player()
        path = f"/api/players/{guest['player']}/token"
        assert (await place.http.delete(path, headers=bearer(TOKEN))).status_code == 200
        assert await acts(place) == [("end-tokens", guest["player"], "")]
    assert TOKEN not in caplog.text
