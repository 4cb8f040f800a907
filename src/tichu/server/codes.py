"""The codes of tables: short enough to be said to a friend."""

import secrets
from typing import Final

__all__ = ["new_code", "read_code"]

#: Letters and digits that are not taken for each other.
_SIGNS: Final = "ABCDEFGHJKLMNPQRSTUVWXYZ23456789"
_LENGTH: Final = 6
#: A code may be written with spaces and hyphens, but not with thousands of them.
_SIGNS_READ: Final = 20


def new_code() -> str:
    """One that somebody may have already."""
    return "".join(secrets.choice(_SIGNS) for _ in range(_LENGTH))


def read_code(written: str) -> str | None:
    """A code, however it is written; None if it cannot be one.

    >>> read_code("abc-de 2")
    'ABCDE2'
    """
    if len(written) > _SIGNS_READ:
        return None
    code = written.upper().replace("-", "").replace(" ", "")
    # Nobody has to be asked for anything else, and not every store can be.
    return code if len(code) == _LENGTH and all(sign in _SIGNS for sign in code) else None
