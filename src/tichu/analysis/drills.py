"""What trainers ask and tell, as values.  Nothing here computes anything, so a server can have it without the bots."""

from typing import Final, Literal

import msgspec

__all__ = ["TRAINERS", "TrainerAnswer", "TrainerJudgement", "TrainerName", "TrainerQuestion"]

#: Call Grand Tichu on eight cards? Call Tichu on fourteen? Which three cards to give?
TrainerName = Literal["grand", "tichu", "exchange"]
TRAINERS: Final[tuple[TrainerName, ...]] = ("grand", "tichu", "exchange")


class TrainerQuestion(msgspec.Struct, frozen=True, kw_only=True):
    """A hand that somebody is to decide on."""

    trainer: TrainerName
    #: The same number gives the same hand.
    seed: int
    seat: int
    #: The match before the round: the own team, the other.
    score: tuple[int, int]
    hand: str
    #: By seat, as in a position: ``-``, ``T`` or ``G``.
    calls: str
    #: After the exchange: who gave which card, and the own gifts for LEFT, PARTNER and RIGHT.
    received: tuple[tuple[int, str], ...]
    given: str
    #: What the seat sees and has seen, as in ``docs/notation.md``.
    view: str
    history: tuple[str, ...]


class TrainerAnswer(msgspec.Struct, frozen=True):
    """An answer and what it is worth to the seat's team."""

    #: ``call``, ``no``, or three cards.
    answer: str
    #: The expected difference of the round's scores, with its standard error.
    points: float
    points_error: float
    #: The chance to win the match.
    win: float | None = None


class TrainerJudgement(msgspec.Struct, frozen=True, kw_only=True):
    """An answer beside the champion's."""

    trainer: TrainerName
    seed: int
    answer: str
    #: What the champion does, and the chance that its network gives it.
    choice: str
    chance: float
    #: Whether both are the same, but for suits.
    is_agreed: bool
    #: What the champion's choice is worth more than the other call, or than the cards that were given, with the
    #: standard error; negative where it is worth less, 0 where there is nothing to compare.
    difference: float
    difference_error: float
    #: In how many worlds they were compared.
    worlds: int
    #: The champion's choice first.
    answers: tuple[TrainerAnswer, ...]
    #: The cards of all four seats; on eight cards with the six that come later.
    hands: tuple[str, ...]

    @property
    def is_clear(self) -> bool:
        """Whether chance would seldom find such a difference where there is none."""
        return self.worlds > 0 and abs(self.difference) > 2 * self.difference_error
