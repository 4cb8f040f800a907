"""The two ends of the map port give the same answers in the same order."""

import math
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator

import pytest

from tichu.parallel import Pool, ProcessPool, SerialPool, count_processors


@pytest.fixture(scope="module", params=[SerialPool, lambda: ProcessPool(2)], ids=["serial", "processes"])
def pool(request: pytest.FixtureRequest) -> Iterator[Pool]:
    pool: Pool = request.param()
    yield pool
    pool.close()


def test_answers_come_in_order(pool: Pool) -> None:
    assert list(pool.map(abs, range(-50, 0))) == list(range(50, 0, -1))


def test_a_map_can_be_left_early_and_the_pool_used_again(pool: Pool) -> None:
    answers = pool.map(abs, iter(range(10**9)))
    assert [next(answers), next(answers)] == [0, 1]
    answers.close()
    assert list(pool.map(abs, [-3])) == [3]


def test_what_goes_wrong_is_not_hidden(pool: Pool) -> None:
    with pytest.raises(ValueError, match=r"math domain error|nonnegative"):
        list(pool.map(math.sqrt, [-1.0]))


@pytest.mark.skipif(not hasattr(os, "killpg"), reason="no process groups")
@pytest.mark.parametrize("seconds", [0.1, 0.3, 0.6])
def test_an_interrupt_while_the_processes_start_is_no_traceback(seconds: float) -> None:
    program = (
        "from tichu.cli import main; import sys; print(flush=True);"
        "main(['arena', 'random', 'random', '--workers', '4', '--deals', '9999'])"
    )
    command = [sys.executable, "-c", program]
    pipe = subprocess.PIPE
    process = subprocess.Popen(command, stdout=pipe, stderr=pipe, text=True, start_new_session=True)
    assert process.stdout is not None
    process.stdout.readline()
    time.sleep(seconds)
    # As a keyboard does: to all of them.
    os.killpg(process.pid, signal.SIGINT)
    _, errors = process.communicate(timeout=60)
    assert "Traceback" not in errors
    # On a slow machine it has not even begun.
    assert process.returncode == (1 if errors.strip() == "Aborted!" else 130)


def test_there_is_a_processor() -> None:
    assert count_processors() >= 1
