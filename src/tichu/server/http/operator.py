"""What whoever runs the server may ask and do over HTTP.  Without the operator's token there is no such place."""

import json
import secrets
import time
from collections.abc import Awaitable, Callable
from typing import Final

from starlette.requests import Request
from starlette.responses import Response

from tichu.ratings import MatchRow
from tichu.server.http.accounts import answer_refusals
from tichu.server.http.addresses import address_of
from tichu.server.http.bodies import bearer, body, decoder_of, number
from tichu.server.http.endpoints import Endpoint, Parameter
from tichu.server.http.responses import Failure, json_response
from tichu.server.lobby import Lobby
from tichu.server.operator import Operator, Unknown
from tichu.server.rate_limit import RateLimiter
from tichu.server.store import operator as kept
from tichu.server.store.operator import FoundPerson, StoredAct, StoredReport
from tichu.server.wire.operator import (
    Act,
    ActLog,
    Done,
    FlaggedMatch,
    FlaggedMatches,
    FoundPlayer,
    FoundPlayers,
    OddStatistic,
    OddStatistics,
    OperatorName,
    Reasoned,
    Report,
    ReportFile,
    ReportList,
    Restriction,
    SaidLine,
)

__all__ = ["OperatorApi", "OperatorDoor", "is_plain"]

_NAME: Final = decoder_of(OperatorName)
_RESTRICTION: Final = decoder_of(Restriction)
_REASON: Final = decoder_of(Reasoned)
_LISTED: Final = 100
_LATEST: Final = 2**48
_ID_LENGTH: Final = 60
_WORDS: Final = {
    "player": ("no_such_player", "there is no such player"),
    "match": ("no_such_match", "no match with this id has been rated"),
    "report": ("no_such_report", "there is no such report, or it was dealt with"),
}
#: Wrong tokens of an address a second, and how many at once.
_WRONG_RATE, _WRONG_BURST = 0.2, 20

Handler = Callable[[Request], Awaitable[Response]]


class OperatorDoor:
    """Lets in whoever has the operator's token; to all others this is a place that is not there."""

    def __init__(self, token: str) -> None:
        self._token = token.encode()
        self._wrong = RateLimiter(_WRONG_RATE, _WRONG_BURST)

    def require(self, request: Request) -> None:
        """Let nobody else in.

        :raises Failure: the token was not shown
        """
        shown = (bearer(request) or "").encode("utf-8", "surrogatepass")
        if self._token and secrets.compare_digest(shown, self._token):
            return
        if shown and not self._wrong.take(address_of(request.scope), time.monotonic()):
            raise Failure(429, "too_fast", "too many wrong tokens from this address; wait a while")
        raise Failure(404, "not_found", "there is nothing here")


def is_plain(text: str) -> bool:
    """Whether it can be an id; not every store can be asked for everything."""
    return text.isascii() and text.isprintable() and 0 < len(text) <= _ID_LENGTH


class OperatorApi:
    """What an operator may ask."""

    def __init__(self, lobby: Lobby) -> None:
        self._lobby = lobby
        self._operator = Operator(lobby)
        self._door = OperatorDoor(lobby.config.operator_token)

    def endpoints(self) -> list[Endpoint]:
        """All of them, with what each takes and answers."""
        here = "/api/operator"
        player, report = f"{here}/players/{{player}}", f"{here}/reports/{{report}}"
        text = Parameter("q", "an id, or how a name begins", {"type": "string", "minLength": 1}, is_required=True)
        before = Parameter(
            "before",
            "only what was before, in milliseconds since 1970",
            {"type": "integer", "minimum": 0, "maximum": _LATEST},
        )
        subject = Parameter("subject", "only what was done to this player, match or report", {"type": "string"})
        closed = Parameter("closed", "1 for those that were dealt with", {"type": "integer", "enum": [0, 1]})
        listed = [
            Endpoint(
                *("GET", f"{here}/players", "findPlayers", "Find players", self.find, FoundPlayers),
                query=(text,),
                errors=(400,),
            ),
            Endpoint("POST", f"{player}/name", "renamePlayer", "Rename a player", self.rename, Done, OperatorName),
            Endpoint("POST", f"{player}/mute", "mutePlayer", "Let a player say nothing", self.mute, Done, Restriction),
            Endpoint("POST", f"{player}/ban", "banPlayer", "Let a player in no longer", self.ban, Done, Restriction),
            Endpoint("POST", f"{player}/delete", "deletePlayer", "Forget a player", self.delete, Done, Reasoned),
            Endpoint(
                *("GET", f"{here}/matches", "listFlaggedMatches", "Matches to look at", self.matches, FlaggedMatches),
                query=(before,),
                errors=(400,),
            ),
            Endpoint(
                *("POST", f"{here}/matches/{{match}}/unrate", "unrateMatch", "Take a rated match back", self.unrate),
                *(Done, Reasoned),
            ),
            Endpoint(
                *("GET", f"{here}/statistics", "listOddStatistics", "What chance hardly does", self.odd, OddStatistics)
            ),
            Endpoint(
                *("GET", f"{here}/reports", "listReports", "Reports of players", self.reports, ReportList),
                query=(closed,),
                errors=(400,),
            ),
            Endpoint("GET", report, "readReport", "A report and what was said near it", self.report, ReportFile),
            Endpoint("POST", f"{report}/close", "closeReport", "A report was dealt with", self.close, Done, Reasoned),
            Endpoint(
                *("GET", f"{here}/acts", "listActs", "What operators have done", self.acts, ActLog),
                query=(subject, before),
                errors=(400,),
            ),
        ]
        return [
            one._replace(handler=self._guarded(one.handler), token="must", errors=(*one.errors, 404, 409))
            for one in listed
        ]

    def _guarded(self, handler: Handler) -> Handler:
        refusing = answer_refusals(handler)

        async def guarded(request: Request) -> Response:
            self._door.require(request)
            try:
                return await refusing(request)
            except Unknown as unknown:
                raise Failure(404, *_WORDS[str(unknown)]) from None

        return guarded

    # People.

    async def find(self, request: Request) -> Response:
        """By id or by name."""
        text = request.query_params.get("q", "")
        if not text or not text.isprintable() or len(text) > _ID_LENGTH:
            raise Failure(400, "malformed", f"the query: q is an id or the beginning of a name, {_ID_LENGTH} signs")
        now = self._lobby.time()
        found = await self._operator.find(text, _LISTED)
        return json_response(FoundPlayers(players=tuple(_found(one, now) for one in found)))

    async def rename(self, request: Request) -> Response:
        """Another name."""
        asked: OperatorName = await body(request, _NAME)
        return _done(await self._operator.rename(_subject(request, "player"), asked.name, asked.why))

    async def mute(self, request: Request) -> Response:
        """They may play and say nothing."""
        asked: Restriction = await body(request, _RESTRICTION)
        act = await self._operator.mute(_subject(request, "player"), asked.seconds, asked.why)
        return _done(act, asked.seconds)

    async def ban(self, request: Request) -> Response:
        """They are let in no longer, and sent away from wherever they are."""
        asked: Restriction = await body(request, _RESTRICTION)
        act = await self._operator.ban(_subject(request, "player"), asked.seconds, asked.why)
        return _done(act, asked.seconds)

    async def delete(self, request: Request) -> Response:
        """They are forgotten for good."""
        asked: Reasoned = await body(request, _REASON)
        return _done(await self._operator.delete(_subject(request, "player"), asked.why))

    # Matches.

    async def matches(self, request: Request) -> Response:
        """Rated matches with flags."""
        before = number(request, "before", 0, _LATEST)
        rows = [one.row for one in await self._lobby.store.read(kept.flagged_matches, before, _LISTED)]
        names = await self._operator.names({player for row in rows for player in row.players})
        told = tuple(
            FlaggedMatch(
                match=row.match,
                at=row.at,
                rules=row.rules,
                players=row.players,
                names=tuple(names.get(player, "") for player in row.players),
                flags=(*row.flags, *_spared(row)),
                winner=row.winner,
                weight=row.weight,
                unrated=row.unrated,
            )
            for row in rows
        )
        return json_response(FlaggedMatches(matches=told))

    async def unrate(self, request: Request) -> Response:
        """A match counts for nothing any more."""
        asked: Reasoned = await body(request, _REASON)
        return _done(await self._operator.unrate(_subject(request, "match"), asked.why))

    async def odd(self, request: Request) -> Response:
        """Numbers, and nothing that follows from them."""
        found = (await self._operator.odd())[:_LISTED]
        names = await self._operator.names({one.player for one in found})
        told = tuple(
            OddStatistic(
                player=one.player,
                name=names.get(one.player, ""),
                what=one.what,
                count=one.count,
                of=one.of,
                usual=round(one.usual, 4),
                sigmas=round(one.sigmas, 1),
            )
            for one in found
        )
        return json_response(OddStatistics(statistics=told))

    # Reports and acts.

    async def reports(self, request: Request) -> Response:
        """Without what was said."""
        closed = bool(number(request, "closed", 0, 1))
        found = await self._lobby.store.read(kept.reports, closed=closed, limit=_LISTED)
        return json_response(ReportList(reports=tuple(map(_report, found))))

    async def report(self, request: Request) -> Response:
        """With what was said."""
        found = await self._operator.read_report(_subject(request, "report"))
        chat = tuple(SaidLine(**line) for line in json.loads(found.chat))
        return json_response(ReportFile(report=_report(found), chat=chat, record=found.record))

    async def close(self, request: Request) -> Response:
        """It is forgotten after a while."""
        asked: Reasoned = await body(request, _REASON)
        return _done(await self._operator.close_report(_subject(request, "report"), asked.why))

    async def acts(self, request: Request) -> Response:
        """The log of acts."""
        before, subject = number(request, "before", 0, _LATEST), request.query_params.get("subject", "")
        if subject and not is_plain(subject):
            raise Failure(400, "malformed", "the query: subject is the id of a player, a match or a report")
        found = await self._lobby.store.read(kept.acts, subject, None if before is None else before / 1000, _LISTED)
        told = tuple(
            Act(id=one.id, at=round(1000 * one.at), what=one.what, subject=one.subject, words=one.words)
            for one in found
        )
        return json_response(ActLog(acts=told))


def _subject(request: Request, kind: str) -> str:
    text: str = request.path_params[kind]
    if not is_plain(text):
        raise Unknown(kind)
    return text


def _done(act: StoredAct, seconds: int = 0) -> Response:
    until = round(1000 * (act.at + seconds)) if seconds else None
    return json_response(Done(act=act.id, what=act.what, subject=act.subject, until=until))


def _spared(row: MatchRow) -> tuple[str, ...]:
    """Who left with a stranger as the partner, who lost nothing by it."""
    return (f"spared {row.leaver ^ 2}",) if row.spared and row.leaver is not None else ()


def _found(one: FoundPerson, now: float) -> FoundPlayer:
    return FoundPlayer(
        player=one.id,
        name=one.name,
        kind="bot" if one.kind == "bot" else "person",
        account=one.account,
        created=round(1000 * one.created),
        seen=round(1000 * one.seen) or None,
        muted=round(1000 * one.muted) if one.muted > now else None,
        banned=round(1000 * one.banned) if one.banned > now else None,
        reports=one.reports,
    )


def _report(one: StoredReport) -> Report:
    return Report(
        id=one.id,
        at=round(1000 * one.at),
        reporter=one.reporter,
        reported=one.reported,
        table=one.table,
        game=one.game,
        reason=one.reason,
        words=one.words,
        closed=round(1000 * one.closed) or None,
    )
