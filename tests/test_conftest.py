"""The tests' own set-up."""

import os
import subprocess
import sys
from pathlib import Path

from coverage import Coverage

ROOT = Path(__file__).parents[1]


def test_coverage_is_not_measured_outside_the_tests_of_the_core() -> None:
    assert Coverage.current() is None


def drawn(*options: str, **variables: str) -> list[str]:
    """The examples that a run of its own draws."""
    mine = ("CI", "THOROUGH", "TICHU_EXAMPLES_SEED")
    environment = {name: value for name, value in os.environ.items() if name not in mine} | variables
    quick = ("-s", "-p", "no:cacheprovider", "-p", "no:schemathesis")
    command = [sys.executable, "-m", "pytest", *quick, *options, "tests/drawn_examples.py"]
    run = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, check=False)
    assert run.returncode == 0, run.stdout + run.stderr
    return [line for line in run.stdout.splitlines() if "drawn " in line]


def test_examples_are_the_same_everywhere_unless_a_seed_or_a_thorough_run_is_asked_for() -> None:
    usual = drawn()
    assert len(usual) > 50
    assert drawn(CI="true") == usual
    seeded = drawn(TICHU_EXAMPLES_SEED="7")
    assert seeded != usual
    assert drawn("--hypothesis-seed=7") == seeded
    thorough = drawn(THOROUGH="1")
    assert len(thorough) > 5 * len(usual)
    assert thorough[: len(usual)] != usual
