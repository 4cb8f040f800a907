"""The generator and the random policy of the kernels, defined to the bit: every kernel draws the same.

splitmix64: the state grows by a constant, the output is the state mixed.  A game's generator starts from the seed, the
number of the game and the number of the round alone.
"""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final, NamedTuple

from tichu.core.actions import CALL_GRAND, CALL_TICHU, DECLINE_GRAND, Action, Exchange
from tichu.core.cards import cards_of
from tichu.core.deals import Deal, deal_in_order
from tichu.core.legal import Legal
from tichu.core.phases import Phase
from tichu.core.round import Round
from tichu.core.rules import Rules

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

__all__ = ["Chance", "RandomRounds", "in_sequence", "random_action", "random_decision", "start"]

_WORD: Final = (1 << 64) - 1
_GOLDEN: Final = 0x9E3779B97F4A7C15

#: The random policy makes one in this number of the calls that it could make.
CALL_ODDS: Final = 20


def _mix(word: int) -> int:
    word = (word ^ word >> 30) * 0xBF58476D1CE4E5B9 & _WORD
    word = (word ^ word >> 27) * 0x94D049BB133111EB & _WORD
    return word ^ word >> 31


class Chance:
    """The generator of one round of one game.

    >>> chance = Chance(seed=1)
    >>> [chance.below(100) for _ in range(5)]
    [...]
    """

    def __init__(self, seed: int, game: int = 0, round_: int = 0) -> None:
        self._state = _mix(_mix(_mix((seed + _GOLDEN) & _WORD) ^ game) ^ round_)

    def below(self, limit: int) -> int:
        """A number from 0 on, below ``limit``."""
        self._state = (self._state + _GOLDEN) & _WORD
        return (_mix(self._state) >> 32) * limit >> 32

    def deal(self) -> Deal:
        """Shuffle the cards from the last down, and deal them in order."""
        cards = list(range(56))
        for place in range(55, 0, -1):
            other = self.below(place + 1)
            cards[place], cards[other] = cards[other], cards[place]
        return deal_in_order(cards)


class RandomRounds(NamedTuple):
    """What came of rounds that were dealt and played at random."""

    #: How many decisions were taken, the table's not counted.
    decisions: int
    #: A row for each round: the scores of team 0+2 and team 1+3.
    scores: "NDArray[np.int16]"


def start(rules: Rules, seed: int, game: int = 0, round_: int = 0) -> tuple[Round, Chance]:
    """A round as the seed deals it, and the generator that goes on from there."""
    chance = Chance(seed, game, round_)
    return Round.start(chance.deal(), rules), chance


def in_sequence(state: Round) -> Round:
    """§7.2: the round in the form in which simulations play ``bombs=anytime``."""
    return state if state.rules.bombs != "anytime" else state._replace(rules=state.rules.sequential())


def random_action(state: Round, seat: int, chance: Chance) -> Action:
    """Any decision equally likely, but calls seldom; nothing is drawn where there is no choice."""
    legal = state.legal(seat)
    if state.phase is Phase.GRAND:
        may_call = state.rules.calls == "choice"
        return CALL_GRAND if may_call and chance.below(CALL_ODDS) == 0 else DECLINE_GRAND
    if legal.may_call and chance.below(CALL_ODDS) == 0:
        return CALL_TICHU
    return random_decision(legal, chance)


def random_decision(legal: Legal, chance: Chance) -> Action:
    """The same without calls."""
    view = legal.view
    if view.phase is Phase.GRAND:
        return DECLINE_GRAND
    if view.phase is Phase.EXCHANGE:
        return _nth_exchange(list(cards_of(view.hand)), chance.below(14 * 13 * 12))
    decisions = [action for action in legal if action is not CALL_TICHU]
    return decisions[chance.below(len(decisions)) if len(decisions) > 1 else 0]


def _nth_exchange(hand: Sequence[int], index: int) -> Exchange:
    """The n-th ordered choice of three cards."""
    left = list(hand)
    return Exchange(*(left.pop(place) for place in (index // (13 * 12), index // 12 % 13, index % 12)))
