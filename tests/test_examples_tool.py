"""``tools/examples.py`` bounds what the examples take, in a time that a busy machine does not change."""

import sys
import time

import pytest

from tools.examples import MOST_OF_ALL, MOST_OF_ONE, Spent, _run, check


def test_one_that_takes_too_long_is_named() -> None:
    with pytest.raises(SystemExit, match=r"slow\.py took 21 s of the processor; 20 s are allowed"):
        check([Spent("quick.py", 3), Spent("slow.py", MOST_OF_ONE + 1)])


def test_all_together_are_bounded(capsys: pytest.CaptureFixture[str]) -> None:
    many = [Spent(f"{number}.py", MOST_OF_ONE) for number in range(12)]
    check(many)
    assert capsys.readouterr().out == f"all together {MOST_OF_ALL:.0f} s of the processor\n"
    with pytest.raises(SystemExit, match="all together took 260 s of the processor; 240 s are allowed"):
        check([*many, Spent("more.py", MOST_OF_ONE)])


def test_who_only_waits_takes_none() -> None:
    began = time.perf_counter()
    assert _run(sys.executable, "-S", "-c", "import time; time.sleep(0.5)") < 0.4
    assert time.perf_counter() - began >= 0.5
