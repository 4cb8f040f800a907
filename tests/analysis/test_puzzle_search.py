"""The search for puzzles: what it looks at, and what becomes of what it finds."""

import gzip
from pathlib import Path
from random import Random

import msgspec
from click.testing import CliRunner

from tichu import Game, parse_action, shuffled_deal
from tichu.analysis.puzzles import Puzzle, parse_puzzles, puzzles
from tools.find_puzzles import main, read_found
from tools.puzzles.cases import cases_of, people
from tools.puzzles.exchanges import likely_exchanges
from tools.puzzles.sieves import Sample, extend


def line(task: int, *some: Puzzle) -> bytes:
    found = {"task": task, "seed": 1, "rounds": 8, "counts": {}, "puzzles": some}
    return msgspec.json.encode(found) + b"\n"


def test_a_line_that_was_cut_short_is_dropped(tmp_path: Path) -> None:
    path = tmp_path / "found.jsonl"
    whole = line(0, puzzles()[0]) + line(1)
    path.write_bytes(whole + line(2, puzzles()[0])[:40])
    assert [each.task for each in read_found(path)] == [0, 1]
    assert path.read_bytes() == whole


def test_the_package_gets_no_round_twice_and_nothing_that_did_not_hold(tmp_path: Path) -> None:
    one, two = [puzzle for puzzle in puzzles() if puzzle.theme == "endgame"][:2]
    again = msgspec.structs.replace(one, id="endgame-000000")
    path, target, rechecked = tmp_path / "found.jsonl", tmp_path / "out.gz", tmp_path / "again.jsonl"
    path.write_bytes(line(0, one, two) + line(1, again))
    CliRunner().invoke(main, [str(path), "--select", str(target)])
    assert sorted(puzzle.id for puzzle in parse_puzzles(gzip.decompress(target.read_bytes()).decode())) == sorted(
        [again.id, two.id]
    )
    rechecked.write_bytes(b'{"id": "%s", "worlds": 60, "lost": 2.0, "lost_error": 1.0}\n' % two.id.encode())
    CliRunner().invoke(main, [str(path), "--select", str(target), "--rechecked", str(rechecked)])
    assert [puzzle.id for puzzle in parse_puzzles(gzip.decompress(target.read_bytes()).decode())] == [again.id]


def test_exchanges_that_the_bot_thinks_of_are_legal() -> None:
    game = Game.start(shuffled_deal(Random(3)))
    for text in ["0-G", "1-G", "2-G", "3-G"]:
        game = game.after(*parse_action(text))
    view = game.view(1)
    found = likely_exchanges(view, 0.02, 5)
    assert len(found) >= 5
    assert all(action in view.legal() for action, _ in found)
    shares = [share for _, share in found]
    assert shares == sorted(shares, reverse=True)
    assert 0 < sum(shares) <= 1


def test_a_case_is_sampled_in_worlds_of_its_own() -> None:
    case = next(case for case in cases_of(people()[0]) if case.theme in ("endgame", "gift", "bomb"))
    one, two = Sample(case, 1), Sample(case, 1)
    extend([one], 4)
    extend([one, two], 4)
    assert one.points.shape == (8, len(case.candidates))
    assert (one.points[:4] == two.points).all()
    one.open = (0,)
    extend([one], 2)
    assert one.played(0).sum() == 10
    assert one.played(1).sum() == 8
