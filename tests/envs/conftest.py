"""Environments need the extra `envs`; with ``CI=true`` a missing part is a failure."""

import importlib.util
import os

import pytest

MISSING = [name for name in ("numpy", "gymnasium", "pettingzoo") if importlib.util.find_spec(name) is None]

if MISSING and os.environ.get("CI") != "true":
    collect_ignore_glob = ["test_*.py"]


@pytest.fixture(params=["python", "native"])
def core(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    """Every test that asks for it is run on both implementations."""
    name: str = request.param
    if name == "python":
        monkeypatch.setattr("tichu.envs.tables.native_tables_are_there", lambda: False)
    else:
        from tichu.envs.tables import native_tables_are_there

        if not native_tables_are_there():
            if os.environ.get("CI") == "true":
                pytest.fail("no native core")
            pytest.skip("no native core")
    return name
