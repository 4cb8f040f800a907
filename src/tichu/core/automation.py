"""How the table rates a hand when it calls Tichu itself (§10.1).

The rating adds what wins tricks and takes off the low cards that are alone in their rank, unless a straight carries
them away.  The weights are a player's guesses, the threshold is measured: with it 30 % of rounds see a call
(``tests/rules/test_s10_automation.py``).
"""

from typing import Final

from tichu.core.cards import DOG, DRAGON, MAH_JONG, PHOENIX, RANKS, Cards

__all__ = ["THRESHOLD", "rating"]

THRESHOLD: Final = 85

_SPECIAL_WORTH: Final = {MAH_JONG: 10, DOG: -12, PHOENIX: 45, DRAGON: 45}
_HIGH_WORTH: Final = {14: 26, 13: 11, 12: 3}
_BOMB_WORTH: Final = 40
_SINGLE_COST: Final = 3


def rating(hand: Cards) -> int:
    """How strong fourteen cards are; above :data:`THRESHOLD` the table calls."""
    worth = sum(value for card, value in _SPECIAL_WORTH.items() if hand >> card & 1)
    run: list[int] = []
    for rank in (*RANKS, 15):
        count = (hand >> 4 * (rank - 1) & 15).bit_count()
        worth += count * _HIGH_WORTH.get(rank, 0)
        worth += _BOMB_WORTH * (count == 4)
        if count:
            run.append(rank if count == 1 else 15)
            continue
        # Five in a row leave in one turn; otherwise a card alone in its rank costs, the more the lower it is.
        if len(run) < 5:
            worth -= _SINGLE_COST * sum(max(0, 11 - alone) for alone in run)
        run = []
    return worth
