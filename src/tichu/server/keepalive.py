"""Notices that the other end of a connection has gone without a word: a machine without power, a cable, a firewall."""

import socket
from typing import Final, Protocol

__all__ = ["UNANSWERED_S", "notice_end", "postgres_settings"]

#: Seconds without a sign of life until the first keepalive, between two, and how many are waited for.
_IDLE_S, _INTERVAL_S, _PROBES = 4, 2, 3
#: For so long the other end may acknowledge nothing.
UNANSWERED_S: Final = _IDLE_S + _INTERVAL_S * _PROBES


class _Place(Protocol):
    @property
    def family(self) -> int: ...

    def setsockopt(self, level: int, name: int, value: int, /) -> None: ...


def notice_end(place: _Place | None) -> None:
    """Have the system end a connection whose other end does not answer; not every system can do all of it."""
    if place is None or place.family not in (socket.AF_INET, socket.AF_INET6):
        return
    place.setsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1)
    options = {
        "TCP_KEEPIDLE": _IDLE_S,
        "TCP_KEEPINTVL": _INTERVAL_S,
        "TCP_KEEPCNT": _PROBES,
        "TCP_USER_TIMEOUT": 1000 * UNANSWERED_S,
    }
    for name, value in options.items():
        if hasattr(socket, name):
            place.setsockopt(socket.IPPROTO_TCP, getattr(socket, name), value)


def postgres_settings() -> dict[str, str]:
    """The same for the other side, where that is PostgreSQL."""
    return {
        "tcp_keepalives_idle": str(_IDLE_S),
        "tcp_keepalives_interval": str(_INTERVAL_S),
        "tcp_keepalives_count": str(_PROBES),
        "tcp_user_timeout": str(1000 * UNANSWERED_S),
    }
