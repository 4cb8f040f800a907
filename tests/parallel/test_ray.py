"""Arena, export, stats and selfplay on a real Ray cluster of two workers: the same results as in one process."""

import json
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path
from types import SimpleNamespace

import pytest
from click.testing import CliRunner

from tests.arena.at_the_table import CI, without_times
from tests.games.make import GAMES
from tichu.cli import main
from tichu.core.errors import GameError
from tichu.parallel.ray_cluster import RayCluster

# All commands in one process, for Ray keeps threads and files, and to load it takes longer than anything else here.
_DRIVER = """\
import json, sys
from click.testing import CliRunner
from tichu.cli import main
from tichu.core.errors import GameError
from tichu.parallel.ray_cluster import RayCluster
for words in json.loads(sys.argv[1]):
    result = CliRunner().invoke(main, words)
    print(json.dumps([result.exit_code, result.stdout, result.stderr]))
"""


# A proxy for the world outside is none for this machine.
_ENVIRONMENT = {name: value for name, value in os.environ.items() if not name.lower().endswith("_proxy")}
_ENVIRONMENT |= {"RAY_AUTH_MODE": "disabled", "RAY_USAGE_STATS_ENABLED": "0"}
# Stays until its input ends.
_CLUSTER = """\
import ray, sys
started = ray.init(num_cpus=2, include_dashboard=False, log_to_driver=False, logging_level="ERROR")
print(started.address_info["gcs_address"], flush=True)
sys.stdin.read()
"""


@pytest.fixture
def cluster() -> Iterator[str]:
    """The address of a cluster."""
    if find_spec("ray") is None and not CI:
        pytest.skip("Ray is not installed")
    # Its sockets need a short path.
    folder = tempfile.mkdtemp(prefix="ray")
    environment = {**_ENVIRONMENT, "RAY_TMPDIR": folder}
    pipe = subprocess.PIPE
    head = subprocess.Popen([sys.executable, "-c", _CLUSTER], stdin=pipe, stdout=pipe, env=environment, text=True)
    assert head.stdout is not None
    try:
        yield head.stdout.readline().strip()
    finally:
        head.communicate("", timeout=60)
        shutil.rmtree(folder, ignore_errors=True)


def here(*words: str | Path, status: int = 0) -> str:
    result = CliRunner().invoke(main, [*map(str, words), "--workers", "1"])
    assert result.exit_code == status, result.stderr
    return result.stdout


def test_commands_on_a_cluster_of_two_workers(tmp_path: Path, cluster: str) -> None:
    games = [*map(str, GAMES[:3]), str(GAMES[58])]
    arena = ["arena", "greedy", "random", "--deals", "6", "--seed", "5", "--json"]
    stats = ["stats", *games, "--json", "--by", "seat"]
    selfplay = ["selfplay", "--rounds", "40", "--bots", "greedy,random", "--seed", "3", "--quiet"]
    there, close = tmp_path / "there", tmp_path / "here"
    commands = [
        [*arena, "--records", str(there / "records")],
        stats,
        ["export", *games, str(there / "tables"), "--quiet"],
        [*selfplay, str(there / "games.ttn.gz")],
    ]
    there.mkdir()
    close.mkdir()
    called = json.dumps([[*words, "--ray", cluster] for words in commands])
    command = [sys.executable, "-c", _DRIVER, called]
    done = subprocess.run(command, env=_ENVIRONMENT, capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stderr
    answers = [json.loads(line) for line in done.stdout.splitlines()]
    assert [code for code, _, _ in answers] == [0, 1, 1, 0], answers
    assert without_times(json.loads(answers[0][1])) == without_times(json.loads(here(*arena)))
    assert len(list((there / "records").iterdir())) == 12
    assert answers[1][1] == here(*stats, status=1)
    # The one wrong round is reported from over there, too.
    assert answers[2][2] == f"left out: {GAMES[58]} round 3: the score is 15 85, not 15 285\n"
    here("export", *games, close / "tables", "--quiet", status=1)
    here(*selfplay, close / "games.ttn.gz")
    files = sorted(path.relative_to(close) for path in close.rglob("*") if path.is_file())
    assert len(files) == 6
    for file in files:
        assert (there / file).read_bytes() == (close / file).read_bytes(), file


class _TaskError(Exception):
    """As Ray raises it: its text is the traceback of the other machine."""

    def __init__(self, cause: Exception) -> None:
        super().__init__("Traceback (most recent call last):\n...")
        self.cause = cause


@pytest.mark.parametrize(
    ("raised", "told"),
    [
        (_TaskError(GameError("Parquet needs pyarrow")), "Parquet needs pyarrow"),
        (OSError("node died\n  at x"), "node died"),
    ],
)
def test_what_goes_wrong_on_another_machine_is_told_without_its_traceback(raised: Exception, told: str) -> None:
    def get(_: object) -> None:
        raise raised

    cluster = object.__new__(RayCluster)
    cluster._most_queued = 1
    cluster._ray = SimpleNamespace(
        remote=lambda _: SimpleNamespace(remote=lambda task: task),
        get=get,
        cancel=lambda _: None,
        exceptions=SimpleNamespace(WorkerCrashedError=KeyError, RayTaskError=_TaskError, RayError=OSError),
    )
    with pytest.raises(GameError, match=told) as caught:
        list(cluster.map(str, [1, 2]))
    assert "Traceback" not in str(caught.value)
    assert "\n" not in str(caught.value)
