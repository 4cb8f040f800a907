"""What the home page shows, as the HTTP API tells it."""

from tichu.server.wire.parts import TableState
from tichu.server.wire.people import Person
from tichu.server.wire.ratings import BoardEntry, RatingPool
from tichu.server.wire.requests import Answered, GameInfo

__all__ = ["Home", "HomeBoard", "HomeSeekers", "PersonHere"]


class PersonHere(Answered, frozen=True, kw_only=True):
    """Somebody whom you follow, who sits at a public table now."""

    #: Who it is.
    person: Person
    #: The id of the table.
    table: str
    #: What the host calls it; may be empty.
    name: str
    #: Whether a game is on.
    playing: bool


class HomeSeekers(Answered, frozen=True, kw_only=True):
    """How many look for a quick match, however fast."""

    #: For a rated one.
    rated: int
    #: For one that is not.
    casual: int


class HomeBoard(Answered, frozen=True, kw_only=True):
    """The top of a leaderboard."""

    #: The pool in which most is played.
    pool: RatingPool
    #: From strong to weak.
    players: tuple[BoardEntry, ...]


class Home(Answered, frozen=True, kw_only=True):
    """What goes on, a few seconds old at most; nothing of private tables, and nobody of a block."""

    #: Public tables that wait for players.
    tables: tuple[TableState, ...]
    #: Public tables at which a game is on.
    watchable: tuple[TableState, ...]
    #: How many people play at public tables now.
    people: int
    #: At how many tables.
    playing: int
    #: Who looks for a quick match.
    seekers: HomeSeekers
    #: Whom you follow and who is at a public table; nobody without a token.
    followed: tuple[PersonHere, ...]
    #: The latest finished games of people at public tables.
    games: tuple[GameInfo, ...]
    #: Null before anybody has a place.
    board: HomeBoard | None
