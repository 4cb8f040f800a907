"""The way through the pages: start, new table, lobby, lesson, replay."""

import json
import re
import time

from playwright.async_api import ViewportSize, WebSocketRoute, expect

from tests.web.axe import check
from tests.web.conftest import Stage
from tests.web.player import Keyboard, Player
from tests.web.sample_round import BOTS, at_table
from tests.web.stage import NAME

#: A phone upright and on its side, and a desktop.
SCREENS: list[ViewportSize] = [
    {"width": 390, "height": 844},
    {"width": 844, "height": 390},
    {"width": 1280, "height": 800},
]

#: Of each icon the size, how solid its corner is, and how far its pixels are on average from the picture's.
DRAWN = """async names => {
    const pixels = async (name, size) => {
        const image = Object.assign(new Image(), {src: name});
        await image.decode();
        const canvas = Object.assign(document.createElement('canvas'), {width: size, height: size});
        const context = canvas.getContext('2d');
        context.drawImage(image, 0, 0, size, size);
        return [image, context.getImageData(0, 0, size, size).data];
    };
    const drawn = {};
    for (const name of names) {
        const [image, data] = await pixels(name, 180);
        const [, picture] = await pixels('icon.svg', 180);
        const difference = data.reduce((sum, byte, i) => sum + Math.abs(byte - picture[i]), 0) / data.length;
        drawn[name] = [image.naturalWidth, image.naturalHeight, data[3], difference];
    }
    return drawn;
}"""


async def test_one_click_leads_from_the_start_page_to_eight_cards(stage: Stage) -> None:
    page = await stage.page(settings={"name": "Ada", "speed": "normal"})
    await page.goto(stage.server.url)
    await page.get_by_role("button", name="Play now").click()
    player = Player(page)
    assert await player.asked() == "grand"
    # They are dealt one by one.
    await expect(player.hand).to_have_count(8)
    await page.reload()
    assert await player.asked() == "grand", "the seat is lost with the page"


async def test_a_table_is_made_with_options_and_joined_by_its_code(stage: Stage) -> None:
    host = await stage.page(settings={"name": "Ada"})
    await host.goto(stage.server.url)
    await host.get_by_role("link", name="New table").click()
    await host.get_by_role("combobox", name="Play to").select_option("rounds:1")
    await host.get_by_role("button", name="Open the table").click()
    await host.wait_for_url("**/t/*")
    code = await host.locator(".code b").inner_text()

    guest = await stage.page(settings={"name": "Ben"})
    await guest.goto(stage.server.url)
    await guest.get_by_role("textbox", name="Code").fill(code.lower())
    await guest.get_by_role("button", name="Join").click()
    await guest.wait_for_url("**/t/*")
    await guest.get_by_role("button", name="Sit here").first.click()
    await host.get_by_text("Ben", exact=True).wait_for()
    state = stage.server.ask(f"tables/{host.url.rpartition('/')[2]}")["table"]
    assert [seat["name"] for seat in state["seats"]] == ["Ada", "Ben", "", ""]
    assert "goal=rounds:1" in state["rules"]
    await host.get_by_role("button", name=re.compile("start", re.IGNORECASE)).click()
    for page in (host, guest):
        await Player(page).no_grand.wait_for()


async def test_the_replay_is_led_by_keys_and_has_an_address_for_every_action(stage: Stage) -> None:
    page = await stage.page()
    table = stage.server.table(seats=BOTS, start=True, rules="standard goal=rounds:1", **at_table("0:8b"))
    await page.goto(table["seatLink"])
    player = Keyboard(page)
    await player.play_round()
    await player.push(page.get_by_role("link", name="Look at the game again"))
    steps = page.get_by_role("slider")
    await expect(steps).not_to_have_attribute("max", "0")
    await expect(steps).to_have_value("0")
    await page.keyboard.press("ArrowRight")
    await expect(steps).to_have_value("1")
    await page.keyboard.press("End")
    last = await steps.get_attribute("max")
    assert last is not None
    await expect(steps).to_have_value(last)
    # The action before the last shows the last card in the hand of seat 0.
    await page.goto(f"{page.url.partition('?')[0]}?round=1&step={int(last) - 1}")
    await expect(page.locator('[data-place="0"] [data-card]')).to_have_count(1)


async def test_a_clock_tells_the_decision_from_the_reserve(stage: Stage) -> None:
    page = await stage.page(bypass_csp=True)
    own = page.locator('[data-place="0"]')
    table = stage.server.table(seats=BOTS, start=True, clock={"decision": 300, "reserve": 60}, **at_table("0:As"))
    await page.goto(table["seatLink"])
    await expect(own.locator(".time")).to_have_text(re.compile(r"^(5:00|4:\d\d)$"))
    await expect(own).to_have_attribute("aria-label", re.compile(r"to play, \d+ seconds to decide"))
    await expect(own.locator(".time use")).to_have_count(0)
    # Then beads and an hourglass, and words for players who can see neither.
    table = stage.server.table(seats=BOTS, start=True, clock={"decision": 5, "reserve": 300}, **at_table("0:As"))
    await page.goto(table["seatLink"])
    await expect(own.locator(".time use")).to_have_attribute("href", "#i-reserve", timeout=20_000)
    await expect(own.locator(".time")).to_have_text(re.compile(r"^(5:00|4:\d\d)$"))
    await expect(own).to_have_attribute("aria-label", re.compile(r"on reserve time, \d+ seconds left"))
    await expect(page.get_by_role("log")).to_contain_text("Your reserve time is running")
    beads = await own.locator("circle").get_attribute("stroke-dasharray")
    assert beads is not None
    assert len(beads.split()) > 4
    await check(page, "the reserve")
    for size in SCREENS:
        await page.set_viewport_size(size)
        await expect(own.locator(".time")).to_be_in_viewport(ratio=1)
    # Korean may break anywhere, a time may not.
    height = "node => node.offsetHeight"
    line = await own.locator(".time").evaluate(height)
    await page.evaluate("document.documentElement.lang = 'ko'")
    assert await own.locator(".time").evaluate(height) == line


async def test_a_spectator_sees_the_clock_of_the_player_to_decide(stage: Stage) -> None:
    page = await stage.page()
    clock = {"decision": 300, "reserve": 60}
    table = stage.server.table(seats=BOTS, private=False, clock=clock)
    host = await stage.page()
    await host.goto(table["seatLink"])
    await page.goto(f"{stage.server.url}t/{table['table']['id']}")
    await page.get_by_text("Ada", exact=True).wait_for()
    await host.get_by_role("button", name=re.compile("start", re.IGNORECASE)).click()
    await page.get_by_text("You are watching").wait_for()
    times = page.locator("[data-place] .time")
    await expect(times).to_have_count(1)
    own = page.locator('[data-place="0"] .time')
    await expect(own).to_have_text(re.compile(r"^(5:00|4:\d\d)$"))
    for size in SCREENS:
        await page.set_viewport_size(size)
        await expect(own).to_be_in_viewport(ratio=1)
    # It is the server's time that runs, whatever this device believes.
    await page.clock.install(time=time.time() + 120)
    await page.reload()
    await expect(own).to_have_text(re.compile(r"^(5:00|4:\d\d)$"))


async def test_given_cards_leave_the_hand_before_the_others_have_given(stage: Stage) -> None:
    ada, ben = await stage.page(), await stage.page(settings={"name": "Ben"})
    table = stage.server.table(seats=("you", None, "heuristic", "heuristic"), **at_table())
    await ada.goto(table["seatLink"])
    await ben.goto(f"{stage.server.url}t/{table['table']['id']}")
    await ben.get_by_role("button", name="Sit here").first.click()
    await ada.get_by_role("button", name=re.compile("start", re.IGNORECASE)).click()
    player = Player(ada)
    for other in (player, Player(ben)):
        assert await other.asked() == "grand"
        await other.answer("grand")
    assert await player.asked() == "exchange"
    await player.exchange("5s", "Qr", "2g")
    await expect(player.hand).to_have_count(11)
    assert not {"5s", "Qr", "2g"} & set(await player.cards())


async def test_a_player_who_can_only_pass_is_told_so(stage: Stage) -> None:
    page = await stage.page()
    table = stage.server.table(seats=BOTS, start=True, **at_table("0:Kb"))
    await page.goto(table["seatLink"])
    player = Player(page)
    assert await player.asked() == "play"
    await expect(page.get_by_role("button", name="You lead")).to_be_visible()
    stuck = stage.server.table(seats=BOTS, start=True, **at_table("1:Ks"))
    await page.goto(stuck["seatLink"])
    await player.can_pass.wait_for()
    await expect(page.get_by_role("button", name="You cannot beat this")).to_be_visible()
    await player.pass_turn()


async def test_the_lesson_says_what_was_wrong_and_goes_on_when_it_is_right(stage: Stage) -> None:
    page = await stage.page(settings={"name": "Ada"})
    await page.goto(f"{stage.server.url}learn/3")
    await page.get_by_role("heading", name="Passing is playing too").wait_for()
    player = Player(page)
    assert await player.asked() == "play"
    await player.pick("Ab")
    await player.throw()
    await page.get_by_role("button", name="Try again").click()
    await player.hand.and_(page.locator('[data-card="Ab"]')).wait_for()
    assert await player.asked() == "play"
    await player.pass_turn()
    await page.get_by_role("button", name="Next").click()
    await expect(page).to_have_url(re.compile("/learn/4$"))


async def test_the_page_can_be_put_on_a_home_screen(stage: Stage) -> None:
    page = await stage.page(settings={"theme": "light"}, color_scheme="dark")
    await page.goto(stage.server.url)
    browser = await page.context.new_cdp_session(page)
    found = await browser.send("Page.getAppManifest")
    assert found["errors"] == []
    manifest = json.loads(found["data"])
    assert manifest["display"] == "standalone"
    assert {"any", "maskable"} <= {icon["purpose"] for icon in manifest["icons"]}
    touch = await page.get_attribute('link[rel="apple-touch-icon"]', "href")
    wanted = {icon["src"]: icon["sizes"] for icon in manifest["icons"]} | {touch: "180x180"}
    assert set(wanted.values()) == {"any", "180x180", "192x192", "512x512"}
    drawn = await page.evaluate(DRAWN, [name for name, size in wanted.items() if size != "any"])
    for name, (width, height, corner, difference) in drawn.items():
        assert f"{width}x{height}" == wanted[name]
        # What has no purpose of its own is the picture itself; the others have no transparent corners.
        is_whole = name == touch or "maskable" in name
        assert corner == (255 if is_whole else 0), name
        assert is_whole or difference < 2, f"{name} is not drawn from icon.svg: python -m tools.icons"
    colours = page.locator('meta[name="theme-color"]')
    for colour in await colours.all():
        await expect(colour).to_have_attribute("content", "rgb(239, 230, 210)")
    await page.get_by_role("button", name="Play now").click()
    await expect(colours.first).to_have_attribute("content", "rgb(22, 69, 58)")
    await page.go_back()
    await expect(colours.first).to_have_attribute("content", "rgb(239, 230, 210)")


async def test_the_page_deals_again_and_says_that_the_deal_was_fair(stage: Stage) -> None:
    page = await stage.page(bypass_csp=True)
    table = stage.server.table(seats=BOTS, rules="standard goal=rounds:1")
    # Where the browser itself would not hash.
    await page.goto(table["seatLink"].replace("127.0.0.1", NAME))
    assert not await page.evaluate("isSecureContext")
    await page.get_by_role("button", name=re.compile("start", re.IGNORECASE)).click()
    player = Player(page)
    await player.asked()
    await page.reload()  # The commitment survives.
    await player.play_round()
    proof = player.sheet.locator("details")
    await expect(proof.locator("summary")).to_have_text("✓ The deal was fair")
    await proof.locator("summary").click()
    await expect(proof.get_by_text("Your own share is part of it")).to_be_visible()
    await expect(proof.get_by_text("Share of Ada, committed to and opened: proved")).to_be_visible()
    await expect(proof.get_by_text("nothing is proved to them")).to_be_visible()
    await check(page, "the proof")
    # In the replay there is only the record to go by.
    await page.get_by_role("link", name="Look at the game again").click()
    await expect(page.locator("details summary")).to_have_text("✓ The deal matches its commitment")


async def test_a_table_that_lies_about_the_deal_is_found_out(stage: Stage) -> None:
    def through(line: WebSocketRoute) -> None:
        server = line.connect_to_server()

        def hear(message: str | bytes) -> None:
            heard = json.loads(message)
            if heard["type"] == "event" and heard["event"]["type"] == "round_over":
                heard["event"]["proof"]["nonces"] = ["", "", "", ""]
            line.send(json.dumps(heard))

        server.on_message(hear)

    page = await stage.page()
    await page.route_web_socket(re.compile("/ws/"), through)
    table = stage.server.table(seats=BOTS)
    await page.goto(table["seatLink"])
    await page.get_by_role("button", name=re.compile("start", re.IGNORECASE)).click()
    player = Player(page)
    await player.play_round()
    proof = player.sheet.locator("details")
    await expect(proof.locator("summary")).to_have_text("✗ The deal does not match its commitment")
    await proof.locator("summary").click()
    await expect(proof.get_by_text("Your share in the shuffle was left out.")).to_be_visible()


async def test_who_was_not_heard_in_time_is_told_that_the_deal_is_not_proved(stage: Stage) -> None:
    def through(line: WebSocketRoute) -> None:
        server = line.connect_to_server()

        def say(message: str | bytes) -> None:
            if json.loads(message)["type"] != "TABLE.NONCE":
                server.send(message)

        line.on_message(say)

    page = await stage.page(bypass_csp=True)
    await page.route_web_socket(re.compile("/ws/"), through)
    table = stage.server.table(seats=BOTS)
    await page.goto(table["seatLink"])
    await page.get_by_role("button", name=re.compile("start", re.IGNORECASE)).click()
    player = Player(page)
    await player.play_round()
    proof = player.sheet.locator("details")
    await expect(proof.locator("summary")).to_have_text("! The deal is not proved to you")
    await proof.locator("summary").click()
    await expect(proof.get_by_text("Your share is not in this deal")).to_be_visible()
    await expect(proof.get_by_text("Ada committed to a share that is not in the deal: not proved")).to_be_visible()
    await check(page, "the proof that is none")


async def test_a_violation_of_the_policy_would_be_seen(stage: Stage) -> None:
    page = await stage.page()
    answer = await page.goto(stage.server.url)
    assert answer is not None
    policy = answer.headers["content-security-policy"]
    assert "default-src 'self'" in policy
    assert "unsafe" not in policy
    script = "document.body.append(Object.assign(document.createElement('script'), {text: 'window.bad = 1'}))"
    async with page.expect_console_message():
        await page.evaluate(script)
    assert await page.evaluate("window.bad") is None
    assert [trouble for trouble in stage.troubles if "Content Security Policy" in trouble]
    stage.troubles.clear()
