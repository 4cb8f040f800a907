"""Whether other nodes are where they say they are, and have our secret: else nothing that they have is reached.

Nodes that were started without an address for others, or with a secret of their own, are told apart by nothing in the
database; so each is asked once who it is.
"""

import asyncio
import logging
from collections.abc import Callable, Sequence
from contextlib import aclosing
from typing import Final

from tichu.server.cluster.peers import Peer
from tichu.server.http.relay_client import NODE, PROOF, PeerClient, PeerFailure

__all__ = ["WHO", "PeerCheck"]

log = logging.getLogger("tichu.server")

#: The path at which a node says who it is to another one.
WHO: Final = "/api/node"
_LOOK_S = 5.0
_ANSWER_S: Final = 5.0
#: A node that goes on renewing and was not reached so often is said to be somewhere else.
_TRIES: Final = 3


class PeerCheck:
    """Asks every node that comes, until it is cancelled."""

    def __init__(
        self, client: PeerClient, secret: str, me: Callable[[], str], others: Callable[[], Sequence[Peer]]
    ) -> None:
        self._client = client
        self._secret = secret
        self._me = me
        self._others = others
        #: By node: how often it was asked in vain; those that are known are not asked again.
        self._tries: dict[str, int] = {}
        self._known: set[str] = set()

    async def run(self) -> None:
        """Ask whoever is not known yet."""
        while True:
            await asyncio.sleep(_LOOK_S)
            others = self._others()
            self._known &= {peer.id for peer in others}
            for peer in others:
                if peer.id not in self._known:
                    await self._ask(peer)

    async def _ask(self, peer: Peer) -> None:
        try:
            async with asyncio.timeout(_ANSWER_S):
                status, said = await self._who(peer.url)
        except (PeerFailure, TimeoutError) as error:
            tries = self._tries[peer.id] = self._tries.get(peer.id, 0) + 1
            if tries == _TRIES:
                log.error("node %s is not reached at %s: %s", peer.id, peer.url, str(error) or "no answer")
            return
        self._known.add(peer.id)
        self._tries.pop(peer.id, None)
        if status == 403:
            log.error("node %s has another secret: nothing that it has is reached from here (--node-secret)", peer.id)
        elif status == 200 and said != peer.id:
            log.error("at %s there is node %s and not %s, which says so (--node-url)", peer.url, said, peer.id)

    async def _who(self, url: str) -> tuple[int, str]:
        headers = [(PROOF, self._secret), (NODE, self._me()), ("host", "node")]
        encoded = [(name.encode(), value.encode("latin-1", "replace")) for name, value in headers]
        answer = await self._client.request(url, "GET", WHO.encode(), encoded, b"")
        said = b""
        async with aclosing(answer.body) as parts:
            async for part in parts:
                said += part
        return answer.status, said.decode("utf-8", "replace")
