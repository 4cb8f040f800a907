"""Somebody at a browser who uses only what the page shows."""

import re
from typing import Final, Literal

from playwright.async_api import Locator, Page, TimeoutError

__all__ = ["Asked", "Finger", "Keyboard", "Player"]

Asked = Literal["grand", "exchange", "play", "wish", "gift", "over"]

_PLAY: Final = re.compile("^(Play|Throw) ")
_MAX_TABS: Final = 80
_MOMENT_MS: Final = 500
_WATCH: Final = """button => {
    button.hasClosed = false;
    const watch = new MutationObserver(() => { button.hasClosed = true; watch.disconnect(); });
    watch.observe(button, {attributeFilter: ['disabled', 'aria-disabled']});
}"""


class Player:
    """Plays with the mouse."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.hand = page.get_by_role("group", name="Your hand").locator("[data-card]")
        self.no_grand = page.get_by_role("button", name="No, deal the rest")
        self.give = page.get_by_role("button", name="Give the cards")
        self.choosing = page.get_by_text("Choose a card for every other player.")
        self.chips = page.get_by_role("group", name="What you can play").get_by_role("button")
        self.play = page.get_by_role("button", name=_PLAY)
        self.can_pass = page.get_by_role("button", name="Pass", exact=True, disabled=False)
        self.wish = page.get_by_role("dialog", name="Your wish")
        self.gift = page.get_by_role("dialog", name="Your Dragon wins the trick")
        self.sheet = page.get_by_role("dialog").filter(has=page.get_by_role("table"))

    async def push(self, button: Locator) -> None:
        """Use a button."""
        await button.click()

    async def pick(self, card: str) -> None:
        """Touch a card of the hand."""
        await self.hand.and_(self.page.locator(f'[data-card="{card}"]')).click()

    async def cards(self) -> list[str]:
        """The hand, as it lies there."""
        cards: list[str] = await self.hand.evaluate_all("cards => cards.map(card => card.dataset.card)")
        return cards

    async def asked_soon(self) -> Asked | None:
        """What to decide, if it is asked within a moment."""
        try:
            return await self.asked(_MOMENT_MS)
        except TimeoutError:
            return None

    async def asked(self, timeout: float | None = None) -> Asked:
        """Wait until something is to be decided, and say what."""
        signs: dict[Asked, Locator] = {
            "over": self.sheet,
            "wish": self.wish,
            "gift": self.gift,
            "grand": self.no_grand,
            "exchange": self.choosing,
            "play": self.chips.or_(self.can_pass),
        }
        anything = self.sheet
        for sign in signs.values():
            anything = anything.or_(sign)
        await anything.first.wait_for(timeout=timeout)
        for what, sign in signs.items():
            if await sign.first.is_visible():
                return what
        return await self.asked(timeout)  # It was there a moment ago.

    async def answer(self, what: Asked) -> None:
        """Decide without much thought."""
        match what:
            case "grand":
                await self.push(self.no_grand)
                await self.no_grand.wait_for(state="hidden")
            case "exchange":
                await self.exchange(*(await self.cards())[:3])
            case "play":
                await self.take_turn()
            case "wish":
                await self.push(self.wish.get_by_role("button", name="No wish"))
                await self.wish.wait_for(state="hidden")
            case "gift":
                await self.push(self.gift.get_by_role("button", name=re.compile("^To ")).first)
                await self.gift.wait_for(state="hidden")
            case "over":
                raise AssertionError("nothing is left to decide")

    async def exchange(self, *cards: str) -> None:
        """Give these cards to left, partner and right."""
        for card in cards:
            await self.pick(card)
        await self.push(self.give)
        await self.choosing.wait_for(state="hidden")

    async def take_turn(self) -> None:
        """Play the last of what is suggested, which is long or high; pass if there is nothing but bombs."""
        chips = self.chips.filter(has_not_text=re.compile("^Bomb", re.IGNORECASE))
        if await chips.count():
            await self.push(chips.last)
            await self.throw()
        elif await self.can_pass.count():
            await self.pass_turn()
        else:
            await self.push(self.chips.first)
            await self.throw()

    async def throw(self) -> None:
        """Play what is selected, and see it leave the hand."""
        leaving = self.hand.and_(self.page.locator('[aria-pressed="true"]')).first
        card = await leaving.get_attribute("data-card")
        await self.confirm()
        await self.page.wait_for_selector(f'.hand [data-card="{card}"]', state="detached")

    async def confirm(self) -> None:
        """Use the button that says what will be played."""
        await self.push(self.play)

    async def pass_turn(self) -> None:
        """Pass, and see the button close; bots may be so fast that it is open again at once."""
        button = await self.can_pass.element_handle()
        await button.evaluate(_WATCH)
        await self.say_pass()
        await self.page.wait_for_function("button => button.hasClosed || !button.isConnected", arg=button)

    async def say_pass(self) -> None:
        """Use the button."""
        await self.push(self.can_pass)

    async def whose_turn(self) -> int | None:
        """The seat to act as this page shows it; None when the round is over."""
        turn = self.page.locator("[data-place].turn")
        await turn.or_(self.sheet).first.wait_for(state="attached")
        # At once: with the end of the round it may be nobody's turn.
        seats: list[str] = await turn.evaluate_all("turns => turns.map(turn => turn.dataset.place)")
        return int(seats[0]) if seats else None

    async def sees_turn_of(self, seat: int) -> None:
        """Wait until this page, too, has heard that it is a seat's turn."""
        await self.page.locator(f'[data-place="{seat}"].turn').wait_for(state="attached")

    async def play_round(self) -> None:
        """Decide everything until the score sheet is there."""
        while (what := await self.asked()) != "over":
            await self.answer(what)


class Finger(Player):
    """Plays on a touch screen."""

    async def push(self, button: Locator) -> None:
        await button.tap()

    async def pick(self, card: str) -> None:
        await self.hand.and_(self.page.locator(f'[data-card="{card}"]')).tap()


class Keyboard(Player):
    """Plays without a pointer."""

    async def push(self, button: Locator) -> None:
        await self._go_to(button)
        await self.page.keyboard.press("Enter")

    async def pick(self, card: str) -> None:
        await self._go_to_hand()
        await self.page.keyboard.press("Home")
        chosen = self.hand.and_(self.page.locator(f'[data-card="{card}"]'))
        for _ in range(14):
            if await _has_focus(chosen):
                break
            await self.page.keyboard.press("ArrowRight")
        assert await _has_focus(chosen), f"the arrow keys do not lead to {card}"
        await self.page.keyboard.press("Space")

    async def say_pass(self) -> None:
        await self.page.keyboard.press("p")

    async def confirm(self) -> None:
        await self.play.wait_for()
        await self.page.keyboard.press("Enter")

    async def _go_to(self, place: Locator) -> None:
        await place.wait_for()
        for _ in range(_MAX_TABS):
            if await _has_focus(place):
                return
            await self.page.keyboard.press("Tab")
        raise AssertionError(f"Tab does not lead to {place}")

    async def _go_to_hand(self) -> None:
        if not await self.page.evaluate("document.activeElement?.matches('.hand [data-card]')"):
            await self.page.keyboard.press("ArrowRight")


async def _has_focus(place: Locator) -> bool:
    return bool(await place.evaluate("node => node === document.activeElement"))
