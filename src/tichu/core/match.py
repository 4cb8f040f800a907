"""A match: rounds added up until the goal is reached (§9)."""

from typing import NamedTuple

from tichu.core.errors import GameError
from tichu.core.rules import STANDARD, Rules
from tichu.core.scoring import Outcome

__all__ = ["Match"]


class Match(NamedTuple):
    """The rounds played so far under one rule set.

    >>> Match().score, Match().winner
    ((0, 0), None)
    """

    rules: Rules = STANDARD
    outcomes: tuple[Outcome, ...] = ()

    @property
    def score(self) -> tuple[int, int]:
        """The totals of team 0+2 and team 1+3."""
        return sum(outcome.score[0] for outcome in self.outcomes), sum(outcome.score[1] for outcome in self.outcomes)

    @property
    def winner(self) -> int | None:
        """The team that has won, 0 (seats 0+2) or 1 (seats 1+3), or None while the match goes on."""
        first, second = self.score
        if self.rules.goal.kind == "target":
            decided = max(first, second) >= self.rules.goal.number and first != second
            return int(second > first) if decided else None
        if not self.outcomes:
            return None
        if first != second:
            return int(second > first)
        # §9.2: still a tie after the extra round: its first player out decides.
        return self.outcomes[-1].out[0] & 1 if len(self.outcomes) > 1 else None

    def after(self, outcome: Outcome) -> "Match":
        """The match with one more round.

        :raises GameError: the match is over
        """
        if self.winner is not None:
            raise GameError("the match is over")
        return self._replace(outcomes=(*self.outcomes, outcome))
