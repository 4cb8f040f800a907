"""Rounds that are begun from cards somebody knows: a given deal with what has been played of it."""

from tichu.core.actions import format_action, parse_action
from tichu.core.deals import parse_deal
from tichu.core.errors import GameError
from tichu.core.game import Game
from tichu.core.match import Match
from tichu.core.rules import Rules
from tichu.server import log
from tichu.server.wire.settings import Settings

__all__ = ["begin_round", "given_game"]


def given_game(settings: Settings) -> Game | None:
    """The game of a table that is made with a deal and with what has been played, or None for other tables.

    To follow a whole round takes longer than other tables should wait, so it can be done elsewhere.

    :raises GameError: it cannot be
    """
    if not (settings.deal and settings.actions):
        return None
    start = log.DealEntry(at=0.0, round=0, deal=settings.deal, actions=settings.actions)
    return begin_round(start, Match(Rules.parse(settings.rules), start=settings.score))


def begin_round(entry: log.DealEntry, match: Match) -> Game:
    """The round after what has been played of it; what the table does by itself may be among it."""
    assert entry.deal is not None
    game = Game.start(parse_deal(entry.deal), match=match)
    for number, text in enumerate(entry.actions):
        seat, action = parse_action(text)
        if number < len(game.actions):
            if game.actions[number] != (seat, action):
                raise GameError(f"action {number}, {text}: the table does {format_action(*game.actions[number])} here")
            continue
        game = game.after(seat, action)
    return game
