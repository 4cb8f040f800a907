"""Counting what can happen: the number of action sequences of a length, to compare implementations by one number.

At every step the lowest pending seat chooses from its legal actions, a Tichu call and every Phoenix reading included.
"""

from tichu.core.actions import Action
from tichu.core.round import Round

__all__ = ["divide", "perft"]


def perft(state: Round, depth: int) -> int:
    """How many sequences of ``depth`` actions there are; a round that ends sooner has none.

    >>> perft(Round.from_position("9s/Kb/-/4s p1 0:8s 90/0/0/0 - ---- 2 -/-/-/-"), 2)
    2
    """
    if depth == 0:
        return 1
    if not state.pending:
        return 0
    legal = state.legal(state.pending[0])
    return len(legal) if depth == 1 else sum(count for _, count in divide(state, depth))


def divide(state: Round, depth: int) -> list[tuple[Action, int]]:
    """The same per first action."""
    if not state.pending:
        return []
    seat = state.pending[0]
    return [(action, perft(state.after_unchecked(seat, action), depth - 1)) for action in state.legal(seat)]
