"""People over HTTP: who somebody is, and what one is to others."""

from tichu.server.wire.parts import Time
from tichu.server.wire.requests import Answered, PlayerKind, Results

__all__ = ["People", "Person", "Profile", "RecentPlayer", "RelationTo"]


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
