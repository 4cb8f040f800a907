"""How a node proves itself to another one, and how requests and handshakes are refused.

Only of whoever has the secret of the cluster it is believed for whom it asks.
"""

import secrets
from contextlib import suppress
from typing import Final

from starlette.datastructures import Headers
from starlette.responses import Response
from starlette.types import ASGIApp, Receive, Scope, Send
from starlette.websockets import WebSocket

from tichu.server.http.addresses import RELAYED_BY
from tichu.server.http.peer_check import REACHED, WHO
from tichu.server.http.relay_client import CLIENT, NODE, PROOF, SCHEME
from tichu.server.sharing import SharedTables

__all__ = ["NO_NODE", "RelayProof", "deny", "refuse"]

#: In a scope: whoever asks has shown a secret that is not ours.
NO_NODE: Final = "tichu.no_node"


class RelayProof:
    """Believes what another node says about a client, if it has the secret."""

    def __init__(self, app: ASGIApp, shared: SharedTables, secret: str) -> None:
        self._app = app
        self._node = shared.node
        self._secret = secret.encode()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "lifespan":
            headers = Headers(scope=scope)
            shown = headers.get(PROOF)
            if shown is None:
                pass
            elif not secrets.compare_digest(shown.encode("latin-1"), self._secret):
                # Refused only after everything that guards against others.
                scope[NO_NODE] = True
            elif scope["path"] == WHO:
                await refuse(scope, receive, send, self._introduction(headers.get(NODE, "")))
                return
            else:
                scope["client"] = (headers.get(CLIENT, ""), 0)
                scope["scheme"] = headers.get(SCHEME, scope["scheme"])
                scope[RELAYED_BY] = headers.get(NODE, "?")
        await self._app(scope, receive, send)

    def _introduction(self, asking: str) -> Response:
        """Who this is, and whether it has reached whoever asks."""
        known = self._node.membership.acquaintance
        answer = Response(self._node.id, media_type="text/plain")
        if asking in known.reached or asking in known.unreached:
            answer.headers[REACHED] = "yes" if asking in known.reached else "no"
        else:
            answer.headers[REACHED] = "unknown"
        return answer


async def refuse(scope: Scope, receive: Receive, send: Send, answer: Response) -> None:
    """Answer a request, or refuse the handshake of a socket with the same words."""
    if scope["type"] == "websocket":
        await deny(WebSocket(scope, receive, send), answer)
    else:
        await answer(scope, receive, send)


async def deny(socket: WebSocket, answer: Response) -> None:
    """Refuse a handshake, whose client may have gone in the meantime."""
    with suppress(OSError, RuntimeError, AttributeError):
        await socket.send_denial_response(answer)
