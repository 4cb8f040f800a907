"""What a bot is: it gets a view and the legal actions of the seat, and answers with one of them.

A bot is asked only when its seat is pending.  It may answer with a Tichu call wherever ``legal.may_call``; the decision
then comes again.  It keeps no state that matters: what happened is in ``view.history``, and chance comes from the seed
it was made with, so that the same seed and the same views give the same game.
"""

from abc import ABC, abstractmethod
from collections.abc import Mapping
from typing import ClassVar, NamedTuple

from tichu.actions import Action
from tichu.legal import Legal
from tichu.view import View

__all__ = ["Agent", "Choice"]


class Choice(NamedTuple):
    """A decision and why it was taken, as a code with arguments that faces put into words."""

    action: Action
    code: str
    arguments: Mapping[str, object] = {}


class Agent(ABC):
    """A player of one seat."""

    name: ClassVar[str]

    def __init__(self, seed: int = 0) -> None:
        self.seed = seed

    @abstractmethod
    def act(self, view: View, legal: Legal) -> Action:
        """The decision of a pending seat."""

    def explain(self, view: View, legal: Legal) -> Choice:
        """The decision with its reason."""
        return Choice(self.act(view, legal), "chosen")

    def round_over(self, view: View, score: tuple[int, int]) -> None:  # noqa: B027 - most bots do not care
        """The round is over with this score of the own team and the other; nothing is to be decided."""

    def close(self) -> None:  # noqa: B027 - most bots hold on to nothing
        """Give back whatever the bot holds on to; it is not asked again."""
