import json

import pytest
from click.testing import CliRunner

from tichu.cli import main

SMALL = "Ma4r7b/2r/-/Do p0 - 15/20/25/40 - ---- 2 -/-/-/-"
LARGE = "MaDo2s2b3s3b4s/5s5b6s6b7s7b8s/8b9s9bJs/JbQsQbAsAb p0 - 90/0/0/0 - ---- - -/-/-/-"


def run(*arguments: str) -> tuple[int, str, str]:
    result = CliRunner().invoke(main, ["solve", *arguments])
    return result.exit_code, result.stdout, result.stderr


def test_values_are_told_best_first() -> None:
    status, out, err = run(SMALL)
    assert (status, err) == (0, "")
    assert out.splitlines() == ["0:4r +200 *", "0:7b +200 *", "0:Ma +60"]


def test_json_has_all_of_it() -> None:
    status, out, _ = run(SMALL, "--json", "--rules", "classic")
    told = json.loads(out)
    assert status == 0
    assert told["exact"] is True
    assert told["rules"] == "classic bombs=ordered"
    assert all(each["value"] == each["lowest"] == each["highest"] for each in told["actions"])


def test_a_position_that_is_too_large_gets_bounds() -> None:
    status, out, err = run(LARGE, "--nodes", "500")
    assert status == 0, err
    assert " to " in out
    assert "--nodes was not enough: bounds after" in err


@pytest.mark.parametrize("position", ["nonsense", SMALL.replace("p0", "e")], ids=["text", "phase"])
def test_a_wrong_position_is_told_by_its_place(position: str) -> None:
    status, out, err = run(position)
    assert status == 2
    assert out == ""
    assert "Invalid value for 'POSITION': " in err
