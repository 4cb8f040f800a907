"""What a round is worth to each team (§8)."""

from typing import NamedTuple

from tichu.core.cards import Cards, points_of
from tichu.core.phases import Call

__all__ = ["Outcome", "score_round"]


class Outcome(NamedTuple):
    """The result of a round; pairs are team 0+2, then team 1+3."""

    #: Card points, or 200 and 0 after a double victory.
    points: tuple[int, int]
    #: What the calls won and lost.
    bonus: tuple[int, int]
    #: The order of going out.
    out: tuple[int, ...]

    @property
    def score(self) -> tuple[int, int]:
        """Everything together."""
        return self.points[0] + self.bonus[0], self.points[1] + self.bonus[1]

    @property
    def is_double_victory(self) -> bool:
        """§8.2: whether partners were first and second."""
        return is_double_victory(self.out)


def is_double_victory(out: tuple[int, ...]) -> bool:
    """§8.2: whether the first two out are partners."""
    return len(out) >= 2 and out[0] ^ out[1] == 2


def score_round(
    hands: tuple[Cards, ...], points: tuple[int, ...], calls: tuple[Call, ...], out: tuple[int, ...]
) -> Outcome:
    """§8.2, §8.4, §8.5: count a round that is over."""
    bonus = [0, 0]
    for seat, call in enumerate(calls):
        bonus[seat & 1] += call.stake if seat == out[0] else -call.stake
    won = [0, 0]
    if is_double_victory(out):
        won[out[0] & 1] = 200
    else:
        last = 6 - sum(out)
        for seat in range(4):
            # §8.4: the last player's tricks go to the first, the cards left to the other team.
            won[(out[0] if seat == last else seat) & 1] += points[seat]
        won[1 - (last & 1)] += points_of(hands[last])
    return Outcome((won[0], won[1]), (bonus[0], bonus[1]), out)
