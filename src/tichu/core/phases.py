"""The phases of a round, the calls, and who has what to do with whom at the table."""

from enum import Enum

from tichu.core.errors import GameError

__all__ = ["Call", "Phase", "check_seat", "opponents_of", "partner_of"]


class Phase(Enum):
    """What is being decided; the value is its letter in a position."""

    GRAND = "g"
    EXCHANGE = "x"
    PLAY = "p"
    WISH = "w"
    TAKE = "t"
    #: A seat is asked whether it bombs (§7.2).
    BOMB = "b"
    END = "e"


class Call(Enum):
    """What a seat has called; the value is its letter in a position."""

    NONE = "-"
    TICHU = "T"
    GRAND = "G"

    @property
    def stake(self) -> int:
        """§8.5: what it wins or loses."""
        return {"-": 0, "T": 100, "G": 200}[self.value]


def check_seat(seat: int) -> None:
    """Refuse what is no seat; a negative number would be one counted from behind.

    >>> check_seat(9)
    Traceback (most recent call last):
    tichu.core.errors.GameError: a seat is 0, 1, 2 or 3, not 9
    """
    if seat not in (0, 1, 2, 3):
        raise GameError(f"a seat is 0, 1, 2 or 3, not {seat!r}")


def partner_of(seat: int) -> int:
    """§1.1: who sits opposite."""
    return seat ^ 2


def opponents_of(seat: int) -> tuple[int, int]:
    """§1.1: LEFT and RIGHT."""
    return (seat + 1) & 3, (seat + 3) & 3
