"""One person in place of another, in all that a table knows: for those who have gone, and for two who were one.

Only fields that name people change; what people have said stays as they said it.
"""

from collections.abc import Iterable
from typing import NamedTuple, TypeVar

from msgspec.structs import replace

from tichu.server import log
from tichu.server.table.state import LoggedState, VersionedEvent
from tichu.server.wire import Emoted, Event, Said

__all__ = ["Replacement"]

_Spoken = TypeVar("_Spoken", bound=log.ChatEntry | log.EmoteEntry | Said | Emoted)


class Replacement(NamedTuple):
    """Who is replaced by whom."""

    old: str
    new: str
    #: What they are called from now on; None if all names stay.
    name: str | None = None

    def concerns(self, entries: Iterable[bytes]) -> bool:
        """Whether a log names the person."""
        return any(True for _ in self.changes(entries))

    def changes(self, entries: Iterable[bytes]) -> Iterable[tuple[int, bytes]]:
        """The entries that become others, by their place."""
        written = self.old.encode()
        for place, data in enumerate(entries):
            # To look for the id first spares reading what others have done.
            if written in data and (after := self.entry(before := log.decode(data))) != before:
                yield place, log.encode(after)

    def entry(self, entry: log.Entry) -> log.Entry:
        """The entry as it would be had somebody else been there."""
        if entry.command is not None:
            entry = replace(entry, command=self._key(entry.command))
        match entry:
            case log.OpenEntry():
                return replace(entry, host=self._id(entry.host))
            case log.ChatEntry() | log.EmoteEntry():
                return self._spoken(entry)
            case log.SeatEntry():
                seats, ready = self._seats(entry.seats), tuple(map(self._id, entry.ready))
                return replace(entry, seats=seats, ready=ready, host=entry.host and self._id(entry.host))
            case log.Checkpoint():
                opened = replace(entry.opened, host=self._id(entry.opened.host))
                if opened.command is not None:
                    opened = replace(opened, command=self._key(opened.command))
                return replace(
                    entry,
                    opened=opened,
                    seats=self._seats(entry.seats),
                    host=entry.host and self._id(entry.host),
                    ready=tuple(map(self._id, entry.ready)),
                    commands={self._key(key): version for key, version in entry.commands.items()},
                )
        return entry

    def event(self, event: VersionedEvent) -> VersionedEvent:
        """The same for what was told."""
        if not isinstance(event.public, Said | Emoted) or event.public.player != self.old:
            return event
        by_seat = tuple(map(self._told, event.by_seat))
        return event._replace(public=self._told(event.public), by_seat=by_seat)

    def change(self, logged: LoggedState) -> None:
        """The same for the state of a table."""
        opened = self.entry(logged.opened)
        assert isinstance(opened, log.OpenEntry)
        logged.opened = opened
        logged.seats = self._seats(logged.seats)
        logged.final = None if logged.final is None else self._seats(logged.final)
        logged.host = logged.host and self._id(logged.host)
        logged.ready = frozenset(map(self._id, logged.ready))
        logged.knows = {self._id(player): seat for player, seat in logged.knows.items()}
        logged.commands = logged.commands.renamed(self._key)

    def _id(self, player: str) -> str:
        return self.new if player == self.old else player

    def _key(self, key: str) -> str:
        player, _, command = key.partition(" ")
        return f"{self._id(player)} {command}"

    def _told(self, event: Event) -> Event:
        return self._spoken(event) if isinstance(event, Said | Emoted) else event

    def _spoken(self, spoken: _Spoken) -> _Spoken:
        if spoken.player != self.old:
            return spoken
        named = spoken if self.name is None else replace(spoken, name=self.name, account=False)
        return replace(named, player=self.new)

    def _seats(self, seats: tuple[log.Occupant | None, ...]) -> tuple[log.Occupant | None, ...]:
        return tuple(map(self._occupant, seats))

    def _occupant(self, who: log.Occupant | None) -> log.Occupant | None:
        if who is None or who.player != self.old:
            return who
        named = who if self.name is None else replace(who, name=self.name, account=False)
        return replace(named, player=self.new)
