"""Numbers that callers hand in, as Python, numpy and torch have them: taken as they are meant, or a plain error."""

from operator import index
from typing import Any, Final, SupportsFloat

import numpy as np
from numpy.typing import NDArray

from tichu.core.errors import GameError

__all__ = ["MOST_ROUNDS", "check_counts", "check_flag", "check_seat", "read_action", "read_actions", "read_seed"]

#: Seeds are words of 64 bits; of a longer number these are taken.
_SEEDS: Final = (1 << 64) - 1

#: What the native core can count.
MOST_ROUNDS: Final = (1 << 31) - 1


def check_counts(**numbers: object) -> None:
    """Refuse what is not a number from 1 on, by its name; numbers of numpy count as well.

    :raises GameError: with the first of them
    """
    for name, number in numbers.items():
        whole = _whole(number)
        if whole is None or whole < 1:
            raise GameError(f"{name} is a number from 1 on, not {number!r}")


def check_flag(name: str, value: object) -> bool:
    """A yes or no; a text is none, for every text but the empty one would be a yes.

    :raises GameError: it is none, with its name
    """
    whole = _whole(value.item() if isinstance(value, np.bool_) else value)
    if whole not in (0, 1):
        raise GameError(f"{name} is True or False, not {value!r}")
    return whole == 1


def check_seat(seat: object) -> int:
    """A seat at the table.

    :raises GameError: it is none
    """
    whole = _whole(seat)
    if whole is None or not 0 <= whole < 4:
        raise GameError(f"a seat is 0, 1, 2 or 3, not {seat!r}")
    return whole


def read_seed(seed: object) -> int:
    """A seed as the generators take it.

    :raises GameError: it is not a number from 0 on
    """
    whole = _whole(seed)
    if whole is None or whole < 0:
        raise GameError(f"a seed is a number from 0 on, not {seed!r}")
    return whole & _SEEDS


def read_action(action: Any) -> int:
    """The number of an action; a float is one if it is whole.

    :raises GameError: it is no number
    """
    if isinstance(action, bool | np.bool_):
        raise GameError(f"an action is a number, not {action!r}")
    whole = _whole(action)
    if whole is not None:
        return whole
    try:
        number = float(action) if isinstance(action, SupportsFloat) else None
    except (TypeError, ValueError):
        number = None
    if number is None or not number.is_integer():
        raise GameError(f"an action is a number, not {action!r}")
    return int(number)


def read_actions(actions: Any, games: int) -> NDArray[np.int64]:
    """One for every game.

    :raises GameError: there are more or fewer, or they are no whole numbers
    """
    given = np.asarray(actions)
    if given.shape != (games,):
        raise GameError(f"one action a game: {games} in a row, not of the shape {given.shape}")
    if given.dtype == np.int64:
        return np.ascontiguousarray(given)
    is_float = given.dtype.kind == "f"
    if given.dtype.kind not in "iuf" or (is_float and not (np.isfinite(given) & (given == np.trunc(given))).all()):
        raise GameError(f"actions are whole numbers, not {given.tolist()!r:.60}")
    return given.astype(np.int64)


def _whole(value: Any) -> int | None:
    try:
        return index(value)
    except TypeError:
        return None
