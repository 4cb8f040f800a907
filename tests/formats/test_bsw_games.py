"""The 60 real games in the shared folder: every play and every pass is legal, every score follows."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tichu import (
    Combo,
    GameError,
    NotationError,
    Phase,
    Reading,
    RoundRecord,
    format_jsonl,
    format_record,
    parse_record,
    read_jsonl,
    replay,
)
from tichu.core.combos import readings
from tichu.core.plays import bombs, fulfils, plays
from tichu.formats.bsw import format_tch, read_tch

# Coverage must hold without the folder too.
pytestmark = pytest.mark.no_cover

#: The site counted one of two Grand Tichu calls of partners.
WRONG_SCORE = ("haroun_06", 3)
UNFINISHED = ("1853907", 4)
DROPPED_WISH = ("1885495", 0)


@pytest.fixture(scope="module")
def logs(shared: Path) -> dict[str, str]:
    paths = sorted((shared / "data" / "bsw").glob("*.tch"))
    return {path.stem: path.read_bytes().decode("latin-1") for path in paths}


@pytest.fixture(scope="module")
def games(logs: dict[str, str]) -> dict[str, Reading]:
    return {name: read_tch(text) for name, text in logs.items()}


def rounds_of(games: dict[str, Reading]) -> Iterator[tuple[tuple[str, int], RoundRecord]]:
    for name, reading in games.items():
        for number, one in enumerate(reading.rounds):
            assert not isinstance(one, NotationError), (name, number, one)
            yield (name, number), one


def without_doubled_lines(text: str) -> str:
    lines = text.split("\n")
    return "\n".join(line for line, before in zip(lines, ["", *lines], strict=False) if line != before or not line)


def test_every_round_is_read(games: dict[str, Reading]) -> None:
    assert len(games) == 60
    rounds = dict(rounds_of(games))
    assert len(rounds) == 604
    assert [place for place, one in rounds.items() if one.score is None] == [UNFINISHED]


def test_every_action_is_legal_and_every_score_follows(games: dict[str, Reading]) -> None:
    wrong = {}
    for place, one in rounds_of(games):
        try:
            last = [*replay(one, games[place[0]].rules)][-1]
            assert last.is_over == (place != UNFINISHED)
        except GameError as error:
            wrong[place] = str(error)
    assert wrong == {WRONG_SCORE: "the score is 15 85, not 15 285"}


def test_what_the_logs_could_not_tell(games: dict[str, Reading]) -> None:
    notes = {name: list(reading.notes) for name, reading in games.items() if reading.notes}
    assert notes.pop("1853907") == ["round 4, line 387: the log of the round ends here; it is not finished"]
    assert notes.pop("1885495") == ["round 0, line 97: left out, the round is over: 'Wunsch:A'"]
    assert notes.pop("1907888") == ["round 10, line 816: told before, read once: 'Tichu: (2)p2'"]
    assert set(notes) == {"1892528", "1894330", "1895597"}
    assert all("the Phoenix can be either" in note for (note,) in notes.values())


def test_a_bomb_that_ignores_a_wish(games: dict[str, Reading]) -> None:
    one = dict(rounds_of(games))["1910464", 8]
    states = replay(one, games["1910464"].rules)
    # §6.5: the nibble of the wished rank is empty.
    ignored = [
        action
        for state, (seat, action) in zip(states, one.actions, strict=False)
        if isinstance(action, Combo)
        and action.is_bomb
        and state.wish
        and not action.cards >> 4 * (state.wish - 1) & 15
        and any(fulfils(other, state.wish, state.rules) for other in plays(state.hands[seat], state.top, state.rules))
    ]
    assert ignored


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


def test_writing_gives_the_same_files(logs: dict[str, str], games: dict[str, Reading]) -> None:
    for name, text in logs.items():
        assert format_tch(games[name].record()) == without_doubled_lines(text), name


def test_records_keep_everything(games: dict[str, Reading]) -> None:
    for name, reading in games.items():
        game = reading.record()
        assert parse_record(format_record(game)) == game, name
        assert read_jsonl(format_jsonl(game)).record() == game, name


def test_the_usual_look_tells_the_same_game(games: dict[str, Reading]) -> None:
    for reading in games.values():
        game = reading.record()._replace(tags=())
        again = read_tch(format_tch(game))
        assert (again.rounds, again.tags) == (game.rounds, ())
