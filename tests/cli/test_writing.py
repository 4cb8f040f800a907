"""What commands do where they cannot write: a closed pipe, a full disk, a closed output."""

import resource
import subprocess
import sys
from pathlib import Path

import pytest

from tests.games.make import GAMES

_COMMAND = [sys.executable, "-m", "tichu"]
_FULL = Path("/dev/full")
_LEGAL = ["legal", "9s/2s2b2g2r3s/Kb/4s p2 0:As 90/0/0/0 - ---- - -/-/-/-"]
_CONVERT = ["convert", *map(str, GAMES[:12]), "-", "--to", "jsonl"]


def test_a_reader_who_has_seen_enough_is_no_fault_of_the_games() -> None:
    with subprocess.Popen([*_COMMAND, *_CONVERT], stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdout.readline()
        process.stdout.close()
        assert process.stderr.read() == b""
        assert process.wait() == 1


@pytest.mark.skipif(not _FULL.exists(), reason="nothing is always full here")
@pytest.mark.parametrize(
    ("line", "said"),
    [(_CONVERT, "standard output: No space left on device"), (_LEGAL, "No space left on device")],
    ids=["convert", "legal"],
)
def test_a_full_disk_is_told_once_and_blamed_on_no_source(line: list[str], said: str) -> None:
    with _FULL.open("wb") as full:
        done = subprocess.run([*_COMMAND, *line], stdout=full, stderr=subprocess.PIPE, text=True, check=False)
    assert (done.returncode, done.stderr) == (1, f"Error: {said}\n")


def test_a_file_that_does_not_fit_leaves_nothing_and_is_named(tmp_path: Path) -> None:
    target = tmp_path / "all.ttn"
    done = subprocess.run(
        [*_COMMAND, "convert", *map(str, GAMES[:12]), str(target)],
        stderr=subprocess.PIPE,
        text=True,
        check=False,
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (4096, 4096)),
    )
    assert (done.returncode, done.stderr) == (1, f"Error: {target}: File too large\n")
    assert list(tmp_path.iterdir()) == []


def test_a_closed_standard_output_is_told_in_a_sentence() -> None:
    closed = "import os, runpy, sys; os.close(1); sys.stdout = None; runpy.run_module('tichu', run_name='__main__')"
    done = subprocess.run([sys.executable, "-c", closed, *_CONVERT], stderr=subprocess.PIPE, text=True, check=False)
    assert (done.returncode, done.stderr) == (1, "Error: standard output: it is closed\n")
