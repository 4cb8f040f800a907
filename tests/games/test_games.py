"""Real games: every play and every pass is legal, every score follows, and every format tells them alike."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner

from tests.games.make import GAMES, UNFINISHED, WRONG_SCORE, write_games
from tichu import (
    Combo,
    GameError,
    NotationError,
    Reading,
    Record,
    RoundRecord,
    format_jsonl,
    format_record,
    read_game,
    read_jsonl,
    replay,
)
from tichu.cli import main
from tichu.core.plays import fulfils, plays
from tichu.formats.bsw import format_tch, read_tch

#: A bomb is thrown that does not hold the wished rank, by a seat that could have fulfilled the wish.
WISH_IGNORED = (49, 8)


@pytest.fixture(scope="module")
def games() -> list[Reading]:
    return [read_game(path) for path in GAMES]


def rounds_of(games: list[Reading]) -> Iterator[tuple[tuple[int, int], RoundRecord]]:
    for game, reading in enumerate(games):
        for number, one in enumerate(reading.rounds):
            assert not isinstance(one, NotationError), (game, number, one)
            yield (game, number), one


def test_there_are_60_games_of_604_rounds(games: list[Reading]) -> None:
    assert [path.name for path in GAMES] == [f"{number:02}.ttn" for number in range(60)]
    rounds = dict(rounds_of(games))
    assert len(rounds) == 604
    assert [place for place, one in rounds.items() if one.score is None] == [UNFINISHED]


def test_nobody_is_named(games: list[Reading]) -> None:
    assert {(reading.seats, reading.tags) for reading in games} == {(Record().seats, ())}


def test_every_action_is_legal_and_every_score_follows(games: list[Reading]) -> None:
    wrong = {}
    for (game, number), _ in rounds_of(games):
        try:
            games[game].check(number)
        except GameError as error:
            wrong[game, number] = str(error)
    assert wrong == {WRONG_SCORE: "the score is 15 85, not 15 285"}


def test_the_command_line_reports_the_wrong_score_alone() -> None:
    game, number = WRONG_SCORE
    result = CliRunner().invoke(main, ["replay", *map(str, GAMES[game - 1 : game + 1])])
    assert result.exit_code == 1
    errors = [line for line in result.stdout.splitlines() if ": ok" not in line]
    assert errors == [f"{GAMES[game]} round {number}: error: the score is 15 85, not 15 285"]


def test_files_are_written_as_they_were_read(games: list[Reading]) -> None:
    for path, reading in zip(GAMES, games, strict=True):
        assert format_record(reading.record()) == path.read_text(encoding="ascii"), path.name


def test_json_lines_keep_everything(games: list[Reading]) -> None:
    for reading in games:
        assert read_jsonl(format_jsonl(reading.record())) == reading


@pytest.fixture(scope="module")
def logs(games: list[Reading]) -> list[str]:
    return [format_tch(reading.record()) for reading in games]


def test_logs_written_from_the_games_tell_the_same_rounds(games: list[Reading], logs: list[str]) -> None:
    for reading, text in zip(games, logs, strict=True):
        again = read_tch(text)
        assert (again.rules, again.rounds) == (reading.rules, reading.rounds)
        assert again.record().tags == ()
        assert all("the log of the round ends here" in note for note in again.notes)


def test_reading_a_log_finds_the_wrong_score(logs: list[str]) -> None:
    game, number = WRONG_SCORE
    with pytest.raises(GameError, match="the score is 15 85, not 15 285"):
        read_tch(logs[game]).check(number)


def test_in_222_rounds_somebody_holds_a_bomb_after_the_exchange(logs: list[str]) -> None:
    assert sum(text.count("\nBOMBE: ") for text in logs) == 222


def test_a_bomb_that_ignores_a_wish(games: list[Reading]) -> None:
    one = dict(rounds_of(games))[WISH_IGNORED]
    # §6.5: the nibble of the wished rank is empty.
    ignored = [
        action
        for state, (seat, action) in zip(replay(one, games[0].rules), one.actions, strict=False)
        if isinstance(action, Combo)
        and action.is_bomb
        and state.wish
        and not action.cards >> 4 * (state.wish - 1) & 15
        and any(fulfils(other, state.wish, state.rules) for other in plays(state.hands[seat], state.top, state.rules))
    ]
    assert len(ignored) == 1


def test_the_files_can_be_made_from_logs(tmp_path: Path, games: list[Reading], logs: list[str]) -> None:
    (tmp_path / "b.tch").write_text(logs[1].replace("Seat", "Somebody at"), newline="")
    (tmp_path / "a.tch").write_text(logs[0], newline="")
    write_games(sorted(tmp_path.glob("*.tch")), tmp_path)
    for number in range(2):
        assert (tmp_path / f"{number:02}.ttn").read_bytes() == GAMES[number].read_bytes()
