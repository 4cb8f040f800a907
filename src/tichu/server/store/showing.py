"""What a profile shows of somebody's games: the games, the partners, and what was lost where they were reviewed.

Everybody sees the games of public tables; those of private ones are for who sat there.  Whoever has to do with nobody
of a block is shown no game in which somebody of it sat.
"""

import json
from collections.abc import Collection
from itertools import accumulate
from math import inf
from typing import Final, NamedTuple

from tichu.ratings.rows import parse_row
from tichu.server.log import GameSummary
from tichu.server.store.relations import KnownPerson, known_people
from tichu.server.store.rows import SUMMARY_COLUMNS, summary_of
from tichu.server.store.scripts import Script

__all__ = ["Partner", "ShownGame", "keep_sheets", "partners_of", "reviewed_games", "sheets_of", "shown_games"]

#: How often older games are looked for in place of those that are left out.
_TURNS: Final = 20
#: Games looked at for partners, and how many of these are told.
_PARTNER_GAMES: Final = 200
_PARTNERS: Final = 12
#: Reviewed games that a sheet adds up, and how many signs all of them may have: whoever asks for a profile holds up
#: everybody while they are read, and a game may have a hundred rounds.
_SHEET_GAMES: Final = 200
_SHEET_SIGNS: Final = 200_000


class ShownGame(NamedTuple):
    """A game on a profile."""

    summary: GameSummary
    is_rated: bool


class Partner(NamedTuple):
    """Somebody with whom one has played in a team."""

    who: KnownPerson
    games: int
    won: int
    #: When they last did, in seconds since 1970.
    last: float


def _seen(*, is_own: bool) -> str:
    """The condition for games that may be shown; a bound of time, also without end, has SQLite take their index."""
    return "game_players.player = ? AND game_players.finished < ?" + ("" if is_own else " AND is_open")


def shown_games(
    player: str, before: float, limit: int, *, is_own: bool, unwanted: Collection[str]
) -> Script[tuple[list[ShownGame], float | None]]:
    """Some games, the latest first, and before when there may be more."""
    query = f"""
        SELECT {SUMMARY_COLUMNS}, winner, matches.facts FROM game_players JOIN games ON games.id = game
        LEFT JOIN matches ON matches.match = game
        WHERE {_seen(is_own=is_own)}
        ORDER BY game_players.finished DESC, game LIMIT ?
    """
    shown: list[ShownGame] = []
    # In place of those that are left out older ones come: there is no gap that would tell of them.
    for _ in range(_TURNS):
        rows = yield query, player, before, limit
        games = [ShownGame(summary_of(row[:-2], row[-2]), _is_rated(row[-1])) for row in rows]
        shown += [one for one in games if is_own or not _has_any(one.summary.players, unwanted)]
        if len(shown) >= limit:
            shown = shown[:limit]
            return shown, shown[-1].summary.finished
        if len(games) < limit:
            return shown, None
        before = games[-1].summary.finished
    return shown, before


def _is_rated(facts: str | None) -> bool:
    """Whether a match counts, by its facts; an operator may have taken it back."""
    return facts is not None and not parse_row(facts).unrated


def partners_of(player: str, *, is_own: bool, unwanted: Collection[str]) -> Script[list[Partner]]:
    """Partners in the last games, those of most games first; nobody who is not known any more."""
    rows = yield (
        f"""
        SELECT games.players, games.score_0, games.score_1, winner, game_players.finished
        FROM game_players JOIN games ON games.id = game WHERE {_seen(is_own=is_own)}
        ORDER BY game_players.finished DESC, game LIMIT ?
        """,
        player,
        inf,
        _PARTNER_GAMES,
    )
    met: dict[str, tuple[int, int, float]] = {}
    for players, ours, theirs, winner, finished in rows:
        ids = json.loads(players)
        seat = ids.index(player)
        partner = ids[(seat + 2) % 4]
        if partner not in ("", player) and not _has_any([partner] if is_own else ids, unwanted):
            games, won, last = met.get(partner, (0, 0, float(finished)))
            is_won = seat % 2 == (int(theirs > ours) if winner is None else winner)
            met[partner] = games + 1, won + is_won, last
    known = yield from known_people(list(met))
    # Sorting keeps the order of those with as many games: the latest first.
    listed = sorted((one for one in met if one in known), key=lambda one: -met[one][0])
    return [Partner(known[one], *met[one]) for one in listed[:_PARTNERS]]


def _has_any(players: Collection[str], unwanted: Collection[str]) -> bool:
    return any(one in unwanted for one in players)


def sheets_of(player: str, *, is_own: bool) -> Script[list[str]]:
    """What was lost in the last games that were reviewed, as it is kept; of very long games fewer."""
    rows = yield (
        f"""
        SELECT sheet FROM game_players WHERE {_seen(is_own=is_own)} AND sheet IS NOT NULL
        ORDER BY finished DESC, game LIMIT ?
        """,
        player,
        inf,
        _SHEET_GAMES,
    )
    written = accumulate((len(sheet) for (sheet,) in rows), initial=0)
    return [sheet for (sheet,), before in zip(rows, written, strict=False) if before < _SHEET_SIGNS]


def keep_sheets(game: str, sheets: Collection[str]) -> Script[None]:
    """Keep what each seat has lost with what else the player did; casual games count in no statistics."""
    rows = yield "SELECT players, finished, casual FROM games WHERE id = ?", game
    for players, finished, casual in rows:
        if casual:
            continue
        kept: set[str] = set()
        for player, sheet in zip(json.loads(players), sheets, strict=True):
            if player and player not in kept:
                kept.add(player)
                query = "UPDATE game_players SET sheet = ? WHERE player = ? AND finished = ? AND game = ?"
                yield query, sheet, player, finished, game


def reviewed_games(after: str, limit: int) -> Script[tuple[list[str], str | None]]:
    """Those of some games with reviews that count and have no sheets, and the last one that was looked at."""
    some = yield "SELECT DISTINCT game FROM reviews WHERE game > ? ORDER BY game LIMIT ?", after, limit
    left = []
    for (game,) in some:
        rows = yield "SELECT players, finished, casual FROM games WHERE id = ?", game
        for players, finished, casual in rows:
            first = next((player for player in json.loads(players) if player), None)
            if casual or first is None:
                continue
            query = "SELECT 1 FROM game_players WHERE player = ? AND finished = ? AND game = ? AND sheet IS NULL"
            if (yield query, first, finished, game):
                left.append(game)
    return left, some[-1][0] if some else None
