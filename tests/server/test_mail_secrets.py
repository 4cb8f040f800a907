"""Addresses, codes and the password of the SMTP server are where they belong and nowhere else."""

import asyncio
import logging
from pathlib import Path
from typing import Any

import pytest

from tests.server.mail_server import Letters, code_in, mail_server
from tests.server.serving import Place
from tests.server.test_accounts import WORD, made
from tests.server.test_emails import ADA, NEW, come_back, confirm, mail_place, post
from tests.server.test_farewell import everything
from tests.server.test_tokens import bearer
from tichu.server.mail.letters import Letter

pytestmark = pytest.mark.anyio

SECRET = "the-password-of-smtp"
OTHER, WRONG = "other@example.net", "eve @example.org"


async def be_refused(place: Place, token: str, codes: list[str]) -> None:
    """Say what is refused, with secrets in it."""
    for path, body in (
        ("me/email", {"email": WRONG, "password": WORD}),
        ("me/email", {"email": OTHER, "password": "wrong"}),
        ("me/email", {"email": [OTHER], "password": WORD}),
        ("me/email", {"email": OTHER * 30, "password": WORD}),
        ("me/email/code", {"code": codes[0]}),
        ("me/email/code", {"code": codes[0] * 9}),
        ("login/recovery", {"name": "Bob", "code": codes[2], "password": NEW}),
        ("login/mail", {"name": ADA * 9}),
        ("login/mail", {"name": "Ada", "mail": ADA}),
    ):
        assert (await post(place, path, token, **body)).status_code >= 400


async def lose_mail(place: Place, letters: Letters, code: str) -> None:
    """The server of the operator takes some mails no more, and says so with all that it knows."""
    assert place.lobby.emails is not None
    lost = place.lobby.metrics.mails.labels("lost")
    for letters.answers in ({"RCPT": f"550 {ADA}"}, {"AUTH": f"535 {SECRET}"}, {"DATA": f"554 {code}"}):
        before = lost._value.get()
        place.lobby.emails._post.send(Letter("recover", ADA, "en", "Ada", code))
        async with asyncio.timeout(20):
            while lost._value.get() == before:
                await asyncio.sleep(0.01)


async def test_mail_leaves_no_secret_behind_anywhere(
    url: str, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    """Neither in a log, an error, a metric, an address that is asked for, nor, but for the address, in a store."""
    caplog.set_level(logging.DEBUG)
    heard: list[str] = []
    codes: list[str] = []

    async def hear(response: Any) -> None:
        await response.aread()
        heard.append(f"{response.request.url} {response.headers} {response.text}")

    async with mail_server() as letters, mail_place(url, letters, f"tichu:{SECRET}@") as place:
        place.http.event_hooks["response"].append(hear)
        ada = await made(place, "Ada")
        await confirm(place, letters, ada["token"], ADA)
        codes.append(code_in(letters.came[-1][2]))
        await post(place, "me/email", ada["token"], email=OTHER, password=WORD)
        codes.append(code_in(await letters.wait(2)))
        await post(place, "login/mail", name="Ada")
        codes.append(code_in(await letters.wait(3)))
        await be_refused(place, ada["token"], codes)
        back = await come_back(place, codes[2])
        assert back.status_code == 200
        await letters.wait(4)
        assert letters.logins == [("tichu", SECRET)] * 4
        await lose_mail(place, letters, codes[2])
        for path in ("me/account", "me", f"players/{ada['player']}", "tables"):
            await place.http.get(f"/api/{path}", headers=bearer(back.json()["token"]))
        heard += [place.lobby.metrics.text().decode(), repr(place.lobby.config)]
        stored = repr(await everything(place.lobby.store)).encode()
    assert "a mail was not sent" in caplog.text
    stored += b"".join(file.read_bytes() for file in tmp_path.rglob("*") if file.is_file())
    secrets = [SECRET, *codes, *(code.replace("-", "") for code in codes)]
    assert not [secret for secret in secrets if secret.encode() in stored]
    for secret in (*secrets, ADA, OTHER, WRONG):
        assert secret not in caplog.text
        for text in heard:
            assert secret not in text, text[:80]
