"""The tests' own set-up."""

from coverage import Coverage


def test_coverage_is_not_measured_outside_the_tests_of_the_core() -> None:
    assert Coverage.current() is None
