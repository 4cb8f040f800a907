"""A player's sheet: what somebody loses a round, by kind of decision, beside the plain score.

Nothing is cut off: decisions that turned out better than the bot's count against those that were worse.  What happens
in one game is one observation, since players, opponents and luck of a game belong together.
"""

import re
from collections.abc import Callable, Sequence
from functools import partial
from math import ceil
from typing import Final

import msgspec

from tichu.analysis.decisions import KINDS
from tichu.analysis.losses import LostPerRound, per_round
from tichu.analysis.reviews import RoundReview, played_rounds

__all__ = ["PlayerSheet", "player_sheets"]

#: A mean is known if its 95 % interval reaches so many points a round to either side.
_KNOWN: Final = 10.0
_NORMAL: Final = 1.96
#: What records and logs call seats whose players are not known: these are not the same people from game to game.
_SEAT: Final = re.compile(r"(Seat |p)[0-3]")


class PlayerSheet(msgspec.Struct, frozen=True):
    """One player."""

    games: int
    rounds: int
    lost: LostPerRound
    by_kind: dict[str, LostPerRound]
    #: The difference of the scores a round, for the player's team.
    score: LostPerRound
    #: After how many games in all the mean is known to 10 points a round: of what is lost, and of the score.
    games_for_lost: int | None
    games_for_score: int | None


def player_sheets(reviews: Sequence[RoundReview]) -> dict[str, PlayerSheet]:
    """The sheets of all who are named in the games."""
    good = [review for review in played_rounds(reviews) if review.players]
    names = sorted({name for review in good for name in review.players if not _SEAT.fullmatch(name)})
    return {name: _sheet(name, [review for review in good if name in review.players]) for name in names}


def _sheet(name: str, reviews: Sequence[RoundReview]) -> PlayerSheet:
    games: dict[str, list[RoundReview]] = {}
    for review in reviews:
        games.setdefault(review.file, []).append(review)
    clusters = list(games.values()) if len(games) > 1 else [[review] for review in reviews]

    def over(points: Callable[[RoundReview], float], of: Sequence[Sequence[RoundReview]] = clusters) -> LostPerRound:
        return per_round([[points(review) for review in cluster] for cluster in of])

    def lost(review: RoundReview, kind: str = "") -> float:
        own = [each for each in review.decisions if review.players[each.seat] == name]
        return sum(each.lost for each in own if kind in ("", each.kind))

    def score(review: RoundReview) -> float:
        seats = [seat for seat, player in enumerate(review.players) if player == name]
        assert review.score is not None
        difference = review.score[0] - review.score[1]
        return sum(difference if seat % 2 == 0 else -difference for seat in seats) / len(seats)

    # A round that was broken off has no score.
    finished = [[review for review in cluster if review.score is not None] for cluster in clusters]
    whole, plain = over(lost), over(score, [cluster for cluster in finished if cluster])
    by_kind: dict[str, LostPerRound] = {kind: over(partial(lost, kind=kind)) for kind in KINDS}
    needed = [_games_needed(each, len(games)) for each in (whole, plain)]
    return PlayerSheet(len(games), len(reviews), whole, by_kind, plain, *needed)


def _games_needed(known: LostPerRound, games: int) -> int | None:
    """Errors fall with the root of the number of games."""
    if known.lost_per_round_error is None or games < 2:
        return None
    return max(1, ceil(games * (_NORMAL * known.lost_per_round_error / _KNOWN) ** 2))
