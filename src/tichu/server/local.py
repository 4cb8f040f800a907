"""A table for one person and three bots, and for whoever comes by: what ``tichu play`` begins with."""

import asyncio
import webbrowser
from collections.abc import Callable
from pathlib import Path

from tichu.server.config import Config
from tichu.server.http.links import qr_lines, seat_link, table_link
from tichu.server.lobby import Lobby
from tichu.server.players import Identity
from tichu.server.table.seating import USUAL_LEVEL
from tichu.server.wire.settings import Settings

__all__ = ["LocalGame"]


class LocalGame:
    """Makes the table and shows the way to it."""

    def __init__(
        self,
        config: Config,
        rules: str,
        bot: str | None,
        name: str,
        *,
        say: Callable[[str], None],
        is_shared: bool,
        open_browser: bool,
    ) -> None:
        self._base = config.public_url
        self._token_file = Path(config.database).with_name("player.token")
        self._settings = Settings(rules=rules, private=not is_shared)
        self._bot = bot or USUAL_LEVEL
        self._name = name
        self._say = say
        self._is_shared = is_shared
        self._open_browser = open_browser

    async def begin(self, lobby: Lobby) -> None:
        """Start the game, or with others in the network let them come first.

        :raises GameError: there is no such game or no such bot
        """
        host = await self._host(lobby)
        seats = ("you", self._bot, self._bot, self._bot)
        room = await lobby.open_table(self._settings, host.player, seats, start=not self._is_shared)
        own = seat_link(self._base, room.id, lobby.players.entry(host))
        self._say(f"Your seat: {own}")
        if self._is_shared:
            link = table_link(self._base, room.id)
            self._say(f"Others in this network: {link} or the code {room.code}\n\n{qr_lines(link)}")
        self._say("Ctrl-C ends the server; unfinished games are kept.")
        if self._open_browser and not await asyncio.to_thread(webbrowser.open, own):
            self._say("No browser was found: open the link yourself.")

    async def _host(self, lobby: Lobby) -> Identity:
        """The same player as last time, so that results add up."""
        try:
            known = await lobby.players.identify(self._token_file.read_text(encoding="ascii").strip(), self._name)
        except (OSError, UnicodeError):
            known = None
        if known is None:
            known = await lobby.players.register(self._name)
            self._token_file.touch(mode=0o600)
            self._token_file.write_text(known.token, encoding="ascii")
        return known
