"""A small SMTP server for tests: what it is like is said when it is made, and it keeps what it was given."""

import asyncio
import base64
import email
import ssl
import subprocess
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field
from email.message import EmailMessage
from email.policy import default
from pathlib import Path

__all__ = ["Letters", "certificate", "mail_server"]


@dataclass
class Letters:
    """What has come to a server, and what it is like."""

    #: Seconds before each answer.
    slow: float = 0.0
    #: Never ends its first line.
    drips: bool = False
    #: Answers by the first word of a command, in place of the usual ones.
    answers: dict[str, str] = field(default_factory=dict)
    #: Offers STARTTLS with it.
    tls: ssl.SSLContext | None = None
    port: int = 0
    #: Envelope and mail.
    came: list[tuple[str, tuple[str, ...], EmailMessage]] = field(default_factory=list)
    raw: list[bytes] = field(default_factory=list)
    commands: list[str] = field(default_factory=list)
    logins: list[tuple[str, str]] = field(default_factory=list)
    connections: int = 0
    is_encrypted: bool = False

    async def wait(self, number: int) -> EmailMessage:
        """The letter with this number, counted from 1."""
        async with asyncio.timeout(20):
            while len(self.came) < number:
                await asyncio.sleep(0.01)
        return self.came[number - 1][2]

    def of(self, address: str) -> list[EmailMessage]:
        return [message for _, to, message in self.came if address in to]


def code_in(message: EmailMessage) -> str:
    """The code is on a line of its own."""
    lines = [line.strip() for line in message.get_content().splitlines() if line.startswith("    ")]
    (code,) = lines
    return str(code)


def certificate(folder: Path) -> tuple[ssl.SSLContext, Path]:
    """What a server with a name of its own shows, and what trusts it."""
    key, cert = folder / "key.pem", folder / "cert.pem"
    command = ["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes"]
    command += ["-keyout", str(key), "-out", str(cert), "-days", "2", "-subj", "/CN=localhost"]
    command += ["-addext", "subjectAltName=DNS:localhost,IP:127.0.0.1"]
    subprocess.run(command, check=True, capture_output=True)
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(cert, key)
    return context, cert


class _Session:
    def __init__(self, letters: Letters, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.letters = letters
        self.reader = reader
        self.writer = writer
        self.sender = ""
        self.to: list[str] = []

    async def say(self, *lines: str) -> None:
        await asyncio.sleep(self.letters.slow)
        self.writer.write("".join(f"{line}\r\n" for line in lines).encode())
        await self.writer.drain()

    async def run(self) -> None:
        self.letters.connections += 1
        while self.letters.drips:
            self.writer.write(b"2")
            await self.writer.drain()
            await asyncio.sleep(0.05)
        await self.say("220 here")
        while line := (await self.reader.readline()).decode().rstrip("\r\n"):
            self.letters.commands.append(line)
            word = line.split()[0].upper()
            if word in self.letters.answers:
                await self.say(self.letters.answers[word])
            elif word == "QUIT":
                await self.say("221 bye")
                return
            else:
                await self.do(word, line)

    async def do(self, word: str, line: str) -> None:
        match word:
            case "EHLO":
                can = ["AUTH PLAIN", "8BITMIME"]
                if self.letters.tls and not self.writer.get_extra_info("sslcontext"):
                    can.append("STARTTLS")
                await self.say("250-here", *[f"250-{one}" for one in can[:-1]], f"250 {can[-1]}")
            case "STARTTLS" if self.letters.tls:
                await self.say("220 go on")
                await self.writer.start_tls(self.letters.tls)
                self.letters.is_encrypted = True
            case "AUTH":
                _, user, password = base64.b64decode(line.split()[2]).decode().split("\0")
                self.letters.logins.append((user, password))
                await self.say("235 welcome")
            case "MAIL":
                self.sender, self.to = line.split("<")[1].split(">")[0], []
                await self.say("250 yes")
            case "RCPT":
                self.to.append(line.split("<")[1].split(">")[0])
                await self.say("250 yes")
            case "DATA":
                await self.say("354 tell")
                data = (await self.reader.readuntil(b"\r\n.\r\n"))[:-3]
                message = email.message_from_bytes(data, policy=default)
                assert isinstance(message, EmailMessage)
                self.letters.raw.append(data)
                self.letters.came.append((self.sender, tuple(self.to), message))
                await self.say("250 taken")
            case _:
                await self.say("250 yes" if word in ("RSET", "NOOP") else "502 what")


@asynccontextmanager
async def mail_server(letters: Letters | None = None) -> AsyncIterator[Letters]:
    """A server on the loopback address, until the end of the block."""
    letters = letters or Letters()
    running: set[asyncio.Task[None] | None] = set()

    async def talk(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        running.add(asyncio.current_task())
        try:
            with suppress(OSError, asyncio.IncompleteReadError):
                await _Session(letters, reader, writer).run()
        finally:
            writer.close()

    server = await asyncio.start_server(talk, "127.0.0.1", letters.port)
    letters.port = server.sockets[0].getsockname()[1]
    try:
        yield letters
    finally:
        server.close()
        talks = [task for task in running if task is not None]
        for task in talks:
            task.cancel()
        await asyncio.gather(*talks, return_exceptions=True)
