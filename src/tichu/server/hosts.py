"""By which names a server may be spoken to.

Whoever owns a name can point it at any address, also at one that only this machine or this network can reach, and a
page under that name would then talk to us as if it were ours (DNS rebinding).  So a name must be one that we were told,
or one that nobody can own: an address, a word without a dot, or an ending that is kept out of the public DNS.
"""

import ipaddress
import re
from collections.abc import Container
from typing import Final

__all__ = ["is_host", "is_name", "may_be_ours"]

_NAME: Final = re.compile(r"[A-Za-z0-9_-]+(?:\.[A-Za-z0-9_-]+)*\.?")
_HOST: Final = re.compile(rf"(?P<name>{_NAME.pattern}|\[[0-9A-Fa-f:.]+\])(?::[0-9]{{1,5}})?")
#: A name has at most 253 signs (RFC 1035), and a port six more.
_LONGEST_HOST: Final = 259
#: RFC 6761, 6762 and 8375, and what ICANN has set apart.
_NOBODYS: Final = (".localhost", ".local", ".home.arpa", ".internal", ".test")


def is_name(text: str) -> bool:
    """Whether it could be the name of a computer.

    >>> is_name("tichu.example.org"), is_name("tichu.example.org:80"), is_name("*")
    (True, False, False)
    """
    return _NAME.fullmatch(text) is not None


def is_host(text: str) -> bool:
    """Whether it is a name or an address, perhaps with a port."""
    return _HOST.fullmatch(text) is not None


def may_be_ours(host: str, told: Container[str]) -> bool:
    """Whether the header ``Host`` names this server; ``told`` are names in small letters.

    >>> [may_be_ours(host, {"tichu.example"}) for host in ("192.0.2.7:8424", "[::1]", "localhost:80", "ada.local")]
    [True, True, True, True]
    >>> [may_be_ours(host, {"tichu.example"}) for host in ("Tichu.Example:443", "evil.example", "127.0.0.1.evil")]
    [True, False, False]
    """
    match = _HOST.fullmatch(host) if len(host) <= _LONGEST_HOST else None
    if match is None:
        return not host  # Every browser sends one.
    name = match["name"].strip("[]").rstrip(".").lower()
    return "." not in name or name in told or name.endswith(_NOBODYS) or _is_address(name)


def _is_address(name: str) -> bool:
    try:
        ipaddress.ip_address(name)
    except ValueError:
        return False
    return True
