"""What a table does in one step, as it piles up."""

from tichu.server import log
from tichu.server.log import FinishedGame
from tichu.server.table.ports import BotAsk, Step
from tichu.server.table.state import LoggedState, VersionedEvent
from tichu.server.wire import FromServer

__all__ = ["StepBuilder"]


class StepBuilder:
    """Entries, messages and questions of one step."""

    def __init__(self, logged: LoggedState, now: float) -> None:
        self.now = now
        self.entries: list[log.Entry] = []
        self.told: list[VersionedEvent] = []
        self.messages: list[tuple[str, FromServer]] = []
        self.asks: list[BotAsk] = []
        self.checkpoint = False
        self.game: FinishedGame | None = None
        #: Something changed that no event tells: a clock, a window, who sees what.
        self.tell_states = False
        self._logged = logged

    def apply(self, entry: log.Entry) -> None:
        """Take an entry into the log and the state.

        :raises GameError: it cannot be; nothing has changed
        """
        self.told += self._logged.apply(entry)
        self.entries.append(entry)

    def step(self) -> Step:
        """The step as it is handed out."""
        return Step(tuple(self.entries), tuple(self.messages), tuple(self.asks), self.checkpoint, self.game)
