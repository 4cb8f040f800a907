"""Ratings, leaderboards and the quick match, as the HTTP API tells them."""

from typing import Annotated, Literal

from msgspec import Meta, Struct

from tichu.server.wire.parts import Time, Wire

__all__ = [
    "BoardBot",
    "BoardEntry",
    "ClockSpeed",
    "Leaderboard",
    "MatchRatings",
    "PairRating",
    "PlayerRatings",
    "QuickInvite",
    "QuickRequest",
    "QuickState",
    "RatingChange",
    "RatingPast",
    "RatingPool",
    "RatingStanding",
]

ClockSpeed = Literal["fast", "normal", "slow"]


class _Answered(Wire, frozen=True, kw_only=True, omit_defaults=False):
    """What is answered; every field is there."""


class RatingPool(_Answered, frozen=True, kw_only=True):
    """Who is compared with whom."""

    #: People, or programs of authors.
    league: Literal["people", "bots"]
    #: Exactly as in the table's settings.
    rules: str
    #: How much time there is.
    clock: ClockSpeed
    #: At tables that people have made themselves, which have no leaderboard; else in matches that the server made.
    hosted: bool = False


class RatingStanding(_Answered, frozen=True, kw_only=True):
    """A player's rating in a pool, and where it comes from."""

    #: Where it counts.
    pool: RatingPool
    #: 1500 for newcomers; about 400 more win ten matches to one.
    rating: int
    #: The truth is within so much of it in 19 cases of 20.
    deviation: int
    #: Whether too little is known to compare it with others.
    provisional: bool
    #: Matches that counted.
    matches: int
    #: How many of them were won.
    wins: int
    #: How many of them were lost.
    losses: int
    #: How many the player left.
    left: int
    #: How often a partner's leaving was forgiven.
    spared: int
    #: The place on the leaderboard, from 1 on; null for none.
    rank: int | None


class PairRating(_Answered, frozen=True, kw_only=True):
    """The rating of two who come together, per player."""

    #: Where it counts.
    pool: RatingPool
    #: The public id of the partner.
    partner: str
    #: The partner's name.
    name: str
    #: Compares with the ratings of players.
    rating: int
    #: The truth is within so much of it in 19 cases of 20.
    deviation: int
    #: Whether too little is known to compare it with others.
    provisional: bool
    #: Matches to which the two came together.
    matches: int
    #: How many of them were won.
    wins: int


class RatingPast(_Answered, frozen=True, kw_only=True):
    """What one match did to a rating."""

    #: When it ended.
    at: Time
    #: Where it counted.
    pool: RatingPool
    #: The rating before it.
    before: int
    #: The rating after it.
    after: int


class PlayerRatings(_Answered, frozen=True, kw_only=True):
    """Everything about the ratings of a player."""

    #: The public id.
    player: str
    #: One for each pool that the player was rated in.
    ratings: tuple[RatingStanding, ...]
    #: One for each partner the player comes with, and pool.
    pairs: tuple[PairRating, ...]
    #: The last matches, the oldest first.
    history: tuple[RatingPast, ...]


class BoardEntry(_Answered, frozen=True, kw_only=True):
    """A player or a pair on a leaderboard."""

    #: From 1 on.
    rank: int
    #: One public id, or the two of a pair.
    players: tuple[str, ...]
    #: Their names.
    names: tuple[str, ...]
    #: As for players; a pair's is per player.
    rating: int
    #: The truth is within so much of it in 19 cases of 20.
    deviation: int
    #: Matches that counted.
    matches: int


class BoardBot(_Answered, frozen=True, kw_only=True):
    """A program on a leaderboard: one of the server's levels, which hold the scale, or one of an author."""

    #: From 1 on.
    rank: int
    #: The public id of an author's program; null for a level.
    player: str | None
    #: Of a level, as in ``/api/bots``.
    name: str
    #: Compares with the ratings of people; that of a level was measured, and no match moves it.
    rating: int
    #: The truth is within so much of it in 19 cases of 20.
    deviation: int
    #: Matches that counted; 0 for a level.
    matches: int


class Leaderboard(_Answered, frozen=True, kw_only=True):
    """Who is strongest in a pool, of those who have met enough others in matches that the server made."""

    #: Which pool it is.
    pool: RatingPool
    #: Players, from strong to weak.
    players: tuple[BoardEntry, ...]
    #: Pairs, from strong to weak.
    pairs: tuple[BoardEntry, ...]
    #: Programs under the same rules and clock, from strong to weak; levels only where they were measured.
    bots: tuple[BoardBot, ...]
    #: All pools in which somebody was rated.
    pools: tuple[RatingPool, ...]


class RatingChange(_Answered, frozen=True, kw_only=True):
    """What a match did to one player."""

    #: The public id.
    player: str
    #: The rating before it.
    before: int
    #: The rating after it.
    after: int


class MatchRatings(_Answered, frozen=True, kw_only=True):
    """What a rated match did, by seat; null for a bot, for whoever it could not change, and for whoever has gone."""

    #: The id of the game.
    match: str
    #: By seat.
    players: tuple[RatingChange | None, ...]


class QuickRequest(Struct, frozen=True, kw_only=True, rename="camel", forbid_unknown_fields=True):
    """Asks for a match with whoever looks for one too."""

    #: For ratings, which needs an account; else the game counts nowhere.
    rated: bool = False
    #: How much time there is for decisions.
    speed: ClockSpeed = "normal"
    #: The public id of a partner to come with, who must ask for the same; empty for whoever fits.
    partner: Annotated[str, Meta(max_length=40)] = ""
    #: As in ``hello``: two of one browser are not brought together in a rated match.
    device: Annotated[str, Meta(max_length=40)] = ""


class QuickInvite(_Answered, frozen=True, kw_only=True):
    """Somebody who wants to look for a match together with you."""

    #: The public id.
    player: str
    #: Their name.
    name: str
    #: Whether for ratings.
    rated: bool
    #: How much time there is for decisions.
    speed: ClockSpeed


class QuickState(_Answered, frozen=True, kw_only=True):
    """How a search stands.  Whoever does not ask for it for twenty seconds is no longer looking."""

    #: ``partner``: the partner has not asked for it yet; ``found``: go to ``table``.
    state: Literal["none", "partner", "waiting", "found"]
    #: As it was asked for.
    rated: bool
    #: As it was asked for.
    speed: ClockSpeed
    #: Since when; null if nobody looks.
    since: Time | None
    #: The server's clock.
    now: Time
    #: How many people look for such a match now, with this one.
    seekers: int
    #: How long others waited lately, half of them less, in seconds; null if nobody did.
    expected: int | None
    #: How far the ratings of a match may now lie apart.
    spread: int
    #: From when on bots can take the places that are still free; null if nobody looks.
    bots_at: Time | None
    #: Whether this player has said that bots are welcome.
    bots: bool
    #: The table of the match; null before one is found.
    table: str | None
    #: Who wants to look together with this player.
    invites: tuple[QuickInvite, ...]
