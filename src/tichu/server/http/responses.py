"""HTTP answers."""

from collections.abc import Mapping

from msgspec import Struct
from starlette.responses import Response

from tichu.server.wire import ENCODER
from tichu.server.wire.requests import ApiError

__all__ = ["Failure", "error_response", "json_response"]


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


def error_response(status: int, code: str, message: str) -> Response:
    """What went wrong."""
    headers = {"retry-after": "1"} if status == 429 else None
    return json_response(ApiError(error=code, message=message), status, headers)
