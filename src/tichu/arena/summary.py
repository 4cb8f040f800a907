"""What a series of deals says about its two teams.

Where whole matches were played, ``match_wins`` is counted.  Where single rounds were, each from 0:0, it is an estimate:
the rounds of each leg are cut in their order into matches to the goal, the unfinished last one is dropped, and nobody
has played to the score.  Too few rounds for one match give None.
"""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from tichu.arena.duel import Leg, PlayedDeal
from tichu.arena.intervals import Bounds, Sprt, bootstrap, interval, ratio
from tichu.arena.seeds import seed_of
from tichu.arena.setup import Setup
from tichu.arena.statistics import PEOPLE, Rates, Tally
from tichu.core.match import Match

__all__ = ["Summary", "summarise", "summary_json"]


class Summary(NamedTuple):
    """A series as figures: points and matches are A's, over B."""

    setup: Setup
    deals: int
    rounds: int
    points_per_round: float
    ci95: tuple[float, float]
    #: The points a round in each resample of the deals.
    resamples: tuple[float, ...]
    matches: int
    match_wins: float | None
    match_wins_ci95: tuple[float, float] | None
    #: Per team, and there per kind of bot.
    tallies: tuple[tuple[Tally, ...], ...]
    #: The test that was to end the series early.
    test: Sprt | None = None

    def team_tally(self, side: int) -> Tally:
        """All players of a team."""
        return Tally.total(self.tallies[side])

    def table_tally(self) -> Tally:
        """All four players."""
        return Tally.total((self.team_tally(0), self.team_tally(1)))


def summarise(setup: Setup, played: Sequence[PlayedDeal], bounds: Bounds | None = None) -> Summary:
    """Add up a series of at least one deal."""
    points, rounds = [one.points for one in played], [one.rounds for one in played]
    seed = seed_of("bootstrap", setup.seed)
    resamples = bootstrap(points, rounds, seed)
    match_wins: float | None
    if setup.matches:
        # A match that has no winner counts half.
        wins = [sum(_match_result(setup, leg) for leg in one.legs) / 2 for one in played]
        matches, match_wins = 2 * len(wins), ratio(wins, [1] * len(wins))
        match_wins_ci95 = interval(bootstrap(wins, [1] * len(wins), seed))
    else:
        results = [result for leg in range(2) for result in _cut_matches(setup, [one.legs[leg] for one in played])]
        matches, match_wins_ci95 = len(results), None
        match_wins = sum(results) / matches if matches else None
    test = None
    if bounds is not None:
        test = Sprt(bounds)
        for one in played:
            test.add(one.points / one.rounds)
    return Summary(
        setup,
        len(played),
        sum(rounds),
        ratio(points, rounds),
        interval(resamples),
        tuple(resamples),
        matches,
        match_wins,
        match_wins_ci95,
        tuple(_sum(one.tallies[side] for one in played) for side in range(2)),
        test,
    )


def _match_result(setup: Setup, leg: Leg) -> float:
    """1 if A has won the match, 0 if B, 0.5 if nobody."""
    winner = Match(setup.rules.sequential(), leg.rounds).winner
    return 0.5 if winner is None else 1.0 - winner


def _cut_matches(setup: Setup, legs: Sequence[Leg]) -> Iterator[float]:
    match = Match(setup.rules)
    for leg in legs:
        for outcome in leg.rounds:
            match = match.after(outcome)
            if match.winner is not None:
                yield 1.0 - match.winner
                match = Match(setup.rules)


def _sum(tallies: Iterator[tuple[Tally, ...]]) -> tuple[Tally, ...]:
    return tuple(map(Tally.total, zip(*tallies, strict=True)))


def summary_json(summary: Summary) -> dict[str, object]:
    """For programs."""
    teams = {"a": summary.team_tally(0), "b": summary.team_tally(1)}
    rates = {name: tally.rates() for name, tally in teams.items()}
    rates |= {"table": summary.table_tally().rates(teams=2), "people": PEOPLE}
    setup = summary.setup
    return {
        "a": setup.teams[0].text,
        "b": setup.teams[1].text,
        "rules": str(setup.rules.sequential()),
        "seed": setup.seed,
        "unit": "match" if setup.matches else "round",
        "deals": summary.deals,
        "rounds": summary.rounds,
        "points_per_round": summary.points_per_round,
        "ci95": summary.ci95,
        "matches": summary.matches,
        "match_wins": summary.match_wins,
        "match_wins_ci95": summary.match_wins_ci95,
        "match_wins_estimated": not setup.matches,
        "calls": {name: _calls_json(rate) for name, rate in rates.items()},
        "double_victories": {name: rate.double_victories for name, rate in rates.items()},
        "bombs": {name: rate.bombs for name, rate in rates.items()},
        "plays_and_passes": {name: rate.plays_and_passes for name, rate in rates.items()},
        "ms_per_decision": {name: _time_json(tally) for name, tally in teams.items()},
        "faults": {name: tally.faults for name, tally in teams.items()},
        "players": [
            {
                "team": name,
                "bot": bot,
                "ms_per_decision": _time_json(tally),
                "faults": tally.faults,
                "first_fault": tally.first_fault or None,
            }
            for name, team, tallies in zip("ab", setup.teams, summary.tallies, strict=True)
            for bot, tally in zip(team.kinds, tallies, strict=True)
        ],
        "until": None if summary.test is None else _test_json(summary.test),
    }


def _calls_json(rates: Rates) -> dict[str, object]:
    return {
        "tichu": {"per_round": rates.tichu, "made": rates.tichu_made},
        "grand": {"per_round": rates.grand, "made": rates.grand_made},
    }


def _time_json(tally: Tally) -> dict[str, object]:
    return {"median": tally.milliseconds(0.5), "p99": tally.milliseconds(0.99), "decisions": tally.decisions}


def _test_json(test: Sprt) -> dict[str, object]:
    return {**test.bounds._asdict(), "evidence": test.evidence, "answer": test.answer}
