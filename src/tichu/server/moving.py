"""Which tables should be at another node: those whose players come by there, and some of those that are too many.

Only between two rounds, and not again for a while: everybody at the table has to come back.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import Final, NamedTuple

from tichu.server.cluster.peers import Peer
from tichu.server.room import Room

__all__ = ["STAY_S", "Move", "choose_moves"]

#: A table stays for so long before it moves.
STAY_S: Final = 120.0
#: A node with so many times the tables that each would have, and a few more, is overfull.
_OVERFULL, _FEW = 1.25, 10
#: Tables that leave an overfull node at a time.
_AT_ONCE: Final = 20


class Move(NamedTuple):
    """A table that goes to another node."""

    room: Room
    target: str
    why: str


def choose_moves(rooms: Iterable[Room], came: Mapping[str, float], peers: Sequence[Peer], now: float) -> list[Move]:
    """What is to move now; ``came`` says since when tables are here, ``peers`` are those who could take them."""
    free = [one for one in rooms if one.stored.game is None and now - came.get(one.id, now) >= STAY_S]
    ids = {peer.id for peer in peers}
    moves = []
    for room in free:
        ways = room.ways()
        for way, number in ways.most_common(1):
            if way in ids and 2 * number > ways.total():
                moves.append(Move(room, way, "sockets"))
    chosen = {move.room.id for move in moves}
    rest = [room for room in free if room.id not in chosen]
    return moves + _away_from_here(rest, len(came), peers)


def _away_from_here(free: Sequence[Room], here: int, peers: Sequence[Peer]) -> list[Move]:
    if not peers:
        return []
    mean = (here + sum(peer.tables for peer in peers)) / (len(peers) + 1)
    if here <= _OVERFULL * mean + _FEW:
        return []
    emptiest = min(peers, key=lambda peer: (peer.tables, peer.id))
    return [Move(room, emptiest.id, "overfull") for room in free[: min(_AT_ONCE, int(here - mean))]]
