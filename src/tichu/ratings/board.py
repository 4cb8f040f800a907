"""Everybody who has played in one pool, with what is known of them."""

from collections.abc import Collection, Iterable, Iterator, Mapping
from itertools import islice
from typing import Final, NamedTuple, TypeVar

from tichu.ratings.ranking import Ranking
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
    """The standings of one pool, in the order in which people came.

    Its leaderboards are kept in order, and whose pairs are whose: to look at them takes no longer when there are many.
    """

    def __init__(self) -> None:
        self.players: dict[str, Standing] = {}
        self.pairs: dict[Pair, Standing] = {}
        #: The people met in matches that the server made.
        self.opponents: dict[str, set[str]] = {}
        self.pair_opponents: dict[Pair, set[str]] = {}
        self._pairs_of: dict[str, list[Pair]] = {}
        self._player_ranking = Ranking[str]()
        self._pair_ranking = Ranking[Pair]()
        #: Who came as which.
        self._came: dict[str | Pair, int] = {}

    def set_player(self, player: str, standing: Standing, met: Iterable[str] = ()) -> None:
        """A player stands like that now, and has met these in a match that the server made."""
        self._came.setdefault(player, len(self._came))
        self.players[player] = standing
        _meet(self.opponents, player, met)
        _rank(self._player_ranking, player, standing, self._came, is_listed=self.is_eligible(player))

    def set_pair(self, pair: Pair, standing: Standing, met: Iterable[str] = ()) -> None:
        """The same of a pair."""
        if pair not in self.pairs:
            self._came[pair] = len(self._came)
            for player in pair:
                self._pairs_of.setdefault(player, []).append(pair)
        self.pairs[pair] = standing
        _meet(self.pair_opponents, pair, met)
        _rank(self._pair_ranking, pair, standing, self._came, is_listed=self.is_pair_eligible(pair))

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

    def leaderboard(self, most: int | None = None, without: Collection[str] = ()) -> list[tuple[str, Standing]]:
        """Those who may stand on it, from strong to weak; of equals the one who came first."""
        listed = islice((player for player in self._player_ranking if player not in without), most)
        return [(player, self.players[player]) for player in listed]

    def pair_leaderboard(self, most: int | None = None, without: Collection[str] = ()) -> list[tuple[Pair, Standing]]:
        """The same of pairs."""
        wanted = (pair for pair in self._pair_ranking if pair[0] not in without and pair[1] not in without)
        return [(pair, self.pairs[pair]) for pair in islice(wanted, most)]

    def rank(self, player: str) -> int | None:
        """The place of a player on the leaderboard, from 1 on; None for whoever is not on it."""
        return self._player_ranking.place(player)

    def pairs_of(self, player: str) -> Iterator[tuple[Pair, Standing]]:
        """The pairs that a player belongs to, in the order in which they came."""
        return ((pair, self.pairs[pair]) for pair in self._pairs_of.get(player, ()))


_Key = TypeVar("_Key", str, Pair)


def _meet(opponents: dict[_Key, set[str]], who: _Key, met: Iterable[str]) -> None:
    some = set(met)
    if some:
        opponents.setdefault(who, set()).update(some)


def _rank(
    ranking: Ranking[_Key], who: _Key, standing: Standing, came: Mapping[str | Pair, int], *, is_listed: bool
) -> None:
    if is_listed:
        ranking.set(who, standing.rating.mu, came[who])
    else:
        ranking.remove(who)


def _may_be_listed(standing: Standing, met: int) -> bool:
    return met >= LEAST_OPPONENTS and not standing.is_provisional
