"""A finished game in every form that it can be asked for; each takes a while and is made in a background process."""

import gzip

from tichu.core.actions import format_action
from tichu.core.deals import format_deal
from tichu.core.errors import GameError
from tichu.core.record import Record, format_record, read_jsonl
from tichu.core.rules import Rules
from tichu.formats.bsw import can_express, format_tch
from tichu.server.http.replay import replay_views
from tichu.server.http.responses import Failure
from tichu.server.log import FinishedGame, GameSummary
from tichu.server.results import winner_of
from tichu.server.wire import ENCODER
from tichu.server.wire.requests import GameFile, GameInfo, GameViews, RoundFile

__all__ = ["game_info", "json_file", "tch_file", "ttn_file", "views_file"]


def game_info(game: GameSummary, winner: int) -> GameInfo:
    """What is told about a game in lists."""
    return GameInfo(
        id=game.id,
        table=game.table,
        finished=round(game.finished * 1000),
        rules=game.rules,
        seats=game.seats,
        players=game.players,
        score=game.score,
        winner=winner,
        casual=game.casual,
        has_tch=can_express(Rules.parse(game.rules)),
    )


def ttn_file(game: FinishedGame) -> bytes:
    """The game as TTN."""
    return format_record(_record(game)).encode("utf-8", "replace")


def tch_file(game: FinishedGame) -> bytes:
    """The game as a log of BrettspielWelt.

    :raises Failure: such a log cannot express its rules
    """
    try:
        return format_tch(_record(game)).encode("utf-8", "replace")
    except GameError as error:
        raise Failure(409, "not_writable", f"this game cannot be written as .tch: {error}") from None


def json_file(game: FinishedGame) -> bytes:
    """The game with everything in it."""
    record = _record(game)
    rounds = tuple(
        RoundFile(
            deal=tuple(format_deal(one.deal).split(" / ")),
            actions=tuple(format_action(*action) for action in one.actions),
            score=one.score,
        )
        for one in record.rounds
    )
    info = game_info(game.summary, winner_of(game))
    return ENCODER.encode(GameFile(game=info, tags=dict(record.tags), rounds=rounds))


def views_file(game: FinishedGame, seat: int | None, only: int | None, is_gzipped: bool) -> bytes:
    """The game as a seat saw it, one view for every action.

    :raises Failure: there is no such round
    """
    record = _record(game)
    if only is not None and only >= len(record.rounds):
        raise Failure(404, "no_such_round", f"the game has {len(record.rounds)} rounds, counted from 0")
    info = game_info(game.summary, winner_of(game))
    rounds = replay_views(record, seat, only)
    data = ENCODER.encode(GameViews(game=info, tags=dict(record.tags), seat=seat, rounds=rounds))
    return gzip.compress(data, 5) if is_gzipped else data


def _record(game: FinishedGame) -> Record:
    return read_jsonl(game.record).record()
