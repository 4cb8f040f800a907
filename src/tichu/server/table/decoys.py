"""Questions to bots that cannot bomb.

Were only those asked that can, the number of questions and the time they take would tell who holds a bomb: in the
metrics, or in how long hints at other tables wait.  So every bot with enough cards is asked at every window, and one
without a bomb gets a question of the same kind whose answer nobody reads.
"""

from typing import Final

from tichu.core.round import Round
from tichu.core.rules import STANDARD
from tichu.core.view import View

__all__ = ["decoy_view"]

_SEQUENTIAL: Final = STANDARD.sequential()
#: Seat 1 holds four twos and is asked after seat 0 has led a card.
_ASKED: Final = Round.from_position(
    "5s6b7g9sJg/2s2b2g2r3s8b9r/4bKbKgTs/4s6sJb b10 0:3g 70/0/0/0 - ---- - -/-/-/-", _SEQUENTIAL
).view(1)


def decoy_view(view: View) -> View:
    """A question that takes about as long as one about this view: it has the same past."""
    return _ASKED._replace(history=view.history, score=view.score)
