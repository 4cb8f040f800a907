"""``tichu play --terminal`` as a command."""

from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from tichu.cli import main
from tichu.core.record import parse_record


def play(*options: str, answers: str = "") -> Result:
    return CliRunner().invoke(main, ["play", "--terminal", "--bots", "random", "--seed", "1", *options], input=answers)


def test_a_game_is_left_by_the_end_of_the_input(tmp_path: Path) -> None:
    file = tmp_path / "game.ttn"
    result = play("--record", str(file), "--name", 'Eve "E"', "--target", "200", answers="n\nh\n")
    assert result.exit_code == 0, result.output
    assert result.output.endswith(f"You leave the table.\nThe game is in {file}.\n")
    record = parse_record(file.read_text(encoding="utf-8"))
    assert str(record.rules) == "standard goal=target:200 bombs=ordered"
    assert record.seats == ('Eve "E"', "Ben", "Cho", "Dov")
    assert record.rounds[0].actions[0][0] == 0
    assert dict(record.tags)["Seed"] == ("1",)
    assert not file.with_name("game.ttn.part").exists()


def test_the_same_seed_deals_the_same_cards() -> None:
    assert play(answers="n\n").output == play(answers="n\n").output


def test_the_output_of_a_pipe_has_no_colours() -> None:
    assert "\x1b" not in play(answers="n\n?\nr\n").output


def test_a_terminal_without_signs_gets_letters() -> None:
    runner = CliRunner(charset="ascii")
    result = runner.invoke(
        main, ["play", "--terminal", "--bots", "random", "--seed", "1", "--name", "Zoë"], input="n\n?\nr\nh\ns\n"
    )
    assert result.exit_code == 0, result.output
    assert "Your hand:  2b  3b  6g  7b  10g  Qb  Ar  Ph" in result.output
    assert result.output.isascii()


def test_other_rules_are_kept() -> None:
    assert "Rules: standard bombs=in-turn" in play("--rules", "standard bombs=in-turn", answers="r\n").output
    assert "Rules: courtesy" in play("--rules", "courtesy", answers="r\n").output


@pytest.mark.parametrize("name", ["", "   ", "\n\t"])
def test_without_a_name_one_is_you(name: str) -> None:
    assert "You & Cho 0 : 0 Ben & Dov" in play("--name", name).output


def test_names_are_different_and_short() -> None:
    assert "cho & Dov 0 : 0 Ben & Eve" in play("--name", "cho").output
    assert "Bartholome & Cho" in play("--name", "Bartholomew the Great").output


def test_a_record_is_never_overwritten(tmp_path: Path) -> None:
    file = tmp_path / "game.ttn"
    file.write_text("an old game")
    result = play("--record", str(file))
    assert result.exit_code == 1
    assert result.output == f"Error: {file}: is there already; a record goes to a new file\n"
    assert file.read_text() == "an old game"


def test_a_record_that_cannot_be_written_is_told_at_once(tmp_path: Path) -> None:
    result = play("--record", str(tmp_path / "nowhere" / "game.ttn"))
    assert result.exit_code == 1
    assert result.output.count("\n") == 1
    assert "No such file or directory" in result.output


@pytest.mark.parametrize(
    "options", [("--bots", "nobody"), ("--rules", "standard bombs=never"), ("--target", "0"), ("--speed", "warp")]
)
def test_wrong_options_are_one_error(options: tuple[str, ...]) -> None:
    result = play(*options)
    assert result.exit_code in (1, 2)
    assert "Error: " in result.output
    assert "Traceback" not in result.output


def test_bytes_that_are_no_text_are_nonsense_like_any_other() -> None:
    result = CliRunner().invoke(main, ["play", "--terminal", "--bots", "random", "--seed", "1"], input=b"\xff\xfe\nn\n")
    assert result.exit_code == 0
    assert "Please answer y or n." in result.output
