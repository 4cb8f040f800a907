"""What a server is started with."""

import ipaddress
import os
import re
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final
from urllib.parse import urlsplit

from tichu.core.errors import GameError
from tichu.server.hosts import is_name
from tichu.server.mail.addresses import is_address
from tichu.server.mail.smtp import SmtpServer, parse_smtp

__all__ = ["FRAME_BYTES", "Config", "Limits", "QuickRules", "data_folder"]

#: No message of a client is longer.
FRAME_BYTES: Final = 8192
_NODE_NAME: Final = re.compile(r"[A-Za-z0-9_-]{1,40}")
_SECRET_SIGNS: Final = 16


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """How much one socket and one address may do; the numbers are far from what people at a table need."""

    #: A request must be complete within this many seconds.
    request_seconds: float = 10.0
    #: The first message of a socket must come within this many seconds.
    hello_seconds: float = 10.0
    #: Messages of a socket a second, and how many at once.
    socket_rate: float = 10.0
    socket_burst: int = 40
    #: A socket that goes on against this many refusals is closed.
    socket_rejections: int = 100
    #: Requests and new sockets of an address a second, and how many at once.
    address_rate: float = 20.0
    address_burst: int = 200
    #: New players and tables of an address a minute, and how many at once.
    making_rate: float = 20.0
    making_burst: int = 40
    #: Requests of an address of one kind that takes much work (a replay, a file, a picture) a second, and at once.
    costly_rate: float = 2.0
    costly_burst: int = 30
    #: Tables of an address at a time, and of all; after that nobody makes one.
    address_tables: int = 40
    tables: int = 10_000
    #: Players of an address who look for a match at a time, and of all.
    address_searches: int = 40
    searches: int = 2000
    #: Open tables of an address that are offered to everybody at a time.
    address_offers: int = 5
    #: A table at which nobody is and nothing goes on leaves memory after this many seconds.
    rest_seconds: float = 60.0
    #: Codes that an address may look up a minute, and how many at once.
    code_rate: float = 20.0
    code_burst: int = 20
    #: Connections of an address at a time, whatever is said over them; a trusted proxy's are not counted.
    address_connections: int = 256
    #: Sockets and streams of an address at a time.
    connections: int = 64
    #: Sockets and streams at a table at a time; after that only those are let in who have a seat there.
    table_connections: int = 1000
    #: Games that are reviewed or wait for it, of all and of a person; 0 for no reviews.
    reviews: int = 60
    person_reviews: int = 4
    #: Games that a person and an address may have reviewed in a day.
    person_reviews_a_day: int = 20
    address_reviews_a_day: int = 60
    #: Worlds for a decision of a review at most: the dearest decisions cost in proportion.
    review_worlds: int = 640
    #: Hands and answers of people who practise that are dealt, judged or wait for it; 0 for no trainers.
    practice: int = 8
    #: Hands and answers of an address a minute, and how many at once.
    practice_rate: float = 30.0
    practice_burst: int = 30
    #: Worlds in which an answer is compared with the champion's.
    practice_worlds: int = 120
    #: Tries to log in to an account a minute from one address, and how many at once; from all together, but for those
    #: where its owner is known; and those of an address.
    login_rate: float = 2.0
    login_burst: int = 10
    account_login_rate: float = 10.0
    account_login_burst: int = 60
    address_login_rate: float = 20.0
    address_login_burst: int = 40
    #: New accounts of an address a minute, and how many at once; nobody tidies them away.
    account_rate: float = 0.5
    account_burst: int = 20
    #: Mails an hour to an address that is to be confirmed, for an account that wants it, and for one to be recovered.
    mails: int = 3
    #: Mails an hour that an address of the network may ask for, whoever they are for.
    address_mails: int = 20
    #: Mails an hour to addresses that nobody has confirmed, whoever asks: a server is not made to write to strangers.
    confirmations: int = 200
    #: Messages that wait for a slow reader; after that it gets a snapshot.
    waiting: int = 64
    #: Reports of a person and of an address a minute, and how many at once.
    report_rate: float = 0.2
    report_burst: int = 5
    #: Seconds that a posted command waits for its answer, which a bomb may hold back.
    answer_seconds: float = 30.0
    #: Seconds between the empty lines of a quiet stream.
    keep_alive_seconds: float = 15.0


@dataclass(frozen=True, slots=True, kw_only=True)
class QuickRules:
    """What is played in matches that the server brings together."""

    #: As in a table's settings.
    rules: str = "standard"
    #: How long bots take, and bomb windows.
    pace: float = 1.0
    #: Seconds after which bots are offered in the place of people.
    bots_seconds: float = 45.0
    #: Whether people of one address meet in rated matches, as in a club behind one router.
    same_address: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Config:
    """Where a server listens, keeps its things, and what it believes.

    >>> Config(public_url="https://example.org/tichu").origins
    frozenset({'https://example.org'})
    """

    host: str = "127.0.0.1"
    port: int = 8080
    #: As in :func:`tichu.server.store.open_store`.
    database: str = ":memory:"
    #: How the world sees this server; without it links say what the browser said.
    public_url: str = ""
    #: The path under which a proxy shows this server, as ``/tichu``; cut off before anything else.
    prefix: str = ""
    #: Addresses or networks of proxies whose ``X-Forwarded-For`` and ``X-Forwarded-Proto`` are believed.
    trusted_proxies: tuple[str, ...] = ()
    #: Other names by which this server is reached; addresses and names of the local network need not be told.
    more_names: tuple[str, ...] = ()
    #: Other origins whose pages may talk to this server.
    more_origins: tuple[str, ...] = ()
    #: Finished games are forgotten after this many days; 0 keeps them.
    retention_days: float = 0.0
    #: A table that nobody has visited for this many days is closed.
    table_days: float = 30.0
    #: A player in no kept game and without a seat is forgotten after this many days without a visit; 0 keeps them.
    player_days: float = 180.0
    #: Whether browsers may keep the page in a service worker; without, one that is there removes itself.
    service_worker: bool = False
    #: Processes in which bots think.
    workers: int = 1
    #: Who shows this token may read ``/metrics``; without one nobody may, since numbers can tell of cards.
    metrics_token: str = ""
    #: A port of its own for the metrics, on the loopback address; 0 for none.
    metrics_port: int = 0
    #: Who shows this token may do what operators do; without one nobody may over HTTP.
    operator_token: str = ""
    #: Where mail is handed in, as ``smtp://user:password@host:587``; without it there is none.
    smtp: str = field(default="", repr=False)
    #: Whom mail comes from.
    mail_from: str = ""
    #: The name of this node among others that share the database; without one a server has it alone.
    node: str = ""
    #: Where the other nodes reach this one.
    node_url: str = ""
    #: What nodes prove themselves with to each other.
    node_secret: str = ""
    limits: Limits = field(default_factory=Limits)
    quick: QuickRules = field(default_factory=QuickRules)

    def __post_init__(self) -> None:
        if self.prefix and (not self.prefix.startswith("/") or self.prefix.endswith("/") or "//" in self.prefix):
            raise GameError(f"the prefix {self.prefix!r} is written /tichu: a slash before it, none after it")
        for proxy in self.trusted_proxies:
            try:
                ipaddress.ip_network(proxy, strict=False)
            except ValueError:
                raise GameError(f"the trusted proxy {proxy!r} is neither an address nor a network") from None
        for url in (self.public_url, *self.more_origins):
            if url and not _is_web_address(url):
                raise GameError(f"{url!r} is not a web address; it is written https://example.org")

        self._check_mail()
        self._check_node()
        for name in self.more_names:
            if not is_name(name):
                raise GameError(f"{name!r} is not the name of a server; it is written tichu.example.org")

    def _check_mail(self) -> None:
        if not self.smtp:
            if self.mail_from:
                raise GameError("an address that mail comes from needs a server that takes it: --smtp smtp://host:587")
            return
        parse_smtp(self.smtp)
        if not is_address(self.mail_from):
            raise GameError(
                f"{self.mail_from!r} is no address that mail could come from: --mail-from tichu@example.org"
            )
        if not self.public_url:
            raise GameError("mail names the site that it comes from: --public-url https://example.org")

    def _check_node(self) -> None:
        if not self.node:
            return
        if _NODE_NAME.fullmatch(self.node) is None:
            raise GameError(f"{self.node!r} is not the name of a node; it has up to 40 letters, digits, _ and -")
        if not self.database.startswith(("postgresql://", "postgres://")):
            raise GameError("nodes share a PostgreSQL database: --database postgresql://...")
        if not _is_web_address(self.node_url) or urlsplit(self.node_url).scheme != "http":
            raise GameError(
                f"{self.node_url!r} is not where other nodes reach this one; it is written http://10.0.0.1:8080"
            )
        if (
            len(self.node_secret) < _SECRET_SIGNS
            or not self.node_secret.isascii()
            or not self.node_secret.isprintable()
        ):
            raise GameError(f"the secret of the nodes has at least {_SECRET_SIGNS} plain signs: --node-secret")

    @property
    def mail_server(self) -> SmtpServer | None:
        """Where mail is handed in, if anywhere."""
        return parse_smtp(self.smtp) if self.smtp else None

    @property
    def names(self) -> frozenset[str]:
        """The names that are always right, in small letters."""
        public = urlsplit(self.public_url).hostname
        return frozenset(name.rstrip(".").lower() for name in (public, *self.more_names) if name)

    @property
    def origins(self) -> frozenset[str]:
        """The origins that are always right, besides the one that a request was made to."""
        return frozenset(origin_of(url) for url in (self.public_url, *self.more_origins) if url)


def _is_web_address(url: str) -> bool:
    try:
        parts = urlsplit(url)
        # Whoever asks for a port that is none hears an error.
        is_plain = parts.port != -1 and not parts.query and not parts.fragment
        return parts.scheme in ("http", "https") and bool(parts.hostname) and is_plain
    except ValueError:
        return False


def origin_of(url: str) -> str:
    """Scheme, host and port.

    >>> origin_of("https://Example.org/tichu")
    'https://example.org'
    """
    parts = urlsplit(url)
    return f"{parts.scheme}://{parts.netloc}".lower()


def data_folder() -> Path:
    """Where a user's games are kept if nothing else is said."""
    if os.name == "nt":
        base = os.environ.get("LOCALAPPDATA") or Path.home() / "AppData" / "Local"
    else:
        base = os.environ.get("XDG_DATA_HOME") or Path.home() / ".local" / "share"
    return Path(base) / "tichu"
