"""One step of a table while it is being put together."""

from tichu.ratings.rows import MatchRow
from tichu.server import log
from tichu.server.table.ports import BotAsk, Step
from tichu.server.table.state import LoggedState, VersionedEvent
from tichu.server.wire import FromServer

__all__ = ["StepBuilder"]


class StepBuilder:
    """Entries, messages and questions of one step."""

    def __init__(self, logged: LoggedState, now: float) -> None:
        self.now = now
        self.entries: list[log.Entry] = []
        self.events: list[VersionedEvent] = []
        self.messages: list[tuple[str, FromServer]] = []
        self.asks: list[BotAsk] = []
        self.checkpoint = False
        self.game: log.FinishedGame | None = None
        self.row: MatchRow | None = None
        #: Whether something changed that no event tells: a clock, a window, who sees what.
        self.needs_snapshots = False
        #: Who alone can see what changed: to others one message more would tell that something did.
        self.needs_own_snapshot: str | None = None
        self._logged = logged

    def apply(self, entry: log.Entry) -> None:
        """Take an entry into the log and the state.

        :raises GameError: it cannot be; nothing has changed
        """
        self.events += self._logged.apply(entry)
        self.entries.append(entry)

    def build(self) -> Step:
        """The step as it is handed out."""
        messages, asks = tuple(self.messages), tuple(self.asks)
        return Step(tuple(self.entries), messages, asks, self.checkpoint, self.game, self.row)
