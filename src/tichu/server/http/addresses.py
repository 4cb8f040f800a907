"""Whom to count for."""

import ipaddress
from typing import Final

from starlette.types import Scope

__all__ = ["RELAYED_BY", "address_of", "relayed_by"]

#: In a scope: the node that has relayed a request and has proved it.
RELAYED_BY: Final = "tichu.relayed_by"


def relayed_by(scope: Scope) -> str:
    """The node by which a request came, empty if it came from a client."""
    return str(scope.get(RELAYED_BY, ""))


def address_of(scope: Scope) -> str:
    """Whom to count for: the address, of IPv6 the network that a household gets."""
    client = scope.get("client")
    if not client:
        return "unknown"
    host = str(client[0])
    try:
        address = ipaddress.ip_address(host)
    except ValueError:
        return host
    if address.version == 6:
        if address.ipv4_mapped is not None:
            return str(address.ipv4_mapped)
        return str(ipaddress.ip_network((address, 64), strict=False))
    return host
