"""Everybody who has played in one pool, with what is known of them."""

from typing import Final, NamedTuple

from tichu.ratings.rating import HALF_KNOWN, Rating
from tichu.ratings.rows import is_anonymous

__all__ = ["LEAST_APART", "LEAST_OPPONENTS", "Board", "Pair", "Standing"]

#: So many different opponents one must have met in matches that the server made.
LEAST_OPPONENTS: Final = 10
#: So many matches one must have played without the partner one comes with.
LEAST_APART: Final = 10

#: Ids in alphabetical order.
Pair = tuple[str, str]


class Standing(NamedTuple):
    """A rating and the matches that it comes from."""

    rating: Rating
    matches: int = 0
    wins: int = 0
    losses: int = 0
    #: How many of the matches were played with a partner one came with.
    together: int = 0
    #: How often somebody left, and how often a partner's leaving was forgiven.
    left: int = 0
    spared: int = 0

    @property
    def is_provisional(self) -> bool:
        """Whether too little is known to compare it with others."""
        return self.rating.is_provisional or self._is_only_half_known

    @property
    def deviation(self) -> int:
        """Two standard deviations of the number that people see."""
        return max(self.rating.deviation, HALF_KNOWN.deviation) if self._is_only_half_known else self.rating.deviation

    @property
    def _is_only_half_known(self) -> bool:
        # Of two who always play together nobody can tell which one is the better: only their sum is known.
        return self.rating.size == 1 and self.matches - self.together < LEAST_APART


class Board:
    """The standings of one pool, in the order in which people came."""

    def __init__(self) -> None:
        self.players: dict[str, Standing] = {}
        self.pairs: dict[Pair, Standing] = {}
        #: The people met in matches that the server made.
        self.opponents: dict[str, set[str]] = {}
        self.pair_opponents: dict[Pair, set[str]] = {}

    def is_eligible(self, player: str) -> bool:
        """Whether a player may stand on the leaderboard."""
        standing = self.players.get(player)
        met = len(self.opponents.get(player, ()))
        return standing is not None and _may_be_listed(standing, met) and not is_anonymous(player)

    def is_pair_eligible(self, pair: Pair) -> bool:
        """Whether a pair may stand on the leaderboard."""
        standing = self.pairs.get(pair)
        met = len(self.pair_opponents.get(pair, ()))
        return standing is not None and _may_be_listed(standing, met) and not any(map(is_anonymous, pair))

    def leaderboard(self) -> list[tuple[str, Standing]]:
        """Those who may stand on it, from strong to weak; of equals the one who came first."""
        listed = [(player, standing) for player, standing in self.players.items() if self.is_eligible(player)]
        return sorted(listed, key=lambda entry: -entry[1].rating.mu)

    def pair_leaderboard(self) -> list[tuple[Pair, Standing]]:
        """The same of pairs."""
        listed = [(pair, standing) for pair, standing in self.pairs.items() if self.is_pair_eligible(pair)]
        return sorted(listed, key=lambda entry: -entry[1].rating.mu)


def _may_be_listed(standing: Standing, met: int) -> bool:
    return met >= LEAST_OPPONENTS and not standing.is_provisional
