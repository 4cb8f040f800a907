"""A finished game as it is kept."""

from datetime import UTC, datetime

from tichu.actions import parse_action
from tichu.deals import parse_deal
from tichu.record import Record, RoundRecord, Tags, format_jsonl
from tichu.server import entries as log
from tichu.server.step import KeptGame
from tichu.server.table.fold import Fold

__all__ = ["kept_game"]


def kept_game(fold: Fold, now: float) -> KeptGame | None:
    """The game that has just ended, or None if it has no record: it began in the middle of a round."""
    if fold.game_id is None or any(result.deal is None for result in fold.results):
        return None
    names = tuple("" if who is None else who.name for who in fold.seats)
    tags: Tags = (
        ("Date", (datetime.fromtimestamp(now, UTC).date().isoformat(),)),
        ("Bots", tuple("" if who is None else who.bot or "" for who in fold.seats)),
    )
    if any(result.seed for result in fold.results):
        tags = (
            *tags,
            ("Commit", tuple(result.commit or "-" for result in fold.results)),
            ("Seed", tuple(result.seed or "-" for result in fold.results)),
            ("Nonces", tuple("/".join(result.nonces) if result.seed else "-" for result in fold.results)),
        )
    record = Record(fold.rules, tuple(_round(result) for result in fold.results), names, tags)
    return KeptGame(
        id=fold.game_id,
        table=fold.opened.id,
        finished=now,
        rules=str(fold.rules),
        seats=names,
        players=tuple("" if who is None else who.player or "" for who in fold.seats),
        score=fold.match.score,
        casual=fold.settings.casual,
        record=format_jsonl(record),
    )


def _round(result: log.Result) -> RoundRecord:
    assert result.deal is not None
    (first, second), (bonus, other) = result.points, result.bonus
    actions = tuple(parse_action(text) for text in result.actions)
    return RoundRecord(parse_deal(result.deal), actions, (first + bonus, second + other))
