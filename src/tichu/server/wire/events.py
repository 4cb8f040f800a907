"""What happened at a table, as one seat may know it."""

from typing import Literal

from msgspec import Struct

from tichu.server.wire.parts import Card, Combination, DealProof, EmoteName, RoundResult, Seat

__all__ = [
    "Acted",
    "Committed",
    "Dealt",
    "Emoted",
    "Event",
    "Opened",
    "Paused",
    "Resumed",
    "RoundOver",
    "Said",
    "Seated",
    "Waited",
]


class _Event(Struct, frozen=True, kw_only=True, rename="camel", tag_field="type", omit_defaults=True):
    """Something that happened, as this seat may know it."""


class Opened(_Event, frozen=True, kw_only=True, tag="opened"):
    """The table was made."""


class Seated(_Event, frozen=True, kw_only=True, tag="seated"):
    """Seats, host, stage or settings changed; the table state says how."""

    #: ``stand_in``: a bot decides for somebody who is away; ``back``: no longer.
    #: ``left``: somebody left a rated game and has lost it.
    what: Literal[
        "sit",
        "stand",
        "swap",
        "bot",
        "remove",
        "host",
        "start",
        "ready",
        "over",
        "stand_in",
        "back",
        "settings",
        "left",
    ]
    #: The seat that it is about; null where it is about no single one.
    seat: Seat | None = None


class Committed(_Event, frozen=True, kw_only=True, tag="committed"):
    """The shuffle of the next deal has come further; the table state says how far."""

    #: The round that the deal is for, counted from 0.
    round: int
    #: The hash of the seed.
    commit: str
    #: The table has chosen the seed; a seat has committed to its nonce; the set of those commitments is fixed.
    what: Literal["seed", "nonce", "set"] = "seed"
    #: Whose nonce; null if ``what`` is not ``nonce``.
    seat: Seat | None = None


class Dealt(_Event, frozen=True, kw_only=True, tag="dealt"):
    """A round begins."""

    #: The number of the round, counted from 0.
    round: int


class Acted(_Event, frozen=True, kw_only=True, tag="acted"):
    """A seat did something, in TTN as this seat may see it, and spelled out."""

    #: Whose action it is.
    seat: Seat
    #: ``2:7s7b``; ``2>`` for an exchange and ``2`` for a Grand decision that are not shown yet.
    text: str
    #: ``grand_hidden``: a Grand decision that is not shown yet; ``take``: the trick goes to its owner or is given
    #: away.
    what: Literal["grand", "no_grand", "grand_hidden", "tichu", "exchange", "play", "pass", "wish", "take"]
    #: What was played, as it lies there; null for anything but ``play``.
    combination: Combination | None = None
    #: The rank of a wish, ``NONE`` for none; null for anything but ``wish``.
    rank: str | None = None
    #: To whom the Dragon's trick went; null for any other.
    recipient: Seat | None = None
    #: Set when somebody else decided for the seat: a bot because the clock had run out, or a bot that was asked to.
    by: Literal["clock", "bot"] | None = None


class RoundOver(_Event, frozen=True, kw_only=True, tag="round_over"):
    """The round is scored and everything is open."""

    #: Points, calls and the order of going out.
    result: RoundResult
    #: All hands as they were dealt, as in TTN; null for a round that began with a position.
    deal: str | None = None
    #: What the deal came from; absent for a given one.
    proof: DealProof | None = None
    #: What is left in the hands, by seat.
    hands: tuple[tuple[Card, ...], ...] = ()


class Paused(_Event, frozen=True, kw_only=True, tag="paused"):
    """Clocks and bots stand still."""

    #: ``host``: somebody asked for it; ``nobody``: all players are away; ``agreed``: all players wanted it.
    why: Literal["host", "nobody", "agreed"]


class Resumed(_Event, frozen=True, kw_only=True, tag="resumed"):
    """The game goes on."""


class Waited(_Event, frozen=True, kw_only=True, tag="waited"):
    """A seat asked for time to think about a bomb."""

    #: Who asked.
    seat: Seat


class Said(_Event, frozen=True, kw_only=True, tag="said"):
    """Somebody said something."""

    #: The name that they had then.
    name: str
    #: The public id of whoever said it, to mute them by.
    player: str
    #: Plain text, never markup.
    text: str
    #: Where they sit; null for a spectator.
    seat: Seat | None = None
    #: Whether the name is that of an account; guests may take any other.
    account: bool = False


class Emoted(_Event, frozen=True, kw_only=True, tag="emoted"):
    """Somebody showed an emote."""

    #: The name that they had then.
    name: str
    #: The public id of whoever showed it, to mute them by.
    player: str
    #: Everybody sees it in their own language.
    emote: EmoteName
    #: Where they sit; null for a spectator.
    seat: Seat | None = None
    #: Whether the name is that of an account; guests may take any other.
    account: bool = False


Event = Opened | Seated | Committed | Dealt | Acted | RoundOver | Paused | Resumed | Waited | Said | Emoted
