"""Practice over HTTP: puzzles with their solutions, and trainers, whose judge is the champion."""

from typing import Final

from starlette.requests import Request
from starlette.responses import Response

from tichu.analysis.drills import TRAINERS, TrainerName
from tichu.core.errors import NotationError
from tichu.server.http.addresses import address_of
from tichu.server.http.bodies import number
from tichu.server.http.endpoints import Endpoint, Parameter
from tichu.server.http.practice_files import hand_file, judgement_file, puzzle_file, puzzle_list
from tichu.server.http.responses import Failure
from tichu.server.lobby import Lobby
from tichu.server.practice import TooMuchPractice
from tichu.server.wire.practice import PuzzleFile, PuzzleList, TrainerHand, TrainerJudgement

__all__ = ["PracticeApi"]

_MOST_SEEDS: Final = 2**31
_ANSWER_LENGTH: Final = 6
_NAME_LENGTH: Final = 40
#: The same question has the same answer; only a new version of the server knows better.
_KEEP: Final = {"cache-control": "public, max-age=3600"}


class PracticeApi:
    """What can be asked by those who practise; nobody needs a token, and nothing is stored."""

    def __init__(self, lobby: Lobby) -> None:
        self._lobby = lobby
        self._list: bytes | None = None
        #: By id; there are some hundreds, of a few kilobytes each.
        self._puzzles: dict[str, bytes] = {}

    def endpoints(self) -> list[Endpoint]:
        """All of them, with what each takes and answers."""
        trainer = "/api/practice/{trainer}"
        seed = Parameter(
            *("seed", "the number of the question", {"type": "integer", "minimum": 0, "maximum": _MOST_SEEDS}, True)
        )
        answer = Parameter(
            "answer",
            "call or no; or three cards for the left, the partner and the right, as 2rJr3b",
            {"type": "string", "maxLength": _ANSWER_LENGTH},
            is_required=True,
        )
        return [
            Endpoint("GET", "/api/puzzles", "listPuzzles", "All puzzles", self.puzzles, PuzzleList),
            Endpoint(
                *("GET", "/api/puzzles/{puzzle}", "readPuzzle", "A puzzle with its solution", self.puzzle, PuzzleFile),
                errors=(404,),
                is_costly=True,
            ),
            Endpoint(
                *("GET", trainer, "dealHand", "A hand to decide on", self.hand, TrainerHand),
                errors=(400, 404),
                query=(seed,),
                is_costly=True,
            ),
            Endpoint(
                *("GET", f"{trainer}/judgement", "judgeAnswer", "An answer beside the champion's", self.judgement),
                TrainerJudgement,
                errors=(400, 404),
                query=(seed, answer),
                is_costly=True,
            ),
        ]

    async def puzzles(self, request: Request) -> Response:
        """All of them, by theme."""
        if self._list is None:
            self._list = await self._lobby.background.run(puzzle_list)
        return _answer(self._list)

    async def puzzle(self, request: Request) -> Response:
        """One of them."""
        name = request.path_params["puzzle"]
        data = self._puzzles.get(name)
        if data is None and len(name) <= _NAME_LENGTH:
            data = await self._lobby.background.run(puzzle_file, name)
        if data is None:
            raise Failure(404, "no_such_puzzle", "there is no such puzzle")
        self._puzzles[name] = data
        return _answer(data)

    async def hand(self, request: Request) -> Response:
        """A hand by its number."""
        return _answer(await self._make(request, hand_file, _trainer(request), _seed(request)))

    async def judgement(self, request: Request) -> Response:
        """What the champion does, and what both are worth."""
        trainer, seed = _trainer(request), _seed(request)
        answer = request.query_params.get("answer", "")
        if not 0 < len(answer) <= _ANSWER_LENGTH:
            raise Failure(400, "malformed", "the query: answer is call, no, or three cards as 2rJr3b")
        worlds = max(2, self._lobby.config.limits.practice_worlds)
        try:
            return _answer(await self._make(request, judgement_file, trainer, seed, answer, worlds))
        except NotationError as error:
            raise Failure(400, "malformed", f"the query: {error}") from None

    async def _make(self, request: Request, *job: object) -> bytes:
        function, *arguments = job
        try:
            return await self._lobby.practice.make(address_of(request.scope), function, *arguments)  # type: ignore[arg-type]
        except TooMuchPractice as refusal:
            raise Failure(429, "too_fast", str(refusal)) from None


def _trainer(request: Request) -> TrainerName:
    wanted = request.path_params["trainer"]
    for name in TRAINERS:
        if name == wanted:
            return name
    raise Failure(404, "no_such_trainer", f"there is no such trainer; there are {', '.join(TRAINERS)}")


def _seed(request: Request) -> int:
    seed = number(request, "seed", 0, _MOST_SEEDS)
    if seed is None:
        raise Failure(400, "malformed", f"the query: seed is a number from 0 to {_MOST_SEEDS}")
    return seed


def _answer(data: bytes) -> Response:
    return Response(data, headers=_KEEP, media_type="application/json")
