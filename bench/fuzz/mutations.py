"""Cases that are nearly right: one seed and one number make one case, always the same.

A frame is changed as a tree (values, types, sizes, names, nesting), as text, or as bytes; a request in its method,
path, headers and body, or as bytes.  What comes out of a tree is mostly still JSON, so that it gets past the first
door.
"""

import json
from collections.abc import Callable
from random import Random
from typing import Any, Final, NamedTuple

from bench.fuzz.seeds import Place, Seeds

__all__ = ["Case", "Kind", "make_case"]

#: ``text`` and ``binary`` are frames, ``raw`` are bytes on an open socket, ``request`` bytes on a new connection.
Kind = str

_SHARES: Final = (("text", 0.86), ("binary", 0.04), ("raw", 0.01), ("request", 0.09))
#: Longer frames end the connection, which is right and tells nothing.
_LONGEST: Final = 30_000
_MOST_ITEMS: Final = 2_000

_NUMBERS: Final = (0, -1, 4, 255, 2**31, -(2**31) - 1, 2**53 + 1, 2**63, 2**64, -(2**70), 10**400, 1.5, -0.0, 1e308)
_WORDS: Final = (
    "",
    " ",
    "\x00",
    "\u202e\u200d\ufeff",
    "e\u0301" * 20,
    "\ud800",
    "\udfff\ud800",
    "👨‍👩‍👧‍👦",
    "ﷺ" * 30,
    "NONE",
    "null",
    "../../etc/passwd",
    "%00%n%s",
    "' OR 1=1 --",
    "<script>alert(1)</script>",
    "constructor",
    "__proto__",
    "1e999",
    "-0",
    "Ⅷ",
    "٣",
    "Dr",
    "Ph",
    "10",
    "process:true",
    "x.py:X",
)
#: What no JSON library writes by itself.
_LITERALS: Final = ("NaN", "-Infinity", "1e999", "-0", "00", "0x1", "1.", "'x'", "undefined", '"\\ud800"', '"\\u0000"')


class Case(NamedTuple):
    """Something to say."""

    kind: Kind
    data: bytes


def make_case(seeds: Seeds, place: Place, seed: int, number: int) -> Case:
    """The case with this number."""
    rng = Random(f"{seed} {number}")
    kind = rng.choices([name for name, _ in _SHARES], [share for _, share in _SHARES])[0]
    match kind:
        case "request":
            return Case(kind, _request(rng, seeds, place))
        case "raw":
            return Case(kind, _raw(rng, seeds, place))
        case "binary":
            data = rng.randbytes(rng.randrange(300)) if rng.random() < 0.5 else _scar(rng, _frame(rng, seeds, place))
            return Case(kind, data[:_LONGEST])
    text = _frame(rng, seeds, place)
    if rng.random() < 0.25:
        # A text that is no UTF-8 ends the connection, which is right and tells nothing.
        text = _scar(rng, text).decode("utf-8", "replace").encode()
    return Case(kind, text[:_LONGEST].decode("utf-8", "ignore").encode())


def _frame(rng: Random, seeds: Seeds, place: Place) -> bytes:
    tree = _copy(seeds.frame(rng))
    if isinstance(tree.get("id"), str):
        tree["id"] = f"f{rng.randrange(10**9)}"  # Or it would be the answer to an earlier one.
    changed: Any = tree
    for _ in range(rng.choices((0, 1, 2, 3, 6), (5, 50, 25, 15, 5))[0]):
        changed = _change(rng, changed, seeds)
    return _text(rng, changed, place)


def _text(rng: Random, tree: Any, place: Place) -> bytes:
    """JSON, sometimes with something in it that is none."""
    text = place.fill(json.dumps(tree, ensure_ascii=rng.random() < 0.5))
    if rng.random() < 0.05:
        text = text.replace("null", rng.choice(_LITERALS)).replace(": 1", f": {rng.choice(_LITERALS)}")
    if rng.random() < 0.03:
        text = text.replace("{", '{"type":"ping",' if rng.random() < 0.5 else '{"id":"a","id":"b",', 1)
    if rng.random() < 0.03:
        text = " " * rng.randrange(200) + text + rng.choice(("\n", ",", "}", "{}", "\x00", "//"))
    return text.encode("utf-8", "surrogatepass").decode("utf-8", "replace").encode()


def _change(rng: Random, tree: Any, seeds: Seeds) -> Any:
    """One change somewhere in a tree."""
    place, key = _somewhere(rng, tree)
    if place is None:
        return _value(rng, seeds)
    kind = rng.randrange(8)
    if kind == 0:
        del place[key]
    elif kind == 1 and isinstance(place, dict):
        place[_name(rng)] = place.pop(key)
    elif kind == 2 and isinstance(place, dict):
        place[_name(rng)] = _value(rng, seeds)
    elif kind == 3:
        place[key] = _grow(rng, place[key])
    elif kind == 4:
        other = _copy(seeds.frame(rng))
        inner, name = _somewhere(rng, other)
        place[key] = other if inner is None else inner[name]
    elif kind == 5 and isinstance(place[key], str):
        place[key] = _twist(rng, place[key])
    else:
        place[key] = _value(rng, seeds)
    return tree


def _somewhere(rng: Random, tree: Any) -> tuple[Any, Any]:
    """A container and a key in it; None if there is nothing in it."""
    if not isinstance(tree, dict | list) or not tree:
        return None, None
    key: Any = rng.choice(list(tree)) if isinstance(tree, dict) else rng.randrange(len(tree))
    if isinstance(tree[key], dict | list) and tree[key] and rng.random() < 0.6:
        return _somewhere(rng, tree[key])
    return tree, key


def _value(rng: Random, seeds: Seeds) -> Any:
    makers: tuple[Callable[[], Any], ...] = (
        lambda: rng.choice((None, True, False)),
        lambda: rng.choice(_NUMBERS),
        lambda: rng.choice(_WORDS),
        lambda: rng.randrange(-3, 60),
        list,
        dict,
        lambda: rng.choice(_WORDS) * rng.choice((1, 2, 50, 400)),
        lambda: [rng.choice(_WORDS) for _ in range(rng.randrange(20))],
        lambda: _nest(rng, rng.choice((2, 10, 100, 400))),
        lambda: _copy(seeds.frame(rng)),
        lambda: {_name(rng): 1 for _ in range(rng.choice((1, 3, 100)))},
        lambda: {"x" * rng.choice((100, 5000)): None},
    )
    return rng.choice(makers)()


def _nest(rng: Random, depth: int) -> Any:
    """Deep, but not too deep to be written."""
    tree: Any = 1
    for _ in range(depth):
        tree = [tree] if rng.random() < 0.5 else {"a": tree}
    return tree


def _grow(rng: Random, value: Any) -> Any:
    match value:
        case str():
            return (value * rng.choice((2, 10, 1000)))[:_LONGEST]
        case list():
            return (value * rng.choice((2, 20)))[:_MOST_ITEMS]
        case bool() | None:
            return [value]
        case int() | float():
            return value * rng.choice((-1, 2, 10**9, 10**30))
    return [value, value]


def _twist(rng: Random, word: str) -> str:
    at = rng.randrange(len(word) + 1)
    return word[:at] + rng.choice(_WORDS) + word[at + rng.randrange(2) :]


def _name(rng: Random) -> str:
    return rng.choice(("id", "type", "version", "seat", "cards", "token", "settings", "rules", *_WORDS[:6]))


def _copy(tree: Any) -> Any:
    return json.loads(json.dumps(tree))


def _scar(rng: Random, data: bytes) -> bytes:
    """Bytes with a few of them changed, moved, lost or doubled."""
    changed = bytearray(data)
    for _ in range(rng.choice((1, 1, 2, 8))):
        at = rng.randrange(len(changed) + 1)
        end = min(len(changed), at + rng.choice((1, 4, 40)))
        match rng.randrange(5):
            case 0 if at < len(changed):
                changed[at] ^= 1 << rng.randrange(8)
            case 1:
                changed[at:at] = rng.randbytes(rng.choice((1, 3, 20)))
            case 2:
                del changed[at:end]
            case 3:
                changed[at:at] = changed[at:end] * rng.choice((1, 30))
            case _:
                del changed[at:]
    return bytes(changed)


def _raw(rng: Random, seeds: Seeds, place: Place) -> bytes:
    """Bytes that are frames no browser would send."""
    body = _frame(rng, seeds, place)[:120]
    makers: tuple[Callable[[], bytes], ...] = (
        lambda: rng.randbytes(rng.randrange(1, 200)),
        lambda: bytes((0x80 | rng.randrange(16), len(body))) + body,  # Without a mask.
        lambda: bytes((rng.randrange(256), 0x80 | len(body), 0, 0, 0, 0)) + body,
        lambda: b"\x01\x80\0\0\0\0" + b"\x00\x80\0\0\0\0" * rng.choice((3, 200)),  # Parts that never end.
        lambda: b"\x89\x80\0\0\0\0" * rng.choice((1, 500)),
        lambda: b"\x88\x82\0\0\0\0" + rng.randrange(65_536).to_bytes(2, "big"),
        lambda: b"\x81\xff" + rng.choice((2**62, 2**63, 70_000)).to_bytes(8, "big") + bytes(4),
        lambda: b"\x81\x83\0\0\0\0\xff\xfe\xed",  # No UTF-8.
        lambda: b"\x88\x80\0\0\0\0" * 3,
    )
    return rng.choice(makers)()


def _request(rng: Random, seeds: Seeds, place: Place) -> bytes:
    one = rng.choice(seeds.requests)
    method, path, version = one.method, one.path, "HTTP/1.1"
    headers = [("Host", "127.0.0.1"), *one.headers.items()]
    body = b""
    if one.body is not None:
        tree = _copy(one.body)
        for _ in range(rng.randrange(4)):
            tree = _change(rng, tree, seeds)
        body = _text(rng, tree, place)
    headers.append(("Content-Length", str(len(body))))
    for _ in range(rng.choices((0, 1, 2, 4), (20, 50, 20, 10))[0]):
        match rng.randrange(5):
            case 0:
                method = rng.choice(("GET", "POST", "HEAD", "OPTIONS", "PUT", "DELETE", "TRACE", "get", "X" * 30, "é"))
            case 1:
                path = _path(rng, path)
            case 2:
                headers.append(_header(rng))
            case 3:
                at = rng.randrange(len(headers))
                headers[at] = (headers[at][0], rng.choice((*_WORDS, headers[at][1] * 3, "-1", "999999999999")))
            case _:
                version = rng.choice(("HTTP/1.0", "HTTP/1.1", "HTTP/2.0", "HTTP/9", ""))
    lines = [f"{method} {path} {version}", *(f"{name}: {value}" for name, value in headers)]
    data = place.fill("\r\n".join([*lines, "", ""])).encode("utf-8", "replace") + body
    return _scar(rng, data) if rng.random() < 0.15 else data


def _path(rng: Random, path: str) -> str:
    parts = path.split("/")
    at = rng.randrange(len(parts))
    parts[at] = rng.choice((*_WORDS, "..", ".", "%2e%2e", "%", "%zz", "a" * 3000, "?limit=1e9", "?seat=-1&seat=9", "#"))
    return rng.choice(("/".join(parts), path + "?" + "&".join(["a=b"] * 200), path * 3, "*", "http://evil.example/"))


def _header(rng: Random) -> tuple[str, str]:
    return rng.choice(
        (
            ("Host", "evil.example"),
            ("Host", "a" * 4000),
            ("Transfer-Encoding", "chunked"),
            ("Transfer-Encoding", "gzip, chunked"),
            ("Content-Length", "5"),
            ("Content-Length", "-5"),
            ("Expect", "100-continue"),
            ("Connection", "Upgrade"),
            ("Upgrade", "websocket"),
            ("Upgrade", "h2c"),
            ("Sec-WebSocket-Version", "99"),
            ("Origin", "https://evil.example"),
            ("Origin", "http://[::1"),
            ("Authorization", "Bearer"),
            ("Authorization", "Bearer " + "x" * 5000),
            ("Authorization", "Basic eDp4"),
            ("Accept-Encoding", "gzip;q=x, br"),
            ("If-None-Match", "*, " * 300),
            ("Range", "bytes=9-1,-5,0-"),
            ("Content-Type", "application/json; charset=utf-16"),
            ("X-Forwarded-For", "1.2.3.4, ::1, " * 50),
            ("X-" + "Y" * 200, "z"),
            ("Bad Name", "x"),
            ("Cookie", "a=b; " * 500),
        )
    )
