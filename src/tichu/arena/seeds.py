"""Chance in the arena: every shuffle and every bot has a seed that its place in the run determines.

So a deal comes out the same in whatever order and on whatever machine it is played.  Python's ``hash`` differs from run
to run; a digest does not.
"""

import hashlib
from random import Random

from tichu.core.deals import Deal, shuffled_deal

__all__ = ["deal_of", "seed_of"]


def seed_of(*place: str | int) -> int:
    """A seed for a place, as ``seed_of("agent", run, deal, leg, seat)``.

    >>> seed_of("deal", 1, 2)
    7817274060000368261
    """
    text = "/".join(map(str, place))
    return int.from_bytes(hashlib.blake2b(text.encode(), digest_size=8).digest(), "big")


def deal_of(run_seed: int, number: int, round_number: int = 0) -> Deal:
    """The cards of a deal of the run; in a match, of one of its rounds."""
    return shuffled_deal(Random(seed_of("deal", run_seed, number, round_number)))
