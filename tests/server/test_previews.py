"""Links where they are shared, and the service worker: what the server writes into the page."""

import html
import json
import re
from html.parser import HTMLParser
from pathlib import Path

import httpx
import pytest
from click.testing import CliRunner
from starlette.applications import Starlette
from starlette.routing import Route

from tests.server.nodes import cluster
from tests.server.serving import Place, served
from tichu.cli.serve import serve
from tichu.server.http.previews import Preview
from tichu.server.http.static import Page
from tichu.server.log import FinishedGame, GameSummary

pytestmark = pytest.mark.anyio

_HOSTILE = (
    '"><script>alert(1)</script>',
    "' onload='alert(1)",
    "</title></head><body>",
    "<!-- --> &amp; &#34;",
    "\u202e\u0000</meta>",
)


class Head(HTMLParser):
    """The tags of a page, as a browser would read them."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.found: list[tuple[str, dict[str, str | None]]] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found.append((tag, dict(attrs)))

    def content(self, name: str) -> str | None:
        """Of the tag with this property."""
        return next(
            (tag["content"] for kind, tag in self.found if kind == "meta" and tag.get("property") == name), None
        )


async def head(place: Place, path: str) -> Head:
    answer = await place.http.get(path)
    assert answer.status_code == 200
    policy = answer.headers["content-security-policy"]
    assert "script-src 'self'" in policy
    assert "unsafe" not in policy
    assert not re.findall(r"<script(?![^>]*\ssrc=)[^>]*>|<style", answer.text)
    return Head(answer.text)


# Previews.


async def test_a_link_to_a_table_tells_its_name_and_who_is_there() -> None:
    async with served() as place:
        made = await place.table("you", None, None, "greedy", name="Friday evening")
        found = await head(place, f"/t/{made['table']['id']}")
        assert found.content("og:title") == "Friday evening"
        words = found.content("og:description") or ""
        assert made["table"]["seats"][0]["name"] in words
        assert "2 seats are free" in words
        assert found.content("og:url") == made["link"]
        assert found.content("og:image") == f"{place.url}/icon-512.png"


@pytest.mark.parametrize("name", _HOSTILE)
async def test_no_name_of_a_table_leaves_its_quotation_marks(name: str) -> None:
    async with served() as place:
        made = await place.table("you", name=name)
        found = await head(place, f"/t/{made['table']['id']}")
        assert found.content("og:title") == made["table"]["name"]
        plain = await place.table("you", name="Plain")
        usual = await head(place, f"/t/{plain['table']['id']}")
        assert [tag for tag, _ in found.found] == [tag for tag, _ in usual.found]


@pytest.mark.parametrize("name", _HOSTILE)
async def test_no_name_of_a_player_leaves_them_either(name: str) -> None:
    preview = Preview(name, name, name).tags(name)
    tags = Head(preview).found
    assert {tag for tag, _ in tags} == {"meta"}
    assert len(tags) == 7
    assert all(set(attributes) <= {"property", "name", "content"} for _, attributes in tags)
    assert Head(preview).content("og:title") == html.unescape(html.escape(name))


async def test_a_link_to_a_game_tells_who_played_and_how_it_ended() -> None:
    names = ("Ada", '"><b>', "Cho", "Dov")
    summary = GameSummary("game", "table", 1_800_000_000.25, "standard", names, ("", "", "", ""), (1010, 640), True)
    async with served() as place:
        await place.lobby.store.append("table", 1, [b"{}"], game=FinishedGame(summary, ""))
        found = await head(place, "/game/game")
        assert found.content("og:description") == 'Ada and Cho against "><b> and Dov, 1010 to 640.'
        assert "b" not in {tag for tag, _ in found.found}


async def test_what_is_not_there_has_the_preview_of_the_start_page_and_codes_cannot_be_guessed() -> None:
    async with served() as place:
        made = await place.table("you", name="Secret")
        for path in ("/", "/rules", "/t/nothing", "/game/nothing", f"/t/{made['table']['code']}", '/t/"><script>'):
            found = await head(place, path)
            assert found.content("og:title") == "Tichu"
            assert found.content("og:url") == f"{place.url}/"


@pytest.mark.parametrize("url", ["postgres"], indirect=True)
async def test_what_a_node_cannot_ask_the_database_for_is_a_page_like_others_and_fills_no_log(
    url: str, caplog: pytest.LogCaptureFixture
) -> None:
    async with cluster(url, "a") as (place,):
        for path in ("/t/%00", "/game/%00"):
            found = await head(place, path)
            assert found.content("og:title") == "Tichu"
    assert [one for one in caplog.records if one.levelname == "ERROR"] == []


# The service worker.


def _built(folder: Path) -> Path:
    (folder / "index.html").write_text("<!doctype html><html><head></head><body></body></html>")
    (folder / "worker.js").write_text("const VERSION = '__VERSION__';")
    (folder / "worker-off.js").write_text("self.registration.unregister();")
    return folder


async def _texts(page: Page, *paths: str, language: str = "") -> list[str]:
    app = Starlette(routes=[Route("/{path:path}", page.answer)])
    headers = {"accept-language": language} if language else {}
    async with httpx.AsyncClient(transport=httpx.ASGITransport(app), base_url="http://here", headers=headers) as http:
        return [(await http.get(path)).text for path in paths]


async def test_a_new_page_is_a_new_worker(tmp_path: Path) -> None:
    index, first = await _texts(Page("", _built(tmp_path), has_worker=True), "/", "/worker.js")
    assert '<meta name="tichu-worker" content="worker.js">' in index
    assert re.fullmatch(r"const VERSION = '[0-9a-f]{16}';", first)
    assert await _texts(Page("", tmp_path, has_worker=True), "/worker.js") == [first]
    (tmp_path / "other.css").write_text("")
    assert await _texts(Page("", tmp_path, has_worker=True), "/worker.js") != [first]


# What a route needs is asked for at once.


async def test_a_route_names_all_that_it_will_load(tmp_path: Path) -> None:
    files = {
        "index.html": {"file": "assets/index.js", "imports": ["_words.js"], "css": ["assets/index.css"]},
        "_words.js": {"file": "assets/words.js"},
        "_cards.js": {"file": "assets/cards.js", "imports": ["_words.js", "src/routes/t.svelte"], "css": ["c.css"]},
        "src/routes/start.svelte": {"file": "assets/start.js", "imports": ["index.html"]},
        "src/routes/t.svelte": {
            "file": "assets/t.js",
            "imports": ["index.html", "_cards.js"],
            "dynamicImports": ["src/components/Lobby.svelte"],
        },
        "src/messages/en.ts": {"file": "assets/en.js"},
        "src/messages/ko.ts": {"file": "assets/ko.js"},
        "src/messages/hints/ko.ts": {"file": "assets/hints.js"},
    }
    (_built(tmp_path) / "files.json").write_text(json.dumps(files))
    bare, table, other = await _texts(Page("", tmp_path), "/", "/t/some-table", "/nowhere")
    link = re.compile(r'<link rel="(\w+)" crossorigin href="\./([^"]+)">')
    assert link.findall(bare) == [("modulepreload", "assets/start.js"), ("modulepreload", "assets/en.js")]
    assert link.findall(table) == [
        ("modulepreload", "assets/t.js"),
        ("modulepreload", "assets/cards.js"),
        ("stylesheet", "c.css"),
        ("modulepreload", "assets/en.js"),
    ]
    assert link.findall(other) == []
    [korean] = await _texts(Page("", tmp_path), "/", language="fr-CA, ko-KR;q=0.8, en;q=0.5")
    assert link.findall(korean) == [("modulepreload", "assets/start.js"), ("modulepreload", "assets/ko.js")]


async def test_a_server_that_wants_no_worker_serves_one_that_removes_itself(tmp_path: Path) -> None:
    index, worker, other = await _texts(Page("", _built(tmp_path)), "/", "/worker.js", "/worker-off.js")
    assert "tichu-worker" not in index
    assert worker == "self.registration.unregister();"
    assert "not_found" in other


async def test_the_command_says_how_to_switch_it_off() -> None:
    assert "--no-service-worker" in CliRunner().invoke(serve, ["--help"]).output
