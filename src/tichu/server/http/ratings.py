"""Ratings, leaderboards and the quick match over HTTP."""

from collections.abc import Sequence, Set
from typing import Final, Literal

from starlette.requests import Request
from starlette.responses import Response

from tichu.agents.registry import LEVELS
from tichu.core.errors import GameError
from tichu.core.rules import Rules
from tichu.ratings import Pool, Standing, anchors_of, is_anonymous
from tichu.server.capacity import TooManyTables
from tichu.server.http.addresses import address_of
from tichu.server.http.bodies import body, decoder_of, shown_player, token_owner
from tichu.server.http.endpoints import Endpoint, Parameter
from tichu.server.http.responses import Failure, json_response
from tichu.server.lobby import Lobby
from tichu.server.players import Identity
from tichu.server.rating.searches import Search, TooManySearches, Wanted
from tichu.server.rating.service import RankedStanding, Ratings
from tichu.server.store.matches import match_by_id, names_of
from tichu.server.store.relations import blocked_by
from tichu.server.wire.ratings import (
    BoardBot,
    BoardEntry,
    Leaderboard,
    MatchRatings,
    PairRating,
    PlayerRatings,
    QuickInvite,
    QuickRequest,
    QuickState,
    RatingChange,
    RatingPast,
    RatingPool,
    RatingStanding,
)

__all__ = ["RatingApi", "board_entry", "rating_pool", "require_rating"]

_QUICK: Final = decoder_of(QuickRequest)
#: Entries of a leaderboard, pools, and matches of a history.
_LISTED: Final = 100
_POOLS: Final = 50
_PAST: Final = 200
#: How long one who asks too early waits for a match to be rated, in seconds.
_RATED_S: Final = 5.0
_ID_LENGTH: Final = 60


class RatingApi:
    """Who is how strong, and who looks for a match."""

    def __init__(self, lobby: Lobby) -> None:
        self._lobby = lobby

    def endpoints(self) -> list[Endpoint]:
        """All of them, with what each takes and answers."""
        rules = Parameter("rules", "as in a table's settings; standard if absent", {"type": "string", "maxLength": 300})
        clock = Parameter("clock", "normal if absent", {"type": "string", "enum": ["fast", "normal", "slow"]})
        league = Parameter("league", "people if absent", {"type": "string", "enum": ["people", "bots"]})
        return [
            Endpoint(
                *("GET", "/api/players/{player}/ratings", "readRatings", "A player's ratings", self.player),
                PlayerRatings,
                token="may",
            ),
            Endpoint(
                *("GET", "/api/leaderboard", "readLeaderboard", "Who is strongest", self.leaderboard, Leaderboard),
                errors=(400,),
                query=(rules, clock, league),
                token="may",
            ),
            Endpoint(
                *("GET", "/api/games/{game}/ratings", "readRatingChanges", "What a rated match did", self.match),
                MatchRatings,
                errors=(404,),
                is_costly=True,
            ),
            Endpoint(
                *("POST", "/api/quick", "lookForMatch", "Look for a match", self.look, QuickState, QuickRequest),
                errors=(403, 409),
                token="must",
            ),
            Endpoint("GET", "/api/quick", "readSearch", "How a search stands", self.search, QuickState, token="must"),
            Endpoint("DELETE", "/api/quick", "endSearch", "Look no longer", self.leave, QuickState, token="must"),
            Endpoint(
                "POST", "/api/quick/bots", "allowBots", "Let bots take free seats", self.bots, QuickState, token="must"
            ),
        ]

    async def player(self, request: Request) -> Response:
        """Ratings, pairs and history; of whoever has gone or blocked the one who asks, as of somebody without any."""
        player, ratings = request.path_params["player"], self._lobby.ratings
        asker = await shown_player(request, self._lobby)
        unwanted = await self._unwanted(asker)
        hidden = player in unwanted and player not in await self._lobby.store.read(blocked_by, asker)
        # When they played, and with whom, would tell who that was.
        if hidden or is_anonymous(player):
            return json_response(PlayerRatings(player=player, ratings=(), pairs=(), history=()))
        pairs = [
            one
            for one in ratings.pairs(player, _LISTED)
            if unwanted.isdisjoint({*one[1]} - {player}) and not any(map(is_anonymous, one[1]))
        ]
        # Any number of guests can have blocked somebody; those who were never rated stand before nobody.
        unlisted = ratings.rated_among(unwanted) - {player}
        partners = [one if other == player else other for _, (one, other), _ in pairs]
        names = await self._names(partners)
        answer = PlayerRatings(
            player=player,
            ratings=tuple(
                _standing(place.pool, place.standing, _rank_without(ratings, place, unlisted))
                for place in ratings.places(player, _POOLS)
            ),
            pairs=tuple(
                PairRating(
                    pool=rating_pool(pool),
                    partner=partner,
                    name=names.get(partner, ""),
                    rating=standing.rating.shown,
                    deviation=standing.deviation,
                    provisional=standing.is_provisional,
                    matches=standing.matches,
                    wins=standing.wins,
                )
                for (pool, _, standing), partner in zip(pairs, partners, strict=True)
            ),
            history=tuple(
                RatingPast(at=one.at, pool=rating_pool(one.pool), before=one.before, after=one.after)
                for one in ratings.history(player, _PAST)
            ),
        )
        return json_response(answer)

    async def leaderboard(self, request: Request) -> Response:
        """Players and pairs of a pool; without those of a block, and nothing tells that somebody is missing."""
        ratings, pool = self._lobby.ratings, _asked_pool(request)
        unwanted = await self._unwanted(await shown_player(request, self._lobby))
        players, pairs = ratings.leaderboard(pool, _LISTED, unwanted), ratings.pair_leaderboard(pool, _LISTED, unwanted)
        programs = ratings.leaderboard(pool._replace(league="bots"), _LISTED, unwanted)
        listed = [*(player for player, _ in (*players, *programs)), *(one for pair, _ in pairs for one in pair)]
        names = await self._names(listed)
        answer = Leaderboard(
            pool=rating_pool(pool),
            players=tuple(board_entry(rank, (player,), names, one) for rank, (player, one) in enumerate(players, 1)),
            pairs=tuple(board_entry(rank, pair, names, one) for rank, (pair, one) in enumerate(pairs, 1)),
            bots=_bots(pool, programs, names),
            pools=tuple(rating_pool(one) for one in ratings.pools(_POOLS)),
        )
        return json_response(answer)

    async def match(self, request: Request) -> Response:
        """What a match did, as soon as it is known."""
        game, ratings = request.path_params["game"], self._lobby.ratings
        is_id = game.isascii() and game.isprintable() and len(game) <= _ID_LENGTH
        stored = await self._lobby.store.read(match_by_id, game) if is_id else None
        if stored is None:
            raise Failure(404, "no_such_match", "no rated match has this id")
        await ratings.wait_for(game, _RATED_S)
        changes = ratings.changes(game) or [None] * 4
        players = tuple(
            None
            if change is None or is_anonymous(player)
            else RatingChange(player=player, before=change[0], after=change[1])
            for player, change in zip(stored.row.players, changes, strict=True)
        )
        return json_response(MatchRatings(match=game, players=players))

    async def look(self, request: Request) -> Response:
        """Look for a match, alone or with a partner."""
        known = await token_owner(request, self._lobby)
        wanted: QuickRequest = await body(request, _QUICK)
        if self._lobby.is_closing:
            raise Failure(503, "closing", "the server is closing; come back in a moment")
        if wanted.rated and not known.player.account:
            raise Failure(403, "account_only", "rated matches are for accounts")
        require_rating(self._lobby, is_rated=wanted.rated)
        if (table := await self._lobby.quick_match.rated_match_of(known.player.id)) is not None:
            raise Failure(409, "in_match", f"a rated match is not over: table {table}")
        kind = Wanted(wanted.rated, wanted.speed, known.kind)
        named = (await self._lobby.players.with_own_name(known)).player
        player = named._replace(address=address_of(request.scope), device=wanted.device)
        blocked = await self._lobby.accounts.relations.blocks(player.id)
        # Whoever is blocked is not told so: they wait for a partner who does not come.
        if wanted.partner in blocked and wanted.partner in await self._lobby.store.read(blocked_by, player.id):
            raise Failure(400, "malformed", "the body: you have blocked this partner")
        # Whoever was banned or has gone meanwhile is not brought together with anybody.
        known = await token_owner(request, self._lobby)
        try:
            self._lobby.capacity.require(player.address)
            self._lobby.quick_match.look(player, kind, wanted.partner, blocked)
        except (TooManyTables, TooManySearches) as error:
            raise Failure(429, "too_many", str(error)) from None
        except GameError as error:
            raise Failure(400, "malformed", f"the body: {error}") from None
        return json_response(await self._state(known))

    async def search(self, request: Request) -> Response:
        """How it stands; asking keeps the search alive."""
        known = await token_owner(request, self._lobby)
        if self._lobby.quick_match.search_of(known.player.id) is not None:
            # Somebody may have been blocked since, at another node too.
            blocked = await self._lobby.accounts.relations.blocks(known.player.id)
            self._lobby.quick_match.keep_apart(known.player.id, blocked)
        return json_response(await self._state(known))

    async def leave(self, request: Request) -> Response:
        """Look no longer."""
        known = await token_owner(request, self._lobby)
        self._lobby.quick_match.leave(known.player.id)
        return json_response(await self._state(known))

    async def bots(self, request: Request) -> Response:
        """Bots are welcome, from the time on that is told."""
        known = await token_owner(request, self._lobby)
        self._lobby.quick_match.allow_bots(known.player.id)
        return json_response(await self._state(known))

    async def _state(self, known: Identity) -> QuickState:
        quick = self._lobby.quick_match
        search = quick.search_of(known.player.id)
        invites = tuple(
            QuickInvite(player=one.player.id, name=one.player.name, rated=one.wanted.rated, speed=one.wanted.speed)
            for one in quick.invites_of(known.player.id)
        )
        now = round(1000 * self._lobby.time())
        if search is None:
            return QuickState(
                state="none",
                rated=False,
                speed="normal",
                since=None,
                now=now,
                seekers=0,
                expected=None,
                spread=0,
                bots_at=None,
                bots=False,
                table=None,
                invites=invites,
            )
        expected, spread = quick.expected(search.wanted), quick.spread(search)
        return QuickState(
            state=_state_of(search, has_partner=not search.partner or quick.has_partner(search)),
            rated=search.wanted.rated,
            speed=search.wanted.speed,
            since=round(1000 * search.since),
            now=now,
            seekers=quick.seekers(search.wanted),
            expected=None if expected is None else round(expected),
            spread=round(min(spread, 9999.0)),
            bots_at=round(1000 * quick.bots_at(search)),
            bots=search.bots,
            table=search.table,
            invites=invites,
        )

    async def _unwanted(self, asker: str) -> frozenset[str]:
        return await self._lobby.accounts.relations.blocks(asker) if asker else frozenset()

    async def _names(self, players: list[str]) -> dict[str, str]:
        return await self._lobby.store.read(names_of, players)


def require_rating(lobby: Lobby, *, is_rated: bool) -> None:
    """Refuse what is to be rated where nothing can be.

    :raises Failure: it would be played for nothing
    """
    if is_rated and not lobby.ratings.can_rate:
        raise Failure(409, "not_rated_here", "this server cannot rate; its operator can add that")


def _state_of(search: Search, *, has_partner: bool) -> Literal["partner", "waiting", "found"]:
    if search.table is not None:
        return "found"
    return "waiting" if has_partner else "partner"


def _asked_pool(request: Request) -> Pool:
    query = request.query_params
    rules, clock, league = query.get("rules", "standard"), query.get("clock", "normal"), query.get("league", "people")
    if clock not in ("fast", "normal", "slow"):
        raise Failure(400, "malformed", "the query: clock is fast, normal or slow")
    if league not in ("people", "bots"):
        raise Failure(400, "malformed", "the query: league is people or bots")
    try:
        return Pool(league, str(Rules.parse(rules[:300])), clock)  # type: ignore[arg-type]
    except GameError as error:
        raise Failure(400, "malformed", f"the query: rules: {error}") from None


def _rank_without(ratings: Ratings, place: RankedStanding, unwanted: Set[str]) -> int | None:
    """The rank on the leaderboard that whoever asks sees."""
    if place.rank is None:
        return None
    ranks = (ratings.rank(place.pool, other) for other in unwanted)
    return place.rank - sum(rank is not None and rank < place.rank for rank in ranks)


def rating_pool(pool: Pool) -> RatingPool:
    """A pool as it is told."""
    return RatingPool(league=pool.league, rules=pool.rules, clock=pool.clock, hosted=pool.hosted)


def _standing(pool: Pool, standing: Standing, rank: int | None) -> RatingStanding:
    return RatingStanding(
        pool=rating_pool(pool),
        rating=standing.rating.shown,
        deviation=standing.deviation,
        provisional=standing.is_provisional,
        matches=standing.matches,
        wins=standing.wins,
        losses=standing.losses,
        left=standing.left,
        spared=standing.spared,
        rank=rank,
    )


def board_entry(rank: int, players: tuple[str, ...], names: dict[str, str], standing: Standing) -> BoardEntry:
    """A line of a leaderboard."""
    return BoardEntry(
        rank=rank,
        players=players,
        names=tuple(names.get(player, "") for player in players),
        rating=standing.rating.shown,
        deviation=standing.deviation,
        matches=standing.matches,
    )


def _bots(pool: Pool, programs: Sequence[tuple[str, Standing]], names: dict[str, str]) -> tuple[BoardBot, ...]:
    """The levels and the programs of authors, which stand on one scale."""
    levels = [(None, one.name, one.rating, one.rating.deviation, 0) for one in anchors_of(pool).values()]
    authors = [
        (player, names.get(player, ""), standing.rating, standing.deviation, standing.matches)
        for player, standing in programs
    ]
    listed = [*authors, *(level for level in levels if level[1] in LEVELS)]
    listed.sort(key=lambda one: -one[2].mu)
    return tuple(
        BoardBot(rank=rank, player=player, name=name, rating=rating.shown, deviation=deviation, matches=matches)
        for rank, (player, name, rating, deviation, matches) in enumerate(listed, 1)
    )
