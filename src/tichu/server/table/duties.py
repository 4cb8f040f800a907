"""What is under way at a table: a bomb window, and the decisions that are waited for."""

from dataclasses import dataclass, field

from tichu.agents.base import Choice
from tichu.core.actions import Action
from tichu.server.table.ports import Player
from tichu.server.table.state import By
from tichu.server.wire import Command

__all__ = ["PendingDecision", "BombWindow", "QueuedCommand"]


@dataclass(slots=True)
class QueuedCommand:
    """A command that waits for the end of a window; it is answered when it is carried out."""

    player: Player
    command: Command
    seat: int
    actions: tuple[Action, ...]


@dataclass(slots=True)
class BombWindow:
    """The time after a play in which a bomb comes first."""

    begins: float
    ends: float
    #: By seat: bombs of persons, and what bots would throw.
    bombs: dict[int, QueuedCommand | Action] = field(default_factory=dict)
    queue: list[QueuedCommand] = field(default_factory=list)
    #: Whether the bots that can bomb have been asked.
    is_asked: bool = False


@dataclass(slots=True)
class PendingDecision:
    """A decision that a seat owes."""

    #: What it depends on; when that changes, it is another decision.
    context: tuple[object, ...]
    since: float
    #: The question to a bot, when the answer may be played, the answer.
    ask: int = 0
    ready_at: float = 0.0
    choice: Choice | None = None
    by: By = None
    auto_pass_at: float | None = None
    #: When the time for the decision ends, and when the reserve does.
    ends: float | None = None
    reserve_ends: float | None = None
