"""The mails that are sent, in the languages of the page.

What a stranger may have chosen is in none of them: a mail to an address that is not yet confirmed names no account.
"""

import ipaddress
from typing import TYPE_CHECKING, Final, Literal, NamedTuple
from urllib.parse import urlsplit

if TYPE_CHECKING:
    from email.message import EmailMessage

__all__ = ["LETTERS", "Language", "Letter", "LetterKind", "compose", "name_of"]

Language = Literal["en", "de", "ko"]
LetterKind = Literal["confirm", "recover", "changed", "removed", "recovered", "recovered_by_code"]


class Letter(NamedTuple):
    """A mail to be written."""

    kind: LetterKind
    to: str
    language: Language
    #: Of the account; of no use before the address is confirmed.
    name: str = ""
    code: str = ""


#: By language and kind: the subject, and the text.
LETTERS: Final[dict[Language, dict[LetterKind, tuple[str, str]]]] = {
    "en": {
        "confirm": (
            "Tichu: your code",
            """
Somebody, hopefully you, wants to use this e-mail address for an account at
{site}

The code is

    {code}

Enter it on the page of your account within an hour. If it was not you,
there is nothing to do: without the code this address is used for nothing.
""",
        ),
        "recover": (
            "Tichu: a new password",
            """
Somebody, hopefully you, has lost the password of the account "{name}" at
{site}

The code is

    {code}

Enter it within an hour at {site}/account
under "Password lost?". It is good for one time. If it was not you, there is
nothing to do. Tell nobody the code: nobody from us will ask you for it.
""",
        ),
        "changed": (
            "Tichu: your e-mail address was changed",
            """
The account "{name}" at {site}
has another e-mail address now. This one is no longer used.

If it was not you, change your password at {site}/account
and add your own address again, or come back with one of your recovery codes:
the other address then no longer counts.
""",
        ),
        "removed": (
            "Tichu: your e-mail address was removed",
            """
The account "{name}" at {site}
has no e-mail address any more. This one is no longer used.

If it was not you, change your password at {site}/account, or come
back with one of your recovery codes.
""",
        ),
        "recovered": (
            "Tichu: your password was changed",
            """
The account "{name}" at {site}
has a new password, set with a code from a mail. All its devices are logged
out, and its passkeys are forgotten.

If it was not you, somebody else reads your mail. Come back with one of your
recovery codes at {site}/account: this address then no longer counts.
""",
        ),
        "recovered_by_code": (
            "Tichu: your password was changed",
            """
The account "{name}" at {site}
has a new password, set with a recovery code. All its devices are logged out,
its passkeys are forgotten, and this e-mail address is no longer used.

If it was you, you can add the address again at {site}/account
""",
        ),
    },
    "de": {
        "confirm": (
            "Tichu: dein Code",
            """
Jemand, hoffentlich du, möchte diese E-Mail-Adresse für ein Konto verwenden:
{site}

Der Code ist

    {code}

Gib ihn innerhalb einer Stunde auf der Seite deines Kontos ein. Falls du
das nicht warst, ist nichts zu tun: Ohne den Code wird diese Adresse für
nichts verwendet.
""",
        ),
        "recover": (
            "Tichu: ein neues Passwort",
            """
Jemand, hoffentlich du, hat das Passwort des Kontos „{name}“ verloren:
{site}

Der Code ist

    {code}

Gib ihn innerhalb einer Stunde unter „Passwort verloren?“ ein:
{site}/account
Er gilt einmal. Falls du das nicht warst, ist nichts zu tun. Verrate den Code
niemandem: Niemand von uns fragt dich danach.
""",
        ),
        "changed": (
            "Tichu: deine E-Mail-Adresse wurde geändert",
            """
Das Konto „{name}“ hat jetzt eine andere E-Mail-Adresse:
{site}
Diese hier wird nicht mehr verwendet.

Falls du das nicht warst, ändere dein Passwort und füge deine eigene Adresse
wieder hinzu, oder melde dich mit einem deiner Wiederherstellungscodes an, dann
zählt die andere Adresse nicht mehr:
{site}/account
""",
        ),
        "removed": (
            "Tichu: deine E-Mail-Adresse wurde entfernt",
            """
Das Konto „{name}“ hat keine E-Mail-Adresse mehr:
{site}
Diese hier wird nicht mehr verwendet.

Falls du das nicht warst, ändere dein Passwort oder melde dich mit einem
deiner Wiederherstellungscodes an:
{site}/account
""",
        ),
        "recovered": (
            "Tichu: dein Passwort wurde geändert",
            """
Das Konto „{name}“ hat ein neues Passwort, gesetzt mit einem Code aus einer
Mail:
{site}
Alle Geräte sind abgemeldet, und die Passkeys sind vergessen.

Falls du das nicht warst, liest jemand anderes deine Mails. Melde dich mit
einem deiner Wiederherstellungscodes an, dann zählt diese Adresse nicht mehr:
{site}/account
""",
        ),
        "recovered_by_code": (
            "Tichu: dein Passwort wurde geändert",
            """
Das Konto „{name}“ hat ein neues Passwort, gesetzt mit einem
Wiederherstellungscode:
{site}
Alle Geräte sind abgemeldet, die Passkeys sind vergessen, und diese
E-Mail-Adresse wird nicht mehr verwendet.

Falls du das warst, kannst du die Adresse wieder hinzufügen:
{site}/account
""",
        ),
    },
    "ko": {
        "confirm": (
            "Tichu: 확인 코드",
            """
누군가 이 이메일 주소를 다음 사이트의 계정에 쓰려고 합니다. 본인이 요청한 것이기를 바랍니다.
{site}

코드:

    {code}

한 시간 안에 계정 페이지에 입력하세요. 요청한 적이 없다면 아무것도 하지 않아도 됩니다.
코드를 입력하지 않으면 이 주소는 쓰이지 않습니다.
""",
        ),
        "recover": (
            "Tichu: 새 비밀번호",
            """
누군가 다음 사이트의 계정 “{name}”의 비밀번호를 잊었다고 했습니다. 본인이기를 바랍니다.
{site}

코드:

    {code}

한 시간 안에 다음 페이지의 “비밀번호를 잊었나요?”에 입력하세요. 한 번만 쓸 수 있습니다.
{site}/account
요청한 적이 없다면 아무것도 하지 않아도 됩니다. 코드를 아무에게도 알려 주지 마세요.
운영자도 코드를 묻지 않습니다.
""",
        ),
        "changed": (
            "Tichu: 이메일 주소가 바뀌었습니다",
            """
다음 사이트의 계정 “{name}”의 이메일 주소가 바뀌었습니다. 이 주소는 이제 쓰이지 않습니다.
{site}

본인이 한 일이 아니라면 비밀번호를 바꾸고 본인의 주소를 다시 추가하세요.
또는 복구 코드로 다시 들어오세요. 그러면 바뀐 주소는 더 이상 쓰이지 않습니다.
{site}/account
""",
        ),
        "removed": (
            "Tichu: 이메일 주소가 지워졌습니다",
            """
다음 사이트의 계정 “{name}”에서 이메일 주소가 지워졌습니다. 이 주소는 이제 쓰이지 않습니다.
{site}

본인이 한 일이 아니라면 비밀번호를 바꾸거나 복구 코드로 다시 들어오세요.
{site}/account
""",
        ),
        "recovered": (
            "Tichu: 비밀번호가 바뀌었습니다",
            """
다음 사이트의 계정 “{name}”의 비밀번호를 이메일로 받은 코드로 새로 정했습니다.
{site}
모든 기기에서 로그아웃되었고 패스키는 지워졌습니다.

본인이 한 일이 아니라면 다른 사람이 이 메일을 읽고 있습니다. 복구 코드로 다시 들어오세요.
그러면 이 주소는 더 이상 쓰이지 않습니다.
{site}/account
""",
        ),
        "recovered_by_code": (
            "Tichu: 비밀번호가 바뀌었습니다",
            """
다음 사이트의 계정 “{name}”의 비밀번호를 복구 코드로 새로 정했습니다.
{site}
모든 기기에서 로그아웃되었고 패스키는 지워졌으며, 이 이메일 주소는 이제 쓰이지 않습니다.

본인이 했다면 계정 페이지에서 주소를 다시 추가할 수 있습니다.
{site}/account
""",
        ),
    },
}


def name_of(site: str) -> str:
    """What a site is called in mail, where names are plain and addresses stand in brackets.

    >>> name_of("https://tichu.example/club"), name_of("http://[::1]:8080")
    ('tichu.example', '[IPv6:::1]')
    """
    host = urlsplit(site).hostname or "localhost"
    try:
        address = ipaddress.ip_address(host)
    except ValueError:
        try:
            return host.encode("idna").decode()
        except UnicodeError:  # No name of the net; it is not looked up.
            return "localhost"
    return f"[{address}]" if address.version == 4 else f"[IPv6:{address}]"


def compose(letter: Letter, sender: str, site: str) -> "EmailMessage":
    """The mail as it is sent; its headers hold nothing but checked addresses and words of ours."""
    from email.message import EmailMessage
    from email.policy import SMTP
    from email.utils import formatdate, make_msgid

    subject, text = LETTERS[letter.language][letter.kind]
    # In seven bits, so that it does not matter what is on the way.
    message = EmailMessage(SMTP.clone(cte_type="7bit"))
    message["From"] = f"Tichu <{sender}>"
    message["To"] = letter.to
    message["Subject"] = subject
    message["Date"] = formatdate()
    message["Message-ID"] = make_msgid(domain=name_of(site))
    # RFC 3834: nobody's absence is to be answered to it.
    message["Auto-Submitted"] = "auto-generated"
    message.set_content(text.lstrip("\n").format(site=site, name=letter.name, code=letter.code))
    message["Content-Language"] = letter.language
    return message
