"""Small logs in ``oddities``, each with one thing that real logs have and a reader may stumble over."""

from pathlib import Path
from typing import NamedTuple

import pytest

from tests.formats.table import NAMES
from tichu import GameError, RoundRecord, format_action, format_record, parse_record, read_game
from tichu.formats.bsw import format_tch

FOLDER = Path(__file__).with_name("oddities")


class Oddity(NamedTuple):
    """How a log is read."""

    #: Its last actions.
    end: str
    score: tuple[int, int] | None = None
    #: What is noted by line, other than that the round is not finished.
    notes: tuple[str, ...] = ()
    error: str = ""


ODDITIES = {
    # The owner bombs instead of giving the trick away.
    "bomb-on-own-dragon": Oddity("2:- 3:- 0:- 1:5s5b5g5r"),
    # §6.5
    "bomb-that-ignores-a-wish": Oddity("0:Ma 0?7 1:5s5b5g5r"),
    "bombs-not-held": Oddity("0:Ma 0?- 1:2s"),
    "bombs-told": Oddity("3>2g5g6g 0:4s"),
    "doubled-grand-tichu": Oddity("0:4s", notes=("12: told before, read once: 'Grosses Tichu: (1)Ben'",)),
    "doubled-tichu": Oddity(
        "0:4s 2+T 1:5r 2:6s",
        notes=("20: told before, read once: 'Tichu: (2)Cho'", "22: told before, read once: 'Tichu: (2)Cho'"),
    ),
    "dragon-that-ends-the-round": Oddity("0:- 1! 1:Dr 1!0", (40, 60)),
    "name-that-changes": Oddity("1:5r 2:-", notes=("19: seat 1 is called 'Eve' from here on, before 'Ben'",)),
    "owner-who-is-out": Oddity("1:- 2:- 3! 0:2r"),
    "phoenix-decided-later": Oddity("0:2s2b2g3s3b 1:5g5rP57g7r 2:6s6b6g9s9b"),
    "phoenix-either-way": Oddity(
        "0:2s2b2g3s3b 1:5g5r7g7rP7 2:6s6b9s9b9g",
        notes=("19: the Phoenix can be either, 5g5r7g7rP7 or 5g5rP57g7r: read as the first",),
    ),
    "unfinished": Oddity("2:- 3:- 0:- 1!"),
    "wish-after-the-end": Oddity("0! 0:Ma", (200, 0), ("52: left out, the round is over: 'Wunsch:A'",)),
    # Both partners have called Grand Tichu, and the site counted the one who made it.
    "wrong-score": Oddity("1!2 1:8rP8", (0, 400), error="the score is 0 200, not 0 400"),
}


def test_every_oddity_has_a_log() -> None:
    assert {path.stem for path in FOLDER.iterdir()} == set(ODDITIES)


@pytest.mark.parametrize("name", ODDITIES)
def test_an_odd_log_is_read(name: str) -> None:
    oddity = ODDITIES[name]
    reading = read_game(FOLDER / f"{name}.tch")
    (one,) = reading.rounds
    assert isinstance(one, RoundRecord)
    assert " ".join(format_action(*action) for action in one.actions).endswith(f" {oddity.end}")
    assert one.score == oddity.score
    assert reading.seats == NAMES
    notes = [note.removeprefix("round 0, line ") for note in reading.notes]
    if oddity.score is None:
        assert notes.pop().endswith(": the log of the round ends here; it is not finished")
    assert notes == [*oddity.notes]


@pytest.mark.parametrize("name", ODDITIES)
def test_an_odd_log_is_checked(name: str) -> None:
    reading = read_game(FOLDER / f"{name}.tch")
    if ODDITIES[name].error:
        with pytest.raises(GameError) as error:
            reading.check(0)
        assert str(error.value) == ODDITIES[name].error
    else:
        assert reading.check(0) == reading.rounds[0]


@pytest.mark.parametrize("name", ODDITIES)
def test_an_odd_log_is_written_again_but_for_doubled_lines(name: str) -> None:
    path = FOLDER / f"{name}.tch"
    lines = path.read_text(encoding="ascii").splitlines(keepends=True)
    doubled = {int(note.partition(":")[0]) for note in ODDITIES[name].notes if "told before" in note}
    text = "".join(line for number, line in enumerate(lines, start=1) if number not in doubled)
    game = read_game(path).record()
    assert format_tch(game) == text
    assert format_tch(parse_record(format_record(game))) == text
