"""Nobody can fill a server, or the list of its tables, alone."""

import pytest

from tests.server.serving import FREE, served
from tichu.server.config import Limits

pytestmark = pytest.mark.anyio


def limits(**changed: float) -> Limits:
    fields = {name: getattr(FREE, name) for name in FREE.__slots__}
    return Limits(**fields | changed)


async def test_an_address_has_only_so_many_tables_at_a_time() -> None:
    async with served(limits(address_tables=2)) as place:
        for _ in range(2):
            await place.table("you")
        refused = await place.http.post("/api/tables", json={"seats": ["you"]})
        assert (refused.status_code, refused.json()["error"]) == (429, "too_many")
        assert len(place.lobby.rooms) == 2


async def test_a_server_has_only_so_many_tables() -> None:
    async with served(limits(tables=1)) as place:
        await place.table("you")
        refused = await place.http.post("/api/tables", json={"seats": ["you"]})
        assert (refused.status_code, refused.json()["message"]) == (
            429,
            "this server has as many tables as it can take",
        )


async def test_one_address_cannot_fill_the_list_of_open_tables() -> None:
    async with served(limits(address_offers=3)) as place:
        for _ in range(6):
            await place.table("you", private=False)
        listed = (await place.http.get("/api/tables")).json()["tables"]
        assert len(listed) == 3


async def test_codes_cannot_be_guessed_quickly() -> None:
    async with served(limits(code_rate=0.001, code_burst=3)) as place:
        made = await place.table("you")
        answers = [(await place.http.get(f"/api/codes/AAAAA{sign}")).status_code for sign in "ABCD"]
        assert answers == [404, 404, 404, 429]
        # Links go on working.
        async with place.guest(made["table"]["id"], made["you"]["token"]) as guest:
            assert guest.follower.table is not None
