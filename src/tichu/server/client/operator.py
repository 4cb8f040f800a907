"""The operator's way to a server that runs: requests with the operator's token."""

import http.client
from collections.abc import Mapping
from typing import Final
from urllib.parse import urlencode

import msgspec

from tichu.core.errors import GameError
from tichu.server.client.client import Address, Unreachable

__all__ = ["RemoteOperator"]

#: All ratings may have to be worked out anew before an answer comes.
_SILENCE_S: Final = 300.0


class RemoteOperator:
    """One server, asked over HTTP."""

    def __init__(self, address: Address, token: str) -> None:
        if not (token.isascii() and token.isprintable()):
            raise GameError("the token has characters that no token has")
        self._address = address
        self._token = token

    def request(
        self, method: str, path: str, query: Mapping[str, str], body: Mapping[str, object] | None
    ) -> tuple[int, bytes]:
        """The status and the body of an answer.

        :raises Unreachable: there is none
        """
        at = self._address
        kind = http.client.HTTPSConnection if at.scheme == "https" else http.client.HTTPConnection
        connection = kind(at.host, timeout=_SILENCE_S)
        headers = {"authorization": f"Bearer {self._token}"}
        if body is not None:
            headers["content-type"] = "application/json"
        target = f"{at.path}/api/operator{path}" + (f"?{urlencode(query)}" if query else "")
        try:
            connection.request(method, target, None if body is None else msgspec.json.encode(body), headers)
            response = connection.getresponse()
            return response.status, response.read()
        except (OSError, http.client.HTTPException) as error:
            fact = (error.strerror if isinstance(error, OSError) else None) or str(error) or type(error).__name__
            raise Unreachable(f"{at.host}: {fact}") from None
        except UnicodeError:
            raise GameError(f"{at.host}: no server can have this name") from None
        finally:
            connection.close()
