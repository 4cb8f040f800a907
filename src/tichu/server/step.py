"""What goes in and out of a table that does no input or output itself."""

from collections.abc import Mapping
from typing import Annotated, NamedTuple

from msgspec import Meta, Struct

from tichu.server.entries import Entry
from tichu.server.protocol import Clock, FromServer
from tichu.view import View

__all__ = ["BotAsk", "KeptGame", "Player", "Settings", "Step"]


class Player(NamedTuple):
    """A person or a program behind a socket.  The id is public; the token that proves it never enters a table."""

    id: str
    name: str


class Settings(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True):
    """What a table is made with."""

    #: As in ``docs/rules.md``: ``standard``, ``standard goal=target:500``.
    rules: Annotated[str, Meta(max_length=300)] = "standard"
    name: Annotated[str, Meta(max_length=40)] = ""
    clock: Clock | None = None
    #: Not on the start page; whoever has the link or the code can come.
    private: bool = True
    #: Hints, given deals and positions; such games count in no statistics.
    casual: bool = True
    #: How long bots take, as a factor of a usual pace; 0 for programs among themselves.
    pace: Annotated[float, Meta(ge=0, le=10)] = 1.0
    #: A given deal of the first round (TTN), with what has been played, or a position; only at casual tables.
    deal: Annotated[str, Meta(max_length=300)] | None = None
    actions: Annotated[tuple[Annotated[str, Meta(max_length=40)], ...], Meta(max_length=400)] = ()
    position: Annotated[str, Meta(max_length=400)] | None = None


class BotAsk(NamedTuple):
    """A question to a bot.  Its answer comes back with it; a table that has gone on ignores it."""

    #: Distinguishes the questions of a table; a hint has a negative one.
    key: int
    seat: int
    #: As in :func:`tichu.agents.registry.make_agent`.
    bot: str
    view: View
    seed: int


class KeptGame(NamedTuple):
    """A finished game as it is kept."""

    id: str
    table: str
    #: Seconds since 1970.
    finished: float
    rules: str
    #: Names by seat, and the public ids of persons, empty for bots.
    seats: tuple[str, ...]
    players: tuple[str, ...]
    score: tuple[int, int]
    #: Casual games count in no statistics.
    casual: bool
    #: JSON lines (``tichu.record.format_jsonl``).
    record: str


class Step(NamedTuple):
    """What follows from a command, a tick or an answer: first store, then send, then ask."""

    #: To be stored before anything is sent.
    entries: tuple[Entry, ...] = ()
    #: Messages by the id of the player, in order; a spectator is a player without a seat.
    messages: tuple[tuple[str, FromServer], ...] = ()
    asks: tuple[BotAsk, ...] = ()
    #: Entries from here on are enough to restore the table.
    checkpoint: bool = False
    game: KeptGame | None = None
    #: The table is over and nobody is there: it may be forgotten.
    closed: bool = False


#: What a bot's reason may carry, as JSON can.
Arguments = Mapping[str, str | int | float]
