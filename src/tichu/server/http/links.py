"""Addresses of tables, as links and as pictures for phones."""

import io
import ipaddress
import socket
from typing import Final
from urllib.parse import quote

from tichu.server.config import Config

__all__ = ["base_url", "game_link", "lan_address", "qr_lines", "qr_svg", "seat_link", "table_link"]

#: An address of a documentation network: nothing is sent there, but the way there shows which card is used.
_AWAY: Final = ("192.0.2.1", 9)


def base_url(config: Config, scheme: str, host: str) -> str:
    """How the world sees this server, without a slash at the end."""
    return (config.public_url or f"{scheme}://{host}{config.prefix}").rstrip("/")


def table_link(base: str, table: str) -> str:
    """The address to send to a friend."""
    return f"{base}/t/{quote(table, safe='')}"


def game_link(base: str, game: str) -> str:
    """Where a finished game can be looked at."""
    return f"{base}/game/{quote(game, safe='')}"


def seat_link(base: str, table: str, key: str) -> str:
    """The address that opens one's seat on any device.  What follows ``#`` is never sent to a server."""
    return f"{table_link(base, table)}#key={quote(key, safe='')}"


def qr_svg(link: str) -> bytes:
    """The link as a picture."""
    # Only who asks for a picture waits for what draws it.
    import segno

    picture = io.BytesIO()
    segno.make(link, micro=False, error="m").save(
        picture, kind="svg", scale=8, border=4, xmldecl=False, light="#fff", svgclass=None, lineclass=None
    )
    return picture.getvalue()


def qr_lines(link: str) -> str:
    """The link as a picture in the terminal."""
    import segno

    text = io.StringIO()
    segno.make(link, micro=False, error="l").terminal(text, compact=True, border=2)
    return text.getvalue()


def lan_address() -> str | None:
    """The address under which others in the same network reach this machine."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(_AWAY)
        except OSError:
            return None
        address = str(probe.getsockname()[0])
    return None if ipaddress.ip_address(address).is_loopback else address
