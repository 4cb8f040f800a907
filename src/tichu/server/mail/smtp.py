"""The SMTP server of the operator: how it is named, and how one mail is given to it."""

import ipaddress
import socket
import ssl
import threading
from contextlib import suppress
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final, Literal
from urllib.parse import unquote, urlsplit

from tichu.core.errors import GameError

if TYPE_CHECKING:
    from email.message import EmailMessage
    from smtplib import SMTP

__all__ = ["Delivery", "SmtpServer", "parse_smtp"]

#: For each step, and for a mail as a whole: a server may answer sign by sign.
_STEP_S: Final = 10.0
_MAIL_S: Final = 30.0
_PORTS: Final = {"smtp": 587, "smtps": 465}
_FORM: Final = "it is written smtp://user:password@host:587 or smtps://user:password@host:465"


@dataclass(frozen=True, slots=True)
class SmtpServer:
    """Where mail is handed in."""

    host: str
    port: int
    #: ``none`` only where nobody is on the way.
    security: Literal["none", "starttls", "tls"]
    user: str = ""
    password: str = field(default="", repr=False)


def parse_smtp(url: str) -> SmtpServer:
    """Read where mail is handed in; what is wrong is told without the address, which has a password.

    >>> parse_smtp("smtp://tichu:p%40ss@mail.example.org")
    SmtpServer(host='mail.example.org', port=587, security='starttls', user='tichu')
    >>> parse_smtp("smtp://localhost:25").security
    'none'
    >>> parse_smtp("http://mail.example.org")
    Traceback (most recent call last):
    tichu.core.errors.GameError: the SMTP server: it is written smtp://user:password@host:587 or ...
    """
    try:
        parts = urlsplit(url)
        host, port = parts.hostname or "", parts.port
        user, password = (unquote(part or "", errors="strict") for part in (parts.username, parts.password))
    except ValueError:  # Its words may quote the address.
        raise _fault(_FORM) from None
    if parts.scheme not in _PORTS or not host or parts.path.strip("/") or parts.query or parts.fragment or port == 0:
        raise _fault(_FORM)
    if not (url.isascii() and url.isprintable()):
        raise _fault("its address has plain signs only; others are written %40")
    if bool(user) != bool(password):
        raise _fault("a user needs a password, and a password a user")
    if not all(part.isascii() and (not part or part.isprintable()) for part in (user, password)):
        raise _fault("user and password have plain signs only")
    security: Literal["none", "starttls", "tls"] = "tls" if parts.scheme == "smtps" else "starttls"
    if parts.scheme == "smtp" and _is_loopback(host):
        security = "none"
    return SmtpServer(host, port or _PORTS[parts.scheme], security, user, password)


def _fault(words: str) -> GameError:
    return GameError(f"the SMTP server: {words}")


def _is_loopback(host: str) -> bool:
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


class Delivery:
    """One mail on its way, which can be given up from any thread."""

    def __init__(self, server: SmtpServer, name: str) -> None:
        self._server = server
        self._name = name
        self._session: SMTP | None = None
        self._is_given_up = False

    def run(self, message: "EmailMessage") -> None:
        """Hand the mail in.

        :raises OSError: nobody took it; what the error says may name the address
        """
        import smtplib

        server = self._server
        # Known before it connects: who is slow may be so from the first sign on.
        kind = smtplib.SMTP_SSL if server.security == "tls" else smtplib.SMTP
        self._session = session = kind.__new__(kind)
        watch = threading.Timer(_MAIL_S, self.give_up)
        watch.daemon = True
        watch.start()
        try:
            if isinstance(session, smtplib.SMTP_SSL):
                context = ssl.create_default_context()
                session.__init__(server.host, server.port, self._name, timeout=_STEP_S, context=context)  # type: ignore[misc]
            else:
                session.__init__(server.host, server.port, self._name, timeout=_STEP_S)  # type: ignore[misc]
            self._hand_in(session, message)
        finally:
            watch.cancel()
            with suppress(AttributeError):  # It has never been connected.
                session.close()

    def _hand_in(self, session: "SMTP", message: "EmailMessage") -> None:
        if self._is_given_up:
            raise TimeoutError
        if self._server.security == "starttls":
            # Refused if the server has none: nobody on the way may talk us out of it.
            session.starttls(context=ssl.create_default_context())
        if self._server.user:
            session.login(self._server.user, self._server.password)
        session.send_message(message)
        with suppress(OSError):  # It has been taken.
            session.quit()

    def give_up(self) -> None:
        """Cut the connection: whoever waits for it hears so at once."""
        self._is_given_up = True
        place: socket.socket | None = getattr(self._session, "sock", None)
        if place is not None:
            with suppress(OSError):
                place.shutdown(socket.SHUT_RDWR)
