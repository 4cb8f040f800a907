"""What a table does in one step, as it piles up."""

from tichu.server import entries as log
from tichu.server.protocol import FromServer
from tichu.server.step import BotAsk, KeptGame, Step
from tichu.server.table.fold import Fold, Told

__all__ = ["Work"]


class Work:
    """Entries, messages and questions of one step."""

    def __init__(self, fold: Fold, now: float) -> None:
        self.now = now
        self.entries: list[log.Entry] = []
        self.told: list[Told] = []
        self.messages: list[tuple[str, FromServer]] = []
        self.asks: list[BotAsk] = []
        self.checkpoint = False
        self.game: KeptGame | None = None
        #: Something changed that no event tells: a clock, a window, who sees what.
        self.tell_states = False
        self._fold = fold

    def apply(self, entry: log.Entry) -> None:
        """Take an entry into the log and the state.

        :raises GameError: it cannot be; nothing has changed
        """
        self.told += self._fold.apply(entry)
        self.entries.append(entry)

    def step(self) -> Step:
        """The step as it is handed out."""
        return Step(tuple(self.entries), tuple(self.messages), tuple(self.asks), self.checkpoint, self.game)
