"""Nothing secret is in anything that a run of the real program leaves behind."""

import json
import secrets
import signal
import socket
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any, Final

import httpx
import pytest
from websockets.exceptions import WebSocketException
from websockets.sync.client import connect

from tests.server.authenticator import Authenticator
from tests.server.left_behind import Program, database_of, files_of, forms_of, leaks, running
from tests.server.test_tokens import bearer

#: What everybody may know: it must be found, or nobody has looked in the right places.
NAME: Final = "Adalberta"
_LIMITS: Final = (
    *("login_burst", "address_login_burst", "account_burst", "making_burst", "address_burst", "costly_burst"),
    *("account_login_burst", "code_burst"),
)
_SECRET_FIELDS: Final = ("token", "key")


def drawn(what: str) -> str:
    """A password or the like with signs that are written otherwise in addresses and in JSON."""
    return f'{what}/"&ä {secrets.token_urlsafe(9)}'


class Visitors:
    """People with browsers and programs; all that they are told is kept, and all that they must keep for themselves."""

    def __init__(self, *urls: str, operators: dict[str, str]) -> None:
        self.urls = urls
        self._turn = 0
        self.http = httpx.Client(timeout=30)
        self.secrets = dict(operators)
        self.heard: dict[str, bytes] = {}
        #: Where a secret was told to whom it belongs.
        self.given: set[tuple[str, str]] = set()

    def __enter__(self) -> "Visitors":
        return self

    def __exit__(self, *error: object) -> None:
        self.http.close()

    @property
    def url(self) -> str:
        """Of one node after the other."""
        self._turn += 1
        return self.urls[self._turn % len(self.urls)]

    def keep(self, secret: str, place: str = "") -> str:
        """Something that nobody else may know."""
        name = next((name for name, known in self.secrets.items() if known == secret), f"secret {len(self.secrets)}")
        self.secrets[name] = secret
        self.given.add((place, name))
        return secret

    def ask(self, method: str, path: str, body: Any = None, token: str | None = None, **options: Any) -> httpx.Response:
        """Ask one of the servers; whatever it gives away is kept."""
        options.setdefault("headers", {}).update({} if token is None else bearer(token))
        if body is not None:
            options["json"] = body
        answer = self.http.request(method, self.url + path, **options)
        place = self.note(f"{method} {path}", answer)
        if answer.is_success and answer.headers.get("content-type", "").startswith("application/json"):
            self._keep_given(answer.json(), place)
        return answer

    def note(self, what: str, answer: httpx.Response) -> str:
        """All of an answer; where it is to be found."""
        place = f"answer {len(self.heard)} to {what}"
        head = "".join(f"{name}: {value}\n" for name, value in answer.headers.items())
        self.heard[place] = f"{answer.status_code}\n{head}\n".encode() + answer.content
        return place

    def _keep_given(self, told: Any, place: str) -> None:
        if isinstance(told, dict):
            for field, value in told.items():
                if field in _SECRET_FIELDS and isinstance(value, str):
                    self.keep(value, place)
                elif field == "codes":
                    for code in value:
                        self.keep(code, place)
                else:
                    self._keep_given(value, place)

    def done(self, method: str, path: str, body: Any = None, token: str | None = None, **options: Any) -> Any:
        """The same for what has to work."""
        answer = self.ask(method, path, body, token, **options)
        assert answer.is_success, (method, path, answer.text)
        return answer.json()

    def converse(self, *frames: str | bytes, path: str = "/ws/v1", **headers: str) -> None:
        """Say something on a socket, and hear everything until it ends or nothing more comes."""
        place = f"socket {len(self.heard)}"
        said: list[bytes] = []
        with suppress(WebSocketException, TimeoutError, OSError):
            url = self.url.replace("http", "ws", 1) + path
            host, port = url.split("/")[2].split(":")
            with (
                socket.create_connection((host, int(port)), 5) as plug,
                connect(url, sock=plug, additional_headers=headers, compression=None, proxy=None) as one,
            ):
                for frame in frames:
                    one.send(frame)
                    heard = one.recv(timeout=5)
                    said.append(heard if isinstance(heard, bytes) else heard.encode())
        for text in said:
            told = json.loads(text)
            # Whoever comes with a token is told to keep it.
            if told.get("type") == "welcome" and (token := told["you"].get("token")):
                self.keep(token, place)
        self.heard[place] = b"\n".join(said)


# What people do.


def live(people: Visitors) -> tuple[str, str]:
    """Everything in which a secret plays a part; an id of a table and a token that is good."""
    word, wrong, other = (people.keep(drawn(what)) for what in ("right", "wrong", "other"))
    guest = people.done("POST", "/api/tables", {"name": "Guest of the house", "seats": ["you", "easy", "easy", "easy"]})
    table = guest["table"]["id"]
    key = people.keep(guest["seatLink"].split("#key=")[1], list(people.heard)[-1])
    ada = people.done("POST", "/api/accounts", {"name": NAME, "password": word}, guest["you"]["token"])
    assert ada["player"] == guest["you"]["player"]
    people.ask("POST", "/api/login", {"name": NAME, "password": wrong})
    people.done("POST", "/api/login", {"name": NAME, "password": word, "device": "phone"})
    token = people.done("POST", "/api/login/recovery", {"name": NAME, "code": ada["codes"][0], "password": other})[
        "token"
    ]
    people.done("POST", "/api/me/password", {"password": other, "newPassword": word}, token)
    people.done("POST", "/api/me/codes", {"password": word}, token)
    token = people.done("POST", "/api/me/token", None, token)["token"]
    second = people.done("POST", "/api/players", {"name": "On a phone"})
    people.done("POST", "/api/me/guests", {"token": second["token"]}, token)
    use_passkey(people, token, word)
    fresh = people.done("POST", f"/api/tables/{table}/key", None, token)
    for shown in (key, guest["you"]["token"], fresh["key"], token):
        people.converse(json.dumps({"type": "hello", "table": table, "token": shown, "name": ""}), '{"type": "ping"}')
    people.converse(json.dumps({"type": "hello", "table": table, "key": fresh["key"], "name": "", "device": "d"}))
    answer = people.http.post(f"{people.url}/api/qr", json={"path": f"/t/{table}#key={fresh['key']}"})
    assert answer.is_success
    people.note("a picture", answer)
    operate(people, ada["player"], token)
    for path in ("/api/me/export", "/api/me", "/api/me/account", "/api/me/people", "/api/games"):
        people.done("GET", path, None, token)
    return table, token


def use_passkey(people: Visitors, token: str, word: str) -> None:
    """Make one and log in with it, twice with the same credential."""
    # Behind a proxy all nodes have one name.
    host = f"localhost:{people.url.rpartition(':')[2]}"
    passkey = Authenticator(f"http://{host}", "localhost")
    options = people.done("POST", "/api/me/passkeys/options", None, token, headers={"host": host})["options"]
    made = {"credential": passkey.make(options), "name": "a test", "password": word}
    people.done("POST", "/api/me/passkeys", made, token, headers={"host": host})
    options = people.done("POST", "/api/login/passkey/options", headers={"host": host})["options"]
    shown = {"credential": passkey.show(options)}
    people.done("POST", "/api/login/passkey", shown, headers={"host": host})
    assert people.ask("POST", "/api/login/passkey", shown, headers={"host": host}).status_code == 403


def operate(people: Visitors, player: str, token: str) -> None:
    """What an operator does, and is told."""
    bob = people.done("POST", "/api/players", {"name": "Bob"})
    people.done("POST", f"/api/players/{player}/reports", {"reason": "abuse", "words": "hm"}, bob["token"])
    operator = people.secrets["TICHU_OPERATOR_TOKEN"]
    for path in ("/players?q=Ada", "/acts", "/reports", "/matches", "/statistics"):
        people.done("GET", f"/api/operator{path}", None, operator)
    people.done("POST", f"/api/operator/players/{player}/mute", {"seconds": 60, "why": "hm"}, operator)
    for shown in (token, operator[:-1], operator + "x"):
        assert people.ask("GET", "/api/operator/acts", None, shown).status_code == 404


# What goes wrong.


def bodies_with(secret: str) -> Iterator[tuple[str, str, bytes]]:
    """Where secrets belong into a body, and bodies that are none."""
    whole: dict[str, dict[str, Any]] = {
        "/api/accounts": {"name": NAME, "password": secret},
        "/api/login": {"name": NAME, "password": secret},
        "/api/login/recovery": {"name": NAME, "code": secret, "password": secret},
        "/api/login/passkey": {"credential": secret},
        "/api/me/password": {"password": secret, "newPassword": secret},
        "/api/me/codes": {"password": secret},
        "/api/me/guests": {"token": secret},
        "/api/me/farewell": {"password": secret},
        "/api/me/passkeys": {"credential": secret, "name": "", "password": secret},
        "/api/players": {"name": "", "kind": secret},
        "/api/tables": {"name": "", "seats": [], "start": secret},
        "/api/quick": {"rated": False, "speed": secret},
        "/api/qr": {"path": secret},
    }
    for path, body in whole.items():
        text = json.dumps(body)
        yield path, "whole", text.encode()
        yield path, "cut", text[: text.index(secret[-5:]) + 5].encode()
        yield path, "more behind it", f"{text} {secret}".encode()
        yield path, "in lists", json.dumps({field: [value] for field, value in body.items()}).encode()
        yield path, "in other fields", json.dumps({**body, secret: 1}).encode()
        yield path, "as a field's value", json.dumps({**body, "more": secret}).encode()
        yield path, "too long", json.dumps(dict.fromkeys(body, secret * 99)).encode()
        yield path, "much too long", json.dumps({"password": secret * 4000}).encode()
        yield path, "no JSON", secret.encode()
        yield path, "a text", json.dumps(secret).encode()
        yield path, "no text", secret.encode("utf-16")
        yield path, "half a sign", text.replace(secret, secret + "\\ud800").encode()


def err(people: Visitors, table: str, token: str, secret: str) -> None:
    """Show a secret wherever it does not belong."""
    for path, what, body in bodies_with(secret):
        for kind in ("application/json", "application/x-www-form-urlencoded"):
            headers = {"content-type": kind, **bearer(token)}
            answer = people.http.post(people.url + path, content=body, headers=headers)
            people.note(f"{path}, {what}", answer)
            assert answer.status_code < 500, (path, what, answer.text)
    places = (
        "/",
        "/api/",
        "/api/tables/",
        "/api/codes/",
        "/api/players/",
        "/api/games/",
        "/api/me/",
        "/t/",
        "/ws/v1/tables/",
    )
    for place in places:
        for method in ("GET", "POST", "DELETE", "PUT"):
            people.ask(method, f"{place}{httpx.URL('/' + secret).raw_path.decode()[1:]}", {}, token)
            people.ask(method, place, {}, token, params={"token": secret, secret: "x", "before": secret, "q": secret})
    for headers in odd_headers(secret):
        for method, path in (
            ("GET", "/api/me"),
            ("POST", "/api/players"),
            ("GET", f"/api/tables/{table}/stream?since=x"),
        ):
            people.ask(method, path, {} if method == "POST" else None, headers=dict(headers))
        people.converse(json.dumps({"type": "hello", "table": table, "name": ""}), **headers)
    for line in broken_requests(secret):
        people.heard[f"bytes {len(people.heard)}"] = exchange(people.url, line)
    say_wrong_things(people, table, token, secret)


def odd_headers(secret: str) -> list[dict[str, str]]:
    plain = secret.encode().hex()
    values = (
        plain,
        f"Basic {plain}",
        f"Bearer  {plain} {plain}",
        f"bearer\t{plain}",
        "Bearer",
        f"Token {plain}",
        f"Bearer{plain}",
    )
    named = (
        "cookie",
        "user-agent",
        "x-forwarded-for",
        "forwarded",
        "referer",
        "origin",
        "accept-encoding",
        "range",
        "x-tichu",
    )
    return [
        *({"authorization": value} for value in values),
        *({name: f"token={plain}"} for name in named),
        {"origin": f"http://{plain[:60]}.example.org"},
        {"sec-websocket-protocol": plain},
        {"if-none-match": plain, "accept": plain, "content-type": plain},
    ]


def broken_requests(secret: str) -> list[bytes]:
    said, host = secret.encode(), b"\r\nHost: localhost\r\n"
    return [
        said + b"\r\n\r\n",
        b"GET /" + said + b" HTTP/1.1" + host + b"\r\n",
        b"GET /api/me HTTP/1.1" + host + b"Authorization: Bearer " + said + b"\r\n\r\n",
        b"GET /api/me HTTP/1.1" + host + said + b"\r\n\r\n",
        b"GET /api/me HTTP/1.1" + host + b"Authorization: Bearer \x00" + said + b"\r\n\r\n",
        b"GET /api/me HTTP/9.9" + host + b"Authorization: Bearer " + said + b"\r\n\r\n",
        b"POST /api/login HTTP/1.1" + host + b"Content-Type: application/json\r\nContent-Length: 999\r\n\r\n{" + said,
        b"POST /api/login HTTP/1.1"
        + host
        + b"Content-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\nzz"
        + said,
        b"GET /api/me HTTP/1.1" + host + b"X: " + said * 9000 + b"\r\n\r\n",
    ]


def exchange(url: str, data: bytes) -> bytes:
    """What a server answers to these bytes, and then the end of them."""
    host, port = url.removeprefix("http://").split(":")
    heard = b""
    with suppress(OSError), socket.create_connection((host, int(port)), 5) as one:
        one.settimeout(5)
        one.sendall(data)
        one.shutdown(socket.SHUT_WR)
        while some := one.recv(65536):
            heard += some
    return heard


def say_wrong_things(people: Visitors, table: str, token: str, secret: str) -> None:
    hello = json.dumps({"type": "hello", "table": table, "token": token, "name": ""})
    first = [
        json.dumps({"type": "hello", "table": secret, "token": secret, "key": secret, "name": ""}),
        json.dumps({"type": "hello", "table": table, "token": secret, "key": secret, "name": "", "device": "d"}),
        json.dumps({"type": "hello", "table": table, "token": [secret], "name": ""}),
        json.dumps({"type": "hello", "table": table, "token": secret, "since": secret, "name": ""}),
        json.dumps({"type": secret}),
        hello[:-3],
        secret,
    ]
    later = [
        json.dumps({"type": secret, "id": "a"}),
        json.dumps({"type": "TABLE.SIT", "id": "s", "seat": secret}),
        json.dumps({"type": "TABLE.EMOTE", "id": "e", "emote": secret}),
        json.dumps({"type": "TICHU.PLAY_CARDS", "id": "p", "cards": [secret]}),
        json.dumps({"type": "TABLE.PUT_BOT", "id": "b", "seat": secret, "bot": "easy"}),
        json.dumps({"type": "TABLE.CHANGE_SETTINGS", "id": "s", "settings": {"pace": secret}}),
        hello,
        hello[: len(hello) // 2],
        json.dumps({"type": "hello", "token": secret * 900}),
    ]
    for frame in first:
        people.converse(frame)
        people.converse(frame.encode())
    for frame in later:
        people.converse(hello, frame)
        people.ask(
            "POST",
            f"/api/tables/{table}/commands",
            None,
            token,
            content=frame,
            headers={"content-type": "application/json"},
        )
    people.converse(hello, path=f"/ws/v1/tables/{httpx.URL('/' + secret).raw_path.decode()[1:]}")


# What is left.


def variables() -> dict[str, str]:
    """What an operator sets, and tells nobody."""
    names = ("TICHU_OPERATOR_TOKEN", "TICHU_METRICS_TOKEN", "TICHU_NODE_SECRET")
    return {name: f"{name.lower()}/&=+{secrets.token_urlsafe(12)}" for name in names}


def options_of(url: str) -> list[str]:
    database = ["--database", url] if url.startswith("postgres") else []
    return [*database, *(part for limit in _LIMITS for part in ("--limit", f"{limit}=100000"))]


def test_a_server_alone_leaves_no_secret_behind(url: str, tmp_path: Path) -> None:
    operators = variables()
    program = Program(tmp_path, *options_of(url), **operators)
    with running(program), Visitors(program.url, operators=operators) as people:
        table, token = live(people)
        err(people, table, token, people.keep(drawn("mistaken")))
        places = {"metrics": program.metrics().encode()}
        assert people.ask("GET", "/metrics", None, operators["TICHU_METRICS_TOKEN"]).is_success
        program.end(signal.SIGTERM)
        places |= files_of(tmp_path / "data")
        program.begin()
        people.done("GET", "/api/me", None, token)
        live_again(people)
        program.end(signal.SIGKILL)
        places |= {f"{name} after a kill": text for name, text in files_of(tmp_path / "data").items()}
        program.begin()
        people.done("GET", "/api/me", None, token)
        if url.startswith("postgres"):
            places |= database_of(url)
        program.end(signal.SIGTERM)
    look(people, places | program.traces())


@pytest.mark.parametrize("url", ["postgres"], indirect=True)
def test_nodes_leave_no_secret_behind(url: str, tmp_path: Path) -> None:
    operators = variables()
    first, second = (
        Program(tmp_path / name, *options_of(url), "--node", name, **operators) for name in ("first", "second")
    )
    with running(first), running(second), Visitors(first.url, second.url, operators=operators) as people:
        table, token = live(people)
        err(people, table, token, people.keep(drawn("mistaken")))
        places = {"metrics": first.metrics().encode(), "metrics of the second": second.metrics().encode()}
        first.end(signal.SIGKILL)
        people.urls = (second.url,)
        live_again(people)
        first.begin()
        people.urls = (first.url, second.url)
        for _ in range(2):
            people.done("GET", "/api/me", None, token)
        second.end(signal.SIGTERM)
        first.end(signal.SIGTERM)
        places |= files_of(tmp_path / "first" / "data") | files_of(tmp_path / "second" / "data") | database_of(url)
    look(people, places | first.traces() | {f"{name} of the second": text for name, text in second.traces().items()})


def live_again(people: Visitors) -> None:
    """After a restart; what is written now is still in the write-ahead log when the server is killed."""
    word = people.keep(drawn("later"))
    later = people.done("POST", "/api/accounts", {"name": "Later", "password": word})
    people.done("POST", "/api/login/recovery", {"name": "Later", "code": later["codes"][3], "password": word})


def look(people: Visitors, places: dict[str, bytes]) -> None:
    """Search all of it, and prove that the search would find something."""
    assert len(people.secrets) > 40
    everything = {**people.heard, **places}
    found = leaks(everything, people.secrets, people.given)
    assert found == [], "\n".join(f"{place}: {name}" for place, name in found)
    # Whatever anybody may know is where one would look for it.
    known = {place for place, _ in leaks(everything, {"name": NAME})}
    assert any("/api/operator/players" in place for place in known)
    assert known & {"tichu.db", "all rows"}
    assert "tichu_" in places["metrics"].decode()
    assert b"Tables at http" in places["said"]
    assert b" DEBUG " in places["said"]
    assert b"serve" in places["arguments"]
    for place, text in everything.items():
        secret = people.secrets["TICHU_OPERATOR_TOKEN"]
        for form in forms_of(secret):
            assert leaks({place: text + form}, {"planted": secret})[:1] == [(place, "planted")]
