"""HTTP answers."""

from collections.abc import Mapping
from typing import Final

import msgspec
from msgspec import Struct
from starlette.responses import Response

from tichu.server.protocol.http import ApiError

__all__ = ["ENCODER", "Failure", "error_response", "json_response"]

ENCODER: Final = msgspec.json.Encoder()


class Failure(Exception):
    """A request that cannot be answered as it was meant; raised anywhere in a handler."""

    def __init__(self, status: int, code: str, message: str) -> None:
        super().__init__(code)
        self.status = status
        self.code = code
        self.message = message


def json_response(value: Struct, status: int = 200, headers: Mapping[str, str] | None = None) -> Response:
    """A struct as an answer that nobody keeps."""
    return Response(ENCODER.encode(value), status, {"cache-control": "no-store", **(headers or {})}, "application/json")


def error_response(status: int, code: str, message: str) -> Response:
    """What went wrong."""
    headers = {"retry-after": "1"} if status == 429 else None
    return json_response(ApiError(error=code, message=message), status, headers)
