"""Practice: hands to decide on, with the champion's judgement, and puzzles."""

from typing import Literal

from tichu.analysis.drills import TrainerName
from tichu.server.wire.parts import Card, Seat, SeatView, Wire
from tichu.server.wire.reviews import ReviewReason

__all__ = [
    "PuzzleCandidate",
    "PuzzleEntry",
    "PuzzleFile",
    "PuzzleLine",
    "PuzzleList",
    "PuzzleProof",
    "PuzzleTheme",
    "TrainerAnswer",
    "TrainerHand",
    "TrainerJudgement",
    "TrainerName",
]

#: What a puzzle is about.
PuzzleTheme = Literal["call", "exchange", "bomb", "wish", "gift", "endgame", "lead", "follow"]


class _Practised(Wire, frozen=True, kw_only=True, omit_defaults=False):
    """Every field is there."""


class TrainerHand(_Practised, frozen=True, kw_only=True):
    """A hand that somebody is to decide on."""

    #: What is asked: Grand Tichu on eight cards, Tichu on the first lead, or three cards to give.
    trainer: TrainerName
    #: The same number gives the same hand.
    seed: int
    #: What the seat sees; its score is that of the match.
    view: SeatView


class TrainerAnswer(_Practised, frozen=True, kw_only=True):
    """An answer and what it is worth to the team of the seat."""

    #: ``call``, ``no``, or three cards for the left, the partner and the right.
    answer: str
    #: The expected difference of the scores of the round, from the seat's side.
    points: float
    #: Its standard error.
    points_error: float
    #: The chance of the seat's team to win the match.
    win: float | None


class TrainerJudgement(_Practised, frozen=True, kw_only=True):
    """An answer beside the champion's."""

    #: As it was asked.
    trainer: TrainerName
    #: The number of the question.
    seed: int
    #: What was answered.
    answer: str
    #: What the champion does.
    choice: str
    #: How likely its network holds that, from 0 to 1: how sure it is, and not a chance to succeed.
    chance: float
    #: Whether both are the same, but for suits.
    is_agreed: bool
    #: Whether chance would seldom find such a difference where there is none.
    is_clear: bool
    #: What the champion's choice is worth more than the other call, or than the cards that were given; negative if it
    #: is worth less.
    difference: float
    #: Its standard error.
    difference_error: float
    #: In how many worlds both were played on; 0 where nothing was compared.
    worlds: int
    #: The champion's choice first; empty where nothing was compared.
    answers: tuple[TrainerAnswer, ...]
    #: The cards of all four seats; on eight cards with those that come later.
    hands: tuple[tuple[Card, ...], ...]


class PuzzleEntry(_Practised, frozen=True, kw_only=True):
    """A puzzle in the list."""

    #: Stays the same whatever other puzzles there are.
    id: str
    #: What it is about.
    theme: PuzzleTheme


class PuzzleList(_Practised, frozen=True, kw_only=True):
    """All puzzles of this server."""

    #: By theme.
    puzzles: tuple[PuzzleEntry, ...]


class PuzzleCandidate(_Practised, frozen=True, kw_only=True):
    """Something that can be done, and what it is worth to the team of the seat."""

    #: In TTN, with the seat.
    action: str
    #: The expected difference of the scores of the round, from the seat's side.
    points: float
    #: Its standard error; 0 where it is proved.
    points_error: float
    #: What the best action is worth more.
    lost: float
    #: The standard error of ``lost``.
    lost_error: float
    #: The chance of the seat's team to win the match; null where it is not known.
    win: float | None


class PuzzleLine(_Practised, frozen=True, kw_only=True):
    """How a round ends if everybody sees all cards and does the best for their team."""

    #: From the decision on, in TTN.
    actions: tuple[str, ...]
    #: The difference of the scores of the round, from the side of the seat of the puzzle.
    points: int
    #: The seat that goes out next; null if none is left to.
    next_out: Seat | None


class PuzzleProof(_Practised, frozen=True, kw_only=True):
    """What a proof says in numbers: the best beside what the heuristic bot does."""

    #: What it is worth more in the possible deal where that is least.
    least: int
    #: And where that is most.
    most: int
    #: In how many of the deals it is worth more; in the others as much.
    better: int
    #: The best, with the cards as they lay.
    best_line: PuzzleLine
    #: And what the heuristic bot does.
    missed_line: PuzzleLine


class PuzzleFile(_Practised, frozen=True, kw_only=True):
    """A puzzle with its solution."""

    #: As in the list.
    id: str
    #: What it is about.
    theme: PuzzleTheme
    #: Who played the round: people, or bots among themselves.
    origin: Literal["people", "bots"]
    #: Where it is from, in words.
    source: str
    #: The rules of the round.
    rules: str
    #: Who is to decide.
    seat: Seat
    #: What the seat sees; its score is that of the match.
    view: SeatView
    #: The best first.
    candidates: tuple[PuzzleCandidate, ...]
    #: What the heuristic bot does, in TTN.
    heuristic: str
    #: What was done when the round was played, in TTN.
    played: str
    #: In how many worlds the candidates were compared: in all that are possible if it is proved.
    worlds: int
    #: Whether the best is best in every possible world.
    proved: bool
    #: What happens more or less often after the best than after what the heuristic bot does; empty for some that are
    #: proved.
    reasons: tuple[ReviewReason, ...]
    #: Of those that are proved, null for others.
    proof: PuzzleProof | None
    #: The cards of all four seats at the decision; on eight cards those eight.
    hands: tuple[tuple[Card, ...], ...]
