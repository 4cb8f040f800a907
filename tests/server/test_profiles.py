"""What a profile shows of games: to whom, with whom, and what was lost where they were reviewed."""

import asyncio
import json
from typing import Any

import pytest
from msgspec.structs import replace

from tests.ratings.matches import match
from tests.server.serving import Place
from tests.server.test_accounts import WORD, made, place_with
from tests.server.test_farewell import everything, finished_game
from tests.server.test_people import ask, ids
from tests.server.test_reviews import RECORD, Scripted, reviewing, until
from tests.server.test_store import SUMMARY, opened
from tests.server.test_tokens import bearer
from tichu.agents.greedy import GreedyAgent
from tichu.analysis.decisions import KINDS
from tichu.analysis.players import player_sheets
from tichu.analysis.reviews import RoundReview
from tichu.analysis.verdicts import DecisionReview
from tichu.server import slices
from tichu.server.http import exporting
from tichu.server.log import FinishedGame, GameSummary, SeatResult
from tichu.server.reviews.keeping import keep_old_sheets
from tichu.server.reviews.sheets import SeatSheet, add_up, decode_sheet, encode_sheet, seat_sheets
from tichu.server.store import StoredPart, showing
from tichu.server.store.matches import change_matches, keep_match
from tichu.server.store.showing import keep_sheets, sheets_of
from tichu.server.turns import Turns

pytestmark = pytest.mark.anyio

#: A seat that lost 30 points with its first lead and gained 10 with its second, in two rounds each.
LOST = SeatSheet(2, {"lead": (30.0, -10.0), "wish": (0.0, 4.0)})


async def keep_game(
    place: Place,
    number: int,
    players: tuple[str, ...],
    *,
    is_open: bool = True,
    casual: bool = False,
    winner: int = 0,
    part: float = 0.0,
) -> str:
    """A game that these have finished, at a public table or not; an empty id is a bot."""
    names = tuple(f"seat {seat}" for seat in range(4))
    score = (1000, 500) if winner == 0 else (500, 1000)
    of = f"g{number}", f"t{number}", 1000.0 + number + part, "standard", names, players, score, casual, winner
    each = tuple(SeatResult(int(seat % 2 == winner), 8, 1000, 500, 2, 1, 2, 1, 1, 0) for seat in range(4))
    game = FinishedGame(GameSummary(*of), '{"seats": ["A", "B", "C", "D"]}\n', each, is_open)
    await place.lobby.store.append(f"t{number}", 1, [b"{}"], game=game)
    return f"g{number}"


async def review(place: Place, game: str, *, sheets: tuple[SeatSheet, ...] = (LOST,) * 4) -> None:
    await place.lobby.store.write(keep_sheets, game, [encode_sheet(one) for one in sheets])


async def games_of(place: Place, player: dict[str, Any], asker: dict[str, Any] | None = None, query: str = "") -> Any:
    return await ask(place, f"/api/players/{player['player']}/games{query}", asker)


def listed(answer: dict[str, Any]) -> list[str]:
    assert answer["status"] == 200, answer
    return [one["game"]["id"] for one in answer["games"]]


async def test_everybody_sees_games_of_public_tables_and_those_of_private_ones_only_who_sat_there(url: str) -> None:
    async with place_with(url) as place:
        ada, bob = await made(place, "Ada"), await place.player("Bob")
        both = ada["player"], "", bob["player"], ""
        await keep_game(place, 1, both)
        await keep_game(place, 2, both, is_open=False)
        await keep_game(place, 3, both, casual=True)
        for asker in (None, bob):
            assert listed(await games_of(place, ada, asker)) == ["g3", "g1"]
        assert listed(await games_of(place, ada, ada)) == ["g3", "g2", "g1"]
        (first, _) = (await games_of(place, ada))["games"]
        assert first["game"]["players"] == list(both)
        assert (first["game"]["casual"], first["game"]["winner"], first["rated"]) == (True, 0, False)
        # A replay that is listed can be opened by whoever sees the list.
        assert (await place.http.get("/api/games/g1")).status_code == 200


async def test_a_game_says_whether_it_was_rated(url: str) -> None:
    async with place_with(url) as place:
        ada = await made(place, "Ada")
        for number in (1, 2):
            await keep_game(place, number, (ada["player"], "b", "c", "d"))
        row = match("g1", f"{ada['player']} b c d")
        await place.lobby.store.write(keep_match, row)
        assert [one["rated"] for one in (await games_of(place, ada))["games"]] == [False, True]
        # The operator has taken it back.
        await place.lobby.store.write(change_matches, [replace(row, unrated=True)])
        assert [one["rated"] for one in (await games_of(place, ada))["games"]] == [False, False]


async def test_games_come_page_by_page(url: str) -> None:
    async with place_with(url) as place:
        ada = await made(place, "Ada")
        for number in range(5):
            await keep_game(place, number, (ada["player"], "", "", ""), is_open=number != 3)
        seen: list[str] = []
        before: int | None = None
        for _ in range(3):
            page = await games_of(place, ada, None, "?limit=2" + ("" if before is None else f"&before={before}"))
            seen += listed(page)
            before = page["before"]
            if before is None:
                break
        assert seen == ["g4", "g2", "g1", "g0"]
        for wrong in ("?limit=0", "?limit=51", "?before=-1", "?before=x"):
            assert (await games_of(place, ada, None, wrong))["status"] == 400


async def test_a_game_that_ended_between_two_milliseconds_comes_once(url: str) -> None:
    async with place_with(url) as place:
        ada = await made(place, "Ada")
        for number in range(4):
            await keep_game(place, number, (ada["player"], "", "", ""), part=0.0002 + 0.0002 * number)
        for path in (f"/api/players/{ada['player']}/games", "/api/games"):
            seen: list[str] = []
            before: int | None = 2**48
            while before is not None and len(seen) < 9:
                page = await ask(place, f"{path}?limit=1&before={before}", ada)
                seen += [one["game"]["id"] if "game" in one else one["id"] for one in page["games"]]
                before = page["before"]
            assert seen == ["g3", "g2", "g1", "g0"], path


async def test_whoever_is_blocked_sees_nothing_and_is_not_seen(url: str) -> None:
    async with place_with(url) as place:
        ada, bob, cy = await made(place, "Ada"), await made(place, "Bob"), await made(place, "Cyd")
        a, b, c = (one["player"] for one in (ada, bob, cy))
        await keep_game(place, 1, (a, b, c, ""))
        await keep_game(place, 2, (a, c, b, ""))
        await keep_game(place, 3, (a, "", c, ""))
        await ask(place, f"/api/me/blocks/{b}", ada, "POST")
        # Ada is not there for Bob, nor in what he sees of others; nor is he for her.
        hidden = await games_of(place, ada, bob)
        assert hidden == await ask(place, "/api/players/nobody/games", bob)
        assert hidden["status"] == 404
        assert listed(await games_of(place, cy, bob)) == []
        assert listed(await games_of(place, cy, ada)) == ["g3"]
        assert listed(await games_of(place, cy)) == ["g3", "g2", "g1"]
        # One's own games are one's own, and whom one has blocked can be looked at.
        assert listed(await games_of(place, ada, ada)) == ["g3", "g2", "g1"]
        assert listed(await games_of(place, bob, ada)) == ["g2", "g1"]
        partners = {who["name"]: await ask(place, f"/api/players/{a}", who) for who in (ada, cy)}
        assert ids(partners["Ada"]["partners"]) == [c]
        assert ids(partners["Cyd"]["partners"]) == [c, b]
        assert ids((await ask(place, f"/api/players/{c}", bob))["partners"]) == []


async def test_no_gap_tells_of_games_that_are_left_out(url: str) -> None:
    async with place_with(url) as place:
        ada, bob, cy = await made(place, "Ada"), await made(place, "Bob"), await made(place, "Cyd")
        b, c = bob["player"], cy["player"]
        for number in range(8):
            await keep_game(place, number, (c, b if number in (2, 3, 6, 7) else "", "", ""))
        await ask(place, f"/api/me/blocks/{b}", ada, "POST")
        pages: list[list[str]] = []
        before: int | None = 2**48
        while before is not None:
            page = await games_of(place, cy, ada, f"?limit=2&before={before}")
            pages.append(listed(page))
            before = page["before"]
        assert pages == [["g5", "g4"], ["g1", "g0"], []]


async def test_partners_come_from_casual_games_too_with_how_many_were_won(url: str) -> None:
    async with place_with(url) as place:
        ada, bob, cy = await made(place, "Ada"), await made(place, "Bob"), await place.player("Cyd")
        a, b, c = (one["player"] for one in (ada, bob, cy))
        await keep_game(place, 1, (a, c, b, ""))
        await keep_game(place, 2, (c, a, "", b), casual=True, winner=0)
        await keep_game(place, 3, ("", b, c, a), casual=True, winner=1)
        await keep_game(place, 4, (a, "", "", b))
        await keep_game(place, 5, (a, "", c, ""), is_open=False)
        await keep_game(place, 6, (a, "", "gone", ""))
        seen = (await ask(place, f"/api/players/{a}"))["partners"]
        told = [(one["person"]["name"], one["games"], one["won"], one["last"]) for one in seen]
        assert told == [("Bob", 3, 2, 1_003_000)]
        # In private too, for herself.
        own = (await ask(place, f"/api/players/{a}", ada))["partners"]
        assert [(one["person"]["name"], one["games"], one["won"]) for one in own] == [("Bob", 3, 2), ("Cyd", 1, 1)]


@pytest.mark.parametrize("private", [False, True])
async def test_a_game_is_as_open_as_its_table(url: str, private: bool) -> None:
    async with place_with(url) as place:
        ada = await made(place, "Ada")
        settings = {"rules": "single-round", "pace": 0.02, "private": private}
        new = {"settings": settings, "seats": ["you", "easy", "easy", "easy"], "start": True}
        answer = await place.http.post("/api/tables", json=new, headers=bearer(ada["token"]))
        async with place.guest(answer.json()["table"]["id"], ada["token"]) as guest:
            state = await guest.play(GreedyAgent(1))
        assert listed(await games_of(place, ada)) == ([] if private else [state.game])
        assert listed(await games_of(place, ada, ada)) == [state.game]


# The sheet.


async def test_the_sheet_adds_up_the_reviewed_games_that_one_may_see(url: str) -> None:
    async with place_with(url) as place:
        ada, bob = await made(place, "Ada"), await made(place, "Bob")
        players = ada["player"], bob["player"], "", ""
        assert (await ask(place, f"/api/players/{ada['player']}"))["sheet"] is None
        for number, is_open, casual in ((1, True, False), (2, False, False), (3, True, True), (4, True, False)):
            await review(place, await keep_game(place, number, players, is_open=is_open, casual=casual))
        seen = (await ask(place, f"/api/players/{ada['player']}", bob))["sheet"]
        assert (seen["games"], seen["rounds"], seen["lost"], seen["error"]) == (2, 4, 12.0, 0.0)
        kinds = {one["kind"]: (one["lost"], one["error"]) for one in seen["kinds"]}
        assert list(kinds) == list(KINDS)
        assert (kinds["lead"], kinds["wish"], kinds["gift"]) == ((10.0, 0.0), (2.0, 0.0), (0.0, 0.0))
        # That of a private game is for who sat there; a casual one counts for nobody.
        own = (await ask(place, f"/api/players/{ada['player']}", ada))["sheet"]
        assert (own["games"], own["rounds"]) == (3, 6)


def test_a_sheet_is_that_of_the_analysis() -> None:
    players = ("ann", "bob", "cat", "dan")

    def decision(file: str, number: int, action: int, seat: int, kind: Any, lost: float) -> DecisionReview:
        return DecisionReview(file, number, action, seat, kind, "", "", lost, 1.0, 64)

    games = {
        file: [
            decision(file, number, action, action % 4, KINDS[(action + number) % len(KINDS)], lost)
            for number in range(rounds)
            for action, lost in enumerate((base, -3.0, 20.5, 0.0, 7.25, -base))
        ]
        for file, rounds, base in (("a", 3, 11.0), ("b", 2, -4.5), ("c", 1, 60.0))
    }
    for files in (("a", "b", "c"), ("a",), ("c",)):
        reviews = [
            RoundReview(
                file=file,
                round=number,
                players=players,
                digest=0,
                decisions=tuple(one for one in games[file] if one.round == number),
                score=(100, 0),
            )
            for file in files
            for number in sorted({one.round for one in games[file]})
        ]
        wanted = player_sheets(reviews)
        for seat, name in enumerate(players):
            kept = [
                seat_sheets(sorted({one.round for one in games[file]}), {(d.round, d.action): d for d in games[file]})
                for file in files
            ]
            again = [decode_sheet(encode_sheet(of_game[seat])) for of_game in kept]
            sheet = add_up([one for one in again if one is not None])
            assert sheet is not None
            assert (sheet.games, sheet.rounds) == (wanted[name].games, wanted[name].rounds)
            assert sheet.lost == wanted[name].lost
            assert sheet.by_kind == wanted[name].by_kind


@pytest.mark.parametrize(
    "kept", ["", "{", "[]", '{"rounds":0}', '{"rounds":2,"lost":{"lead":[1.0]}}', '{"rounds":"x"}']
)
def test_what_no_version_has_kept_is_no_sheet(kept: str) -> None:
    assert decode_sheet(kept) is None


def test_a_kind_of_a_later_version_counts_in_the_whole() -> None:
    sheet = add_up([SeatSheet(2, {"stare": (4.0, 0.0)}), SeatSheet(2)])
    assert sheet is not None
    assert sheet.lost.lost_per_round == 1.0
    assert "stare" not in sheet.by_kind


COUNTED = FinishedGame(SUMMARY, RECORD, is_open=True)


async def test_a_review_that_is_done_leaves_sheets_and_no_other(url: str) -> None:
    async with opened(url) as store:
        await store.append("t", 1, [], game=COUNTED)
        async with reviewing(store, Scripted(free=3)) as reviews:
            under_way = await reviews.ask(COUNTED, "ann", "192.0.2.1")
            await until(reviews, under_way, "running", parts=3)
        assert await store.read(sheets_of, "bob", is_own=True) == []
        async with reviewing(store, Scripted()) as reviews:
            await until(reviews, await reviews.ask(COUNTED, "ann", "192.0.2.1"), "done")
        # Seat 1 loses 50 points with each of four leads a round.
        told: dict[str, dict[str, tuple[float, ...]]] = {"ann": {}, "bob": {"lead": (200.0, 200.0)}}
        for player, lost in told.items():
            (kept,) = await store.read(sheets_of, player, is_own=False)
            assert decode_sheet(kept) == SeatSheet(2, lost)


async def test_sheets_of_reviews_that_were_done_before_are_kept_later(
    url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def nothing(game: str, sheets: Any) -> Any:
        yield ("SELECT 1",)

    names = ("game-1", "game-2", "game-3", "game-4")
    async with opened(url) as store:
        for number, name in enumerate(names):
            summary = SUMMARY._replace(id=name, finished=number, casual=name == "game-3")
            await store.append("t", 1 + number, [b"{}"], game=COUNTED._replace(summary=summary))
        with monkeypatch.context() as before:
            before.setattr("tichu.server.reviews.keeping.keep_sheets", nothing)
            async with reviewing(store, Scripted()) as reviews:
                for name in names[:3]:
                    game = await store.game(name)
                    assert game is not None
                    await until(reviews, await reviews.ask(game, "ann", "192.0.2.1"), "done")
        # One is not done, and one cannot be read.
        assert await store.keep_review("game-4", StoredPart(0, 0, b"{"))
        assert await store.read(sheets_of, "bob", is_own=True) == []
        monkeypatch.setattr("tichu.server.reviews.keeping._BATCH", 1)
        for _ in range(2):
            async with asyncio.timeout(20):
                await keep_old_sheets(store)
            assert len(await store.read(sheets_of, "bob", is_own=True)) == 2
        assert (await store.read(showing.reviewed_games, "", 9))[0] == ["game-4"]


async def test_sheets_go_with_their_games(url: str) -> None:
    async with opened(url) as store:
        await store.append("t", 1, [], game=COUNTED)
        await store.write(keep_sheets, SUMMARY.id, [encode_sheet(LOST)] * 4)
        assert len(await store.read(sheets_of, "ann", is_own=True)) == 1
        await store.forget_games(SUMMARY.finished + 1)
        assert await store.read(sheets_of, "ann", is_own=True) == []
        # A review that ends later leaves nothing.
        await store.write(keep_sheets, SUMMARY.id, [encode_sheet(LOST)] * 4)
        assert await store.read(sheets_of, "ann", is_own=True) == []


async def test_a_guest_takes_sheets_along_and_whoever_has_gone_leaves_a_name_to_nobody(url: str) -> None:
    async with place_with(url) as place:
        ada, bob, phone = await made(place, "Ada"), await made(place, "Bob"), await place.player("Phone")
        played = await finished_game(place, phone["token"])
        await keep_game(place, 1, (phone["player"], "", bob["player"], ""))
        for game in (played, "g1"):
            await review(place, game)
        merged = await place.http.post("/api/me/guests", json={"token": phone["token"]}, headers=bearer(ada["token"]))
        assert merged.status_code == 200, merged.text
        seen = await ask(place, f"/api/players/{ada['player']}", ada)
        assert (seen["sheet"]["games"], ids(seen["partners"])) == (2, [bob["player"]])
        # Everything is in the file about oneself.
        file = (await place.http.get("/api/me/export", headers=bearer(ada["token"]))).json()
        assert sum(encode_sheet(LOST) in row for row in file["facts"]["results"]) == 2
        gone = await place.http.post("/api/me/farewell", json={"password": WORD}, headers=bearer(ada["token"]))
        assert gone.status_code == 200, gone.text
        assert not any(ada["player"] in text for text in (await everything(place.lobby.store)).values())
        left = await ask(place, f"/api/players/{bob['player']}", bob)
        assert (left["sheet"]["games"], left["partners"]) == (1, [])
        (one,) = (await games_of(place, bob))["games"]
        assert one["game"]["seats"][0] == "Former player"
        (former,) = {player for player in one["game"]["players"] if player not in ("", bob["player"])}
        for path in ("", "/games"):
            assert (await ask(place, f"/api/players/{former}{path}"))["status"] == 404


async def test_others_have_their_turn_while_a_long_file_about_oneself_is_written(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(slices, "_SECONDS", -1.0)
    monkeypatch.setattr(exporting, "_ROWS", 10)
    turns = 0

    async def count_turns() -> None:
        nonlocal turns
        while True:
            turns += 1
            await asyncio.sleep(0)

    async with place_with() as place:
        ada = await made(place, "Ada")
        for number in range(60):
            await keep_game(place, number, (ada["player"], "", "", ""))
        known = await place.lobby.players.identify(ada["token"])
        assert known is not None
        counting = asyncio.create_task(count_turns())
        pieces = [(piece, turns) async for piece in exporting.write_export(place.lobby, known, Turns(1))]
        counting.cancel()
    first = next(at for at, (piece, _) in enumerate(pieces) if piece.endswith(b'"results":')) + 2
    rows = pieces[first : first + 6]
    assert all(len(json.loads(b"[" + piece.removeprefix(b",") + b"]")) == 10 for piece, _ in rows)
    assert len({turn for _, turn in rows}) == 6
