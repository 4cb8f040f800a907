"""Measure how fast the page is: from the start of the program to the first table, from a click to the card's moving.

    python -m tools.page_speed

The browser runs already; with --make the program is started by ``make play``, otherwise by ``tichu play``.
"""

import argparse
import asyncio
import os
import signal
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from playwright.async_api import Browser, async_playwright

from tests.web.player import Player
from tests.web.sample_round import BOTS, at_table
from tests.web.stage import Server, launch, missing, serving

_ROOT = Path(__file__).parents[1]
_TICHU = Path(sys.executable).with_name("tichu")
#: From the click, as the browser has stamped it, to the first frame in which the card lies elsewhere.
_WATCH = """card => {
    const node = document.querySelector(`.hand [data-card="${card}"]`);
    const box = () => { const {x, y} = node.getBoundingClientRect(); return `${x} ${y} ${node.isConnected}`; };
    window.moved = new Promise(resolve => addEventListener('click', click => {
        const before = box();
        const look = () => box() === before
            ? requestAnimationFrame(look)
            : resolve(performance.now() - click.timeStamp);
        requestAnimationFrame(look);
    }, {capture: true, once: true}));
}"""


async def first_table(browser: Browser, command: list[str]) -> float:
    """Seconds from the start of the program until your cards are on the screen."""
    page = await (await browser.new_context()).new_page()
    with tempfile.TemporaryDirectory(prefix="tichu-speed-") as folder:
        started = time.perf_counter()
        # The browser that the program would open is the one that waits here.
        wanted = {**os.environ, "TICHU_DATA": folder, "BROWSER": "true"}
        pipe = subprocess.PIPE
        process = subprocess.Popen(
            command, cwd=_ROOT, env=wanted, stdout=pipe, stderr=pipe, text=True, start_new_session=True
        )
        try:
            assert process.stdout is not None
            line = next((line for line in process.stdout if line.startswith("Your seat: ")), None)
            if line is None:
                sys.exit(f"{' '.join(command)} has not started:\n{process.communicate()[1]}")
            await page.goto(line.split()[2])
            await Player(page).hand.first.wait_for()
            return time.perf_counter() - started
        finally:
            if process.poll() is None:
                os.killpg(process.pid, signal.SIGTERM)
                process.communicate()
            await page.context.close()


async def click_to_card(browser: Browser, server: Server) -> float:
    """Milliseconds from the click on Play until the card moves."""
    page = await (await browser.new_context()).new_page()
    table = server.table(seats=BOTS, start=True, **at_table("0:As"))
    await page.goto(table["seatLink"])
    player = Player(page)
    await player.asked()
    await player.pick("As")
    await player.play.wait_for()
    await page.evaluate(_WATCH, "As")
    await player.push(player.play)
    took: float = await page.evaluate("moved")
    await page.context.close()
    return took


def spread(what: str, unit: str, values: list[float]) -> str:
    """The median and the spread."""
    low, *_, high = sorted(values)
    return f"{what}: {statistics.median(values):.3g} {unit} ({low:.3g} to {high:.3g}, {len(values)} times)\n"


async def measure(times: int, command: list[str]) -> None:
    """Both, this many times."""
    async with async_playwright() as playwright:
        browser = await launch(playwright)
        starts = [await first_table(browser, command) for _ in range(times)]
        sys.stdout.write(spread("first table on screen", "s", starts))
        with serving() as server:
            clicks = [await click_to_card(browser, server) for _ in range(times)]
        sys.stdout.write(spread("click to moving card", "ms", clicks))
        await browser.close()


def main() -> None:
    """Measure and report."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--times", type=int, default=7, choices=range(2, 101), metavar="N", help="2 to 100")
    parser.add_argument("--make", action="store_true", help="start with make play; everything must be installed")
    given = parser.parse_args()
    if reason := missing():
        parser.error(reason)
    command = ["make", "--silent", "play"] if given.make else [str(_TICHU), "play"]
    asyncio.run(measure(given.times, command))


if __name__ == "__main__":
    main()
