"""The bomb window: the time after a play in which a bomb comes first (§7.1, §7.2).

Plays that come meanwhile wait in it and are answered when it closes.  Its length depends on public facts alone
(:mod:`.timing`); it is true only now, and a restart opens it anew.
"""

from collections.abc import Iterator
from dataclasses import dataclass

from tichu.core.actions import Action, DeclineBomb
from tichu.core.combos import Combo
from tichu.core.rules import Rules
from tichu.server.table.ports import Player
from tichu.server.table.refusals import Refusal, TableReason
from tichu.server.wire import Command

__all__ = ["BombWindow", "QueuedCommand", "key_of"]


def key_of(player: Player, command: Command) -> str:
    """A command with its player; ids are unique for a player alone."""
    return f"{player.id} {command.id}"


@dataclass(frozen=True, slots=True)
class QueuedCommand:
    """A command that waits for the end of a window; it is answered when it is carried out."""

    player: Player
    command: Command
    seat: int
    actions: tuple[Action, ...]

    @property
    def key(self) -> str:
        """As in :func:`key_of`."""
        return key_of(self.player, self.command)


class BombWindow:
    """One window, from the play that opens it to its end."""

    def __init__(self, begins: float, ends: float) -> None:
        self.begins = begins
        self.ends = ends
        #: Whether the bots that can bomb have been asked; their questions, by key, with their seats.
        self.is_asked = False
        self.asks: dict[int, int] = {}
        #: By seat: bombs of persons, and what bots would throw.
        self._bombs: dict[int, QueuedCommand | Combo] = {}
        self._queue: list[QueuedCommand] = []

    def queue(self, queued: QueuedCommand) -> None:
        """Let a command wait: of each person one bomb, one play and one answer; more would be too late anyway.

        :raises Refusal: there is one already
        """
        first = queued.actions[0]
        if isinstance(first, Combo) and first.is_bomb:
            if isinstance(self._bombs.get(queued.seat), QueuedCommand):
                raise Refusal(TableReason.NOT_NOW, "a bomb of yours is already on its way")
            self._bombs[queued.seat] = queued
            return
        is_answer = isinstance(first, DeclineBomb)
        for other in self._queue:
            if other.player.id == queued.player.id and isinstance(other.actions[0], DeclineBomb) is is_answer:
                raise Refusal(TableReason.NOT_NOW, "a play of yours is already on its way")
        self._queue.append(queued)

    def answer(self, key: int, action: Action) -> None:
        """A bot has said whether it bombs; a person's bomb in that seat comes before it."""
        seat = self.asks.pop(key, None)
        if seat is not None and isinstance(action, Combo):
            self._bombs.setdefault(seat, action)

    def forget_bot(self, seat: int) -> None:
        """A person decides there from now on: what the bot would have thrown is of no interest."""
        self.asks = {key: asked for key, asked in self.asks.items() if asked != seat}
        if isinstance(self._bombs.get(seat), Combo):
            del self._bombs[seat]

    def waiting(self) -> Iterator[QueuedCommand]:
        """All commands that wait, bombs first."""
        yield from (bomb for bomb in self._bombs.values() if isinstance(bomb, QueuedCommand))
        yield from self._queue

    def holds(self, key: str) -> bool:
        """Whether this command waits here."""
        return any(queued.key == key for queued in self.waiting())

    def bomb_of(self, seat: int) -> QueuedCommand | Combo | None:
        """What the seat throws at the end of the window."""
        return self._bombs.get(seat)

    def drop_bomb(self, seat: int) -> None:
        """The bomb has been thrown, or refused: it no longer waits."""
        del self._bombs[seat]

    def drop_answers(self) -> dict[int, QueuedCommand]:
        """The answers of those who do not bomb, by seat; they no longer wait."""
        answers = {queued.seat: queued for queued in self._queue if isinstance(queued.actions[0], DeclineBomb)}
        self._queue = [queued for queued in self._queue if not isinstance(queued.actions[0], DeclineBomb)]
        return answers

    def strongest_bomb(self, rules: Rules) -> int | None:
        """The seat whose bomb no other in the window beats."""
        best: tuple[int, Combo] | None = None
        for seat, bomb in self._bombs.items():
            combo = bomb.actions[0] if isinstance(bomb, QueuedCommand) else bomb
            assert isinstance(combo, Combo)
            if best is None or combo.beats(best[1], rules.equal_flush):
                best = seat, combo
        return None if best is None else best[0]
