"""How much of the long tests of the page is run: a little by everybody, more in CI, all of it with ``THOROUGH=1``."""

import os
from collections.abc import Sequence
from typing import TypeVar

__all__ = ["IS_SHORT", "choose"]

_T = TypeVar("_T")

_IS_WHOLE = bool(os.environ.get("THOROUGH"))
#: Whether the tests are run by somebody who waits for them.
IS_SHORT = not _IS_WHOLE and not os.environ.get("CI")


def choose(few: Sequence[_T], some: Sequence[_T], whole: Sequence[_T]) -> Sequence[_T]:
    """The cases to be tried."""
    return whole if _IS_WHOLE else few if IS_SHORT else some
