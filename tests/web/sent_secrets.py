"""What pages send: secrets belong into bodies, headers and sockets, never into an address, which logs and others keep.

Nobody has to say what is secret: it is whatever a page shows somewhere as a token, a key, a password or a code.
"""

import json
from collections.abc import Iterator
from typing import Any, Final
from urllib.parse import unquote, urldefrag

from playwright.async_api import Page, Request, WebSocket

__all__ = ["SentSecrets"]

_SECRET_FIELDS: Final = frozenset({"token", "key", "password", "newPassword", "code", "credential"})
#: Shorter ones, as tests of refusals have, are words that stand everywhere.
_SHORTEST: Final = 8


class SentSecrets:
    """All addresses that pages ask for, and all secrets that they show."""

    def __init__(self) -> None:
        self.secrets: set[str] = set()
        self._addresses: set[str] = set()

    def listen(self, page: Page) -> None:
        """Note what one more page sends."""
        page.on("request", self._note)
        page.on("websocket", self._note_socket)

    def leaks(self) -> list[str]:
        """The addresses with a secret, as it was shown or as addresses write it."""
        return sorted(
            address
            for address in self._addresses
            if any(secret in text for text in (address, unquote(address)) for secret in self.secrets)
        )

    def _note(self, request: Request) -> None:
        headers = request.headers
        for address in (request.url, headers.get("referer", "")):
            # What follows the # stays in the browser.
            self._addresses.add(urldefrag(address).url)
        scheme, _, token = headers.get("authorization", "").partition(" ")
        if scheme == "Bearer":
            self.secrets.add(token)
        if "json" in headers.get("content-type", ""):
            self._note_fields(request.post_data or "null")

    def _note_socket(self, socket: WebSocket) -> None:
        self._addresses.add(socket.url)
        socket.on("framesent", lambda frame: self._note_fields(frame) if '"hello"' in frame else None)

    def _note_fields(self, text: str | bytes) -> None:
        self.secrets.update(secret for secret in _secrets_in(json.loads(text)) if len(secret) >= _SHORTEST)


def _secrets_in(told: Any) -> Iterator[str]:
    if isinstance(told, dict):
        for field, value in told.items():
            if field in _SECRET_FIELDS and isinstance(value, str):
                yield value
            yield from _secrets_in(value)
    elif isinstance(told, list):
        for one in told:
            yield from _secrets_in(one)
