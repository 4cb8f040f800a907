"""What the HTTP API takes and answers, besides the messages of the socket."""

from typing import Annotated, Literal

from msgspec import Meta, Struct

from tichu.server.wire.events import Acted
from tichu.server.wire.messages import You
from tichu.server.wire.parts import Card, Name, RoundResult, SeatView, TableState, Time, Wire
from tichu.server.wire.settings import Settings

__all__ = [
    "ApiError",
    "BotInfo",
    "BotList",
    "CallRate",
    "CodeInfo",
    "GameFile",
    "GameInfo",
    "GameList",
    "GameViews",
    "Health",
    "Me",
    "NewPlayer",
    "NewTable",
    "NewTableAnswer",
    "PlayerKind",
    "Preset",
    "QrRequest",
    "Registered",
    "Results",
    "RoundFile",
    "RoundViews",
    "RuleField",
    "RulesInfo",
    "TableInfo",
    "TableList",
    "TokenEnded",
    "ViewStep",
]

PlayerKind = Literal["person", "bot"]


class _Asked(Struct, frozen=True, kw_only=True, rename="camel", forbid_unknown_fields=True):
    """What a client posts."""


class _Answered(Wire, frozen=True, kw_only=True, omit_defaults=False):
    """What it is answered; every field is there."""


class ApiError(_Answered, frozen=True, kw_only=True):
    """Something that could not be done; nothing was changed."""

    #: A word for programs.
    error: str
    #: A sentence for people that names the place.
    message: str


class NewPlayer(_Asked, frozen=True, kw_only=True):
    """Asks for a token, for a person or for a program that will take a seat."""

    name: Name = ""
    kind: PlayerKind = "person"


class Registered(_Answered, frozen=True, kw_only=True):
    """A new player.  The token is told only here: keep it secret."""

    player: str
    name: str
    kind: PlayerKind
    token: str


class TokenEnded(_Answered, frozen=True, kw_only=True):
    """The token of this player is nobody's any more; all sockets that were opened with it are closed."""

    player: str


class CallRate(_Answered, frozen=True, kw_only=True):
    """How often a call was made, and how often it came true."""

    called: int
    made: int


class Results(_Answered, frozen=True, kw_only=True):
    """What a player did in kept games, casual ones left out."""

    games: int
    won: int
    rounds: int
    #: Points in all rounds: own team, other team.
    points: tuple[int, int]
    #: Rounds in which the player was out first.
    first_out: int
    #: Rounds in which the player's team was out first and second.
    double_victories: int
    tichu: CallRate
    grand: CallRate


class Me(_Answered, frozen=True, kw_only=True):
    """Who the token belongs to, and how they play."""

    player: str
    name: str
    kind: PlayerKind
    results: Results
    #: Open tables where this player has a seat.
    tables: tuple[TableState, ...]


class NewTable(_Asked, frozen=True, kw_only=True):
    """Asks for a table.  Without a token a new player is made who is its host."""

    settings: Settings = Settings()
    #: The name of a new player, or a new name.
    name: Name = ""
    #: By seat: ``you`` for the host, the name of a bot, null for a free seat.  Empty: the host sits in seat 0.
    seats: Annotated[tuple[Annotated[str, Meta(max_length=40)] | None, ...], Meta(max_length=4)] = ()
    #: Start at once; bots take the free seats.
    start: bool = False


class TableInfo(_Answered, frozen=True, kw_only=True):
    """A table as everybody may know it, and how to get there."""

    table: TableState
    #: The address to send to a friend.
    link: str
    #: Where the picture of it is (SVG).
    qr: str


class NewTableAnswer(_Answered, frozen=True, kw_only=True):
    """The new table, and who its host is."""

    table: TableState
    link: str
    qr: str
    #: Opens the player's seat on any device; the token stands after ``#token=``, where no server sees it.
    seat_link: str
    you: You


class TableList(_Answered, frozen=True, kw_only=True):
    """Public tables, those with free seats first."""

    tables: tuple[TableState, ...]


class CodeInfo(_Answered, frozen=True, kw_only=True):
    """Which table a code belongs to."""

    table: str
    link: str


class QrRequest(_Asked, frozen=True, kw_only=True):
    """Asks for the picture of a link of this server that must not stand in an address, such as a seat link."""

    #: From the slash after the host (and prefix) on: ``/t/ID#token=...``.
    path: Annotated[str, Meta(max_length=300, pattern=r"^/[!-~]*(?!\n)$")]


class Preset(_Answered, frozen=True, kw_only=True):
    """A named rule set with the values of all its fields."""

    name: str
    fields: dict[str, str]


class RuleField(_Answered, frozen=True, kw_only=True):
    """A field of a rule set; ``N`` in a value stands for a number."""

    name: str
    values: tuple[str, ...]


class RulesInfo(_Answered, frozen=True, kw_only=True):
    """What ``rules`` in the settings of a table may say: a preset, then ``field=value`` for what differs."""

    presets: tuple[Preset, ...]
    fields: tuple[RuleField, ...]


class BotInfo(_Answered, frozen=True, kw_only=True):
    """A bot that may be put into a seat."""

    name: str
    #: One of the levels for people, rather than a bot by its own name.
    is_level: bool


class BotList(_Answered, frozen=True, kw_only=True):
    """The bots by their own names, then the levels, each from weak to strong."""

    bots: tuple[BotInfo, ...]
    #: The one to take if nobody chooses.
    default: str


class GameInfo(_Answered, frozen=True, kw_only=True):
    """A finished game."""

    id: str
    table: str
    finished: Time
    rules: str
    #: Names by seat, and the public ids of persons, empty for bots.
    seats: tuple[str, ...]
    players: tuple[str, ...]
    score: tuple[int, int]
    #: The team that has won, 0 (seats 0+2) or 1 (seats 1+3): after two ties the score does not tell.
    winner: int
    casual: bool
    #: Whether a log of BrettspielWelt can express the rules; only then there is a ``.tch``.
    has_tch: bool = True


class GameList(_Answered, frozen=True, kw_only=True):
    """Finished games of a player, the latest first."""

    games: tuple[GameInfo, ...]
    #: Give it as ``before`` to get older ones; null at the end.
    before: Time | None


class RoundFile(_Answered, frozen=True, kw_only=True):
    """A round: the deal by seat, the actions and the score as in TTN."""

    deal: tuple[str, ...]
    actions: tuple[str, ...]
    score: tuple[int, int] | None


class GameFile(_Answered, frozen=True, kw_only=True):
    """A finished game with everything in it."""

    game: GameInfo
    #: Commitments, seeds and nonces of fair deals, and other tags of TTN.
    tags: dict[str, tuple[str, ...]]
    rounds: tuple[RoundFile, ...]


class ViewStep(_Answered, frozen=True, kw_only=True):
    """The state after an action; the first of a round is the deal and has none."""

    #: The action in TTN, empty for the deal.
    text: str
    #: The same spelled out.
    event: Acted | None
    #: As the seat asked for saw it then, or as a spectator would.
    view: SeatView
    #: All hands, unless a seat was asked for.
    hands: tuple[tuple[Card, ...], ...]


class RoundViews(_Answered, frozen=True, kw_only=True):
    """A round, action by action."""

    #: Counted from 0.
    round: int
    #: As in TTN.
    deal: str
    result: RoundResult | None
    steps: tuple[ViewStep, ...]


class GameViews(_Answered, frozen=True, kw_only=True):
    """A finished game, action by action."""

    game: GameInfo
    tags: dict[str, tuple[str, ...]]
    #: Null for all hands.
    seat: int | None
    rounds: tuple[RoundViews, ...]


class Health(_Answered, frozen=True, kw_only=True):
    """Whether the server can be played on; ``failing`` if its store does not work."""

    status: Literal["ok", "closing", "failing"]
    version: str
    tables: int
    sockets: int
