"""What players report: one report keeps what was said and played near it, for the operator and nobody else."""

import json
import secrets
import time
from collections.abc import Iterable, Sequence
from typing import Final, NamedTuple

import msgspec

from tichu.ratings import is_anonymous, stand_in
from tichu.server import log
from tichu.server.lobby import Lobby
from tichu.server.log import FinishedGame
from tichu.server.people import FORMER
from tichu.server.rate_limit import RateLimiter
from tichu.server.store import StoredTable
from tichu.server.store.erasing import respoken
from tichu.server.store.operator import StoredReport, keep_report
from tichu.server.store.relations import person

__all__ = ["NoReport", "Reports", "Told"]

#: Reports that may wait, of all and of one person.
_WAITING: Final = 2000
_WAITING_OF_ONE: Final = 20
#: Lines that are kept, the latest, and signs of a record, the last rounds.
_LINES: Final = 60
_RECORD_SIGNS: Final = 100_000
_MINUTE_S: Final = 60.0


class NoReport(Exception):
    """It cannot be kept; says what of it is wrong."""


class Told(NamedTuple):
    """What somebody says about another."""

    reporter: str
    reported: str
    reason: str
    words: str
    table: str
    game: str


class Reports:
    """Where reports come in."""

    def __init__(self, lobby: Lobby) -> None:
        self._lobby = lobby
        limits = lobby.config.limits
        self._limiter = RateLimiter(limits.report_rate / _MINUTE_S, limits.report_burst)

    async def keep(self, told: Told, address: str) -> str:
        """Keep a report; its id.

        :raises NoReport: it cannot be kept
        """
        now = time.monotonic()
        if not self._limiter.take(told.reporter, now) or not self._limiter.take(f"address {address}", now):
            self._lobby.metrics.guarded.labels("reports").inc()
            raise NoReport("too_fast")
        if told.reporter == told.reported:
            raise NoReport("yourself")
        store = self._lobby.store
        if await store.read(person, told.reported) is None:
            raise NoReport("player")
        game = await store.game(told.game) if told.game else None
        if told.game and game is None:
            raise NoReport("game")
        where = told.table or (game.summary.table if game else "")
        table = await store.table(where) if where else None
        if told.table and table is None:
            raise NoReport("table")
        entries = [] if table is None else [log.decode(entry) for entry in table.entries]
        record = _finished(game) if game is not None else "" if table is None else _running(table, entries)
        number = secrets.token_urlsafe(9)
        report = StoredReport(
            *(number, self._lobby.time(), told.reporter, told.reported, where, told.game, told.reason, told.words),
            chat=json.dumps(list(_said(entries))[-_LINES:], ensure_ascii=False),
            record=record,
            closed=0.0,
        )
        text = report.chat + record
        near = {player for player in _named(game, entries) if player in text}
        while isinstance(done := await store.write(keep_report, report, near, _WAITING, _WAITING_OF_ONE), list):
            # Nothing would replace them any more if they were forgotten after this was read.
            near -= set(done)
            for player in done:
                report = _without(report, player)
        if done != "done":
            raise NoReport("player" if done == "nobody" else done)
        return number


def _said(entries: Iterable[log.Entry]) -> Iterable[dict[str, object]]:
    for one in entries:
        if isinstance(one, log.ChatEntry | log.EmoteEntry):
            text = one.text if isinstance(one, log.ChatEntry) else f":{one.emote}:"
            yield {"at": round(1000 * one.at), "player": one.player, "name": one.name, "text": text}


def _named(game: FinishedGame | None, entries: Iterable[log.Entry]) -> set[str]:
    """Who is named where a report comes from."""
    named = set(() if game is None else game.summary.players)
    for one in entries:
        if isinstance(one, log.ChatEntry | log.EmoteEntry):
            named.add(one.player)
        elif isinstance(one, log.Checkpoint | log.SeatEntry):
            named.update(who.player for who in one.seats if who is not None and who.player is not None)
    return {player for player in named if player and not is_anonymous(player)}


def _without(report: StoredReport, player: str) -> StoredReport:
    former = stand_in(secrets.token_bytes(16))
    chat = respoken(report.chat, player, former, FORMER)
    return report._replace(chat=chat, record=report.record.replace(player, former))


def _finished(game: FinishedGame) -> str:
    first, _, rounds = game.record.partition("\n")
    header = json.loads(first)
    ids = [player or name for player, name in zip(game.summary.players, game.summary.seats, strict=True)]
    return _lines({**header, "seats": ids}, rounds.splitlines())


def _running(table: StoredTable, entries: Sequence[log.Entry]) -> str:
    """The finished rounds of the game in progress, and what the round in progress has so far."""
    seats: Sequence[log.Occupant | None] = ()
    rounds: list[dict[str, object]] = []
    for one in entries:
        if isinstance(one, log.Checkpoint | log.SeatEntry):
            seats = one.seats
        if isinstance(one, log.Checkpoint):
            rounds = [
                {"round": number, "deal": result.deal, "actions": result.actions}
                for number, result in enumerate(one.results)
            ]
        elif isinstance(one, log.DealEntry):
            rounds.append({"round": one.round, "deal": one.deal or one.position, "actions": list(one.actions)})
        elif isinstance(one, log.ActionEntry) and rounds:
            actions = rounds[-1]["actions"]
            if isinstance(actions, list):
                actions.append(one.action)
    ids = ["" if who is None else who.player or who.bot or "" for who in seats]
    return _lines({"table": table.id, "seats": ids}, [msgspec.json.encode(one).decode() for one in rounds])


def _lines(header: dict[str, object], rounds: Sequence[str]) -> str:
    """The last rounds that there is room for, after the header."""
    kept: list[str] = []
    signs = 0
    for line in reversed(rounds):
        signs += len(line) + 1
        if signs > _RECORD_SIGNS:
            break
        kept.append(line)
    return "\n".join([msgspec.json.encode(header).decode(), *reversed(kept)]) + "\n"
