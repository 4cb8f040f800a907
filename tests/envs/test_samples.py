"""Records become samples."""

import subprocess
import sys
from pathlib import Path
from random import Random

import numpy as np
import pytest

from tests.games.make import GAMES
from tichu import Record, RoundRecord, Rules, format_record, shuffled_deal
from tichu.agents import make_agent
from tichu.arena import play_round
from tichu.core.errors import GameError
from tichu.envs import VERSION, unpack_masks
from tichu.envs.samples import load_samples, save_samples


def _written(folder: Path, rules: str, rounds: int) -> Path:
    agents = [make_agent(name, seed) for seed, name in enumerate(("greedy", "heuristic", "random", "heuristic"))]
    games = [play_round(agents, shuffled_deal(Random(seed)), Rules.parse(rules)) for seed in range(rounds)]
    records = tuple(RoundRecord(game.deal, game.actions, game.round.outcome.score) for game in games)
    path = folder / "game.ttn"
    path.write_text(format_record(Record(games[0].round.rules, records)))
    return path


@pytest.mark.parametrize("rules", ["courtesy", "simple bombs=ordered", "single-round"])
def test_every_decision_of_a_record_is_a_sample_of_its_mask(tmp_path: Path, rules: str) -> None:
    path = _written(tmp_path, rules, 3)
    count = save_samples(tmp_path / "samples.npz", [path])
    samples = load_samples(tmp_path / "samples.npz")
    assert len(samples.actions) == count
    assert samples.version == VERSION
    masks = unpack_masks(samples.masks)
    assert masks[np.arange(count), samples.actions].all()
    assert samples.rounds.max() == 2
    assert len(samples.sources) == len(samples.rules) == 3
    assert set(samples.seats.tolist()) == {0, 1, 2, 3}
    assert (np.abs(samples.scores).sum(axis=1) >= 100).all()


def test_real_games_become_samples(tmp_path: Path) -> None:
    count = save_samples(tmp_path / "samples.npz", GAMES[:2])
    samples = load_samples(tmp_path / "samples.npz")
    assert count > 500
    assert unpack_masks(samples.masks)[np.arange(count), samples.actions].all()
    assert samples.observations[:, 280:284].max() == 14


def test_another_version_is_refused(tmp_path: Path) -> None:
    path = _written(tmp_path, "simple bombs=ordered", 1)
    save_samples(tmp_path / "samples.npz", [path])
    content = dict(np.load(tmp_path / "samples.npz"))
    np.savez(tmp_path / "old.npz", **content | {"version": np.int64(0)})
    with pytest.raises(GameError, match="samples of encoding 0"):
        load_samples(tmp_path / "old.npz")


def test_a_wrong_round_is_left_out_and_named(tmp_path: Path) -> None:
    path = _written(tmp_path, "simple bombs=ordered", 2)
    head, last, _ = path.read_text().rpartition("\n= ")
    path.write_text(f"{head}{last}1 2\n")
    with pytest.warns(match=r"left out: .*game\.ttn round 1: the score is .* not 1 2"):
        count = save_samples(tmp_path / "samples.npz", [path])
    assert count > 0
    assert load_samples(tmp_path / "samples.npz").rounds.max() == 0


def test_a_file_that_cannot_be_read_costs_itself(tmp_path: Path) -> None:
    path = _written(tmp_path, "simple bombs=ordered", 1)
    (tmp_path / "cut.ttn.gz").write_bytes(b"\x1f\x8b")
    left_out: list[str] = []
    paths = [tmp_path / "missing.ttn", tmp_path / "cut.ttn.gz", path]
    assert save_samples(tmp_path / "samples.npz", paths, left_out.append)
    assert [text.partition(": ")[0] for text in left_out] == [str(each) for each in paths[:2]]
    assert "No such file" in left_out[0]
    with pytest.raises(GameError, match="no finished round"):
        save_samples(tmp_path / "none.npz", paths[:2], left_out.append)


def test_what_is_no_file_of_samples_is_said_to_be_none(tmp_path: Path) -> None:
    (tmp_path / "text.npz").write_text("hello")
    (tmp_path / "empty.npz").write_text("")
    np.savez(tmp_path / "other.npz", version=np.int64(VERSION))
    np.save(tmp_path / "array.npy", np.zeros(3))
    for name in ("text.npz", "empty.npz", "other.npz", "array.npy"):
        with pytest.raises(GameError, match="this is not a file of samples"):
            load_samples(tmp_path / name)


def test_all_real_games_become_samples_but_for_the_wrong_round(tmp_path: Path) -> None:
    left_out: list[str] = []
    save_samples(tmp_path / "samples.npz", [GAMES[16], GAMES[58]], left_out.append)
    assert left_out == [f"{GAMES[58]} round 3: the score is 15 85, not 15 285"]
    # Round 4 of the one is unfinished.
    sources = load_samples(tmp_path / "samples.npz").sources.tolist()
    assert f"{GAMES[16]} round 3" in sources
    assert f"{GAMES[16]} round 4" not in sources


def samples(*words: str | Path) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "tichu.envs.samples", *map(str, words)]
    return subprocess.run(command, capture_output=True, text=True, check=False)


def test_the_command_helps_and_refuses(tmp_path: Path) -> None:
    helped, refused = samples("--help"), samples("only.npz")
    assert (helped.returncode, "OUT.npz" in helped.stdout) == (0, True)
    assert (refused.returncode, "FILE" in refused.stderr) == (2, True)
    done = samples(tmp_path / "out.npz", GAMES[58])
    assert (done.returncode, done.stderr) == (1, f"left out: {GAMES[58]} round 3: the score is 15 85, not 15 285\n")
    assert load_samples(tmp_path / "out.npz").version == VERSION
