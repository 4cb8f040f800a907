"""An address for lost passwords: it is confirmed, changed and removed, and opens the account once for each mail."""

import secrets
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import httpx
import pytest

from tests.server.mail_server import Letters, code_in, mail_server
from tests.server.serving import FREE, Place, served
from tests.server.test_accounts import OFTEN, WORD, made
from tests.server.test_farewell import everything
from tests.server.test_tokens import bearer
from tichu.server.config import Limits
from tichu.server.mail.letters import LETTERS
from tichu.server.store import Store
from tichu.server.store.mail_codes import count_mail

pytestmark = pytest.mark.anyio

SITE = "https://tichu.example"
SENDER = "tichu@tichu.example"
ADA = "ada@example.org"
NEW = "brand new word"


@asynccontextmanager
async def mail_place(url: str, letters: Letters, login: str = "", **limits: Any) -> AsyncIterator[Place]:
    """A server that sends mail."""
    known = {name: getattr(FREE, name) for name in FREE.__dataclass_fields__}
    options = {"public_url": SITE, "smtp": f"smtp://{login}127.0.0.1:{letters.port}", "mail_from": SENDER}
    often = {**OFTEN, "address_mails": 1000, "confirmations": 1000}
    async with served(database=url, limits=Limits(**{**known, **often, **limits}), **options) as place:
        yield place


async def post(place: Place, path: str, token: str | None = None, **body: Any) -> httpx.Response:
    return await place.http.post(f"/api/{path}", json=body, headers={} if token is None else bearer(token))


async def addresses(place: Place, token: str) -> tuple[str, str]:
    """As their owner is told."""
    info = (await place.http.get("/api/me/account", headers=bearer(token))).json()["email"]
    return info["address"], info["pending"]


async def confirmed(place: Place, letters: Letters, name: str = "Ada", address: str = ADA) -> dict[str, Any]:
    """An account with an address."""
    account = await made(place, name)
    await confirm(place, letters, account["token"], address)
    return account


async def confirm(place: Place, letters: Letters, token: str, address: str, word: str = WORD) -> None:
    before = len(letters.came)
    asked = await post(place, "me/email", token, email=address, password=word)
    assert asked.status_code == 200, asked.text
    code = code_in(await letters.wait(before + 1))
    entered = await post(place, "me/email/code", token, code=code)
    assert entered.status_code == 200, entered.text
    assert entered.json() == {"address": f"{address[0]}…@{address.split('@')[1]}", "pending": ""}


async def lose(place: Place, letters: Letters, name: str = "Ada") -> str:
    """Ask for a mail; the code."""
    before = len(letters.came)
    asked = await post(place, "login/mail", name=name)
    assert (asked.status_code, asked.json()) == (200, {"minutes": 60})
    return code_in(await letters.wait(before + 1))


async def come_back(place: Place, code: str, name: str = "Ada", password: str = NEW) -> httpx.Response:
    return await post(place, "login/recovery", name=name, code=code, password=password)


async def test_an_address_counts_when_the_code_is_entered_and_opens_the_account(url: str) -> None:
    async with mail_server() as letters, mail_place(url, letters) as place:
        ada = await made(place, "Ada")
        assert (await place.http.get("/api/login")).json() == {"mail": True}
        assert await addresses(place, ada["token"]) == ("", "")
        asked = await post(place, "me/email", ada["token"], email=ADA, password=WORD)
        assert asked.json() == {"address": "", "pending": "a…@example.org"}
        message = await letters.wait(1)
        assert letters.came[0][:2] == (SENDER, (ADA,))
        assert (message["to"], message["from"]) == (ADA, f"Tichu <{SENDER}>")
        assert SITE in message.get_content()
        # Who is written to has not said yet that they want to be.
        assert "Ada" not in message.get_content()
        entered = await post(place, "me/email/code", ada["token"], code=code_in(message).upper())
        assert entered.json() == {"address": "a…@example.org", "pending": ""}
        code = await lose(place, letters, "ADA")
        assert "Ada" in letters.came[1][2].get_content()
        back = await come_back(place, code)
        assert (back.status_code, back.json()["player"]) == (200, ada["player"])
        assert (await place.http.get("/api/me", headers=bearer(ada["token"]))).status_code == 401
        notice = await letters.wait(3)
        assert notice["subject"] == LETTERS["en"]["recovered"][0]
        assert await addresses(place, back.json()["token"]) == ("a…@example.org", "")
        again = await come_back(place, code)
        assert (again.status_code, again.json()["error"]) == (403, "wrong_code")


async def test_an_address_is_changed_and_removed_and_the_former_one_hears_of_it(url: str) -> None:
    async with mail_server() as letters, mail_place(url, letters) as place:
        ada = await confirmed(place, letters)
        await confirm(place, letters, ada["token"], "other@example.org")
        changed = await letters.wait(3)
        assert (changed["to"], changed["subject"]) == (ADA, LETTERS["en"]["changed"][0])
        wrong = await post(place, "me/email/removal", ada["token"], password="not the word")
        assert (wrong.status_code, wrong.json()["error"]) == (403, "wrong_login")
        removed = await post(place, "me/email/removal", ada["token"], password=WORD, language="de")
        assert removed.json() == {"address": "", "pending": ""}
        message = await letters.wait(4)
        assert (message["to"], message["subject"]) == ("other@example.org", LETTERS["de"]["removed"][0])
        # To confirm what is confirmed, or to remove what is not there, is no news.
        await post(place, "me/email/removal", ada["token"], password=WORD)
        assert len(letters.came) == 4


async def test_whoever_does_what_the_letter_says_is_rid_of_the_other_address(url: str) -> None:
    async with mail_server() as letters, mail_place(url, letters) as place:
        ada = await confirmed(place, letters)
        await confirm(place, letters, ada["token"], "thief@example.org")
        assert "add your own address again" in (await letters.wait(3)).get_content()
        changed = await post(place, "me/password", ada["token"], password=WORD, newPassword=NEW)
        assert changed.status_code == 200
        code = await lose(place, letters)
        assert len(letters.of("thief@example.org")) == 2
        await confirm(place, letters, ada["token"], ADA, NEW)
        assert (await come_back(place, code)).status_code == 403
        await letters.wait(6)
        assert (await come_back(place, await lose(place, letters), password=WORD)).status_code == 200
        assert len(letters.of("thief@example.org")) == 3, "the last one says that the address was changed"


async def test_a_recovery_code_counts_for_more_than_the_mailbox(url: str) -> None:
    async with mail_server() as letters, mail_place(url, letters) as place:
        ada = await confirmed(place, letters)
        code = await lose(place, letters)
        back = await come_back(place, ada["codes"][0])
        assert back.status_code == 200
        message = await letters.wait(3)
        assert (message["to"], message["subject"]) == (ADA, LETTERS["en"]["recovered_by_code"][0])
        assert await addresses(place, back.json()["token"]) == ("", "")
        assert (await come_back(place, code)).status_code == 403
        # Recovery codes outlive the mailbox.
        assert (await come_back(place, ada["codes"][1], password=WORD)).status_code == 200


@pytest.mark.parametrize("language", ["en", "de", "ko"])
async def test_every_letter_is_written_in_every_language(language: Any) -> None:
    async with mail_server() as letters, mail_place(":memory:", letters) as place:
        ada = await made(place, "손님 Ädä")
        await post(place, "me/email", ada["token"], email=ADA, password=WORD, language=language)
        code = code_in(await letters.wait(1))
        assert (await post(place, "me/email/code", ada["token"], code=code)).status_code == 200
        await post(place, "login/mail", name="손님 Ädä", language=language)
        message = await letters.wait(2)
        assert (message["subject"], message["content-language"]) == (LETTERS[language]["recover"][0], language)
        assert "손님 Ädä" in message.get_content()
        back = await come_back(place, code_in(message), "손님 Ädä")
        assert back.status_code == 200
        assert all(line.isascii() and len(line) < 100 for raw in letters.raw for line in raw.split(b"\r\n"))


def test_all_languages_have_all_letters() -> None:
    for language in LETTERS.values():
        assert language.keys() == LETTERS["en"].keys()
        for kind, (subject, text) in language.items():
            assert "{" not in subject
            assert ("{code}" in text) == (kind in ("confirm", "recover"))
            assert ("{name}" in text) == (kind != "confirm")
            assert "{site}" in text


async def test_without_smtp_there_is_no_mail(url: str) -> None:
    async with served(database=url) as place:
        ada = await made(place, "Ada")
        assert (await place.http.get("/api/login")).json() == {"mail": False}
        assert (await place.http.get("/api/me/account", headers=bearer(ada["token"]))).json()["email"] is None
        for path, body in (
            ("login/mail", {"name": "Ada"}),
            ("me/email", {"email": ADA, "password": WORD}),
            ("me/email/code", {"code": "abcd"}),
            ("me/email/removal", {"password": WORD}),
        ):
            answer = await post(place, path, ada["token"], **body)
            assert (answer.status_code, answer.json()["error"]) == (404, "not_here"), path


async def test_guests_have_no_address() -> None:
    async with mail_server() as letters, mail_place(":memory:", letters) as place:
        token = (await place.player("Guest of ours"))["token"]
        for path, body in (
            ("me/email", {"email": ADA, "password": WORD}),
            ("me/email/code", {"code": "abcd"}),
            ("me/email/removal", {"password": WORD}),
        ):
            answer = await post(place, path, token, **body)
            assert (answer.status_code, answer.json()["error"]) == (403, "no_account"), path
        assert letters.came == []


async def test_the_address_is_in_the_export_and_goes_with_the_account(url: str) -> None:
    async with mail_server() as letters, mail_place(url, letters) as place:
        ada = await confirmed(place, letters)
        await post(place, "me/email", ada["token"], email="next@example.org", password=WORD)
        await letters.wait(2)
        facts = (await place.http.get("/api/me/export", headers=bearer(ada["token"]))).json()["facts"]
        assert facts["account"][0]["email"] == ADA
        assert [(one["purpose"], one["address"]) for one in facts["mail_codes"]] == [("confirm", "next@example.org")]
        assert (await post(place, "me/farewell", ada["token"], password=WORD)).status_code == 200
        left = repr(await everything(place.lobby.store))
        assert ADA not in left
        assert "next@example.org" not in left


async def test_a_date_that_was_wrong_leaves_nobody_without_mail(store: Store) -> None:
    for now, is_sent in ((2e9, True), (2e9, False), (1e9, True), (1e9 + 3600, False), (1e9 + 3601, True)):
        assert await store.write(count_mail, "recover ada", now, 1) == is_sent


async def test_nothing_of_whoever_has_gone_is_left_in_the_file(tmp_path: Path) -> None:
    async with mail_server() as letters, mail_place(f"sqlite:{tmp_path / 'tichu.db'}", letters) as place:
        ada = await confirmed(place, letters, "Adalberta")
        await post(place, "me/email", ada["token"], email="next@example.org", password=WORD)
        await letters.wait(2)
        assert (await post(place, "me/farewell", ada["token"], password=WORD)).status_code == 200
    left = b"".join(file.read_bytes() for file in tmp_path.rglob("*") if file.is_file())
    assert b"CREATE TABLE accounts" in left
    for gone in (ADA, "next@example.org", "Adalberta", ada["player"]):
        assert gone.encode() not in left


async def test_two_accounts_may_share_an_address_and_each_comes_back_alone(url: str) -> None:
    async with mail_server() as letters, mail_place(url, letters) as place:
        await confirmed(place, letters)
        bob = await confirmed(place, letters, "Bob")
        code = await lose(place, letters, "Bob")
        assert (await come_back(place, code, "Ada")).status_code == 403
        assert (await come_back(place, code, "Bob")).json()["player"] == bob["player"]


async def test_nobody_else_is_told_the_address(url: str) -> None:
    async with mail_server() as letters, mail_place(url, letters) as place:
        ada, bob = await confirmed(place, letters), await made(place, "Bob")
        table = (await place.table("you", None, "easy", "easy"))["table"]["id"]
        for path in (f"players/{ada['player']}", "players/Ada", "leaderboard", f"tables/{table}", "me", "me/account"):
            answer = await place.http.get(f"/api/{path}", headers=bearer(bob["token"]))
            assert ADA not in answer.text
            assert "a…@example.org" not in answer.text
        own = await place.http.get("/api/me/account", headers=bearer(ada["token"]))
        assert ADA not in own.text


async def test_any_node_takes_the_code(postgres: str) -> None:
    from tests.server.nodes import cluster

    async with mail_server() as letters:
        options = {"public_url": SITE, "smtp": f"smtp://127.0.0.1:{letters.port}", "mail_from": SENDER}
        address = f"{secrets.token_hex(3)}@example.org"
        name = f"Ada {secrets.token_hex(3)}"
        async with cluster(postgres, "one", "two", **options) as (one, two):
            ada = await made(one, name)
            await post(one, "me/email", ada["token"], email=address, password=WORD)
            code = code_in(await letters.wait(1))
            assert (await post(two, "me/email/code", ada["token"], code=code)).status_code == 200
            code = await lose(two, letters, name)
            assert (await come_back(one, code, name)).status_code == 200
            await letters.wait(3)
