"""A whole run: every pair of teams plays its deals, and what is finished is written down at once."""

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from tichu.agents.registry import make_agent
from tichu.arena.duel import PlayedDeal
from tichu.arena.intervals import Bounds
from tichu.arena.pool import Pool
from tichu.arena.ratings import pairs_of
from tichu.arena.records import record_path
from tichu.arena.resume import ScoreSheet
from tichu.arena.series import play_series
from tichu.arena.setup import DECISION_MS, Setup
from tichu.arena.teams import Team
from tichu.errors import GameError
from tichu.rules import Rules

__all__ = ["Tournament", "play_tournament", "plan"]


class Tournament(NamedTuple):
    """What is to be played."""

    teams: tuple[Team, ...]
    #: One for each pair of teams, in the order of :func:`~tichu.arena.ratings.pairs_of`.
    setups: tuple[Setup, ...]
    deals: int
    bounds: Bounds | None = None


def plan(
    teams: Sequence[Team],
    deals: int,
    *,
    rules: Rules,
    seed: int,
    matches: bool = False,
    decision_ms: float = DECISION_MS,
    bounds: Bounds | None = None,
) -> Tournament:
    """Everybody against everybody, on the same deals.

    :raises GameError: there are not two teams or not one deal, or a bot cannot be had
    """
    if len(teams) < 2:
        raise GameError("an arena takes two bots or more")
    if deals < 1:
        raise GameError(f"at least one deal is played, not {deals}")
    if not decision_ms > 0:
        raise GameError(f"a decision takes some time, not {decision_ms:g} ms")
    for player in dict.fromkeys(player for team in teams for player in team.players):
        make_agent(player).close()
    setups = tuple(Setup((teams[a], teams[b]), rules, seed, matches, decision_ms) for a, b in pairs_of(teams))
    return Tournament(tuple(teams), setups, deals, bounds)


def play_tournament(
    tournament: Tournament, pool: Pool, *, sheet: ScoreSheet | None = None, records: Path | None = None
) -> Iterator[tuple[int, PlayedDeal]]:
    """Finished deals, each with the place of its pair."""
    for pair, setup in enumerate(tournament.setups):
        finished: Mapping[int, PlayedDeal] = {} if sheet is None else sheet.finished[pair]
        if records is not None:
            # A deal whose record is missing is played again: it comes out the same.
            finished = {
                number: played
                for number, played in finished.items()
                if all(record_path(records, setup, number, leg).exists() for leg in range(2))
            }
        series = play_series(
            setup,
            tournament.deals,
            pool,
            finished=finished,
            bounds=tournament.bounds,
            keep_records=records is not None,
        )
        for played in series:
            if records is not None:
                _write_records(records, setup, played)
            if sheet is not None:
                sheet.add(pair, played)
            yield pair, played


def _write_records(folder: Path, setup: Setup, played: PlayedDeal) -> None:
    for number, leg in enumerate(played.legs):
        if leg.record:
            path = record_path(folder, setup, played.number, number)
            path.write_text(leg.record, encoding="utf-8", newline="\n")
