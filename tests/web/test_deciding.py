"""Decisions on the page: what is deliberate, what is on its way, and where the keyboard is."""

import asyncio
import json
import re
import sys
from typing import Any

import pytest
from playwright.async_api import Page, WebSocketRoute, expect

from tests.web.conftest import Stage
from tests.web.player import Player
from tests.web.positions import ASKED, BOMB, GIVEN, LEADING
from tests.web.sample_round import BOTS, at_table
from tests.web.stage import serving

READINGS = "3s6b6gQsQrPh/3b8s9sTs/4b4g7rJb/2g2r5sKb p0 - 25/25/25/25 - ---- - -/-/-/-"
MAH_JONG = "Ma3g5r8sTb/2s2b4r/4s9gKr/6b7b8b p0 - 15/20/20/20 - ---- - -/-/-/-"
DRAGON = "5b6b9s/2gJb/4g8g/2r3r7s t0 0:Dr 15/25/15/15 - ---- - -/-/-/-"
LEVEL = "8b/-/-/9s p0 - 10/50/30/10 - ---- 21 -/-/-/-"


async def sit(stage: Stage, page: Page, **settings: Any) -> Player:
    table = stage.server.table(seats=BOTS, start=True, **settings)
    await page.goto(table["seatLink"])
    return Player(page)


async def test_grand_tichu_is_called_only_on_a_second_thought(stage: Stage) -> None:
    page = await stage.page()
    player = await sit(stage, page, **at_table())
    # The safe answer has the focus and is described by the question.
    await expect(player.no_grand).to_be_focused()
    await expect(player.no_grand).to_have_accessible_description(re.compile(r"^Call Grand Tichu\?.*200"))
    safe = await player.no_grand.bounding_box()
    ask = page.get_by_role("button", name="Grand Tichu …")
    call = await ask.bounding_box()
    assert safe is not None
    assert call is not None
    assert safe["width"] * safe["height"] > 1.5 * call["width"] * call["height"]
    await ask.click()
    dialog = page.get_by_role("dialog", name="Call Grand Tichu?")
    await expect(dialog.get_by_role("button", name="Cancel")).to_be_focused()
    await page.keyboard.press("Enter")
    await expect(dialog).to_have_count(0)
    assert await player.asked() == "grand"
    await ask.click()
    await dialog.get_by_role("button", name="Grand Tichu!").click()
    await expect(page.locator('[data-place="0"] .call')).to_have_text("GT")


async def test_tichu_is_called_only_on_a_second_thought(stage: Stage) -> None:
    page = await stage.page()
    player = await sit(stage, page, **at_table("0:As"))
    assert await player.asked() == "play"
    dialog = page.get_by_role("dialog", name="Call Tichu?")
    await page.keyboard.press("t")
    await expect(dialog.get_by_role("button", name="Cancel")).to_be_focused()
    await page.keyboard.press("Enter")
    await expect(dialog).to_have_count(0)
    await expect(page.locator('[data-place="0"] .call')).to_have_count(0)
    await page.keyboard.press("t")
    await dialog.get_by_role("button", name="Tichu!").click()
    await expect(page.locator('[data-place="0"] .call')).to_have_text("T")


async def test_the_keyboard_stays_in_the_hand_from_the_first_card_to_the_last(stage: Stage) -> None:
    page = await stage.page()
    player = await sit(stage, page, **at_table())
    await expect(player.no_grand).to_be_focused()
    await page.keyboard.press("Enter")
    await expect(player.hand).to_have_count(14)
    focused = page.locator(".hand [data-card]:focus")
    await expect(focused).to_have_count(1)
    for count in (13, 12, 11):
        await page.keyboard.press("Space")
        await expect(player.hand).to_have_count(count)
        await expect(focused).to_have_count(1)
    await page.keyboard.press("Enter")
    await player.choosing.wait_for(state="hidden")
    await expect(player.hand).to_have_count(14)
    await expect(focused).to_have_count(1)
    player = await sit(stage, page, **at_table("0:Kb"))
    assert await player.asked() == "play"
    await page.keyboard.press("ArrowRight")
    await page.keyboard.press("Space")
    await player.play.wait_for()
    held = await player.hand.count()
    await page.keyboard.press("Enter")
    await expect(player.hand).to_have_count(held - 1)
    await expect(focused).to_have_count(1)


class Gate:
    """Lets everything through to the server, but one kind of message only when it is opened."""

    def __init__(self, kind: str) -> None:
        self.kind = kind
        self.sent: list[str] = []
        self._opened = asyncio.Event()

    def connect(self, line: WebSocketRoute) -> None:
        """Stand between a page and its server."""
        server = line.connect_to_server()

        async def say(message: str | bytes) -> None:
            self.sent.append(json.loads(message)["type"])
            if self.sent[-1] == self.kind:
                await self._opened.wait()
            server.send(message)

        line.on_message(say)

    def open(self) -> None:
        """As at the end of a bomb window."""
        self._opened.set()


async def behind_gate(stage: Stage, kind: str, **settings: Any) -> tuple[Player, Gate]:
    """A player whose messages of this kind are held back."""
    gate = Gate(kind)
    page = await stage.page()
    await page.route_web_socket(re.compile("/ws/"), gate.connect)
    return await sit(stage, page, **settings), gate


@pytest.mark.parametrize("kind", ["TICHU.PASS", "TICHU.PLAY_CARDS"])
async def test_a_turn_is_shown_at_once_and_taken_once(stage: Stage, kind: str) -> None:
    player, gate = await behind_gate(stage, kind, **at_table("0:As"))
    page = player.page
    assert await player.asked() == "play"
    await player.pick("As")
    await player.play.wait_for()
    passing = page.get_by_role("button", name="Pass", exact=True)
    await (passing if kind == "TICHU.PASS" else player.play).click()
    on_its_way = page.get_by_role("button", name="On its way …")
    await expect(on_its_way).to_be_disabled()
    await expect(passing).to_be_disabled()
    await expect(page.locator(".button.sent")).to_have_count(1)
    # What is on its way lies over no button.
    card, hand = await page.locator('.hand [data-card="As"]').bounding_box(), await page.locator(".hand").bounding_box()
    assert card is not None
    assert hand is not None
    assert card["y"] >= hand["y"]
    for button in (passing, on_its_way):
        await button.dispatch_event("click")
    for key in ("p", "Enter"):
        await page.keyboard.press(key)
    gate.open()
    await expect(on_its_way).to_have_count(0)
    await expect(page.locator('.hand [data-card="As"]')).to_have_count(1 if kind == "TICHU.PASS" else 0)
    assert [what for what in gate.sent if what in ("TICHU.PASS", "TICHU.PLAY_CARDS")] == [kind]
    await expect(page.locator(".notice.bad")).to_have_count(0)


#: What holds an answer back, the button that is pressed, and another one that means the same decision.
WAITS: dict[str, tuple[str, dict[str, Any], str, str]] = {
    "grand": ("TICHU.DECLINE_GRAND_TICHU", at_table(), "No, deal the rest", "Grand Tichu …"),
    "exchange": ("TICHU.CONFIRM_EXCHANGE", {"deal": LEADING, "actions": GIVEN[:4]}, "Give the cards", "Give the cards"),
    "wish": ("TICHU.WISH", {"position": MAH_JONG.replace("p0 -", "w0 0:Ma").replace("Ma3g", "3g")}, "ace", "king"),
    "gift": ("TICHU.DRAGON_DONATE", {"position": DRAGON}, "To Dov", "To Ben"),
    "no bomb": ("TICHU.DECLINE_BOMB", {"position": ASKED, "rules": "courtesy", "pace": 10}, "No bomb", "On its way …"),
}


@pytest.mark.parametrize("decision", WAITS)
async def test_every_decision_is_shown_at_once_and_taken_once(stage: Stage, decision: str) -> None:
    kind, settings, tapped, other = WAITS[decision]
    player, gate = await behind_gate(stage, kind, **settings)
    page = player.page
    if decision == "exchange":
        for card in ("5s", "Qr", "2g"):
            await player.pick(card)
    button = page.get_by_role("button", name=re.compile(f"^{tapped}"))
    await button.click()
    await expect(page.locator(".sent")).to_have_text(re.compile(tapped) if decision != "wish" else "")
    await expect(button).to_have_attribute("aria-disabled", "true")
    again = page.get_by_role("button", name=re.compile(f"^{other}"))
    await expect(again).to_have_attribute("aria-disabled", "true")
    for one in (button, again):
        await one.dispatch_event("click")
    gate.open()
    await expect(page.locator(".sent")).to_have_count(0)
    assert gate.sent.count(kind) == 1
    await expect(page.locator(".notice.bad")).to_have_count(0)


@pytest.mark.parametrize("card", ["As", "3s"])
async def test_a_play_is_taken_before_the_page_knows_what_the_cards_form(stage: Stage, card: str) -> None:
    player, gate = await behind_gate(stage, "check", **at_table("0:As"))
    page = player.page
    assert await player.asked() == "play"
    chosen = page.locator(f'.hand [data-card="{card}"]')
    await chosen.focus()
    await page.keyboard.press("Space")
    await page.keyboard.press("Enter")
    await expect(page.locator(".play.sent")).to_have_text("On its way …")
    assert "TICHU.PLAY_CARDS" not in gate.sent
    gate.open()
    if card == "As":
        await expect(chosen).to_have_count(0)
    else:
        await expect(page.get_by_role("alert")).to_contain_text("does not beat")
        await expect(chosen).to_have_attribute("aria-pressed", "true")
    assert gate.sent.count("TICHU.PLAY_CARDS") == (card == "As")


async def test_after_a_dialog_the_keyboard_is_where_it_was_or_in_the_hand(stage: Stage) -> None:
    page = await stage.page()
    card = page.locator(".hand [data-card]:focus")
    player = await sit(stage, page, **at_table())
    # Grand Tichu: given up, the question is there again; called, the cards are next.
    ask = page.get_by_role("button", name="Grand Tichu …")
    for answer in ("Cancel", "Grand Tichu!"):
        await ask.focus()
        await page.keyboard.press("Enter")
        await page.get_by_role("dialog").get_by_role("button", name=answer).press("Enter")
        await expect(page.get_by_role("dialog")).to_have_count(0)
        if answer == "Cancel":
            await expect(ask).to_be_focused()
    await expect(player.hand).to_have_count(14)
    await expect(card).to_have_count(1)
    # Tichu, asked for by a key: the card in the hand is kept.
    player = await sit(stage, page, **at_table("0:As"))
    assert await player.asked() == "play"
    for answer in ("Cancel", "Tichu!"):
        await page.keyboard.press("ArrowRight")
        await expect(card).to_have_count(1)
        await page.keyboard.press("t")
        await page.get_by_role("dialog").get_by_role("button", name=answer).press("Enter")
        await expect(page.get_by_role("dialog")).to_have_count(0)
        await expect(card).to_have_count(1)
    # A bomb.
    player = await sit(stage, page, position=BOMB)
    bomb = page.get_by_role("button", name="Bomb", exact=True)
    await bomb.press("Enter")
    await page.get_by_role("dialog").get_by_role("button", name="Throw").press("Enter")
    await expect(page.get_by_role("dialog")).to_have_count(0)
    await expect(card).to_have_count(1)


@pytest.mark.parametrize("decision", ["wish", "gift"])
async def test_a_decision_that_was_made_leads_to_the_hand(stage: Stage, decision: str) -> None:
    _, settings, button, _ = WAITS[decision]
    page = await stage.page()
    await sit(stage, page, **settings)
    await page.get_by_role("dialog").get_by_role("button", name=button).press("Enter")
    await expect(page.get_by_role("dialog")).to_have_count(0)
    await expect(page.locator(".hand [data-card]:focus")).to_have_count(1)


async def test_a_button_that_goes_with_its_key_leads_to_the_hand(stage: Stage) -> None:
    page = await stage.page()
    card = page.locator(".hand [data-card]:focus")
    player = await sit(stage, page, deal=LEADING, actions=GIVEN)
    thanks = page.get_by_role("button", name="Thanks")
    await thanks.press("Enter")
    await expect(thanks).to_have_count(0)
    await expect(card).to_have_count(1)
    held = await player.hand.count()
    await player.chips.filter(has_text=re.compile("pair of")).first.press("Enter")
    await expect(card).to_have_count(1)
    await player.play.wait_for()
    await page.keyboard.press("Enter")
    await expect(player.hand).not_to_have_count(held)
    await expect(card).to_have_count(1)


async def test_a_hint_that_the_connection_has_lost_can_be_asked_for_again(stage: Stage) -> None:
    asked = 0

    def cut_once(line: WebSocketRoute) -> None:
        """Carry everything, but let the line drop at the first question for a hint."""
        server = line.connect_to_server()

        async def say(message: str | bytes) -> None:
            nonlocal asked
            is_hint = json.loads(message)["type"] == "hint"
            asked += is_hint
            if is_hint and asked == 1:
                await line.close()
            else:
                server.send(message)

        line.on_message(say)

    page = await stage.page()
    await page.route_web_socket(re.compile("/ws/"), cut_once)
    await sit(stage, page, **at_table("0:As"))
    hint = page.get_by_role("button", name="Hint", exact=True)
    await hint.click()
    await expect(hint).to_be_enabled()
    await expect(page.locator(".notice")).to_have_count(0)
    # Asked too early it gets no answer, and says so by staying open.
    while asked < 2:
        await hint.click()
    await expect(page.get_by_role("region", name="Hint")).to_have_count(1)


async def test_the_phoenix_stands_for_the_rank_that_is_chosen(stage: Stage) -> None:
    page = await stage.page()
    player = await sit(stage, page, position=READINGS, pace=10)
    for card in ("6b", "6g", "Qs", "Qr", "Ph"):
        await player.pick(card)
    six = page.locator(".chip", has_text=re.compile("^six"))
    await six.click()
    await expect(six).to_have_attribute("aria-pressed", "true")
    await page.get_by_role("button", name="Play full house, sixes over queens").click()
    await expect(page.locator('.zone [data-card="Ph"] use[href="#r-6"]')).to_have_count(1)


async def test_a_wish_is_chosen_and_seen(stage: Stage) -> None:
    page = await stage.page()
    player = await sit(stage, page, position=MAH_JONG, pace=10)
    await player.pick("Ma")
    await player.confirm()
    await player.wish.get_by_role("button", name="ace").click()
    await expect(page.get_by_role("img", name="Wish: ace")).to_be_visible()


@pytest.mark.parametrize(("position", "word"), [(MAH_JONG, "ace"), (DRAGON, "To Dov")], ids=["wish", "gift"])
async def test_no_escape_leads_away_from_a_decision_that_must_be_made(stage: Stage, position: str, word: str) -> None:
    page = await stage.page()
    player = await sit(stage, page, position=position, pace=10)
    if position == MAH_JONG:
        await player.pick("Ma")
        await player.confirm()
    dialog = page.get_by_role("dialog")
    await dialog.wait_for()
    # A page may prevent that a browser closes something only a few times in a row.
    for _ in range(4):
        await page.keyboard.press("Escape")
    await dialog.get_by_role("button", name=word).click()
    await expect(dialog).to_have_count(0)


async def test_the_dragons_trick_goes_where_it_is_given(stage: Stage) -> None:
    page = await stage.page()
    player = await sit(stage, page, position=DRAGON)
    points = page.locator('[data-place="3"]')
    await expect(points).to_have_attribute("aria-label", re.compile("15 points"))
    await player.gift.get_by_role("button", name=re.compile("^To Dov")).click()
    await expect(points).to_have_attribute("aria-label", re.compile("40 points"))


async def test_a_level_extra_round_is_won_by_whoever_went_out_first(stage: Stage) -> None:
    page = await stage.page()
    with serving(program=(sys.executable, "-m", "tests.web.level_rounds")) as server:
        table = server.table(seats=BOTS, start=True, position=LEVEL, rules="single-round")
        await page.goto(table["seatLink"])
        player = Player(page)
        await player.play_round()
        await expect(player.sheet.get_by_text("An extra round decides")).to_be_visible()
        await expect(player.sheet).not_to_contain_text("was out first")
        await player.sheet.get_by_role("button", name="Level! Start the extra round").click()
        await player.sheet.wait_for(state="hidden")
        await player.play_round()
        # The partner was out first in both rounds.
        await expect(player.sheet.get_by_role("heading", name="You have won!")).to_be_visible()
        await expect(player.sheet.get_by_text(re.compile("Cho was out first"))).to_be_visible()
        await expect(player.sheet.get_by_role("row").nth(-2)).to_contain_text(re.compile("100.*100"))
        # It would complain that its server has gone.
        await page.close()
