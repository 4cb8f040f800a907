"""Puzzles: decisions with one answer that is clearly the best, and that the heuristic bot misses.

A puzzle is a decision of a round that was played, by people or by bots.  It is kept as the whole deal and the actions
up to the decision, so that the seat's view with its history can be made again, and afterwards what the others held.
:class:`PuzzleQuestion` is what somebody may see who has not answered yet: nothing in it depends on hidden cards.

An action that differs from a candidate in suits alone is that candidate.  Where the theme is ``call``, all that is
asked is whether to call: whatever is not a call stands for the candidate that is none.  ``tools/find_puzzles.py`` looks
for puzzles, ``docs/analysis.md`` says by which rules.
"""

import gzip
from collections.abc import Iterable
from functools import cache, lru_cache
from importlib.resources import files
from typing import Final, Literal, NamedTuple

import msgspec

from tichu.analysis.verdicts import Reason
from tichu.core.actions import Action, CallGrand, CallTichu, Exchange, format_action, parse_action
from tichu.core.cards import Cards, format_cards
from tichu.core.deals import Deal, parse_deal
from tichu.core.errors import GameError, IllegalAction
from tichu.core.game import Game
from tichu.core.round import Round
from tichu.core.rules import Rules
from tichu.core.view import View

__all__ = [
    "MARGINS",
    "STANDARD_ERRORS",
    "THEMES",
    "Judgement",
    "OpenLine",
    "Origin",
    "Position",
    "Puzzle",
    "PuzzleCandidate",
    "PuzzleProof",
    "PuzzleQuestion",
    "Theme",
    "find_puzzle",
    "format_puzzles",
    "is_same",
    "judge",
    "parse_puzzles",
    "position_of",
    "puzzles",
    "question_of",
    "round_of",
]

Theme = Literal["call", "exchange", "bomb", "wish", "gift", "endgame", "lead", "follow"]
THEMES: Final[tuple[Theme, ...]] = ("call", "exchange", "bomb", "wish", "gift", "endgame", "lead", "follow")
#: Who played the round: people, or bots among themselves.
Origin = Literal["people", "bots"]

#: What the best is worth more than every other candidate, at least, in points; and in standard errors.
MARGINS: Final[dict[Theme, float]] = {theme: 10.0 if theme in ("wish", "gift") else 15.0 for theme in THEMES}
STANDARD_ERRORS: Final = 3.0

_FILE: Final = "puzzles.jsonl.gz"
_CALLS: Final = (CallGrand, CallTichu)


class PuzzleCandidate(msgspec.Struct, frozen=True):
    """An action and what it is worth to the seat's team."""

    action: str
    #: The expected difference of the round's scores, with its standard error; exact, with 0, where it is proved.
    points: float
    points_error: float
    #: What the best action is worth more, with the standard error of this difference; 0 of the best itself.
    lost: float = 0.0
    lost_error: float = 0.0
    #: The chance to win the match; None where it is not known.
    win: float | None = None


class OpenLine(msgspec.Struct, frozen=True):
    """How a round ends if everybody sees all cards and does the best for their team."""

    #: From the decision on, with seats.
    actions: str
    #: The difference of the round's scores, from the side of the seat of the puzzle.
    points: int
    #: The seat that goes out next, if any is left to.
    next_out: int | None


class PuzzleProof(msgspec.Struct, frozen=True):
    """What a proof says in numbers: the best beside what the heuristic bot does."""

    #: What it is worth more with open hands, in the possible world where that is least, and most.
    least: int
    most: int
    #: In how many of the worlds it is worth more; in the others as much.
    better: int
    #: With the cards as they lay.
    best_line: OpenLine
    missed_line: OpenLine


class Puzzle(msgspec.Struct, frozen=True, omit_defaults=True):
    """A decision, all four hands included: nothing for the eyes of somebody who has not answered."""

    #: Stays the same whatever other puzzles there are.
    id: str
    theme: Theme
    origin: Origin
    #: Where it is from, in words: a game, a round of it and the number of the action.
    source: str
    rules: str
    seat: int
    #: The match before the round: seats 0 and 2, seats 1 and 3.
    score: tuple[int, int]
    deal: str
    #: What happened before the decision, as it was done and not only as the seat saw it.
    actions: str
    #: The best first, then by what they are worth.
    candidates: tuple[PuzzleCandidate, ...]
    #: What the heuristic bot does, and what was done when the round was played.
    heuristic: str
    played: str
    #: In how many worlds the candidates were compared: in all that are possible if it is proved.
    worlds: int
    #: Whether the best is best in every possible world, with open hands.
    proved: bool = False
    #: What happens more or less often after the best than after what the heuristic bot does.
    reasons: tuple[Reason, ...] = ()
    #: Exchanges and wishes that the best does not beat as clearly: none of the choices, and right if they are answered.
    also: tuple[str, ...] = ()
    #: Of what is proved.
    proof: PuzzleProof | None = None

    @property
    def best(self) -> str:
        """The answer."""
        return self.candidates[0].action


class PuzzleQuestion(msgspec.Struct, frozen=True):
    """What may be seen of a puzzle before it is answered."""

    id: str
    theme: Theme
    origin: Origin
    rules: str
    seat: int
    #: The match before the round: the seat's own team, the other.
    score: tuple[int, int]
    #: What the seat sees, and what it has seen, as in ``docs/notation.md``.
    view: str
    history: tuple[str, ...]
    #: The candidates, in an order that tells nothing.
    choices: tuple[str, ...]
    proved: bool


class Position(NamedTuple):
    """A puzzle as it stands on the table, with everything that is hidden."""

    #: What the seat sees, with its history and the match.
    view: View
    #: The seat's first eight cards.
    eight: Cards
    deal: Deal
    #: All four hands at the decision: of the first eight only during the Grand calls.
    hands: tuple[Cards, ...]


class Judgement(msgspec.Struct, frozen=True):
    """An answer, judged; with the solution and what was hidden."""

    id: str
    answer: str
    is_right: bool
    #: The candidate that the answer is; None if it is none of them, and so was not valued.
    candidate: PuzzleCandidate | None
    best: str
    #: The best first.
    candidates: tuple[PuzzleCandidate, ...]
    heuristic: str
    #: What was done when the round was played.
    played: str
    worlds: int
    proved: bool
    reasons: tuple[Reason, ...]
    #: The cards of all four seats at the decision.
    hands: tuple[str, ...]
    source: str
    proof: PuzzleProof | None = None


@cache
def puzzles() -> tuple[Puzzle, ...]:
    """All puzzles of the package, by theme."""
    packed = (files("tichu.analysis") / _FILE).read_bytes()
    return parse_puzzles(gzip.decompress(packed).decode())


def find_puzzle(id: str) -> Puzzle:
    """The puzzle with this id.

    :raises GameError: there is none
    """
    for puzzle in puzzles():
        if puzzle.id == id:
            return puzzle
    raise GameError(f"no puzzle {id!r}")


def parse_puzzles(text: str) -> tuple[Puzzle, ...]:
    """Read what :func:`format_puzzles` writes.

    :raises GameError: a line is not a puzzle
    """
    found = []
    for number, line in enumerate(text.splitlines(), start=1):
        try:
            found.append(msgspec.json.decode(line, type=Puzzle))
        except msgspec.DecodeError as error:
            raise GameError(f"line {number}: not a puzzle: {error}") from None
    return tuple(found)


def format_puzzles(some: Iterable[Puzzle]) -> str:
    """One JSON object a line."""
    return "".join(f"{msgspec.json.encode(puzzle).decode()}\n" for puzzle in some)


@lru_cache(maxsize=256)
def position_of(puzzle: Puzzle) -> Position:
    """Play the round again up to the decision.

    :raises GameError: it cannot have happened like this
    """
    game, deal, seat = _replayed(puzzle), parse_deal(puzzle.deal), puzzle.seat
    score = puzzle.score if seat % 2 == 0 else puzzle.score[::-1]
    view = game.view(seat)._replace(score=score)
    return Position(view, deal[seat][0], deal, game.round.hands)


def round_of(puzzle: Puzzle) -> Round:
    """The round at the decision, all hands open.

    :raises GameError: it cannot have happened like this
    """
    return _replayed(puzzle).round


def _replayed(puzzle: Puzzle) -> Game:
    rules = Rules.parse(puzzle.rules)
    deal = parse_deal(puzzle.deal)
    game = Game.start(deal, rules)
    for number, text in enumerate(puzzle.actions.split()):
        event = parse_action(text)
        if number < len(game.actions):
            # The table has already done it.
            if game.actions[number] != event:
                raise GameError(f"puzzle {puzzle.id}: action {number}: the table does something else")
            continue
        try:
            game = game.after_recorded(*event)
        except IllegalAction as error:
            raise GameError(f"puzzle {puzzle.id}: action {number}: {error.reason.value}") from None
    if puzzle.seat not in game.round.pending:
        raise GameError(f"puzzle {puzzle.id}: seat {puzzle.seat} has nothing to decide")
    return game


def question_of(puzzle: Puzzle) -> PuzzleQuestion:
    """What may be shown before the answer."""
    view = position_of(puzzle).view
    return PuzzleQuestion(
        puzzle.id,
        puzzle.theme,
        puzzle.origin,
        puzzle.rules,
        puzzle.seat,
        view.score,
        str(view),
        tuple(format_action(*event) for event in view.history),
        tuple(sorted(candidate.action for candidate in puzzle.candidates)),
        puzzle.proved,
    )


def judge(puzzle: Puzzle, action: Action | str) -> Judgement:
    """Say whether an answer is right, and all that there is to know.

    A text is an action as it is written, with the seat: ``2:7s7b``.

    :raises GameError: the answer is not legal, or no action of this seat
    """
    position = position_of(puzzle)
    view = position.view
    if isinstance(action, str):
        seat, action = parse_action(action)
        if seat != puzzle.seat:
            raise GameError(f"seat {puzzle.seat} is to decide, not seat {seat}")
    if action not in view.legal():
        raise GameError(f"{format_action(puzzle.seat, action)} is not legal here")
    found = _candidate(puzzle, action, view)
    is_right = found is not None and found.action == puzzle.best
    is_right |= any(is_same(parse_action(other)[1], action, view) for other in puzzle.also)
    return Judgement(
        puzzle.id,
        format_action(puzzle.seat, action),
        is_right,
        found,
        puzzle.best,
        puzzle.candidates,
        puzzle.heuristic,
        puzzle.played,
        puzzle.worlds,
        puzzle.proved,
        puzzle.reasons,
        tuple(map(format_cards, position.hands)),
        puzzle.source,
        puzzle.proof,
    )


def _candidate(puzzle: Puzzle, action: Action, view: View) -> PuzzleCandidate | None:
    for candidate in puzzle.candidates:
        _, known = parse_action(candidate.action)
        if puzzle.theme == "call" and not isinstance(known, _CALLS) and not isinstance(action, _CALLS):
            return candidate
        if is_same(known, action, view):
            return candidate
    return None


def is_same(one: Action, two: Action, view: View) -> bool:
    """Whether two legal actions of the seat differ in suits at most."""
    if one == two:
        return True
    # Loads numpy, which whoever only shows puzzles does not need.
    from tichu.encoding import encode, encode_exchange

    if isinstance(one, Exchange) or isinstance(two, Exchange):
        return isinstance(one, Exchange) and isinstance(two, Exchange) and encode_exchange(one) == encode_exchange(two)
    return encode(one, view) == encode(two, view)
