"""Whatever is said to a server, it answers, and the table is unharmed."""

import asyncio
import json
import random
import secrets
import threading
from collections import Counter
from collections.abc import Iterator
from contextlib import AsyncExitStack
from typing import Any, NamedTuple

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

from tests.server.conftest import _forget_everything
from tests.server.mail_server import mail_server
from tests.server.serving import FREE, Guest, Place, served
from tests.server.test_accounts import WORD
from tests.server.test_accounts import made as made_account
from tests.server.test_emails import SENDER, SITE
from tests.server.test_farewell import finished_game
from tests.server.test_rated_rows import keep, season
from tests.server.test_tokens import bearer
from tichu.core.actions import format_action
from tichu.core.cards import ALL_CARDS
from tichu.core.deals import format_deal, shuffled_deal
from tichu.core.game import Game
from tichu.core.phases import Phase
from tichu.core.rules import Rules
from tichu.server import wire
from tichu.server.config import Limits
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


class Known(NamedTuple):
    """A server with something of everything."""

    url: str
    #: By the name of a part of a path: what there is.
    ids: dict[str, str]
    guest: str


async def fill(place: Place) -> Known:
    made = await place.table("you", "greedy", "greedy", "greedy", start=True)
    table, guest = made["table"]["id"], made["you"]["token"]
    ada, bob = await made_account(place, "Ada"), await made_account(place, "Bob")
    game = await finished_game(place, ada["token"])
    (row,) = season(1)
    await keep(place.lobby.store, [row])
    about = {"reason": "abuse", "table": table}
    report = await place.http.post(f"/api/players/{ada['player']}/reports", json=about, headers=bearer(bob["token"]))
    ids = {"table": table, "player": ada["player"], "game": game, "match": row.match, "report": report.json()["report"]}
    return Known(place.url, ids, guest)


@pytest.fixture(scope="module", params=["sqlite", "postgres"])
def api(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Known]:
    """A server in a thread, because the tests below do not wait for anybody."""
    ready, ended = threading.Event(), asyncio.Event()
    filled: list[Known] = []
    loops: list[asyncio.AbstractEventLoop] = []
    if request.param == "sqlite":
        database = f"sqlite:{tmp_path_factory.mktemp('api') / 'tichu.db'}"
    else:
        database = request.getfixturevalue("postgres")
        asyncio.run(_forget_everything(database))

    async def serve() -> None:
        known = {name: getattr(FREE, name) for name in FREE.__dataclass_fields__}
        often = {
            "login_burst": 9999,
            "address_login_burst": 9999,
            "report_burst": 999,
            "making_burst": 9999,
            "address_mails": 9999,
            "confirmations": 9999,
        }
        limits = Limits(**{**known, **often})
        async with AsyncExitStack() as stack:
            letters = await stack.enter_async_context(mail_server())
            mail = {"public_url": SITE, "smtp": f"smtp://127.0.0.1:{letters.port}", "mail_from": SENDER}
            place = await stack.enter_async_context(served(limits, database=database, operator_token=OPERATOR, **mail))
            filled.append(await fill(place))
            loops.append(asyncio.get_running_loop())
            ready.set()
            await ended.wait()

    thread = threading.Thread(target=asyncio.run, args=(serve(),))
    thread.start()
    assert ready.wait(60)
    yield filled[0]
    loops[0].call_soon_threadsafe(ended.set)
    thread.join(20)


CHECKS: list[Any] = [
    content_type_conformance,
    response_schema_conformance,
    status_code_conformance,
    unsupported_method,
]
OPERATOR = "the token of the operator"


@pytest.mark.parametrize("who", ["guest", "account", "operator"])
def test_the_api_does_what_its_description_says(api: Known, who: str) -> None:
    schema = schemathesis.openapi.from_url(f"{api.url}/openapi.json")
    #: By path: how often something came of it.
    done: Counter[str] = Counter()
    for number, found in enumerate(schema.get_all_operations()):
        assert isinstance(found, Ok), found
        operation = found.ok()
        if who == "operator" and not operation.path.startswith(("/api/operator", "/api/players")):
            continue
        # Some end the token, or who has it.
        token = api.guest if who == "guest" else OPERATOR if who == "operator" else new_account(api.url, number)

        done[operation.path] += try_operation(operation, api.ids, token)
    assert "/api/players/{player}" in done
    if who == "account":
        assert all(done[f"/api/me/{path}"] for path in ("account", "people", "export", "sessions"))
        assert all(done[f"/api/{path}"] for path in ("login/mail", "me/email", "home", "players/{player}/games"))
        assert {"/api/tables", "/api/games/{game}/views", "/api/tables/{table}/stream"} <= set(done)
    if who == "operator":
        paths = ("players/{player}/ban", "players/{player}/mute", "acts", "matches", "reports", "reports/{report}")
        assert all(done[f"/api/operator/{path}"] for path in paths)


def try_operation(operation: Any, ids: dict[str, str], token: str) -> int:
    """Ask for one thing in many ways; how often something came of it."""
    done = 0

    @given(operation.as_strategy(), st.booleans())
    @settings(max_examples=8, suppress_health_check=list(HealthCheck), phases=[Stage.generate])
    def ask(case: Any, is_real: bool) -> None:
        nonlocal done
        if is_real and not case.path.endswith(("/stream", "/delete")):
            parts = case.path_parameters
            parts.update({name: ids.get(name, drawn) for name, drawn in parts.items()})
        if is_real and isinstance(case.body, dict) and "password" in case.body:
            case.body["password"] = WORD
        if is_real and isinstance(case.body, dict) and "email" in case.body:
            case.body["email"] = f"{secrets.token_hex(4)}@example.org"
        response = case.call(headers={"authorization": f"Bearer {token}"} if is_real else {})
        assert response.status_code < 500, (case, response.text)
        case.validate_response(response, checks=CHECKS)
        done += response.status_code < 300

    ask()
    return done


def new_account(url: str, number: int) -> str:
    asked = {"name": f"Fuzz {number} {secrets.token_hex(4)}"[:24], "password": WORD, "device": "x"}
    made = httpx.post(f"{url}/api/accounts", json=asked)
    assert made.status_code == 201, made.text
    return str(made.json()["token"])
