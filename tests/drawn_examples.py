"""What hypothesis draws: not collected by itself, but run by ``test_conftest``."""

from hypothesis import given
from hypothesis import strategies as st


@given(st.integers(0, 10**9))
def test_a_number_is_drawn(number: int) -> None:
    print("drawn", number)  # noqa: T201
    assert number >= 0
