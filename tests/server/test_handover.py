"""Deploys without a lost trick: a table goes from one server to another between two commands."""

import asyncio
import json
from typing import Any

import pytest
from websockets.asyncio.client import connect

from tests.server.nodes import cluster, fall_silent, node_of, one_node, owner_of, until
from tests.server.players import Club
from tests.server.serving import Place
from tichu.server import wire
from tichu.server.log import ActionEntry, OpenEntry, decode, encode
from tichu.server.table import Table
from tichu.server.table.handover import Handover, SeatClock, decode_handover, encode_handover
from tichu.server.table.ports import Player
from tichu.server.wire.settings import Settings

pytestmark = pytest.mark.anyio

ADA = Player("ada", "Ada")


@pytest.fixture
def url(postgres: str) -> str:
    """An empty database."""
    from tests.server.conftest import _forget_everything

    asyncio.run(_forget_everything(postgres))
    return postgres


class _Log:
    """A table with its log, by hand."""

    def __init__(self, **settings: Any) -> None:
        self.now = 1000.0
        self.table, step = Table.create("t", "CODE22", Settings(**settings), ADA, self.now)
        self.entries = list(step.entries)

    def do(self, command: wire.Command) -> None:
        step = self.table.handle(ADA, command, self.now)
        self.entries += step.entries

    def tick(self, seconds: float) -> None:
        self.now += seconds
        self.entries += self.table.tick(self.now).entries

    def elsewhere(self, later: float) -> Table:
        """The same table at another server, whose clock shows something else."""
        return Table.restore((decode(encode(entry)) for entry in self.entries), later)


def _playing(**settings: Any) -> _Log:
    made = _Log(**settings)
    made.entries += made.table.connect(ADA, made.now).entries
    made.do(wire.Sit(id="s", seat=0))
    made.do(wire.Start(id="go"))
    for _ in range(40):
        if made.table.logged.game is not None:
            break
        made.tick(0.5)
    assert made.table.logged.game is not None
    return made


def test_the_clock_of_a_decision_goes_over_as_what_is_left_of_it() -> None:
    made = _playing(clock=wire.Clock(decision=20, reserve=60), pace=1)
    made.tick(0.1)
    made.tick(7.0)
    handover = made.table.hand_over(made.now)
    (clock,) = handover.clocks
    assert clock.seat == 0
    later = made.elsewhere(5000.0)
    later.take_over(decode_handover(encode_handover(handover)) or Handover(), 5000.0)
    later.tick(5000.0)
    ends = [ends for seat, ends, _ in later._play.decisions.clocks() if seat == 0]
    assert ends == [pytest.approx(5000.0 + clock.left)]
    assert clock.left < 20 - 6.9


def test_after_a_crash_the_clock_begins_anew_and_the_reserve_is_as_stored() -> None:
    made = _playing(clock=wire.Clock(decision=20, reserve=60), pace=1)
    made.tick(7.0)
    later = made.elsewhere(5000.0)
    later.tick(5000.0)
    assert [(ends, reserve) for _, ends, reserve in later._play.decisions.clocks()] == [(5020.0, 5080.0)]


def test_a_window_goes_over_with_what_is_left_and_never_less() -> None:
    handover = Handover(window_passed=0.3, window_left=0.5, clocks=(SeatClock(1, -2.0, 30.0),), auto_pass={2: "trick"})
    made = _playing(pace=1)
    table = made.table
    from tichu.server.table.window import BombWindow

    table._play.window = BombWindow(made.now, made.now + 9)
    table.take_over(handover, made.now)
    assert table._play.window.begins == pytest.approx(made.now - 0.3)
    assert table._play.window.ends == pytest.approx(made.now + 0.5)
    assert table._play.decisions.auto_pass_of(2) == "trick"
    again = table.hand_over(made.now)
    assert again.window_left == pytest.approx(0.5)
    assert again.auto_pass == {2: "trick"}


#: Seat 0 leads a seven; seat 3 is next and can beat it with a knave, and seat 1 can bomb.
HELD = "7s8s9bTs/6s6b6g6r9s/4s4b9gJr/2s3b4g8rJs p0 - 90/0/0/0 - ---- - -/-/-/-"


def answers_to(club: Club, command: str) -> list[wire.FromServer]:
    heard = [message for messages in club.heard.values() for message in messages]
    return [one for one in heard if isinstance(one, wire.Ack | wire.Refused) and one.id == command]


@pytest.mark.parametrize("is_bombed", [False, True])
def test_a_play_that_is_held_back_is_repeated_elsewhere_and_waits_as_long_as_before(is_bombed: bool) -> None:
    club = Club(Settings(rules="standard", position=HELD, casual=True, pace=1))
    club.seat_people(0, 1, 2, 3)
    club.start()
    while club.table.logged.game is None:
        club.wait()
    assert isinstance(club.command(0, wire.PlayCards(id="lead", cards=("7s",))), wire.Ack)
    play, bomb = wire.PlayCards(id="play", cards=("Js",)), wire.PlayBomb(id="bomb", cards=("6s", "6b", "6g", "6r"))
    said: list[tuple[int, wire.Command]] = [(3, play), (1, bomb)] if is_bombed else [(3, play)]
    club.now += 0.3
    assert [club.command(*one) for one in said] == [None] * len(said)
    assert club.table._play.window is not None
    left, live = club.table._play.window.ends - club.now, encode_handover(club.table.hand_over(club.now))
    # At another server, whose clock shows something else, all come back and ask again.
    club.now += 5000.0
    club.table = Table.restore([decode(encode(entry)) for entry in club.entries], club.now)
    club.table.take_over(decode_handover(live) or Handover(), club.now)
    club.connect(0, 1, 2, 3)
    assert [club.command(*one) for one in said] == [None] * len(said)
    assert (club.table.due() or 0.0) - club.now == pytest.approx(left)
    assert club.wait()
    kinds = {command: [type(answer) for answer in answers_to(club, command)] for command in ("play", "bomb")}
    assert kinds == {"play": [wire.Refused if is_bombed else wire.Ack], "bomb": [wire.Ack] if is_bombed else []}
    # Once more, and it is still done once.
    assert [club.command(*one) for one in said] == [answers_to(club, one.id)[0] for _, one in said]
    keys = [entry.command for entry in club.entries if isinstance(entry, ActionEntry)]
    assert keys[1:] == (["player1 bomb"] if is_bombed else ["player3 play"])


def test_what_another_version_has_written_is_read_as_far_as_it_is_known() -> None:
    assert decode_handover(b'{"waited":3.0,"new":{"x":1}}') == Handover(waited=3.0)
    assert decode_handover(b"[]") is None
    assert isinstance(decode(encode(_Log().entries[0])), OpenEntry)


async def heard(socket: Any, kind: str) -> Any:
    async with asyncio.timeout(10):
        while (message := json.loads(await socket.recv()))["type"] != kind:
            pass
    return message


async def test_a_node_that_ends_hands_its_tables_over(url: str) -> None:
    async with cluster(url, "b") as (b,):
        async with one_node(url, "a") as a:
            for place in (a, b):
                await node_of(place).membership.renew()
            made = await a.table("you", "easy", "easy", "easy", start=True)
            table, token = made["table"]["id"], made["you"]["token"]
            async with connect(b.url.replace("http", "ws", 1) + f"/ws/v1/tables/{table}", proxy=None) as socket:
                await socket.send(json.dumps({"type": "hello", "table": table, "token": token}))
                await heard(socket, "welcome")
                await a.lobby.close()
                await heard(socket, "error")
            assert not a.lobby.rooms
            former = node_of(a).id
        await _until_here(b, table)
        assert node_of(b).metrics.claims.labels("handed")._value.get() == 1
        assert node_of(b).id != former
        said = await b.post(token, table, wire.Say(id="c", text="still here"))
        assert said["type"] == "ack"


async def _until_here(place: Place, table: str) -> None:
    async with asyncio.timeout(10):
        while table not in place.lobby.rooms:
            await asyncio.sleep(0.02)


async def test_play_goes_on_through_a_rolling_deploy(url: str) -> None:
    """Everything that was acknowledged is in the log, once, whoever had the table."""
    async with cluster(url, "door") as (door,):
        token, table, said = "", "", []
        for name in ("a", "b", "c"):
            async with one_node(url, name) as node:
                for place in (node, door):
                    await node_of(place).membership.renew()
                if not table:
                    made = await node.table("you", "easy", "easy", "easy")
                    table, token = made["table"]["id"], made["you"]["token"]
                for number in range(3):
                    answer = await door.post(token, table, wire.Say(id=f"{name}{number}", text=f"{name}{number}"))
                    assert answer["type"] == "ack"
                    said.append(f"{name}{number}")
        entries = [bytes(entry) for entry in (await door.lobby.store.table(table)).entries]  # type: ignore[union-attr]
        for text in said:
            assert sum(f'"text":"{text}"'.encode() in entry for entry in entries) == 1


async def test_hashed_files_of_another_page_are_still_served(url: str) -> None:
    async with cluster(url, "a") as (a,):
        assert (await a.http.get("/assets/old-1234.js")).status_code == 404
        await node_of(a).page_files.keep({"assets/old-1234.js": b"let old"})
        found = await a.http.get("/assets/old-1234.js")
        assert found.text == "let old"
        assert "immutable" in found.headers["cache-control"]
        assert found.headers["content-type"].startswith("text/javascript")
        assert (await a.http.get("/old-1234.js")).status_code == 404


async def test_a_silent_node_that_is_told_to_end_says_nothing_more(url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    async with cluster(url, "a", "b") as (a, b):
        made = await a.table("you", None)
        table = made["table"]["id"]
        await fall_silent(a)
        node_of(a).lease.drop()
        monkeypatch.setattr(node_of(a).membership, "renew", _never_renewed)
        assert (await a.http.get(f"/api/tables/{table}")).status_code == 503
        a.lobby.is_closing = True
        assert (await a.http.get(f"/api/tables/{table}")).status_code == 503
        # Nor does it give away what may be another one's.
        shared: Any = a.lobby.shared
        await shared.hand_over_all()
        assert table in a.lobby.rooms
        assert await owner_of(url, table) == (node_of(a).id, 1)
        assert table not in b.lobby.rooms


async def _never_renewed() -> None:
    raise TimeoutError


async def test_a_table_that_breaks_while_it_is_given_away_keeps_no_other(
    url: str, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    async with cluster(url, "a", "b") as (a, b):
        bad, good = [(await a.table("you", None))["table"]["id"] for _ in range(2)]
        room = a.lobby.rooms[bad]

        async def fail(give: Any) -> None:
            raise ValueError("it cannot be written down")

        monkeypatch.setattr(room, "hand_over", fail)
        await a.lobby.close()
        assert await owner_of(url, bad) == (node_of(a).id, 1)
        await until(lambda: good in b.lobby.rooms)
        assert "handing over a table: ValueError" in caplog.text
        assert room._is_over


async def test_a_table_that_breaks_while_it_moves_goes_on_where_it_was(url: str) -> None:
    async with cluster(url, "a", "b") as (a, b):
        made = await a.table("you", None)
        table, token = made["table"]["id"], made["you"]["token"]
        room, shared = a.lobby.rooms[table], a.lobby.shared
        assert shared is not None

        def fail(now: float) -> Any:
            raise ValueError("it cannot be written down")

        room.table.hand_over = fail  # type: ignore[method-assign]
        async with a.guest(table, token) as guest:
            await shared.hand_over(room, node_of(b).id)
            # Whoever was there is sent away, and finds it again.
            while (await guest.hear(wire.Error)).code != "closing":
                pass
        assert a.lobby.rooms[table] is not room
        said = await b.post(token, table, wire.Say(id="x", text="still here"))
        assert said["type"] == "ack"


async def test_a_handover_that_takes_too_long_does_not_keep_a_node_from_ending(
    url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tichu.server.sharing._HANDOVER_S", 0.3)
    async with cluster(url, "a", "b") as (a, b):
        table = (await a.table("easy", "easy", "easy", "easy", start=True))["table"]["id"]

        async def never(*arguments: Any) -> bool:
            await asyncio.Event().wait()
            return False

        monkeypatch.setattr(node_of(a), "hand_over", never)
        async with asyncio.timeout(8):
            await a.lobby.close()
        await node_of(a).membership.stop()
        await node_of(b).membership.renew()
        await until(lambda: table in b.lobby.rooms)
