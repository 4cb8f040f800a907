"""What a finished game counts for: who has won, and what each seat did.

It is counted when the game ends, from its log; a game that was stored without is counted from its record, without
replaying it.
"""

import json
from collections.abc import Iterable, Sequence
from typing import Final, NamedTuple

from tichu.server.log import FinishedGame, Result, SeatResult

__all__ = ["CountedRound", "count_game", "counted_rounds", "seat_results", "winner_of"]

_HAND: Final = 14


class CountedRound(NamedTuple):
    """What counts of a round."""

    #: The seats that were out, in order.
    out: Sequence[int]
    #: By seat: ``T``, ``G`` or something else for none.
    calls: Sequence[str]


def counted_rounds(results: Iterable[Result]) -> list[CountedRound]:
    """The rounds of a game that has just ended."""
    return [CountedRound(one.out, one.calls) for one in results]


def seat_results(rounds: Sequence[CountedRound], score: tuple[int, int], winner: int) -> tuple[SeatResult, ...]:
    """What each seat did in a game."""
    return tuple(_seat_result(rounds, score, winner, seat) for seat in range(4))


def _seat_result(rounds: Sequence[CountedRound], score: tuple[int, int], winner: int, seat: int) -> SeatResult:
    first = [tuple(one.out[:1]) == (seat,) for one in rounds]
    called = {
        call: [is_first for one, is_first in zip(rounds, first, strict=True) if one.calls[seat] == call]
        for call in ("T", "G")
    }
    return SeatResult(
        won=int(winner == seat & 1),
        rounds=len(rounds),
        points=score[seat & 1],
        against=score[~seat & 1],
        first_out=sum(first),
        double_victories=sum(set(one.out[:2]) == {seat, seat ^ 2} for one in rounds),
        tichu_called=len(called["T"]),
        tichu_made=sum(called["T"]),
        grand_called=len(called["G"]),
        grand_made=sum(called["G"]),
    )


def count_game(game: FinishedGame) -> FinishedGame:
    """A game that was stored without winner and results, with them."""
    winner = winner_of(game)
    results = seat_results([_round(line) for line in _rounds(game)], game.summary.score, winner)
    return game._replace(summary=game.summary._replace(winner=winner), results=results)


def winner_of(game: FinishedGame) -> int:
    """The team that has won; §9.2: after an extra round that is a tie too, its first player out decides."""
    if game.summary.winner is not None:
        return game.summary.winner
    ours, theirs = game.summary.score
    if ours != theirs:
        return int(theirs > ours)
    return _round(_rounds(game)[-1]).out[0] & 1


def _rounds(game: FinishedGame) -> list[str]:
    return game.record.splitlines()[1:]


def _round(line: str) -> CountedRound:
    """``0+G`` and ``0+T`` are calls, ``0:7s7b`` is a play of as many cards as there are pairs of signs."""
    played = [0, 0, 0, 0]
    out: list[int] = []
    calls = ["-", "-", "-", "-"]
    for action in json.loads(line)["actions"]:
        actor, sign, rest = int(action[0]), action[1], action[2:]
        if sign == "+":
            calls[actor] = rest
        elif sign == ":" and rest != "-":
            played[actor] += len(rest) // 2
            if played[actor] == _HAND:
                out.append(actor)
    return CountedRound(out, calls)
