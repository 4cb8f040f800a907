"""What all tests share."""

import os
from collections.abc import Generator
from pathlib import Path

import pytest
from hypothesis import settings

_COVERING = ("rules", "core", "notation", "golden", "logs")
CI = os.environ.get("CI") == "true"

# Before anything loads numpy: processes that test side by side share the processors.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

settings.register_profile("default", deadline=None, print_blob=True)
# The same examples on every run, so that a failure belongs to the change and not to luck.
settings.register_profile("ci", deadline=None, print_blob=True, derandomize=True, database=None)
settings.register_profile("thorough", deadline=None, print_blob=True, max_examples=1000)
settings.load_profile("thorough" if os.environ.get("THOROUGH") else "ci" if CI else "default")


def pytest_configure(config: pytest.Config) -> None:
    """Let ``no_cover`` stop all measuring: a worker starts it twice, and the marker knows of the second start only."""
    measuring = config.pluginmanager.getplugin("_cov")
    if hasattr(config, "workerinput") and measuring is not None and measuring.cov_controller is not None:
        measuring.cov_controller.cov.stop()


@pytest.fixture(scope="session")
def shared() -> Path:
    """The folder of shared test data beside the checkout."""
    folder = Path(__file__).resolve().parents[2] / "shared"
    if not folder.is_dir():
        reason = "no folder of shared test data beside the checkout"
        if CI:
            pytest.fail(reason)
        pytest.skip(reason)
    return folder


@pytest.hookimpl(wrapper=True)
def pytest_make_collect_report() -> Generator[None, pytest.CollectReport, pytest.CollectReport]:
    """Fail for a test file that cannot be imported: doctest only skips it, and after that it seems to have no tests."""
    report = yield
    if report.skipped and report.nodeid.startswith("tests/") and "unable to import module" in str(report.longrepr):
        report.outcome = "failed"
    return report


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Measure coverage only where the core is tested by itself: elsewhere it costs time and proves less."""
    tests = Path(__file__).parent
    for item in items:
        if item.path.is_relative_to(tests) and item.path.relative_to(tests).parts[0] not in _COVERING:
            item.add_marker("no_cover")
