"""The door to openskill: one match of two teams, from ratings before it to ratings after it.

The model is Bradley and Terry's by the method of Weng and Lin, whose numbers and rivals are in ``docs/ratings.md``.
The library's own weights are for players of unequal parts in a team, and make a light defeat a heavy one, so the weight
of a match is applied here: that much of the way from the old rating to the new one.

Numbers are added in the order of the seats, never of ids, so that a row says all that its ratings depend on.
"""

import math
from collections.abc import Sequence
from functools import cache
from typing import TYPE_CHECKING, Final

from tichu.core.errors import GameError
from tichu.ratings.rating import PLAYER_SPREAD, Rating

if TYPE_CHECKING:
    from openskill.models import BradleyTerryFull

__all__ = ["BETA", "TAU", "check_openskill", "rate"]

#: The standard deviation of what a team makes of its strength in a match, and what a strength changes by in between;
#: both chosen by ``python -m bench.ratings tune``.
BETA: Final = 30.0
TAU: Final = 0.2


@cache
def _model() -> "BradleyTerryFull":
    try:
        from openskill.models import BradleyTerryFull
    except ImportError:
        raise GameError("ratings need openskill: pip install 'tichu[site]'") from None
    return BradleyTerryFull(mu=0.0, sigma=PLAYER_SPREAD, beta=BETA, tau=TAU, gamma=_gamma)


def _gamma(*_: object) -> float:
    """Let uncertainty shrink as fast as the model says; the library would slow it down, for games of many teams."""
    return 1.0


def check_openskill() -> None:
    """Whether anything can be rated: better known before the first match than after it.

    :raises GameError: openskill is not installed
    """
    _model()


def rate(
    ours: Sequence[Rating], theirs: Sequence[Rating], winner: int | None, weight: float = 1.0
) -> tuple[list[Rating], list[Rating]]:
    """The ratings of two teams after a match; nobody has won a tie.

    >>> rate([Rating(0.0, 20.0)] * 2, [Rating(0.0, 20.0)] * 2, winner=0)[0][0].shown
    1527
    """
    model = _model()
    teams = [[model.rating(one.mu, one.sigma) for one in team] for team in (ours, theirs)]
    ranks = [1.0, 1.0] if winner is None else [1.0 + winner, 2.0 - winner]
    after = model.rate(teams, ranks=ranks)
    first, second = (
        [_part_of_the_way(old, Rating(new.mu, new.sigma, old.size), weight) for old, new in zip(*team, strict=True)]
        for team in zip((ours, theirs), after, strict=True)
    )
    return first, second


def _part_of_the_way(old: Rating, new: Rating, weight: float) -> Rating:
    if weight == 1:
        return new
    variance = old.sigma**2 + weight * (new.sigma**2 - old.sigma**2)
    return Rating(old.mu + weight * (new.mu - old.mu), math.sqrt(variance), old.size)
