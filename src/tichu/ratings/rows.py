"""What a rated match leaves behind, for as long as there are ratings.

A row holds facts (who sat where, how it ended) and what was settled when it was written (``weight``, ``spared``), so
that applying it needs nothing but the ratings before it.  Ids are texts without meaning to the ratings, except that
those of our bots begin with ``bot:`` and those of deleted people with ``gone:``.

>>> row = MatchRow(
...     match="m1",
...     at=0,
...     rules="standard",
...     clock="normal",
...     players=("ann", "bob", "cy", "dee"),
...     score=(1020, 480),
...     winner=0,
... )
>>> parse_row(format_row(row)) == row
True
"""

from collections.abc import Iterable, Iterator
from typing import Final, Literal, NamedTuple

import msgspec
from msgspec.structs import replace

from tichu.core.errors import GameError

__all__ = [
    "BOT_PREFIX",
    "ClockClass",
    "Ending",
    "League",
    "MatchRow",
    "Pool",
    "anonymise",
    "clock_class",
    "format_row",
    "is_anonymous",
    "is_bot",
    "parse_row",
    "stand_in",
]

ClockClass = Literal["fast", "normal", "slow"]
#: ``played`` to its end; ``left`` by one player; ``aborted`` when nobody is to blame, which rates nobody.
Ending = Literal["played", "left", "aborted"]
#: Programs of authors play among themselves.
League = Literal["people", "bots"]

BOT_PREFIX: Final = "bot:"
_GONE_PREFIX: Final = "gone:"
#: So many decisions a seat takes in a match to 1000, about: sixteen a round.
_DECISIONS: Final = 160
#: Seconds a decision: below the one it is fast, from the other on slow.
_FAST: Final = 12
_SLOW: Final = 45


class Pool(NamedTuple):
    """Who is compared with whom: the same league, rules exactly as they were written, and class of clock.

    Matches at tables that people make themselves are apart: there one chooses against whom one wins.
    """

    league: League
    rules: str
    clock: ClockClass
    hosted: bool = False


class MatchRow(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """How one match ended.  Fields may be added, with a default; none is ever renamed."""

    match: str
    #: When it ended, in milliseconds since 1970; never before the row before it.
    at: int
    #: The rules as written in the table's settings.
    rules: str
    clock: ClockClass
    #: By seat; teams are 0+2 and 1+3.
    players: tuple[str, str, str, str]
    #: Points by team.
    score: tuple[int, int]
    #: The team that has won; null for nobody.
    winner: Literal[0, 1] | None
    ending: Ending = "played"
    #: The seat that left.
    leaver: Literal[0, 1, 2, 3] | None = None
    #: By team: whether the two came together.
    pairs: tuple[bool, bool] = (False, False)
    #: Whether the server brought them together; only such matches count for leaderboards and for the ratings there.
    from_pool: bool = False
    league: League = "people"
    #: What it counts for, from 0 to 1 (``tichu.ratings.history``).
    weight: float = 1.0
    #: Whether the leaver's partner does not lose.
    spared: bool = False
    #: An operator has taken it back.
    unrated: bool = False
    #: Who may be one, by seat, as ``address 0 2``; it changes no rating, but for leaderboards they have not met.
    flags: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        if not 0 < self.weight <= 1:
            raise GameError(f"match {self.match}: weight {self.weight} is not in (0, 1]")
        if (self.leaver is None) is (self.ending == "left"):
            raise GameError(f"match {self.match}: a leaver and the ending 'left' belong together")
        if self.leaver is not None and self.winner != 1 - self.leaver % 2:
            raise GameError(f"match {self.match}: seat {self.leaver} has left, so the other team wins")
        if self.ending == "aborted" and self.winner is not None:
            raise GameError(f"match {self.match}: nobody wins what was aborted")
        if self.spared and (self.leaver is None or self.pairs[self.leaver % 2]):
            raise GameError(f"match {self.match}: only the partner of a leaver who came alone is spared")
        ours, theirs = self.team(0), self.team(1)
        if {player for player in ours if not is_bot(player)} & set(theirs):
            raise GameError(f"match {self.match}: a player sits on both sides")
        for side, (one, other) in enumerate((ours, theirs)):
            if one == other and (self.pairs[side] or not (self.league == "bots" or is_bot(one))):
                raise GameError(f"match {self.match}: a player sits on two seats")

    @property
    def pool(self) -> Pool:
        """Where it counts."""
        return Pool(self.league, self.rules, self.clock, hosted=not self.from_pool)

    def team(self, side: int) -> tuple[str, str]:
        """The two players of a team, by seat."""
        return self.players[side], self.players[side + 2]

    def met(self, seat: int) -> list[str]:
        """The people whom a player has met as opponents: not oneself, and not who stood up before anything counted."""
        if not self.from_pool or (self.ending == "left" and self.score == (0, 0)):
            return []
        alike = {frozenset(flag.split()[1:]) for flag in self.flags}
        others = (other for other in range(1 - seat % 2, 4, 2) if frozenset((str(seat), str(other))) not in alike)
        return [self.players[other] for other in others if not is_bot(self.players[other])]


def format_row(row: MatchRow) -> str:
    """One line of JSON, the fields always in the same order."""
    return msgspec.json.encode(row).decode()


def parse_row(text: str) -> MatchRow:
    """Read what :func:`format_row` has written, now or in an earlier version.

    >>> parse_row("{}")
    Traceback (most recent call last):
    tichu.core.errors.GameError: not a row of a match: Object missing required field `match`
    """
    try:
        return msgspec.json.decode(text, type=MatchRow)
    except msgspec.DecodeError as error:
        raise GameError(f"not a row of a match: {error}") from None


def clock_class(decision: int, reserve: int = 0) -> ClockClass:
    """How fast a table is, from the seconds for a decision and those in reserve for the whole match.

    >>> clock_class(10), clock_class(10, 600), clock_class(60)
    ('fast', 'normal', 'slow')
    """
    seconds = decision + reserve / _DECISIONS
    if seconds < _FAST:
        return "fast"
    return "normal" if seconds < _SLOW else "slow"


def is_bot(player: str) -> bool:
    """Whether this is one of our bots, of known strength."""
    return player.startswith(BOT_PREFIX)


def is_anonymous(player: str) -> bool:
    """Whether this stands for somebody who was deleted."""
    return player.startswith(_GONE_PREFIX)


def stand_in(entropy: bytes) -> str:
    """The id that takes the place of a deleted person's.  It is made of chance alone and leads back to nobody.

    >>> stand_in(bytes(16))
    'gone:00000000000000000000000000000000'
    """
    if len(entropy) < 16:
        raise GameError("a stand-in needs 16 bytes of chance")
    return _GONE_PREFIX + entropy.hex()


def anonymise(rows: Iterable[MatchRow], player: str, replacement: str) -> Iterator[MatchRow]:
    """The rows with another id for one player.  Everybody else's ratings stay the same to the last bit.

    :raises GameError: the other id is already in use
    """
    for row in rows:
        if replacement in row.players:
            raise GameError(f"{replacement} is somebody already")
        if player in row.players:
            a, b, c, d = (replacement if one == player else one for one in row.players)
            row = replace(row, players=(a, b, c, d))
        yield row
