"""Which weights a review was made with: with others its numbers would be others.

Nothing is read but the bytes of the files, so a server can ask without the bots' libraries.
"""

from functools import cache
from hashlib import sha256
from importlib.resources import files
from typing import Final

__all__ = ["weights_digest"]

#: To be raised if the same weights come to other numbers: other candidates, other worlds, another way to play on.
_METHOD: Final = 2
_FILES: Final = (
    "agents/learned/champion.npz",
    "agents/learned/small.npz",
    "analysis/critic.npz",
    "analysis/beliefs.npz",
    "analysis/chances.npz",
)


@cache
def weights_digest() -> str:
    """A few letters that stand for all networks and tables of the analysis, and for what is done with them."""
    found = sha256(f"{_METHOD}".encode())
    for name in _FILES:
        # Not by its package, which would be loaded.
        found.update(sha256(files("tichu").joinpath(name).read_bytes()).digest())
    return found.hexdigest()[:12]
