"""The logs that ``tests/games`` was made from, where they are at hand: they are read as it says, and written again."""

from pathlib import Path

import pytest

from tests.games.make import GAMES
from tichu import Phase, Reading, RoundRecord, format_record, parse_record, read_game, replay
from tichu.core.combos import readings
from tichu.core.plays import bombs
from tichu.formats.bsw import format_tch, read_tch

pytestmark = pytest.mark.no_cover


@pytest.fixture(scope="module")
def logs(shared: Path) -> dict[str, str]:
    paths = sorted((shared / "data" / "bsw").glob("*.tch"))
    return {path.stem: path.read_bytes().decode("latin-1") for path in paths}


@pytest.fixture(scope="module")
def games(logs: dict[str, str]) -> dict[str, Reading]:
    return {name: read_tch(text) for name, text in logs.items()}


def without_doubled_lines(text: str) -> str:
    lines = text.split("\n")
    return "\n".join(line for line, before in zip(lines, ["", *lines], strict=False) if line != before or not line)


def test_they_tell_the_games_that_are_kept(games: dict[str, Reading]) -> None:
    for path, reading in zip(GAMES, games.values(), strict=True):
        assert reading.rounds == read_game(path).rounds, path.name


def test_what_the_logs_could_not_tell(games: dict[str, Reading]) -> None:
    notes = {name: list(reading.notes) for name, reading in games.items() if reading.notes}
    assert notes.pop("1853907") == ["round 4, line 387: the log of the round ends here; it is not finished"]
    assert notes.pop("1885495") == ["round 0, line 97: left out, the round is over: 'Wunsch:A'"]
    assert notes.pop("1907888") == ["round 10, line 816: told before, read once: 'Tichu: (2)p2'"]
    assert set(notes) == {"1892528", "1894330", "1895597"}
    assert all("the Phoenix can be either" in note for (note,) in notes.values())


def test_who_holds_a_bomb_is_as_logged(logs: dict[str, str], games: dict[str, Reading]) -> None:
    told = 0
    for name, text in logs.items():
        parts = text.split("---------------Gr.Tichukarten------------------\n")[1:]
        for one, part in zip(games[name].rounds, parts, strict=True):
            assert isinstance(one, RoundRecord)
            start = next(
                state for state in replay(one._replace(score=None), games[name].rules) if state.phase is Phase.PLAY
            )
            holders = [seat for seat in range(4) if bombs(start.hands[seat], readings(1)[0], games[name].rules)]
            lines = [line for line in part.split("\n") if line.startswith("BOMBE:")]
            assert lines == (["BOMBE: " + "".join(f"({seat})p{seat} " for seat in holders)] if holders else [])
            told += len(lines)
    assert told == 222


def test_writing_gives_the_same_files_also_by_way_of_ttn(logs: dict[str, str], games: dict[str, Reading]) -> None:
    for name, text in logs.items():
        game = games[name].record()
        assert parse_record(format_record(game)) == game, name
        assert format_tch(game) == without_doubled_lines(text), name
