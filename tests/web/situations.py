"""Situations at the table, in the lesson and in the replay, each with what a player needs there.

Given deals and positions lead to them; whoever walks through them reads the page in any of its languages.
"""

import json
from collections.abc import AsyncIterator, Callable
from functools import cache
from typing import Final

from tests.web import club_situations, name_situations, notice_situations
from tests.web.positions import ASKED, BOMB, GIFT, GIVEN, LAST_CARD, LEADING, OUT, OWED, READINGS, WAITING, WISH
from tests.web.sample_round import BOTS, at_table, owing
from tests.web.visitor import Situation, Visitor
from tichu.analysis.drills import TrainerName
from tichu.server.http.practice_files import hand_file, judgement_file

__all__ = ["PARTS"]


async def before_play(visitor: Visitor) -> AsyncIterator[Situation]:
    """The question about Grand Tichu, the exchange, and what it brought to whoever leads."""
    give, decline = visitor.word("exchange.give"), visitor.word("grand.no")
    await visitor.sit(deal=LEADING)
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
    await visitor.sit(deal=LEADING, pace=5, actions=GIVEN[:5])
    await visitor.hold(11)
    yield Situation("exchange waits", (), 11)
    await visitor.sit(deal=LEADING, actions=GIVEN)
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
    await visitor.sit(position=OWED)
    await visitor.page.locator(".wish").wait_for()
    yield Situation("wish stands", (".play",), 5)
    await visitor.sit(position=READINGS)
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
    await visitor.open_emotes()
    yield Situation("emotes", (visitor.word("chat.write"),))
    # Anew, because WebKit takes clicks where a popover was before the window changed.
    await visitor.sit(**at_table("0:As"))
    await visitor.open_chat()
    yield Situation("chat", (close,))
    await visitor.button("dialog.close").click()
    await visitor.button("menu.title").click()
    yield Situation("menu", (visitor.word("menu.leave"),))
    await visitor.button("menu.settings").click()
    yield Situation("settings", (close,))
    await visitor.sit(position=OUT, pace=5)
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


#: From the list of automatic passing.
_CHOOSE: Final = """choice => {
    const list = document.querySelector('.tools select');
    list.value = choice;
    list.dispatchEvent(new Event('change', {bubbles: true}));
}"""


async def rarer(visitor: Visitor) -> AsyncIterator[Situation]:
    """What lasts a moment, or is seen once in an evening."""
    page = visitor.page
    pass_, call = visitor.word("play.pass"), visitor.word("tichu.call")
    await visitor.sit(pace=10, **at_table("0:As"))
    await visitor.see_window()
    yield Situation("in the bomb window", (pass_, ".play", call, ".wait"), 14)
    await visitor.sit(position=ASKED, rules="courtesy", pace=10)
    await visitor.see_window()
    yield Situation("asked for a bomb", (visitor.word("play.noBomb"), ".play", ".bomb", ".wait"), 8)
    await visitor.sit(pace=10, **at_table("0:As"))
    await page.evaluate(_CHOOSE, "trick")
    yield Situation("passes by itself", (call,), 14)
    await visitor.sit(**at_table("0:As"))
    for name, key in (("invite", "lobby.invite"), ("seat link", "menu.seat"), ("keys", "menu.keys")):
        await visitor.button("menu.title").click()
        await visitor.button(key).click()
        await page.locator("dialog :is(img, dl, table)").first.wait_for()
        yield Situation(name, (visitor.word("dialog.close"),))
        await visitor.button("dialog.close").click()
    await visitor.button("menu.title").click()
    await visitor.button("menu.leave").click()
    yield Situation("leave", (visitor.word("dialog.cancel"),))
    await visitor.button("dialog.cancel").click()
    await page.locator("button.score").click()
    yield Situation("score", (visitor.word("dialog.close"),))
    await visitor.button("dialog.close").click()
    await visitor.button("menu.title").click()
    await visitor.button("lobby.pause").click()
    await visitor.button("lobby.resume").wait_for()
    yield Situation("paused", (visitor.word("lobby.resume"),))
    table = visitor.server.table(
        seats=BOTS, start=True, private=False, clock={"decision": 5, "reserve": 3600}, **at_table("0:As")
    )
    await page.goto(f"{visitor.server.url}t/{table['table']['id']}")
    await page.locator("section:not([popover]) > .button.small").first.click()
    await page.locator(".assist").wait_for()
    await page.locator(".assist").click()
    await page.locator(".assist").wait_for(state="detached")
    yield Situation("a bot stands in", (), 13)
    # Who was asked last has used up the time for the decision: the longest clock that there is, and a word for it.
    await page.locator(".time.reserve").wait_for()
    yield Situation("the reserve", (), 13)


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
    await visitor.sit(position=WAITING, pace=10)
    await visitor.button("gesturesOk", "hints").wait_for()
    yield Situation("gestures", (".chip",), 5)


async def decide(visitor: Visitor) -> AsyncIterator[Situation]:
    """The wish, the Dragon's trick, a bomb."""
    await visitor.sit(position=WISH)
    await visitor.page.locator("dialog .rank").first.wait_for()
    yield Situation("wish", (".rank", visitor.word("wish.none")))
    await visitor.sit(position=GIFT)
    await visitor.page.locator("dialog .recipients").wait_for()
    yield Situation("gift", (".button",))
    await visitor.sit(position=BOMB)
    await visitor.page.locator(".bomb.hot").wait_for()
    yield Situation("bomb", (".bomb", visitor.word("play.pass")), 8)
    await visitor.page.locator(".bomb.hot").click()
    yield Situation("bomb dialog", (visitor.word("dialog.cancel"),))
    await visitor.page.locator("dialog .button.main").click()
    await visitor.card("9b").wait_for(state="detached")
    await visitor.page.locator(".play.main").wait_for()
    yield Situation("after the bomb", (".play",), 3)


async def end(visitor: Visitor) -> AsyncIterator[Situation]:
    """The ends of a round, of a match, and the replay of the match."""
    await visitor.sit(position=LAST_CARD)
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


#: Tables with these settings too, from now on.
_ASK_FOR: Final = """settings => {
    const fetched = window.fetch;
    window.fetch = (url, asked) => {
        if (!String(url).endsWith('/api/tables')) return fetched(url, asked);
        const wanted = JSON.parse(asked.body);
        const body = JSON.stringify({...wanted, settings: {...wanted.settings, ...settings}});
        return fetched(url, {...asked, body});
    };
}"""
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
    # The round is dealt by chance: what it may come to is given.
    await visitor.page.goto(f"{visitor.server.url}learn/10")
    await visitor.hold(14)
    await visitor.page.evaluate(_ASK_FOR, owing())
    await visitor.button("skip", "learn").click()
    await visitor.page.locator(".wish").wait_for()
    yield Situation("last lesson: wish", (".play",), 14)


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
    for path in ("", "new", "rules", "strategy", "me", "quick", "people", "account"):
        await visitor.page.goto(f"{visitor.server.url}{path}")
        await visitor.page.locator("h1").wait_for()
        yield Situation(f"page {path or 'start'}")
    table = visitor.server.table(seats=("you", "heuristic"))
    await visitor.page.goto(table["seatLink"])
    await visitor.page.locator("h1").wait_for()
    yield Situation("lobby")


async def contrast(visitor: Visitor) -> AsyncIterator[Situation]:
    """What has most in it once more, in the theme with the widest borders."""
    await visitor.choose_theme("contrast")
    for part in (before_play, play):
        async for situation in part(visitor):
            yield situation._replace(name=f"{situation.name} in contrast")
    await visitor.choose_theme("system")


Walk = Callable[[Visitor], AsyncIterator[Situation]]
PARTS: Final[dict[str, Walk]] = {
    "before": before_play,
    "play": play,
    "hints": hints,
    "decide": decide,
    "said": notice_situations.said,
    "announced": notice_situations.announced,
    "beside": beside,
    "rarer": rarer,
    "end": end,
    "learn": learn,
    "pages": pages,
    "club": club_situations.club,
    "practice": practice,
    "names": name_situations.named,
    "contrast": contrast,
}
