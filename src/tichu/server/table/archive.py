"""A finished game as it is kept."""

from datetime import UTC, datetime

from tichu.core.actions import parse_action
from tichu.core.deals import parse_deal
from tichu.core.record import Record, RoundRecord, Tags, format_jsonl
from tichu.server import log
from tichu.server.log import FinishedGame, GameSummary
from tichu.server.table.state import LoggedState

__all__ = ["finished_game"]


def finished_game(logged: LoggedState, now: float) -> FinishedGame | None:
    """The game that has just ended, or None if it has no record: it began in the middle of a round."""
    if logged.game_id is None or any(result.deal is None for result in logged.results):
        return None
    names = tuple("" if who is None else who.name for who in logged.seats)
    tags: Tags = (
        ("Date", (datetime.fromtimestamp(now, UTC).date().isoformat(),)),
        ("Bots", tuple("" if who is None else who.bot or "" for who in logged.seats)),
    )
    if any(result.seed for result in logged.results):
        tags = (
            *tags,
            ("Derivation", tuple(str(result.derivation) if result.seed else "-" for result in logged.results)),
            ("Commit", tuple(result.commit or "-" for result in logged.results)),
            ("Seed", tuple(result.seed or "-" for result in logged.results)),
            ("NonceCommits", tuple("/".join(result.nonce_commits) or "-" for result in logged.results)),
            ("Nonces", tuple("/".join(result.nonces) if result.seed else "-" for result in logged.results)),
        )
    record = Record(logged.rules, tuple(_round(result) for result in logged.results), names, tags)
    summary = GameSummary(
        id=logged.game_id,
        table=logged.opened.id,
        finished=now,
        rules=str(logged.rules),
        seats=names,
        players=tuple("" if who is None else who.player or "" for who in logged.seats),
        score=logged.match.score,
        casual=logged.settings.casual,
    )
    return FinishedGame(summary, format_jsonl(record))


def _round(result: log.Result) -> RoundRecord:
    assert result.deal is not None
    (first, second), (bonus, other) = result.points, result.bonus
    actions = tuple(parse_action(text) for text in result.actions)
    return RoundRecord(parse_deal(result.deal), actions, (first + bonus, second + other))
