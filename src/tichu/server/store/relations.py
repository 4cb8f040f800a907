"""Who follows whom, who wants to have nothing to do with whom, and who has played with whom, as scripts."""

import json
from collections.abc import Iterable, Sequence
from typing import Final, Literal, NamedTuple

from tichu.server.log import SeatResult
from tichu.server.store.formats import RESULT_COLUMNS
from tichu.server.store.rows import totals_of
from tichu.server.store.scripts import Script

__all__ = [
    "KnownPerson",
    "Outcome",
    "RecentPerson",
    "Relation",
    "block",
    "blocked_by",
    "blocks_of",
    "everybodys_results",
    "follow",
    "followers_of",
    "forget_relations",
    "known_people",
    "listed_people",
    "person",
    "recent_people",
    "relation_to",
    "settle_lists",
    "unblock",
    "unfollow",
]

#: How many somebody may follow, and how many they may block.
MOST: Final = 500
#: Games looked at for those whom somebody has met lately, and how many of these are told.
_RECENT_GAMES: Final = 60
_RECENT: Final = 40

Outcome = Literal["done", "nobody", "blocked", "too_many"]
List = Literal["follows", "blocks"]


class KnownPerson(NamedTuple):
    """Somebody as everybody may know them."""

    id: str
    name: str
    kind: str
    account: bool
    created: float


class Relation(NamedTuple):
    """What one person thinks of another."""

    follows: bool
    blocks: bool
    #: Whether the other does.
    is_followed: bool
    is_blocked: bool


class RecentPerson(NamedTuple):
    """Somebody with whom one has played."""

    who: KnownPerson
    #: When they last played together, in seconds since 1970.
    last: float
    #: In how many of the games that were looked at they were a partner, and an opponent.
    partner: int
    opponent: int


_PERSON: Final = "players.id, players.name, players.kind, accounts.player, players.created"
_PEOPLE: Final = f"SELECT {_PERSON} FROM players LEFT JOIN accounts ON accounts.player = players.id"


def person(player: str) -> Script[KnownPerson | None]:
    """Somebody by their public id."""
    rows = yield f"{_PEOPLE} WHERE players.id = ?", player
    return _person(*rows[0]) if rows else None


def _person(player: str, name: str, kind: str, account: str | None, created: float) -> KnownPerson:
    return KnownPerson(player, name, kind, account is not None, float(created))


def relation_to(player: str, other: str) -> Script[Relation]:
    """What somebody thinks of another."""
    found: list[bool] = []
    for one, two in ((player, other), (other, player)):
        for table in ("follows", "blocks"):
            rows = yield f"SELECT 1 FROM {table} WHERE player = ? AND other = ?", one, two
            found.append(bool(rows))
    follows, blocks, is_followed, is_blocked = found
    return Relation(follows, blocks, is_followed, is_blocked)


def blocks_of(player: str) -> Script[frozenset[str]]:
    """With whom somebody is never brought together: whom they block, and who blocks them."""
    rows = yield "SELECT other FROM blocks WHERE player = ?", player
    others = yield "SELECT player FROM blocks WHERE other = ?", player
    return frozenset(one for (one,) in (*rows, *others))


def blocked_by(player: str) -> Script[frozenset[str]]:
    """Whom somebody has blocked."""
    rows = yield "SELECT other FROM blocks WHERE player = ?", player
    return frozenset(one for (one,) in rows)


def follow(player: str, other: str, at: float) -> Script[Outcome]:
    """Follow somebody.  Whoever has blocked the one who asks is not there for them."""
    outcome = yield from _check(player, other, "follows")
    relation = yield from relation_to(player, other)
    if outcome == "nobody" or relation.is_blocked:
        return "nobody"
    if relation.blocks:
        return "blocked"
    if outcome == "done":
        yield "INSERT INTO follows VALUES (?, ?, ?) ON CONFLICT DO NOTHING", player, other, at
    return outcome


def block(player: str, other: str, at: float) -> Script[Outcome]:
    """Have nothing to do with somebody; nobody of the two follows the other any more."""
    outcome = yield from _check(player, other, "blocks")
    if outcome == "done":
        yield "INSERT INTO blocks VALUES (?, ?, ?) ON CONFLICT DO NOTHING", player, other, at
        yield from unfollow(player, other)
        yield from unfollow(other, player)
    return outcome


def _check(player: str, other: str, table: List) -> Script[Outcome]:
    if player == other or not (yield "SELECT 1 FROM players WHERE id = ?", other):
        return "nobody"
    rows = yield f"SELECT count(*) FROM {table} WHERE player = ? AND other <> ?", player, other
    return "too_many" if rows[0][0] >= MOST else "done"


def unfollow(player: str, other: str) -> Script[None]:
    """Follow somebody no longer."""
    yield "DELETE FROM follows WHERE player = ? AND other = ?", player, other


def unblock(player: str, other: str) -> Script[None]:
    """Have to do with somebody again."""
    yield "DELETE FROM blocks WHERE player = ? AND other = ?", player, other


def settle_lists(player: str) -> Script[None]:
    """What holds for all lists, where those of two have become one: of too many the latest stay."""
    for table in ("follows", "blocks"):
        late = f"SELECT other FROM {table} WHERE player = ? ORDER BY at DESC, other LIMIT ? OFFSET ?"
        yield f"DELETE FROM {table} WHERE player = ? AND other IN ({late})", player, player, MOST, MOST
    # Nobody of a block follows the other.
    apart = "SELECT other FROM blocks WHERE player = ? UNION SELECT player FROM blocks WHERE other = ?"
    yield f"DELETE FROM follows WHERE player = ? AND other IN ({apart})", player, player, player
    yield f"DELETE FROM follows WHERE other = ? AND player IN ({apart})", player, player, player


def forget_relations(players: Sequence[str]) -> Script[None]:
    """Those of these who are no longer known follow and block nobody, nor does anybody follow or block them."""
    marks = ", ".join("?" * len(players))
    known = {player for (player,) in (yield f"SELECT id FROM players WHERE id IN ({marks})", *players)}
    if not (gone := [player for player in players if player not in known]):
        return
    marks = ", ".join("?" * len(gone))
    for table in ("follows", "blocks"):
        for column in ("player", "other"):
            yield f"DELETE FROM {table} WHERE {column} IN ({marks})", *gone
    yield f"DELETE FROM restrictions WHERE player IN ({marks})", *gone


def listed_people(player: str, table: List) -> Script[list[KnownPerson]]:
    """Whom somebody follows or blocks, the latest first."""
    rows = yield (
        f"SELECT {_PERSON} FROM {table} JOIN players ON players.id = {table}.other "
        f"LEFT JOIN accounts ON accounts.player = players.id WHERE {table}.player = ? ORDER BY at DESC, players.id",
        player,
    )
    return [_person(*row) for row in rows]


def followers_of(player: str) -> Script[int]:
    """How many follow somebody."""
    rows = yield "SELECT count(*) FROM follows WHERE other = ?", player
    return int(rows[0][0])


def recent_people(player: str) -> Script[list[RecentPerson]]:
    """With whom somebody has played lately, the latest first; nobody with whom one of the two wants nothing to do."""
    games = yield (
        "SELECT games.players, games.finished FROM game_players JOIN games ON games.id = game WHERE player = ? "
        "ORDER BY game_players.finished DESC, game LIMIT ?",
        player,
        _RECENT_GAMES,
    )
    met = _met(player, [(json.loads(players), float(finished)) for players, finished in games])
    unwanted = yield from blocks_of(player)
    known = yield from known_people([one for one in met if one not in unwanted])
    return [RecentPerson(known[one], *met[one]) for one in met if one in known][:_RECENT]


def _met(player: str, games: Iterable[tuple[list[str], float]]) -> dict[str, tuple[float, int, int]]:
    """By person: when last, and how often as partner and as opponent.

    >>> _met("a", [(["a", "b", "", "c"], 2.0), (["b", "", "a", ""], 1.0)])
    {'b': (2.0, 1, 1), 'c': (2.0, 0, 1)}
    """
    met: dict[str, tuple[float, int, int]] = {}
    for players, finished in games:
        own = players.index(player)
        for seat, other in enumerate(players):
            if not other or other == player:
                continue
            last, partner, opponent = met.get(other, (finished, 0, 0))
            is_partner = (seat - own) % 2 == 0
            met[other] = last, partner + is_partner, opponent + (not is_partner)
    return met


def known_people(players: Sequence[str]) -> Script[dict[str, KnownPerson]]:
    """Those of some ids who are still known."""
    if not players:
        return {}
    marks = ", ".join("?" * len(players))
    rows = yield f"{_PEOPLE} WHERE players.id IN ({marks})", *players
    return {row[0]: _person(*row) for row in rows}


def everybodys_results() -> Script[tuple[int, SeatResult]]:
    """What all counted games add up to, player by player; those that were forgotten since are among them."""
    sums = ", ".join(f"sum({name})" for name in ("games", *RESULT_COLUMNS))
    rows = yield (f"SELECT {sums} FROM totals",)
    return totals_of(rows[0])
