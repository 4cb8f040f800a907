"""``tichu connect``: our bots over the API of a real server, through its death, and one line for all that is wrong."""

import threading
import time
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer
from typing import Any

import pytest
from click.testing import CliRunner, Result

from tests.server.lives import Lives, asked
from tichu import parse_record, replay
from tichu.agents.greedy import GreedyAgent
from tichu.cli import main
from tichu.core.actions import Action
from tichu.core.fairness import check_record
from tichu.core.legal import Legal
from tichu.core.view import View
from tichu.server.client.client import Guest, ServerApi, parse_address


@pytest.fixture(scope="module")
def lives(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Lives]:
    with Lives(tmp_path_factory.mktemp("server")) as lives:
        lives.begin()
        yield lives


def table_for(lives: Lives, *seats: str | None, start: bool = False) -> Any:
    """A quick table for one round; where no seat is for ``you``, its host only watches."""
    settings = {"rules": "single-round", "pace": 0}
    new = {"settings": settings, "seats": seats, "name": "Host", "start": start}
    return asked(f"{lives.url}/api/tables", None, new)


def start_when_full(lives: Lives, made: Any) -> None:
    """The host starts as soon as nobody is missing."""
    table, token = made["table"]["id"], made["you"]["token"]
    while not all(seat["name"] for seat in asked(f"{lives.url}/api/tables/{table}")["table"]["seats"]):
        time.sleep(0.02)
    command = {"type": "TABLE.START", "id": "start"}
    assert asked(f"{lives.url}/api/tables/{table}/commands", token, command)["type"] == "ack"


def connect(*arguments: str) -> Result:
    result = CliRunner().invoke(main, ["connect", *arguments])
    assert result.exception is None or isinstance(result.exception, SystemExit), result.exception
    return result


def check_game(lives: Lives, made: Any) -> None:
    """The finished game can be fetched, replayed and verified, and the guests had their share in the deal."""
    game = asked(f"{lives.url}/api/tables/{made['table']['id']}")["table"]["game"]
    record = parse_record(asked(f"{lives.url}/api/games/{game}.ttn"))
    assert record.rounds  # After a draw there are two.
    for one in record.rounds:
        assert list(replay(one, record.rules))[-1].is_over
    for deal in check_record(record):
        assert deal.commit is not None
        assert deal.error is None
        assert "proved" in deal.shares


def test_a_bot_plays_a_round_with_bots_of_the_server(lives: Lives) -> None:
    made = table_for(lives, "greedy", None, "greedy", "greedy")
    starting = threading.Thread(target=start_when_full, args=(lives, made))
    starting.start()
    result = connect(made["link"], "--bot", "heuristic", "--once")
    starting.join()
    assert result.exit_code == 0, result.stderr
    lines = result.stderr.splitlines()
    assert lines[1] == f"in seat 1 of table {made['table']['id']}"
    assert lines[-2].startswith("round over: ")
    assert lines[-1].startswith("the game is over: ")
    check_game(lives, made)


def test_a_bot_has_a_share_in_the_first_deal_of_a_table_that_did_not_wait_for_it(lives: Lives) -> None:
    made = table_for(lives, "you", "greedy", "greedy", "greedy", start=True)
    result = connect(made["link"], "--bot", "greedy", "--token", made["you"]["token"], "--once")
    assert result.exit_code == 0, result.stderr
    assert "refused" not in result.stderr
    check_game(lives, made)


class Counted(GreedyAgent):
    """Tells of each of its decisions."""

    def __init__(self, seed: int, decided: threading.Semaphore) -> None:
        super().__init__(seed)
        self._decided = decided

    def act(self, view: View, legal: Legal) -> Action:
        self._decided.release()
        return super().act(view, legal)


def test_four_bots_play_through_the_death_of_the_server(lives: Lives) -> None:
    made = table_for(lives, None, None, None, None)
    decided = threading.Semaphore(0)
    failures: list[Exception] = []
    said: list[str] = []

    def play(seat: int) -> None:
        server = ServerApi(parse_address(lives.url))
        try:
            server.register(f"Bot {seat}")
            table = server.table_of(made["table"]["code"])
            Guest(server, table, Counted(seat, decided), seat, said.append).play(once=True)
        except Exception as error:
            failures.append(error)
        finally:
            server.close()

    guests = [threading.Thread(target=play, args=(seat,), daemon=True) for seat in range(4)]
    for guest in guests:
        guest.start()
    start_when_full(lives, made)
    for _ in range(3):
        # Far fewer decisions than a round has.
        for _ in range(8):
            assert decided.acquire(timeout=60), said
        lives.kill()
        lives.begin()
    for guest in guests:
        guest.join(60)
        assert not guest.is_alive(), said
    assert not failures, said
    assert any("trying again" in line for line in said)
    check_game(lives, made)


def test_a_seat_can_be_taken_up_again_and_not_by_others(lives: Lives) -> None:
    made = table_for(lives, "you", "greedy", "greedy")
    taken = connect(lives.url, "--bot", "greedy", "--table", made["table"]["id"], "--seat", "0")
    assert taken.exit_code == 1
    assert taken.stderr.splitlines()[-1] == "Error: seat 0: somebody sits there"
    # Whoever has the token is that player.
    token = made["you"]["token"]
    starting = threading.Thread(target=start_when_full, args=(lives, made | {"you": {"token": token}}))
    asked(
        f"{lives.url}/api/tables/{made['table']['id']}/commands",
        token,
        {"type": "TABLE.PUT_BOT", "id": "bot", "seat": 3, "bot": "random"},
    )
    starting.start()
    result = connect(made["link"], "--bot", "greedy", "--token", token, "--once")
    starting.join()
    assert result.exit_code == 0, result.stderr
    assert "in seat" not in result.stderr


class _Elsewhere(BaseHTTPRequestHandler):
    """A server of something else."""

    def do_GET(self) -> None:
        self.send_response(200)
        self.end_headers()
        self.wfile.write(b"<html>Welcome</html>\n")

    def do_POST(self) -> None:
        self.do_GET()

    def log_message(self, format: str, *args: object) -> None:
        pass


@pytest.fixture(scope="module")
def elsewhere() -> Iterator[str]:
    with HTTPServer(("127.0.0.1", 0), _Elsewhere) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        yield f"127.0.0.1:{server.server_port}"
        server.shutdown()
        thread.join()


@pytest.mark.parametrize(
    ("arguments", "error"),
    [
        (["ftp://example.org", "--table", "x"], "'ftp://example.org' is not the address of a server; it is written "),
        (["http://[::1", "--table", "x"], "'http://[::1' is not the address of a server"),
        (["http://localhost:99999", "--table", "x"], "'http://localhost:99999' is not the address of a server"),
        (["", "--table", "x"], "'' is not the address of a server"),
        (["http://127.0.0.1:1", "--table", "x"], "127.0.0.1:1: Connection refused"),
        (["http://127.0.0.1:1/t/x", "--token", "y"], "127.0.0.1:1: Connection refused"),
        (["http://127.0.0.1:1"], "say which table: by its link, or by one of --table and --code"),
        (["http://127.0.0.1:1/t/x", "--code", "y"], "say which table: by its link, or by one of --table and --code"),
        (["ELSEWHERE", "--table", "x"], "http://ELSEWHERE is no Tichu server"),
        (["ELSEWHERE", "--table", "x", "--token", "y"], "the server speaks another version of the protocol: "),
        (["ELSEWHERE", "--code", "x", "--token", "y"], "http://ELSEWHERE is no Tichu server"),
    ],
)
def test_a_wrong_address_is_one_line(elsewhere: str, arguments: list[str], error: str) -> None:
    result = connect(*(word.replace("ELSEWHERE", elsewhere) for word in arguments), "--bot", "greedy")
    is_misread = "is not the address" in error or error.startswith("say which")
    assert result.exit_code == (2 if is_misread else 1)
    start = "Error: Invalid value for 'URL': " if "is not the address" in error else "Error: "
    assert result.stderr.splitlines()[-1].startswith(f"{start}{error.replace('ELSEWHERE', elsewhere)}")


@pytest.mark.parametrize(
    ("arguments", "error"),
    [
        (["--table", "nowhere"], "there is no such table, or no longer (HTTP 404)"),
        (["--code", "NOCODE"], "no table has this code (HTTP 404)"),
        (["--table", "x", "--token", "nobody"], "nobody has this token; POST /api/players gives one (HTTP 401)"),
    ],
)
def test_what_the_server_does_not_know(lives: Lives, arguments: list[str], error: str) -> None:
    result = connect(lives.url, "--bot", "greedy", *arguments)
    assert result.exit_code == 1
    assert result.stderr.splitlines()[-1] == f"Error: {error}"


def test_no_such_bot() -> None:
    assert "'--bot': no bot 'gredy'" in connect("http://127.0.0.1:1/t/x", "--bot", "gredy").stderr
