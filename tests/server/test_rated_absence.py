"""Being away from a rated match while the server is at fault: a store that stands still, a lease, a move to a node."""

import asyncio

import pytest

from tests.server.rated_club import RatedClub
from tests.server.serving import FREE, Place, served
from tests.server.test_accounts import made
from tests.server.test_rated_table import settings
from tests.server.test_store_stuck import stuck, until
from tests.server.test_tokens import bearer
from tichu.server import wire
from tichu.server.clock import SteadyClock
from tichu.server.outbox import Outbox
from tichu.server.room import Room
from tichu.server.table import Table
from tichu.server.table.handover import decode_handover, encode_handover
from tichu.server.table.ports import Player
from tichu.server.wire import Clock

SLOW = settings(clock=Clock(decision=60, reserve=600))


def elsewhere(club: RatedClub, seconds: float) -> None:
    """Another node goes on with the table, and everybody has to come back there."""
    handover = decode_handover(encode_handover(club.table.hand_over(club.now)))
    assert handover is not None
    start = club.checkpoints[-1] if club.checkpoints else 0
    club.now += seconds
    club.table = Table.restore(club.entries[start:], club.now, club.entropy)
    club.table.take_over(handover, club.now)


def test_a_move_to_another_node_excuses_nobody_who_was_away() -> None:
    club = RatedClub(SLOW).agree().deal()
    club.asleep = {0, 1, 2, 3}
    club.leave(1)
    club.pass_time(90)
    elsewhere(club, 2)
    club.connect(0, 2, 3)
    leaves_at = club.table.state().seats[1].leaves_at
    assert leaves_at is not None
    assert leaves_at / 1000 - club.now == pytest.approx(30, abs=0.1)
    club.pass_time(31)
    assert (club.rows[0].ending, club.rows[0].leaver) == ("left", 1)


def test_moves_every_two_minutes_do_not_make_being_away_free() -> None:
    """Whoever has the table moved again and again, and is away in between, leaves as everybody else."""
    club = RatedClub(SLOW).agree().deal()
    club.asleep = {0, 1, 2, 3}
    for _ in range(6):
        if club.rows:
            break
        elsewhere(club, 1)
        club.connect(0, 2, 3)
        club.pass_time(60)
        club.connect(1)
        club.pass_time(5)
    assert club.rows[0].leaver == 1


def test_those_who_were_there_have_time_to_come_back_after_a_move() -> None:
    club = RatedClub(SLOW).agree().deal()
    club.asleep = {0, 1, 2, 3}
    elsewhere(club, 2)
    club.connect(0, 1, 2)
    club.pass_time(25)
    club.connect(3)
    assert club.table.logged.rated.away == (0, 0, 0, 0)


def test_after_a_crash_everybody_has_two_minutes() -> None:
    club = RatedClub(SLOW).agree().deal()
    club.asleep = {0, 1, 2, 3}
    club.restart(30)
    club.connect(0, 1, 2)
    club.pass_time(110)
    club.connect(3)
    assert club.table.logged.rated.away == (0, 0, 0, 0)


class Skips(SteadyClock):
    """A clock that can be set forward."""

    ahead = 0.0

    def __call__(self) -> float:
        return super().__call__() + self.ahead


async def rated_match(place: Place) -> tuple[Room, list[str]]:
    accounts = [await made(place, name) for name in ("Ann", "Ben", "Cyd", "Dov")]
    tokens = [account["token"] for account in accounts]
    rated = {"rules": "standard", "clock": {"decision": 20, "reserve": 60}, "casual": False, "rated": True, "pace": 0.1}
    new = {"settings": rated, "seats": ["you"]}
    table = (await place.http.post("/api/tables", json=new, headers=bearer(tokens[0]))).json()["table"]["id"]
    for seat in range(1, 4):
        await place.post(tokens[seat], table, wire.Sit(id=f"s{seat}", seat=seat))
    return place.lobby.rooms[table], tokens


@pytest.mark.anyio
async def test_a_store_that_stands_still_makes_nobody_leave(monkeypatch: pytest.MonkeyPatch) -> None:
    clock = Skips()
    monkeypatch.setattr("tichu.server.lobby.SteadyClock", lambda: clock)
    async with served(FREE) as place:
        room, tokens = await rated_match(place)
        async with (
            place.guest(room.id, tokens[0]) as ann,
            place.guest(room.id, tokens[2]) as cyd,
            place.guest(room.id, tokens[3]) as dov,
        ):
            async with place.guest(room.id, tokens[1]) as ben:
                for number, guest in enumerate((ann, ben, cyd, dov)):
                    assert isinstance(await guest.do(wire.Ready(id=f"r{number}")), wire.Ack)
                await until(lambda: room.table.logged.game is not None)
            await until(lambda: 1 in room.table.audience.deadlines)
            clocks = _seconds_left(room, place)
            with stuck(place.lobby.store):
                await ann.say({"type": "TABLE.SAY", "id": "c", "text": "hello?"})
                await until(lambda: room._journal.is_busy)
                clock.ahead += 300
                coming = asyncio.create_task(_come_back(place, room.id, tokens[1]))
                await until(lambda: room.waiting > 0)
            await coming
            away = room.table.logged.rated.away
            assert max(away) < 10
            assert room.table.logged.rated.missed == (0, 0, 0, 0)
            assert room.table.logged.stage == "playing"
            assert _seconds_left(room, place) == pytest.approx(clocks, abs=10)


@pytest.mark.anyio
async def test_a_process_that_stood_still_makes_nobody_leave(monkeypatch: pytest.MonkeyPatch) -> None:
    clock = Skips()
    monkeypatch.setattr("tichu.server.lobby.SteadyClock", lambda: clock)
    async with served(FREE) as place:
        room, tokens = await rated_match(place)
        async with place.guest(room.id, tokens[0]) as ann, place.guest(room.id, tokens[2]) as cyd:
            async with place.guest(room.id, tokens[1]) as ben, place.guest(room.id, tokens[3]) as dov:
                for number, guest in enumerate((ann, ben, cyd, dov)):
                    assert isinstance(await guest.do(wire.Ready(id=f"r{number}")), wire.Ack)
                await until(lambda: room.table.logged.game is not None)
            await until(lambda: set(room.table.audience.deadlines) == {1, 3})
            assert room._timer is not None
            # As if the timer had come five minutes too late.
            clock.ahead += 300
            room._wake(asyncio.get_running_loop().time() - 300)
            await until(lambda: room.waiting == 0)
            assert isinstance(await ann.do(wire.Say(id="c", text="hello?")), wire.Ack)
            assert room.table.logged.stage == "playing"
            left = [at - place.lobby.time() for at in room.table.audience.deadlines.values()]
            assert min(left) > 60


@pytest.mark.anyio
async def test_a_table_moves_after_its_players_and_not_after_whoever_watches() -> None:
    async with served(FREE) as place:
        made_table = await place.table("you", None)
        room = place.lobby.rooms[made_table["table"]["id"]]
        ada = Player(made_table["you"]["player"], "Ada")
        room.connect(ada, Outbox(9, via=""), None, "")
        for number in range(5):
            room.connect(Player(f"watcher{number}", "Bob"), Outbox(9, via="b"), None, "")
        await until(lambda: room.sockets == 6)
        assert room.ways() == {"": 1}


@pytest.mark.anyio
async def test_a_table_of_bots_moves_after_whoever_watches() -> None:
    async with served(FREE) as place:
        made_table = await place.table("easy", "easy", "easy", "easy")
        room = place.lobby.rooms[made_table["table"]["id"]]
        room.connect(Player("watcher", "Bob"), Outbox(9, via="b"), None, "")
        await until(lambda: room.sockets == 1)
        assert room.ways() == {"b": 1}


def _seconds_left(room: Room, place: Place) -> list[float]:
    return [ends - place.lobby.time() for _, ends, _ in room.table._play.decisions.clocks()]


async def _come_back(place: Place, table: str, token: str) -> None:
    async with place.guest(table, token) as guest:
        assert guest.welcome.you.seat == 1
