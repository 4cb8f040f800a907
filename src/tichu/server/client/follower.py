"""A seat seen from the other end of the wire: the core's view from what the server tells."""

from collections.abc import Iterator
from itertools import chain

from msgspec import UNSET

from tichu.core.actions import (
    CALL_GRAND,
    DECLINE_GRAND,
    Action,
    Exchange,
    parse_action,
)
from tichu.core.phases import Call, Phase
from tichu.core.position import parse_view
from tichu.core.rules import Rules
from tichu.core.view import View
from tichu.server import wire

__all__ = ["Follower"]


class Follower:
    """What one seat knows, kept up to date by messages."""

    def __init__(self) -> None:
        self.version = 0
        self.table: wire.TableState | None = None
        self.view: wire.SeatView | None = None
        # What was seen this round; a phase stands for what the others decided in it at the same time.
        self._seen: list[tuple[int, Action] | Phase] = []
        # Whether everything since the deal has been heard; a bot rather knows nothing than half of it.
        self._is_whole = False

    def hear(self, message: wire.Welcome | wire.EventMessage | wire.State) -> None:
        """Take up what the server tells."""
        match message:
            case wire.Welcome():
                self.table, self.view = message.table, message.view
                self._is_whole = self._is_whole and self._follows(message)
                for missed in message.missed:
                    self._follow(missed)
            case wire.EventMessage():
                self._is_whole = self._is_whole and message.version == self.version + 1
                if message.table is not UNSET:
                    self.table = message.table
                if message.view is not UNSET:
                    self.view = message.view
                self._follow(message)
            case wire.State():
                self._is_whole = self._is_whole and message.version == self.version
                self.table, self.view = message.table, message.view
        self.version = message.version

    def _follows(self, welcome: wire.Welcome) -> bool:
        versions = [missed.version for missed in welcome.missed]
        return versions == list(range(self.version + 1, welcome.version + 1))

    def _follow(self, message: wire.EventMessage) -> None:
        event = message.event
        match event:
            case wire.Dealt():
                self._seen, self._is_whole = [], True
            case wire.Acted(what="grand" | "no_grand" | "grand_hidden" | "exchange"):
                # Only the seat's own decision has its text; the end of the Grand calls repeats who called.
                one = None if event.text[1:] in ("", ">") else parse_action(event.text)
                if one is not None and one not in self._seen and self.view is not None and one[0] == self.view.seat:
                    self._seen.append(one)
            case wire.Acted():
                self._seen.append(parse_action(event.text))
            case _:
                pass
        if "TICHU.DEAL_PART2" in message.phases:
            self._seen.append(Phase.GRAND)
        if "TICHU.EXCHANGE_COMMIT" in message.phases:
            self._seen.append(Phase.EXCHANGE)

    def core_view(self) -> View | None:
        """The core's view, None without a seat or between rounds.

        :raises NotationError: the server's position cannot be read
        """
        if self.table is None or self.view is None or self.view.seat is None or not self.view.position:
            return None
        view = parse_view(self.view.position, self.view.seat, Rules.parse(self.table.rules))
        history = tuple(chain.from_iterable(_seen_events(one, view) for one in self._seen)) if self._is_whole else ()
        return view._replace(score=self.view.score, history=history)


def _seen_events(one: tuple[int, Action] | Phase, view: View) -> Iterator[tuple[int, Action]]:
    """What a seat saw: its own decision at once, the others' of the same phase together."""
    match one:
        case Phase():
            for seat in range(4):
                if seat == view.seat:
                    continue
                if one is Phase.GRAND and view.rules.grand != "no":
                    yield seat, CALL_GRAND if view.calls[seat] is Call.GRAND else DECLINE_GRAND
                elif one is Phase.EXCHANGE and view.given[seat]:
                    yield seat, Exchange(*view.given[seat])
        case _:
            yield one
