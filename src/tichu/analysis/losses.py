"""What is lost a round, with its error.  Nothing here computes anything dear, so a server can have it without bots."""

from collections.abc import Sequence
from math import sqrt

import msgspec

__all__ = ["LostPerRound", "per_round"]


class LostPerRound(msgspec.Struct, frozen=True):
    """Points lost a round; the error counts what happens in one game, or in one round of a single game, as one."""

    lost_per_round: float
    lost_per_round_error: float | None


def per_round(clusters: Sequence[Sequence[float]]) -> LostPerRound:
    """The mean over rounds, with the error of a ratio of sums over clusters."""
    if not clusters:
        return LostPerRound(0.0, None)
    rounds = sum(map(len, clusters))
    mean = sum(map(sum, clusters)) / rounds
    if len(clusters) == 1:
        return LostPerRound(round(mean, 2), None)
    squares = sum((sum(cluster) - mean * len(cluster)) ** 2 for cluster in clusters)
    error = sqrt(squares * len(clusters) / (len(clusters) - 1)) / rounds
    return LostPerRound(round(mean, 2), round(error, 2))
