"""The load test itself, with a handful of tables: guests play whole rounds and nothing is lost."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]


@pytest.mark.skipif(sys.platform != "linux", reason="guests have loopback addresses of their own")
def test_guests_play_and_lose_nothing() -> None:
    command = [sys.executable, "-m", "bench.load", "--tables", "3", "--seconds", "4", "--json"]
    # Late answers are an exit status of 1, and no matter here.
    ran = subprocess.run(
        [*command, "--period", "0.05", "--pace", "0"], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert ran.stdout, ran.stderr
    report = json.loads(ran.stdout)
    assert report["sent"] > 30
    assert report["acknowledged"] >= report["sent"] - sum(report["refused"].values())
    assert report["unanswered"] == report["gaps"] == report["hung_up"] == 0
    assert report["errors"] == {}
    assert report["server_rss_mb"] > 0
