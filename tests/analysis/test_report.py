import socket
from contextlib import suppress
from html.parser import HTMLParser
from pathlib import Path
from random import Random
from threading import Thread

import pytest
from click.testing import CliRunner, Result
from msgspec import structs

from tests.analysis.test_reviews import GAME, decision, fake_review
from tichu import Game, RoundRecord, Rules, read_game, shuffled_deal
from tichu.agents import make_agent
from tichu.analysis import reviews
from tichu.analysis.decisions import decisions_of
from tichu.analysis.pictures import describe, draw_position
from tichu.analysis.precision import Budget
from tichu.analysis.report import format_report
from tichu.analysis.reviews import CandidateValue, RoundReview, RoundTask, tasks_of
from tichu.analysis.verdicts import Reason
from tichu.cli import main
from tichu.core.actions import format_action
from tichu.core.rules import PRESETS


class Tags(HTMLParser):
    """Counts elements and checks that they are closed."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.seen: list[str] = []
        self.links: list[str] = []
        self.ids: list[str] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.seen.append(tag)
        assert not {name for name, _ in attrs} & {"src", "onclick"}
        # Only from the list to what is on the page.
        self.links += [value or "" for name, value in attrs if name == "href"]
        self.ids += [value or "" for name, value in attrs if name == "id"]
        if tag != "meta":
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.seen.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag


def play_round(preset: str) -> RoundRecord:
    game, bot = Game.start(shuffled_deal(Random(4)), Rules.parse(preset)), make_agent("heuristic")
    while not game.round.is_over:
        view = game.view(game.round.pending[0])
        game = game.after(view.seat, bot.act(view, view.legal()))
    return RoundRecord(game.deal, game.actions, game.round.outcome.score)


def test_what_could_not_be_reviewed_is_told() -> None:
    tasks = list(tasks_of("<a>", read_game(GAME), Budget(), 0))[:2]
    wrong = structs.replace(decision(0, 0, file="<a>", worlds=0, best="1:2s"), error="no <world>")
    page = format_report([RoundReview("<a>", 0, 1, (wrong,)), RoundReview("<a>", 1, 2, error="illegal")], tasks)
    assert Tags(page).open == []
    assert "<p>Not compared: &lt;a&gt;, round 1, action 5: no &lt;world&gt;</p>" in page
    assert "<p>Left out: &lt;a&gt;, round 2: illegal</p>" in page


def review(task: RoundTask) -> RoundReview:
    seat, played = task.record.actions[8]
    action = format_action(seat, played)
    candidates = (CandidateValue(action, 10, 1, 0.4), CandidateValue(f"{seat}:-", 80, 1, 0.6))
    reasons = (Reason("dragon", 0.25, 0.5),)
    known = {"action": 8, "seat": seat, "played": action, "candidates": candidates, "reasons": reasons}
    found = decision(70, 5, file=task.file, round=task.round, **known)
    return RoundReview(task.file, task.round, task.digest, (found,))


def test_the_page_shows_curve_mistakes_and_positions_and_loads_nothing() -> None:
    tasks = list(tasks_of("<a>", read_game(GAME), Budget(), 0))
    page = format_report([review(task) for task in tasks], tasks)
    tags = Tags(page)
    assert tags.open == []
    assert tags.seen.count("polyline") == 1
    assert tags.seen.count("article") == page.count('class="position"') == tags.seen.count("li") == len(tasks)
    assert sorted(tags.links) == sorted(f"#{one}" for one in tags.ids)
    assert page.count("blunder</span>") == 2 * len(tasks)
    assert "&lt;a&gt;" in page
    assert "your team plays the Dragon in 50 % instead of 25 %" in page
    assert "<script" not in page


def test_players_have_sheets() -> None:
    tasks = list(tasks_of("a", read_game(GAME)._replace(seats=("<Ann>", "Ben", "Cho", "Dov")), Budget(), 0))[:2]
    found = [structs.replace(review(task), players=task.players, score=task.record.score) for task in tasks]
    page = format_report(found, tasks)
    assert Tags(page).open == []
    assert "<h2>Players</h2>" in page
    assert "<td>&lt;Ann&gt;</td><td>2</td>" in page
    assert "<h2>Players</h2>" not in format_report([review(task) for task in tasks], tasks)


def test_the_command_writes_it(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(reviews, "review_round", fake_review)
    page = tmp_path / "page.html"
    result = CliRunner().invoke(main, ["analyse", str(GAME), "--workers", "1", "--html", str(page)])
    assert result.exit_code == 0
    assert "mistakes called" in page.read_text()


def test_only_a_page_of_ours_is_replaced(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(reviews, "review_round", fake_review)
    game, sheet = tmp_path / "game.ttn", tmp_path / "sheet"
    game.write_bytes(GAME.read_bytes())

    def write(page: Path, *more: str) -> Result:
        return CliRunner().invoke(main, ["analyse", str(game), "--workers", "1", "--html", str(page), *more])

    refused = write(game)
    assert (refused.exit_code, game.read_bytes()) == (1, GAME.read_bytes())
    assert refused.stderr == f"Error: {game}: this file is there already; --force replaces it\n"
    for forced in ((), ("--force",)):
        same = write(sheet, "--resume", str(sheet), *forced)
        assert (same.exit_code, sheet.exists()) == (1, False)
        assert "name the same file" in same.stderr
    page = tmp_path / "page.html"
    # Twice, over an empty one, and over another one by force.
    page.write_text("")
    assert [write(page).exit_code for _ in range(2)] == [0, 0]
    page.write_text("<!doctype html><p>My own page")
    assert write(page).exit_code == 1
    assert write(page, "--force").exit_code == 0
    assert "mistakes called" in page.read_text()


@pytest.mark.parametrize("address", ["game/abc?round=2&step=3", "api/games/abc.ttn", "api/games/abc.json"])
def test_a_game_of_a_server_is_read_by_its_address(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, address: str
) -> None:
    asked = []

    def urlopen(wanted: str, timeout: float) -> object:
        asked.append(wanted)
        return GAME.open("rb")

    monkeypatch.setattr("urllib.request.urlopen", urlopen)
    monkeypatch.setattr(reviews, "review_round", fake_review)
    result = CliRunner().invoke(main, ["analyse", f"https://example.org/tichu/{address}", "--workers", "1"])
    assert result.exit_code == 0
    assert asked == ["https://example.org/tichu/api/games/abc.ttn"]
    assert f"https://example.org/tichu/{address}, round 1" in result.stdout


def test_an_address_of_something_else_is_told() -> None:
    result = CliRunner().invoke(main, ["analyse", "http://127.0.0.1:1/other"])
    assert result.exit_code == 1
    assert "not the address of a game" in result.stderr
    result = CliRunner().invoke(main, ["analyse", "http://127.0.0.1:1/game/abc"])
    assert result.exit_code == 1
    assert result.stderr.startswith("Error: http://127.0.0.1:1/game/abc: ")


@pytest.mark.parametrize(
    ("address", "answer", "message"),
    [
        ("http://127.0.0.1:{port}/game/a", b"", "closed connection"),
        ("http://127.0.0.1:{port}/game/a", b"nonsense", "nonsense"),
        ("HTTP://127.0.0.1:{port}/game/a", b"HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n", "404 Not Found"),
        ("http://127.0.0.1:{port}/game/a", b"HTTP/1.1 200 OK\r\nContent-Length: 99\r\n\r\n[TTN", "ends too early"),
        ("http://127.0.0.1:{port}/game/a", b"HTTP/1.1 200 OK\r\nContent-Length: 1\r\n\r\n\xff", "is no text"),
        ("http://[::1/game/a", b"", "Invalid IPv6"),
        ("http://127.0.0.1:{port}/game/a b", b"", "not the address"),
        ("http://127.0.0.1:x/game/a", b"", "nonnumeric port"),
        ("http://127.0.0.1:{port}/game/ä", b"", "not the address"),
    ],
)
def test_what_a_server_does_wrong_is_told(address: str, answer: bytes, message: str) -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:

        def reply() -> None:
            with suppress(OSError):
                connection, _ = server.accept()
                with connection:
                    connection.recv(10_000)
                    connection.sendall(answer)

        thread = Thread(target=reply, daemon=True)
        thread.start()
        address = address.format(port=server.getsockname()[1])
        result = CliRunner().invoke(main, ["analyse", address])
    assert result.exit_code == 1
    assert result.stderr.startswith(f"Error: {address}: ")
    assert message in result.stderr


def test_a_page_that_cannot_be_written_is_told_before_the_work(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    asked: list[RoundTask] = []
    monkeypatch.setattr(reviews, "review_round", asked.append)
    page = tmp_path / "missing" / "page.html"
    result = CliRunner().invoke(main, ["analyse", str(GAME), "--workers", "1", "--html", str(page)])
    assert (result.exit_code, asked) == (1, [])


@pytest.mark.parametrize("preset", PRESETS)
def test_every_position_of_a_round_can_be_drawn_and_every_action_told(preset: str) -> None:
    names = ("Ann & Co", "Bob", "<Cat>", "Dan")
    record = play_round(preset)
    told = set()
    for one in decisions_of(record, Rules.parse(preset)):
        view = one.view
        picture = draw_position(view, names)
        tags = Tags(picture)
        assert tags.open == []
        # The cloth, the seat's own cards and those on the table, and the backs of the others.
        shown = view.hand.bit_count() + (0 if view.top is None else view.top.cards.bit_count())
        assert tags.seen.count("rect") == 1 + shown + sum(view.counts) - view.counts[view.seat]
        assert "Ann &amp; Co" in picture
        words = describe(one.played, view.seat, names)
        assert words
        told.add(words.split()[0])
    assert {"play", "pass"} <= told
