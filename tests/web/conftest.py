"""A server and a browser for each worker, and pages that must not complain."""

import asyncio
import inspect
import json
from collections.abc import Iterator
from typing import Any, Final

import pytest
from playwright.async_api import Browser, BrowserContext, ConsoleMessage, Page, async_playwright, expect

from tests.conftest import CI
from tests.web.sent_secrets import SentSecrets
from tests.web.stage import Server, launch, missing, serving

#: Not a speed limit: it ends a test that waits for something that never comes.  A long story has its own.
_TEST_TIMEOUT_S: Final = 120
_WAIT_MS: Final = 20_000
#: What a browser says when a connection is lost, or is given up before it is there.
_LOST: Final = ("net::ERR_", "closed before the connection is established")
# What is expected may wait for bots on a busy machine.
expect.set_options(timeout=_WAIT_MS)


def skip_if(reason: str | None) -> None:
    """Skip what lacks something on this machine; in CI nothing may be lacking."""
    if reason is not None:
        (pytest.fail if CI else pytest.skip)(reason)


class Loop:
    """The event loop of the browser.  It rests between tests, so that other tests can have their own."""

    def __init__(self) -> None:
        self._runner = asyncio.Runner()
        self.run = self._runner.run
        self.close = self._runner.close


@pytest.fixture(scope="session")
def loop() -> Iterator[Loop]:
    loop = Loop()
    yield loop
    loop.close()


@pytest.fixture(scope="session")
def server() -> Iterator[Server]:
    skip_if(missing())
    with serving() as server:
        yield server


@pytest.fixture(scope="session")
def browser(loop: Loop, server: Server) -> Iterator[Browser]:
    starting = async_playwright()
    playwright = loop.run(starting.start())
    browser = loop.run(launch(playwright))
    yield browser
    loop.run(browser.close())
    loop.run(playwright.stop())


class Stage:
    """Opens pages, and remembers what they complain about."""

    def __init__(self, loop: Loop, browser: Browser, server: Server) -> None:
        self.loop = loop
        self.browser = browser
        self.server = server
        self.troubles: list[str] = []
        self.sent = SentSecrets()
        self._contexts: list[BrowserContext] = []

    async def page(
        self,
        *,
        loses_connection: bool = False,
        is_refused: bool = False,
        settings: dict[str, Any] | None = None,
        **options: Any,
    ) -> Page:
        """A page of a new player; cards do not fly unless the settings say so."""
        context = await self.browser.new_context(**{"locale": "en-US", **options})
        context.set_default_timeout(_WAIT_MS)
        self._contexts.append(context)
        kept = json.dumps({"speed": "none", **(settings or {})})
        await context.add_init_script(f"localStorage['tichu.settings'] ??= {json.dumps(kept)}")
        page = await context.new_page()

        def hear(message: ConsoleMessage) -> None:
            is_known = (loses_connection and any(lost in message.text for lost in _LOST)) or (
                is_refused and "status of 40" in message.text
            )
            if message.type in ("error", "warning") and not is_known:
                self.troubles.append(f"console {message.type}: {message.text} ({message.location.get('url')})")

        page.on("console", hear)
        self.sent.listen(page)
        page.on("pageerror", lambda error: self.troubles.append(f"page error: {error.stack}"))
        return page

    async def close(self) -> None:
        """Close what was opened."""
        for context in self._contexts:
            await context.close()


@pytest.fixture
def stage(loop: Loop, browser: Browser, server: Server) -> Iterator[Stage]:
    stage = Stage(loop, browser, server)
    yield stage
    loop.run(stage.close())
    assert not stage.troubles, "\n".join(stage.troubles)
    assert stage.sent.leaks() == []


@pytest.hookimpl(tryfirst=True)
def pytest_pyfunc_call(pyfuncitem: pytest.Function) -> bool | None:
    """Run coroutines on the browser's loop."""
    if not inspect.iscoroutinefunction(pyfuncitem.obj):
        return None
    names = inspect.signature(pyfuncitem.obj).parameters
    arguments = {name: pyfuncitem.funcargs[name] for name in names}
    stage = pyfuncitem.funcargs["stage"]
    assert isinstance(stage, Stage)
    limit_s = getattr(pyfuncitem.module, "TIMEOUT_S", _TEST_TIMEOUT_S)
    stage.loop.run(asyncio.wait_for(pyfuncitem.obj(**arguments), limit_s))
    return True
