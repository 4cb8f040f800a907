"""Situations at the table, in the lesson and in the replay, each with what a player needs there.

Given deals and positions lead to them; whoever walks through them reads the page in any of its languages.
"""

import json
import re
from collections.abc import AsyncIterator, Callable
from functools import cache
from pathlib import Path
from typing import Any, Final, NamedTuple

from playwright.async_api import Locator, Page

from tests.web.sample_round import BOTS, at_table
from tests.web.stage import Server
from tichu.analysis.drills import TrainerName
from tichu.server.http.practice_files import hand_file, judgement_file

__all__ = ["PARTS", "Situation", "Visitor"]

_MESSAGES: Final = Path(__file__).parents[2] / "web" / "src" / "messages"
_MESSAGE: Final = re.compile(r"^  '?([\w.]+)'?:\s*(['\"])(.*?)\2,$", re.MULTILINE)

_LEADING: Final = (
    "2g4b4g5s8b9gQrAs+3s3r4s7sKbKr / Ma3g7b8r9sTsTgAb+2s2b4r6sJbKs"
    " / Do8s8g9rQsQgArDr+2r6b6rQbKgAg / 3b5b7g7rTbTrJsPh+5g5r6g9bJgJr"
)
_GIVEN: Final = ("0-G", "1-G", "2-G", "3-G", "0>5sQr2g", "1>3g4rMa", "2>Do9r2r", "3>3b6g9b")
_READINGS: Final = "3s6b6gQsQrPh/3b8s9sTs/4b4g7rJb/2g2r5sKb p0 - 25/25/25/25 - ---- - -/-/-/-"
_WISH: Final = "3g5r8sTb/2s2b4r/4s9gKr/6b7bAs w0 0:Ma 15/30/15/15 - ---- - -/-/-/-"
_OWED: Final = "3g5r8sTbAs/2s2b4r/4s9gKr/6b7b p0 3:7r 15/30/15/15 A ---- - -/-/-/-"
_GIFT: Final = "5b6b9s/2gJb/4g8g/2r3r7s t0 0:Dr 15/25/15/15 - ---- - -/-/-/-"
_BOMB: Final = "3s3r5b6b7b8b9bKg/4s4g9sTgJr/6s8gQsQrAg/2r7sJb p0 3:Dr 0/15/10/5 - ---T - -/-/-/-"
_WAITING: Final = "3g5r8sTbAs/2s2b4r/4s9gKr/6b7bKb p3 0:2g 15/30/15/15 - ---- - -/-/-/-"
_OUT: Final = "-/2s2b3g4r5s/6g7b8r9s/TsJbQrKs p1 - 25/25/25/0 - ---- 0 -/-/-/-"
_LAST_CARD: Final = "8b/2s2b3g4r5s6g7b8r9sTsJbKs/-/2g2r3b3s4b4g5b6b7g9rTrQgAr p0 - 20/15/25/0 - --T- 2 -/-/-/-"


class Visitor:
    """Somebody at a page in one language."""

    def __init__(self, page: Page, server: Server, language: str) -> None:
        self.page = page
        self.server = server
        self.language = language

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

    async def sit(self, **settings: Any) -> None:
        """Open a table with three bots."""
        table = self.server.table(seats=BOTS, start=True, **settings)
        await self.page.goto(table["seatLink"])
        await self.page.locator(".hand").wait_for(state="attached")

    async def hold(self, count: int) -> None:
        """Wait until the hand has this many cards."""
        await self.page.locator(".hand button[data-card]").nth(count - 1).wait_for()


class Situation(NamedTuple):
    """Where somebody is, and what they need there: messages, or classes of controls."""

    name: str
    needed: tuple[str, ...] = ()
    cards: int = 0


async def before_play(visitor: Visitor) -> AsyncIterator[Situation]:
    """The question about Grand Tichu, the exchange, and what it brought to whoever leads."""
    give, decline = visitor.word("exchange.give"), visitor.word("grand.no")
    await visitor.sit(deal=_LEADING)
    await visitor.button("grand.no").wait_for()
    yield Situation("grand", (decline,), 8)
    await visitor.page.locator(".main-row .button.small").click()
    yield Situation("grand dialog", (visitor.word("dialog.cancel"),))
    await visitor.button("dialog.cancel").click()
    await visitor.button("grand.no").click()
    await visitor.hold(14)
    yield Situation("exchange", (), 14)
    for card in ("5s", "Qr", "2g"):
        await visitor.card(card).click()
    await visitor.page.locator(".hole[data-card]").nth(2).wait_for()
    yield Situation("exchange full", (give, ".hole"), 11)
    await visitor.sit(deal=_LEADING, pace=5, actions=_GIVEN[:5])
    await visitor.hold(11)
    yield Situation("exchange waits", (), 11)
    await visitor.sit(deal=_LEADING, actions=_GIVEN)
    await visitor.button("exchange.ok").wait_for()
    yield Situation("received", (visitor.word("exchange.ok"), ".play", visitor.word("tichu.call")), 14)
    await visitor.card("Ma").click()
    await visitor.page.locator(".play.main:not([aria-disabled=true])").wait_for()
    yield Situation("first lead", (".play",), 14)
    await visitor.button("tichu.call").click()
    yield Situation("tichu dialog", (visitor.word("dialog.cancel"),))


async def play(visitor: Visitor) -> AsyncIterator[Situation]:
    """Tricks of all kinds, and what the player can do about them."""
    pass_ = visitor.word("play.pass")
    await visitor.sit(**at_table("0:As"))
    await visitor.page.locator(".pass:enabled:not([aria-disabled=true])").wait_for()
    yield Situation("follow", (pass_, ".play"), 14)
    await visitor.button("play.hint").click()
    await visitor.page.locator(".hint").wait_for()
    yield Situation("hint", (pass_, ".play"), 14)
    await visitor.sit(**at_table("0:As"))
    await visitor.card("As").click()
    await visitor.page.locator(".play.main:not([aria-disabled=true])").wait_for()
    yield Situation("ace selected", (pass_, ".play"), 14)
    await visitor.sit(**at_table("0:-", 3))
    await visitor.page.locator(".pass:enabled:not([aria-disabled=true])").wait_for()
    yield Situation("long straight", (pass_, ".play"), 12)
    await visitor.sit(position=_OWED)
    await visitor.page.locator(".wish").wait_for()
    yield Situation("wish stands", (".play",), 5)
    await visitor.sit(position=_READINGS)
    for card in ("6b", "6g", "Qs", "Qr", "Ph"):
        await visitor.card(card).click()
    await visitor.page.locator(".chip[aria-pressed]").nth(1).wait_for()
    yield Situation("Phoenix as", (".play", ".chip"), 6)


async def beside(visitor: Visitor) -> AsyncIterator[Situation]:
    """What can be opened at a table, and whoever does not play, for now or at all."""
    await visitor.sit(**at_table("0:As"))
    close = visitor.word("dialog.close")
    await visitor.button("menu.last").click()
    yield Situation("last trick", (close,))
    await visitor.button("dialog.close").click()
    await visitor.button("menu.chat").click()
    yield Situation("emotes", (visitor.word("chat.write"),))
    # Anew, because WebKit takes clicks where a popover was before the window changed.
    await visitor.sit(**at_table("0:As"))
    await visitor.button("menu.chat").click()
    await visitor.button("chat.write").click()
    yield Situation("chat", (close,))
    await visitor.button("dialog.close").click()
    await visitor.button("menu.title").click()
    yield Situation("menu", (visitor.word("menu.leave"),))
    await visitor.button("menu.settings").click()
    yield Situation("settings", (close,))
    await visitor.sit(position=_OUT, pace=5)
    await visitor.page.locator(".done").wait_for()
    yield Situation("out of cards")
    table = visitor.server.table(seats=BOTS, start=True, private=False, **at_table("0:As"))
    await visitor.page.goto(f"{visitor.server.url}t/{table['table']['id']}")
    over = visitor.page.locator("section:not([popover]) > .button.small")
    await over.first.wait_for()
    yield Situation("watching")
    await over.first.click()
    await visitor.page.locator(".assist").wait_for()
    yield Situation("somebody is away", (".assist",), 13)


async def hints(visitor: Visitor) -> AsyncIterator[Situation]:
    """What a bot would do, in words and in numbers, and what fingers can do: in the place of suggestions."""
    await visitor.sit(**at_table("0:As"))
    await visitor.page.locator(".pass:enabled:not([aria-disabled=true])").wait_for()
    await visitor.button("play.hint").click()
    numbers = visitor.button("numbers", "hints")
    await numbers.wait_for()
    yield Situation("hint", (visitor.word("play.pass"), ".play", ".chip"), 14)
    await numbers.click()
    yield Situation("hint in numbers", (visitor.word("play.pass"), ".play", ".chip"), 14)
    await visitor.sit(position=_WAITING, pace=10)
    await visitor.button("gesturesOk", "hints").wait_for()
    yield Situation("gestures", (".chip",), 5)


async def decide(visitor: Visitor) -> AsyncIterator[Situation]:
    """The wish, the Dragon's trick, a bomb."""
    await visitor.sit(position=_WISH)
    await visitor.page.locator("dialog .rank").first.wait_for()
    yield Situation("wish", (".rank", visitor.word("wish.none")))
    await visitor.sit(position=_GIFT)
    await visitor.page.locator("dialog .recipients").wait_for()
    yield Situation("gift", (".button",))
    await visitor.sit(position=_BOMB)
    await visitor.page.locator(".bomb.hot").wait_for()
    yield Situation("bomb", (".bomb", visitor.word("play.pass")), 8)
    await visitor.page.locator(".bomb.hot").click()
    yield Situation("bomb dialog", (visitor.word("dialog.cancel"),))
    await visitor.page.locator("dialog .button.main").click()
    await visitor.page.locator(".play.main").wait_for()
    yield Situation("after the bomb", (".play",), 3)


async def end(visitor: Visitor) -> AsyncIterator[Situation]:
    """The ends of a round, of a match, and the replay of the match."""
    await visitor.sit(position=_LAST_CARD)
    await visitor.card("8b").click()
    await visitor.page.locator(".play.main:not([aria-disabled=true])").click()
    await visitor.page.locator("dialog table").wait_for()
    yield Situation("round end", (visitor.word("round.next"),))
    await visitor.sit(rules="standard goal=rounds:1", **at_table("0:8b"))
    await visitor.card("8b").click()
    await visitor.page.locator(".play.main:not([aria-disabled=true])").click()
    await visitor.button("match.replay").wait_for()
    needed = tuple(visitor.word(f"match.{key}") for key in ("rematch", "replay", "home"))
    yield Situation("match end", needed)
    table = visitor.page.url
    await visitor.button("match.change").click()
    await visitor.button("back", "lobby").wait_for()
    yield Situation("rematch")
    await visitor.page.goto(table)
    await visitor.button("match.replay").click()
    await visitor.page.wait_for_url("**/game/**")
    address = visitor.page.url.partition("?")[0]
    keys = ("start", "trickBack", "back", "play", "on", "trickOn", "end")
    buttons = tuple(visitor.word(key, "replay") for key in keys)
    for step in (2, 7, 38, 60):
        await visitor.page.goto(f"{address}?round=1&step={step}")
        await visitor.page.locator("svg.card").first.wait_for()
        yield Situation(f"replay at {step}", buttons)
    await visitor.button("end", "replay").click()
    await visitor.page.locator(".sheet table").wait_for()
    yield Situation("replay at the end", tuple(visitor.word(key, "replay") for key in (*keys[:4],)))
    await visitor.page.get_by_role("tab", name=visitor.word("review", "replay"), exact=True).click()
    await visitor.button("ask", "review").wait_for()
    # On a small screen it is below the table, and nothing at the table waits for it.
    yield Situation("review")


#: The cards of every step.
_STEP_CARDS: Final = (6, 12, 5, 7, 5, 5, 4, 4, 14, 14)


async def learn(visitor: Visitor) -> AsyncIterator[Situation]:
    """Every step of the lesson, and the round at its end."""
    skip = visitor.word("skip", "learn")
    for step, cards in enumerate(_STEP_CARDS, 1):
        await visitor.page.goto(f"{visitor.server.url}learn/{step}")
        await visitor.hold(cards)
        extra = (visitor.word("tichu.call"),) if step == 10 else ()
        if step == 4:
            await visitor.page.locator(".bomb").wait_for()
            extra = (".bomb",)
        yield Situation(f"lesson {step}", (skip, *extra, *(() if step == 9 else (".play",))), cards)
        if step == 9:
            for card in ("2s", "9s", "3b"):
                await visitor.card(card).click()
            await visitor.page.locator(".hole[data-card]").nth(2).wait_for()
            yield Situation("lesson 9 full", (skip, visitor.word("exchange.give"), ".hole"), 11)
    await visitor.page.goto(f"{visitor.server.url}learn/3")
    await visitor.hold(5)
    await visitor.button("play.pass").click()
    await visitor.button("next", "learn").wait_for()
    yield Situation("lesson 3 done", (visitor.word("next", "learn"),), 5)
    await visitor.page.goto(f"{visitor.server.url}learn/11")
    await visitor.button("grand.no").wait_for()
    yield Situation("last lesson: grand", (visitor.word("grand.no"),), 8)
    await visitor.button("grand.no").click()
    await visitor.hold(14)
    for count in range(3):
        await visitor.page.locator(".hand button[data-card]").first.click()
        await visitor.page.locator(".hole[data-card]").nth(count).wait_for()
    yield Situation("last lesson: exchange", (visitor.word("exchange.give"), ".hole"), 11)
    await visitor.button("exchange.give").click()
    await visitor.page.locator(".chip, .pass:not([aria-disabled=true])").first.wait_for()
    yield Situation("last lesson: play", (".play",), 14)


#: Trainers are judged by a process that waits for all others: here their answers are known before.
_KNOWN: Final = """answers => {
    const fetched = window.fetch;
    window.fetch = (url, ...rest) => {
        const answer = answers[String(url).split('/api/practice/')[1]?.replace(/[?].*/, '')];
        const headers = {'content-type': 'application/json'};
        return answer ? Promise.resolve(new Response(answer, {headers})) : fetched(url, ...rest);
    };
}"""


@cache
def _known_answers() -> dict[str, str]:
    hand = json.loads(hand_file("exchange", 1))["view"]["hand"]
    answers: dict[TrainerName, str] = {"grand": "call", "exchange": "".join(hand[-3:])}
    found: dict[str, bytes] = {}
    for trainer, answer in answers.items():
        found[trainer] = hand_file(trainer, 1)
        found[f"{trainer}/judgement"] = judgement_file(trainer, 1, answer, 4)
    return {name: answer.decode() for name, answer in found.items()}


async def practice(visitor: Visitor) -> AsyncIterator[Situation]:
    """Puzzles and trainers; what is asked may be below the table."""
    page = visitor.page
    await page.goto(f"{visitor.server.url}practice/puzzles/all")
    await page.locator(".choices .button").first.wait_for()
    yield Situation("puzzle")
    await page.locator(".choices .button").first.click()
    await visitor.button("reveal", "practice").click()
    await visitor.button("conceal", "practice").wait_for()
    yield Situation("puzzle solved")
    await page.goto(f"{visitor.server.url}practice")
    await page.locator("a[href$='puzzles/all']").wait_for()
    yield Situation("practice")
    await page.evaluate(_KNOWN, _known_answers())
    await page.locator("a[href$='practice/grand']").click()
    await visitor.button("grand.yes").wait_for()
    yield Situation("trainer")
    await visitor.button("grand.yes").click()
    await visitor.button("next", "practice").wait_for()
    yield Situation("trainer judged")
    await visitor.button("back", "practice").click()
    await page.locator("a[href$='practice/exchange']").click()
    for place in range(3):
        await page.locator(".giving li button").nth(place).click()
    yield Situation("giving")
    await visitor.button("exchange.give").click()
    await visitor.button("next", "practice").wait_for()
    yield Situation("giving judged")


async def pages(visitor: Visitor) -> AsyncIterator[Situation]:
    """What is not a game: these pages may be scrolled."""
    for path in ("", "new", "rules", "strategy", "me"):
        await visitor.page.goto(f"{visitor.server.url}{path}")
        await visitor.page.locator("h1").wait_for()
        yield Situation(f"page {path or 'start'}")
    table = visitor.server.table(seats=("you", "heuristic"))
    await visitor.page.goto(table["seatLink"])
    await visitor.page.locator("h1").wait_for()
    yield Situation("lobby")


Walk = Callable[[Visitor], AsyncIterator[Situation]]
PARTS: Final[dict[str, Walk]] = {
    "before": before_play,
    "play": play,
    "hints": hints,
    "decide": decide,
    "beside": beside,
    "end": end,
    "learn": learn,
    "pages": pages,
    "practice": practice,
}
