"""Accounts in a store that no server has yet, all of them logged in."""

import asyncio
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from tichu.server.players import SESSION_S, hash_token, new_token
from tichu.server.store import open_store
from tichu.server.store.scripts import Script
from tichu.server.table.names import name_keys

__all__ = ["store_accounts"]

_BATCH: Final = 500


def store_accounts(folder: Path, number: int, now: float) -> list[str]:
    """Put so many accounts into a new store, without passwords: the tokens of their sessions."""
    tokens = [new_token() for _ in range(number)]

    async def store() -> None:
        opened = await open_store(str(folder / "tichu.db"))
        for start in range(0, number, _BATCH):
            await opened.write(_insert, start, tokens[start : start + _BATCH], now)
        await opened.close()

    asyncio.run(store())
    return tokens


def _insert(first: int, tokens: Sequence[str], now: float) -> Script[None]:
    for number, token in enumerate(tokens, first):
        player, name = f"account{number:05}", f"Player{number:05}"
        yield "INSERT INTO players VALUES (?, ?, ?, 'person', ?, ?)", player, name, f"account {number}", now, now
        yield "INSERT INTO accounts VALUES (?, ?, ?, '', '', ?)", player, name, f"handle {number}", now
        for key in dict.fromkeys(name_keys(name)):
            yield "INSERT INTO account_names VALUES (?, ?)", key, player
        session = hash_token(token), f"session {number}", player, "bench", now, now, now + SESSION_S
        yield "INSERT INTO sessions VALUES (?, ?, ?, ?, ?, ?, ?)", *session
