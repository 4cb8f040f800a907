"""People: who follows whom, who is never brought together with whom, and who somebody is."""

from typing import Any

import pytest

from tests.server.serving import Place
from tests.server.test_accounts import made, place_with
from tests.server.test_tokens import bearer
from tichu.server import wire
from tichu.server.log import FinishedGame, GameSummary, SeatResult
from tichu.server.store import relations

pytestmark = pytest.mark.anyio

RECORD = '{"seats": ["A", "B", "C", "D"]}\n'


async def keep_game(place: Place, number: int, players: tuple[str, ...], *, casual: bool = False) -> None:
    """A game that these have finished; an empty id is a bot."""
    names = tuple(f"seat {seat}" for seat in range(4))
    summary = GameSummary(
        f"g{number}", f"t{number}", 1000.0 + number, "standard", names, players, (1000, 500), casual, 0
    )
    each = tuple(SeatResult(int(not seat % 2), 8, 1000, 500, 2, 1, 2, 1, 1, 0) for seat in range(4))
    await place.lobby.store.append(f"t{number}", 1, [b"{}"], game=FinishedGame(summary, RECORD, each))


async def ask(place: Place, path: str, who: dict[str, Any] | None = None, method: str = "GET") -> Any:
    answer = await place.http.request(method, path, headers={} if who is None else bearer(who["token"]))
    return answer.json() | {"status": answer.status_code}


async def people(place: Place, who: dict[str, Any]) -> dict[str, Any]:
    answer: dict[str, Any] = await ask(place, "/api/me/people", who)
    assert answer["status"] == 200, answer
    return answer


def ids(listed: list[dict[str, Any]]) -> list[str]:
    return [(one.get("person") or one)["player"] for one in listed]


async def test_somebody_follows_and_no_longer(url: str) -> None:
    async with place_with(url) as place:
        ada, bob = await made(place, "Ada"), await place.player("Bob")
        for _ in range(2):
            told = await ask(place, f"/api/me/follows/{bob['player']}", ada, "POST")
            assert (told["status"], told["follows"], told["blocks"]) == (200, True, False)
        assert (await people(place, ada))["follows"] == [
            {"player": bob["player"], "name": "Bob", "kind": "person", "account": False}
        ]
        seen = await ask(place, f"/api/players/{bob['player']}", ada)
        assert (seen["relation"]["follows"], seen["followers"]) == (True, 1)
        assert (await ask(place, f"/api/players/{ada['player']}", bob))["relation"]["followsYou"] is True
    # It is kept.
    async with place_with(url) as place:
        told = await ask(place, f"/api/me/follows/{bob['player']}", ada, "DELETE")
        assert (told["status"], told["follows"]) == (200, False)
        assert (await people(place, ada))["follows"] == []


async def test_who_blocks_and_who_is_blocked_are_not_there_for_each_other(url: str) -> None:
    async with place_with(url) as place:
        ada, bob, cy = await made(place, "Ada"), await made(place, "Bob"), await made(place, "Cyd")
        await keep_game(place, 1, (ada["player"], bob["player"], cy["player"], ""))
        await ask(place, f"/api/me/follows/{ada['player']}", bob, "POST")
        await ask(place, f"/api/me/follows/{bob['player']}", ada, "POST")
        told = await ask(place, f"/api/me/blocks/{bob['player']}", ada, "POST")
        assert (told["status"], told["follows"], told["blocks"]) == (200, False, True)
        for one, other in ((ada, bob), (bob, ada)):
            found = await people(place, one)
            assert found["follows"] == []
            assert ids(found["recent"]) == [cy["player"]]
            assert await place.lobby.accounts.relations.blocks(one["player"]) == {other["player"]}
        assert await place.lobby.accounts.relations.blocks(cy["player"]) == set()
        # Whoever has blocked can see whom, to take it back; the other finds nobody.
        assert ids((await people(place, ada))["blocks"]) == [bob["player"]]
        assert (await people(place, bob))["blocks"] == []
        assert (await ask(place, f"/api/players/{bob['player']}", ada))["relation"]["blocks"] is True
        hidden = await ask(place, f"/api/players/{ada['player']}", bob)
        nobody = await ask(place, "/api/players/nobody", bob)
        assert hidden == nobody
        assert hidden["status"] == 404
        assert (await ask(place, f"/api/me/follows/{ada['player']}", bob, "POST")) == nobody
        refused = await ask(place, f"/api/me/follows/{bob['player']}", ada, "POST")
        assert (refused["status"], refused["error"]) == (409, "blocked")
        await ask(place, f"/api/me/blocks/{bob['player']}", ada, "DELETE")
        assert await place.lobby.accounts.relations.blocks(bob["player"]) == set()
        assert (await ask(place, f"/api/players/{ada['player']}", bob))["status"] == 200


async def test_lists_of_a_guest_and_an_account_become_one_that_is_as_any_other(
    url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(relations, "MOST", 3)
    async with place_with(url) as place:
        ada, phone = await made(place, "Ada"), await place.player("Phone")
        bob, cy, dee, *others = [await place.player(f"Somebody {number}") for number in range(7)]
        # Nobody of a block follows the other, whichever of the two asked for what.
        for who, what, other in (
            (ada, "follows", bob),
            (phone, "blocks", bob),
            (phone, "follows", cy),
            (cy, "blocks", ada),
            (dee, "follows", ada),
            (phone, "blocks", dee),
            *((ada, "follows", other) for other in others[:2]),
            *((phone, "follows", other) for other in others[2:]),
        ):
            assert (await ask(place, f"/api/me/{what}/{other['player']}", who, "POST"))["status"] == 200
        merged = await place.http.post("/api/me/guests", json={"token": phone["token"]}, headers=bearer(ada["token"]))
        assert merged.status_code == 200, merged.text
        found = await people(place, ada)
        assert sorted(ids(found["blocks"])) == sorted((bob["player"], dee["player"]))
        assert (await people(place, dee))["follows"] == []
        # Guests are free: who merges many follows no more than others.
        assert ids(found["follows"]) == [one["player"] for one in reversed(others[1:])]


async def test_who_is_blocked_does_not_sit_down_at_the_same_table(url: str) -> None:
    async with place_with(url) as place:
        table = await place.table("you", None, None, None)
        host, where = table["you"], table["table"]["id"]
        bob, cy = await place.player("Bob"), await place.player("Cyd")
        await ask(place, f"/api/me/blocks/{bob['player']}", host, "POST")
        # Whoever blocks keeps away from the other as well.
        await ask(place, f"/api/me/blocks/{host['player']}", cy, "POST")
        for who, reason in ((bob, "NOT_NOW"), (cy, "BLOCKED")):
            assert (await place.post(who["token"], where, wire.Sit(id="s1", seat=1)))["reason"] == reason
            async with place.guest(where, who["token"]) as guest:
                answer = await guest.do(wire.Sit(id="s2", seat=1))
                assert isinstance(answer, wire.Refused)
                assert answer.reason == reason
        dee = await place.player("Dee")
        assert (await place.post(dee["token"], where, wire.Sit(id="s1", seat=1)))["type"] == "ack"
        await ask(place, f"/api/me/blocks/{bob['player']}", host, "DELETE")
        assert (await place.post(bob["token"], where, wire.Sit(id="s3", seat=2)))["type"] == "ack"


async def test_recent_partners_and_opponents_come_with_the_latest_first(url: str) -> None:
    async with place_with(url) as place:
        ada, bob, cy, dee = [await place.player(name) for name in ("Ada", "Bob", "Cyd", "Dee")]
        a, b, c, d = (one["player"] for one in (ada, bob, cy, dee))
        await keep_game(place, 1, (a, d, b, ""))
        await keep_game(place, 2, (b, a, c, ""), casual=True)
        await keep_game(place, 3, ("", "gone", a, c))
        recent = (await people(place, ada))["recent"]
        assert ids(recent) == [c, b, d]
        told = [(one["partner"], one["opponent"], one["last"]) for one in recent]
        assert told == [(0, 2, 1_003_000), (1, 1, 1_002_000), (0, 1, 1_001_000)]


async def test_a_profile_has_results_beside_everybodys(url: str) -> None:
    async with place_with(url) as place:
        ada, bob = await made(place, "Ada"), await place.player("Bob")
        await keep_game(place, 1, (ada["player"], bob["player"], "", ""))
        await keep_game(place, 2, (ada["player"], bob["player"], "", ""))
        await keep_game(place, 3, (ada["player"], bob["player"], "", ""), casual=True)
        seen = await ask(place, f"/api/players/{ada['player']}")
        assert seen["person"] == {"player": ada["player"], "name": "Ada", "kind": "person", "account": True}
        assert seen["relation"] is None
        assert (seen["results"]["games"], seen["results"]["won"], seen["results"]["rounds"]) == (2, 2, 16)
        assert seen["results"]["tichu"] == {"called": 4, "made": 2}
        assert (seen["everybody"]["games"], seen["everybody"]["won"], seen["everybody"]["rounds"]) == (4, 2, 32)
        assert seen["everybody"]["grand"] == {"called": 4, "made": 0}
        # Nobody is something to themselves.
        assert (await ask(place, f"/api/players/{ada['player']}", ada))["relation"] is None
        # No secret is told.
        assert ada["token"] not in str(seen)


@pytest.mark.parametrize("other", ["nobody", "%00", "%C3%A4", "x" * 300, "'"])
@pytest.mark.parametrize("path", ["/api/players/{}", "/api/me/follows/{}", "/api/me/blocks/{}"])
async def test_nobody_is_found_by_what_is_no_id(path: str, other: str) -> None:
    async with place_with() as place:
        ada = await place.player("Ada")
        method = "GET" if "players" in path else "POST"
        assert (await ask(place, path.format(other), ada, method))["status"] == 404
        if method == "POST":
            assert (await ask(place, path.format(other), ada, "DELETE"))["status"] == 200
            assert (await ask(place, path.format(ada["player"]), ada, method))["status"] == 404
            assert (await ask(place, path.format(ada["player"]), None, method))["status"] == 401


async def test_guests_who_did_not_come_back_are_in_no_list_and_count_for_nobody(
    url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(relations, "MOST", 1)
    async with place_with(url) as place:
        ada, bob = await made(place, "Ada"), await made(place, "Bob")
        one, other = await place.player("One"), await place.player("Other")
        assert (await ask(place, f"/api/me/follows/{ada['player']}", one, "POST"))["status"] == 200
        assert (await ask(place, f"/api/me/follows/{one['player']}", ada, "POST"))["status"] == 200
        assert (await ask(place, f"/api/me/blocks/{ada['player']}", other, "POST"))["status"] == 200
        assert (await ask(place, f"/api/me/blocks/{other['player']}", ada, "POST"))["status"] == 200
        await place.lobby.players.store_visits()
        assert await place.lobby.players.forget(place.lobby.time() + 1, seated={other["player"]}) == 1
        assert (await ask(place, f"/api/players/{ada['player']}"))["followers"] == 0
        # There is room for others again, and who is still known is still blocked.
        assert (await ask(place, f"/api/me/follows/{bob['player']}", ada, "POST"))["status"] == 200
        assert await place.lobby.accounts.relations.blocks(ada["player"]) == {other["player"]}


async def test_a_list_of_people_ends_somewhere(url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(relations, "MOST", 1)
    async with place_with(url) as place:
        ada, bob, cy = [await place.player(name) for name in ("Ada", "Bob", "Cyd")]
        for path in ("follows", "blocks"):
            assert (await ask(place, f"/api/me/{path}/{bob['player']}", ada, "POST"))["status"] == 200
            assert (await ask(place, f"/api/me/{path}/{bob['player']}", ada, "POST"))["status"] == 200
            full = await ask(place, f"/api/me/{path}/{cy['player']}", ada, "POST")
            assert (full["status"], full["error"]) == (409, "too_many")
