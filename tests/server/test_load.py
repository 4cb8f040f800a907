"""The load test itself, with a handful of tables: guests play whole rounds and nothing is lost."""

import asyncio
import json
import subprocess
import sys
import time
from pathlib import Path
from random import Random

import pytest

from bench.accounts import store_accounts
from bench.guests import Guests, Tally
from bench.load_turns import is_within, row_of, summary
from tests.server.serving import FREE, QUICK, served

ROOT = Path(__file__).parents[2]


@pytest.mark.skipif(sys.platform != "linux", reason="guests have loopback addresses of their own")
@pytest.mark.parametrize("options", [(), ("--accounts",)])
def test_guests_play_and_lose_nothing(options: tuple[str, ...]) -> None:
    command = [sys.executable, "-m", "bench.load", "--tables", "3", "--seconds", "4", "--json", *options]
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


@pytest.mark.anyio
async def test_accounts_sit_where_accounts_are_wanted(tmp_path: Path) -> None:
    tokens = await asyncio.to_thread(store_accounts, tmp_path, 4, time.time())
    async with served(FREE, database=f"sqlite:{tmp_path / 'tichu.db'}") as place:
        guests = Guests(Tally(), Random(1), 1.0)
        await guests.sit_down("127.0.0.1", int(place.url.rpartition(":")[2]), None, QUICK, tokens)
        (room,) = place.lobby.rooms.values()
        seats = [(seat.name, seat.account) for seat in room.state().seats]
        guests.leave()
    assert seats == [(f"Player0000{seat}", True) for seat in range(4)]


def test_turns_are_told_by_their_medians() -> None:
    def turn(p99: float) -> dict[str, float]:
        report = {"p50_ms": 2.0, "p99_ms": p99, "longest_ms": 40.0, "server_cpu": 0.4, "seconds": 20.0}
        return dict(row_of({**report, "sent": 4000, "server_rss_mb": 200.0}))

    rows = {"this one": [turn(10.0), turn(11.0), turn(90.0)], "with reviews": [turn(13.0), turn(12.0), turn(99.0)]}
    lines = summary(rows)
    assert lines[0] == "this one, 3 turns"
    assert lines[2].split() == ["p99", "ms", "11.0", "(10.0", "to", "90.0)"]
    assert lines[4].split()[-4:] == ["2000.0", "(2000.0", "to", "2000.0)"]
    assert lines[8].endswith("13.0 (12.0 to 99.0), 1.18 times the first")
    assert is_within(rows, "this one", "with reviews")
    rows["with reviews"][0] = turn(13.3)
    assert not is_within(rows, "this one", "with reviews")
