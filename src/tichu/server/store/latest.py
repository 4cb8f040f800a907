"""The latest games that everybody may see, and whom somebody wants to hear of, as scripts."""

from math import inf
from typing import Final, NamedTuple

from tichu.server.log import GameSummary
from tichu.server.store.relations import KnownPerson, blocks_of, listed_people
from tichu.server.store.rows import SUMMARY_COLUMNS, summary_of
from tichu.server.store.scripts import Script

__all__ = ["Circle", "circle_of", "latest_games"]

#: A game has a row for each of its people.
_PEOPLE: Final = 4
#: How often earlier games are looked at if too few of these are of several people.
_TURNS: Final = 10


class Circle(NamedTuple):
    """Whom somebody follows, and with whom they have nothing to do."""

    follows: list[KnownPerson]
    unwanted: frozenset[str]


def circle_of(player: str) -> Script[Circle]:
    """Both in one go."""
    follows = yield from listed_people(player, "follows")
    unwanted = yield from blocks_of(player)
    return Circle(follows, unwanted)


def latest_games(limit: int) -> Script[list[GameSummary]]:
    """The last games of public tables, latest first; those of one person with bots are not among them."""
    query = f"""
        SELECT {SUMMARY_COLUMNS}, winner FROM (
            SELECT game, winner FROM game_players WHERE is_open AND finished < ? ORDER BY finished DESC LIMIT ?
        ) AS latest JOIN games ON games.id = latest.game ORDER BY games.finished DESC, games.id
    """
    found: dict[str, GameSummary] = {}
    before = inf
    # Whoever plays with bots all day must not fill the list.
    for _ in range(_TURNS):
        rows = yield query, before, _PEOPLE * limit
        games = [summary_of(row[:-1], row[-1]) for row in rows]
        found |= {one.id: one for one in games if sum(map(bool, one.players)) > 1}
        if len(found) >= limit or len(rows) < _PEOPLE * limit:
            break
        before = games[-1].finished
    return list(found.values())[:limit]
