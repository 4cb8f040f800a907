"""What a bot is: it gets a view and the legal actions of the seat, and answers with one of them.

A bot is asked only when its seat is pending.  It may answer with a Tichu call wherever ``legal.may_call``; the decision
then comes again.  It keeps no state that matters: what happened is in ``view.history``, and chance comes from the seed
it was made with, so that the same seed and the same views give the same game.
"""

import re
from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from typing import ClassVar, NamedTuple

from tichu.core.actions import Action
from tichu.core.errors import GameError
from tichu.core.legal import Legal
from tichu.core.view import View

__all__ = ["Agent", "BatchAgent", "Choice", "Question"]


class Choice(NamedTuple):
    """A decision and why it was taken, as a code with arguments that user interfaces put into words."""

    action: Action
    code: str
    arguments: Mapping[str, object] = {}


def _kebab_case(name: str) -> str:
    """``MyBot`` as ``my-bot``, ``GreedyAgent`` as ``greedy``."""
    words = re.sub(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])", "-", name.strip("_")).lower()
    return words.removesuffix("-agent")


class Agent(ABC):
    """A player of one seat.

    >>> class LowestCardBot(Agent):
    ...     def act(self, view, legal):
    ...         return next(iter(legal))
    >>> LowestCardBot.name
    'lowest-card-bot'
    """

    #: What the bot is called; a class that does not say is called after itself.
    name: ClassVar[str]

    def __init_subclass__(cls, **options: object) -> None:
        super().__init_subclass__(**options)
        if "name" not in vars(cls):
            cls.name = _kebab_case(cls.__name__)

    def __init__(self, seed: int = 0) -> None:
        self.seed = seed

    @classmethod
    def from_options(cls, options: str, seed: int = 0) -> "Agent":
        """The bot with options, which stand behind its name and a colon.

        :raises GameError: it has none, or these are wrong
        """
        raise GameError(f"the bot {cls.name!r} has no options")

    @abstractmethod
    def act(self, view: View, legal: Legal) -> Action:
        """The decision of a pending seat."""

    @property
    def takes_batches(self) -> bool:
        """Whether the bot gains from being asked for many decisions at once: see :class:`BatchAgent`."""
        return False

    def explain(self, view: View, legal: Legal) -> Choice:
        """The decision with its reason."""
        return Choice(self.act(view, legal), "chosen")

    def round_over(self, view: View, score: tuple[int, int]) -> None:  # noqa: B027 - most bots do not care
        """The round is over with this score of the seat's team and the other; nothing is to be decided."""

    def close(self) -> None:  # noqa: B027 - most bots hold on to nothing
        """Give back whatever the bot holds on to; it is not asked again."""


class Question(NamedTuple):
    """A decision that a bot is to take."""

    agent: Agent
    view: View
    legal: Legal


class BatchAgent(Agent):
    """A bot that gains from taking many decisions at once, as a network does; the arena plays many rounds for it.

    >>> class FirstBot(BatchAgent):
    ...     @staticmethod
    ...     def act_batch(questions):
    ...         return [next(iter(legal)) for _, _, legal in questions]
    >>> FirstBot().takes_batches
    True
    """

    @staticmethod
    @abstractmethod
    def act_batch(questions: Sequence[Question]) -> Sequence[Action]:
        """The decisions of bots that have this method in common, each as the bot would take it alone."""

    def act(self, view: View, legal: Legal) -> Action:
        """The decision of a pending seat: a batch of one."""
        [action] = self.act_batch([Question(self, view, legal)])
        return action

    @property
    def takes_batches(self) -> bool:
        """Whether batches decide as ``act`` does: not if a subclass has overridden ``act`` alone."""
        first = next(cls for cls in type(self).__mro__ if "act" in vars(cls) or "act_batch" in vars(cls))
        return "act_batch" in vars(first)
