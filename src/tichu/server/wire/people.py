"""People over HTTP: who somebody is, and what one is to others."""

from tichu.server.wire.parts import Time
from tichu.server.wire.requests import Answered, GameInfo, PlayerKind, Results
from tichu.server.wire.reviews import ReviewKind

__all__ = [
    "KindLoss",
    "People",
    "Person",
    "PlayerSheet",
    "Profile",
    "ProfileGame",
    "ProfileGames",
    "ProfilePartner",
    "RecentPlayer",
    "RelationTo",
]


class Person(Answered, frozen=True, kw_only=True):
    """Somebody as everybody may know them."""

    #: The public id.
    player: str
    #: As others see it; empty for a guest who has told none.
    name: str
    #: A person, or a program of an author.
    kind: PlayerKind
    #: Whether the name belongs to them; others are guests.
    account: bool


class RelationTo(Answered, frozen=True, kw_only=True):
    """What whoever asks is to somebody."""

    #: The public id of the other.
    player: str
    #: Whether you follow them.
    follows: bool
    #: Whether you have blocked them: nobody brings the two of you together.
    blocks: bool
    #: Whether they follow you.
    follows_you: bool


class ProfilePartner(Answered, frozen=True, kw_only=True):
    """Somebody with whom a player has played in a team."""

    #: Who it is.
    person: Person
    #: How many of the last games they were partners in.
    games: int
    #: How many of these they have won.
    won: int
    #: When the last of these ended.
    last: Time


class KindLoss(Answered, frozen=True, kw_only=True):
    """What is lost a round by one kind of decision."""

    #: What was decided.
    kind: ReviewKind
    #: Points a round; below zero they are gained.
    lost: float
    #: Its standard error; null while too little is known.
    error: float | None


class PlayerSheet(Answered, frozen=True, kw_only=True):
    """What a player loses a round to whoever decides as the bot does, by the reviews of finished games."""

    #: On how many reviewed games it rests; casual ones count in none.
    games: int
    #: How many rounds these have.
    rounds: int
    #: Points a round, of all kinds of decisions together.
    lost: float
    #: Its standard error; null while too little is known.
    error: float | None
    #: The same by kind, all of them.
    kinds: tuple[KindLoss, ...]


class Profile(Answered, frozen=True, kw_only=True):
    """Who somebody is, and how they play; their ratings are at ``/api/players/{player}/ratings``."""

    #: Who it is.
    person: Person
    #: When they first came, in milliseconds since 1970.
    created: Time
    #: Over all finished games that are kept.
    results: Results
    #: The same of everybody together, to compare with; it may be some minutes old.
    everybody: Results
    #: How many follow them.
    followers: int
    #: What you are to them; null without a token, and for yourself.
    relation: RelationTo | None
    #: With whom they were in a team in the last games that you may see, those of most games first.
    partners: tuple[ProfilePartner, ...] = ()
    #: What they lose a round; null where no game that you may see, and that counts, was reviewed.
    sheet: PlayerSheet | None = None


class ProfileGame(Answered, frozen=True, kw_only=True):
    """A finished game of somebody."""

    #: Who played and how it ended.
    game: GameInfo
    #: Whether it counted for ratings.
    rated: bool


class ProfileGames(Answered, frozen=True, kw_only=True):
    """Finished games of a player that whoever asks may see, the latest first."""

    #: As many as asked for, or fewer.
    games: tuple[ProfileGame, ...]
    #: Give it as ``before`` to get older ones; null at the end.
    before: Time | None


class RecentPlayer(Answered, frozen=True, kw_only=True):
    """Somebody with whom you have played lately."""

    #: Who it is.
    person: Person
    #: When a game with them last ended.
    last: Time
    #: In how many of your last games they were your partner.
    partner: int
    #: In how many of your last games they were your opponent.
    opponent: int


class People(Answered, frozen=True, kw_only=True):
    """What others are to whoever asks."""

    #: Whom you follow, the latest first.
    follows: tuple[Person, ...]
    #: Whom you have blocked, the latest first.
    blocks: tuple[Person, ...]
    #: With whom you have played, the latest first.
    recent: tuple[RecentPlayer, ...]
