"""The SMTP server of the operator: how it is named, what it may do, and that nobody waits for it."""

import asyncio
import logging
from pathlib import Path

import pytest
from click.testing import CliRunner

from tests.server.mail_server import Letters, certificate, mail_server
from tests.server.test_emails import ADA, SENDER, SITE, confirmed, mail_place, post
from tichu.cli import main
from tichu.core.errors import GameError
from tichu.server.config import Config
from tichu.server.mail.letters import Letter
from tichu.server.mail.post import Post
from tichu.server.mail.smtp import SmtpServer, parse_smtp
from tichu.server.metrics import Metrics

pytestmark = pytest.mark.anyio


@pytest.mark.parametrize(
    ("url", "wanted"),
    [
        ("smtp://localhost:25", SmtpServer("localhost", 25, "none")),
        ("smtp://127.0.0.1", SmtpServer("127.0.0.1", 587, "none")),
        ("smtp://[::1]:25", SmtpServer("::1", 25, "none")),
        ("smtp://tichu:p%40ss%3A@mail.example.org/", SmtpServer("mail.example.org", 587, "starttls", "tichu", "p@ss:")),
        ("smtps://a:b@localhost", SmtpServer("localhost", 465, "tls", "a", "b")),
        ("smtp://10.0.0.1:2525", SmtpServer("10.0.0.1", 2525, "starttls")),
        ("smtp://localhost.example.org", SmtpServer("localhost.example.org", 587, "starttls")),
    ],
)
def test_a_server_is_spoken_to_in_the_open_only_where_nobody_is_on_the_way(url: str, wanted: SmtpServer) -> None:
    assert parse_smtp(url) == wanted
    assert "p@ss" not in repr(wanted)


SECRET = "pa55word"


@pytest.mark.parametrize(
    "url",
    [
        f"http://u:{SECRET}@host",
        f"u:{SECRET}@host",
        f"smtp://u:{SECRET}@",
        f"smtp://u:{SECRET}@host:99999",
        f"smtp://u:{SECRET}@host:{SECRET}",
        f"smtp://u:{SECRET}@host:0",
        f"smtp://u:{SECRET}@host/folder",
        f"smtp://u:{SECRET}@host?starttls=no",
        f"smtp://u:{SECRET}@host#here",
        f"smtp://:{SECRET}@host",
        f"smtp://{SECRET}@host",
        f"smtp://u:{SECRET}%0d%0aRSET@host",
        f"smtp://u:{SECRET}%ff@host",
        f"smtp://u:{SECRET}ä@host",
        f"smtp://u:{SECRET}@host\n",
        f"smtp://u:{SECRET}@[::1",
    ],
)
def test_what_is_wrong_with_the_server_is_told_without_its_password(url: str) -> None:
    with pytest.raises(GameError, match=r"^the SMTP server: ") as refused:
        Config(smtp=url, mail_from=SENDER, public_url=SITE)
    assert SECRET not in str(refused.value)
    assert refused.value.__cause__ is None


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"mail_from": SENDER, "public_url": SITE}, "needs a server that takes it: --smtp"),
        ({"smtp": "smtp://localhost", "public_url": SITE}, "no address that mail could come from: --mail-from"),
        ({"smtp": "smtp://localhost", "public_url": SITE, "mail_from": "Tichu <a@b.cc>"}, "--mail-from"),
        ({"smtp": "smtp://localhost", "mail_from": SENDER}, "mail names the site that it comes from: --public-url"),
    ],
)
def test_mail_needs_all_of_it(options: dict[str, str], words: str) -> None:
    with pytest.raises(GameError, match=words):
        Config(**options)  # type: ignore[arg-type]


def test_a_config_does_not_show_the_password() -> None:
    config = Config(smtp=f"smtp://u:{SECRET}@host", mail_from=SENDER, public_url=SITE)
    assert SECRET not in repr(config)
    assert config.mail_server is not None
    assert SECRET not in repr(config.mail_server)


def test_a_server_does_not_start_with_wrong_mail_and_says_why_without_the_password() -> None:
    arguments = ["serve", "--public-url", SITE, "--mail-from", SENDER, "--smtp", f"http://u:{SECRET}@host"]
    ran = CliRunner().invoke(main, arguments)
    assert ran.exit_code != 0
    assert "the SMTP server: it is written smtp://user:password@host:587" in ran.output + str(ran.exception)
    assert SECRET not in ran.output + str(ran.exception)


LETTER = Letter("recover", ADA, "en", "Ada", "the-secret-code")


async def sent(server: SmtpServer) -> tuple[float, float]:
    """Send one letter: how many mails were sent and lost."""
    metrics = Metrics()
    post = Post(server, SENDER, SITE, metrics)
    post.send(LETTER)
    await asyncio.gather(*post._waiting)
    await post.close()
    return count(metrics, "sent"), count(metrics, "lost")


def count(metrics: Metrics, outcome: str) -> float:
    return metrics.registry.get_sample_value("tichu_mails_total", {"outcome": outcome}) or 0.0


async def test_a_mail_goes_through_tls_with_the_password(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    context, trusted = certificate(tmp_path)
    monkeypatch.setenv("SSL_CERT_FILE", str(trusted))
    async with mail_server(Letters(tls=context)) as letters:
        assert await sent(SmtpServer("localhost", letters.port, "starttls", "tichu", SECRET)) == (1, 0)
        assert letters.is_encrypted
        assert letters.logins == [("tichu", SECRET)]
        # Nothing was said before it was encrypted.
        assert [line.split()[0].upper() for line in letters.commands[:3]] == ["EHLO", "STARTTLS", "EHLO"]
        assert "tichu.example" in letters.commands[0]


@pytest.mark.parametrize(
    ("site", "name"),
    [
        ("https://tichü.example/club", "xn--tich-3ra.example"),
        ("http://192.0.2.1:8080", "[192.0.2.1]"),
        ("http://[2001:db8::1]:8080", "[IPv6:2001:db8::1]"),
        (f"https://{'ü' * 63}.example", "localhost"),
    ],
)
async def test_a_mail_goes_out_whatever_the_site_is_called(site: str, name: str) -> None:
    async with mail_server() as letters:
        box = Post(SmtpServer("127.0.0.1", letters.port, "none"), SENDER, site, Metrics())
        box.send(LETTER)
        message = await letters.wait(1)
        await box.close()
    assert letters.commands[0] == f"ehlo {name}"
    assert message["message-id"].endswith(f"@{name}>")
    assert site in message.get_content()


async def test_a_server_that_nobody_vouches_for_gets_nothing(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    context, _ = certificate(tmp_path)
    async with mail_server(Letters(tls=context)) as letters:
        assert await sent(SmtpServer("localhost", letters.port, "starttls", "tichu", SECRET)) == (0, 1)
        assert letters.logins == []
        assert letters.came == []
    assert "a mail was not sent: SSLCertVerificationError" in caplog.text


@pytest.mark.parametrize(
    ("answers", "fact"),
    [
        ({}, "SMTPNotSupportedError"),
        ({"STARTTLS": "454 not now"}, "SMTPNotSupportedError"),
        ({"EHLO": "250-here\r\n250 STARTTLS", "STARTTLS": "454 not now"}, "SMTPNotSupportedError"),
    ],
)
async def test_nobody_is_talked_out_of_tls(
    answers: dict[str, str], fact: str, caplog: pytest.LogCaptureFixture
) -> None:
    async with mail_server(Letters(answers=answers)) as letters:
        assert await sent(SmtpServer("localhost", letters.port, "starttls", "tichu", SECRET)) == (0, 1)
        assert not any(line.upper().startswith(("AUTH", "MAIL", "RCPT")) for line in letters.commands)
        assert letters.came == []
    assert "a mail was not sent: SMTP" in caplog.text


@pytest.mark.parametrize(
    ("answers", "fact"),
    [
        ({"AUTH": f"535 not with {SECRET}"}, "SMTPAuthenticationError 535"),
        ({"RCPT": f"550 nobody is called {ADA}"}, "SMTPRecipientsRefused 550"),
        ({"MAIL": "451 later"}, "SMTPSenderRefused 451"),
        ({"DATA": f"554 no {ADA} the-secret-code"}, "SMTPDataError 554"),
        ({"EHLO": "500 what", "HELO": "500 what"}, "SMTPHeloError 500"),
        ({"MAIL": "not a number"}, "SMTP"),
    ],
)
async def test_what_a_server_says_is_logged_by_its_number_alone(
    answers: dict[str, str], fact: str, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    async with mail_server(Letters(answers=answers)) as letters:
        assert await sent(SmtpServer("127.0.0.1", letters.port, "none", "tichu", SECRET)) == (0, 1)
    assert f"a mail was not sent: {fact}" in caplog.text
    for secret in (SECRET, ADA, "the-secret-code"):
        assert secret not in caplog.text


async def test_nobody_waits_for_a_server_that_is_dead_or_slow(caplog: pytest.LogCaptureFixture) -> None:
    async with mail_server() as letters, mail_place(":memory:", letters) as place:
        await confirmed(place, letters)
        # Whoever waited for it would wait for an hour, also when the server closes.
        letters.slow = 3600.0
        for _ in range(3):
            assert (await post(place, "login/mail", name="Ada")).status_code == 200
            assert (await place.http.get("/healthz")).status_code == 200
    assert "a mail was not sent" in caplog.text


async def test_what_waits_is_bounded_and_told_once(caplog: pytest.LogCaptureFixture) -> None:
    metrics = Metrics()
    async with mail_server(Letters(slow=3600.0)) as letters:
        box = Post(SmtpServer("127.0.0.1", letters.port, "none"), SENDER, SITE, metrics)
        for _ in range(1000):
            box.send(LETTER)
        assert len(box._waiting) == 64
        assert count(metrics, "lost") == 1000 - 64
        assert caplog.text.count("a mail was not sent") == 1
        await box.close()
        assert not box._waiting
        assert count(metrics, "lost") == 1000
        box.send(LETTER)
        assert count(metrics, "lost") == 1001
    assert ADA not in caplog.text


async def test_a_server_that_answers_sign_by_sign_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tichu.server.mail.smtp._MAIL_S", 0.5)
    async with mail_server(Letters(drips=True)) as letters, asyncio.timeout(8):
        assert await sent(SmtpServer("127.0.0.1", letters.port, "none")) == (0, 1)


async def test_mail_goes_on_when_the_server_is_back() -> None:
    letters = Letters()
    async with mail_server(letters):
        pass
    metrics = Metrics()
    box = Post(SmtpServer("127.0.0.1", letters.port, "none"), SENDER, SITE, metrics)
    box.send(LETTER)
    await asyncio.gather(*box._waiting)
    assert count(metrics, "lost") == 1
    async with mail_server(letters):
        box.send(LETTER)
        assert (await letters.wait(1))["to"] == ADA
        await box.close()
