"""Data sets of games between bots: reproducible, whole, and described."""

import hashlib
import json
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from tichu import NotationError, read_games
from tichu.cli import main
from tichu.cli.writing import without_interrupts
from tichu.formats.sources import game_texts


def tichu(*arguments: str | Path) -> Result:
    result = CliRunner().invoke(main, [str(argument) for argument in arguments])
    assert result.exception is None or isinstance(result.exception, SystemExit), result.exception
    return result


def card_of(path: Path) -> dict[str, object]:
    card: dict[str, object] = json.loads(path.with_name(f"{path.name}.card.json").read_text())
    return card


@pytest.mark.parametrize("suffix", [".ttn", ".jsonl", ".ttn.gz", ".jsonl.zst"])
def test_the_rounds_are_there_and_right(tmp_path: Path, suffix: str) -> None:
    path = tmp_path / f"games{suffix}"
    result = tichu("selfplay", "--rounds", "20", "--bots", "greedy,random+greedy", path, "--workers", "1", "--json")
    assert result.exit_code == 0
    readings = [reading for _, reading in read_games(path)]
    assert len(readings) == 20
    for reading in readings:
        assert not isinstance(reading, NotationError)
        assert reading.seats == ("greedy", "random", "greedy", "greedy")
        assert reading.check(0).score is not None
    card = card_of(path)
    assert json.loads(result.stdout) == card
    assert (card["games"], card["rounds"], card["faults"]) == (20, 20, {})
    assert card["rules"] == "standard bombs=ordered"
    assert sorted(file.name for file in tmp_path.iterdir()) == [path.name, f"{path.name}.card.json"]


def test_the_same_seed_gives_the_same_bytes_for_any_number_of_workers(tmp_path: Path) -> None:
    contents = set()
    for number, workers in enumerate(("1", "2")):
        path = tmp_path / f"{number}.ttn.gz"
        assert tichu("selfplay", "--rounds", "40", "--bots", "learned", path, "--workers", workers).exit_code == 0
        contents.add((path.read_bytes(), card_of(path)["sha256"]))
    ((_, digest),) = contents
    texts = b"".join(game.text.encode() for game in game_texts(path))
    assert hashlib.sha256(texts).hexdigest() == digest
    other = tmp_path / "other.ttn.gz"
    assert tichu("selfplay", "--rounds", "40", "--bots", "learned", other, "--seed", "1").exit_code == 0
    assert card_of(other)["sha256"] != digest


def test_matches_are_played_to_their_end(tmp_path: Path) -> None:
    path = tmp_path / "matches.ttn"
    rules = "standard goal=target:300"
    result = tichu("selfplay", "--rounds", "9", "--bots", "greedy", "--matches", "--rules", rules, path)
    assert result.exit_code == 0
    card = card_of(path)
    assert card["unit"] == "match"
    assert isinstance(card["rounds"], int)
    assert card["rounds"] >= 9
    rounds = []
    for _, reading in read_games(path):
        assert not isinstance(reading, NotationError)
        rounds.append(len(reading.rounds))
    assert sum(rounds) == card["rounds"]
    assert sum(rounds[:-1]) < 9


def test_what_goes_wrong_is_one_line_and_nothing_is_lost(tmp_path: Path) -> None:
    path = tmp_path / "games.ttn"
    path.write_text("precious")
    for arguments, status, reason in (
        ((), 1, "this file is there already; --force replaces it"),
        (("--force", "--bots", "nobody"), 2, "'--bots': no bot 'nobody'"),
        (("--force", "--bots", "greedy,greedy,greedy"), 2, "'--bots': one team or two, not 3"),
        (("--force", "--workers", "0"), 2, "'--workers': 0 is not in the range x>=1"),
    ):
        result = tichu("selfplay", "--rounds", "2", *arguments, path)
        assert result.exit_code == status
        assert reason in result.stderr.splitlines()[-1]
    assert "cannot write '.pgn'" in tichu("selfplay", "--rounds", "2", tmp_path / "a.pgn").stderr
    assert path.read_text() == "precious"
    assert [file.name for file in tmp_path.iterdir()] == ["games.ttn"]


def test_decisions_that_a_bot_did_not_make_are_told_even_quietly(tmp_path: Path) -> None:
    bot = tmp_path / "bot.py"
    bot.write_text(
        "from tichu.agents import Agent\n\n\nclass Bot(Agent):\n    def act(self, *_):\n        return 1 / 0\n"
    )
    line = ("selfplay", "--rounds", "1", "--bots", f"{bot}:Bot,greedy", "--workers", "1", "--quiet")
    result = tichu(*line, tmp_path / "games.ttn")
    assert result.exit_code == 1
    assert card_of(tmp_path / "games.ttn")["games"] == 1
    assert "bots did not decide everything themselves (" in result.stderr
    assert " crashed): tichu bot-check shows why" in result.stderr


def test_a_bot_that_ends_its_process_costs_only_what_comes_after(tmp_path: Path) -> None:
    bot = tmp_path / "bot.py"
    bot.write_text(
        "import os\nfrom tichu.agents import GreedyAgent\n\n\nclass Bot(GreedyAgent):\n    asked = 0\n\n"
        "    def act(self, view, legal):\n        Bot.asked += 1\n        if Bot.asked > 3000:\n"
        "            os._exit(1)\n        return super().act(view, legal)\n"
    )
    path = tmp_path / "games.ttn"
    result = tichu("selfplay", "--rounds", "100000", "--bots", f"{bot}:Bot", path, "--workers", "2")
    assert result.exit_code == 1
    told, error = result.stderr.splitlines()
    assert told.startswith("interrupted: ")
    assert error.startswith("Error: a bot took the process down")
    assert len(list(read_games(path))) == card_of(path)["games"] != 0


def test_an_interrupt_before_the_first_game_leaves_what_was_there(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path, card = tmp_path / "games.ttn", tmp_path / "games.ttn.card.json"
    path.write_text("precious")
    card.write_text("too")

    def interrupt(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("tichu.cli.selfplay.play_games", interrupt)
    result = tichu("selfplay", "--rounds", "2", "--force", "--workers", "1", path)
    assert result.exit_code == 130
    assert "nothing was written" in result.stderr
    assert (path.read_text(), card.read_text()) == ("precious", "too")
    assert len(list(tmp_path.iterdir())) == 2


def test_an_interrupt_waits_until_a_game_is_in_the_file_and_on_the_card() -> None:
    done = []

    def do_both() -> None:
        with without_interrupts():
            signal.raise_signal(signal.SIGINT)
            done.append("both")

    with pytest.raises(KeyboardInterrupt):
        do_both()
    assert done == ["both"]
    with pytest.raises(KeyboardInterrupt):
        signal.raise_signal(signal.SIGINT)


def test_an_interrupt_keeps_what_was_played(tmp_path: Path) -> None:
    path = tmp_path / "games.ttn"
    command = ["selfplay", "--rounds", "1000000", "--bots", "random", str(path), "--workers", "1"]
    process = subprocess.Popen([sys.executable, "-m", "tichu", *command], stderr=subprocess.PIPE, text=True)
    while not any(part.stat().st_size for part in tmp_path.glob("*.part")):
        assert process.poll() is None
        time.sleep(0.05)
    process.send_signal(signal.SIGINT)
    _, errors = process.communicate(timeout=60)
    assert process.returncode == 130
    assert errors.startswith("interrupted: ")
    card = card_of(path)
    assert len(list(read_games(path))) == card["games"]
    assert not list(tmp_path.glob("*.part"))
