"""The commands of the training: what they do, and what they say when they cannot."""

import csv
import subprocess
import sys
from collections import Counter
from pathlib import Path

import numpy as np
import pytest
import torch

from tests.training.runs import CONFIG, SHORT, SMALL, save_run
from tichu.agents.learned.network import read_network
from tichu.encoding.numbering import CALLING_GRAND, CALLING_TICHU
from training.calls import main as calls
from training.checkpoint import Progress, load, read_policy, read_weights, save
from training.command_line import Main
from training.compare import main as compare
from training.curves import main as curves
from training.curves import read
from training.evaluation import Outcome
from training.export import main as export
from training.network import network_size
from training.ppo import Coefficients, Learner, Report
from training.train import main as train

CHAMPION = str(Path(__file__).parents[2] / "src" / "tichu" / "agents" / "learned" / "champion.npz")
# Tests run side by side; threads that wait for each other would only get in the way.
torch.set_num_threads(1)

pytestmark = pytest.mark.usefixtures("clock")


@pytest.fixture
def _quick_evaluation(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing is played, for tests of something else."""
    monkeypatch.setattr("training.train.evaluate", lambda *_: Outcome(0.0, 0.0, Counter()))


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> str:
    """The folder of a run that knows what matches are worth; nothing writes to it."""
    folder = tmp_path_factory.mktemp("run")
    save_run(folder)
    return str(folder)


@pytest.fixture(scope="module")
def other(tmp_path_factory: pytest.TempPathFactory) -> str:
    """The folder of a wider network."""
    learner = Learner(CONFIG._replace(width=32, blocks=2))
    learner.reset(1)
    learner.iterate(Coefficients.at(0.5, 1e-3))
    folder = tmp_path_factory.mktemp("other")
    save(folder, learner, Progress())
    return str(folder)


def test_a_run_is_cut_into_commands_and_ends(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = ["--out", str(tmp_path / "run")]
    train([*SHORT, *out, "--total-seconds", "1000"])
    train([*SHORT, *out])
    assert "weights, cpu" in capsys.readouterr().out
    first, second = read(tmp_path / "run" / "curve.csv")
    assert (first["seconds"], second["seconds"]) == (1, 2)
    # At the second command's first evaluation there was the policy of the first one to play against.
    assert first["over_previous"] != first["over_previous"]
    assert second["over_previous"] == second["over_previous"]
    progress = load(tmp_path / "run", Learner(CONFIG))
    assert progress is not None
    assert (progress.total, progress.decisions) == (1000, 4 * 64 * 4)
    train([*SHORT, *out, "--total-seconds", "2"])
    assert "the run is over" in capsys.readouterr().out
    assert len(read(tmp_path / "run" / "curve.csv")) == 2


@pytest.mark.usefixtures("_quick_evaluation")
def test_a_run_ends_with_its_decisions(tmp_path: Path) -> None:
    train([*SMALL, "--evaluation-deals", "64", "--decisions", "1100", "--out", str(tmp_path)])
    assert len(read(tmp_path / "curve.csv")) == 1
    progress = load(tmp_path, Learner(CONFIG))
    assert progress is not None
    assert progress.decisions == 4 * 64 * 4


@pytest.mark.usefixtures("_quick_evaluation")
def test_a_run_without_a_total_ends_with_its_first_command(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for _ in range(2):
        train([*SHORT, "--out", str(tmp_path)])
    assert "the run is over" in capsys.readouterr().out
    assert len(read(tmp_path / "curve.csv")) == 1


@pytest.mark.usefixtures("_quick_evaluation")
def test_a_run_goes_on_elsewhere_with_its_matches(run: str, tmp_path: Path) -> None:
    train([*SHORT, "--resume", run, "--out", str(tmp_path)])
    assert [row["seconds"] for row in read(tmp_path / "curve.csv")] == [8]
    one, two = Learner(CONFIG), Learner(CONFIG)
    load(Path(run), one)
    load(tmp_path, two)
    assert one.matches.win_probabilities is not None
    assert torch.equal(one.matches.win_probabilities, two.matches.win_probabilities)


@pytest.mark.usefixtures("_quick_evaluation")
def test_opponents_of_any_size_take_turns(
    run: str, other: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    widths, iterate = [], Learner.iterate

    def spy(learner: Learner, coefficients: Coefficients) -> Report:
        assert learner.opponent is not None
        widths.append(network_size(learner.opponent.state_dict())[0])
        report = iterate(learner, coefficients)
        # They have seats in half of the games, and decide there.
        assert learner.is_own[:, :32].all()
        assert 0 < int(learner.is_own[:, 32:].sum()) < learner.is_own[:, 32:].numel()
        return report

    monkeypatch.setattr(Learner, "iterate", spy)
    opponents = ["--opponent", other, run, "--opponent-share", "0.5"]
    train([*SHORT, *opponents, "--evaluation-interval", "1", "--seconds", "3", "--out", str(tmp_path)])
    assert widths == [32, 32, 16, 32]


def test_a_run_begins_with_the_weights_of_another(run: str, tmp_path: Path) -> None:
    train([*SHORT, "--learning-rate", "0", "--start", run, "--out", str(tmp_path)])
    (row,) = read(tmp_path / "curve.csv")
    assert row["seconds"] == 1
    assert row["over_previous"] == 0
    one, two = (read_policy(Path(folder), "cpu").state_dict() for folder in (run, tmp_path))
    assert all(torch.equal(one[name], two[name]) for name in one)


def test_policies_are_compared(run: str, other: str, capsys: pytest.CaptureFixture[str]) -> None:
    compare([run, other, "--opponent", run, "--ablate", "memory", "--deals", "64"])
    lines = capsys.readouterr().out.splitlines()
    assert [line.split(":")[0] for line in lines] == [f"{run}, standard", f"{other}, standard"]
    assert all(line.endswith("points a round") for line in lines)
    compare([other, "--opponent", run, "--deals", "64", "--matches", "64", "--goal", "1"])
    assert capsys.readouterr().out.endswith("of matches\n")


def test_the_champion_is_an_opponent_by_any_rules(run: str, capsys: pytest.CaptureFixture[str]) -> None:
    compare([run, "--opponent", CHAMPION, "--rules", "standard", "simple bombs=in-turn", "--deals", "64"])
    lines = capsys.readouterr().out.splitlines()
    names = [line.split(":")[0] for line in lines]
    assert names == [f"{run}, standard", f"{run}, simple bombs=in-turn"]
    # Whatever a network does that has hardly been trained, it loses.
    assert all(float(line.split(": ")[1].split()[0]) < -50 for line in lines)


def test_a_run_is_evaluated_against_an_opponent(tmp_path: Path) -> None:
    train([*SHORT, "--rules", "simple", "--evaluation-opponent", CHAMPION, "--out", str(tmp_path)])
    (row,) = csv.DictReader((tmp_path / "curve.csv").read_text().splitlines())
    assert float(row["over_opponent"]) < -50


@pytest.mark.parametrize(("rules", "played"), [("simple", "simple"), ("mixed", "standard")])
def test_a_curve_is_of_the_rules_of_its_run(
    rules: str, played: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked = []

    def spy(*arguments: object) -> Outcome:
        asked.append(arguments[-1])
        return Outcome(0.0, 0.0, Counter())

    monkeypatch.setattr("training.train.evaluate", spy)
    train([*SHORT, "--rules", rules, "--out", str(tmp_path)])
    assert {*asked} == {played}


def test_a_run_starts_from_one_file(run: str, tmp_path: Path) -> None:
    start = str(tmp_path / "start.npz")
    export([run, start, "--for", "start"])
    train([*SHORT, "--learning-rate", "0", "--start", start, "--out", str(tmp_path / "new")])
    for name in ("policy", "critic"):
        one, two = (read_weights(Path(source), name, "cpu") for source in (run, str(tmp_path / "new")))
        assert all(torch.equal(one[key].half(), two[key].half()) for key in one)


def test_calls_are_counted_for_every_pair_of_shifts(run: str, capsys: pytest.CaptureFixture[str]) -> None:
    calls([run, "--grand", "1000", "-1000", "--first-threshold", "1", "--deals", "64"])
    always, never = capsys.readouterr().out.splitlines()
    # If everybody calls, one in four makes it.
    assert always.startswith("tichu +0 grand +1000: tichu 0.0000  tichu_made 0.0000  grand 4.0000  grand_made 0.2500")
    assert never.startswith("tichu +0 grand -1000: tichu 0.0000  tichu_made 0.0000  grand 0.0000  grand_made 0.0000")
    assert all(line.endswith("points a round") for line in (always, never))


def test_calls_are_counted_in_whole_matches_too(
    run: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    first, second = 0b10, 0  # the first seat has called Grand Tichu, or nobody anything
    told = (
        [(0, 0, first), (200, 0, second), (0, 0, first), (1, 0, first)],
        [(0, 0, second), (1, 0, first)] + 2 * [(1, 0, second)],
    )
    rows = [
        (game, number, 100, 0, ahead, behind, 0, 2, calls)
        for game, rounds in enumerate(told)
        for number, (ahead, behind, calls) in enumerate(rounds)
    ]
    monkeypatch.setattr("training.calls.play_rounds", lambda *_: np.array(rows))
    monkeypatch.setattr("training.calls._LONGEST", 4)
    calls([run, "--deals", "64", "--matches", "64"])
    _, matches = capsys.readouterr().out.splitlines()
    # Two rounds of the first table, where the third begins another match, and all four of the second: two Grands.
    assert matches.startswith("  in whole matches: tichu 0.0000  tichu_made 0.0000  grand 0.3333  grand_made 1.0000")


def test_weights_are_exported_with_their_calls_shifted(run: str, tmp_path: Path) -> None:
    plain, shifted = str(tmp_path / "plain.npz"), str(tmp_path / "shifted.npz")
    export([run, plain])
    export([run, shifted, "--tichu", "-4", "--grand", "1.5"])
    one, two = np.load(plain), np.load(shifted)
    added = two["head_bias"].astype(float) - one["head_bias"]
    assert added[CALLING_TICHU] == pytest.approx(-4, abs=0.01)
    assert added[CALLING_GRAND] == pytest.approx(1.5, abs=0.01)
    added[[CALLING_TICHU, CALLING_GRAND]] = 0
    assert not added.any()
    assert all((one[name] == two[name]).all() for name in one if name != "head_bias")
    read_network(shifted)


CURVE = """\
seconds,over_greedy,over_previous,explained_variance,play_entropy,evaluation_tichu,evaluation_tichu_made,evaluation_grand,evaluation_grand_made
1,-3,nan,0.1,1,0.1,0.2,0.3,0.4
2,5,1,0.2,0.9,0.1,0.2,0.3,0.4
"""


def test_a_curve_is_drawn(tmp_path: Path) -> None:
    source, target = tmp_path / "curve.csv", tmp_path / "curve.svg"
    source.write_text(CURVE)
    curves([str(source), str(target)])
    plain = target.read_text().count("<path")
    assert plain > 5
    lines = CURVE.splitlines()
    source.write_text(f"{lines[0]},over_opponent\n{lines[1]},nan\n{lines[2]},-7\n")
    curves([str(source), str(target)])
    assert target.read_text().count("<path") > plain


@pytest.mark.parametrize(
    ("main", "arguments", "fault"),
    [
        (train, [*SHORT, "--resume", "nowhere"], "nowhere: no checkpoint there"),
        (train, [*SHORT, "--start", "nowhere"], "nowhere: no checkpoint with a policy"),
        (train, [*SHORT, "--opponent", "nowhere"], "nowhere: no checkpoint with a policy"),
        (train, [*SHORT, "--resume", "OTHER"], "another shape, 32 wide with 2 blocks"),
        (train, [*SHORT, "--start", CHAMPION], "another shape, 640 wide with 3 blocks"),
        (train, [*SHORT, "--start", "right.csv"], "right.csv cannot be read"),
        (train, [*SHORT, "--rules", "brettspielwelt"], "counterclockwise"),
        (train, [*SHORT, "--rules", "nonsense"], "no preset 'nonsense'"),
        (compare, ["RUN", "--opponent", "RUN", "--rules", "brettspielwelt"], "counterclockwise"),
        (train, [*SHORT, "--start", "OTHER"], "another shape, 32 wide with 2 blocks"),
        (compare, ["RUN", "--opponent", "nowhere"], "nowhere: no checkpoint"),
        (compare, ["nowhere", "--opponent", "RUN"], "nowhere: no checkpoint"),
        (compare, ["RUN", "--opponent", "RUN", "--deals", "64", "--matches", "64", "--goal", "100000000"], "goal"),
        (calls, ["nowhere"], "nowhere: no checkpoint"),
        (export, ["nowhere", "out.npz"], "nowhere: no checkpoint"),
        (export, ["RUN", "nowhere/out.npz"], "nowhere/out.npz: No such file"),
        (curves, ["nowhere.csv", "curve.svg"], "nowhere.csv: No such file"),
        (curves, ["right.csv", "curve.xyz"], "curve.xyz: not a file type"),
        (curves, ["empty.csv", "curve.svg"], "empty.csv: nothing to draw"),
        (curves, ["wrong.csv", "curve.svg"], "wrong.csv: row 1 is not a row of a curve"),
    ],
)
def test_what_cannot_be_done_is_said(
    main: Main, arguments: list[str], fault: str, run: str, other: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("right.csv").write_text(CURVE)
    Path("empty.csv").write_text("")
    Path("wrong.csv").write_text("seconds\nmany\n")
    with pytest.raises(SystemExit, match=fault):
        main([{"RUN": run, "OTHER": other}.get(word, word) for word in arguments])


@pytest.mark.parametrize(
    ("main", "arguments", "fault"),
    [
        (train, ["--games", "63"], "--games: 63 is not a multiple of 64"),
        (train, ["--evaluation-deals", "0"], "--evaluation-deals: 0 is not a multiple of 64"),
        (train, [*SMALL, "--minibatch", "257"], "--minibatch: a rollout has only 256 decisions"),
        (train, [*SMALL, "--decisions", "300"], "--decisions: two rollouts of 256 are the least"),
        (train, ["--seconds", "0"], "--seconds: 0 is not above 0"),
        (train, ["--width", "0"], "--width: 0 is less than 1"),
        (train, ["--opponent-share", "1.5"], "--opponent-share: 1.5 is not between 0 and 1"),
        (train, ["--resume", "one", "--start", "two"], "not allowed with argument --resume"),
        (compare, ["one", "--opponent", "two", "--deals", "100"], "--deals: 100 is not a multiple of 64"),
        (calls, ["one", "--deals", "many"], "--deals: invalid game_count value: 'many'"),
        (curves, ["one"], "required: target"),
    ],
)
def test_wrong_arguments_are_named(
    main: Main, arguments: list[str], fault: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit):
        main(arguments)
    assert fault in capsys.readouterr().err


def test_a_gpu_that_is_not_there_is_named(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr(torch.cuda, "is_available", lambda: False)
    with pytest.raises(SystemExit):
        train(["--device", "cuda"])
    assert "--device: torch finds no GPU" in capsys.readouterr().err


@pytest.mark.parametrize("module", ["calls", "compare", "export", "speed", "train"])
def test_without_torch_a_command_says_so(module: str) -> None:
    program = (
        f"import runpy, sys; sys.modules['torch'] = None; runpy.run_module('training.{module}', run_name='__main__')"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert done.stderr == "training needs torch: pip install torch\n"
    assert done.returncode == 1
