"""A rated pool brings nobody together who may be one: two of a browser, or of an address."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import pytest

from tests.server.serving import FREE, Place, served
from tests.server.test_accounts import made
from tests.server.test_quick_match import SHORT, found, state
from tests.server.test_tokens import bearer
from tichu.server.config import QuickRules

pytestmark = pytest.mark.anyio

APART = QuickRules(rules="single-round", pace=0.02, bots_seconds=0.0)


@asynccontextmanager
async def place_of(*names: str, quick: QuickRules = APART) -> AsyncIterator[tuple[Place, list[dict[str, Any]]]]:
    async with served(FREE, quick=quick, trusted_proxies=("127.0.0.1",)) as place:
        yield place, [await made(place, name) for name in names]


async def look(place: Place, account: dict[str, Any], address: str, device: str = "", **wanted: Any) -> None:
    asked = {"rated": True, "speed": "fast", "device": device, **wanted}
    headers = bearer(account["token"]) | {"x-forwarded-for": address}
    answer = await place.http.post("/api/quick", json=asked, headers=headers)
    assert answer.status_code == 200, answer.text


async def is_found(place: Place, account: dict[str, Any]) -> bool:
    await place.lobby.quick_match.tick()
    await asyncio.sleep(0.2)
    return bool((await state(place, account["token"]))["state"] == "found")


async def test_two_of_one_address_are_not_brought_together() -> None:
    async with place_of("Ann", "Ben", "Cyd", "Dov", "Eve") as (place, accounts):
        for number, account in enumerate(accounts[:4]):
            await look(place, account, f"192.0.2.{max(1, number)}")
        assert not await is_found(place, accounts[0])
        await look(place, accounts[4], "192.0.2.9")
        tables = {await found(place, account["token"]) for account in accounts[2:]}
        assert len(tables) == 1
        (room,) = place.lobby.rooms.values()
        both = {account["player"] for account in accounts[:2]}
        assert len(both & set(room.persons())) == 1
        assert room.table.logged.rated.flags == ()


async def test_a_club_behind_one_router_can_have_them_together() -> None:
    async with place_of("Ann", "Ben", "Cyd", "Dov", quick=SHORT) as (place, accounts):
        for account in accounts:
            await look(place, account, "192.0.2.1")
        assert len({await found(place, account["token"]) for account in accounts}) == 1
        (room,) = place.lobby.rooms.values()
        # But it is flagged, from the beginning on.
        assert "address 0 1" in room.table.logged.rated.flags


async def test_two_of_one_browser_are_never_brought_together() -> None:
    async with place_of("Ann", "Ben", "Cyd", "Dov", quick=SHORT) as (place, accounts):
        for number, account in enumerate(accounts):
            await look(place, account, f"192.0.2.{number}", device=f"d{max(1, number)}")
        assert not await is_found(place, accounts[0])


async def test_nor_as_partners() -> None:
    async with place_of("Ann", "Ben", "Cyd", "Dov") as (place, accounts):
        ann, ben, cyd, dov = accounts
        await look(place, ann, "192.0.2.1", device="d1", partner=ben["player"])
        await look(place, ben, "192.0.2.2", device="d1", partner=ann["player"])
        await look(place, cyd, "192.0.2.3", device="d3")
        await look(place, dov, "192.0.2.4", device="d4")
        assert (await state(place, ann["token"]))["state"] == "partner"
        assert not await is_found(place, cyd)


async def test_partners_may_live_together() -> None:
    async with place_of("Ann", "Ben", "Cyd", "Dov") as (place, accounts):
        ann, ben, cyd, dov = accounts
        await look(place, ann, "192.0.2.1", device="d1", partner=ben["player"])
        await look(place, ben, "192.0.2.1", device="d2", partner=ann["player"])
        await look(place, cyd, "192.0.2.3", device="d3")
        await look(place, dov, "192.0.2.4", device="d4")
        assert len({await found(place, account["token"]) for account in accounts}) == 1


async def test_for_fun_anybody_meets_anybody() -> None:
    async with place_of("Ann", "Ben", "Cyd", "Dov") as (place, accounts):
        for account in accounts:
            await look(place, account, "192.0.2.1", device="d1", rated=False)
        assert len({await found(place, account["token"]) for account in accounts}) == 1
