"""What stands between the network and the tables."""

import asyncio
import json
import logging
import re
from collections.abc import Callable, Sequence
from typing import Any

import pytest
from starlette.websockets import WebSocket
from websockets.exceptions import ConnectionClosed, InvalidStatus

from tests.server.serving import greedy, served
from tichu.agents.greedy import GreedyAgent
from tichu.core.errors import GameError
from tichu.server import wire
from tichu.server.config import FRAME_BYTES, Config, Limits
from tichu.server.http.addresses import address_of
from tichu.server.http.middleware import Connections, policy
from tichu.server.http.sockets import talk
from tichu.server.lobby import Lobby
from tichu.server.mailbox import Mailbox
from tichu.server.metrics import Metrics
from tichu.server.outbox import Outbox, letter
from tichu.server.rate_limit import RateLimiter, TokenBucket
from tichu.server.store import StoreError, open_store
from tichu.server.table import Table
from tichu.server.table.ports import Player
from tichu.server.wire.settings import Settings

pytestmark = pytest.mark.anyio


# Rate limits and counts.


async def test_a_bucket_gives_a_burst_and_then_a_rate() -> None:
    bucket = TokenBucket(rate=2, burst=3)
    assert [bucket.take(10.0) for _ in range(4)] == [True, True, True, False]
    assert [bucket.take(10.5), bucket.take(10.5)] == [True, False]
    assert [bucket.take(9.0), bucket.take(99.0)] == [False, True]


async def test_addresses_have_buckets_of_their_own_and_full_ones_are_forgotten() -> None:
    buckets = RateLimiter(rate=1, burst=1, keep=2)
    assert buckets.take("a", 0.0)
    assert not buckets.take("a", 0.0)
    assert buckets.take("b", 0.0)
    # The third finds no room: "a" and "b" are full again after a second, and start anew.
    assert buckets.take("c", 1.5)
    assert buckets.take("a", 1.5)


async def test_connections_are_counted_by_address() -> None:
    connections = Connections(2)
    assert [connections.enter("a"), connections.enter("a"), connections.enter("a")] == [True, True, False]
    assert connections.enter("b")
    connections.leave("a")
    assert connections.enter("a")


@pytest.mark.parametrize(
    ("client", "counted"),
    [
        (("192.0.2.7", 1), "192.0.2.7"),
        (("2001:db8:1:2:3::4", 1), "2001:db8:1:2::/64"),
        (("::ffff:192.0.2.7", 1), "192.0.2.7"),
        (("testclient", 1), "testclient"),
        (None, "unknown"),
    ],
)
async def test_a_household_is_one_address(client: Any, counted: str) -> None:
    assert address_of({"client": client}) == counted


# Headers and origins.


async def test_the_page_may_talk_to_its_server_and_nobody_else() -> None:
    async with served() as place:
        host = place.url.removeprefix("http://")
        for path in ("/", "/api/rules", "/nothing.js", "/metrics"):
            headers = (await place.http.get(path)).headers
            rules = dict(rule.split(" ", 1) for rule in headers["content-security-policy"].split("; "))
            assert rules["default-src"] == rules["script-src"] == rules["style-src"] == "'self'"
            assert rules["img-src"] == "'self' data:"
            assert rules["connect-src"] == f"'self' ws://{host} wss://{host}"
            assert (rules["frame-ancestors"], rules["base-uri"]) == ("'none'", "'self'")
            assert headers["x-content-type-options"] == "nosniff"
            assert headers["referrer-policy"] == "same-origin"
            assert "server" not in headers


async def test_a_host_that_is_none_does_not_get_into_the_policy() -> None:
    assert "script" not in policy("x; script-src *").partition("connect-src")[2]
    assert "wss://[::1]:80;" in policy("[::1]:80")


@pytest.mark.parametrize("origin", ["https://evil.example", "null", "http://127.0.0.1:1", "nonsense", "http://[bad"])
async def test_other_sites_are_turned_away(origin: str) -> None:
    async with served() as place:
        answer = await place.http.post("/api/players", json={}, headers={"origin": origin})
        assert (answer.status_code, answer.json()["error"]) == (403, "wrong_origin")
        with pytest.raises(InvalidStatus) as refused:
            async with place.socket(origin=origin):
                pass
        assert refused.value.response.status_code == 403


async def test_the_own_page_and_programs_are_let_in() -> None:
    async with served(public_url="https://tichu.example/x", more_origins=("https://friend.example",)) as place:
        for origin in (place.url, "https://tichu.example", "https://friend.example"):
            assert (await place.http.post("/api/players", json={}, headers={"origin": origin})).status_code == 201
            async with place.socket(origin=origin):
                pass
        assert (await place.http.post("/api/players", json={})).status_code == 201
        friendly = await place.http.get("/api/rules", headers={"origin": "https://friend.example"})
        assert friendly.headers["access-control-allow-origin"] == "https://friend.example"
        made = await place.table("you")
        assert made["link"].startswith("https://tichu.example/x/t/")


@pytest.mark.parametrize("host", ["evil.example", "evil.example:8080", "127.0.0.1.evil.example", "127.1"])
async def test_a_page_whose_name_was_pointed_here_is_turned_away(host: str) -> None:
    async with served(more_names=("tichu.example",)) as place:
        # To the browser it is the same origin.
        foreign = {"host": host, "origin": f"http://{host}"}
        for answer in (
            await place.http.get("/", headers={"host": host}),
            await place.http.get("/api/tables", headers={"host": host}),
            await place.http.post("/api/players", json={}, headers=foreign),
        ):
            assert (answer.status_code, answer.json()["error"]) == (421, "wrong_host")
            assert "--public-url" in answer.json()["message"]
        with pytest.raises(InvalidStatus) as refused:
            async with place.socket(host, origin=f"http://{host}"):
                pass
        assert refused.value.response.status_code == 421


async def test_a_host_that_is_none_is_turned_away() -> None:
    async with served() as place:
        for host in ("a b", "x@127.0.0.1", "[::1", "127.0.0.1:x"):
            assert (await place.http.get("/", headers={"host": host})).status_code == 421


async def test_the_names_of_this_server_are_let_in() -> None:
    async with served(public_url="https://tichu.example/x", more_names=("Cards.example",)) as place:
        names = ("tichu.example", "TICHU.example:443", "cards.example:8080", "192.0.2.7:8424", "[::1]:8080")
        for host in (*names, "localhost:8080", "ada.local:8424", "tichu:8080"):
            own = {"host": host, "origin": f"http://{host}"}
            assert (await place.http.post("/api/players", json={}, headers=own)).status_code == 201
            async with place.socket(host, origin=f"http://{host}"):
                pass
        # A proxy may pass on our address instead of the name.
        async with place.socket(origin="https://tichu.example"):
            pass


@pytest.mark.parametrize("proxy", ["127.0.0.0/8", "127.0.0.1/8"])
async def test_only_trusted_proxies_speak_for_others(proxy: str) -> None:
    forwarded = {"x-forwarded-for": "203.0.113.5", "x-forwarded-proto": "https"}
    few = Limits(address_rate=0.001, address_burst=2)
    async with served(few, trusted_proxies=(proxy,)) as place:
        made = await place.http.post("/api/tables", json={}, headers=forwarded)
        assert made.json()["link"].startswith("https://127.0.0.1")
        assert (await place.http.get("/healthz", headers=forwarded)).status_code == 200
        assert (await place.http.get("/healthz", headers=forwarded)).status_code == 429
        assert (await place.http.get("/healthz")).status_code == 200
    async with served(few) as place:
        made = await place.http.post("/api/tables", json={}, headers=forwarded)
        assert made.json()["link"].startswith("http://127.0.0.1")
        assert (await place.http.get("/healthz")).status_code == 200
        assert (await place.http.get("/healthz")).status_code == 429


@pytest.mark.parametrize(
    "wrong",
    [
        {"prefix": "tichu"},
        {"prefix": "/tichu/"},
        {"trusted_proxies": ("everybody",)},
        {"public_url": "example.org"},
        {"public_url": "http://[x"},
        {"more_origins": ("https://x.example/?q",)},
        {"more_names": ("https://x.example",)},
        {"more_names": ("*",)},
    ],
)
async def test_a_wrong_configuration_is_refused_by_name(wrong: dict[str, Any]) -> None:
    with pytest.raises(GameError) as error:
        Config(**wrong)
    value = next(iter(wrong.values()))
    assert (value if isinstance(value, str) else value[0]) in str(error.value)


# Rates and sizes.


async def test_an_address_that_asks_too_much_waits() -> None:
    async with served(Limits(address_rate=0.001, address_burst=3)) as place:
        answers = [await place.http.get("/api/rules") for _ in range(4)]
        assert [answer.status_code for answer in answers] == [200, 200, 200, 429]
        assert answers[3].headers["retry-after"] == "1"
        assert answers[3].json()["error"] == "too_fast"
        with pytest.raises(InvalidStatus) as refused:
            async with place.socket():
                pass
        assert refused.value.response.status_code == 429


async def test_nobody_makes_players_without_end() -> None:
    async with served(Limits(making_rate=0.001, making_burst=2)) as place:
        made = await place.table("you")
        statuses = [(await place.http.post("/api/players", json={})).status_code for _ in range(2)]
        assert statuses == [201, 429]
        assert (await place.http.post("/api/tables", json={})).status_code == 429
        # A socket without a token makes a player too; one with a token does not.
        async with place.guest(made["table"]["id"], made["you"]["token"]), place.socket() as socket:
            await socket.send(json.dumps({"type": "hello", "table": made["table"]["id"]}))
            assert json.loads(await socket.recv())["code"] == "too_fast"


async def test_an_address_has_so_many_sockets_at_a_time() -> None:
    async with served(Limits(connections=2)) as place:
        made = await place.table("you")
        table, token = made["table"]["id"], made["you"]["token"]
        headers = {"authorization": f"Bearer {token}"}
        async with place.guest(table, token), place.guest(table, token) as second:
            with pytest.raises(InvalidStatus) as refused:
                async with place.socket():
                    pass
            assert refused.value.response.status_code == 429
            stream = await place.http.get(f"/api/tables/{table}/stream", headers=headers)
            assert (stream.status_code, stream.json()["error"]) == (429, "too_many")
            await second.socket.close()
            for _ in range(200):
                try:
                    async with place.socket():
                        break
                except InvalidStatus:
                    await asyncio.sleep(0.01)
            else:
                pytest.fail("a closed socket is still counted")


async def test_a_socket_that_talks_too_fast_is_told_and_then_closed() -> None:
    limits = Limits(socket_rate=0.001, socket_burst=2, socket_rejections=3)
    async with served(limits) as place:
        made = await place.table("you")
        async with place.guest(made["table"]["id"], made["you"]["token"]) as guest:
            for number in range(2):
                assert isinstance(await guest.do(wire.Say(id=f"{number}", text="x")), wire.Ack)
            for number in range(3):
                answer = await guest.do(wire.Say(id=f"f{number}", text="x"))
                assert isinstance(answer, wire.Error)
                assert answer.code == "too_fast"
            await guest.say({"type": "ping"})
            with pytest.raises(ConnectionClosed) as closed:
                await guest.hear(wire.Pong)
            assert closed.value.rcvd is not None
            assert closed.value.rcvd.code == 4429


async def test_a_ping_is_answered_with_the_time_that_tables_go_by() -> None:
    """By it the page counts down windows and clocks, so the host's date must not come in between."""
    async with served() as place:
        made = await place.table("you")
        place.lobby._clock.set_at_least(place.lobby.time() + 3600)
        earliest = 1000 * place.lobby.time()
        async with place.guest(made["table"]["id"], made["you"]["token"]) as guest:
            await guest.say({"type": "ping"})
            assert (await guest.hear(wire.Pong)).now >= round(earliest)


async def test_a_frame_has_eight_kilobytes() -> None:
    async with served() as place:
        made = await place.table("you")
        async with place.guest(made["table"]["id"], made["you"]["token"]) as guest:
            await guest.say(json.dumps({"type": "ping", "x": "y" * FRAME_BYTES}))
            error = await guest.hear(wire.Error)
            assert (error.code, str(FRAME_BYTES) in error.message) == ("too_large", True)
            assert isinstance(await guest.do(wire.Say(id="1", text="still here")), wire.Ack)
            await guest.say("x" * 100_000)
            with pytest.raises(ConnectionClosed) as closed:
                await guest.hear(wire.Pong)
            assert closed.value.rcvd is not None
            assert closed.value.rcvd.code == 1009


@pytest.mark.parametrize(
    ("first", "code", "word"),
    [
        ("{", "malformed", "truncated"),
        ({"type": "ping"}, "malformed", "hello"),
        ({"type": "hello"}, "malformed", "table"),
        ({"type": "hello", "table": "none"}, "no_such_table", "no such table"),
        ({"type": "hello", "table": 7}, "malformed", "$.table"),
        (b"\xff\xfe", "malformed", ""),
    ],
)
async def test_who_does_not_say_hello_properly_is_sent_away(first: Any, code: str, word: str) -> None:
    async with served() as place, place.socket() as socket:
        await socket.send(first if isinstance(first, str | bytes) else json.dumps(first))
        error = json.loads(await socket.recv())
        assert (error["type"], error["code"]) == ("error", code)
        assert word in error["message"]
        with pytest.raises(ConnectionClosed):
            await socket.recv()


async def test_a_line_end_is_no_part_of_a_nonce() -> None:
    """No deal follows from it, and a table that cannot deal would be set aside."""
    async with served() as place:
        made = await place.table("you", "greedy", "greedy", "greedy", start=True)
        async with place.guest(made["table"]["id"], made["you"]["token"]) as guest:
            await guest.say({"type": "TABLE.NONCE", "id": "n", "nonce": "ab\n"})
            assert "$.nonce" in (await guest.hear(wire.Error)).message
        wrong = await place.http.post("/api/qr", json={"path": "/t/x\n"})
        assert wrong.status_code == 400


async def test_who_says_nothing_is_sent_away() -> None:
    async with served(Limits(hello_seconds=0.1)) as place, place.socket() as socket:
        assert "no hello" in json.loads(await socket.recv())["message"]


# Slow readers.


async def test_a_slow_reader_gets_a_snapshot_instead_of_the_backlog() -> None:
    """The socket's send does not return, as with a full buffer; later it does."""
    store = await open_store(":memory:")
    lobby = Lobby(Config(limits=Limits(waiting=8)), store, greedy, Metrics())
    room = await lobby.open_table(Settings(pace=0.02), Player("ada", "Ada"), ("you",))
    can_send, sent = asyncio.Event(), []
    frames: asyncio.Queue[dict[str, Any]] = asyncio.Queue()
    frames.put_nowait({"type": "websocket.connect"})
    hello = {"type": "hello", "table": room.id, "name": "Zoe"}
    frames.put_nowait({"type": "websocket.receive", "text": json.dumps(hello)})

    async def send(message: Any) -> None:
        if message["type"] == "websocket.send":
            sent.append(json.loads(message["text"]))
            await can_send.wait()

    scope = {"type": "websocket", "path": "/ws/v1", "headers": [], "client": ("192.0.2.1", 1)}
    socket = asyncio.create_task(talk(WebSocket(scope, frames.get, send), lobby, Connections(9)))
    while not sent:
        await asyncio.sleep(0)
    for number in range(20):
        answer = await room.answer(Player("ada", "Ada"), wire.Say(id=f"{number}", text=f"{number}"), 5)
        assert isinstance(answer, wire.Ack)
    can_send.set()
    await asyncio.wait_for(_until(lambda: sent[-1]["type"] == "state"), 5)
    # What was on its way when the reader stopped, then how things stand now, and from there on everything.
    assert [message["type"] for message in sent] == ["welcome", "state"]
    assert sent[-1]["version"] == room.table.logged.version
    await room.answer(Player("ada", "Ada"), wire.Say(id="last", text="last"), 5)
    await asyncio.wait_for(_until(lambda: sent[-1]["type"] == "event"), 5)
    assert sent[-1]["event"]["text"] == "last"
    frames.put_nowait({"type": "websocket.disconnect", "code": 1000})
    await socket
    await lobby.close()
    await store.close()


async def _until(is_so: Callable[[], bool]) -> None:
    while not is_so():
        await asyncio.sleep(0.001)


async def test_answers_are_kept_for_a_slow_reader_and_who_never_listens_is_let_go() -> None:
    outbox = Outbox(3)
    event = wire.EventMessage(version=1, event=wire.Opened())
    for number in range(2):
        outbox.put(event, b"event")
        outbox.put(wire.Ack(id="x", version=1), b"ack %d" % number)
    # The fourth found no room: the events before it are gone, and the answers stay.
    outbox.put(event, b"event")
    outbox.put_snapshot(b"snapshot")
    assert [await outbox.next() for _ in range(3)] == [b"ack 0", b"ack 1", b"snapshot"]
    for _ in range(5):
        outbox.put(wire.Ack(id="x", version=1), b"ack")
    assert [await outbox.next() for _ in range(4)] == [b"ack", b"ack", b"ack", None]


async def test_what_can_be_sent_at_once_never_overtakes_what_waits() -> None:
    sent: list[bytes] = []
    is_slow = False

    def send_now(texts: Sequence[bytes]) -> bool:
        if not is_slow:
            sent.extend(texts)
        return not is_slow

    outbox = Outbox(9, send_now)
    ack = wire.Ack(id="x", version=1)
    outbox.put_all([letter(ack, b"1"), letter(ack, b"2")])
    assert sent == [b"1", b"2"]
    is_slow = True
    outbox.put(ack, b"3")
    is_slow = False
    outbox.put(ack, b"4")
    read = [await outbox.next()]
    outbox.put(ack, b"5")
    read.append(await outbox.next())
    # The last may still be on its way to the socket.
    read.append(await outbox.next())
    outbox.put(ack, b"6")
    reader = asyncio.create_task(outbox.next())
    assert (read, await reader, sent) == ([b"3", b"4", b"5"], b"6", [b"1", b"2"])
    reader = asyncio.create_task(outbox.next())
    await asyncio.sleep(0)
    outbox.put(ack, b"7")
    assert sent[-1] == b"7"
    outbox.close()
    assert await reader is None


async def test_a_mailbox_gives_what_came_first_and_outlives_a_reader() -> None:
    box: Mailbox[int] = Mailbox()
    reader = asyncio.create_task(box.get())
    await asyncio.sleep(0)
    reader.cancel()
    await asyncio.gather(reader, return_exceptions=True)
    got = []
    for number in range(6):
        box.put_nowait(number)
        if number % 3 == 2:
            got.append(await box.get())
    assert (box.qsize(), box.empty()) == (4, False)
    got += [box.get_nowait() for _ in range(4)]
    assert (got, box.qsize(), box.empty()) == ([0, 1, 2, 3, 4, 5], 0, True)


# Errors and logs.


async def test_no_error_reaches_a_client_and_the_table_goes_on(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    async with served() as place:
        made = await place.table("you", "greedy", "greedy", "greedy")
        table, token = made["table"]["id"], made["you"]["token"]
        async with place.guest(table, token) as guest:
            with monkeypatch.context() as patch:
                patch.setattr(Table, "handle", _broken)
                answer = await place.post(token, table, wire.Say(id="1", text="x"))
                assert (answer["type"], answer["code"]) == ("error", "busy")
                assert "7sKb" not in json.dumps(answer)
                assert (await guest.hear(wire.Error)).id == "1"
            # The table was made anew from what is stored.
            assert (await guest.hear(wire.Welcome)).you.seat == 0
            assert isinstance(await guest.do(wire.Say(id="2", text="x")), wire.Ack)
        with monkeypatch.context() as patch:
            patch.setattr(Lobby, "id_of_code", _broken)
            answer = (await place.http.get("/api/codes/x")).json()
            number = answer["message"].split()[-1]
            assert answer["error"] == "internal"
    assert number in caplog.text
    assert "_broken" in caplog.text
    assert "7sKb" not in caplog.text


def _broken(*arguments: object) -> Any:
    raise RuntimeError("the hand " + "".join(["7s", "Kb"]))


async def test_a_table_that_breaks_again_and_again_is_set_aside(monkeypatch: pytest.MonkeyPatch) -> None:
    async with served() as place:
        made = await place.table("you")
        table, token = made["table"]["id"], made["you"]["token"]
        other = await place.table("you")
        async with place.guest(table, token) as guest:
            with monkeypatch.context() as patch:
                patch.setattr(Table, "handle", _broken)
                for number in range(4):
                    await guest.do(wire.Say(id=f"{number}", text="x"))
            while (await guest.hear(wire.Error)).code != "closing":
                pass
        while table in place.lobby.rooms:
            await asyncio.sleep(0.01)
        assert [parked for parked, _ in await place.lobby.store.parked()] == [table]
        answer = await place.post(other["you"]["token"], other["table"]["id"], wire.Say(id="1", text="x"))
        assert answer["type"] == "ack"


async def test_the_store_may_fail_for_a_while_and_nobody_hears_of_it(monkeypatch: pytest.MonkeyPatch) -> None:
    async with served() as place:
        made = await place.table("you")
        append, failures = place.lobby.store.append, 2

        async def failing(*arguments: Any, **options: Any) -> None:
            nonlocal failures
            failures -= 1
            if failures >= 0:
                raise StoreError("the disk is full")
            await append(*arguments, **options)

        monkeypatch.setattr(place.lobby.store, "append", failing)
        async with place.guest(made["table"]["id"], made["you"]["token"]) as guest:
            assert isinstance(await guest.do(wire.Say(id="1", text="x")), wire.Ack)
        assert failures == -1


async def test_the_log_has_no_tokens_and_no_cards(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG)
    async with served() as place:
        made = await place.table("you", "greedy", "greedy", "greedy", start=True)
        token = made["you"]["token"]
        async with place.guest(made["table"]["id"], token) as guest:
            await guest.say("{")
            await guest.say({"type": "TICHU.PLAY_CARDS", "id": "x", "cards": ["Dr"]})
            await guest.dealt()
            await guest.play(GreedyAgent())
        await place.http.get("/api/me", headers={"authorization": f"Bearer {token}"})
    ours = [record for record in caplog.records if record.name.startswith(("tichu", "uvicorn"))]
    text = "\n".join(record.getMessage() for record in ours)
    assert "tables are open" in text
    assert token not in text
    assert not re.search(r"\b(?:[2-9TJQKA][sbgr]|Ma|Do|Ph|Dr)+\b", text), text


async def test_whoever_watches_the_server_sees_a_store_that_fails(monkeypatch: pytest.MonkeyPatch) -> None:
    async with served() as place:
        assert (await place.http.get("/healthz")).json()["status"] == "ok"
        made = await place.table("you")
        append = place.lobby.store.append

        async def full(*arguments: Any, **options: Any) -> None:
            raise StoreError("the disk is full")

        monkeypatch.setattr(place.lobby.store, "append", full)
        async with place.guest(made["table"]["id"], made["you"]["token"]) as guest:
            await guest.say({"type": "TABLE.SAY", "id": "1", "text": "x"})
            room = place.lobby.rooms[made["table"]["id"]]
            await asyncio.wait_for(_until(lambda: room.is_stuck), 5)
            health = await place.http.get("/healthz")
            assert (health.status_code, health.json()["status"]) == (503, "failing")
            monkeypatch.setattr(place.lobby.store, "append", append)
            await guest.hear(wire.Ack)
        assert (await place.http.get("/healthz")).status_code == 200
