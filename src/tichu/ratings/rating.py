"""A rating: how strong, and how sure.

``mu`` and ``sigma`` are in points a round.  The sum of the two players of a team, less that of the other team, is what
the team is expected to make over the other in a round, so bots that were measured in points a round have their place
without any conversion.  People see a number like those of chess: 1500 for newcomers, and about 400 more for a team that
wins ten matches to one.
"""

import math
from typing import Final, NamedTuple

__all__ = ["HALF_KNOWN", "PAIR_SPREAD", "PLAYER_SPREAD", "Rating", "newcomer", "new_pair"]

#: The standard deviation of strength among newcomers, and of what a pair is more or less than its two players.
PLAYER_SPREAD: Final = 20.0
PAIR_SPREAD: Final = 10.0
_MIDDLE: Final = 1500
#: A point a round of a team is worth four; each player has half of it.
_SCALE: Final = 8.0
#: A rating is provisional until its deviation is below three quarters of a newcomer's.
_SURE: Final = 15.0


class Rating(NamedTuple):
    """How strong somebody is, in points a round, and the standard deviation of that.

    >>> Rating(12.5, 6.0)
    <1600 ± 96>
    >>> newcomer()
    <1500 ± 320, provisional>
    """

    mu: float
    sigma: float
    #: How many players it is for: 1, or 2 for a pair, whose numbers are sums.
    size: int = 1

    @property
    def shown(self) -> int:
        """The number that people see; for a pair it compares with the numbers of its players."""
        return round(_MIDDLE + _SCALE * self.mu / self.size)

    @property
    def deviation(self) -> int:
        """Two standard deviations of the number that people see: it is within these in 19 cases of 20."""
        return round(2 * _SCALE * self.sigma / self.size)

    @property
    def is_provisional(self) -> bool:
        """Whether too little is known to compare it with others."""
        return self.sigma >= _SURE * math.sqrt(self.size)

    def __repr__(self) -> str:
        return f"<{self.shown} ± {self.deviation}{', provisional' if self.is_provisional else ''}>"


def newcomer() -> Rating:
    """What is known of somebody before the first match."""
    return Rating(0.0, PLAYER_SPREAD)


def new_pair(one: Rating, other: Rating) -> Rating:
    """What is known of a pair before its first match: the sum of its players, in any order, and a little less sure."""
    return Rating(one.mu + other.mu, math.sqrt(one.sigma**2 + other.sigma**2 + PAIR_SPREAD**2), size=2)


#: What remains to be known of a player when all is known of the pair: half of the variance, and the pair's own share.
HALF_KNOWN: Final = Rating(0.0, math.sqrt(PLAYER_SPREAD**2 / 2 + (PAIR_SPREAD / 2) ** 2))
