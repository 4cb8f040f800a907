"""Tables that should be at another node."""

import asyncio
import json
from collections import Counter
from typing import Any, cast

import pytest
from websockets.asyncio.client import connect

from tests.server.nodes import cluster, node_of
from tichu.server import wire
from tichu.server.cluster.peers import Peer
from tichu.server.moving import STAY_S, choose_moves
from tichu.server.room import Room


class _Stored:
    def __init__(self, game: object) -> None:
        self.game = game


class _Room:
    """As much of a room as matters here."""

    def __init__(self, name: str, *vias: str, game: object = None) -> None:
        self.id = name
        self.stored = _Stored(game)
        self._vias = vias

    def ways(self) -> Counter[str]:
        return Counter(self._vias)


def _peer(name: str, tables: int = 0) -> Peer:
    return Peer(name, name, "http://h:1", "1", 1, False, tables, 0, 0.1, 0.0)


def _moves(rooms: list[_Room], *peers: Peer, stayed: float = STAY_S) -> list[tuple[str, str, str]]:
    came = {room.id: 1000.0 - stayed for room in rooms}
    return [
        (move.room.id, move.target, move.why) for move in choose_moves(cast("list[Room]", rooms), came, peers, 1000.0)
    ]


def test_a_table_goes_where_most_of_its_players_arrive() -> None:
    assert _moves([_Room("t", "b", "b", "b", "")], _peer("b", 1)) == [("t", "b", "sockets")]


@pytest.mark.parametrize(
    "room",
    [
        _Room("t", "b", "b", "", ""),
        _Room("t", "gone", "gone", "gone"),
        _Room("t"),
        _Room("t", "b", "b", "b", game="a round"),
    ],
)
def test_it_stays_without_a_majority_and_during_a_round(room: _Room) -> None:
    assert _moves([room], _peer("b", 1)) == []


def test_nothing_moves_again_at_once() -> None:
    assert _moves([_Room("t", "b", "b")], _peer("b", 1), stayed=STAY_S - 1) == []


def test_an_overfull_node_gives_some_to_the_emptiest() -> None:
    rooms = [_Room(f"t{number}") for number in range(60)]
    moves = _moves(rooms, _peer("b", 20), _peer("c", 10))
    assert moves
    assert {(target, why) for _, target, why in moves} == {("c", "overfull")}
    assert len(moves) <= 20
    assert _moves(rooms, _peer("b", 60), _peer("c", 55)) == []
    assert _moves(rooms) == []


@pytest.mark.anyio
async def test_a_table_that_has_moved_answers_at_its_new_node(postgres: str) -> None:
    from tests.server.conftest import _forget_everything

    await _forget_everything(postgres)
    async with cluster(postgres, "a", "b") as (a, b):
        made = await a.table("you", None)
        table, token = made["table"]["id"], made["you"]["token"]
        shared: Any = a.lobby.shared
        await shared.hand_over(a.lobby.rooms[table], node_of(b).id)
        said = await a.post(token, table, wire.PutBot(id="x", seat=1, bot="easy"))
        assert said["type"] == "ack"
        async with asyncio.timeout(5):
            while table not in b.lobby.rooms:
                await asyncio.sleep(0.02)
        assert table not in a.lobby.rooms


@pytest.mark.anyio
async def test_a_new_table_moves_to_the_node_by_which_its_host_comes(
    postgres: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    from tests.server.conftest import _forget_everything

    await _forget_everything(postgres)
    monkeypatch.setattr("tichu.server.sharing._MOVING_S", 0.1)
    async with cluster(postgres, "a", "b") as (a, b):
        made = await a.table("you", None)
        table, token = made["table"]["id"], made["you"]["token"]
        async with connect(b.url.replace("http", "ws", 1) + f"/ws/v1/tables/{table}", proxy=None) as socket:
            await socket.send(json.dumps({"type": "hello", "table": table, "token": token}))
            await asyncio.wait_for(socket.wait_closed(), 10)
        async with asyncio.timeout(5):
            while table not in b.lobby.rooms:
                await asyncio.sleep(0.02)
        assert node_of(a).metrics.moves.labels("sockets")._value.get() == 1
        assert not node_of(b).is_new(table)
