"""``TICHU_KERNEL``: which kernel is taken, and the one that compares the two."""

import os
import subprocess
import sys
from pathlib import Path

import pytest
import tichu_native as core

from tests.kernel.positions import positions
from tichu import kernel
from tichu.core.actions import PASS
from tichu.core.errors import GameError, IllegalAction
from tichu.core.rules import Rules
from tichu.kernel import check, native, python
from tichu.kernel.packing import pack_action, unpack


def chosen(name: str | None, folder: Path | None = None) -> tuple[str, str]:
    """The kernel that a new process takes, and what it says about it."""
    environment = {key: value for key, value in os.environ.items() if key != "TICHU_KERNEL"}
    if name is not None:
        environment["TICHU_KERNEL"] = name
    if folder is not None:
        environment["PYTHONPATH"] = str(folder)
    code = "import tichu.kernel, tichu.kernel as again; print(tichu.kernel.KERNEL)"
    result = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, env=environment, check=False)
    return result.stdout.strip(), result.stderr.strip()


def test_the_variable_chooses() -> None:
    assert chosen(None) == ("native", "")
    assert [chosen(name) for name in ("python", "native", "check")] == [
        ("python", ""),
        ("native", ""),
        ("check", ""),
    ]
    assert "no kernel 'fast'; there are python, native and check" in chosen("fast")[1]


def test_without_the_module_python_plays_and_says_so_once(tmp_path: Path) -> None:
    (tmp_path / "tichu_native.py").write_text("raise ImportError('not built')")
    name, said = chosen(None, tmp_path)
    assert name == "python"
    assert said.startswith("no native kernel (not built): the Python one is a hundred times slower; pip install ")
    assert "no native kernel: not built" in chosen("native", tmp_path)[1]


def test_who_does_not_use_the_kernel_hears_nothing_of_it(tmp_path: Path) -> None:
    (tmp_path / "tichu_native.py").write_text("raise ImportError('not built')")
    code = "from tichu.agents import make_agent; print(make_agent('learned').name)"
    environment = {**os.environ, "PYTHONPATH": str(tmp_path)}
    result = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, env=environment, check=False)
    assert (result.stdout.strip(), result.stderr) == ("learned", "")


def test_a_module_of_another_version_is_not_taken(tmp_path: Path) -> None:
    (tmp_path / "tichu_native.py").write_text("ABI, STATE_SIZE, Batch, Legal, State = 99, 112, 0, 0, 0")
    name, said = chosen(None, tmp_path)
    assert name == "python"
    assert f"tichu-native has interface 99 and this tichu needs {native.ABI}: install both anew" in said


def test_check_gives_the_answers_of_both() -> None:
    for packed in positions(1)[::5]:
        assert check.pending(packed) == python.pending(packed)
        for seat in range(4):
            actions = check.legal(packed, seat)
            assert actions == python.legal(packed, seat)
        assert check.perft(packed, 1) == python.perft(packed, 1)
    packed = check.deal(Rules(), 3)
    assert check.playouts(packed, 2, 1) == python.playouts(packed, 2, 1)
    rounds = check.random_rounds(Rules(), 2, 1)
    assert rounds.decisions > 100
    assert rounds.scores.shape == (2, 2)
    state = check.State(packed)
    while state.seat >= 0:
        decision = state.automatic()
        seat, action = decision or (state.seat, state.legal(state.seat)[0])
        state = state.after(seat, action)
    assert sum(state.score) % 100 == 0
    assert state.phase == 6
    assert state.pending == 0


def test_check_refuses_what_both_refuse() -> None:
    packed = check.deal(Rules(), 3)
    with pytest.raises(IllegalAction):
        check.after(packed, 0, pack_action(PASS))
    with pytest.raises(GameError):
        check.after(packed, 0, 0)
    with pytest.raises(GameError):
        check.legal(bytes(112), 0)


def test_the_first_difference_stops_with_the_position(monkeypatch: pytest.MonkeyPatch) -> None:
    packed = python.deal(Rules(), 3)
    monkeypatch.setattr(native, "legal", lambda state, seat: core.legal(state, seat)[1:])
    with pytest.raises(check.KernelsDiffer) as difference:
        check.legal(packed, 0)
    line, one, two = str(difference.value).split("\n")
    assert line == f"legal(0) in standard: {unpack(packed)}"
    assert (one.strip(), two.strip()) == ("python: +G -G", "native: -G")
    monkeypatch.setattr(native, "pending", lambda _: (_ for _ in ()).throw(GameError("no")))
    with pytest.raises(check.KernelsDiffer, match="only one kernel refuses"):
        check.pending(packed)


def test_the_door_offers_the_chosen_kernel() -> None:
    assert kernel.KERNEL in ("native", "python", "check")
    assert kernel.legal is kernel.load(kernel.KERNEL).legal
