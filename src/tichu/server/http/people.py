"""People over HTTP: profiles, who follows whom, and who is never brought together with whom."""

from collections.abc import Awaitable, Callable, Sequence
from typing import Final, NamedTuple

from starlette.requests import Request
from starlette.responses import Response

from tichu.server.http.bodies import bearer, number, token_owner
from tichu.server.http.endpoints import Endpoint
from tichu.server.http.games import LATEST, LISTED, PAGE, before_of, info_of, results_of
from tichu.server.http.responses import Failure, json_response
from tichu.server.lobby import Lobby
from tichu.server.reviews.sheets import add_up, decode_sheet
from tichu.server.store import relations as kept
from tichu.server.store.relations import KnownPerson
from tichu.server.store.showing import partners_of, sheets_of, shown_games
from tichu.server.wire.people import (
    KindLoss,
    People,
    Person,
    PlayerSheet,
    Profile,
    ProfileGame,
    ProfileGames,
    ProfilePartner,
    RecentPlayer,
    RelationTo,
)

__all__ = ["PeopleApi", "person_of"]

_ID_LENGTH: Final = 60

Handler = Callable[[Request], Awaitable[Response]]


class _Seen(NamedTuple):
    """Somebody as they are for whoever asks."""

    who: KnownPerson
    is_own: bool
    #: Who is not shown to them.
    unwanted: frozenset[str]
    relation: RelationTo | None


class PeopleApi:
    """What can be asked about people."""

    def __init__(self, lobby: Lobby) -> None:
        self._lobby = lobby
        self._relations = lobby.accounts.relations

    def endpoints(self) -> list[Endpoint]:
        """All of them, with what each takes and answers."""
        follow, block = "/api/me/follows/{player}", "/api/me/blocks/{player}"
        return [
            Endpoint(
                *("GET", "/api/players/{player}", "readPlayer", "Who somebody is", self.profile, Profile),
                errors=(404,),
                token="may",
            ),
            Endpoint(
                *("GET", "/api/players/{player}/games", "listPlayerGames", "Somebody's games", self.games),
                ProfileGames,
                errors=(400, 404),
                query=PAGE,
                token="may",
            ),
            Endpoint(
                "GET", "/api/me/people", "listPeople", "What others are to you", self.people, People, token="must"
            ),
            Endpoint(
                *("POST", follow, "follow", "Follow somebody", self.follow, RelationTo),
                errors=(404, 409),
                token="must",
                is_costly=True,
            ),
            Endpoint(
                *("DELETE", follow, "unfollow", "Follow somebody no longer", self.unfollow, RelationTo),
                token="must",
                is_costly=True,
            ),
            Endpoint(
                *("POST", block, "block", "Have nothing to do with somebody", self.block, RelationTo),
                errors=(404, 409),
                token="must",
                is_costly=True,
            ),
            Endpoint(
                *("DELETE", block, "unblock", "Have to do with somebody again", self.unblock, RelationTo),
                token="must",
                is_costly=True,
            ),
        ]

    async def profile(self, request: Request) -> Response:
        """Somebody's results beside everybody's; whoever has blocked the one who asks is not there for them."""
        store, seen = self._lobby.store, await self._look_at(request)
        other = seen.who.id
        partners = await store.read(partners_of, other, is_own=seen.is_own, unwanted=seen.unwanted)
        return json_response(
            Profile(
                person=person_of(seen.who),
                created=round(1000 * seen.who.created),
                results=results_of(*await store.results(other)),
                everybody=results_of(*await self._relations.everybody()),
                followers=await store.read(kept.followers_of, other),
                relation=seen.relation,
                partners=tuple(
                    ProfilePartner(person=person_of(one.who), games=one.games, won=one.won, last=round(1000 * one.last))
                    for one in partners
                ),
                sheet=_sheet(await store.read(sheets_of, other, is_own=seen.is_own)),
            )
        )

    async def games(self, request: Request) -> Response:
        """Games of somebody that whoever asks may see: of public tables, and all of one's own."""
        before = number(request, "before", 0, LATEST)
        limit = number(request, "limit", 1, LISTED) or LISTED
        seen = await self._look_at(request)
        until = float("inf") if before is None else before / 1000
        found, more = await self._lobby.store.read(
            shown_games, seen.who.id, until, limit, is_own=seen.is_own, unwanted=seen.unwanted
        )
        games = [ProfileGame(game=await info_of(self._lobby, one.summary), rated=one.is_rated) for one in found]
        return json_response(ProfileGames(games=tuple(games), before=None if more is None else before_of(more)))

    async def _look_at(self, request: Request) -> _Seen:
        """Whom the path names; whoever has blocked the one who asks is not there for them."""
        other = _player(request)
        asker = "" if bearer(request) is None else (await token_owner(request, self._lobby)).player.id
        who = await self._lobby.store.read(kept.person, other) if other else None
        relation = await self._relation(asker, other) if asker and asker != other else None
        if who is None or (relation is not None and relation[1]):
            raise _nobody()
        unwanted = await self._relations.blocks(asker) - {other} if asker else frozenset()
        return _Seen(who, asker == other, unwanted, None if relation is None else relation[0])

    async def people(self, request: Request) -> Response:
        """Whom one follows and blocks, and with whom one has played."""
        player, store = (await token_owner(request, self._lobby)).player.id, self._lobby.store
        recent = tuple(
            RecentPlayer(
                person=person_of(one.who), last=round(1000 * one.last), partner=one.partner, opponent=one.opponent
            )
            for one in await store.read(kept.recent_people, player)
        )
        follows = tuple(person_of(one) for one in await store.read(kept.listed_people, player, "follows"))
        blocks = tuple(person_of(one) for one in await store.read(kept.listed_people, player, "blocks"))
        return json_response(People(follows=follows, blocks=blocks, recent=recent))

    async def follow(self, request: Request) -> Response:
        """Follow somebody."""
        return await self._change(request, self._relations.follow)

    async def block(self, request: Request) -> Response:
        """Have nothing to do with somebody: neither of the two follows the other any more."""
        answer = await self._change(request, self._relations.block)
        player = (await token_owner(request, self._lobby)).player.id
        self._lobby.quick_match.keep_apart(player, await self._relations.blocks(player))
        return answer

    async def unfollow(self, request: Request) -> Response:
        """Follow somebody no longer."""
        known, other = await token_owner(request, self._lobby), _player(request)
        await self._lobby.store.write(kept.unfollow, known.player.id, other)
        return json_response((await self._relation(known.player.id, other))[0])

    async def unblock(self, request: Request) -> Response:
        """Have to do with somebody again."""
        known, other = await token_owner(request, self._lobby), _player(request)
        await self._lobby.store.write(kept.unblock, known.player.id, other)
        return json_response((await self._relation(known.player.id, other))[0])

    async def _change(self, request: Request, change: Callable[[str, str], Awaitable[kept.Outcome]]) -> Response:
        player, other = (await token_owner(request, self._lobby)).player.id, _player(request)
        match await change(player, other) if other else "nobody":
            case "nobody":
                raise _nobody()
            case "blocked":
                raise Failure(409, "blocked", "you have blocked this player")
            case "too_many":
                raise Failure(409, "too_many", f"a list has at most {kept.MOST} people")
        return json_response((await self._relation(player, other))[0])

    async def _relation(self, player: str, other: str) -> tuple[RelationTo, bool]:
        """What somebody is to another, and whether the other has blocked them, which nobody is told."""
        found = await self._lobby.store.read(kept.relation_to, player, other)
        told = RelationTo(player=other, follows=found.follows, blocks=found.blocks, follows_you=found.is_followed)
        return told, found.is_blocked


def _player(request: Request) -> str:
    """The id in the path; empty if it cannot be one, since not every store can be asked for everything."""
    player: str = request.path_params["player"]
    return player if player.isascii() and player.isprintable() and len(player) <= _ID_LENGTH else ""


def _nobody() -> Failure:
    return Failure(404, "no_such_player", "there is no such player")


def person_of(who: KnownPerson) -> Person:
    """Somebody as everybody may know them."""
    return Person(player=who.id, name=who.name, kind="bot" if who.kind == "bot" else "person", account=who.account)


def _sheet(games: Sequence[str]) -> PlayerSheet | None:
    sheet = add_up([one for one in map(decode_sheet, games) if one is not None])
    if sheet is None:
        return None
    return PlayerSheet(
        games=sheet.games,
        rounds=sheet.rounds,
        lost=sheet.lost.lost_per_round,
        error=sheet.lost.lost_per_round_error,
        kinds=tuple(
            KindLoss(kind=kind, lost=one.lost_per_round, error=one.lost_per_round_error)
            for kind, one in sheet.by_kind.items()
        ),
    )
