"""A finished game as it is kept."""

from datetime import UTC, datetime

import msgspec

from tichu.core.record import START, Tags
from tichu.server import log
from tichu.server.log import FinishedGame, GameSummary
from tichu.server.results import counted_rounds, seat_results
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
    if logged.match.start != (0, 0):
        tags = (*tags, (START, tuple(map(str, logged.match.start))))
    if any(result.seed for result in logged.results):
        tags = (
            *tags,
            ("Derivation", tuple(str(result.derivation) if result.seed else "-" for result in logged.results)),
            ("Commit", tuple(result.commit or "-" for result in logged.results)),
            ("Seed", tuple(result.seed or "-" for result in logged.results)),
            ("NonceCommits", tuple("/".join(result.nonce_commits) or "-" for result in logged.results)),
            ("Nonces", tuple("/".join(result.nonces) if result.seed else "-" for result in logged.results)),
        )
    score = logged.match.score
    winner = logged.match.winner
    assert winner is not None
    summary = GameSummary(
        id=logged.game_id,
        table=logged.opened.id,
        finished=now,
        rules=str(logged.rules),
        seats=names,
        players=tuple("" if who is None else who.player or "" for who in logged.seats),
        score=score,
        casual=logged.settings.casual,
        winner=winner,
    )
    header = {"ttn": 1, "rules": str(logged.rules), "seats": names, "tags": dict(tags)}
    lines = [header, *(_round(number, result) for number, result in enumerate(logged.results))]
    record = "".join(msgspec.json.encode(line).decode() + "\n" for line in lines)
    results = seat_results(counted_rounds(logged.results), score, winner)
    return FinishedGame(summary, record, results, is_open=not logged.settings.private)


def _round(number: int, result: log.Result) -> dict[str, object]:
    """As :func:`tichu.core.record.format_jsonl` has it, out of the texts of the log.

    To read all of a long game and write it again would keep other tables waiting.
    """
    assert result.deal is not None
    (first, second), (bonus, other) = result.points, result.bonus
    score = (first + bonus, second + other)
    return {"round": number, "deal": result.deal.split(" / "), "actions": result.actions, "score": score}
