"""What a player tells whoever runs the server about another."""

from typing import Annotated, Literal

from msgspec import Meta

from tichu.server.wire.requests import Answered, Asked

__all__ = ["NewReport", "ReportReason", "Reported"]

ReportReason = Literal["abuse", "cheating", "name", "leaving", "other"]
_Id = Annotated[str, Meta(max_length=60)]


class NewReport(Asked, frozen=True, kw_only=True):
    """Tells the operator about somebody; with a table or a game, what was said and played there goes along."""

    #: What it is about.
    reason: ReportReason
    #: More about it.
    words: Annotated[str, Meta(max_length=500)] = ""
    #: The table at which it happened; empty for none.
    table: _Id = ""
    #: The finished game in which it happened; empty for none.
    game: _Id = ""


class Reported(Answered, frozen=True, kw_only=True):
    """The report is kept for the operator."""

    #: Of the report.
    report: str
