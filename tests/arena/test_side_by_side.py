"""Rounds that are played side by side come out as if they were played one after the other."""

from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from tests.arena.at_the_table import arena_json, bot_file, played, setup_of, without_times
from tichu.arena import parse_team, plan
from tichu.arena.duel import PlayedDeal, Sitting, play_sitting, sittings
from tichu.arena.setup import Setup
from tichu.core.rules import STANDARD


def told(deals: list[PlayedDeal]) -> list[Any]:
    """All but the times."""
    return [
        (deal.number, deal.legs, [[(tally.counts, tally.first_fault) for tally in team] for team in deal.tallies])
        for deal in deals
    ]


def sat(setup: Setup, *cuts: int) -> list[Any]:
    """What comes of the deals between the cuts, each stretch at one sitting."""
    return [
        one
        for first, last in pairwise(cuts)
        for one in told(play_sitting(Sitting(setup, range(first, last), keep_records=True)))
    ]


@pytest.mark.parametrize(
    ("a", "b", "options"),
    [
        ("learned", "heuristic", {}),
        ("learned+greedy", "medium+hard", {}),
        ("learned", "random", {"matches": True, "rules": "standard goal=target:200"}),
    ],
)
def test_the_company_does_not_matter(a: str, b: str, options: dict[str, Any]) -> None:
    together = setup_of(a, b, side_by_side=True, **options)
    at_once = sat(together, 0, 3)
    assert at_once == sat(together, 0, 1, 3)
    assert at_once == sat(together._replace(side_by_side=False), 0, 3)


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


def bot_of_company(folder: Path, *lines: str) -> str:
    """A bot that answers together with others of its kind, after what ``lines`` do."""
    spec = bot_file(folder, [])
    path = Path(spec.rpartition(":")[0])
    text = [
        "    @staticmethod",
        "    def act_together(questions):",
        *(f"        {line}" for line in lines),
        "        return [agent.act(view, legal) for agent, view, legal in questions]",
    ]
    path.write_text(path.read_text() + "\n".join(text) + "\n")
    return spec


def test_bots_are_played_side_by_side_where_one_gains_and_none_may_be_slow(tmp_path: Path) -> None:
    (tmp_path / "loner").mkdir()
    company, loner = bot_of_company(tmp_path), bot_file(tmp_path / "loner", [])
    pairs = {
        ("learned", "heuristic"): True,
        ("easy", "hard+random"): True,
        (company, "greedy"): True,
        (company, "learned"): True,
        ("greedy", "random"): False,
        ("learned", loner): False,
        ("learned+process:cat", "learned"): False,
    }
    for names, side_by_side in pairs.items():
        [setup] = plan([*map(parse_team, names)], 40, rules=STANDARD, seed=1).setups
        assert setup.side_by_side is side_by_side, names


def test_sittings_do_not_depend_on_the_number_of_deals() -> None:
    setup = setup_of("learned", "random", side_by_side=True)
    assert sittings(setup, 40) == [range(16), range(16, 32), range(32, 40)]
    assert sittings(setup._replace(matches=True), 10) == [range(8), range(8, 10)]


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
    good, bad = bot_of_company(tmp_path / "good"), bot_of_company(tmp_path / "bad")
    path = Path(bad.rpartition(":")[0])
    path.write_text(path.read_text().replace("self.asked += 1\n", f"self.asked += 1\n        {line}\n"))
    deals = play_sitting(Sitting(setup_of(f"{bad}+{good}", "learned", side_by_side=True), range(3)))
    for deal in deals:
        (of_bad, of_good), (learned,) = deal.tallies
        assert sum(of_bad.faults.values()) == of_bad.faults[fault] > 0
        assert of_bad.first_fault.startswith(fault)
        assert not any(of_good.faults.values())
        assert not any(learned.faults.values())
        assert of_bad.decisions > of_bad.faults[fault]


def test_a_company_that_raises_every_time_loses_nothing_but_time(tmp_path: Path) -> None:
    spec = bot_of_company(tmp_path, "raise MemoryError")
    assert [deal.legs for deal in play_sitting(Sitting(setup_of(spec, "random", side_by_side=True), range(3)))] == [
        deal.legs for deal in played(setup_of("greedy", "random"), 3)
    ]
