"""What clients hear."""

from typing import Literal

from msgspec import UNSET, Struct, UnsetType

from tichu.server.wire.events import Event, RoundOver
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

    #: The public id, the same at every table: others see it too.
    player: str
    #: As others see it; at a table where somebody has the same name, with a number.
    name: str
    #: The secret that proves who you are: ``Authorization: Bearer TOKEN`` for HTTP, ``token`` of hello for a socket.
    #: Empty where a key for the seat was shown: keep that, for this table and this game.
    token: str
    #: Where the player sits; null for a spectator.
    seat: Seat | None = None


class EventMessage(_Heard, frozen=True, kw_only=True, tag="event"):
    """One event.  Every seat gets the same versions; the view is the state after it."""

    #: Counts the events of the table; the next one has one more.
    version: int
    #: As this seat may know it.
    event: Event
    #: The phases entered by it, the last of them the current one.
    phases: tuple[Phase, ...] = ()
    #: The state after it; absent where nothing in it changed.
    table: TableState | UnsetType = UNSET
    #: The view after it, complete; absent where a later event of the same moment carries it, null before a game.
    view: SeatView | UnsetType | None = UNSET


class Welcome(_Heard, frozen=True, kw_only=True, tag="welcome"):
    """The answer to hello: who you are, how things stand, what you missed."""

    #: The version of the last event that this tells of.
    version: int
    #: Keep its token to come back to the same seat.
    you: You
    #: What everybody may know.
    table: TableState
    #: The round as this seat sees it; null before the first game.
    view: SeatView | None = None
    #: Events after ``since`` of hello, without states; empty without it, or if it was too long ago.
    missed: tuple[EventMessage, ...] = ()
    #: How the last round ended, until the next one is dealt; absent if that was too long ago.
    last_round: RoundOver | None = None


class State(_Heard, frozen=True, kw_only=True, tag="state"):
    """How things stand: presence changed, a clock or window moved, or a slow socket lost events."""

    #: The version of the last event that this tells of.
    version: int
    #: What everybody may know.
    table: TableState
    #: The round as this seat sees it; null before the first game.
    view: SeatView | None = None


class Ack(_Heard, frozen=True, kw_only=True, tag="ack"):
    """The command is stored and done."""

    #: The id of the command.
    id: str
    #: The version of the table after the command.
    version: int


class Refused(_Heard, frozen=True, kw_only=True, tag="refused"):
    """The command changed nothing."""

    #: The id of the command.
    id: str
    #: The name of a ``Reason`` of the core, or one of the table's own.
    reason: str
    #: The reason as an English sentence.
    message: str
    #: The version of the table as far as this player has seen it.
    version: int
    #: The fresh view, where the command was made for an old one; else absent.
    view: SeatView | UnsetType | None = UNSET


class Checked(_Heard, frozen=True, kw_only=True, tag="checked"):
    """What the cards can be played as, or why not."""

    #: The id of the question.
    id: str
    #: What the cards can be played as now; with a reason, what they would be if they could be played.
    readings: tuple[Combination, ...] = ()
    #: Why they cannot be played now, by the same names as ``refused``; null if they can.
    reason: str | None = None
    #: The reason as an English sentence; null if they can be played.
    message: str | None = None


class Hinted(_Heard, frozen=True, kw_only=True, tag="hinted"):
    """What a bot would do, and why."""

    #: The id of the question.
    id: str
    #: The action as TTN.
    text: str
    #: The same kinds as in ``acted``, and ``no_bomb``.
    what: str
    #: To play, or to give to the left, to the partner and to the right; else empty.
    cards: tuple[Card, ...] = ()
    #: What the cards are played as; null for anything but a play.
    combination: Combination | None = None
    #: What to wish for, ``NONE`` for nothing; null for anything but a wish.
    rank: str | None = None
    #: To whom the Dragon's trick should go; null for anything else.
    recipient: int | None = None
    #: Why, as a word for translation; ``words`` says it in English.
    code: str
    #: What the reason's sentence needs: cards, numbers, names.
    arguments: dict[str, str | int | float] = {}
    #: The reason as an English sentence.
    words: str
    #: What the play does, from what the seat sees; the most important first.
    facts: tuple[HintFact, ...] = ()


class Pong(_Heard, frozen=True, kw_only=True, tag="pong"):
    """Here."""

    #: The server's clock, in milliseconds since 1970.
    now: Time


class Error(_Heard, frozen=True, kw_only=True, tag="error"):
    """A message that could not be read, or a socket that is closed; nothing was changed."""

    #: ``malformed``: the message names the place; ``busy``: try again; ``closing``: the server stops; ``banned``: the
    #: operator lets you in no longer.
    code: Literal["malformed", "too_large", "too_fast", "no_such_table", "not_seated", "busy", "closing", "banned"]
    #: An English sentence.
    message: str
    #: The id of the message, if it could be read; else null.
    id: str | None = None


Answer = Ack | Refused | Checked | Hinted | Error

FromServer = Welcome | EventMessage | State | Ack | Refused | Checked | Hinted | Pong | Error
