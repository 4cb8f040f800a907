"""What concerns a whole person: wherever they are named, in the store and at open tables, somebody else is.

Whoever has gone is replaced by an id that is drawn for this and written nowhere else, so nobody can trace it back.
Before anything else all their tokens end, in the transaction that notes what is to be done: nothing is done in their
name any more, and what cannot be done now is done later, also by another server.
"""

import asyncio
import logging
import secrets
from collections.abc import Sequence
from contextlib import suppress
from typing import Final

from tichu.ratings import stand_in
from tichu.server.accounts.accounts import Refused
from tichu.server.background import Busy
from tichu.server.failures import log_failure
from tichu.server.lobby import Lobby
from tichu.server.players import Identity, hash_token
from tichu.server.replacing import replace_at, replace_here, tables_naming
from tichu.server.store import StoreError
from tichu.server.store.erasing import (
    awaits_guests,
    begin_farewell,
    begin_merge,
    end_replacement,
    pending_replacements,
    replace_in_games,
    replace_in_rows,
    reports_naming,
)
from tichu.server.table.replacement import Replacement

__all__ = ["FORMER", "delete_person", "finish_replacements", "keep_replacing", "merge_guest"]

log = logging.getLogger("tichu.server")

#: What those are called who have gone.
FORMER: Final = "Former player"
#: Seconds between two looks for what is still to be done.
_LOOK_S: Final = 60.0
#: How often, and after how long, other nodes are asked about the tables that they have.
_ASKED: Final = 20
_ASK_S: Final = 0.5
#: By then all nodes know that a token has ended, also those that missed the news of it.
_NEWS_S: Final = 3.0
#: How long somebody waits until all ratings are worked out anew; they are in any case.
_RATED_S: Final = 60.0


async def delete_person(lobby: Lobby, player: str, shown: str | None) -> None:
    """Forget a person; their games stay, and are played by somebody whom nobody knows.

    Whoever asks shows a token of theirs; the operator needs none.

    :raises StoreError: nothing is done, and it may be asked for again
    :raises Busy: too many are to be forgotten at once
    :raises Refused: the token has ended in the meantime
    """
    async with lobby.accounts.rewriting.take():
        former = stand_in(secrets.token_bytes(16))
        token_hash = None if shown is None else hash_token(shown)
        ended = await lobby.store.write(begin_farewell, player, token_hash, former, FORMER, lobby.time())
        if ended is None:
            raise Refused("token_ended")
        _end_tokens(lobby, player, ended)
        await _finish(lobby, player)


async def merge_guest(lobby: Lobby, guest: Identity, account: Identity) -> None:
    """Games and seats of a guest are the account's from now on, and the guest is nobody.

    :raises StoreError: nothing is done, and it may be asked for again
    :raises Busy: too many are to be merged at once
    :raises Refused: one of the two tokens has ended in the meantime
    """
    old, new = guest.player.id, account.player.id
    shown = (old, hash_token(guest.token)), (new, hash_token(account.token))
    async with lobby.accounts.rewriting.take():
        ended = await lobby.store.write(begin_merge, *shown[0], *shown[1], lobby.time())
        if not isinstance(ended, list):
            raise Refused("not_a_guest" if ended == "no guest" else "token_ended")
        _end_tokens(lobby, old, ended)
        await _finish(lobby, old)


async def keep_replacing(lobby: Lobby) -> None:
    """Go on with what was left to be done; until it is cancelled."""
    while True:
        with suppress(Busy):
            await finish_replacements(lobby)
        await asyncio.sleep(_LOOK_S)


async def finish_replacements(lobby: Lobby) -> None:
    """Do what is left to be done.

    :raises Busy: others do it already
    """
    async with lobby.accounts.rewriting.take():
        await _finish(lobby)


def _end_tokens(lobby: Lobby, player: str, ended: Sequence[str]) -> None:
    lobby.players.forget_tokens(ended)
    lobby.players.forget_player(player)
    lobby.send_away(player)


async def _finish(lobby: Lobby, player: str | None = None) -> None:
    """Do what is left to be done, of one person or of all; what cannot be done now is left once more."""
    try:
        pending = [Replacement(*row) for row in await lobby.store.read(pending_replacements)]
    except StoreError as error:
        log.warning("whoever is to be forgotten waits for the store: %s", error)
        return
    for change in pending:
        # An account goes after the guests who are to become it.
        if player not in (None, change.old, change.new):
            continue
        try:
            if not await _replace(lobby, change):
                log.warning("somebody is still named by other nodes; that is tried again")
        except StoreError as error:
            log.warning("somebody is not forgotten everywhere yet, which waits for the store: %s", error)
        except Exception as error:
            log_failure("somebody who is not forgotten everywhere yet", error)


async def _replace(lobby: Lobby, change: Replacement) -> bool:
    """Replace somebody everywhere; False if other nodes have tables with them, or may name them anew.

    :raises StoreError: not all of it is done
    """
    # First: another node may put them in the place of a guest where all has been looked through by now.
    may_come_back = await lobby.store.read(awaits_guests, change.old)
    is_rated, is_last = False, False
    for _ in range(_ASKED):
        left = await _replace_at_tables(lobby, change)
        games, rated = await _replace_in_store(lobby, change)
        is_rated = is_rated or rated
        if left:
            await asyncio.sleep(_ASK_S)
        elif games or rated or not is_last:
            # Something may have been under way in their name while all that was looked through.
            is_last = True
            await asyncio.sleep(0.0 if lobby.shared is None else _NEWS_S)
        else:
            break
    else:
        return False
    # Everything is worked out anew, which is too dear for guests who come and go.
    if is_rated:
        with suppress(TimeoutError):
            async with asyncio.timeout(_RATED_S):
                await lobby.ratings.rebuild()
    if may_come_back:
        return False
    await lobby.store.write(end_replacement, change.old)
    return True


async def _replace_at_tables(lobby: Lobby, change: Replacement) -> list[str]:
    """The tables that other nodes have, and must be asked about."""
    left = [table for table in await tables_naming(lobby, change) if not await replace_at(lobby, table, change)]
    await replace_here(lobby, change)
    if lobby.shared is not None:
        await lobby.shared.tell_replaced(change, left)
    return left


async def _replace_in_store(lobby: Lobby, change: Replacement) -> tuple[int, bool]:
    """How many games named them, and whether they were rated."""
    games = 0
    while some := await lobby.store.write(replace_in_games, *change):
        games += some
        await asyncio.sleep(0)
    # Games in which two who are one now both sat, as a guest and the account, are played by somebody else.
    former = stand_in(secrets.token_bytes(16))
    while some := await lobby.store.write(replace_in_games, change.old, former, FORMER):
        games += some
    reports = await lobby.store.read(reports_naming, change.old)
    return games, await lobby.store.write(replace_in_rows, *change, reports)
