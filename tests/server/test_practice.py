"""Practice over HTTP: puzzles, hands and judgements, bounded and made elsewhere."""

import asyncio
from collections.abc import Callable
from dataclasses import replace
from typing import Any, get_args

import msgspec
import pytest

from tests.server.serving import FREE, Place, served
from tichu.analysis.puzzles import THEMES, puzzles
from tichu.core.actions import parse_action
from tichu.core.cards import parse_cards
from tichu.core.position import parse_view
from tichu.core.rules import Rules
from tichu.server.background import Busy
from tichu.server.config import Limits
from tichu.server.metrics import Metrics
from tichu.server.practice import Practice, TooMuchPractice
from tichu.server.wire.practice import PuzzleFile, PuzzleList, PuzzleTheme, TrainerHand, TrainerJudgement

pytestmark = pytest.mark.anyio

_FEW = replace(FREE, practice_worlds=2)


class Here:
    """Does everything at once, in this process."""

    def __init__(self) -> None:
        self.done: list[tuple[object, ...]] = []
        self.closed = 0

    async def run(self, function: Callable[..., Any], *arguments: object) -> Any:
        self.done.append(arguments)
        return function(*arguments)

    def close(self) -> None:
        self.closed += 1


def at_hand(place: Place) -> Here:
    """Let a server do it in this process."""
    worker = Here()
    place.lobby.practice._worker = worker
    place.lobby.background.run = worker.run  # type: ignore[method-assign]
    return worker


async def test_a_hand_is_dealt_and_an_answer_judged() -> None:
    async with served(_FEW) as place:
        worker = at_hand(place)
        answer = await place.http.get("/api/practice/grand?seed=7")
        hand = msgspec.json.decode(answer.content, type=TrainerHand)
        assert len(hand.view.hand) == 8
        assert (hand.view.decision, hand.view.counts) == ("grand", (8, 8, 8, 8))
        assert "max-age" in answer.headers["cache-control"]
        path = "/api/practice/grand/judgement?seed=7&answer=call"
        judged = msgspec.json.decode((await place.http.get(path)).content, type=TrainerJudgement)
        assert (judged.answer, judged.worlds) == ("call", 2)
        assert [len(cards) for cards in judged.hands] == [14] * 4
        assert set(hand.view.hand) <= set(judged.hands[hand.view.seat or 0])
        await place.http.get(path)
        assert len(worker.done) == 2


async def test_an_exchange_is_given_as_three_cards() -> None:
    async with served(_FEW) as place:
        at_hand(place)
        found = (await place.http.get("/api/practice/exchange?seed=3")).json()
        assert found["view"]["decision"] == "exchange"
        cards = "".join(found["view"]["hand"][:3])
        judged = (await place.http.get(f"/api/practice/exchange/judgement?seed=3&answer={cards}")).json()
        assert judged["answer"] == cards


_WRONG = {
    "practice/bridge?seed=1": (404, "grand, tichu, exchange"),
    "practice/grand": (400, "seed is a number"),
    "practice/grand?seed=-1": (400, "seed is a number"),
    "practice/grand?seed=99999999999": (400, "seed is a number"),
    "practice/grand/judgement?seed=1": (400, "answer is"),
    "practice/grand/judgement?seed=1&answer=perhaps": (400, "answer is"),
    "practice/grand/judgement?seed=1&answer=maybe": (400, "call or no"),
    "practice/exchange/judgement?seed=1&answer=MaMaMa": (400, "cannot be given"),
    "puzzles/none-of-this-name": (404, "no such puzzle"),
    f"puzzles/{'x' * 200}": (404, "no such puzzle"),
}


async def test_wrong_questions_are_answered() -> None:
    async with served(_FEW) as place:
        at_hand(place)
        for path, (status, words) in _WRONG.items():
            answer = await place.http.get(f"/api/{path}")
            assert answer.status_code == status, path
            assert words in answer.json()["message"]


async def test_every_puzzle_can_be_read() -> None:
    async with served(_FEW) as place:
        worker = at_hand(place)
        listed = msgspec.json.decode((await place.http.get("/api/puzzles")).content, type=PuzzleList)
        assert [each.id for each in listed.puzzles] == [each.id for each in puzzles()]
        for puzzle in puzzles()[:: max(1, len(puzzles()) // 8)]:
            path = f"/api/puzzles/{puzzle.id}"
            found = msgspec.json.decode((await place.http.get(path)).content, type=PuzzleFile)
            view = parse_view(found.view.position, puzzle.seat, Rules.parse(puzzle.rules))
            for candidate in found.candidates:
                seat, action = parse_action(candidate.action)
                assert seat == puzzle.seat
                assert action in view.legal(), candidate
            assert found.candidates[0].lost == 0
            assert parse_cards("".join(found.hands[puzzle.seat])) == view.hand
            assert found.view.score == (puzzle.score if puzzle.seat % 2 == 0 else puzzle.score[::-1])
        done = len(worker.done)
        await place.http.get(path)
        await place.http.get("/api/puzzles")
        assert len(worker.done) == done


def test_the_wire_has_the_themes_of_the_puzzles() -> None:
    assert get_args(PuzzleTheme) == THEMES


def made(number: int) -> bytes:
    return b"%d" % number


async def test_an_address_may_ask_now_and_then() -> None:
    worker = Here()
    practice = Practice(Limits(practice_rate=0.001, practice_burst=2), Metrics(), worker)
    assert await practice.make("here", made, 1) == b"1"
    assert await practice.make("here", made, 2) == b"2"
    with pytest.raises(TooMuchPractice):
        await practice.make("here", made, 3)
    # What is known costs nothing, and others may still ask.
    assert await practice.make("here", made, 1) == b"1"
    assert await practice.make("there", made, 3) == b"3"
    assert worker.done == [(1,), (2,), (3,)]
    practice.close()
    assert worker.closed == 1


async def test_the_process_goes_when_there_is_nothing_to_do(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tichu.server.practice._IDLE_S", 0.0)
    worker = Here()
    practice = Practice(Limits(), Metrics(), worker)
    await practice.make("here", made, 1)
    async with asyncio.timeout(10):
        while not worker.closed:
            await asyncio.sleep(0.001)
    assert await practice.make("here", made, 2) == b"2"


async def test_a_server_may_do_without() -> None:
    practice = Practice(Limits(practice=0), Metrics(), Here())
    with pytest.raises(Busy):
        await practice.make("here", made, 1)


async def test_only_so_much_is_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tichu.server.practice._KEPT", 2)
    worker = Here()
    practice = Practice(Limits(), Metrics(), worker)
    for number in (1, 2, 1, 3, 1, 2):
        await practice.make("here", made, number)
    assert worker.done == [(1,), (2,), (3,), (2,)]
    practice.close()
