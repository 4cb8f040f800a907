"""What whoever runs a server may do.  Every act is noted in the store, together with what it changes where it can be.

People are restricted, and never because a number looks odd: what is odd is only told.
"""

import math
import secrets
from collections.abc import Iterator
from typing import Final, Literal

from tichu.core.errors import GameError
from tichu.server.accounts.accounts import Refused
from tichu.server.lobby import Lobby
from tichu.server.log import SeatResult
from tichu.server.people import delete_person
from tichu.server.players import NAME_LENGTH
from tichu.server.store import operator as kept
from tichu.server.store.accounts import rename_guest
from tichu.server.store.matches import match_by_id, names_of
from tichu.server.store.operator import StoredAct, StoredReport
from tichu.server.store.relations import KnownPerson, person
from tichu.server.table.names import name_keys
from tichu.server.table.sanitize import clean

__all__ = ["Operator", "Unknown"]

What = Literal["rename", "mute", "unmute", "ban", "unban", "unrate", "delete", "end-tokens", "read-report", "close"]

#: Players looked at together, and how many games somebody must have for their numbers to say something.
_BATCH: Final = 500
_GAMES: Final = 20
#: So many standard deviations above everybody's share are odd, of so many tries at least.
_SIGMAS: Final = 5.0
_TRIES: Final = 20
#: By what is counted: of what it is a share.
_SHARES: Final = {
    "won": "",
    "first_out": "rounds",
    "double_victories": "rounds",
    "tichu_made": "tichu_called",
    "grand_made": "grand_called",
}


class Unknown(Exception):
    """There is no such player, match or report."""


class Odd:
    """A share that chance hardly explains."""

    def __init__(self, player: str, what: str, count: int, of: int, usual: float) -> None:
        self.player, self.what, self.count, self.of, self.usual = player, what, count, of, usual
        self.sigmas = (count - of * usual) / math.sqrt(of * usual * (1 - usual))


class Operator:
    """Acts on one server, and through its store and its news on all nodes."""

    def __init__(self, lobby: Lobby) -> None:
        self._lobby = lobby
        self._store = lobby.store

    def _act(self, what: What, subject: str, words: str = "") -> StoredAct:
        return StoredAct(secrets.token_urlsafe(9), self._lobby.time(), what, subject, words)

    async def note(self, what: What, subject: str, words: str = "") -> StoredAct:
        """Note an act that was done elsewhere."""
        act = self._act(what, subject, words)
        await self._store.write(kept.keep_act, act)
        return act

    # People.

    async def find(self, text: str, limit: int) -> list[kept.FoundPerson]:
        """Whoever has this id, or a name that is or begins like this."""
        await self._lobby.players.store_visits()
        shown = clean(text, NAME_LENGTH)
        return await self._store.read(kept.find_people, text, name_keys(shown) if shown else (), limit)

    async def _person(self, player: str) -> KnownPerson:
        found = await self._store.read(person, player)
        if found is None:
            raise Unknown("player")
        return found

    async def rename(self, player: str, name: str, why: str) -> StoredAct:
        """Another name, at open tables from the next seat on.

        :raises Unknown: there is no such player
        :raises Refused: it cannot be a name
        """
        who, lobby = await self._person(player), self._lobby
        if who.account:
            await lobby.accounts.rename(player, name)
        else:
            name = clean(name, NAME_LENGTH)
            if not await self._store.write(rename_guest, player, name, name_keys(name)):
                raise Refused("name_taken")
            lobby.players.forget_player(player)
        lobby.players.on_rename(player)
        # Whoever is at a table comes back under the new name.
        lobby.send_away(player)
        return await self.note("rename", player, _joined(f"{who.name} - {name}", why))

    async def mute(self, player: str, seconds: float, why: str) -> StoredAct:
        """Let somebody say nothing for a time; 0 seconds end it.

        :raises Unknown: there is no such player
        """
        act = self._act("mute" if seconds else "unmute", player, _joined(_span(seconds), why))
        until = self._lobby.time() + seconds if seconds else 0.0
        if not await self._store.write(kept.change_restriction, player, act, muted=until):
            raise Unknown("player")
        return act

    async def ban(self, player: str, seconds: float, why: str) -> StoredAct:
        """Let somebody in no longer for a time, at once and on all sockets; 0 seconds end it.

        :raises Unknown: there is no such player
        """
        lobby = self._lobby
        act = self._act("ban" if seconds else "unban", player, _joined(_span(seconds), why))
        until = lobby.time() + seconds if seconds else 0.0
        if not await self._store.write(kept.change_restriction, player, act, banned=until):
            raise Unknown("player")
        lobby.players.forget_player(player)
        lobby.quick_match.leave(player)
        # Other nodes hear that all tokens of the player have changed, and ask the store again.
        lobby.send_away(player)
        return act

    async def delete(self, player: str, why: str) -> StoredAct:
        """Forget somebody as if they had asked for it.

        :raises Unknown: there is no such player
        """
        await self._person(player)
        await delete_person(self._lobby, player, None)
        # The id is nobody's from now on, and nothing must lead from it to whoever stands in the games.
        return await self.note("delete", "", why)

    # Matches.

    async def unrate(self, match: str, why: str) -> StoredAct:
        """Take a rated match back; everything after it is worked out anew.

        :raises Unknown: there is no such match, or it has not been rated
        """
        found = await self._store.read(match_by_id, match)
        if found is None or found.place is None:
            raise Unknown("match")
        try:
            await self._lobby.ratings.unrate(match)
        except GameError:
            raise Unknown("match") from None
        return await self.note("unrate", match, why)

    async def odd(self) -> list[Odd]:
        """Shares that chance hardly explains, the oddest first; nothing is done about them."""
        games, sums = await self._lobby.accounts.relations.everybody()
        usual = dict(_shares(games, sums))
        found: list[Odd] = []
        after = ""
        while some := await self._store.read(kept.sums_of_players, after, _BATCH, _GAMES):
            after = some[-1].player
            for one in some:
                for what, (count, of) in _shares(one.games, SeatResult(*one.sums)):
                    share, tries = usual[what]
                    # Half of those who play win, whoever has played with bots.
                    mean = 0.5 if what == "won" else share / tries if tries else 0.0
                    if of >= _TRIES and 0 < mean < 1:
                        found.append(Odd(one.player, what, count, of, mean))
        return sorted((one for one in found if one.sigmas >= _SIGMAS), key=lambda one: -one.sigmas)

    async def names(self, players: set[str]) -> dict[str, str]:
        """The names of those who are known."""
        return await self._store.read(names_of, sorted(players))

    # Reports.

    async def read_report(self, number: str) -> StoredReport:
        """A report with what was said; that it was read is noted.

        :raises Unknown: there is no such report
        """
        found = await self._store.write(kept.report, number, self._act("read-report", number))
        if found is None:
            raise Unknown("report")
        return found

    async def close_report(self, number: str, why: str) -> StoredAct:
        """A report was dealt with.

        :raises Unknown: there is none, or it was
        """
        act = self._act("close", number, why)
        if not await self._store.write(kept.close_report, number, self._lobby.time(), act):
            raise Unknown("report")
        return act


def _shares(games: int, sums: SeatResult) -> Iterator[tuple[str, tuple[int, int]]]:
    for what, of in _SHARES.items():
        yield what, (getattr(sums, what), getattr(sums, of) if of else games)


def _joined(fact: str, why: str) -> str:
    return f"{fact}: {why}" if fact and why else fact or why


def _span(seconds: float) -> str:
    """How long, in words.

    >>> _span(7200), _span(0)
    ('2 h', '')
    """
    if not seconds:
        return ""
    for unit, size in (("d", 86_400), ("h", 3600), ("min", 60)):
        if seconds >= size:
            return f"{seconds / size:g} {unit}"
    return f"{seconds:g} s"
