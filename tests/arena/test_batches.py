"""Rounds whose decisions are taken in batches come out as if they were played one after the other."""

from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from tests.arena.at_the_table import arena_json, bot_file, played, setup_of, without_times
from tichu.arena import parse_team, plan
from tichu.arena.duel import Chunk, PlayedDeal, chunks, play_chunk
from tichu.arena.setup import Setup
from tichu.core.rules import STANDARD


def without_decision_times(deals: list[PlayedDeal]) -> list[Any]:
    """All but the times."""
    return [
        (deal.number, deal.legs, [[(tally.counts, tally.first_fault) for tally in team] for team in deal.tallies])
        for deal in deals
    ]


def results_of(setup: Setup, *cuts: int) -> list[Any]:
    """What comes of the deals between the cuts, each stretch as one chunk."""
    return [
        one
        for first, last in pairwise(cuts)
        for one in without_decision_times(play_chunk(Chunk(setup, range(first, last), keep_records=True)))
    ]


@pytest.mark.parametrize(
    ("a", "b", "options"),
    [
        ("learned", "heuristic", {}),
        ("learned+greedy", "medium+hard", {}),
        ("learned", "random", {"matches": True, "rules": "standard goal=target:200"}),
    ],
)
def test_what_else_is_in_a_batch_does_not_matter(a: str, b: str, options: dict[str, Any]) -> None:
    batched = setup_of(a, b, in_batches=True, **options)
    at_once = results_of(batched, 0, 3)
    assert at_once == results_of(batched, 0, 1, 3)
    assert at_once == results_of(batched._replace(in_batches=False), 0, 3)


@pytest.mark.parametrize("more", [[], ["--matches", "--rules", "standard goal=target:100"], ["--until", "0:400"]])
def test_the_result_does_not_depend_on_the_number_of_workers(more: list[str]) -> None:
    run = ("learned+random", "heuristic", "--deals", 35 if more[:1] == ["--until"] else 18, "--seed", 9, *more)
    one, two = (without_times(arena_json(*run, "--workers", number)) for number in (1, 2))
    assert one == two


def test_a_longer_run_goes_on_from_a_shorter_one(tmp_path: Path) -> None:
    run, sheet = ("learned", "greedy", "--seed", 3, "--workers", 1), tmp_path / "sheet.jsonl"
    arena_json(*run, "--deals", 5, "--resume", sheet)
    whole = without_times(arena_json(*run, "--deals", 20))
    assert without_times(arena_json(*run, "--deals", 20, "--resume", sheet)) == whole
    before = sheet.read_bytes()
    assert without_times(arena_json(*run, "--deals", 20, "--resume", sheet)) == whole
    assert sheet.read_bytes() == before


def batch_bot(folder: Path, *lines: str) -> str:
    """A bot that takes batches, after what ``lines`` do."""
    spec = bot_file(folder, [])
    path = Path(spec.rpartition(":")[0])
    text = [
        "    @staticmethod",
        "    def act_batch(questions):",
        *(f"        {line}" for line in lines),
        "        return [agent.act(view, legal) for agent, view, legal in questions]",
    ]
    single = path.read_text()
    batched = single.replace("class Bot(GreedyAgent):", "class Bot(GreedyAgent, BatchAgent):")
    path.write_text("from tichu.agents import BatchAgent\n" + batched + "\n".join(text) + "\n")
    return spec


def test_rounds_are_played_in_batches_where_one_bot_gains_and_none_may_be_slow(tmp_path: Path) -> None:
    (tmp_path / "single").mkdir()
    batched, single = batch_bot(tmp_path), bot_file(tmp_path / "single", [])
    pairs = {
        ("learned", "heuristic"): True,
        ("easy", "hard+random"): True,
        (batched, "greedy"): True,
        (batched, "learned"): True,
        ("greedy", "random"): False,
        ("learned", single): False,
        ("learned+process:cat", "learned"): False,
    }
    for names, in_batches in pairs.items():
        [setup] = plan([*map(parse_team, names)], 40, rules=STANDARD, seed=1).setups
        assert setup.in_batches is in_batches, names


def test_chunks_do_not_depend_on_the_number_of_deals() -> None:
    setup = setup_of("learned", "random", in_batches=True)
    assert chunks(setup, 40) == [range(16), range(16, 32), range(32, 40)]
    assert chunks(setup._replace(matches=True), 10) == [range(8), range(8, 10)]


@pytest.mark.parametrize(
    ("line", "fault"),
    [
        ("if self.asked % 3 == 0: raise KeyError('lost my cards')", "crashed"),
        ("if self.asked % 3 == 0: return None", "illegal"),
    ],
)
def test_faults_are_those_of_the_bot_that_made_them(tmp_path: Path, line: str, fault: str) -> None:
    for name in ("good", "bad"):
        (tmp_path / name).mkdir()
    good, bad = batch_bot(tmp_path / "good"), batch_bot(tmp_path / "bad")
    path = Path(bad.rpartition(":")[0])
    path.write_text(path.read_text().replace("self.asked += 1\n", f"self.asked += 1\n        {line}\n"))
    deals = play_chunk(Chunk(setup_of(f"{bad}+{good}", "learned", in_batches=True), range(3)))
    for deal in deals:
        (of_bad, of_good), (learned,) = deal.tallies
        assert sum(of_bad.faults.values()) == of_bad.faults[fault] > 0
        assert of_bad.first_fault.startswith(fault)
        assert not any(of_good.faults.values())
        assert not any(learned.faults.values())
        assert of_bad.decisions > of_bad.faults[fault]


def test_a_batch_that_raises_every_time_loses_nothing_but_time(tmp_path: Path) -> None:
    spec = batch_bot(tmp_path, "raise MemoryError")
    assert [deal.legs for deal in play_chunk(Chunk(setup_of(spec, "random", in_batches=True), range(3)))] == [
        deal.legs for deal in played(setup_of("greedy", "random"), 3)
    ]
