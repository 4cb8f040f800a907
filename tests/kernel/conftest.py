"""Where the native core is not built, what compares with it is left out; in CI that is a failure."""

import importlib.util
import os

HAS_NATIVE = importlib.util.find_spec("tichu_native") is not None

if not HAS_NATIVE:
    if os.environ.get("CI") == "true":
        raise RuntimeError("the native core is not installed: make install builds it")
    collect_ignore_glob = [
        "lockstep.py",
        "test_batch.py",
        "test_check.py",
        "test_greedy.py",
        "test_lockstep.py",
        "test_native.py",
    ]


def pytest_report_header() -> str:
    """One line on what is tested."""
    return f"native core: {'installed' if HAS_NATIVE else 'not installed, its tests are left out'}"
