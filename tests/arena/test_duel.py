"""Duplicate deals: fair, repeatable, and unmoved by bots that misbehave."""

import shlex
import sys
from pathlib import Path

import pytest

from tests.arena.at_the_table import bot_file, played, setup_of
from tichu.arena.duel import Chunk, chunks, play_chunk
from tichu.arena.setup import players_at
from tichu.core.deals import Deal
from tichu.core.match import Match
from tichu.core.record import Record, parse_record, replay
from tichu.core.rules import Rules


def records_of(a: str, b: str, rules: str = "standard", *, matches: bool = False) -> tuple[Record, Record]:
    [deal] = play_chunk(Chunk(setup_of(a, b, rules, matches=matches), range(3, 4), keep_records=True))
    return parse_record(deal.legs[0].record), parse_record(deal.legs[1].record)


@pytest.mark.parametrize("bot", ["greedy", "heuristic", "heuristic+greedy"])
def test_a_team_against_itself_ties_on_every_deal(bot: str) -> None:
    for deal in played(setup_of(bot, bot), 5):
        assert deal.points == 0
        # Told from A's side, the second leg is the first one mirrored.
        assert [outcome.points[::-1] for outcome in deal.legs[1].rounds] == [
            outcome.points for outcome in deal.legs[0].rounds
        ]


def test_the_same_deal_twice_comes_out_the_same() -> None:
    setup = setup_of("random", "greedy")
    for first, second in zip(played(setup, 4), played(setup, 4), strict=True):
        assert first.legs == second.legs


def test_another_seed_is_another_run() -> None:
    assert played(setup_of("random", "greedy", seed=1), 1)[0].legs != played(setup_of("random", "greedy"), 1)[0].legs


def test_the_cards_stay_and_the_teams_change_seats() -> None:
    first, second = records_of("greedy", "random")
    assert first.seats == ("greedy", "random", "greedy", "random")
    assert second.seats == ("random", "greedy", "random", "greedy")
    assert [one.deal for one in first.rounds] == [one.deal for one in second.rounds]


def test_a_mixed_team_sits_where_its_name_says() -> None:
    setup = setup_of("heuristic+random", "greedy")
    assert players_at(setup, 0) == ("heuristic", "greedy", "random", "greedy")
    assert players_at(setup, 1) == ("greedy", "heuristic", "greedy", "random")
    [deal] = played(setup, 1)
    assert [[tally.counts["rounds"] for tally in team] for team in deal.tallies] == [[2, 2], [4]]


def test_s7_2_anytime_is_played_in_order_and_the_record_says_so() -> None:
    first, _ = records_of("greedy", "random")
    assert first.rules == Rules(bombs="ordered")
    assert Rules(bombs="in-turn").sequential() == Rules(bombs="in-turn")


@pytest.mark.parametrize("rules", ["standard", "classic", "courtesy", "single-round", "simple", "brettspielwelt"])
def test_records_hold_under_every_preset(rules: str) -> None:
    for record in records_of("greedy", "random", rules):
        assert [len(list(replay(one, record.rules))) for one in record.rounds] != []


def test_s9_a_leg_of_a_run_of_matches_is_a_match_on_the_same_sequence_of_deals() -> None:
    setup = setup_of("greedy", "random", "standard goal=target:500", matches=True)
    [deal] = played(setup, 1)
    for leg in deal.legs:
        assert Match(setup.rules, leg.rounds).winner is not None
        assert Match(setup.rules, leg.rounds[:-1]).winner is None
    deals: list[list[Deal]] = [
        [one.deal for one in record.rounds]
        for record in records_of("greedy", "random", "standard goal=target:500", matches=True)
    ]
    shorter = min(map(len, deals))
    assert shorter > 1
    assert deals[0][:shorter] == deals[1][:shorter]
    assert len(set(deals[0])) == len(deals[0])


def test_points_are_those_of_the_two_legs() -> None:
    for deal in played(setup_of("greedy", "random"), 3):
        (first,), (second,) = (leg.rounds for leg in deal.legs)
        assert deal.points == first.score[0] - first.score[1] + second.score[0] - second.score[1]
        assert deal.rounds == 2


@pytest.mark.parametrize(
    ("line", "fault", "decision_ms"),
    [
        ("if self.asked % 3 == 0: raise KeyError('lost my cards')", "crashed", 10_000),
        ("if self.asked % 3 == 0: sys.exit()", "crashed", 10_000),
        ("if self.asked % 3 == 0: return None", "illegal", 10_000),
        ("if self.asked == 5: time.sleep(60)", "late", 400),
    ],
)
def test_a_bot_that_fails_loses_decisions_and_the_run_goes_on(
    tmp_path: Path, line: str, fault: str, decision_ms: float
) -> None:
    [deal] = played(setup_of(bot_file(tmp_path, [line]), "random", decision_ms=decision_ms), 1)
    (bad,), (good,) = deal.tallies
    assert deal.rounds == 2
    assert bad.faults[fault] > 0
    assert sum(bad.faults.values()) == bad.faults[fault]
    assert not any(good.faults.values())


def test_a_bot_that_cannot_be_made_any_more_loses_every_decision(tmp_path: Path) -> None:
    spec = bot_file(tmp_path, [], init=["if seed: raise MemoryError"])
    [deal] = played(setup_of(spec, "random"), 1)
    (absent,), _ = deal.tallies
    assert absent.faults["crashed"] == absent.decisions > 0


def test_a_program_plays_like_the_bot_it_runs() -> None:
    words = [sys.executable, "-c", "from tichu.cli import main; main()", "bot", "greedy"]
    for deal in played(setup_of(f"process:{shlex.join(words)}", "greedy"), 3):
        assert deal.points == 0
        assert not any(deal.tallies[0][0].faults.values())


def test_a_program_that_ends_at_once_loses_every_decision() -> None:
    words = [sys.executable, "-c", "pass"]
    [deal] = played(setup_of(f"process:{shlex.join(words)}", "random"), 1)
    assert deal.tallies[0][0].faults["crashed"] == deal.tallies[0][0].decisions > 0


def test_programs_stay_for_a_chunk_that_does_not_depend_on_the_number_of_deals() -> None:
    with_program = setup_of("process:cat", "random")
    assert chunks(with_program, 20) == [range(8), range(8, 16), range(16, 20)]
    assert chunks(setup_of("greedy", "random"), 2) == [range(1), range(1, 2)]
