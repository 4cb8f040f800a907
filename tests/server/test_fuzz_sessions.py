"""Recorded sessions, mutated: a bounded part of ``python -m bench.fuzz``, with a server in this process."""

import asyncio
import logging
import re
from random import Random

import pytest

from bench.fuzz.mutations import Case, make_case
from bench.fuzz.seeds import Place, load_seeds
from bench.fuzz.talk import Failed, Talker, make_place, say_request
from tests.server.serving import FREE, served
from tests.server.test_fuzz import COMMANDS, assert_unharmed, tag_of
from tichu.server import wire

SEEDS = load_seeds()
SETTINGS = {"rules": "standard goal=target:1", "pace": 0, "casual": True}


def cases(number: int, place: Place, seed: int = 604) -> list[Case]:
    return [make_case(SEEDS, place, seed, at) for at in range(number)]


def test_a_case_follows_from_its_seed_and_number() -> None:
    place = Place("table", "token")
    first = cases(1000, place)
    assert cases(1000, place) == first
    assert cases(1000, place, seed=605) != first
    assert {case.kind for case in first} == {"text", "binary", "raw", "request"}
    for case in first:
        if case.kind == "text":
            case.data.decode()


def test_there_is_a_seed_for_everything_that_clients_say() -> None:
    tags = {tag_of(kind) for kind in (*COMMANDS, wire.Hello, wire.Ping, wire.Check, wire.Hint)}
    assert {frame["type"] for frames in SEEDS.frames for frame in frames} == tags


#: They end the token that all cases have.
ENDING = {("DELETE", "/api/me/token"), ("POST", "/api/me/token"), ("POST", "/api/me/farewell")}


@pytest.mark.anyio
async def test_there_is_a_seed_for_everything_that_can_be_asked_without_the_operators_token() -> None:
    async with served() as place:
        paths = (await place.http.get("/openapi.json")).json()["paths"]
    missing = {
        (method.upper(), path)
        for path, methods in paths.items()
        for method in methods
        if not any(
            one.method == method.upper() and re.fullmatch(re.sub(r"\{\w+\}", "[^/]+", path), one.path.partition("?")[0])
            for one in SEEDS.requests
        )
    }
    # A process of its own begins for them, which would look like something that grows.
    missing -= {("GET", "/api/practice/{trainer}"), ("GET", "/api/practice/{trainer}/judgement")}
    of_operators = {
        one for one in missing if one[1].startswith("/api/operator") or one[1] == "/api/players/{player}/token"
    }
    assert missing - of_operators == ENDING


@pytest.mark.anyio
@pytest.mark.parametrize("seed", [1, 2, 3])
async def test_whatever_is_said_is_answered_and_nothing_is_left_behind(
    seed: int, caplog: pytest.LogCaptureFixture
) -> None:
    limits = dict.fromkeys(("socket_rate", "socket_burst", "socket_rejections", "code_burst"), 10**9)
    limits |= {"request_seconds": 1, "answer_seconds": 2}
    async with served(type(FREE)(**({name: getattr(FREE, name) for name in FREE.__slots__} | limits))) as server:
        port = int(server.url.rpartition(":")[2])
        place = await make_place(port, SETTINGS)
        talker = Talker(port, place, Random(seed))
        said = cases(500, place, seed)
        frames = [case for case in said if case.kind in ("text", "binary")]
        for start in range(0, len(frames), 40):
            await talker.say(frames[start : start + 40])
        for case in said:
            if case.kind == "raw":
                await talker.say([case])
        talker.close()
        requests = [case.data for case in said if case.kind == "request"]
        statuses = await asyncio.gather(*(say_request(port, data) for data in requests))
        assert {200, 400, 404} <= set(statuses)
        assert (await server.http.get("/healthz")).status_code == 200
        assert_unharmed(server.lobby.rooms[place.table].table)
        async with asyncio.timeout(20):
            while (await server.http.get("/healthz")).json()["sockets"]:
                await asyncio.sleep(0.05)
    broken = [record for record in caplog.records if record.levelno >= logging.ERROR]
    assert not broken
    assert "Traceback" not in caplog.text


@pytest.mark.anyio
async def test_a_server_that_does_not_answer_is_a_failure(monkeypatch: pytest.MonkeyPatch) -> None:
    async def say_nothing(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.read()
        writer.close()

    async def break_down(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writer.write(b"HTTP/1.1 500 Internal Server Error\r\n\r\n")
        writer.close()

    monkeypatch.setattr("bench.fuzz.talk._PATIENCE_S", 0.2)
    for server, words in ((say_nothing, "no answer"), (break_down, "answered with 500")):
        listening = await asyncio.start_server(server, "127.0.0.1", 0)
        with pytest.raises(Failed, match=words):
            await say_request(listening.sockets[0].getsockname()[1], b"GET / HTTP/1.1\r\n\r\n")
        listening.close()
