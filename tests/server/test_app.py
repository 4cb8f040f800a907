"""A server as a whole: real sockets, real HTTP."""

import asyncio
import json
import socket
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import httpx
import pytest
from starlette.applications import Starlette
from starlette.routing import Route
from websockets.exceptions import ConnectionClosed

from tests.server.serving import served
from tichu.agents.greedy import GreedyAgent
from tichu.core.fairness import check_record
from tichu.core.record import parse_record
from tichu.server import wire
from tichu.server.http.static import Page
from tichu.server.outbox import Outbox
from tichu.server.table.ports import Player

pytestmark = pytest.mark.anyio


async def test_four_people_play_a_game() -> None:
    async with served() as place:
        made = await place.table("you", casual=False)
        table = made["table"]["id"]
        tokens = [made["you"]["token"], *[(await place.player(name))["token"] for name in ("Bob", "Cyd", "Dan")]]
        async with (
            place.guest(table, tokens[0]) as ada,
            place.guest(table, tokens[1]) as bob,
            place.guest(table, tokens[2]) as cyd,
            place.guest(table, tokens[3]) as dan,
            place.guest(table, name="Zoe") as zoe,
        ):
            for seat, guest in enumerate((bob, cyd, dan), start=1):
                assert isinstance(await guest.do(wire.Sit(id="sit", seat=seat)), wire.Ack)
            assert isinstance(await ada.do(wire.Start(id="start")), wire.Ack)
            ends = await asyncio.gather(*(guest.play(GreedyAgent()) for guest in (ada, bob, cyd, dan)))
            assert len({end.score for end in ends}) == 1
            assert [seat.name for seat in ends[0].seats] == ["Ada", "Bob", "Cyd", "Dan"]
            while zoe.follower.table is None or zoe.follower.table.stage != "over":
                heard = await zoe.next()
                if isinstance(heard, wire.EventMessage) and heard.view:
                    assert heard.view.hand == ()
            game = ends[0].game
        info = (await place.http.get(f"/api/games/{game}")).json()
        assert info["score"] == list(ends[0].score)
        me = (await place.http.get("/api/me", headers={"authorization": f"Bearer {tokens[1]}"})).json()
        # The deal is chance, and after a draw there is another round.
        assert (me["name"], me["results"]["games"], me["results"]["rounds"]) == ("Bob", 1, len(ends[0].results))


async def test_a_person_plays_with_three_bots() -> None:
    async with served() as place:
        made = await place.table("you", "greedy", "greedy", "greedy", start=True)
        async with place.guest(made["table"]["id"], made["you"]["token"]) as guest:
            assert guest.welcome.you.seat == 0
            await guest.dealt()
            end = await guest.play(GreedyAgent())
            assert end.winner is not None
        record = parse_record((await place.http.get(f"/api/games/{end.game}.ttn")).text)
        # The person came after the start, and yet had a share in the first deal.
        assert dict(record.tags)["Nonces"][0] == "0a///"
        assert [deal.error for deal in check_record(record)] == [None] * len(record.rounds)


async def test_a_table_is_found_by_its_code_however_it_is_written() -> None:
    async with served() as place:
        made = await place.table("you")
        async with place.guest(made["table"]["code"].lower()) as guest:
            assert guest.welcome.table.id == made["table"]["id"]
            assert guest.welcome.you.seat is None
            assert guest.welcome.you.token


async def test_a_seat_is_recovered_on_another_device() -> None:
    async with served() as place:
        made = await place.table("you")
        table, token = made["table"]["id"], made["you"]["token"]
        async with place.guest(table, token) as phone, place.guest(table, token) as laptop:
            assert (phone.welcome.you.seat, laptop.welcome.you.seat) == (0, 0)
            # Both hear the answer, and only the newcomer was welcomed.
            assert isinstance(await laptop.do(wire.Say(id="1", text="here")), wire.Ack)
            heard = [await phone.next(), await phone.next()]
            assert not any(isinstance(message, wire.Welcome) for message in heard)
            await laptop.socket.close()
            state = await phone.do(wire.Say(id="2", text="still here"))
            assert isinstance(state, wire.Ack)
        room = place.lobby.rooms[table]
        while room.table.audience.connected:
            await asyncio.sleep(0.01)


async def test_what_was_missed_is_told_after_a_break() -> None:
    async with served() as place:
        made = await place.table("you")
        table, token = made["table"]["id"], made["you"]["token"]
        async with place.guest(table, token) as guest:
            seen = guest.welcome.version
        await place.post(token, table, wire.Say(id="x", text="hello?"))
        async with place.guest(table, token, since=seen) as guest:
            (missed,) = guest.welcome.missed
            assert isinstance(missed.event, wire.Said)
            assert missed.event.text == "hello?"


async def test_an_unknown_token_makes_a_new_player() -> None:
    async with served() as place:
        made = await place.table("you")
        async with place.guest(made["table"]["id"], "of another server", name="Eve\u202e\x07") as guest:
            assert guest.welcome.you.name == "Eve"
            assert guest.welcome.you.token not in ("of another server", "")


async def test_tables_and_players_are_there_after_a_restart(tmp_path: Path) -> None:
    database = str(tmp_path / "tichu.db")
    async with served(database=database) as place:
        made = await place.table("you", "greedy", "greedy", "greedy", start=True)
        table, token = made["table"]["id"], made["you"]["token"]
        async with place.guest(table, token) as guest:
            hand = await guest.dealt()
    async with served(database=database) as place, place.guest(table, token) as guest:
        assert guest.welcome.you.seat == 0
        assert guest.welcome.view is not None
        assert guest.welcome.view.hand == hand.hand


async def test_who_is_there_is_told_when_the_server_closes() -> None:
    async with served() as place:
        made = await place.table("you")
        async with place.guest(made["table"]["id"]) as guest:
            await place.lobby.close()
            error = await guest.hear(wire.Error)
            assert error.code == "closing"
            with pytest.raises(ConnectionClosed):
                await guest.next()
        health = await place.http.get("/healthz")
        assert (health.status_code, health.json()["status"]) == (503, "closing")


async def test_who_comes_in_the_instant_a_table_closes_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    async with served() as place:
        made = await place.table("you")
        table, token = made["table"]["id"], made["you"]["token"]
        room, identify = place.lobby.rooms[table], place.lobby.players.identify

        async def slow(*words: str) -> Any:
            known = await identify(*words)
            await room.stop()
            return known

        monkeypatch.setattr(place.lobby.players, "identify", slow)
        for code, close_code in (("closing", 1001), ("no_such_table", 4404)):
            async with place.socket() as socket:
                await socket.send(json.dumps({"type": "hello", "table": table, "token": token}))
                async with asyncio.timeout(20):
                    assert json.loads(await socket.recv())["code"] == code
                    with pytest.raises(ConnectionClosed) as closed:
                        await socket.recv()
            assert closed.value.rcvd is not None
            assert closed.value.rcvd.code == close_code
            await place.lobby.close_table(room)


async def test_a_welcome_that_waits_behind_the_end_of_a_table_is_a_goodbye() -> None:
    async with served() as place:
        made = await place.table("you")
        room = place.lobby.rooms[made["table"]["id"]]
        outboxes = [Outbox(9) for _ in range(3)]
        room.connect(Player("first", "Ada"), outboxes[0], None, "")
        ending = asyncio.create_task(room.stop())
        await asyncio.sleep(0)
        room.connect(Player("second", "Bob"), outboxes[1], None, "")
        await ending
        room.connect(Player("third", "Cyd"), outboxes[2], None, "")
        for outbox in outboxes:
            async with asyncio.timeout(20):
                said = [json.loads(data) async for data in _all(outbox)]
            assert [message.get("code") for message in said][-1] == "closing"


async def _all(outbox: Outbox) -> AsyncIterator[bytes]:
    while (data := await outbox.next()) is not None:
        yield data


async def test_programs_read_lines_and_post_commands() -> None:
    async with served() as place:
        made = await place.table("you")
        table, token = made["table"]["id"], made["you"]["token"]
        headers = {"authorization": f"Bearer {token}"}
        async with place.http.stream("GET", f"/api/tables/{table}/stream", headers=headers) as stream:
            assert stream.headers["content-type"] == "application/x-ndjson"
            lines = stream.aiter_lines()
            assert json.loads(await anext(lines))["type"] == "welcome"
            answer = await place.post(token, table, wire.Emote(id="e", emote="wow"))
            assert answer["type"] == "ack"
            heard = [json.loads(await anext(lines)), json.loads(await anext(lines))]
            assert {message["type"] for message in heard} == {"event", "ack"}
        while place.lobby.rooms[table].sockets:
            await asyncio.sleep(0.01)


async def test_under_a_prefix_with_or_without_a_proxy_that_cuts_it_off() -> None:
    async with served(prefix="/tichu") as place:
        for path in ("/tichu/", "/tichu", "/", "/t/abc", "/tichu/t/abc"):
            answer = await place.http.get(path)
            assert answer.status_code == 200
            assert '<base href="/tichu/">' in answer.text
        assert (await place.http.get("/tichu/api/rules")).json()["presets"]
        made = await place.table("you")
        assert made["link"] == f"{place.url}/tichu/t/{made['table']['id']}"
        assert made["qr"].startswith("/tichu/api/qr?path=/t/")


async def test_the_page_and_its_files(tmp_path: Path) -> None:
    (tmp_path / "assets").mkdir()
    (tmp_path / "index.html").write_text("<!doctype html><html><head></head><body>page</body></html>")
    (tmp_path / "assets" / "main-abc.js").write_text("1")
    page = Page("", tmp_path)
    app = Starlette(routes=[Route("/{path:path}", page.answer)])
    async with httpx.AsyncClient(transport=httpx.ASGITransport(app), base_url="http://here") as http:
        index = await http.get("/t/some-table")
        assert index.text == '<!doctype html><html><head><base href="/"></head><body>page</body></html>'
        assert index.headers["cache-control"] == "no-cache"
        again = await http.get("/", headers={"if-none-match": index.headers["etag"]})
        assert again.status_code == 304
        script = await http.get("/assets/main-abc.js")
        assert script.headers["content-type"].startswith("text/javascript")
        assert "immutable" in script.headers["cache-control"]
        for nothing in ("/assets/other.js", "/../pyproject.toml", "/%2e%2e/%2e%2e/x.py", "/api/x", "/assets/x"):
            assert (await http.get(nothing)).status_code == 404


async def test_without_a_built_page_the_server_says_how_to_build_it(tmp_path: Path) -> None:
    page = Page("", tmp_path / "nothing")
    assert b"make page" in page.index


async def test_numbers_for_prometheus() -> None:
    async with served(metrics_token="for-prometheus") as place:
        made = await place.table("you")
        async with place.guest(made["table"]["id"], made["you"]["token"]) as guest:
            await guest.do(wire.Say(id="1", text="hi"))
            assert (await place.http.get("/metrics")).status_code == 404
            wrong = {"authorization": "Bearer for-prometheus2"}
            assert (await place.http.get("/metrics", headers=wrong)).status_code == 404
            text = (await place.http.get("/metrics", headers={"authorization": "Bearer for-prometheus"})).text
        assert "tichu_tables 1.0" in text
        assert "tichu_sockets 1.0" in text
        assert 'tichu_commands_total{answer="ack"} 2.0' in text


async def test_without_a_token_nobody_reads_the_numbers_but_at_a_port_of_their_own() -> None:
    with socket.create_server(("127.0.0.1", 0)) as probe:
        port = probe.getsockname()[1]
    async with served(metrics_port=port) as place, httpx.AsyncClient() as http:
        for token in ("None", "Bearer", "x"):
            headers = {"authorization": f"Bearer {token}"}
            assert (await place.http.get("/metrics", headers=headers)).status_code == 404
        assert "tichu_tables 0.0" in (await http.get(f"http://127.0.0.1:{port}/metrics")).text
