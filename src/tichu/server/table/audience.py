"""Who hears what: seats at once, spectators a trick later.

What is true of the table and not of the trick (who sits there, whether the game is paused) spectators hear at once too.
"""

from collections import deque
from collections.abc import Iterator
from typing import Final

from msgspec import UNSET

from tichu.server.table.ports import Player
from tichu.server.table.state import LoggedState, VersionedEvent
from tichu.server.table.views import LiveState, public_view, seat_view, table_state
from tichu.server.wire import EventMessage, FromServer, SeatView, State, TableState, Welcome, You

__all__ = ["Audience"]

_HISTORY: Final = 160
_Addressed = tuple[str, FromServer]


class Audience:
    """The players who are connected to a table, with what they have been told."""

    def __init__(self) -> None:
        self.connected: dict[str, Player] = {}
        self._history: deque[VersionedEvent] = deque(maxlen=_HISTORY)
        #: What spectators have not been shown yet, and how things stood when they were shown something last.
        self._held_back: list[VersionedEvent] = []
        self._shown: tuple[int, SeatView | None] = (0, None)
        #: Who had a seat when something was told last.
        self._seated: tuple[str, ...] = ()

    def remember(self, told: list[VersionedEvent], logged: LoggedState, at: float) -> None:
        """Take up what happened before anybody was there."""
        self._history.extend(told)
        self._held_back += told
        self._seated = logged.persons()
        if told and told[-1].releases:
            self._held_back = []
            self._shown = logged.version, None if logged.stage == "open" else public_view(logged, LiveState(at))

    def spectators(self, logged: LoggedState) -> int:
        """How many watch."""
        return sum(logged.seat_of(player) is None for player in self.connected)

    def state(self, logged: LoggedState) -> TableState:
        """The table as everybody may know it."""
        return table_state(logged, frozenset(self.connected), self.spectators(logged))

    def tell(
        self, told: list[VersionedEvent], logged: LoggedState, lives: dict[int, LiveState], now: float
    ) -> Iterator[_Addressed]:
        """The messages about events; only the last carries the state after all of them."""
        if not told:
            return
        seated, self._seated = self._seated, logged.persons()
        is_behind = bool(self._held_back)
        self._history.extend(told)
        self._held_back += told
        state = self.state(logged) if any(one.table for one in told) else UNSET
        last = told[-1]
        for player in self.connected:
            seat = logged.seat_of(player)
            if seat is None:
                continue
            if is_behind and player not in seated:
                # Who watched until now lacks events before these.
                yield player, self.snapshot(player, logged, lives)
                continue
            view = self._view(logged, seat, lives[seat])
            for one in told:
                yield (
                    player,
                    EventMessage(
                        version=one.version,
                        event=one.by_seat[seat],
                        phases=one.phases,
                        table=state if one is last else UNSET,
                        view=view if one is last else UNSET,
                    ),
                )
        if last.releases:
            yield from self._release(logged, LiveState(now))
        elif state is not UNSET:
            version, shown = self._shown
            for player in self.connected:
                if logged.seat_of(player) is None:
                    yield player, State(version=version, table=state, view=shown)

    def _release(self, logged: LoggedState, live: LiveState) -> Iterator[_Addressed]:
        view = None if logged.stage == "open" else public_view(logged, live)
        self._shown = logged.version, view
        told, self._held_back = self._held_back, []
        state = self.state(logged) if any(one.table for one in told) else UNSET
        for player in self.connected:
            if logged.seat_of(player) is not None:
                continue
            for one in told:
                is_last = one is told[-1]
                yield (
                    player,
                    EventMessage(
                        version=one.version,
                        event=one.public,
                        phases=one.phases,
                        table=state if is_last else UNSET,
                        view=view if is_last else UNSET,
                    ),
                )

    def states(
        self, logged: LoggedState, lives: dict[int, LiveState], *, without: str | None = None
    ) -> Iterator[_Addressed]:
        """How things stand, for everybody."""
        for player in self.connected:
            if player != without:
                yield player, self.snapshot(player, logged, lives)

    def snapshot(self, player: str, logged: LoggedState, lives: dict[int, LiveState]) -> State:
        """How things stand, for one."""
        seat = logged.seat_of(player)
        if seat is None:
            version, shown = self._shown
            return State(version=version, table=self.state(logged), view=shown)
        return State(version=logged.version, table=self.state(logged), view=self._view(logged, seat, lives[seat]))

    def welcome(
        self, player: Player, token: str, since: int | None, logged: LoggedState, lives: dict[int, LiveState]
    ) -> Welcome:
        """The first message to a player, with what was missed since a version."""
        seat = logged.seat_of(player.id)
        now = self.snapshot(player.id, logged, lives)
        missed: tuple[EventMessage, ...] = ()
        # A version from the future is from before a loss that cannot be: the snapshot is all there is to say.
        if since is not None and since <= now.version and self._history and self._history[0].version <= since + 1:
            missed = tuple(
                EventMessage(
                    version=told.version,
                    event=told.public if seat is None else told.by_seat[seat],
                    phases=told.phases,
                )
                for told in self._history
                if since < told.version <= now.version
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
        )

    @staticmethod
    def _view(logged: LoggedState, seat: int, live: LiveState) -> SeatView | None:
        return None if logged.stage == "open" else seat_view(logged, seat, live)
