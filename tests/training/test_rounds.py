"""The table of rounds: its rows fit together, and one seed gives one file."""

import json
from pathlib import Path

import pyarrow.parquet
import pytest
import torch

from tichu.core.rules import Rules
from training.network import Policy
from training.rounds import main
from training.weights import write_start

torch.set_num_threads(1)


@pytest.fixture(scope="module")
def policy(tmp_path_factory: pytest.TempPathFactory) -> str:
    torch.manual_seed(1)
    path = tmp_path_factory.mktemp("policy") / "tiny.npz"
    write_start({"policy": Policy(16, 1).state_dict()}, path)
    return str(path)


def test_rows_fit_together(tmp_path: Path, policy: str, capsys: pytest.CaptureFixture[str]) -> None:
    target = tmp_path / "rounds.parquet"
    main([str(target), "--rounds", "150", "--games", "64", "--policy", policy])
    assert capsys.readouterr().out == f"192 rounds at 64 tables in {target}\n"
    rows = pyarrow.parquet.read_table(target).to_pylist()
    assert [(row["game"], row["round"]) for row in rows] == [
        (game, number) for game in range(64) for number in range(3)
    ]
    for row, following in zip(rows, [*rows[1:], None], strict=True):
        assert row["cards_0"] + row["cards_1"] == (200 if row["double_victory"] else 100)
        bonus = [0, 0]
        for seat in range(4):
            stake = {None: 0, "tichu": 100, "grand": 200}[row[f"call_{seat}"]]
            bonus[seat % 2] += stake if row["first"] == seat else -stake
        assert [row["score_0"] - row["cards_0"], row["score_1"] - row["cards_1"]] == bonus
        if following is not None and following["round"] > 0:
            total = (row["before_0"] + row["score_0"], row["before_1"] + row["score_1"])
            is_over = max(total) >= 1000 and total[0] != total[1]
            assert (following["before_0"], following["before_1"]) == ((0, 0) if is_over else total)
    card = json.loads((tmp_path / "rounds.parquet.card.json").read_text())
    assert (card["policy"], card["rounds"], card["seed"]) == ("tiny.npz", 192, 1)
    assert card["rules"] == str(Rules.parse("standard").sequential())


def test_a_seed_gives_one_file_and_what_is_there_stays(tmp_path: Path, policy: str) -> None:
    arguments = ["--rounds", "64", "--games", "64", "--policy", policy, "--seed"]
    for name, seed in (("one", "3"), ("two", "3"), ("other", "4")):
        main([str(tmp_path / name), *arguments, seed])
    one, two, other = ((tmp_path / name).read_bytes() for name in ("one", "two", "other"))
    assert one == two != other
    with pytest.raises(SystemExit, match="this file is there already; --force replaces it"):
        main([str(tmp_path / "one"), *arguments, "4"])
    main([str(tmp_path / "one"), *arguments, "4", "--force"])
    assert (tmp_path / "one").read_bytes() == other


def test_rows_may_be_written_first_and_become_a_table_elsewhere(tmp_path: Path, policy: str) -> None:
    arguments = ["--rounds", "64", "--games", "64", "--policy", policy]
    main([str(tmp_path / "one.parquet"), *arguments])
    main([str(tmp_path / "rows.npz"), *arguments])
    main([str(tmp_path / "two.parquet"), "--rows", str(tmp_path / "rows.npz")])
    assert (tmp_path / "one.parquet").read_bytes() == (tmp_path / "two.parquet").read_bytes()
    cards = [(tmp_path / f"{name}.parquet.card.json").read_text() for name in ("one", "two")]
    assert cards[0] == cards[1]
