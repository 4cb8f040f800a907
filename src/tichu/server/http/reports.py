"""Reports of players over HTTP."""

from typing import Final

from starlette.requests import Request
from starlette.responses import Response

from tichu.server.http.addresses import address_of
from tichu.server.http.bodies import body, decoder_of, token_owner
from tichu.server.http.endpoints import Endpoint
from tichu.server.http.operator import is_plain
from tichu.server.http.responses import Failure, json_response
from tichu.server.lobby import Lobby
from tichu.server.reporting import NoReport, Reports, Told
from tichu.server.wire.reports import NewReport, Reported

__all__ = ["ReportsApi"]

_NEW: Final = decoder_of(NewReport)
_FAILURES: Final = {
    "player": (404, "no_such_player", "there is no such player"),
    "table": (404, "no_such_table", "there is no such table, or no longer"),
    "game": (404, "no_such_game", "there is no such game; those in progress are not told"),
    "yourself": (409, "yourself", "this is you"),
    "too_many": (409, "too_many", "too many reports wait for the operator"),
    "too_fast": (429, "too_fast", "too many reports; wait a while"),
}


class ReportsApi:
    """What players tell whoever runs the server."""

    def __init__(self, lobby: Lobby) -> None:
        self._lobby = lobby
        self._reports = Reports(lobby)

    def endpoints(self) -> list[Endpoint]:
        """All of them, with what each takes and answers."""
        return [
            Endpoint(
                *("POST", "/api/players/{player}/reports", "reportPlayer", "Tell the operator about a player"),
                *(self.report, Reported, NewReport, 201),
                errors=(404, 409),
                token="must",
                is_costly=True,
            )
        ]

    async def report(self, request: Request) -> Response:
        """What was said and played near it is kept with the report, for the operator alone."""
        known = await token_owner(request, self._lobby)
        new: NewReport = await body(request, _NEW)
        player: str = request.path_params["player"]
        try:
            for what, text in (("player", player), ("table", new.table), ("game", new.game)):
                if text and not is_plain(text):
                    raise NoReport(what)
            told = Told(known.player.id, player, new.reason, _line(new.words), new.table, new.game)
            number = await self._reports.keep(told, address_of(request.scope))
        except NoReport as wrong:
            raise Failure(*_FAILURES[str(wrong)]) from None
        return json_response(Reported(report=number), 201)


def _line(text: str) -> str:
    """Words that every store and every terminal can take."""
    return "".join(sign if sign.isprintable() else " " for sign in text).strip()
