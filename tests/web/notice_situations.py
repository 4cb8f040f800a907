"""What is told for a moment, or for as long as a connection is lost, wherever it is told."""

from collections.abc import AsyncIterator
from typing import Final

from tests.web.positions import GIFT, GIVEN, LEADING
from tests.web.sample_round import at_table
from tests.web.stage import Proxy
from tests.web.visitor import Situation, Visitor

__all__ = ["announced", "said"]

_TURN: Final = ".pass:enabled:not([aria-disabled=true])"
#: As long as a chat allows, with blanks and without.
_LONG: Final = {
    "text": ("So many words that nobody reads them all while a trick is played, and still they are said. " * 4)[:280],
    "word": "a" * 280,
}
_SAY: Final = """text => {
    const field = document.querySelector('dialog form input');
    field.value = text;
    field.dispatchEvent(new Event('input', {bubbles: true}));
    field.form.requestSubmit();
}"""
#: The key that sorts the hand another way tells which.
_SORT: Final = "() => document.body.dispatchEvent(new KeyboardEvent('keydown', {key: 'o', bubbles: true}))"

#: With a code that no table has.
_JOIN: Final = """() => {
    const field = document.querySelector('#code');
    field.value = 'nothing';
    field.dispatchEvent(new Event('input', {bubbles: true}));
    field.form.requestSubmit();
}"""


async def _sort(visitor: Visitor) -> None:
    """Sort the hand, which a notice tells."""
    await visitor.let_notices_last()
    await visitor.page.evaluate(_SORT)
    await visitor.keep_notice()


async def said(visitor: Visitor) -> AsyncIterator[Situation]:
    """Why a play is refused, what players say, and that the connection is lost."""
    page = visitor.page
    turn = (visitor.word("play.pass"), ".play")
    await visitor.sit(**at_table("0:As"))
    await page.locator(_TURN).wait_for()
    await visitor.card("3s").click()
    await visitor.let_notices_last()
    # Whether or not the page knows by now that it cannot be played.
    await page.evaluate("() => document.querySelector('.play').click()")
    await visitor.keep_notice(".bad")
    yield Situation("a refusal", turn, 14, has_notice=True)
    for name, text in _LONG.items():
        await visitor.sit(**at_table("0:As"))
        await page.locator(_TURN).wait_for()
        await visitor.open_chat()
        await visitor.let_notices_last()
        await page.evaluate(_SAY, text)
        await visitor.keep_notice()
        yield Situation(f"a long {name} in the chat", (visitor.word("dialog.close"),), has_notice=True)
        await visitor.button("dialog.close").click()
        yield Situation(f"a long {name} is said", turn, 14, has_notice=True)
    async with Proxy(visitor.server.port) as proxy:
        await visitor.sit(port=proxy.port, **at_table("0:As"))
        await page.locator(_TURN).wait_for()
        await proxy.cut()
        await visitor.keep_notice()
        yield Situation("the connection is lost", turn, 14, has_notice=True)
        await proxy.restore()


async def announced(visitor: Visitor) -> AsyncIterator[Situation]:
    """Notices with everything that can be in the middle of the table, and in the lesson."""
    page = visitor.page
    await visitor.sit(deal=LEADING, actions=GIVEN)
    await visitor.button("exchange.ok").wait_for()
    await visitor.button("tichu.call").click()
    await visitor.let_notices_last()
    await page.locator("dialog .button.main").click()
    await visitor.keep_notice()
    yield Situation("a call", (visitor.word("exchange.ok"), ".play"), 14, has_notice=True)
    await visitor.sit(deal=LEADING)
    await visitor.button("grand.no").wait_for()
    await _sort(visitor)
    yield Situation("a notice before the exchange", (visitor.word("grand.no"),), 8, has_notice=True)
    await visitor.sit(deal=LEADING, actions=GIVEN[:4])
    await visitor.hold(14)
    for card in ("5s", "Qr", "2g"):
        await visitor.card(card).click()
    await page.locator(".hole[data-card]").nth(2).wait_for()
    await _sort(visitor)
    yield Situation("a notice in the exchange", (visitor.word("exchange.give"), ".hole"), 11, has_notice=True)
    await visitor.sit(position=GIFT)
    await visitor.let_notices_last()
    await page.locator("dialog .recipients .button").first.click()
    await visitor.keep_notice()
    yield Situation("a trick is given away", (), 3, has_notice=True)
    await page.goto(f"{visitor.server.url}learn/3")
    await visitor.hold(5)
    await _sort(visitor)
    yield Situation("a notice in the lesson", (visitor.word("play.pass"), ".play"), 5, has_notice=True)
    await page.goto(visitor.server.url)
    await page.locator("#code").wait_for()
    await visitor.let_notices_last()
    await page.evaluate(_JOIN)
    await page.locator(".notice").wait_for()
    await visitor.stop()
    yield Situation("a notice on a page", has_notice=True)
