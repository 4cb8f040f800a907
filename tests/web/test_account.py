"""Accounts in a real browser: register, come back on a second device, with a passkey, and be forgotten."""

import re

from playwright.async_api import Page, expect

from tests.web.axe import check
from tests.web.conftest import Stage
from tests.web.sample_round import BOTS
from tests.web.stage import go_as_host

WORD = "correct horse battery"


async def register(page: Page, name: str) -> list[str]:
    """Fill in the form; the recovery codes."""
    form = page.locator("form").filter(has=page.get_by_role("heading", name="Create an account"))
    await form.get_by_label("Name").fill(name)
    await form.get_by_label("Password").fill(WORD)
    await page.keyboard.press("Enter")
    await page.get_by_role("heading", name="Write these recovery codes down").wait_for()
    codes = await page.locator(".codes code").all_inner_texts()
    await page.get_by_role("button", name="I have written them down").click()
    await expect(page.get_by_role("heading", level=1)).to_have_text(f"Your account: {name}")
    return codes


async def log_in(page: Page, name: str, password: str = WORD) -> None:
    form = page.locator("form").filter(has=page.get_by_role("heading", name="Log in"))
    await form.get_by_label("Name").fill(name)
    await form.get_by_label("Password").fill(password)
    await form.get_by_role("button", name="Log in", exact=True).click()


async def test_a_guest_registers_and_comes_back_on_a_second_device(stage: Stage) -> None:
    page = await stage.page(bypass_csp=True, is_refused=True)
    table = stage.server.table(seats=BOTS, name="Ours")
    await go_as_host(page, table)
    token = table["you"]["token"]
    # The script that made this browser the host's must not bring the ended token back.
    context = page.context
    await page.close()
    page = await context.new_page()
    await page.goto(f"{stage.server.url}account")
    await check(page, "the way to an account")
    await register(page, "Adalia")
    await check(page, "an account")
    assert await page.evaluate("localStorage.getItem('tichu.token')") != token
    await page.goto(stage.server.url)
    await expect(page.get_by_text("Ours")).to_be_visible()

    phone = await stage.page(is_refused=True, has_touch=True, viewport={"width": 360, "height": 640})
    await phone.goto(f"{stage.server.url}account")
    await log_in(phone, "adalia", "not the password")
    await expect(phone.get_by_text("The name and the password do not belong together.")).to_be_visible()
    await log_in(phone, "adalia")
    await expect(phone.get_by_role("heading", level=1)).to_have_text("Your account: Adalia")
    await phone.goto(table["link"])
    await expect(phone.get_by_role("button", name="Stand up")).to_be_visible()
    # The first device sees the second one, and sends it away.
    await page.goto(f"{stage.server.url}account")
    await page.get_by_role("button", name=re.compile("^End ")).first.click()
    await expect(page.get_by_role("button", name=re.compile("^End "))).to_have_count(0)
    await phone.goto(f"{stage.server.url}account")
    await phone.get_by_role("heading", name="Create an account").wait_for()


async def test_the_password_is_lost_and_the_account_deleted(stage: Stage) -> None:
    page = await stage.page(is_refused=True)
    await page.goto(f"{stage.server.url}account")
    codes = await register(page, "Berta")
    await page.get_by_role("button", name="Log out").click()
    await page.get_by_role("button", name="Password lost?").click()
    form = page.locator("form").filter(has=page.get_by_role("heading", name="Log in"))
    await form.get_by_label("Name").fill("Berta")
    await form.get_by_label("Recovery code").fill(codes[0])
    await form.get_by_label("New password").fill("another one entirely")
    await form.get_by_role("button", name="Set a new password").click()
    await expect(page.get_by_text("9 codes are left.")).to_be_visible()
    async with page.expect_download() as downloading:
        await page.get_by_role("button", name="Download everything about you").click()
    assert (await downloading.value).suggested_filename == "tichu.json"
    await page.get_by_role("button", name="Delete the account").click()
    dialog = page.get_by_role("dialog")
    await dialog.get_by_label("Password").fill("not the password")
    await page.keyboard.press("Enter")
    # The page behind a dialog is neither read nor seen.
    await expect(dialog.get_by_text("The name and the password do not belong together.")).to_be_visible()
    await dialog.get_by_label("Password").fill("another one entirely")
    await dialog.get_by_role("button", name="Delete for good").click()
    await page.get_by_role("heading", name="Create an account").wait_for()
    await log_in(page, "Berta", "another one entirely")
    await expect(page.get_by_text("The name and the password do not belong together.")).to_be_visible()


async def test_a_passkey_lets_somebody_in(stage: Stage) -> None:
    page = await stage.page(is_refused=True)
    devtools = await page.context.new_cdp_session(page)
    await devtools.send("WebAuthn.enable")
    options = {
        "protocol": "ctap2",
        "transport": "internal",
        "hasResidentKey": True,
        "hasUserVerification": True,
        "isUserVerified": True,
        "automaticPresenceSimulation": True,
    }
    await devtools.send("WebAuthn.addVirtualAuthenticator", {"options": options})
    # Passkeys need a name; this one is secure by itself.
    url = stage.server.url.replace("127.0.0.1", "localhost")
    await page.goto(f"{url}account")
    await register(page, "Cecily")
    await expect(page.get_by_text("None yet.")).to_be_visible()
    adding = page.locator("form").filter(has=page.get_by_role("button", name="Add a passkey"))
    await adding.get_by_label("Password").fill(WORD)
    await page.keyboard.press("Enter")
    remove = page.get_by_role("button", name=re.compile("^Remove "))
    await expect(remove).to_have_count(1)
    await page.get_by_role("button", name="Log out").click()
    await page.get_by_role("button", name="Log in with a passkey").click()
    await expect(page.get_by_role("heading", level=1)).to_have_text("Your account: Cecily")
    await remove.click()
    await expect(page.get_by_text("None yet.")).to_be_visible()
    await page.get_by_role("button", name="Log out").click()
    await page.get_by_role("button", name="Log in with a passkey").click()
    await expect(page.get_by_text("This passkey does not belong to anybody here.")).to_be_visible()
