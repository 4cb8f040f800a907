"""Addresses for e-mail: those that are taken, and as much of one as its owner is shown.

Only plain ones are: no comments, no quoted parts, no routes, nothing but ASCII.  So an address is one word wherever it
is put, also in a header and in a command of SMTP.
"""

import re
from typing import Final

__all__ = ["LONGEST", "is_address", "mailbox_of", "masked"]

#: Of RFC 5321; the longest local part has 64 signs.
LONGEST: Final = 254
#: No ``?``: what is written =?...?= is read as other signs in a header, and one mailbox would have any number of names.
_LOCAL: Final = r"[A-Za-z0-9#&'*+/=^_{}~-]+"
_LABEL: Final = r"[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?"
_ADDRESS: Final = re.compile(rf"(?=[^@]{{1,64}}@){_LOCAL}(?:\.{_LOCAL})*@(?:{_LABEL}\.)+(?![0-9]+\Z){_LABEL}")


def is_address(text: str) -> bool:
    r"""Whether mail can be sent there.

    >>> [is_address(text) for text in ("ada@example.org", "ada@example", "a da@example.org", "ada@example.org\n")]
    [True, False, False, False]
    """
    return len(text) <= LONGEST and _ADDRESS.fullmatch(text) is not None


def mailbox_of(address: str) -> str:
    """Where an address most likely ends up, to count mails by: many servers put what differs in this into one mailbox.

    >>> mailbox_of("Ada.Lovelace+tichu@Example.org")
    'adalovelace@example.org'
    """
    local, _, domain = address.lower().partition("@")
    return f"{(local.partition('+')[0] or local).replace('.', '')}@{domain}"


def masked(address: str) -> str:
    """As much of an address as its owner needs to know it again.

    >>> masked("ada@example.org"), masked("")
    ('a…@example.org', '')
    """
    return f"{address[0]}…{address[address.index('@') :]}" if address else ""
