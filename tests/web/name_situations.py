"""Names as long as a table allows, and without a blank, wherever they are shown."""

from collections.abc import AsyncIterator
from typing import Any, Final, NamedTuple

from tests.web.positions import GIFT, GIVEN, LAST_CARD, LEADING, OWED, WAITING
from tests.web.sample_round import at_table, owing
from tests.web.visitor import Situation, Visitor

__all__ = ["named"]

#: The widest letter, and one that tells them apart.
_NAMES: Final = tuple("W" * 23 + letter for letter in "ABCD")
_TABLE: Final = "W" * 40


class _Table(NamedTuple):
    """Where it is, and how the server knows those who sit there."""

    path: str
    tokens: tuple[str, ...]


async def _sit(visitor: Visitor, *, starts: bool = True, **settings: Any) -> _Table:
    """Open a table with four people, of whom only the first is there."""
    server = visitor.server
    table = server.table(_NAMES[0], ("you", None, None, None), name=_TABLE, private=False, **settings)
    commands = f"tables/{table['table']['id']}/commands"
    tokens = (table["you"]["token"], *(server.ask("players", {"name": name})["token"] for name in _NAMES[1:]))
    for seat in (1, 2, 3):
        server.ask(commands, {"type": "TABLE.SIT", "id": "sit", "seat": seat}, tokens[seat])
    if starts:
        server.ask(commands, {"type": "TABLE.START", "id": "start"}, tokens[0])
    path = f"t/{table['table']['id']}"
    await visitor.open_as(tokens[0], path)
    return _Table(path, tokens)


async def _be_asked(visitor: Visitor, table: _Table) -> None:
    """Two would like the seat of whoever looks."""
    for seat in (1, 2):
        swap = {"type": "TABLE.SWAP", "id": "swap", "first": seat, "second": 0}
        visitor.server.ask(f"tables/{table.path[2:]}/commands", swap, table.tokens[seat])
    await visitor.button("exchange", "lobby").nth(1).wait_for()


async def named(visitor: Visitor) -> AsyncIterator[Situation]:
    """The table, its questions and sheets, a spectator's place, the lobby, the start page and the replay."""
    page = visitor.page
    pass_, close = visitor.word("play.pass"), visitor.word("dialog.close")
    await _sit(visitor, deal=LEADING)
    await visitor.button("grand.no").wait_for()
    yield Situation("names and grand", (visitor.word("grand.no"),), 8)
    await _sit(visitor, deal=LEADING, actions=GIVEN[:4])
    await visitor.hold(14)
    yield Situation("names and exchange", (), 14)
    await _sit(visitor, deal=LEADING, actions=GIVEN)
    await visitor.button("exchange.ok").wait_for()
    yield Situation("names and received", (visitor.word("exchange.ok"), ".play"), 14)
    await _sit(visitor, **at_table("0:As"))
    await page.locator(".pass:enabled:not([aria-disabled=true])").wait_for()
    yield Situation("names in a trick", (pass_, ".play"), 14)
    await visitor.button("menu.last").click()
    yield Situation("names in the last trick", (close,))
    await visitor.button("dialog.close").click()
    await visitor.open_chat()
    yield Situation("names in the chat", (close,))
    await _sit(visitor, position=OWED)
    await page.locator(".wish").wait_for()
    yield Situation("names and a wish", (".play",), 5)
    await _sit(visitor, **owing())
    await page.locator(".wish").wait_for()
    yield Situation("names, a wish and a bomb", (".play", ".bomb", visitor.word("tichu.call")), 14)
    await _sit(visitor, position=WAITING)
    await page.locator(".assist").wait_for()
    yield Situation("names while others play", (".assist",), 5)
    await _sit(visitor, position=GIFT)
    await page.locator("dialog .recipients").wait_for()
    yield Situation("names and a gift", (".button",))
    await _sit(visitor, position=LAST_CARD)
    await visitor.card("8b").click()
    await page.locator(".play.main:not([aria-disabled=true])").click()
    await page.locator("dialog table").wait_for()
    yield Situation("names at the end of a round", (visitor.word("round.next"),))
    async for situation in _elsewhere(visitor):
        yield situation


async def _elsewhere(visitor: Visitor) -> AsyncIterator[Situation]:
    """What is not one's own game."""
    page = visitor.page
    path = (await _sit(visitor, **at_table("0:As"))).path
    await visitor.open_as("", path)
    await page.locator("[data-place]").nth(3).wait_for()
    yield Situation("names for a spectator")
    table = await _sit(visitor, starts=False)
    await page.locator(".seat").nth(3).wait_for()
    yield Situation("names in the lobby")
    await _be_asked(visitor, table)
    yield Situation("names of who would like to swap")
    await page.locator(".seat .quiet").first.click()
    await page.locator("dialog .actions").wait_for()
    yield Situation("names in a question", (visitor.word("dialog.cancel"),))
    await page.goto(visitor.server.url)
    await page.locator(f"a[href$='{table.path}']").first.wait_for()
    yield Situation("names on the start page")
    await visitor.open_as(table.tokens[1], "me")
    await page.locator("a[href*='player/']").first.wait_for()
    yield Situation("a name over its results")
    table = await _sit(visitor, rules="standard goal=rounds:1", **at_table("0:8b"))
    await visitor.card("8b").click()
    await page.locator(".play.main:not([aria-disabled=true])").click()
    await visitor.button("match.replay").wait_for()
    needed = (visitor.word("match.replay"), visitor.word("match.home"))
    yield Situation("names at the end of a match", needed)
    await _be_asked(visitor, table)
    yield Situation("names of who would like to swap after a match", needed)
    await visitor.button("match.replay").click()
    await page.wait_for_url("**/game/**")
    address = page.url.partition("?")[0]
    for step in (2, 38):
        await page.goto(f"{address}?round=1&step={step}")
        await page.locator("svg.card").first.wait_for()
        yield Situation(f"names in the replay at {step}", (visitor.word("on", "replay"),))
