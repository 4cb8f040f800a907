"""The log of a table: facts, in order, from which everything else follows.

An entry is stored before anybody hears of it.  Hands are in it, so a log never leaves the server while its round is
on.  The format has a number; a log that this version cannot read is set aside, not lost.
"""

from collections.abc import Callable
from typing import Literal, NamedTuple, TypeVar

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from tichu.server.wire import AvatarChoice, EmoteName

__all__ = [
    "FORMAT",
    "ActionEntry",
    "AnswerEntry",
    "AwayEntry",
    "Checkpoint",
    "CommitEntry",
    "DealEntry",
    "DraftEntry",
    "EmoteEntry",
    "Entry",
    "FinishedGame",
    "FixEntry",
    "FlagEntry",
    "GameSummary",
    "LeaveEntry",
    "NonceCommitEntry",
    "NonceEntry",
    "Occupant",
    "OpenEntry",
    "PaceEntry",
    "PauseEntry",
    "RatedFacts",
    "Result",
    "ResumeEntry",
    "ChatEntry",
    "SeatEntry",
    "SeatResult",
    "SettingsEntry",
    "WaitEntry",
    "decode",
    "encode",
]

FORMAT = 1


class _Entry(Struct, frozen=True, kw_only=True, tag_field="e", omit_defaults=True):
    #: Seconds since 1970.
    at: float
    #: The command behind it as ``player id``, so that a repeat is known after a restart.
    command: str | None = None


class Occupant(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """Who holds a seat: a person, a bot, or a person whose seat a bot keeps warm."""

    name: str
    player: str | None = None
    bot: str | None = None
    #: What a person has chosen; the pictures of bots follow from their names.
    avatar: AvatarChoice | None = None
    #: The person is away, and a bot decides until they are back.
    stand_in: bool = False
    #: The person has an account, and the name is theirs.
    account: bool = False


class RatedFacts(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What a rated match has to know of its players beside the game."""

    #: Whether the server brought the four together, and by team whether the two came together.
    from_pool: bool = False
    pairs: tuple[bool, bool] = (False, False)
    #: Programs of authors are rated among themselves.
    are_programs: bool = False
    #: By seat: seconds away in all, and decisions missed one after the other.
    away: tuple[float, ...] = (0.0, 0.0, 0.0, 0.0)
    missed: tuple[int, ...] = (0, 0, 0, 0)
    #: What an operator may want to look at; whatever it is, it changes nothing.
    flags: tuple[str, ...] = ()
    #: Who left, which ended the match.
    left: int | None = None

    def after_decision(self, entry: "ActionEntry", seat: int, *, is_call: bool) -> "RatedFacts":
        """A seat has decided, or a clock has run out."""
        if entry.by == "clock":
            return replace(self, missed=_with(self.missed, seat, self.missed[seat] + 1))
        # What the table does by itself shows nobody awake, and a call owes nothing.
        is_awake = entry.command is not None and not is_call
        return replace(self, missed=_with(self.missed, seat, 0)) if is_awake and self.missed[seat] else self

    def after(self, entry: "AwayEntry | FlagEntry") -> "RatedFacts":
        """Somebody was away for so long in all, or something looks odd."""
        if isinstance(entry, AwayEntry):
            return replace(self, away=_with(self.away, entry.seat, entry.seconds))
        return self if entry.flag in self.flags else replace(self, flags=(*self.flags, entry.flag))


_Number = TypeVar("_Number")


def _with(numbers: tuple[_Number, ...], seat: int, number: _Number) -> tuple[_Number, ...]:
    return (*numbers[:seat], number, *numbers[seat + 1 :])


class Result(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A finished round of the game in progress, with all that its record needs."""

    points: tuple[int, int]
    bonus: tuple[int, int]
    out: tuple[int, ...]
    calls: str
    #: As in TTN; a round that was begun from a position has none, and no record.
    deal: str | None = None
    actions: tuple[str, ...] = ()
    commit: str = ""
    seed: str = ""
    nonces: tuple[str, ...] = ()
    #: How the deal follows from these (``tichu.core.fairness``); the first has no commitments to nonces.
    derivation: int = 1
    nonce_commits: tuple[str, ...] = ()


class OpenEntry(_Entry, frozen=True, kw_only=True, tag="opened"):
    """The table is made."""

    format: int = FORMAT
    id: str
    code: str
    #: Delays are drawn from it, so that they tell nothing.
    secret: str
    host: str
    settings: str


class SeatEntry(_Entry, frozen=True, kw_only=True, tag="seated"):
    """Who sits where now, who is host, and who is ready."""

    what: Literal["sit", "stand", "swap", "bot", "remove", "host", "start", "ready", "over", "stand_in", "back"]
    seat: int | None = None
    seats: tuple[Occupant | None, ...]
    host: str | None
    ready: tuple[str, ...] = ()
    #: Set when a game begins.
    game: str | None = None
    #: Set when a rated game begins, or one that the server has brought together.
    rated: RatedFacts | None = None


class SettingsEntry(_Entry, frozen=True, kw_only=True, tag="settings"):
    """The next game has other settings; nobody has agreed to it yet."""

    settings: str


class CommitEntry(_Entry, frozen=True, kw_only=True, tag="committed"):
    """The seed of the next deal is chosen."""

    round: int
    seed: str
    #: Logs of the first derivation do not tell.
    derivation: int = 1


class NonceCommitEntry(_Entry, frozen=True, kw_only=True, tag="nonce_committed"):
    """A player commits to a nonce."""

    seat: int
    commitment: str


class FixEntry(_Entry, frozen=True, kw_only=True, tag="fixed"):
    """No more commitments to nonces: those that have come are opened."""

    round: int


class NonceEntry(_Entry, frozen=True, kw_only=True, tag="nonce"):
    """A player adds to the shuffle: opens a commitment, or gives a nonce without one."""

    seat: int
    nonce: str


class DealEntry(_Entry, frozen=True, kw_only=True, tag="dealt"):
    """The cards are dealt; a given start may have actions behind it or be a position."""

    round: int
    deal: str | None = None
    actions: tuple[str, ...] = ()
    position: str | None = None


class ActionEntry(_Entry, frozen=True, kw_only=True, tag="acted"):
    """A seat does something (TTN); what the table does by itself after it follows from the rules."""

    action: str
    by: Literal["clock", "bot"] | None = None
    #: What is left of the seat's reserve in seconds, where the clock took from it.
    reserve: float | None = None


class DraftEntry(_Entry, frozen=True, kw_only=True, tag="drafted"):
    """A seat lays out cards for the exchange."""

    seat: int
    cards: tuple[str | None, ...]


class WaitEntry(_Entry, frozen=True, kw_only=True, tag="waited"):
    """A seat holds the bomb window open."""

    seat: int


class AnswerEntry(_Entry, frozen=True, kw_only=True, tag="answered"):
    """A command is acknowledged although nothing followed from it; it is here to be known when it is repeated."""


class PauseEntry(_Entry, frozen=True, kw_only=True, tag="paused"):
    """Clocks and bots stand still."""

    why: Literal["host", "nobody", "agreed"]


class AwayEntry(_Entry, frozen=True, kw_only=True, tag="away"):
    """A player of a rated match is back, or need not be there now; so many seconds away in all."""

    seat: int
    seconds: float


class LeaveEntry(_Entry, frozen=True, kw_only=True, tag="left"):
    """A player has left a rated match, which ends it."""

    seat: int
    why: Literal["away", "missed", "stood"]


class FlagEntry(_Entry, frozen=True, kw_only=True, tag="flagged"):
    """Something about a rated match that an operator may want to look at."""

    flag: str


class ResumeEntry(_Entry, frozen=True, kw_only=True, tag="resumed"):
    """The game goes on."""


class PaceEntry(_Entry, frozen=True, kw_only=True, tag="paced"):
    """Bots decide faster or slower from now on."""

    pace: float


class ChatEntry(_Entry, frozen=True, kw_only=True, tag="said"):
    """Somebody speaks."""

    player: str
    name: str
    text: str
    account: bool = False


class EmoteEntry(_Entry, frozen=True, kw_only=True, tag="emoted"):
    """Somebody shows an emote."""

    player: str
    name: str
    emote: EmoteName
    account: bool = False


class Checkpoint(_Entry, frozen=True, kw_only=True, tag="checkpoint"):
    """Everything that must be known to go on from here, between two rounds."""

    format: int = FORMAT
    opened: OpenEntry
    version: int
    seats: tuple[Occupant | None, ...]
    host: str | None
    game: str | None
    stage: Literal["open", "playing", "paused", "over"]
    ready: tuple[str, ...] = ()
    results: tuple[Result, ...] = ()
    reserves: tuple[float, ...] = ()
    #: What the bots' pace was changed to.
    pace: float | None = None
    rated: RatedFacts | None = None
    #: Commands that may still be repeated, with the versions they led to.
    commands: dict[str, int] = {}


Entry = (
    OpenEntry
    | SeatEntry
    | SettingsEntry
    | CommitEntry
    | NonceCommitEntry
    | FixEntry
    | NonceEntry
    | DealEntry
    | ActionEntry
    | DraftEntry
    | WaitEntry
    | AnswerEntry
    | PauseEntry
    | ResumeEntry
    | PaceEntry
    | AwayEntry
    | LeaveEntry
    | FlagEntry
    | ChatEntry
    | EmoteEntry
    | Checkpoint
)


class GameSummary(NamedTuple):
    """A finished game without its record."""

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
    #: The team that has won, where somebody has looked: after two ties the score does not tell.
    winner: int | None = None


class SeatResult(NamedTuple):
    """What a seat did in a game, as numbers that can be added up."""

    won: int
    rounds: int
    #: Points of the seat's team, and of the other.
    points: int
    against: int
    #: Rounds in which the seat was out first, and in which its team was out first and second.
    first_out: int
    double_victories: int
    tichu_called: int
    tichu_made: int
    grand_called: int
    grand_made: int


class FinishedGame(NamedTuple):
    """A finished game as it is kept."""

    summary: GameSummary
    #: JSON lines (``tichu.core.record.format_jsonl``).
    record: str
    #: By seat.  They are stored with the game and asked for by player, so a game that is read has none.
    results: tuple[SeatResult, ...] = ()
    #: Whether its table was public at the end: then everybody finds it at its players.  Stored and asked for like that.
    is_open: bool = False


_decoder = msgspec.json.Decoder(Entry)

#: Gives an entry as it is stored.
encode: Callable[[Entry], bytes] = msgspec.json.Encoder().encode


def decode(line: bytes) -> Entry:
    """Read an entry.

    :raises msgspec.MsgspecError: this version does not know it
    """
    entry: Entry = _decoder.decode(line)
    return entry
