"""An address for lost passwords in a real browser, with a real SMTP server behind it."""

import re
import socket
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import pytest
from playwright.async_api import Page, expect

from tests.server.mail_server import Letters, code_in, mail_server
from tests.web.axe import check
from tests.web.conftest import Stage
from tests.web.stage import Server, serving
from tests.web.test_account import WORD, log_in, register

SIZES = ((320, 320), (320, 568), (375, 667), (844, 390), (1280, 800))


def free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as place:
        return int(place.getsockname()[1])


@asynccontextmanager
async def mailing() -> AsyncIterator[tuple[Server, Letters]]:
    """A server that sends mail, and what it has sent."""
    port = free_port()
    async with mail_server() as letters:
        options = ["--port", str(port), "--public-url", f"http://127.0.0.1:{port}/"]
        options += ["--smtp", f"smtp://127.0.0.1:{letters.port}", "--mail-from", "tichu@example.org"]
        with serving(*options) as server:
            yield server, letters


async def fits(page: Page) -> None:
    """Nothing of the page is wider than the screen, whatever its size."""
    for width, height in SIZES:
        await page.set_viewport_size({"width": width, "height": height})
        assert await page.evaluate("document.documentElement.scrollWidth") <= width, (width, height)
    await page.set_viewport_size({"width": 1280, "height": 800})


async def test_an_address_is_confirmed_and_brings_back_who_has_lost_the_password(stage: Stage) -> None:
    async with mailing() as (server, letters):
        page = await stage.page(bypass_csp=True, is_refused=True)
        await page.goto(f"{server.url}account")
        await register(page, "Adalia")
        part = page.locator("section").filter(has=page.get_by_role("heading", name="E-mail address"))
        await part.get_by_label("Your e-mail address").fill("ada@example.org")
        await part.get_by_label("Password").fill(WORD)
        await page.keyboard.press("Enter")
        await expect(part.get_by_text("A code is on its way to a…@example.org.")).to_be_visible()
        # Whoever uses the keyboard goes on where the code is asked for.
        await expect(part.get_by_label("Code from the mail")).to_be_focused()
        await check(page, "a code that is asked for")
        await fits(page)
        await is_refused_in_sight(page)
        await part.get_by_label("Code from the mail").fill(code_in(await letters.wait(1)))
        await page.keyboard.press("Enter")
        await expect(part.get_by_text("Confirmed: a…@example.org")).to_be_visible()
        await expect(part.get_by_role("button", name="Change the address")).to_be_focused()
        await fits(page)

        await page.get_by_role("button", name="Log out").click()
        await page.get_by_role("button", name="Password lost?").click()
        form = page.locator("form").filter(has=page.get_by_role("heading", name="Log in"))
        await form.get_by_label("Name").fill("adalia")
        await form.get_by_role("button", name="Send a code by e-mail").click()
        await expect(form.get_by_text("If this account has a confirmed e-mail address")).to_be_visible()
        await check(page, "a lost password")
        await fits(page)
        await form.get_by_label("Recovery code, or code from the mail").fill(code_in(await letters.wait(2)))
        await form.get_by_label("New password").fill("another one entirely")
        await form.get_by_role("button", name="Set a new password").click()
        await expect(page.get_by_role("heading", level=1)).to_have_text("Your account: Adalia")

        await part.get_by_role("button", name="Remove the address").click()
        await expect(part.get_by_label("Password")).to_be_focused()
        await page.keyboard.type("another one entirely")
        await page.keyboard.press("Enter")
        await expect(part.get_by_label("Your e-mail address")).to_be_visible()
        await letters.wait(4)


async def is_refused_in_sight(page: Page) -> None:
    """The form is far below the top of a phone's page, and a refusal is seen there."""
    await page.set_viewport_size({"width": 375, "height": 667})
    await page.keyboard.type("not the code")
    await page.keyboard.press("Enter")
    refusal = page.get_by_text("This is not the code from the mail, or it is no longer good.")
    await expect(refusal).to_be_in_viewport(ratio=1)
    await expect(page.get_by_label("Code from the mail")).to_be_in_viewport()
    await page.set_viewport_size({"width": 1280, "height": 800})


@pytest.mark.parametrize("locale", ["de-DE", "ko-KR"])
async def test_the_mail_is_written_in_the_language_of_the_page(stage: Stage, locale: str) -> None:
    async with mailing() as (server, letters):
        page = await stage.page(is_refused=True, locale=locale)
        await page.goto(f"{server.url}account")
        new = page.locator("form").first
        await new.get_by_role("textbox").first.fill("Berta")
        await new.locator("input[type=password]").fill(WORD)
        await page.keyboard.press("Enter")
        await page.locator(".codes").wait_for()
        await page.locator("main button.main, .panel button.main").first.click()
        await page.locator("input[type=email]").fill("berta@example.org")
        await page.locator("section:has(input[type=email]) input[type=password]").fill(WORD)
        await page.keyboard.press("Enter")
        message = await letters.wait(1)
        assert message["content-language"] == locale[:2]
        await expect(page.get_by_text("b…@example.org")).to_be_visible()
        await fits(page)


async def test_a_server_without_smtp_offers_nothing_of_it(stage: Stage) -> None:
    page = await stage.page(is_refused=True)
    await page.goto(f"{stage.server.url}account")
    await page.get_by_role("button", name="Password lost?").click()
    await expect(page.get_by_label("Recovery code", exact=True)).to_be_visible()
    await page.wait_for_timeout(500)
    await expect(page.get_by_role("button", name=re.compile("mail"))).to_have_count(0)
    await page.get_by_role("button", name="Cancel").click()
    await register(page, "Dorothy")
    await expect(page.get_by_role("heading", name="E-mail address")).to_have_count(0)
    await page.get_by_role("button", name="Log out").click()
    await log_in(page, "Dorothy")
    await expect(page.get_by_role("heading", level=1)).to_have_text("Your account: Dorothy")
