"""What somebody hostile tries with mail."""

import asyncio
from email.utils import getaddresses
from typing import Any, get_args

import httpx
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.server.mail_server import code_in, mail_server
from tests.server.test_account_attacks import while_hashing
from tests.server.test_accounts import WORD, log_in, made
from tests.server.test_emails import (
    ADA,
    NEW,
    SENDER,
    SITE,
    addresses,
    come_back,
    confirm,
    confirmed,
    lose,
    mail_place,
    post,
)
from tests.server.test_tokens import bearer
from tichu.server.mail.addresses import is_address, masked
from tichu.server.mail.letters import Letter, LetterKind, compose

pytestmark = pytest.mark.anyio


# Addresses.

INJECTIONS = (
    "ada@example.org\r\nBcc: eve@example.org",
    "ada@example.org\nBcc: eve@example.org",
    "ada@example.org\r\n.\r\nMAIL FROM:<eve@example.org>",
    "ada@example.org,eve@example.org",
    "ada@example.org;eve@example.org",
    "ada@example.org eve@example.org",
    "<ada@example.org>",
    "Ada <ada@example.org>",
    '"ada eve"@example.org',
    '"ada@example.org"@example.org',
    "ada(eve)@example.org",
    "ada%example.org@relay.example.org",
    "relay!ada@example.org",
    "@relay.example.org:ada@example.org",
    "ada@[127.0.0.1]",
    "ada@127.0.0.1",
    "ada@localhost",
    "ada@example.org\0",
    "ada\t@example.org",
    "ädä@example.org",
    "ada@exämple.org",
    "ada@example.org\u2028",
    "ada@exa\u200bmple.org",
    "ada@example.org ",
    " ada@example.org",
    ".ada@example.org",
    "ada.@example.org",
    "a..da@example.org",
    "ada@example..org",
    "ada@-example.org",
    "ada@example-.org",
    "ada@example.org.",
    "ada@@example.org",
    "ada",
    "@example.org",
    "ada@",
    "",
    "=?utf-8?q?ada?=@example.org",
    "=?utf-8?q?eve=40example.net=2C?=@example.org",
    "=?utf-8?b?ZXZlQGV4YW1wbGUubmV0LA==?=@example.org",
    "=?utf-8?q?=0D=0ABcc=3A_eve=40example.net?=@example.org",
    f"{'a' * 65}@example.org",
    f"ada@{'a' * 64}.org",
    f"ada@{'a.' * 130}org",
)


@pytest.mark.parametrize("text", INJECTIONS)
def test_what_is_more_than_a_plain_address_is_none(text: str) -> None:
    assert not is_address(text)
    for sign in ("\r", "\n", "\r\n", "\x0b", "\x85", "\u2028"):
        assert not is_address(f"ada@example.org{sign}")
        assert not is_address(f"{sign}ada@example.org")
        assert not is_address(f"ada@exa{sign}mple.org")


@pytest.mark.parametrize(
    "text",
    [
        "ada@example.org",
        "a@b.co",
        "Ada.Lovelace+tichu@mail.example.museum",
        "o'neill_1=x@xn--exmple-cua.org",
        f"{'a' * 64}@{'b' * 63}.org",
        "1@1.example",
    ],
)
def test_plain_addresses_are_taken_and_masked(text: str) -> None:
    assert is_address(text)
    assert masked(text) == f"{text[0]}…@{text.split('@')[1]}"


async def test_nothing_but_an_address_is_mailed_to() -> None:
    async with mail_server() as letters, mail_place(":memory:", letters) as place:
        ada = await made(place, "Ada")
        for text in INJECTIONS:
            answer = await post(place, "me/email", ada["token"], email=text, password=WORD)
            assert answer.status_code == 400, text
            assert not text.strip() or text not in answer.text
        # Whoever has the name of an account, or says in what language, writes no header.
        for path, body in (
            ("login/mail", {"name": "Ada\r\nBcc: eve@example.org"}),
            ("login/mail", {"name": "Ada", "language": "en\r\nBcc: eve@example.org"}),
        ):
            await post(place, path, **body)
        await confirm(place, letters, ada["token"], ADA)
        assert letters.connections == 1
        assert [to for _, to, _ in letters.came] == [(ADA,)]
        assert "bcc" not in letters.came[0][2]


@given(st.lists(st.sampled_from((*"a0#&'*+/=^_{}~-.", "=?utf-8?q?", "?=")), min_size=1, max_size=12))
def test_what_is_an_address_is_the_same_one_in_a_header(parts: list[str]) -> None:
    address = f"{''.join(parts)}@example.org"
    if not is_address(address):
        return
    message = compose(LETTER._replace(to=address), SENDER, SITE)
    # The latter is whom smtplib hands it in for.
    assert message["To"] == address
    assert getaddresses([message["To"]]) == [("", address)]


@pytest.mark.parametrize("name", ["{code}", "{site.__class__}", "%s", ".", "a\u202eb", "Bcc: x@y.zz"])
def test_a_name_is_a_name_in_a_letter(name: str) -> None:
    for kind in get_args(LetterKind)[1:]:
        message = compose(Letter(kind, ADA, "en", name, "the-code"), SENDER, SITE)
        assert f'"{name}"' in message.get_content()
        assert set(message.keys()) == {
            *("From", "To", "Subject", "Date", "Message-ID", "Auto-Submitted", "Content-Language"),
            *("MIME-Version", "Content-Type", "Content-Transfer-Encoding"),
        }


# Who has an account, and an address.


async def test_who_asks_for_a_mail_is_told_nothing(url: str) -> None:
    async with mail_server() as letters, mail_place(url, letters) as place:
        await confirmed(place, letters)
        await made(place, "Bob")
        answers = [await post(place, "login/mail", name=name) for name in ("Ada", "Bob", "Nobody", "", "ADA")]
        shown = {(one.status_code, one.content, frozenset(one.headers) - {"date"}) for one in answers}
        assert len(shown) == 1
        await letters.wait(2)
        assert {to for _, to, _ in letters.came} == {(ADA,)}


async def test_the_answer_comes_before_anybody_has_looked(monkeypatch: pytest.MonkeyPatch) -> None:
    """So that its time tells nothing: the store may take as long as it likes."""
    async with mail_server() as letters, mail_place(":memory:", letters) as place:
        await confirmed(place, letters)
        asked, go_on = asyncio.Event(), asyncio.Event()
        read = place.lobby.store.read

        async def slow(script: Any, *args: Any) -> Any:
            if script.__name__ == "account_by_name":
                asked.set()
                await go_on.wait()
            return await read(script, *args)

        monkeypatch.setattr(place.lobby.store, "read", slow)
        for name in ("Ada", "Nobody"):
            answer = await post(place, "login/mail", name=name)
            assert answer.status_code == 200
        async with asyncio.timeout(10):
            await asked.wait()
        assert len(letters.came) == 1
        go_on.set()
        await letters.wait(2)


async def test_no_mailbox_is_flooded(url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    async with mail_server() as letters, mail_place(url, letters) as place:
        ada = await confirmed(place, letters)
        for _ in range(8):
            assert (await post(place, "login/mail", name="Ada")).json() == {"minutes": 60}
        await letters.wait(4)
        # Of many accounts, one address hears three times; nobody is told that it has heard enough.
        for name in ("Bob", "Cyd", "Dan", "Eve"):
            account = await made(place, name)
            answer = await post(place, "me/email", account["token"], email="Victim@example.org", password=WORD)
            assert answer.json() == {"address": "", "pending": "V…@example.org"}
        statuses = []
        for number in range(5):
            args = {"email": f"victim{number}@example.org", "password": WORD}
            statuses.append((await post(place, "me/email", ada["token"], **args)).status_code)
        # One mail has confirmed the address that there is.
        assert statuses == [200, 200, 429, 429, 429]
        await letters.wait(9)
        await asyncio.sleep(0.2)
        assert len(letters.of("Victim@example.org")) == 3
        assert len(letters.of(ADA)) == 1 + 3
        later = place.lobby.time() + 3601
        monkeypatch.setattr(place.lobby.emails, "_clock", lambda: later)
        await lose(place, letters)
        assert len(letters.of(ADA)) == 1 + 3 + 1


async def test_one_mailbox_under_many_addresses_is_one(url: str) -> None:
    async with mail_server() as letters, mail_place(url, letters) as place:
        for number, address in enumerate(("victim", "vic.tim", "Victim+a", "v.i.ctim+b.c", "VICTIM+", "victim")):
            account = await made(place, f"Bob of {number}x")
            asked = {"email": f"{address}@example.org", "password": WORD}
            assert (await post(place, "me/email", account["token"], **asked)).status_code == 200
        await post(place, "me/email", account["token"], email="other@example.org", password=WORD)
        assert (await letters.wait(4))["to"] == "other@example.org"


async def test_from_one_address_of_the_network_only_so_many_are_written_to(url: str) -> None:
    async with mail_server() as letters, mail_place(url, letters, address_mails=4) as place:
        await confirmed(place, letters)
        statuses = []
        for number in range(4):
            account = await made(place, f"Bob of {number}x")
            asked = {"email": f"victim{number}@example.org", "password": WORD}
            statuses.append((await post(place, "me/email", account["token"], **asked)).status_code)
        told = [await post(place, "login/mail", name=name) for name in ("Ada", "Nobody")]
        assert statuses == [200, 200, 200, 429]
        assert {(one.status_code, one.json()["error"]) for one in told} == {(429, "too_many_mails")}
        await letters.wait(4)
        assert len(letters.came) == 4


async def test_all_together_have_only_so_many_strangers_written_to(url: str) -> None:
    async with mail_server() as letters, mail_place(url, letters, confirmations=3) as place:
        await confirmed(place, letters)
        statuses = []
        for number in range(3):
            account = await made(place, f"Bob of {number}x")
            headers = bearer(account["token"]) | {"x-forwarded-for": f"2001:db8:{number}::1"}
            asked = {"email": f"victim{number}@example.org", "password": WORD}
            statuses.append((await place.http.post("/api/me/email", json=asked, headers=headers)).status_code)
        assert statuses == [200, 200, 429]
        # The way back is open all the same.
        assert (await post(place, "login/mail", name="Ada")).status_code == 200
        await letters.wait(4)
        assert len(letters.of(ADA)) == 2


async def test_whoever_asks_in_the_name_of_another_does_not_leave_them_without_a_code(
    url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with mail_server() as letters, mail_place(url, letters) as place:
        await confirmed(place, letters)
        for number in range(9):
            await post(place, "login/mail", name="Ada")
            if number < 3:
                await letters.wait(2 + number)
        # As long as there is no other, the last one is good.
        later = place.lobby.accounts._clock() + 3500
        for part in (place.lobby.accounts, place.lobby.emails):
            monkeypatch.setattr(part, "_clock", lambda: later)
        await post(place, "login/mail", name="Ada")
        assert (await come_back(place, code_in(letters.came[-1][2]))).status_code == 200


async def test_an_address_may_ask_only_so_often_whether_there_is_such_an_account_or_not() -> None:
    async with mail_server() as letters, mail_place(":memory:", letters, login_burst=3) as place:
        await confirmed(place, letters)
        told = []
        for name in ("Ada", "Nobody"):
            told.append([(await post(place, "login/mail", name=name)).status_code for _ in range(5)])
        assert told[0] == told[1] == [200, 200, 200, 429, 429]


# Codes.


async def test_a_code_is_good_for_one_time_and_the_last_one_counts(url: str) -> None:
    async with mail_server() as letters, mail_place(url, letters) as place:
        await confirmed(place, letters)
        first = await lose(place, letters)
        second = await lose(place, letters)
        assert (await come_back(place, first)).json()["error"] == "wrong_code"
        assert (await come_back(place, second)).status_code == 200
        assert (await come_back(place, second)).json()["error"] == "wrong_code"


async def test_one_code_at_once_is_good_for_one(url: str) -> None:
    async with mail_server() as letters, mail_place(url, letters) as place:
        await confirmed(place, letters)
        code = await lose(place, letters)
        answers = await asyncio.gather(*(come_back(place, code) for _ in range(4)))
        assert sorted(one.status_code for one in answers) == [200, 403, 403, 403]


async def test_nobody_spends_the_code_of_another(url: str) -> None:
    """Whoever knows a name can try codes in it; those that were sent are good all the same."""
    async with mail_server() as letters, mail_place(url, letters) as place:
        ada = await confirmed(place, letters)
        code = await lose(place, letters)
        for _ in range(7):
            assert (await come_back(place, "aaaa-bbbb-cccc-dddd")).status_code == 403
        assert (await come_back(place, code)).status_code == 200
        await letters.wait(3)
        token = (await log_in(place, password=NEW)).json()["token"]
        await post(place, "me/email", token, email="other@example.org", password=NEW)
        for _ in range(7):
            wrong = await post(place, "me/email/code", token, code="aaaa")
            assert (wrong.status_code, wrong.json()["error"]) == (403, "wrong_mail_code")
        right = code_in(await letters.wait(4))
        assert (await post(place, "me/email/code", token, code=right)).status_code == 200
        assert ada["codes"]


async def test_a_wrong_code_writes_nothing_whether_there_is_such_an_account_or_not(
    url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A database that waits for its disk would tell by the time which names there are."""
    async with mail_server() as letters, mail_place(url, letters) as place:
        await confirmed(place, letters)
        await lose(place, letters)
        written: list[str] = []
        write = place.lobby.store.write

        async def note(script: Any, *args: Any) -> Any:
            written.append(script.__name__)
            return await write(script, *args)

        monkeypatch.setattr(place.lobby.store, "write", note)
        for name in ("Ada", "Nobody"):
            wrong = await come_back(place, "aaaa-bbbb-cccc-dddd", name)
            assert (wrong.status_code, wrong.json()["error"]) == (403, "wrong_code")
        assert written == []


async def test_a_code_ends_after_an_hour(url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    async with mail_server() as letters, mail_place(url, letters) as place:
        ada = await confirmed(place, letters)
        code = await lose(place, letters)
        await post(place, "me/email", ada["token"], email="other@example.org", password=WORD)
        other = code_in(await letters.wait(3))
        later = place.lobby.accounts._clock() + 3601
        monkeypatch.setattr(place.lobby.accounts, "_clock", lambda: later)
        monkeypatch.setattr(place.lobby.emails, "_clock", lambda: later)
        assert (await come_back(place, code)).status_code == 403
        assert (await post(place, "me/email/code", ada["token"], code=other)).status_code == 403
        assert await addresses(place, ada["token"]) == ("a…@example.org", "")
        # Housekeeping forgets what is no longer good.
        monkeypatch.setattr(place.lobby.players, "_clock", lambda: later + 3600)
        await place.lobby.players.drop_expired(later)
        for table in ("mail_codes", "mail_counts"):
            assert await place.lobby.store.read(_rows, table) == []


def _rows(table: str) -> Any:
    return (yield (f"SELECT 1 FROM {table}",))


async def test_the_code_of_one_account_opens_no_other(url: str) -> None:
    async with mail_server() as letters, mail_place(url, letters) as place:
        ada = await confirmed(place, letters)
        bob = await confirmed(place, letters, "Bob", "bob@example.org")
        code = await lose(place, letters)
        assert (await come_back(place, code, "Bob")).status_code == 403
        await post(place, "me/email", ada["token"], email="other@example.org", password=WORD)
        own = code_in(await letters.wait(4))
        assert (await post(place, "me/email/code", bob["token"], code=own)).status_code == 403
        # Nor is a code for one thing good for another.
        assert (await come_back(place, own)).status_code == 403
        assert (await post(place, "me/email/code", ada["token"], code=code)).status_code == 403


async def test_a_code_ends_with_the_password_that_it_was_sent_under(url: str) -> None:
    async with mail_server() as letters, mail_place(url, letters) as place:
        ada = await confirmed(place, letters)
        code = await lose(place, letters)
        await post(place, "me/email", ada["token"], email="other@example.org", password=WORD)
        other = code_in(await letters.wait(3))
        both = {"password": WORD, "newPassword": NEW}
        assert (await post(place, "me/password", ada["token"], **both)).status_code == 200
        assert (await come_back(place, code)).status_code == 403
        assert (await post(place, "me/email/code", ada["token"], code=other)).status_code == 403
        assert await addresses(place, ada["token"]) == ("a…@example.org", "")


@pytest.mark.parametrize("what", ["change", "remove", "farewell"])
async def test_a_code_ends_with_the_address_that_it_was_sent_to(
    url: str, what: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Also if that happens while the new password is being hashed."""
    async with mail_server() as letters, mail_place(url, letters) as place:
        ada = await confirmed(place, letters)
        code = await lose(place, letters)
        await post(place, "me/email", ada["token"], email="other@example.org", password=WORD)
        other = code_in(await letters.wait(3))

        async def meanwhile() -> None:
            if what == "change":
                answer = await post(place, "me/email/code", ada["token"], code=other)
            else:
                path = "me/email/removal" if what == "remove" else "me/farewell"
                answer = await post(place, path, ada["token"], password=WORD)
            assert answer.status_code == 200, answer.text

        while_hashing(place, monkeypatch, "hash", meanwhile)
        late = await come_back(place, code)
        assert (late.status_code, late.json()["error"]) == (403, "wrong_code")
        if what != "change":
            assert (await post(place, "me/email/code", ada["token"], code=other)).status_code in (401, 403)


async def test_an_address_is_not_added_under_a_password_that_has_ended(
    url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with mail_server() as letters, mail_place(url, letters) as place:
        ada = await made(place, "Ada")

        async def change() -> None:
            both = {"password": WORD, "newPassword": NEW}
            assert (await post(place, "me/password", ada["token"], **both)).status_code == 200

        while_hashing(place, monkeypatch, "fits", change)
        late = await post(place, "me/email", ada["token"], email=ADA, password=WORD)
        assert (late.status_code, late.json()["error"]) == (401, "token_ended")
        assert letters.came == []


async def test_a_session_that_has_ended_confirms_nothing(url: str) -> None:
    async with mail_server() as letters, mail_place(url, letters) as place:
        await made(place, "Ada")
        thief = (await log_in(place)).json()["token"]
        await post(place, "me/email", thief, email="thief@example.org", password=WORD)
        code = code_in(await letters.wait(1))
        own = (await log_in(place)).json()["token"]
        assert (await place.http.delete("/api/me/sessions", headers=bearer(own))).status_code == 200
        assert (await post(place, "me/email/code", thief, code=code)).status_code == 401


async def test_the_address_is_changed_with_the_password_alone(url: str) -> None:
    async with mail_server() as letters, mail_place(url, letters) as place:
        ada = await confirmed(place, letters)
        for path, body in (("me/email", {"email": "thief@example.org"}), ("me/email/removal", {})):
            answer: httpx.Response = await post(place, path, ada["token"], password="a guess", **body)
            assert (answer.status_code, answer.json()["error"]) == (403, "wrong_login")
        assert await addresses(place, ada["token"]) == ("a…@example.org", "")


LETTER = Letter("recover", ADA, "en", "Ada", "the-secret-code")


def test_a_letter_is_refused_that_has_lines_in_its_headers() -> None:
    """The second lock, if an address ever were not looked at."""
    with pytest.raises(ValueError, match="linefeed"):
        compose(LETTER._replace(to="ada@example.org\r\nBcc: eve@example.org"), SENDER, SITE)
