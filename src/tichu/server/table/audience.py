"""Who hears what: seats at once, spectators a trick later.

What is true of the table and not of the trick (who sits there, whether the game is paused) spectators hear at once too.
"""

from collections import deque
from collections.abc import Iterator
from typing import Final

from msgspec import UNSET, UnsetType

from tichu.server.table.ports import Player
from tichu.server.table.replacement import Replacement
from tichu.server.table.state import LoggedState, VersionedEvent
from tichu.server.table.swap_wishes import SwapWishes
from tichu.server.table.views import Presence, TableViews, table_state
from tichu.server.wire import (
    Dealt,
    Emoted,
    EventMessage,
    FromServer,
    RoundOver,
    Said,
    SeatView,
    State,
    TableState,
    Welcome,
    You,
)

__all__ = ["Audience"]

_HISTORY: Final = 160
_Addressed = tuple[str, FromServer]


class Audience:
    """The players who are connected to a table, with what they have been told."""

    def __init__(self) -> None:
        self.connected: dict[str, Player] = {}
        #: At a rated table: when those who are away count as left, by seat; who wants a pause, or to go on; and when a
        #: pause ends by itself.
        self.deadlines: dict[int, float] = {}
        self.pause_asked: frozenset[str] = frozenset()
        self.resumes_at: float | None = None
        self.swap_wishes = SwapWishes()
        self._history: deque[VersionedEvent] = deque(maxlen=_HISTORY)
        #: What spectators have not been shown yet, and how things stood when they were shown something last.
        self._held_back: list[VersionedEvent] = []
        self._shown: tuple[int, SeatView | None] = (0, None)
        #: What spectators were told last: more messages than news would tell them how often something happens.
        self._told: State | None = None
        #: Who had a seat when something was told last.
        self._seated: tuple[str, ...] = ()

    @property
    def shown_version(self) -> int:
        """How far spectators are."""
        return self._shown[0]

    def remember(self, events: list[VersionedEvent], logged: LoggedState, at: float) -> None:
        """Take up what happened before anybody was there."""
        self._history.extend(events)
        self._held_back += events
        self._seated = logged.persons()
        if events and events[-1].releases:
            self._held_back = []
            self._shown = logged.version, TableViews(logged, at).of(None)

    def replace_person(self, change: Replacement) -> None:
        """Tell whoever asks what was missed that somebody else was there."""
        self._history = deque(map(change.event, self._history), maxlen=_HISTORY)
        self._held_back = list(map(change.event, self._held_back))

    def has_heard(self, player: str) -> bool:
        """Whether anything that may still be told names somebody."""
        said = (event.public for event in self._history)
        return any(isinstance(event, Said | Emoted) and event.player == player for event in said)

    def state(self, logged: LoggedState) -> TableState:
        """The table as everybody may know it."""
        spectators = len(self.connected.keys() - logged.persons())
        asked = tuple(seat for seat in map(logged.seat_of, sorted(self.pause_asked)) if seat is not None)
        wishes = self.swap_wishes.by_seat(logged)
        presence = Presence(frozenset(self.connected), spectators, self.deadlines, asked, self.resumes_at, wishes)
        return table_state(logged, presence)

    def tell(self, events: list[VersionedEvent], logged: LoggedState, views: TableViews) -> Iterator[_Addressed]:
        """The messages about events; only the last carries the state after all of them."""
        if not events:
            return
        seats = logged.seats_by_player()
        seated, self._seated = self._seated, tuple(seats)
        is_behind = bool(self._held_back)
        self._history.extend(events)
        self._held_back += events
        state = self.state(logged) if any(event.table for event in events) else UNSET
        for player in self.connected:
            seat = seats.get(player)
            if seat is None:
                continue
            if is_behind and player not in seated:
                # Whoever watched until now lacks events before these.
                yield player, self.snapshot(player, logged, views)
            else:
                for message in _messages(events, seat, state, views):
                    yield player, message
        spectators = [player for player in self.connected if player not in seats]
        if events[-1].releases:
            yield from self._release(spectators, logged, views)
        elif state is not UNSET:
            yield from self._tell_spectators(spectators, state)

    def _release(self, spectators: list[str], logged: LoggedState, views: TableViews) -> Iterator[_Addressed]:
        self._shown = logged.version, views.of(None)
        events, self._held_back = self._held_back, []
        if not spectators:
            return
        now = self.state(logged)
        self._told = self._as_shown(now)
        state = now if any(event.table for event in events) else UNSET
        for message in _messages(events, None, state, views):
            for player in spectators:
                yield player, message

    def _tell_spectators(self, spectators: list[str], table: TableState) -> Iterator[_Addressed]:
        """How things stand, one message for all of them, if that is news."""
        state = self._as_shown(table)
        if state == self._told:
            return
        self._told = state
        for player in spectators:
            yield player, state

    def snapshots(self, logged: LoggedState, views: TableViews, *, without: str | None = None) -> Iterator[_Addressed]:
        """How things stand, for everybody."""
        state, seats = self.state(logged), logged.seats_by_player()
        others = [player for player in self.connected if player != without]
        for player in others:
            if player in seats:
                yield player, State(version=logged.version, table=state, view=views.of(seats[player]))
        yield from self._tell_spectators([player for player in others if player not in seats], state)

    def snapshot(self, player: str, logged: LoggedState, views: TableViews) -> State:
        """How things stand, for one."""
        state, seat = self.state(logged), logged.seat_of(player)
        if seat is None:
            return self._as_shown(state)
        return State(version=logged.version, table=state, view=views.of(seat))

    def _as_shown(self, table: TableState) -> State:
        version, shown = self._shown
        return State(version=version, table=table, view=shown)

    def welcome(self, player: Player, token: str, since: int | None, logged: LoggedState, views: TableViews) -> Welcome:
        """The first message to a player, with what was missed since a version."""
        seat = logged.seat_of(player.id)
        now = self.snapshot(player.id, logged, views)
        missed: tuple[EventMessage, ...] = ()
        # A version from the future is from before a loss that cannot be: the snapshot is all there is to say.
        if since is not None and since <= now.version and self._history and self._history[0].version <= since + 1:
            missed = tuple(
                EventMessage(version=event.version, event=event.seen_by(seat), phases=event.phases)
                for event in self._history
                if since < event.version <= now.version
            )
        name = player.name
        if seat is not None and (who := logged.seats[seat]) is not None:
            name = who.name
        return Welcome(
            version=now.version,
            you=You(player=player.id, name=name, token=token, seat=seat),
            table=now.table,
            view=now.view,
            missed=missed,
            last_round=self._last_round(now.version),
        )

    def _last_round(self, version: int) -> RoundOver | None:
        """The end of the last round, as far as somebody may know, if none was dealt since."""
        known = (event.public for event in reversed(self._history) if event.version <= version)
        last = next((event for event in known if isinstance(event, Dealt | RoundOver)), None)
        return last if isinstance(last, RoundOver) else None


def _messages(
    events: list[VersionedEvent], seat: int | None, state: TableState | UnsetType, views: TableViews
) -> Iterator[EventMessage]:
    """Events as a seat, or somebody without one, hears of them."""
    last = events[-1]
    for event in events:
        yield EventMessage(
            version=event.version,
            event=event.seen_by(seat),
            phases=event.phases,
            table=state if event is last else UNSET,
            view=views.of(seat) if event is last else UNSET,
        )
