"""What a table is made with."""

from typing import Annotated

from msgspec import Meta, Struct

from tichu.server.wire.parts import Clock

__all__ = ["Settings"]


class Settings(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True):
    """What a table is made with."""

    #: As in ``docs/rules.md``: ``standard``, ``standard goal=target:500``.
    rules: Annotated[str, Meta(max_length=300)] = "standard"
    name: Annotated[str, Meta(max_length=40)] = ""
    clock: Clock | None = None
    #: Not on the start page; whoever has the link or the code can come.
    private: bool = True
    #: Hints, given deals and positions; such games count in no statistics.
    casual: bool = True
    #: How long bots take, as a factor of a usual pace; 0 for programs among themselves.
    pace: Annotated[float, Meta(ge=0, le=10)] = 1.0
    #: A given deal of the first round (TTN), with what has been played, or a position; only at casual tables.
    deal: Annotated[str, Meta(max_length=300)] | None = None
    actions: Annotated[tuple[Annotated[str, Meta(max_length=40)], ...], Meta(max_length=400)] = ()
    position: Annotated[str, Meta(max_length=400)] | None = None
