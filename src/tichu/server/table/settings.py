"""Whether a table can be made with some settings, or go on with others."""

import msgspec
from msgspec.structs import replace

from tichu.core.errors import GameError
from tichu.core.rules import Rules
from tichu.server import log
from tichu.server.table.rounds import given_start
from tichu.server.table.sanitize import clean
from tichu.server.table.state import LoggedState
from tichu.server.wire.settings import Settings

__all__ = ["with_settings"]


def with_settings(opened: log.OpenEntry, settings: Settings) -> log.OpenEntry:
    """The beginning of a table with these settings, in their shortest form.

    :raises GameError: they make no game
    """
    settings = replace(settings, name=clean(settings.name, 40), rules=str(Rules.parse(settings.rules)))
    if (settings.deal or settings.position or settings.actions) and not settings.casual:
        raise GameError("only a casual table can begin with a given deal or position")
    opened = replace(opened, settings=msgspec.json.encode(settings).decode())
    state = LoggedState(opened)
    start = given_start(state, opened.at)
    if start is not None:
        state.apply(start)  # Better refused now than when the game starts.
    return opened
