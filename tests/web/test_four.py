"""Four people at one table, each at a browser of their own."""

import asyncio
import re

import pytest
from playwright.async_api import expect

from tests.web.conftest import Stage
from tests.web.frames import Frames, hands_of
from tests.web.player import Finger, Keyboard, Player
from tests.web.stage import NAME, Line

#: Seat 0 has the Mah Jong and the Dragon, seat 1 four kings; play goes to the right.
DEAL = (
    "Ma2s3b4g5r6s9sDr+2b2g4rJrQsAr / 3g6g9bKsKbKgKrAg+3s4s5s5g6rJg"
    " / 6b7b8g9rTsJbQbPh+Do4b8rTgAsAb / 2r5b7s7r8b9gTrJs+3r7g8sTbQgQr"
)
#: To left, partner and right, by seat.
GIFTS = (("2b", "2g", "4r"), ("3g", "3s", "4s"), ("4b", "6b", "8r"), ("2r", "5b", "3r"))
NAMES = ("Ada", "Ben", "Cho", "Dov")
ADA, BEN, CHO, DOV = range(4)


async def sit_down(stage: Stage, host: str, line: Line) -> tuple[list[Player], list[Frames]]:
    """Ada has made the table; Ben has a bomb, Cho a phone with a bad line, Dov no pointer."""
    table = stage.server.table(deal=DEAL, name="Four of us")
    path = f"t/{table['table']['id']}"
    options: list[dict[str, object]] = [{}, {}, {"has_touch": True, "viewport": {"width": 390, "height": 800}}, {}]
    kinds = (Player, Player, Finger, Keyboard)
    players, frames = [], []
    for seat, (name, kind) in enumerate(zip(NAMES, kinds, strict=True)):
        page = await stage.page(losing_line=seat == CHO, settings={"name": name}, **options[seat])
        frames.append(Frames(page))
        port = line.port if seat == CHO else stage.server.port
        token = f"#token={table['you']['token']}" if seat == ADA else ""
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
    seat = await looking.whose_turn()
    if seat is None:
        return None
    player = players[seat]
    await player.answer(await player.asked())
    return player


@pytest.mark.parametrize("host", ["127.0.0.1", NAME])
async def test_four_people_play_a_round(stage: Stage, host: str) -> None:
    async with Line(stage.server.port) as line:
        players, frames = await sit_down(stage, host, line)
        ada, ben, cho, dov = players
        assert await cho.page.evaluate("isSecureContext") == (host != NAME)

        await asyncio.gather(*(player.no_grand.wait_for() for player in players))
        await asyncio.gather(*(player.answer("grand") for player in players))
        await asyncio.gather(*(player.choosing.wait_for() for player in players))
        await asyncio.gather(*(player.exchange(*gifts) for player, gifts in zip(players, GIFTS, strict=True)))

        # Ada leads a straight with the Mah Jong and wishes for a nine; Ben bombs before Dov has said anything.
        for card in ("Ma", "2s", "3b", "4g", "5r", "6s"):
            if await ada.hand.and_(ada.page.locator(f'[data-card="{card}"][aria-pressed="false"]')).count():
                await ada.pick(card)
        await expect(ada.play).to_have_text(re.compile("straight of 6", re.IGNORECASE))
        await ada.throw()
        await ada.push(ada.wish.get_by_role("button", name="nine"))
        await ada.wish.wait_for(state="hidden")
        assert await ben.whose_turn() == DOV
        await ben.push(ben.page.get_by_role("button", name="Bomb", exact=True))
        await ben.push(ben.page.get_by_role("button", name="Throw bomb: four kings"))
        await asyncio.gather(
            *(player.page.get_by_text("Bomb: four kings", exact=True).first.wait_for() for player in players)
        )
        assert not set(await ben.cards()) & {"Ks", "Kb", "Kg", "Kr"}

        # Everybody passes, Ben leads; then Cho's line is cut before her turn.
        looking = ben
        while await looking.whose_turn() != BEN:
            looking = await one_turn(players, looking) or looking
        await one_turn(players, ben)
        assert await ben.whose_turn() == ADA
        await cho.page.evaluate("window.isTheSamePage = true")
        before = frames[CHO].connections
        await line.cut()
        await cho.page.get_by_text("Connection lost").first.wait_for()
        await one_turn(players, ben)
        await one_turn(players, ada)
        seen = await cho.page.locator("[data-place].turn").get_attribute("data-place")
        assert seen == str(ADA), "a page without a line cannot know more"
        await line.mend()
        assert await dov.whose_turn() == CHO
        await cho.page.locator(f'[data-place="{CHO}"].turn').wait_for(state="attached")
        assert await cho.page.evaluate("window.isTheSamePage"), "the page was loaded anew"
        assert frames[CHO].connections > before
        await one_turn(players, cho)

        looking = cho
        while (acted := await one_turn(players, looking)) is not None:
            looking = acted
        await asyncio.gather(*(player.sheet.wait_for() for player in players))

        check_scores([await player.sheet.get_by_role("table").inner_text() for player in players])
        check_secrets(frames)


def check_scores(sheets: list[str]) -> None:
    """Both sides of the table read the same result; the points of the cards are 100, or 200 for a double victory."""
    totals = [tuple(map(int, re.findall(r"[-−]?\d+", sheet.replace("−", "-"))[1:4:2])) for sheet in sheets]
    (ours, theirs), *_ = totals
    assert totals == [(ours, theirs), (theirs, ours)] * 2
    assert ours + theirs in (100, 200)


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
    assert len(plays) > 10
    assert all(hands[seat] >= set(cards) for seat, cards in plays)
    for seat, heard in enumerate(frames):
        assert heard.plays() == plays
        assert heard.secrets(knows[seat]) == []
