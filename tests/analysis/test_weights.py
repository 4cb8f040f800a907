"""What a review was made with."""

import re
import subprocess
import sys
from collections.abc import Iterator
from importlib.resources import files
from pathlib import Path

import pytest

from tichu.analysis import weights
from tichu.analysis.weights import weights_digest


@pytest.fixture(autouse=True)
def forget() -> Iterator[None]:
    yield
    weights_digest.cache_clear()


@pytest.mark.parametrize("name", weights._FILES)
def test_every_file_counts(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    weights_digest.cache_clear()
    usual = weights_digest()
    assert re.fullmatch("[0-9a-f]{12}", usual)
    for each in weights._FILES:
        (tmp_path / each).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / each).symlink_to(str(files("tichu").joinpath(each)))
    monkeypatch.setattr(weights, "files", lambda _: tmp_path)
    weights_digest.cache_clear()
    assert weights_digest() == usual
    (tmp_path / name).unlink()
    (tmp_path / name).write_bytes(b"other")
    weights_digest.cache_clear()
    assert weights_digest() != usual


def test_a_server_can_ask_without_the_libraries_of_bots() -> None:
    code = "import sys; from tichu.analysis import weights; weights.weights_digest(); sys.exit('numpy' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
