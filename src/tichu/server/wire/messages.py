"""What clients hear."""

from typing import Literal

from msgspec import UNSET, Struct, UnsetType

from tichu.server.wire.events import Event
from tichu.server.wire.parts import Card, Combination, HintFact, Phase, Seat, SeatView, TableState, Time, Wire

__all__ = [
    "Ack",
    "Answer",
    "Checked",
    "Error",
    "EventMessage",
    "FromServer",
    "Hinted",
    "Pong",
    "Refused",
    "State",
    "Welcome",
    "You",
]


class _Heard(Struct, frozen=True, kw_only=True, rename="camel", tag_field="type", omit_defaults=True):
    """What a client hears."""


class You(Wire, frozen=True, kw_only=True):
    """The player behind a socket.  The token opens the seat from any device: keep it secret."""

    player: str
    name: str
    token: str
    seat: Seat | None = None


class EventMessage(_Heard, frozen=True, kw_only=True, tag="event"):
    """One event.  Every seat gets the same versions; the view is the state after it."""

    version: int
    event: Event
    #: The phases entered by it, the last of them the current one.
    phases: tuple[Phase, ...] = ()
    #: Absent where nothing in it changed.
    table: TableState | UnsetType = UNSET
    view: SeatView | UnsetType | None = UNSET


class Welcome(_Heard, frozen=True, kw_only=True, tag="welcome"):
    """The answer to hello: who you are, how things stand, what you missed."""

    version: int
    you: You
    table: TableState
    view: SeatView | None = None
    missed: tuple[EventMessage, ...] = ()


class State(_Heard, frozen=True, kw_only=True, tag="state"):
    """How things stand: presence changed, a clock or window moved, or a slow socket lost events."""

    version: int
    table: TableState
    view: SeatView | None = None


class Ack(_Heard, frozen=True, kw_only=True, tag="ack"):
    """The command is stored and done."""

    id: str
    version: int


class Refused(_Heard, frozen=True, kw_only=True, tag="refused"):
    """The command changed nothing."""

    id: str
    #: The name of a ``Reason`` of the core, or one of the table's own.
    reason: str
    message: str
    version: int
    #: The fresh view, where the command was made for an old one.
    view: SeatView | UnsetType | None = UNSET


class Checked(_Heard, frozen=True, kw_only=True, tag="checked"):
    """What the cards can be played as, or why not."""

    id: str
    readings: tuple[Combination, ...] = ()
    reason: str | None = None
    message: str | None = None


class Hinted(_Heard, frozen=True, kw_only=True, tag="hinted"):
    """What a bot would do, and why."""

    id: str
    #: TTN.
    text: str
    what: str
    cards: tuple[Card, ...] = ()
    combination: Combination | None = None
    rank: str | None = None
    recipient: int | None = None
    #: A reason code with its arguments, for translation, and the English sentence.
    code: str
    arguments: dict[str, str | int | float] = {}
    words: str
    #: What the play does, from what the seat sees; the most important first.
    facts: tuple[HintFact, ...] = ()


class Pong(_Heard, frozen=True, kw_only=True, tag="pong"):
    """Here."""

    now: Time


class Error(_Heard, frozen=True, kw_only=True, tag="error"):
    """A message that could not be read, or a socket that is closed; nothing was changed."""

    code: Literal["malformed", "too_large", "too_fast", "no_such_table", "not_seated", "busy", "closing"]
    message: str
    id: str | None = None


Answer = Ack | Refused | Checked | Hinted | Error

FromServer = Welcome | EventMessage | State | Ack | Refused | Checked | Hinted | Pong | Error
