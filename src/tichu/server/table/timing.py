"""How long things take at a table, from public facts and a secret alone: time must not tell what a seat holds.

Every draw depends on the table's secret, the version and the seat, never on cards, so two states that look the same to
a seat also take the same time.
"""

import hashlib
from random import Random
from typing import Final

from tichu.core.rules import Rules

__all__ = ["LATE_STEP", "WAIT", "WAITS", "Timing"]

#: §7.1: after a play a bomb comes first for so long; the end of a trick takes longer, and so does a question to bomb.
_AFTER_PLAY: Final = 0.8
_TRICK_END: Final = 2.0
_QUESTION: Final = 1.6

#: What a visible wait adds to a window, and how often a seat may ask for it in a round.
WAIT: Final = 5.0
WAITS: Final = 2

_THINKING: Final = {"grand": (1.0, 2.5), "exchange": (1.5, 4.0), "ready": (0.0, 0.0)}
_USUAL: Final = (0.8, 1.6)
_AUTO_PASS: Final = (0.8, 1.6)

#: A bot that thinks longer than its delay answers on a coarse beat, so that the time tells little.
LATE_STEP: Final = 0.5


class Timing:
    """The delays of one table."""

    def __init__(self, secret: str, factor: float) -> None:
        self._secret = secret
        #: Of the time for bombs, which belongs to people: it stays as long as the table does.
        self._window_factor = _bounded(factor)
        self.factor = self._window_factor

    def set_pace(self, factor: float) -> None:
        """Whatever bots do from now on takes so long."""
        self.factor = _bounded(factor)

    def set_window_pace(self, factor: float) -> None:
        """A game begins at a table whose settings may have been changed."""
        self._window_factor = _bounded(factor)

    def window(self, rules: Rules, counts: tuple[int, ...], *, trick_over: bool) -> float:
        """How long a bomb may come first; 0 where nobody can have one or nobody may throw it."""
        if rules.bombs == "in-turn" or max(counts) < 4:
            return 0.0
        if trick_over:
            return _TRICK_END * self._window_factor
        return (_QUESTION if rules.bombs == "ordered" else _AFTER_PLAY) * self._window_factor

    def thinking(self, version: int, seat: int, decision: str) -> float:
        """How long a bot seems to think."""
        return self._drawn(f"think {version} {seat}", *_THINKING.get(decision, _USUAL))

    def auto_pass(self, version: int, seat: int) -> float:
        """How long an automatic pass takes."""
        return self._drawn(f"pass {version} {seat}", *_AUTO_PASS)

    def seed(self, seat: int) -> int:
        """The chance of a bot."""
        return self._number(f"bot {seat}")

    def _drawn(self, what: str, low: float, high: float) -> float:
        return Random(self._number(what)).uniform(low, high) * self.factor

    def _number(self, what: str) -> int:
        digest = hashlib.sha256(f"{self._secret} {what}".encode()).digest()
        return int.from_bytes(digest[:6], "big")


def _bounded(factor: float) -> float:
    return min(max(factor, 0.02), 3.0)
