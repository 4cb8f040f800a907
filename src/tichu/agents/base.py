"""What a bot is: it gets a view and the legal actions of the seat, and answers with one of them.

A bot is asked only when its seat is pending.  It may answer with a Tichu call wherever ``legal.may_call``; the decision
then comes again.  It keeps no state that matters: what happened is in ``view.history``, and chance comes from the seed
it was made with, so that the same seed and the same views give the same game.
"""

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from typing import ClassVar, NamedTuple

from tichu.core.actions import Action
from tichu.core.legal import Legal
from tichu.core.view import View

__all__ = ["Agent", "Choice", "Question"]


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

    @staticmethod
    def act_together(questions: "Sequence[Question]") -> Sequence[Action]:
        """The decisions of several bots that have this method in common, each as the bot would take it alone.

        Here they are asked one by one.  A bot that gains from company, as a network does, has a method of its own; the
        arena then plays rounds side by side.
        """
        return [agent.act(view, legal) for agent, view, legal in questions]

    def __init_subclass__(cls, **options: object) -> None:
        super().__init_subclass__(**options)
        # Whoever decides in its own way is not answered for by its parent.
        if "act" in vars(cls) and "act_together" not in vars(cls):
            cls.act_together = staticmethod(Agent.act_together)  # type: ignore[method-assign]

    @property
    def is_sociable(self) -> bool:
        """Whether the bot gains from being asked together with others."""
        return type(self).act_together is not Agent.act_together

    def explain(self, view: View, legal: Legal) -> Choice:
        """The decision with its reason."""
        return Choice(self.act(view, legal), "chosen")

    def round_over(self, view: View, score: tuple[int, int]) -> None:  # noqa: B027 - most bots do not care
        """The round is over with this score of the own team and the other; nothing is to be decided."""

    def close(self) -> None:  # noqa: B027 - most bots hold on to nothing
        """Give back whatever the bot holds on to; it is not asked again."""


class Question(NamedTuple):
    """A decision that a bot is to take."""

    agent: Agent
    view: View
    legal: Legal
