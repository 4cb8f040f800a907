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


class Asked(Struct, frozen=True, kw_only=True, rename="camel", forbid_unknown_fields=True):
    """What a client posts."""


class Answered(Wire, frozen=True, kw_only=True, omit_defaults=False):
    """What it is answered; every field is there."""


class ApiError(Answered, frozen=True, kw_only=True):
    """Something that could not be done; nothing was changed."""

    #: A word for programs.
    error: str
    #: A sentence for people that names the place.
    message: str


class NewPlayer(Asked, frozen=True, kw_only=True):
    """Asks for a token, for a person or for a program that will take a seat."""

    #: What others see; empty leaves it to the table, which says Guest.
    name: Name = ""
    #: What others may expect; it changes nothing in the rules.
    kind: PlayerKind = "person"


class Registered(Answered, frozen=True, kw_only=True):
    """A new player.  The token is told only here: keep it secret."""

    #: The public id.
    player: str
    #: As it is kept: without what nobody can see.
    name: str
    #: As it was asked for.
    kind: PlayerKind
    #: For ``Authorization: Bearer TOKEN``, and for hello on a socket.
    token: str


class TokenEnded(Answered, frozen=True, kw_only=True):
    """The token of this player is nobody's any more; all sockets that were opened with it are closed."""

    #: The public id.
    player: str


class CallRate(Answered, frozen=True, kw_only=True):
    """How often a call was made, and how often it came true."""

    #: In how many rounds the call was made.
    called: int
    #: In how many of them the caller was out first.
    made: int


class Results(Answered, frozen=True, kw_only=True):
    """What a player did in kept games, casual ones left out."""

    #: Finished games.
    games: int
    #: How many of them the player's team won.
    won: int
    #: Rounds of all these games.
    rounds: int
    #: Points in all rounds: own team, other team.
    points: tuple[int, int]
    #: Rounds in which the player was out first.
    first_out: int
    #: Rounds in which the player's team was out first and second.
    double_victories: int
    #: Small calls.
    tichu: CallRate
    #: Grand calls, on eight cards.
    grand: CallRate


class Me(Answered, frozen=True, kw_only=True):
    """Who the token belongs to, and how they play."""

    #: The public id.
    player: str
    #: As others see it where no table has made it another.
    name: str
    #: As it was when the token was given.
    kind: PlayerKind
    #: Whether the name belongs to them; others are guests.
    account: bool
    #: Over all finished games that are kept.
    results: Results
    #: Open tables where this player has a seat.
    tables: tuple[TableState, ...]


class NewTable(Asked, frozen=True, kw_only=True):
    """Asks for a table.  Without a token a new player is made who is its host."""

    #: Rules, clock, pace and what else the table is made with.
    settings: Settings = Settings()
    #: The name of a new player, or a new name; empty keeps the one that the player has.
    name: Name = ""
    #: By seat: ``you`` for the host, the name of a bot, null for a free seat.  Empty: the host sits in seat 0.
    seats: Annotated[tuple[Annotated[str, Meta(max_length=40)] | None, ...], Meta(max_length=4)] = ()
    #: Start at once; bots take the free seats.
    start: bool = False


class TableInfo(Answered, frozen=True, kw_only=True):
    """A table as everybody may know it, and how to get there."""

    #: How it stands now.
    table: TableState
    #: The address to send to a friend.
    link: str
    #: Where the picture of the link is (SVG), from the slash after the host on.
    qr: str


class NewTableAnswer(Answered, frozen=True, kw_only=True):
    """The new table, and who its host is."""

    #: How it stands now.
    table: TableState
    #: The address to send to a friend.
    link: str
    #: Where the picture of the link is (SVG), from the slash after the host on.
    qr: str
    #: Opens the player's seat on any device until the game ends; the key is after ``#key=``, where no server sees it.
    seat_link: str
    #: The host: keep the token.
    you: You


class TableList(Answered, frozen=True, kw_only=True):
    """Public tables, those with free seats first."""

    #: As everybody may know them.
    tables: tuple[TableState, ...]


class CodeInfo(Answered, frozen=True, kw_only=True):
    """Which table a code belongs to."""

    #: The id of the table.
    table: str
    #: The address of the table.
    link: str


class QrRequest(Asked, frozen=True, kw_only=True):
    """Asks for the picture of a link of this server that must not stand in an address, such as a seat link."""

    #: From the slash after the host (and prefix) on: ``/t/ID#key=...``.
    path: Annotated[str, Meta(max_length=300, pattern=r"^/[!-~]*(?!\n)$")]


class Preset(Answered, frozen=True, kw_only=True):
    """A named rule set with the values of all its fields."""

    #: The first word of ``rules``.
    name: str
    #: The value of every field.
    fields: dict[str, str]


class RuleField(Answered, frozen=True, kw_only=True):
    """A field of a rule set; ``N`` in a value stands for a number."""

    #: Before the equals sign.
    name: str
    #: What may stand after it.
    values: tuple[str, ...]


class RulesInfo(Answered, frozen=True, kw_only=True):
    """What ``rules`` in the settings of a table may say: a preset, then ``field=value`` for what differs."""

    #: The first is the usual one.
    presets: tuple[Preset, ...]
    #: What may be said after a preset.
    fields: tuple[RuleField, ...]


class BotInfo(Answered, frozen=True, kw_only=True):
    """A bot that may be put into a seat."""

    #: For ``seats`` of a new table and for ``TABLE.PUT_BOT``.
    name: str
    #: One of the levels for people, rather than a bot by its own name.
    is_level: bool


class BotList(Answered, frozen=True, kw_only=True):
    """The bots by their own names, then the levels, each from weak to strong."""

    #: All that there are.
    bots: tuple[BotInfo, ...]
    #: The bot to take if nobody chooses.
    default: str


class GameInfo(Answered, frozen=True, kw_only=True):
    """A finished game."""

    #: For ``/api/games/{game}``.
    id: str
    #: The id of the table where it was played.
    table: str
    #: When it ended, in milliseconds since 1970.
    finished: Time
    #: As in ``docs/rules.md``.
    rules: str
    #: Names by seat.
    seats: tuple[str, ...]
    #: The public ids of persons by seat, empty for bots.
    players: tuple[str, ...]
    #: The score at the end, in points: team 0+2, team 1+3.
    score: tuple[int, int]
    #: The team that has won, 0 (seats 0+2) or 1 (seats 1+3): after two ties the score does not tell.
    winner: int
    #: Whether hints and given deals were allowed; then it counts in no statistics.
    casual: bool
    #: Whether a log of BrettspielWelt can express the rules; only then there is a ``.tch``.
    has_tch: bool = True


class GameList(Answered, frozen=True, kw_only=True):
    """Finished games of a player, the latest first."""

    #: As many as asked for, or fewer at the end.
    games: tuple[GameInfo, ...]
    #: Give it as ``before`` to get older ones; null at the end.
    before: Time | None


class RoundFile(Answered, frozen=True, kw_only=True):
    """A round: the deal by seat, the actions and the score as in TTN."""

    #: By seat, as ``eight+six``: the cards before and after the Grand calls.
    deal: tuple[str, ...]
    #: From the first decision to the last trick.
    actions: tuple[str, ...]
    #: What the round added to the match: team 0+2, team 1+3; null for a round that was not finished.
    score: tuple[int, int] | None


class GameFile(Answered, frozen=True, kw_only=True):
    """A finished game with everything in it."""

    #: Who played and how it ended.
    game: GameInfo
    #: Commitments, seeds and nonces of fair deals, and other tags of TTN.
    tags: dict[str, tuple[str, ...]]
    #: In the order of play.
    rounds: tuple[RoundFile, ...]


class ViewStep(Answered, frozen=True, kw_only=True):
    """The state after an action; the first of a round is the deal and has none."""

    #: The action in TTN, empty for the deal.
    text: str
    #: The same spelled out; null for the deal, and for a question to bomb.
    event: Acted | None
    #: As the seat asked for saw it then, or as a spectator would.
    view: SeatView
    #: All hands by seat; empty if a seat was asked for.
    hands: tuple[tuple[Card, ...], ...]


class RoundViews(Answered, frozen=True, kw_only=True):
    """A round, action by action."""

    #: The number of the round, counted from 0.
    round: int
    #: All hands as they were dealt, as in TTN.
    deal: str
    #: How the round ended; null if it was not finished.
    result: RoundResult | None
    #: The deal, then one for each action.
    steps: tuple[ViewStep, ...]


class GameViews(Answered, frozen=True, kw_only=True):
    """A finished game, action by action."""

    #: Who played and how it ended.
    game: GameInfo
    #: Commitments, seeds and nonces of fair deals, and other tags of TTN.
    tags: dict[str, tuple[str, ...]]
    #: Whose views they are; null for all hands.
    seat: int | None
    #: All of them, or the one that was asked for.
    rounds: tuple[RoundViews, ...]


class Health(Answered, frozen=True, kw_only=True):
    """Whether the server can be played on; ``failing`` if its store does not work."""

    #: ``closing``: no new tables; ``failing``: nothing can be stored or read.
    status: Literal["ok", "closing", "failing"]
    #: The version of this server's software.
    version: str
    #: How many tables are open, those that wait in the store among them.
    tables: int
    #: How many sockets and streams are open.
    sockets: int
