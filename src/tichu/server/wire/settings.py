"""What a table is made with."""

from typing import Annotated

from msgspec import Meta, Struct

from tichu.server.wire.parts import Clock

__all__ = ["Settings"]


class Settings(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True):
    """What a table is made with."""

    #: As in ``docs/rules.md``: ``standard``, ``standard goal=target:500``.
    rules: Annotated[str, Meta(max_length=300)] = "standard"
    #: What the host calls the table; may be empty.
    name: Annotated[str, Meta(max_length=40)] = ""
    #: How long decisions may take; null for as long as they need.
    clock: Clock | None = None
    #: Not on the start page; whoever has the link or the code can come.
    private: bool = True
    #: Hints, given deals and positions; such games count in no statistics.
    casual: bool = True
    #: For ratings: accounts and a clock, not casual; seats are locked during a match, and the host has no powers.
    rated: bool = False
    #: How long bots take, as a factor of the usual time: 0.5 is twice as fast; 0 for programs among themselves.
    pace: Annotated[float, Meta(ge=0, le=10)] = 1.0
    #: A given deal of the first round (TTN); only at casual tables.  Null: the cards are dealt fairly.
    deal: Annotated[str, Meta(max_length=300)] | None = None
    #: What has been played of that deal, in TTN.
    actions: Annotated[tuple[Annotated[str, Meta(max_length=40)], ...], Meta(max_length=400)] = ()
    #: A position to begin with instead of a deal (TTN); only at casual tables.
    position: Annotated[str, Meta(max_length=400)] | None = None
    #: How the match stands before that deal or position: team 0+2, team 1+3.
    score: tuple[int, int] = (0, 0)
