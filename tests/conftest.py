"""What all tests share."""

import os
import signal
from collections import Counter
from collections.abc import Generator
from pathlib import Path

import pytest
from hypothesis import settings

_COVERING = ("rules", "core", "notation", "golden", "formats", "library")
_SEED_VARIABLE = "TICHU_EXAMPLES_SEED"
CI = os.environ.get("CI") == "true"

# Whoever runs the tests in the background has told the shell's children to ignore an interrupt; some tests send one.
signal.signal(signal.SIGINT, signal.default_int_handler)

# Before anything loads numpy: processes that test side by side share the processors.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

# The same examples on every machine and every run, so that a failure belongs to the change and not to luck.
settings.register_profile("same", deadline=None, print_blob=True, derandomize=True, database=None)
# derandomize would take no notice of a seed.
settings.register_profile("seeded", deadline=None, print_blob=True, derandomize=False, database=None)
settings.register_profile("thorough", deadline=None, print_blob=True, derandomize=False, max_examples=1000)


@pytest.hookimpl(tryfirst=True)
def pytest_configure(config: pytest.Config) -> None:
    """Choose the examples before a test is imported and before hypothesis takes the seed from its option."""
    seed = config.getoption("hypothesis_seed")
    if seed is None and _SEED_VARIABLE in os.environ:
        seed = config.option.hypothesis_seed = os.environ[_SEED_VARIABLE]
    if os.environ.get("THOROUGH"):
        settings.load_profile("thorough")
    else:
        settings.load_profile("same" if seed is None else "seeded")
    _stop_measuring(config)


def _stop_measuring(config: pytest.Config) -> None:
    """Let ``no_cover`` stop all measuring: a worker starts it twice, and the marker knows of the second start only."""
    measuring = config.pluginmanager.getplugin("_cov")
    if hasattr(config, "workerinput") and measuring is not None and measuring.cov_controller is not None:
        measuring.cov_controller.cov.stop()


@pytest.fixture(scope="session")
def shared() -> Path:
    """A folder of test data beside the checkout, which nobody needs to have."""
    folder = Path(__file__).resolve().parents[2] / "shared"
    if not folder.is_dir():
        pytest.skip("the original logs are not beside the checkout; tests/games holds their games")
    return folder


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Say in one line for each reason what was skipped: a reason names what is missing and how to get it."""
    reasons: Counter[str] = Counter()
    for report in terminalreporter.getreports("skipped"):
        reason = report.longrepr[2] if isinstance(report.longrepr, tuple) else str(report.longrepr)
        reasons[reason.removeprefix("Skipped: ")] += 1
    for reason, number in reasons.most_common():
        terminalreporter.write_line(f"{number} skipped: {reason}")


@pytest.hookimpl(wrapper=True)
def pytest_make_collect_report() -> Generator[None, pytest.CollectReport, pytest.CollectReport]:
    """Fail for a test file that cannot be imported: doctest only skips it, and after that it seems to have no tests."""
    report = yield
    if report.skipped and report.nodeid.startswith("tests/") and "unable to import module" in str(report.longrepr):
        report.outcome = "failed"
    return report


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Measure coverage where the core is tested by itself, and by fixed examples: drawn ones would make it luck."""
    tests = Path(__file__).parent
    for item in items:
        is_drawn = getattr(getattr(item, "obj", None), "is_hypothesis_test", False)
        is_elsewhere = item.path.is_relative_to(tests) and item.path.relative_to(tests).parts[0] not in _COVERING
        if is_drawn or is_elsewhere:
            item.add_marker("no_cover")
