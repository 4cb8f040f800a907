"""Whether other nodes are where they say they are, and have our secret: else nothing that they have is reached.

Nodes that were started without an address for others, or with a secret of their own, are told apart by nothing in the
database; so each is asked who it is, until it has said so once, and whether it has reached this one.
"""

import asyncio
import logging
from collections import Counter
from contextlib import aclosing
from typing import Final

from tichu.server.cluster.membership import Membership
from tichu.server.cluster.peers import Peer
from tichu.server.failures import outliving
from tichu.server.http.relay_client import NODE, PROOF, PeerClient, PeerFailure

__all__ = ["REACHED", "WHO", "PeerCheck"]

log = logging.getLogger("tichu.server")

#: The path at which a node says who it is to another one, and the header in which it says whether it has reached it.
WHO: Final = "/api/node"
REACHED: Final = "x-tichu-reached"
_LOOK_S = 0.5
_ANSWER_S: Final = 5.0
#: Looks between two questions to a node that has not been reached, which may only be about to listen.
_PAUSE: Final = 4
#: A node that goes on renewing and was not reached so often is said to be somewhere else.
_TRIES: Final = 5


class PeerCheck:
    """Asks every node that comes, until it is cancelled."""

    def __init__(self, client: PeerClient, secret: str, membership: Membership) -> None:
        self._client = client
        self._secret = secret
        self._membership = membership
        #: By node: how often it was asked in vain, and for how many looks it is left alone.
        self._tries: Counter[str] = Counter()
        self._pauses: Counter[str] = Counter()

    async def run(self) -> None:
        """Ask whoever is not known yet."""
        known = self._membership.acquaintance
        while True:
            known.keep(peer.id for peer in self._membership.peers)
            asked = [peer for peer in self._membership.neighbours() if not self._is_known(peer.id)]
            with outliving("asking other nodes who they are"):
                await asyncio.gather(*map(self._ask, asked))
            await asyncio.sleep(_LOOK_S)

    def _is_known(self, node: str) -> bool:
        known = self._membership.acquaintance
        self._pauses[node] -= self._pauses[node] > 0
        return (node in known.reached and node in known.accepted_by) or self._pauses[node] > 0

    async def _ask(self, peer: Peer) -> None:
        known = self._membership.acquaintance
        try:
            async with asyncio.timeout(_ANSWER_S):
                status, said, reached = await self._who(peer.url)
        except (PeerFailure, TimeoutError) as error:
            self._miss(peer, f"node {peer.id} is not reached at {peer.url}: {str(error) or 'no answer'}", _TRIES)
            return
        if status == 403:
            words = f"node {peer.id} has another secret: nothing that it has is reached from here (--node-secret)"
            self._miss(peer, words, 1)
        elif status != 200 or said != peer.id:
            there = f"node {said}" if status == 200 else "something else"
            words = f"at {peer.url} there is {there} and not {peer.id}, which says so (--node-url)"
            self._miss(peer, words, 1 if status == 200 else _TRIES)
        else:
            self._tries.pop(peer.id, None)
            known.note_reached(peer.id)
            # A node of an earlier version does not say.
            if reached in ("yes", ""):
                known.accepted_by.add(peer.id)

    def _miss(self, peer: Peer, words: str, tries: int) -> None:
        self._membership.acquaintance.note_unreached(peer.id)
        self._pauses[peer.id] = _PAUSE
        self._tries[peer.id] += 1
        if self._tries[peer.id] == tries:
            log.error("%s; no tables are given to it", words)

    async def _who(self, url: str) -> tuple[int, str, str]:
        headers = [(PROOF, self._secret), (NODE, self._membership.id), ("host", "node")]
        encoded = [(name.encode(), value.encode("latin-1", "replace")) for name, value in headers]
        answer = await self._client.request(url, "GET", WHO.encode(), encoded, b"")
        said = b""
        async with aclosing(answer.body) as parts:
            async for part in parts:
                said += part
        reached = dict(answer.headers).get(REACHED.encode(), b"")
        return answer.status, said.decode("utf-8", "replace"), bytes(reached).decode("latin-1")
