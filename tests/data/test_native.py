"""Games as tables by the native core: the columns that the Python core makes, and no game that it is not sure of."""

import os
from collections.abc import Iterator
from pathlib import Path
from random import Random

import pyarrow.parquet
import pytest

from tests.games.make import GAMES
from tichu import Record, RoundRecord, Rules, format_jsonl, format_record, shuffled_deal
from tichu.core.actions import CALL_TICHU
from tichu.core.game import Game
from tichu.core.rules import PRESETS
from tichu.data import export_games
from tichu.data.columns import TABLES
from tichu.data.export import _arrow_batch, _arrow_rows
from tichu.data.jobs import Batch, batches, read_batch
from tichu.data.native import NativeTables, is_native
from tichu.formats.sources import GameText

pytestmark = pytest.mark.skipif(not is_native(), reason="no native core")

# Whole matches of which one has a wrong round and one an unfinished one, or all of them.
_GAMES = GAMES if os.environ.get("THOROUGH") else [*GAMES[:3], GAMES[16], GAMES[58], GAMES[17]]


def check(games: list[GameText]) -> None:
    batch = Batch(5, games, 1)
    native, python = _arrow_batch(batch), _arrow_rows(read_batch(batch))
    assert native.skipped == python.skipped
    for name in TABLES:
        assert native.tables[name].equals(python.tables[name]), name


def is_taken(game: GameText) -> bool:
    return NativeTables().add(0, game)


def test_real_games_have_the_same_columns() -> None:
    games = [game for batch in batches(_GAMES) for game in batch.games]
    check(games)
    # The wrong one and the unfinished one are left to the Python core.
    assert sum(map(is_taken, games)) == len(games) - 2


def random_records(rules: Rules, games: int) -> Iterator[Record]:
    rng = Random(3)
    for _ in range(games):
        rounds = []
        for _ in range(3):
            game = Game.start(shuffled_deal(rng), rules)
            while not game.round.is_over:
                seat = rng.choice(game.round.pending)
                legal = game.view(seat).legal()
                calls = legal.may_call and rng.random() < 0.1
                game = game.after(seat, CALL_TICHU if calls else legal.draw(rng))
            rounds.append(RoundRecord(game.deal, game.actions, game.round.outcome.score))
        yield Record(rules, tuple(rounds), ("Ada", "Bär", 'C"o', "도윤"))


@pytest.mark.parametrize("preset", [*PRESETS, "standard bombs=ordered", "single-round stairs=stacked"])
def test_games_under_all_rules_have_the_same_columns(preset: str) -> None:
    records = list(random_records(Rules.parse(preset), 2))
    games = [GameText("a", ".ttn", format_record(one)) for one in records]
    games += [GameText("b", ".jsonl", format_jsonl(one)) for one in records]
    assert all(map(is_taken, games))
    check(games)


@pytest.fixture
def text() -> str:
    return format_record(next(random_records(Rules.parse("standard"), 1)))


def test_lines_may_end_in_two_ways(text: str) -> None:
    game = GameText("a", ".ttn", text.replace("\n", "\r\n"))
    assert is_taken(game)
    check([game])


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("0-G", "0-G ; well"),
        ("0-G", " 0-G\n= 0 0"),
        ("0-G", "4-G"),
        ("0-G", "0-G 0:Zz"),
        ("0-G", "0-G 0:P5"),
        ("0-G", "0>2s2b??"),
        ("0-G", "\u20030-G"),
        ("deal ", " deal "),
        ("+", ""),
        ("\n= ", "\n=  "),
        ("[TTN", "[TNT"),
        ("standard", "standerd"),
        ('"Ada"', '"Ada" "Eve"'),
        ("Ada", "\udcff"),
    ],
    ids=[str(number) for number in range(14)],
)
def test_whatever_is_not_plain_is_read_by_the_python_core(text: str, old: str, new: str) -> None:
    game = GameText("a", ".ttn", text.replace(old, new, 1), lines_before=3)
    assert not is_taken(game)
    check([GameText("b", ".ttn", text), game, GameText("c \udcff", ".ttn", text)])


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ('"0-G", ', '"0-G 1-G", '),
        ('"0-G", ', '"", "0-G", '),
        ('"0-G", ', "0, "),
        ('"score": [', '"score": [true, '),
        ('"score": [', '"score": [1' + 30 * "0" + ", "),
        ('"score"', '"scores"'),
        ('{"ttn"', '\n{"ttn"'),
        ('{"round": 1', "{" + 5000 * "[" + '"round": 1'),
    ],
    ids=[str(number) for number in range(8)],
)
def test_the_same_in_json(old: str, new: str) -> None:
    text = format_jsonl(next(random_records(Rules.parse("standard"), 1)))
    assert old in text
    game = GameText("a", ".jsonl", text.replace(old, new, 1))
    assert not is_taken(game)
    check([game])


def test_an_action_after_the_end_or_none_at_the_end_is_left_to_the_python_core(text: str) -> None:
    for wrong in (text.replace("\n= ", " 0:-\n= ", 1), text.replace(" 0-G", "", 1), text.replace("1-G ", "", 1)):
        assert not is_taken(GameText("a", ".ttn", wrong))
        check([GameText("a", ".ttn", wrong)])


def test_the_files_are_the_same_to_the_byte(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    paths = [GAMES[3], GAMES[58]]
    export_games(paths, tmp_path / "native")
    monkeypatch.setattr("tichu.data.export.is_native", lambda: False)
    export_games(paths, tmp_path / "python")
    for name in TABLES:
        files = [tmp_path / kernel / f"{name}.parquet" for kernel in ("native", "python")]
        assert files[0].read_bytes() == files[1].read_bytes()
        assert pyarrow.parquet.read_table(files[0]).num_rows > 0
