"""A match: rounds added up until the goal is reached (§9)."""

from typing import NamedTuple

from tichu.core.errors import GameError
from tichu.core.rules import STANDARD, Rules
from tichu.core.scoring import Outcome

__all__ = ["Match"]


class Match(NamedTuple):
    """The rounds played so far under one rule set.

    >>> match = Match()
    >>> match, match.winner
    (<Match 0:0 after 0 rounds>, None)
    >>> match.after(Outcome((40, 60), (100, 0), out=(2, 3, 1)))
    <Match 140:60 after 1 round>
    >>> Match(Rules.parse("single-round")).after(Outcome((40, 60), (100, 0), out=(2, 3, 1)))
    <Match under single-round: 140:60 after 1 round, won by team 0+2>
    >>> Match(start=(860, 720))
    <Match 860:720 after 0 rounds>
    """

    rules: Rules = STANDARD
    outcomes: tuple[Outcome, ...] = ()
    #: What both teams had before the first round: 0:0, but for a match that is taken up in its middle.
    start: tuple[int, int] = (0, 0)

    def __str__(self) -> str:
        rounds = "1 round" if len(self.outcomes) == 1 else f"{len(self.outcomes)} rounds"
        won = "" if self.winner is None else f", won by team {('0+2', '1+3')[self.winner]}"
        return f"{self.score[0]}:{self.score[1]} after {rounds}{won}"

    def __repr__(self) -> str:
        return f"<Match{'' if self.rules == STANDARD else f' under {self.rules}:'} {self}>"

    @property
    def score(self) -> tuple[int, int]:
        """The totals of team 0+2 and team 1+3."""
        first, second = self.start
        for points, bonus, _ in self.outcomes:
            first += points[0] + bonus[0]
            second += points[1] + bonus[1]
        return first, second

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
