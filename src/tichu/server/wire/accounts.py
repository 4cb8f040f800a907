"""Accounts over HTTP: how to become one, how to come back, and what belongs to it."""

from typing import Annotated, Literal

from msgspec import Meta

from tichu.server.wire.parts import Name, Time
from tichu.server.wire.requests import Answered, Asked

__all__ = [
    "AccountInfo",
    "Codes",
    "Credentials",
    "Device",
    "EmailCode",
    "EmailInfo",
    "EmailRemoval",
    "Entered",
    "Farewell",
    "GuestToken",
    "LoginWays",
    "MailAsked",
    "MailRequest",
    "NewAccount",
    "NewEmail",
    "NewName",
    "NewPasskey",
    "NewPassword",
    "Passkey",
    "PasskeyList",
    "PasskeyOptions",
    "Password",
    "Proof",
    "Recovery",
    "SeatKey",
    "Session",
    "SessionsEnded",
    "ShownPasskey",
]

Password = Annotated[str, Meta(max_length=200)]
Device = Annotated[str, Meta(max_length=60)]
_Code = Annotated[str, Meta(max_length=60)]
#: What a mail is written in.
_Language = Literal["en", "de", "ko"]


class NewAccount(Asked, frozen=True, kw_only=True):
    """Asks for an account, for the guest whose token is shown or for somebody new."""

    #: Nobody else may have it, or one that looks like it; empty keeps the guest's.
    name: Name = ""
    #: Eight signs at least.
    password: Password
    #: What the session is called in the list of sessions.
    device: Device = ""


class Credentials(Asked, frozen=True, kw_only=True):
    """Proves who somebody is by a password."""

    #: Of the account; large and small letters do not matter.
    name: Name
    #: Of the account.
    password: Password
    #: What the session is called in the list of sessions.
    device: Device = ""


class Recovery(Asked, frozen=True, kw_only=True):
    """Proves who somebody is by a recovery code or one from a mail, which is used up; all sessions end."""

    #: Of the account.
    name: Name
    #: As it was written down; hyphens and spaces do not matter.
    code: _Code
    #: From now on.
    password: Password
    #: What the session is called in the list of sessions.
    device: Device = ""
    #: Of the mail about it, if there is one.
    language: _Language = "en"


class LoginWays(Answered, frozen=True, kw_only=True):
    """How one can come back to an account here, besides a password and a recovery code."""

    #: Whether a code can be sent to an address that the account has.
    mail: bool


class MailRequest(Asked, frozen=True, kw_only=True):
    """Asks for a code by mail, in place of a recovery code."""

    #: Of the account.
    name: Name
    #: Of the mail.
    language: _Language = "en"


class MailAsked(Answered, frozen=True, kw_only=True):
    """If there is such an account, and it has an address, it gets a mail; nobody is told whether there is."""

    #: How long the code is good.
    minutes: int


class EmailInfo(Answered, frozen=True, kw_only=True):
    """The e-mail address of an account, as far as its owner needs to know it again."""

    #: Its first sign and what follows ``@``; empty if there is none.
    address: str
    #: The same of one that a code was sent to, which is not entered yet.
    pending: str


class NewEmail(Asked, frozen=True, kw_only=True):
    """Asks for a code to be sent to an address, which is the account's as soon as the code is entered."""

    #: Plain: ``ada@example.org``.
    email: Annotated[str, Meta(max_length=254)]
    #: Of the account, once more.
    password: Password
    #: Of the mail.
    language: _Language = "en"


class EmailCode(Asked, frozen=True, kw_only=True):
    """Shows that the mail has come."""

    #: As in the mail.
    code: _Code
    #: Of the mail to the former address.
    language: _Language = "en"


class EmailRemoval(Asked, frozen=True, kw_only=True):
    """Asks for the address to be forgotten."""

    #: Of the account, once more.
    password: Password
    #: Of the mail to it.
    language: _Language = "en"


class Entered(Answered, frozen=True, kw_only=True):
    """A session of an account.  Token and codes are told only here: keep them secret."""

    #: The public id; that of the guest, if it was one.
    player: str
    #: As others see it.
    name: str
    #: For ``Authorization: Bearer TOKEN``, and for hello on a socket.
    token: str
    #: Each is good for one time when the password is lost; only a new account is told them.
    codes: tuple[str, ...]


class Session(Answered, frozen=True, kw_only=True):
    """Where an account is logged in."""

    #: Ends it at ``/api/me/sessions/{session}``.
    id: str
    #: As it was called when it began.
    device: str
    #: In milliseconds since 1970.
    created: Time
    #: When its token was last used.
    seen: Time
    #: When its token will no longer be good; every use moves it.
    expires: Time
    #: Whether it is the one that asks.
    current: bool


class AccountInfo(Answered, frozen=True, kw_only=True):
    """What belongs to the account of whoever asks."""

    #: The public id.
    player: str
    #: As others see it.
    name: str
    #: In milliseconds since 1970.
    created: Time
    #: The one that was used last comes first.
    sessions: tuple[Session, ...]
    #: How many recovery codes have not been used.
    codes_left: int
    #: Null where the server sends no mail.
    email: EmailInfo | None


class Proof(Asked, frozen=True, kw_only=True):
    """The password once more, for what somebody who found an open browser must not do."""

    #: Of the account.
    password: Password


class NewPassword(Asked, frozen=True, kw_only=True):
    """Asks for another password; all other sessions end."""

    #: As it is.
    password: Password
    #: As it will be.
    new_password: Password


class NewName(Asked, frozen=True, kw_only=True):
    """Asks for another name."""

    #: Nobody else may have it, or one that looks like it.
    name: Name


class Codes(Answered, frozen=True, kw_only=True):
    """Recovery codes in place of the former ones; they are told only here."""

    #: Each is good for one time.
    codes: tuple[str, ...]


class SessionsEnded(Answered, frozen=True, kw_only=True):
    """The tokens of these sessions are nobody's any more; all sockets that were opened with them are closed."""

    #: How many there were.
    ended: int


class SeatKey(Answered, frozen=True, kw_only=True):
    """A key for one's seat at one table, to play on from another device until the game ends."""

    #: For ``key`` of hello at this table, and as a bearer token for its commands and its stream; keep it secret.
    key: str
    #: The address with the key after ``#key=``, where no server sees it.
    link: str


class Passkey(Answered, frozen=True, kw_only=True):
    """A passkey of the account."""

    #: Forgets it at ``/api/me/passkeys/{passkey}``.
    id: str
    #: As it was called when it was made.
    name: str
    #: In milliseconds since 1970.
    created: Time
    #: When it was last shown; null if never.
    used: Time | None


class PasskeyList(Answered, frozen=True, kw_only=True):
    """All passkeys of the account, the newest first."""

    #: Any of them will do to log in.
    passkeys: tuple[Passkey, ...]


class PasskeyOptions(Answered, frozen=True, kw_only=True):
    """What the browser is asked for; good for five minutes and one answer."""

    #: JSON for ``navigator.credentials``, as WebAuthn writes it.
    options: str


class NewPasskey(Asked, frozen=True, kw_only=True):
    """A passkey that the browser has made."""

    #: The credential as JSON.
    credential: Annotated[str, Meta(max_length=12_000)]
    #: What it is called in the list.
    name: Device = ""
    #: Of the account, once more: a passkey opens it for good.
    password: Password = ""


class ShownPasskey(Asked, frozen=True, kw_only=True):
    """A passkey that the browser shows."""

    #: The credential as JSON.
    credential: Annotated[str, Meta(max_length=12_000)]
    #: What the session is called in the list of sessions.
    device: Device = ""


class GuestToken(Asked, frozen=True, kw_only=True):
    """The token of a guest whose games and seats are to be the account's."""

    #: It ends with this.
    token: Annotated[str, Meta(max_length=64)]


class Farewell(Asked, frozen=True, kw_only=True):
    """Asks to be forgotten for good."""

    #: Of the account; a guest has none.
    password: Password = ""
