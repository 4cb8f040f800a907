import numpy as np

from tichu.analysis.reasons import _clearest, _shares
from tichu.analysis.rollouts import Ends


def ends(first: int, dragon: int = -1, double: int = -1) -> Ends:
    return Ends(np.zeros(48, np.float32), np.array([[0, 0, first, double, dragon, 0, 0]] * 48, np.int16))


def test_what_differs_is_told_from_the_seat() -> None:
    found = _clearest(_shares(ends(first=1, dragon=1), 2), _shares(ends(first=2, dragon=1), 2))
    assert [str(each) for each in found] == [
        "you go out first in 100 % instead of 0 %",
        "an opponent goes out first in 0 % instead of 100 %",
    ]


def test_what_is_the_same_is_not_told() -> None:
    same = _shares(ends(first=0, dragon=3, double=0), 0)
    assert _clearest(same, same) == []
    assert [name for name, worlds in same.items() if worlds.all()] == [
        "self_first",
        "double_won",
    ]
