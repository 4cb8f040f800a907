"""HTTP answers."""

import asyncio
from collections.abc import Mapping
from typing import Final

from msgspec import Struct
from starlette.responses import Response
from starlette.types import Receive, Scope, Send

from tichu.server.wire import ENCODER
from tichu.server.wire.requests import ApiError

__all__ = ["Failure", "SlicedResponse", "error_response", "json_response"]

_SLICE_BYTES: Final = 65_536


class Failure(Exception):
    """A request that cannot be answered as it was meant; raised anywhere in a handler."""

    def __init__(self, status: int, code: str, message: str) -> None:
        super().__init__(status, code, message)
        self.status = status
        self.code = code
        self.message = message


def json_response(value: Struct, status: int = 200, headers: Mapping[str, str] | None = None) -> Response:
    """A struct as an answer that nobody keeps."""
    return Response(ENCODER.encode(value), status, {"cache-control": "no-store", **(headers or {})}, "application/json")


class SlicedResponse(Response):
    """A large answer, sent bit by bit: to write megabytes at once would keep everybody waiting."""

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        await send({"type": "http.response.start", "status": self.status_code, "headers": self.raw_headers})
        for start in range(0, len(self.body), _SLICE_BYTES):
            part = self.body[start : start + _SLICE_BYTES]
            await send({"type": "http.response.body", "body": part, "more_body": True})
            await asyncio.sleep(0)
        await send({"type": "http.response.body", "body": b""})


def error_response(status: int, code: str, message: str) -> Response:
    """What went wrong."""
    headers = {"retry-after": "1"} if status == 429 else None
    return json_response(ApiError(error=code, message=message), status, headers)
