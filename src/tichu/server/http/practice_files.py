"""Puzzles and hands to practise with, as they are told; each takes a while and is made in another process.

The bots' libraries are loaded there and not where tables are played, so trainers are not imported above.
"""

from typing import TYPE_CHECKING, Final

from tichu.analysis.drills import TrainerName
from tichu.core.actions import Wish, parse_action
from tichu.core.cards import parse_cards
from tichu.core.deals import parse_deal
from tichu.core.errors import GameError
from tichu.core.record import RoundRecord, replay
from tichu.core.rules import Rules
from tichu.server.table.translate import card_list
from tichu.server.table.trick import NO_TRICK
from tichu.server.table.views import LiveState, RoundInput, seat_view
from tichu.server.wire import ENCODER, SeatView
from tichu.server.wire.practice import (
    PuzzleCandidate,
    PuzzleEntry,
    PuzzleFile,
    PuzzleLine,
    PuzzleList,
    PuzzleProof,
    TrainerAnswer,
    TrainerHand,
    TrainerJudgement,
)
from tichu.server.wire.reviews import ReviewReason

if TYPE_CHECKING:
    from tichu.analysis.puzzles import OpenLine, Puzzle
    from tichu.analysis.puzzles import PuzzleProof as Proof

__all__ = ["hand_file", "judgement_file", "puzzle_file", "puzzle_list"]

#: Times mean nothing here.
_LIVE: Final = LiveState(0.0)


def puzzle_list() -> bytes:
    """All puzzles of the package, by theme."""
    from tichu.analysis.puzzles import puzzles

    return ENCODER.encode(PuzzleList(puzzles=tuple(PuzzleEntry(id=one.id, theme=one.theme) for one in puzzles())))


def puzzle_file(name: str) -> bytes | None:
    """A puzzle with its solution; None if there is none of this id."""
    from tichu.analysis.puzzles import find_puzzle

    try:
        puzzle = find_puzzle(name)
    except GameError:
        return None
    view, hands = _played(puzzle)
    return ENCODER.encode(
        PuzzleFile(
            id=puzzle.id,
            theme=puzzle.theme,
            origin=puzzle.origin,
            source=puzzle.source,
            rules=puzzle.rules,
            seat=puzzle.seat,
            view=view,
            candidates=tuple(
                PuzzleCandidate(
                    action=one.action,
                    points=one.points,
                    points_error=one.points_error,
                    lost=one.lost,
                    lost_error=one.lost_error,
                    win=one.win,
                )
                for one in puzzle.candidates
            ),
            heuristic=puzzle.heuristic,
            played=puzzle.played,
            worlds=puzzle.worlds,
            proved=puzzle.proved,
            reasons=tuple(
                ReviewReason(what=one.what, played=one.played, better=one.better, cards=one.cards or None)
                for one in puzzle.reasons
            ),
            proof=_proof(puzzle.proof),
            hands=hands,
        )
    )


def _proof(proof: "Proof | None") -> PuzzleProof | None:
    if proof is None:
        return None
    return PuzzleProof(
        least=proof.least,
        most=proof.most,
        better=proof.better,
        best_line=_line(proof.best_line),
        missed_line=_line(proof.missed_line),
    )


def _line(line: "OpenLine") -> PuzzleLine:
    return PuzzleLine(actions=tuple(line.actions.split()), points=line.points, next_out=line.next_out)


def _played(puzzle: "Puzzle") -> tuple[SeatView, tuple[tuple[str, ...], ...]]:
    """What the seat sees, and what all four hold."""
    actions = tuple(map(parse_action, puzzle.actions.split()))
    trick, wisher = NO_TRICK, None
    states = tuple(replay(RoundRecord(parse_deal(puzzle.deal), actions, None), Rules.parse(puzzle.rules)))
    for (actor, action), state in zip(actions, states[1:], strict=True):
        trick = trick.after(actor, action, state.top)
        wisher = actor if isinstance(action, Wish) else wisher
    end = states[-1]
    score = puzzle.score if puzzle.seat % 2 == 0 else puzzle.score[::-1]
    given = RoundInput(end, trick, score, wisher=wisher if end.wish else None)
    view = end.view(puzzle.seat)._replace(score=score)
    return seat_view(view, given, _LIVE), tuple(map(card_list, end.hands))


def hand_file(trainer: TrainerName, seed: int) -> bytes:
    """A hand to decide on."""
    from tichu.analysis.trainers import decision

    view, state = decision(trainer, seed)
    return ENCODER.encode(TrainerHand(trainer=trainer, seed=seed, view=seat_view(view, RoundInput(state), _LIVE)))


def judgement_file(trainer: TrainerName, seed: int, answer: str, worlds: int) -> bytes:
    """An answer beside the champion's.

    :raises NotationError: that is no answer
    """
    from tichu.analysis.trainers import judge

    found = judge(trainer, seed, answer, worlds)
    return ENCODER.encode(
        TrainerJudgement(
            trainer=trainer,
            seed=seed,
            answer=found.answer,
            choice=found.choice,
            chance=found.chance,
            is_agreed=found.is_agreed,
            is_clear=found.is_clear,
            difference=found.difference,
            difference_error=found.difference_error,
            worlds=found.worlds,
            answers=tuple(
                TrainerAnswer(answer=one.answer, points=one.points, points_error=one.points_error, win=one.win)
                for one in found.answers
            ),
            hands=tuple(card_list(parse_cards(hand)) for hand in found.hands),
        )
    )
