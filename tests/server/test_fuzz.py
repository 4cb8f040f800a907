"""Whatever is said to a server, it answers, and the table is unharmed."""

import asyncio
import json
import random
import threading
from collections.abc import Iterator
from typing import Any

import httpx
import hypothesis.strategies as st
import msgspec
import pytest
import schemathesis
from hypothesis import HealthCheck, given, settings
from hypothesis import Phase as Stage
from schemathesis.core.result import Ok
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    response_schema_conformance,
    status_code_conformance,
    unsupported_method,
)

from tests.server.serving import Guest, served
from tichu.core.actions import format_action
from tichu.core.cards import ALL_CARDS
from tichu.core.deals import format_deal, shuffled_deal
from tichu.core.game import Game
from tichu.core.phases import Phase
from tichu.core.rules import Rules
from tichu.server import wire
from tichu.server.log import decode
from tichu.server.table import Table

RULES = "single-round"
COMMANDS = [*wire.Action.__args__, *wire.TableCommand.__args__]
TAGS = [str(kind.__struct_config__.tag) for kind in (*COMMANDS, wire.Hello, wire.Ping, wire.Check, wire.Hint)]
HUGE = [0, -1, 4, 2**31, 2**63, 2**64, -(2**70), 10**400, 1e308, 1.5, True]

names = st.sampled_from(
    [
        "id",
        "type",
        "version",
        "seat",
        "cards",
        "declaredCombo",
        "wishRank",
        "text",
        "left",
        "bot",
        "until",
        "nonce",
        "commitment",
        "x",
    ]
)
cards = st.sampled_from(["7s", "Ma", "Do", "Ph", "Dr", "As", "1s", "7x", "", "Dr ", "P7", "\x00\x00", "ss"])
scalars = st.none() | st.booleans() | st.sampled_from(HUGE) | st.text(max_size=12) | cards | st.floats(allow_nan=False)
values = st.recursive(
    scalars,
    lambda inner: st.lists(inner, max_size=16) | st.dictionaries(names | st.text(max_size=6), inner, max_size=6),
)
#: Objects with the right name and wrong contents.
named = st.builds(
    lambda tag, more: {**more, "type": tag}, st.sampled_from(TAGS), st.dictionaries(names, values, max_size=6)
)
#: Commands that could be, for a seat that may not have it.
plausible = st.one_of(
    st.builds(
        lambda tag, more: {"id": "?", **more, "type": tag},
        st.sampled_from(TAGS),
        st.fixed_dictionaries(
            {},
            optional={
                "version": st.integers(-2, 200),
                "seat": st.integers(0, 3),
                "cards": st.lists(cards, max_size=14),
                "wishRank": st.sampled_from(["2", "A", "NONE"]),
                "toOpponentPlayerId": st.integers(0, 3),
                "text": st.text(min_size=1, max_size=20),
                "bot": st.sampled_from(["greedy", "process:true", "x.py:X", "nobody"]),
                "first": st.integers(0, 3),
                "second": st.integers(0, 3),
                "until": st.sampled_from(["off", "turn", "trick", "ever"]),
            },
        ),
    )
)
deep = st.integers(1, 3000).map(lambda depth: '{"type":"check","id":"x","cards":' + "[" * depth)
frames = st.one_of(
    st.text(max_size=60),
    st.binary(max_size=60),
    deep,
    st.just('{"type":"TABLE.SAY","id":"\\ud800","text":"\\udfff"}'),
    st.builds(json.dumps, values),
    st.builds(json.dumps, named),
    st.builds(json.dumps, plausible),
)


def table_settings() -> dict[str, Any]:
    """A casual table in the middle of a round, with seat 0 to play."""
    rng = random.Random(7)
    game = Game.start(shuffled_deal(rng), Rules.parse(RULES))
    while not (game.round.phase is Phase.PLAY and game.round.pending == (0,) and len(game.actions) > 12):
        seat = game.round.pending[0]
        game = game.after(seat, game.view(seat).legal().draw(rng))
    actions = [format_action(*one) for one in game.actions]
    return {"rules": RULES, "deal": format_deal(game.deal), "actions": actions, "pace": 0.02}


def assert_unharmed(table: Table) -> None:
    """All cards are there, once, and points add up."""
    game = table.logged.game
    if game is None:
        return
    state = game.round
    assert sum(hand.bit_count() for hand in (*state.hands, state.played, *state.later)) == 56
    assert sum((*state.hands, state.played, *state.later)) == ALL_CARDS
    assert sum(state.points) + state.points_on_table <= 100


async def attempt(said: list[str | bytes]) -> None:
    async with served() as place:
        made = await place.table("you", "greedy", "greedy", "greedy", start=True, **table_settings())
        table, token = made["table"]["id"], made["you"]["token"]
        async with place.guest(table, token) as ada, place.guest(table) as stranger:
            for guest in (stranger, ada):
                for frame in said:
                    await guest.say(frame)
                await answered(guest, len(said))
            room = place.lobby.rooms[table]
            assert_unharmed(room.table)
            assert isinstance(await ada.do(wire.Say(id="the end", text="fine")), wire.Ack | wire.Refused)
            versions = [stranger.welcome.version, room.table.logged.version]
            assert versions == sorted(versions)
            # What is stored is what is played on with.
            await room.stop()
            stored = [one async for one in place.lobby.store.tables() if one.id == table]
            again = Table.restore(map(decode, stored[0].entries), 0.0)
            assert again.logged.version == room.table.logged.version
            assert again.logged.game == room.table.logged.game
            for where in ("table", "socket", "store"):
                assert place.lobby.metrics.registry.get_sample_value("tichu_failures_total", {"where": where}) is None


async def answered(guest: Guest, count: int) -> None:
    """Wait for as many answers as there were questions."""
    while count:
        message = await guest.next()
        count -= isinstance(message, wire.Answer | wire.Pong)


@given(st.lists(frames, min_size=1, max_size=25))
# To shrink an example takes longer than to read it.
@settings(max_examples=25, suppress_health_check=[HealthCheck.too_slow], phases=[Stage.explicit, Stage.generate])
def test_every_frame_is_answered_and_nothing_breaks(said: list[str | bytes]) -> None:
    asyncio.run(attempt(said))


@pytest.mark.anyio
async def test_a_command_that_is_sent_again_is_done_once() -> None:
    async with served() as place:
        made = await place.table("you")
        async with place.guest(made["table"]["id"], made["you"]["token"]) as guest:
            first = await guest.do(wire.Say(id="same", text="once"))
            again = [await guest.do(wire.Say(id="same", text="once")) for _ in range(3)]
            other = await guest.do(wire.Say(id="same", text="another text with the same id"))
            assert again == [first] * 3
            assert other == first
            last = await guest.do(wire.Say(id="new", text="twice"))
            assert isinstance(first, wire.Ack)
            assert isinstance(last, wire.Ack)
            assert last.version == first.version + 1


@pytest.mark.anyio
async def test_nobody_acts_for_another_seat() -> None:
    async with served() as place:
        made = await place.table("you", "greedy", "greedy", "greedy", start=True, **table_settings())
        table = made["table"]["id"]
        async with place.guest(table) as stranger:
            before = place.lobby.rooms[table].table.logged.version
            assert stranger.welcome.view is None or stranger.welcome.view.hand == ()
            for number, kind in enumerate(COMMANDS):
                fields = {
                    "id": f"{number}",
                    "seat": 0,
                    "cards": ["7s"],
                    "until": "turn",
                    "wishRank": "A",
                    "bot": "greedy",
                }
                fields |= {"settings": {}, "avatar": "fox", "pace": 1}
                fields |= {"toOpponentPlayerId": 1, "first": 0, "second": 1, "nonce": "ab", "commitment": "ab" * 32}
                wanted = {field.encode_name for field in msgspec.structs.fields(kind)}
                if kind in (wire.Say, wire.Emote):
                    continue
                await stranger.say({name: fields[name] for name in wanted & set(fields)} | {"type": tag_of(kind)})
                answer = await stranger.hear(wire.Ack, wire.Refused, wire.Error)
                assert isinstance(answer, wire.Refused), (kind, answer)
            assert place.lobby.rooms[table].table.logged.version == before


def tag_of(kind: type[msgspec.Struct]) -> str:
    return str(kind.__struct_config__.tag)


# The HTTP API, as its own description has it.


@pytest.fixture(scope="module")
def api() -> Iterator[str]:
    """A server in a thread, because the tests below do not wait for anybody."""
    ready, ended = threading.Event(), asyncio.Event()
    address: list[str] = []
    loops: list[asyncio.AbstractEventLoop] = []

    async def serve() -> None:
        async with served() as place:
            address.append(place.url)
            loops.append(asyncio.get_running_loop())
            ready.set()
            await ended.wait()

    thread = threading.Thread(target=asyncio.run, args=(serve(),))
    thread.start()
    assert ready.wait(20)
    yield address[0]
    loops[0].call_soon_threadsafe(ended.set)
    thread.join(20)


CHECKS: list[Any] = [
    content_type_conformance,
    response_schema_conformance,
    status_code_conformance,
    unsupported_method,
]


def test_the_api_does_what_its_description_says(api: str) -> None:
    schema = schemathesis.openapi.from_url(f"{api}/openapi.json")
    made = httpx.post(f"{api}/api/tables", json={"seats": ["you", "greedy", "greedy", "greedy"], "start": True}).json()
    token, table = made["you"]["token"], made["table"]["id"]
    paths = set()
    for found in schema.get_all_operations():
        assert isinstance(found, Ok), found
        operation = found.ok()
        paths.add(operation.path)

        @given(operation.as_strategy(), st.booleans())
        @settings(max_examples=8, suppress_health_check=list(HealthCheck), phases=[Stage.generate])
        def ask(case: Any, has_token: bool) -> None:
            if has_token and "table" in case.path_parameters and "stream" not in case.path:
                case.path_parameters["table"] = table
            response = case.call(headers={"authorization": f"Bearer {token}"} if has_token else {})
            assert response.status_code < 500, (case, response.text)
            case.validate_response(response, checks=CHECKS)

        ask()
    assert {"/api/tables", "/api/players", "/api/games/{game}/views", "/api/tables/{table}/stream"} <= paths
