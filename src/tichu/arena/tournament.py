"""A whole run: every pair of teams plays its deals, and what is finished is written down at once."""

import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import redirect_stdout
from pathlib import Path
from typing import NamedTuple

from tichu.agents.guard import Guarded
from tichu.agents.registry import AGENTS, make_agent
from tichu.arena.duel import PlayedDeal
from tichu.arena.intervals import Bounds
from tichu.arena.ratings import pairs_of
from tichu.arena.records import name_in_errors, record_path
from tichu.arena.resume import ScoreSheet
from tichu.arena.series import play_series
from tichu.arena.setup import DECISION_MS, Setup, check_decision_ms
from tichu.arena.teams import Team
from tichu.core.errors import GameError
from tichu.core.rules import Rules
from tichu.parallel import Pool

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

    :raises GameError: there are not two teams or not one deal, the time is not a time, or a bot cannot be had
    """
    if len(teams) < 2:
        raise GameError("an arena takes two bots or more")
    if deals < 1:
        raise GameError(f"at least one deal is played, not {deals}")
    check_decision_ms(decision_ms)
    batched = _take_batches(dict.fromkeys(player for team in teams for player in team.players))
    setups = []
    for pair in pairs_of(teams):
        a, b = (teams[place] for place in pair)
        in_batches = _plays_in_batches({*a.players, *b.players}, batched)
        setups.append(Setup((a, b), rules, seed, matches, decision_ms, in_batches))
    return Tournament(tuple(teams), tuple(setups), deals, bounds)


def _take_batches(players: Iterable[str]) -> set[str]:
    """The bots that take batches; all are made once, to see whether they can be had."""
    found = set()
    with redirect_stdout(sys.stderr):  # As while they play.
        for player in players:
            agent = make_agent(player)
            if agent.takes_batches:
                found.add(player)
            Guarded(agent).close()
    return found


def _plays_in_batches(players: set[str], batched: set[str]) -> bool:
    # With a stranger that may be slow, many deals that end at the same time would be long in coming.
    return not players.isdisjoint(batched) and players <= {*batched, *AGENTS}


def play_tournament(
    tournament: Tournament, pool: Pool, *, sheet: ScoreSheet | None = None, records: Path | None = None
) -> Iterator[tuple[int, PlayedDeal]]:
    """Finished deals, each with the place of its pair."""
    # Pairs whose teams look alike once they are cut down to a file name are told apart by their number.
    names = {record_path(Path(), setup, 0, leg).name.lower() for setup in tournament.setups for leg in range(2)}
    are_alike = len(names) < 2 * len(tournament.setups)
    for pair, setup in enumerate(tournament.setups):
        mark = f"pair-{pair + 1}-" if are_alike else ""
        finished: Mapping[int, PlayedDeal] = {} if sheet is None else sheet.finished[pair]
        if records is not None:
            # A deal whose record is missing is played again: it comes out the same.
            finished = {
                number: played
                for number, played in finished.items()
                if all(record_path(records, setup, number, leg, mark).exists() for leg in range(2))
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
                _write_records(records, setup, played, mark)
            if sheet is not None:
                sheet.add(pair, played)
            yield pair, played


def _write_records(folder: Path, setup: Setup, played: PlayedDeal, mark: str) -> None:
    for number, leg in enumerate(played.legs):
        if leg.record:
            path = record_path(folder, setup, played.number, number, mark)
            with name_in_errors(path):
                path.write_text(leg.record, encoding="utf-8", newline="\n")
