"""Look for long tasks of the page's main thread while cards are dealt and a bomb is thrown, on a slowed CPU.

    python -m tools.animation_trace

Each animation is traced several times (DevTools protocol: Tracing, Emulation.setCPUThrottlingRate).  Reported are the
longest task in the time from the message of the server to the end of the animation, in milliseconds of wall time and of
the thread's own time, and the most elements that one task had to style and to lay out, which a busy machine does not
change; each as the median of the traces.  And which properties moved.  With ``--limit`` the exit status is 1 if a
median is above it.
"""

import argparse
import asyncio
import json
import statistics
import sys
from collections.abc import Awaitable, Callable
from typing import Any, NamedTuple

from playwright.async_api import Browser, CDPSession, Page, async_playwright

from tests.web.player import Player
from tests.web.sample_round import BOTS
from tests.web.stage import Server, launch, missing, serving

_WAIT_MS = 30_000
_CATEGORIES = "toplevel,disabled-by-default-devtools.timeline,devtools.timeline,blink.user_timing"
#: Long enough for whatever moves: 14 cards one after another, or a burst.
_ANIMATION_MS = 1200
_MOVING = {"transform", "translate", "rotate", "scale", "opacity"}
#: How an animation says when, not what.
_TIMING = {"offset", "easing", "composite"}
_LAST = "Kg/4s4g9sTgJr/-/2r7sJb p0 - 50/15/10/5 - ---- 2 -/-/-/-"
_BOMB = "3s3r5b6b7b8b9bKg/4s4g9sTgJr/6s8gQsQrAg/2r7sJb p2 3:Dr 0/15/10/5 - ---T - -/-/-/-"
#: Marks the first message of the server that does it, before the page has looked at it, and notes what moves afterwards
#: when it begins to: looking every frame would be a task of its own.
_MARK = """word => {
    const Real = WebSocket;
    window.moved = new Set();
    const note = keyframes => {
        if (!window.watching) return;
        for (const frame of Array.isArray(keyframes) ? keyframes : [keyframes])
            Object.keys(frame ?? {}).forEach(key => moved.add(key));
    };
    const animate = Element.prototype.animate;
    Element.prototype.animate = function (keyframes, ...rest) {
        note(keyframes);
        return animate.call(this, keyframes, ...rest);
    };
    addEventListener('transitionrun', event => note({[event.propertyName]: 1}), true);
    window.started = new Set();
    // What began before may still move.
    const running = new Set();
    addEventListener('animationstart', event => {
        (window.watching ? started : running).add(event.animationName);
    }, true);
    for (const over of ['animationend', 'animationcancel'])
        addEventListener(over, event => running.delete(event.animationName), true);
    let end;
    window.over = new Promise(resolve => (end = resolve));
    window.WebSocket = class extends Real {
        constructor(...all) {
            super(...all);
            this.addEventListener('message', event => {
                if (window.watching || !event.data.includes(word)) return;
                window.watching = true;
                performance.mark('animation');
                running.forEach(name => started.add(name));
                setTimeout(() => { window.watching = false; end(); }, LENGTH);
            });
        }
    };
}""".replace("LENGTH", str(_ANIMATION_MS))


#: The properties that moved: those noted, and those of the style sheets' animations.
_MOVED = """() => {
    const rules = [...document.styleSheets].flatMap(sheet => [...sheet.cssRules]);
    for (const rule of rules)
        if (rule instanceof CSSKeyframesRule && started.has(rule.name))
            for (const frame of rule.cssRules) [...frame.style].forEach(key => moved.add(key));
    return [...moved];
}"""


class Trace(NamedTuple):
    """What one trace tells."""

    wall_ms: float
    own_ms: float
    styled: float
    laid_out: float
    properties: frozenset[str]


async def deal(page: Page, server: Server) -> None:
    """Play the last card of a round and go on to the next one."""
    table = server.table(seats=BOTS, start=True, position=_LAST, pace=1)
    await page.goto(table["seatLink"])
    player = Player(page)
    await player.asked()
    await player.pick("Kg")
    await player.push(player.play)
    await player.push(page.get_by_role("button", name="Next round"))


async def bomb(page: Page, server: Server) -> None:
    """Throw a straight flush on the Dragon."""
    table = server.table(seats=BOTS, start=True, position=_BOMB, pace=3)
    await page.goto(table["seatLink"])
    player = Player(page)
    await player.push(page.get_by_role("button", name="Bomb", exact=True))
    await player.push(page.get_by_role("button", name="Throw bomb"))


#: What leads to each animation, and the word in the server's message that begins it.
ANIMATIONS: dict[str, tuple[Callable[[Page, Server], Awaitable[None]], str]] = {
    "deal": (deal, '"type":"dealt"'),
    "bomb": (bomb, '"isBomb":true,"text":"5b6b7b8b9b"}}'),
}


async def trace(browser: Browser, server: Server, name: str, slow: float) -> Trace:
    """Trace one animation on a new page."""
    context = await browser.new_context(viewport={"width": 1280, "height": 800}, locale="en-US")
    context.set_default_timeout(_WAIT_MS)
    kept = json.dumps({"name": "Ada", "speed": "normal", "sound": False, "gestures": True})
    await context.add_init_script(f"localStorage['tichu.settings'] ??= {json.dumps(kept)}")
    act, word = ANIMATIONS[name]
    await context.add_init_script(f"({_MARK})({json.dumps(word)})")
    page = await context.new_page()
    devtools = await context.new_cdp_session(page)
    await devtools.send("Emulation.setCPUThrottlingRate", {"rate": slow})
    events: list[dict[str, Any]] = []
    devtools.on("Tracing.dataCollected", lambda message: events.extend(message["value"]))
    await devtools.send("Tracing.start", {"transferMode": "ReportEvents", "categories": _CATEGORIES})
    await act(page, server)
    await asyncio.wait_for(page.evaluate("over"), _WAIT_MS / 1000)
    await _stop(devtools)
    properties = frozenset(await page.evaluate(_MOVED)) - _TIMING
    await context.close()
    return Trace(*_longest(events), properties)


async def _stop(devtools: CDPSession) -> None:
    is_complete = asyncio.get_running_loop().create_future()
    devtools.once("Tracing.tracingComplete", lambda _: is_complete.set_result(None))
    await devtools.send("Tracing.end")
    await is_complete


def _longest(events: list[dict[str, Any]]) -> tuple[float, float, float, float]:
    """Of the tasks between the mark and the end of the animation the most wall time, own time, styles and boxes."""
    marks = [one for one in events if one["name"] == "animation" and "blink.user_timing" in one["cat"]]
    if not marks:
        sys.exit("the animation has not begun: the server's message was not seen")
    mark = marks[0]
    begin, end = mark["ts"], mark["ts"] + _ANIMATION_MS * 1000
    # The page itself: the same process and thread as the mark.
    own = [one for one in events if (one["pid"], one["tid"]) == (mark["pid"], mark["tid"])]
    tasks = [
        one
        for one in own
        if one["name"] in ("RunTask", "ThreadControllerImpl::RunTask")
        and one["ts"] + one.get("dur", 0) > begin
        and one["ts"] < end
    ]

    def most(name: str, count: Callable[[dict[str, Any]], int]) -> float:
        parts = [(one["ts"], count(one["args"])) for one in own if one["name"] == name]
        return max(sum(n for at, n in parts if 0 <= at - task["ts"] < task.get("dur", 0)) for task in tasks)

    return (
        max(one.get("dur", 0) for one in tasks) / 1000,
        max(one.get("tdur", 0) for one in tasks) / 1000,
        most("UpdateLayoutTree", lambda found: found.get("elementCount", 0)),
        most("Layout", lambda found: found.get("beginData", {}).get("dirtyObjects", 0)),
    )


async def measure(names: list[str], times: int, slow: float) -> dict[str, list[Trace]]:
    """All animations, this many times."""
    async with async_playwright() as playwright:
        browser = await launch(playwright)
        with serving() as server:
            found = {name: [await trace(browser, server, name, slow) for _ in range(times)] for name in names}
        await browser.close()
    return found


def main() -> None:
    """Trace and report."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("names", nargs="*", default=list(ANIMATIONS), metavar="ANIMATION", help=", ".join(ANIMATIONS))
    parser.add_argument("--times", type=int, default=5, choices=range(1, 101), metavar="N", help="traces of each")
    parser.add_argument("--slow", type=float, default=4, help="how many times slower the CPU is")
    parser.add_argument("--limit", type=float, help="milliseconds that no median may exceed")
    given = parser.parse_args()
    if unknown := set(given.names) - set(ANIMATIONS):
        parser.error(f"no animation {', '.join(sorted(unknown))}; there are {', '.join(ANIMATIONS)}")
    if reason := missing():
        parser.error(reason)
    is_too_long = False
    for name, traces in asyncio.run(measure(given.names, given.times, given.slow)).items():
        wall, own, styled, laid = (
            statistics.median(values) for values in zip(*(one[:4] for one in traces), strict=True)
        )
        moved = frozenset().union(*(one.properties for one in traces))
        low, high = min(one.wall_ms for one in traces), max(one.wall_ms for one in traces)
        sys.stdout.write(
            f"{name}: longest task {wall:.1f} ms ({low:.1f} to {high:.1f}, {len(traces)} times), "
            f"{own:.1f} ms of its own; {styled:.0f} elements styled and {laid:.0f} laid out in one task; "
            f"moves {', '.join(sorted(moved)) or 'nothing'}\n"
        )
        if moved - _MOVING:
            sys.stdout.write(f"{name}: not only transforms and opacity\n")
        is_too_long |= (given.limit is not None and wall > given.limit) or bool(moved - _MOVING)
    if given.limit is not None and is_too_long:
        sys.exit(1)


if __name__ == "__main__":
    main()
