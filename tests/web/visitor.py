"""Somebody who walks from situation to situation, in any language and in any browser."""

import json
import re
import traceback
from pathlib import Path
from typing import Any, Final, NamedTuple

from playwright.async_api import Locator, Page

from tests.web.sample_round import BOTS
from tests.web.stage import Server

__all__ = ["LASTING", "Situation", "Visitor", "step_of"]

_MESSAGES: Final = Path(__file__).parents[2] / "web" / "src" / "messages"
_MESSAGE: Final = re.compile(r"^  '?([\w.]+)'?:\s*(['\"])(.*?)\2,$", re.MULTILINE)
#: The page forgets what it wanted to do later: a bomb window stays open, a notice in its place.
_STOP: Final = "() => { for (let timer = setTimeout(() => 0); timer >= 0; timer--) clearTimeout(timer); }"
#: Notices stay longer than a machine can be slow; a second one still takes the place of the first.
LASTING: Final = """() => {
    const begin = window.setTimeout;
    window.setTimeout = (act, ms, ...rest) => begin(act, ms > 1500 ? 1e9 : ms, ...rest);
}"""
#: The page hears of the next bomb window and of nothing afterwards, and no timer ends it.
_ONLY_WINDOW: Final = """() => {
    const parse = JSON.parse;
    let isDeaf = false;
    JSON.parse = (...given) => {
        const heard = isDeaf ? {type: 'pong', now: Date.now()} : parse(...given);
        isDeaf ||= !!heard?.view?.window;
        return heard;
    };
    window.tichuBegin = window.setTimeout;
    window.setTimeout = () => 0;
}"""


class Visitor:
    """Somebody at a page in one language."""

    def __init__(self, page: Page, server: Server, language: str) -> None:
        self.page = page
        self.server = server
        self.language = language
        self._theme = "system"

    def word(self, key: str, part: str = "") -> str:
        """A message of the page."""
        text = (_MESSAGES / part / f"{self.language}.ts").read_text(encoding="utf-8")
        return next(found[3] for found in _MESSAGE.finditer(text) if found[1] == key)

    def button(self, key: str, part: str = "") -> Locator:
        """The button or link with this message."""
        name = self.word(key, part)
        page = self.page
        return page.get_by_role("button", name=name, exact=True).or_(page.get_by_role("link", name=name, exact=True))

    def card(self, card: str) -> Locator:
        """A card of the hand."""
        return self.page.locator(f'.hand button[data-card="{card}"]')

    async def sit(self, *, port: int | None = None, **settings: Any) -> None:
        """Open a table with three bots, by this port of the server if it has another one."""
        table = self.server.table(seats=BOTS, start=True, **settings)
        # As the person who made it: the key of a seat ends with the game.
        await self.open_as(table["you"]["token"], f"t/{table['table']['id']}", port)
        await self.page.locator(".hand").wait_for(state="attached")

    async def open_as(self, token: str, path: str, port: int | None = None) -> None:
        """Open a page as somebody; nobody knows who has no token."""
        origin = self.server.url if port is None else f"http://127.0.0.1:{port}/"
        if not self.page.url.startswith(origin):
            await self._move(origin)
        await self.page.evaluate("token => localStorage.setItem('tichu.token', token)", token)
        await self.page.goto(origin + path)

    async def choose_theme(self, theme: str) -> None:
        """From the next page on."""
        self._theme = theme
        await self._move(self.server.url)

    async def _move(self, origin: str) -> None:
        """Go to another address of the server, with the language."""
        kept = {"language": self.language, "theme": self._theme, "speed": "none", "name": "Ada", "sound": False}
        await self.page.goto(f"{origin}rules")
        await self.page.evaluate("kept => localStorage.setItem('tichu.settings', kept)", json.dumps(kept))

    async def open_emotes(self) -> None:
        """What can be said with one tap."""
        await self.button("menu.chat").click()
        await self.button("chat.write").wait_for()

    async def open_chat(self) -> None:
        """Where something can be written."""
        await self.open_emotes()
        await self.button("chat.write").click()
        await self.page.locator("dialog form input").wait_for()

    async def stop(self) -> None:
        """Let nothing more happen by itself on this page."""
        await self.page.evaluate(_STOP)

    async def let_notices_last(self) -> None:
        """Let notices stay that come from now on: on a busy machine they could be over before anybody looks."""
        await self.page.evaluate(LASTING)

    async def keep_notice(self, kind: str = "") -> None:
        """Wait for a notice, and let it stay."""
        await self.page.locator(f".cloth > .notice{kind}").wait_for()
        await self.stop()

    async def see_window(self) -> None:
        """At a table with a bomb window, be in it for good, however long the page took to load."""
        # It begins anew with the game.
        await self.button("menu.title").click()
        await self.button("lobby.pause").click()
        await self.button("lobby.resume").wait_for()
        await self.page.evaluate(_ONLY_WINDOW)
        await self.button("lobby.resume").click()
        await self.page.locator(".wait").wait_for()
        await self.page.evaluate("() => (window.setTimeout = window.tichuBegin)")
        await self.stop()

    async def hold(self, count: int) -> None:
        """Wait until the hand has this many cards."""
        await self.page.locator(".hand button[data-card]").nth(count - 1).wait_for()


class Situation(NamedTuple):
    """Where somebody is, and what they need there."""

    name: str
    #: Messages or classes of controls.
    needed: tuple[str, ...] = ()
    cards: int = 0
    #: Whether something is told that would be gone after a moment.
    has_notice: bool = False

    def asked(self) -> dict[str, Any]:
        """What ``reach.js`` wants to know of it."""
        return {"needed": self.needed, "cards": self.cards, "hasNotice": self.has_notice}


def step_of(error: BaseException) -> str:
    """What was being done in a part of the walk when this happened."""
    frames = traceback.extract_tb(error.__traceback__)
    inside = [frame for frame in frames if frame.filename.endswith("situations.py")]
    return f"{Path(inside[-1].filename).name}:{inside[-1].lineno} {inside[-1].line}" if inside else "elsewhere"
