"""What whoever runs a server asks and does, as scripts: people, restrictions, the log of acts, reports."""

from collections.abc import Collection, Sequence
from typing import Final, Literal, NamedTuple

from tichu.server.store.formats import RESULT_COLUMNS
from tichu.server.store.matches import MATCH_COLUMNS, StoredMatch, match_of
from tichu.server.store.scripts import Row, Script

__all__ = [
    "CHAT_DAYS",
    "FoundPerson",
    "StoredAct",
    "StoredReport",
    "StoredSums",
    "acts",
    "change_restriction",
    "close_report",
    "drop_old_reports",
    "find_people",
    "flagged_matches",
    "keep_act",
    "keep_report",
    "report",
    "reports",
    "restriction_of",
    "sums_of_players",
]

#: A report that was dealt with is forgotten after so many days, and with it what was said.
CHAT_DAYS: Final = 90
_DAY_S: Final = 86_400.0
_PERSON: Final = """
    SELECT players.id, players.name, players.kind, accounts.player, players.created, players.seen,
        coalesce(muted, 0), coalesce(banned, 0),
        (SELECT count(*) FROM reports WHERE reported = players.id AND closed = 0)
    FROM players LEFT JOIN accounts ON accounts.player = players.id
    LEFT JOIN restrictions ON restrictions.player = players.id
"""
_REPORT: Final = "id, at, reporter, reported, table_id, game, reason, words, chat, record, closed"


class FoundPerson(NamedTuple):
    """Somebody, as an operator may see them.  Times are seconds since 1970, 0 for never."""

    id: str
    name: str
    kind: str
    account: bool
    created: float
    seen: float
    muted: float
    banned: float
    #: Open ones about them.
    reports: int


class StoredAct(NamedTuple):
    """What an operator has done."""

    id: str
    at: float
    what: str
    #: The player, match or report that it was done to.
    subject: str
    words: str


class StoredReport(NamedTuple):
    """What a player has to say about another, with what was said and played near it."""

    id: str
    at: float
    reporter: str
    reported: str
    table: str
    game: str
    reason: str
    words: str
    #: JSON: a list of what was said.
    chat: str
    #: Rounds as in a record, with ids in the place of names.
    record: str
    #: When it was dealt with, 0 before that.
    closed: float


class StoredSums(NamedTuple):
    """What the counted games of a player add up to."""

    player: str
    games: int
    sums: tuple[int, ...]


# People.


def find_people(text: str, keys: Sequence[str], limit: int) -> Script[list[FoundPerson]]:
    """Whoever has this id, a name that is taken for this one, or one that begins so; accounts come first."""
    known = f"{_PERSON} WHERE players.id = ?"
    if keys:
        marks = ", ".join("?" * len(keys))
        known += f" OR players.id IN (SELECT player FROM account_names WHERE key IN ({marks}))"
    begin = text.replace("\\", "\\\\").replace("%", "\\%").replace("_", "\\_")
    known += " OR lower(players.name) LIKE lower(?) ESCAPE '\\' ORDER BY accounts.player IS NULL, players.seen DESC"
    rows = yield f"{known}, players.id LIMIT ?", text, *keys, f"{begin}%", limit
    return [_person(row) for row in rows]


def _person(row: Row) -> FoundPerson:
    player, name, kind, account, created, seen, muted, banned, count = row
    return FoundPerson(
        *(player, name, kind, account is not None, float(created), float(seen or 0), float(muted), float(banned)),
        reports=int(count),
    )


def restriction_of(player: str) -> Script[tuple[float, float]]:
    """Until when somebody says nothing, and until when they are not let in."""
    rows = yield "SELECT muted, banned FROM restrictions WHERE player = ?", player
    return (float(rows[0][0]), float(rows[0][1])) if rows else (0.0, 0.0)


def change_restriction(
    player: str, act: StoredAct, *, muted: float | None = None, banned: float | None = None
) -> Script[bool]:
    """Restrict somebody until a time, or no longer, and note it; False if there is nobody."""
    if not (yield "SELECT 1 FROM players WHERE id = ?", player):
        return False
    was_muted, was_banned = yield from restriction_of(player)
    yield "DELETE FROM restrictions WHERE player = ?", player
    muted, banned = was_muted if muted is None else muted, was_banned if banned is None else banned
    if muted or banned:
        yield "INSERT INTO restrictions VALUES (?, ?, ?)", player, muted, banned
    yield from keep_act(act)
    return True


# The log of acts.


def keep_act(act: StoredAct) -> Script[None]:
    """Note what was done."""
    yield "INSERT INTO acts VALUES (?, ?, ?, ?, ?)", *act


def acts(subject: str, before: float | None, limit: int) -> Script[list[StoredAct]]:
    """What was done, to somebody or to all, the latest first."""
    wheres = ["subject = ?"] * bool(subject) + ["at < ?"] * (before is not None)
    where = f"WHERE {' AND '.join(wheres)}" if wheres else ""
    values = [*([subject] if subject else []), *([] if before is None else [before])]
    rows = yield f"SELECT id, at, what, subject, words FROM acts {where} ORDER BY at DESC, id LIMIT ?", *values, limit
    return [StoredAct(*row) for row in rows]


# Reports.


def keep_report(
    report: StoredReport, near: Collection[str], most: int, most_of_one: int
) -> Script[Literal["done", "nobody", "too_many"] | list[str]]:
    """Keep a report, unless too many wait, of this person or of all, or one of the two has just gone.

    Nor is it kept if others are named in it who are no longer known: who these are.
    """
    waiting = yield ("SELECT count(*) FROM reports WHERE closed = 0",)
    own = yield "SELECT count(*) FROM reports WHERE closed = 0 AND reporter = ?", report.reporter
    if waiting[0][0] >= most or own[0][0] >= most_of_one:
        return "too_many"
    gone = []
    # Whoever is about to forget one of them elsewhere then waits until this transaction has ended.
    for player in sorted({report.reporter, report.reported, *near}):
        if not (yield "UPDATE players SET name = name WHERE id = ? RETURNING id", player):
            gone.append(player)
    if report.reporter in gone or report.reported in gone:
        return "nobody"
    if gone:
        return gone
    yield f"INSERT INTO reports ({_REPORT}) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)", *report
    return "done"


def reports(*, closed: bool, limit: int) -> Script[list[StoredReport]]:
    """Reports that wait, the oldest first, or those that were dealt with, the latest first."""
    order = "closed <> 0 ORDER BY closed DESC" if closed else "closed = 0 ORDER BY at"
    # What was said is read one by one, and each reading is noted.
    columns = _REPORT.replace("chat, record", "'[]', ''")
    rows = yield f"SELECT {columns} FROM reports WHERE {order}, id LIMIT ?", limit
    return [StoredReport(*row) for row in rows]


def report(number: str, act: StoredAct) -> Script[StoredReport | None]:
    """One report with what was said, and a note that it was read."""
    rows = yield f"SELECT {_REPORT} FROM reports WHERE id = ?", number
    if not rows:
        return None
    yield from keep_act(act)
    return StoredReport(*rows[0])


def close_report(number: str, at: float, act: StoredAct) -> Script[bool]:
    """A report was dealt with; False if there is none that waits."""
    rows = yield "UPDATE reports SET closed = ? WHERE id = ? AND closed = 0 RETURNING id", at, number
    if rows:
        yield from keep_act(act)
    return bool(rows)


def drop_old_reports(now: float) -> Script[None]:
    """Forget reports that were dealt with long ago."""
    yield "DELETE FROM reports WHERE closed <> 0 AND closed < ?", now - CHAT_DAYS * _DAY_S


# What may be worth a look.


def flagged_matches(before: int | None, limit: int) -> Script[list[StoredMatch]]:
    """Rated matches with something that an operator may want to look at, the latest first."""
    until = 2**62 if before is None else before
    # A row without flags is written with an empty list; rules and ids have no quotation marks.
    query = f"""
        SELECT {MATCH_COLUMNS} FROM matches WHERE (facts NOT LIKE ? OR facts LIKE ?) AND at < ?
        ORDER BY at DESC, match LIMIT ?
    """
    rows = yield query, '%"flags":[]%', '%"spared":true%', until, limit
    return [match_of(row) for row in rows]


def sums_of_players(after: str, limit: int, games: int) -> Script[list[StoredSums]]:
    """What the games of players add up to who have at least so many, in the order of their ids."""
    sums = ", ".join(f"sum({name})" for name in RESULT_COLUMNS)
    query = f"""
        SELECT player, count(won), {sums} FROM game_players WHERE player > ? AND player <> '' GROUP BY player
        HAVING count(won) >= ? ORDER BY player LIMIT ?
    """
    rows = yield query, after, games, limit
    return [StoredSums(row[0], int(row[1]), tuple(int(one or 0) for one in row[2:])) for row in rows]
