"""Whether a table can be made with some settings, or go on with others."""

from typing import Final

import msgspec
from msgspec.structs import replace

from tichu.core.errors import GameError
from tichu.core.game import Game
from tichu.core.match import Match
from tichu.core.rules import Rules
from tichu.server import log
from tichu.server.table.rounds import given_start
from tichu.server.table.sanitize import clean
from tichu.server.table.state import LoggedState
from tichu.server.wire.settings import Settings

__all__ = ["with_settings"]


#: All rounds of a game are in every state of its table.
_MOST_POINTS: Final = 10_000


def with_settings(opened: log.OpenEntry, settings: Settings, given: Game | None = None) -> log.OpenEntry:
    """The beginning of a table with these settings, in their shortest form.

    :raises GameError: they make no game
    """
    rules = Rules.parse(settings.rules)
    if rules.goal.kind == "target" and rules.goal.number > _MOST_POINTS:
        raise GameError(f"a table plays to {_MOST_POINTS} points at most")
    settings = replace(settings, name=clean(settings.name, 40), rules=str(rules))
    if (settings.deal or settings.position or settings.actions) and not settings.casual:
        raise GameError("only a casual table can begin with a given deal or position")
    _check_score(settings, rules)
    if settings.rated and settings.casual:
        raise GameError("a rated table is not casual")
    if settings.rated and settings.clock is None:
        raise GameError("a rated table needs a clock")
    opened = replace(opened, settings=msgspec.json.encode(settings).decode())
    state = LoggedState(opened, given)
    start = given_start(state, opened.at)
    if start is not None:
        state.apply(start)  # Better refused now than when the game starts.
    return opened


def _check_score(settings: Settings, rules: Rules) -> None:
    """Whether a match can stand like this before a given deal or position."""
    ours, theirs = settings.score
    if (ours, theirs) == (0, 0):
        return
    if not (settings.deal or settings.position):
        raise GameError("only with a given deal or position a match can stand at anything but 0:0")
    if rules.goal.kind != "target":
        raise GameError("a match over rounds begins at 0:0")
    if max(abs(ours), abs(theirs)) > _MOST_POINTS or ours % 5 or theirs % 5:
        raise GameError(f"no match can stand at {ours}:{theirs}")
    if Match(rules, start=settings.score).winner is not None:
        raise GameError(f"at {ours}:{theirs} the match is over")
