"""Four people at one table, each at a browser of their own."""

import asyncio
import re
from typing import Any

import pytest
from playwright.async_api import expect

from tests.web.conftest import Stage
from tests.web.frames import Frames, hands_of
from tests.web.player import Finger, Keyboard, Player
from tests.web.stage import NAME, Proxy

#: Everybody gives three of a bomb away; Ben, in seat 1, keeps four kings.  Play goes to the right: Ada, Dov, Cho, Ben.
DEAL = (
    "Ma2s2b2g2r6s7b8g+9rTsJbAsAbDr / 3s3b3g3r6b9s9bQs+QbQgKsKbKgKr"
    " / Do4s4b4g4r6g7g8r+9gTbJgAgArPh / 5s5b5g5r6r7s7r8s+8bTgTrJsJrQr"
)
#: To left, partner and right, by seat.
GIFTS = (("2b", "2g", "2r"), ("3r", "3s", "3b"), ("4b", "4g", "4r"), ("5r", "5s", "5b"))
NAMES = ("Ada", "Ben", "Cho", "Dov")
ADA, BEN, CHO, DOV = range(4)


async def sit_down(stage: Stage, host: str, proxy: Proxy) -> tuple[list[Player], list[Frames]]:
    """Ada has made the table; Ben has a bomb, Cho a phone with a bad connection, Dov no pointer."""
    table = stage.server.table(deal=DEAL, name="Four of us")
    path = f"t/{table['table']['id']}"
    options: list[dict[str, Any]] = [{}, {}, {"has_touch": True, "viewport": {"width": 390, "height": 800}}, {}]
    kinds = (Player, Player, Finger, Keyboard)
    players, frames = [], []
    for seat, (name, kind) in enumerate(zip(NAMES, kinds, strict=True)):
        page = await stage.page(loses_connection=seat == CHO, settings={"name": name}, **options[seat])
        frames.append(Frames())
        page.on("websocket", frames[seat].listen)
        port = proxy.port if seat == CHO else stage.server.port
        token = f"#key={table['seatLink'].split('#key=')[1]}" if seat == ADA else ""
        await page.goto(f"http://{host}:{port}/{path}{token}")
        player = kind(page)
        if seat != ADA:
            # The first of the free seats is the next one.
            await player.push(page.get_by_role("button", name=re.compile("^(Sit|Take)")).first)
        await page.get_by_text(name, exact=True).first.wait_for()
        players.append(player)
    await players[ADA].push(players[ADA].page.get_by_role("button", name="Start"))
    return players, frames


async def one_turn(players: list[Player], looking: Player) -> Player | None:
    """Whoever is to act acts; None when the round is over."""
    while (seat := await looking.whose_turn()) is not None:
        player = players[seat]
        # It is nobody's turn while a trick is taken, least of all if the taker is out.
        what = await player.asked_soon()
        if what == "over":
            break
        if what is not None:
            await player.answer(what)
            return player
    return None


async def ada_leads_and_ben_bombs(players: list[Player]) -> None:
    """Ada leads a straight with the Mah Jong and wishes for a nine; Ben bombs before Dov has said anything."""
    ada, ben, _, _ = players
    for card in ("Ma", "2s", "3b", "4g", "5r", "6s"):
        # One touch may have selected more than one card.
        if await ada.hand.and_(ada.page.locator(f'[data-card="{card}"][aria-pressed="false"]')).count():
            await ada.pick(card)
    await expect(ada.play).to_have_text(re.compile("straight of 6", re.IGNORECASE))
    await ada.throw()
    await ada.push(ada.wish.get_by_role("button", name="nine"))
    await ada.wish.wait_for(state="hidden")
    await ben.sees_turn_of(DOV)
    await ben.push(ben.page.get_by_role("button", name="Bomb", exact=True))
    await ben.push(ben.page.get_by_role("button", name="Throw bomb: four kings"))
    for player in players:
        await player.page.get_by_text("Bomb: four kings", exact=True).first.wait_for()
    assert not set(await ben.cards()) & {"Ks", "Kb", "Kg", "Kr"}


async def cho_loses_her_connection(players: list[Player], frames: Frames, proxy: Proxy) -> None:
    """Ben leads; two others play while Cho is away, then it is her turn."""
    ada, ben, cho, dov = players
    await one_turn(players, ben)
    await ben.sees_turn_of(ADA)
    await cho.page.evaluate("window.isTheSamePage = true")
    before = frames.connections
    await proxy.cut()
    await cho.page.get_by_text("Connection lost").first.wait_for()
    await one_turn(players, ben)
    await one_turn(players, ada)
    await dov.sees_turn_of(CHO)
    shown = await cho.page.locator("[data-place].turn").get_attribute("data-place")
    assert shown == str(ADA), "a page without a connection cannot know more"
    await proxy.restore()
    await cho.sees_turn_of(CHO)
    assert await cho.page.evaluate("window.isTheSamePage"), "the page was reloaded"
    assert frames.connections > before
    await one_turn(players, cho)


@pytest.mark.parametrize("host", ["127.0.0.1", NAME])
async def test_four_people_play_a_round(stage: Stage, host: str) -> None:
    async with Proxy(stage.server.port) as proxy:
        players, frames = await sit_down(stage, host, proxy)
        assert await players[ADA].page.evaluate("isSecureContext") == (host != NAME)
        await asyncio.gather(*(player.answer("grand") for player in players))
        await asyncio.gather(*(player.exchange(*gifts) for player, gifts in zip(players, GIFTS, strict=True)))
        await ada_leads_and_ben_bombs(players)
        looking: Player | None = players[BEN]
        while await (looking or players[BEN]).whose_turn() != BEN:
            looking = await one_turn(players, looking or players[BEN])
        await cho_loses_her_connection(players, frames[CHO], proxy)
        looking = players[CHO]
        while looking is not None:
            looking = await one_turn(players, looking)
        for player in players:
            await player.sheet.wait_for()
    check_scores([await player.sheet.get_by_role("table").inner_text() for player in players])
    check_secrets(frames)


def check_scores(sheets: list[str]) -> None:
    """Both sides of the table read the same result; the points of the cards are 100, or 200 for a double victory."""
    totals = [tuple(map(int, re.findall(r"[-−]?\d+", sheet.replace("−", "-"))[1:4:2])) for sheet in sheets]
    (ours, theirs), *_ = totals
    assert totals == [(ours, theirs), (theirs, ours)] * 2
    assert ours + theirs in (100, 200)


def test_a_card_of_somebody_else_would_be_found() -> None:
    frames = Frames()
    frames.heard = [
        {"type": "state", "view": {"hand": ["2s"], "position": "2s/*1/*1/*1 p1 - 0/0/0/0"}},
        {"type": "event", "event": {"type": "acted", "what": "play", "seat": 1, "combination": {"cards": ["3b"]}}},
        {"type": "state", "view": {"trick": [{"combination": {"cards": ["3b"]}}], "position": "2s/*1/Dr/*1"}},
        {"type": "event", "event": {"type": "round_over", "hands": [["4g"]]}},
    ]
    assert [told for told, _ in frames.secrets({"2s"})] == [{"Dr"}]


def check_secrets(frames: list[Frames]) -> None:
    """No socket has told a seat what it could not know."""
    hands = hands_of(DEAL)
    knows = [set(hand) for hand in hands]
    for seat, gifts in enumerate(GIFTS):
        for step, card in enumerate(gifts, 1):
            knows[(seat + step) % 4].add(card)
            hands[(seat + step) % 4].add(card)
            hands[seat].discard(card)
    plays = frames[ADA].plays()
    assert {seat for seat, _ in plays} == {ADA, BEN, CHO, DOV}
    assert all(hands[seat] >= set(cards) for seat, cards in plays)
    for seat, heard in enumerate(frames):
        assert heard.plays() == plays
        assert heard.secrets(knows[seat]) == []
