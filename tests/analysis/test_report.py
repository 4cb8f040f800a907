import socket
from contextlib import suppress
from html.parser import HTMLParser
from pathlib import Path
from threading import Thread

import pytest
from click.testing import CliRunner

from tests.analysis.test_reviews import GAME, decision, fake_review
from tichu import read_game
from tichu.analysis import reviews
from tichu.analysis.precision import Budget
from tichu.analysis.report import format_report
from tichu.analysis.reviews import CandidateValue, RoundReview, RoundTask, tasks_of
from tichu.analysis.verdicts import Reason
from tichu.cli import main


class Tags(HTMLParser):
    """Counts elements and checks that they are closed."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.seen: list[str] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.seen.append(tag)
        assert not {name for name, _ in attrs} & {"src", "href", "onclick"}
        if tag != "meta":
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.seen.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag


def review(task: RoundTask) -> RoundReview:
    seat, played = task.record.actions[8]
    action = f"{seat}:{played}"
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
    assert tags.seen.count("article") == page.count("blunder</span>") == len(tasks)
    assert "&lt;a&gt;" in page
    assert "your team plays the Dragon in 50 % instead of 25 %" in page
    assert 'class="card' in page
    assert "<script" not in page


def test_the_command_writes_it(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(reviews, "review_round", fake_review)
    page = tmp_path / "page.html"
    result = CliRunner().invoke(main, ["analyse", str(GAME), "--workers", "1", "--html", str(page)])
    assert result.exit_code == 0
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
    assert f"https://example.org/tichu/{address}, round 0" in result.stdout


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
