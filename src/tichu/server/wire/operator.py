"""What whoever runs a server asks over HTTP, with the operator's token."""

from typing import Annotated

from msgspec import Meta

from tichu.server.wire.parts import Name, Time
from tichu.server.wire.requests import Answered, Asked, PlayerKind

__all__ = [
    "Act",
    "ActLog",
    "Done",
    "FlaggedMatch",
    "FlaggedMatches",
    "FoundPlayer",
    "FoundPlayers",
    "OddStatistic",
    "OddStatistics",
    "OperatorName",
    "Reason",
    "Reasoned",
    "Report",
    "ReportFile",
    "ReportList",
    "Restriction",
    "SaidLine",
]

Reason = Annotated[str, Meta(max_length=300)]
_YEARS = 10 * 365 * 86_400


class Reasoned(Asked, frozen=True, kw_only=True):
    """Why something is done."""

    #: For the log of acts, which only operators read; their export tells whom it was done to.
    why: Reason = ""


class OperatorName(Reasoned, frozen=True, kw_only=True):
    """Asks for another name for somebody."""

    #: Nobody else may have it, or one that looks like it; empty for a guest without one.
    name: Name


class Restriction(Reasoned, frozen=True, kw_only=True):
    """Asks to restrict somebody for a time."""

    #: From now on; 0 ends it, ten years at most.
    seconds: Annotated[int, Meta(ge=0, le=_YEARS)]


class Done(Answered, frozen=True, kw_only=True):
    """It is done, and noted in the log of acts."""

    #: The id of the act.
    act: str
    #: What was done.
    what: str
    #: The player, match or report that it was done to.
    subject: str
    #: Until when, in milliseconds since 1970; null where it has no end or there is none.
    until: Time | None = None


class FoundPlayer(Answered, frozen=True, kw_only=True):
    """Somebody, as an operator sees them."""

    #: The public id.
    player: str
    #: As others see it.
    name: str
    #: A person, or a program of an author.
    kind: PlayerKind
    #: Whether the name belongs to them; others are guests.
    account: bool
    #: When they first came, in milliseconds since 1970.
    created: Time
    #: When they were last here, about; null if that was never noted.
    seen: Time | None
    #: Until when they say nothing; null if they may.
    muted: Time | None
    #: Until when they are not let in; null if they are.
    banned: Time | None
    #: How many reports about them wait.
    reports: int


class FoundPlayers(Answered, frozen=True, kw_only=True):
    """Who was found."""

    #: Accounts first, then those who were here last.
    players: tuple[FoundPlayer, ...]


class Act(Answered, frozen=True, kw_only=True):
    """What an operator has done."""

    #: Of the act.
    id: str
    #: In milliseconds since 1970.
    at: Time
    #: What was done.
    what: str
    #: The player, match or report that it was done to.
    subject: str
    #: Why, and what changed.
    words: str


class ActLog(Answered, frozen=True, kw_only=True):
    """What operators have done."""

    #: The latest first.
    acts: tuple[Act, ...]


class FlaggedMatch(Answered, frozen=True, kw_only=True):
    """A rated match with something to look at; nothing follows from it by itself."""

    #: Unrates it at ``/api/operator/matches/{match}/unrate``.
    match: str
    #: When it ended, in milliseconds since 1970.
    at: Time
    #: The rules as written in the table's settings.
    rules: str
    #: Public ids by seat.
    players: tuple[str, ...]
    #: By seat; empty for those who are gone.
    names: tuple[str, ...]
    #: As ``address 0 2``: seats 0 and 2 came from one address; ``browser`` for one browser, ``watching`` for somebody
    #: without a seat; ``spared 2``: the one who left was nobody's pair, and seat 2 has not lost.
    flags: tuple[str, ...]
    #: The team that has won; null for nobody.
    winner: int | None
    #: What it counts for.
    weight: float
    #: Whether an operator has taken it back.
    unrated: bool


class FlaggedMatches(Answered, frozen=True, kw_only=True):
    """Matches with something to look at."""

    #: The latest first.
    matches: tuple[FlaggedMatch, ...]


class OddStatistic(Answered, frozen=True, kw_only=True):
    """Something that chance hardly does.  It is only reported: strong players are lucky too."""

    #: The public id.
    player: str
    #: As others see it; empty for those who are gone.
    name: str
    #: What is counted: ``won``, ``first_out``, ``double_victories``, ``tichu_made`` or ``grand_made``.
    what: str
    #: How often it happened.
    count: int
    #: Of how many.
    of: int
    #: The share of all players together.
    usual: float
    #: How many standard deviations that is above what is usual.
    sigmas: float


class OddStatistics(Answered, frozen=True, kw_only=True):
    """What chance hardly does."""

    #: The oddest first.
    statistics: tuple[OddStatistic, ...]


class Report(Answered, frozen=True, kw_only=True):
    """What a player has to say about another."""

    #: Reads it whole at ``/api/operator/reports/{report}``.
    id: str
    #: In milliseconds since 1970.
    at: Time
    #: The public id of whoever reports.
    reporter: str
    #: The public id of the one it is about.
    reported: str
    #: Where it happened; empty if it was at no table.
    table: str
    #: The game, if it had an id; else empty.
    game: str
    #: What it is about.
    reason: str
    #: More about it.
    words: str
    #: When it was dealt with, in milliseconds since 1970; null before that.
    closed: Time | None


class ReportList(Answered, frozen=True, kw_only=True):
    """Reports without what was said."""

    #: Those that wait, the oldest first, or those that were dealt with, the latest first.
    reports: tuple[Report, ...]


class SaidLine(Answered, frozen=True, kw_only=True):
    """Something that was said near a report."""

    #: In milliseconds since 1970.
    at: Time
    #: The public id of whoever said it.
    player: str
    #: As it was shown.
    name: str
    #: The words, or the emote in colons.
    text: str


class ReportFile(Answered, frozen=True, kw_only=True):
    """A report with what was said and played near it; that it was read is noted in the log of acts."""

    #: What is reported.
    report: Report
    #: What was said at the table from the beginning of the round on, the latest lines.
    chat: tuple[SaidLine, ...]
    #: The rounds of the game as JSON lines, with public ids in the place of names; empty if there were none.
    record: str
