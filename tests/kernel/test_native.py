"""The native module by itself: bytes from outside, the same chance, the fast loop."""

import ast
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import pytest
import tichu_native as core

from tests.kernel.positions import positions, spoilt
from tests.table import start
from tichu import Round
from tichu.core.actions import parse_action
from tichu.core.automation import rating
from tichu.core.cards import parse_cards
from tichu.core.deals import shuffled_deal
from tichu.core.errors import GameError, IllegalAction, Reason
from tichu.core.phases import Call
from tichu.core.rules import PRESETS, Rules
from tichu.kernel import native, python
from tichu.kernel.chance import RandomRounds
from tichu.kernel.packing import STATE_SIZE, pack, pack_action, pack_rules, unpack, unpack_action

ROOT = Path(__file__).parents[2]
LEAD = "9s/Kb/-/4s p1 0:8s 90/0/0/0 - ---- 2 -/-/-/-"
DEALT = str(start("standard grand=no")).split(" ")[0]
TICHU = (Call.TICHU, Call.NONE, Call.NONE, Call.NONE)
GRAND = (Call.GRAND, Call.NONE, Call.NONE, Call.NONE)


def test_both_sides_know_the_same_layout() -> None:
    assert (core.ABI, core.STATE_SIZE) == (native.ABI, STATE_SIZE)
    assert {name: pack_rules(rules) for name, rules in PRESETS.items()} == core.PRESETS
    assert [reason.name for reason in Reason] == core.REASONS


def test_spoilt_bytes_are_refused_by_both_or_by_none() -> None:
    rng = Random(2)
    accepted = 0
    for _ in range(6000):
        packed = spoilt(rng.choice(positions()), rng)
        fault = core.fault(packed)
        try:
            state = unpack(packed)
        except GameError:
            with pytest.raises(GameError):
                native.legal(packed, 0)
            continue
        assert fault is None, f"{state.rules} {state}"
        accepted += 1
        assert [list(core.State(packed).legal(seat)) for seat in range(4)] == [
            python.legal(packed, seat) for seat in range(4)
        ]
    assert accepted > 300


@pytest.mark.parametrize(
    ("text", "rules", "change"),
    [
        (f"{DEALT} p0 - 0/0/0/0 - ---- - -/-/-/-", "standard", {"points": (25, -25, 0, 0)}),
        ("9s/Kb/4b/4s p1 - 90/0/0/0 - ---- - -/-/-/-", "standard", {"points": (115, -5, -20, 0)}),
        (f"{DEALT} x0123 - 0/0/0/0 - ---- - -/-/-/-", "standard tichu_from=play", {"calls": TICHU}),
        (f"{DEALT} x0123 - 0/0/0/0 - ---- - -/-/-/-", "standard calls=auto", {"calls": TICHU}),
        (LEAD, "standard grand=no", {"calls": GRAND}),
        (LEAD, "standard calls=auto", {"calls": GRAND}),
        (
            "7s7b7g8r/Ks/Kb/4s p1 2:P7 105/0/0/0 - ---- - -/-/-/-",
            "standard",
            {"hands": tuple(map(parse_cards, ("7s7b7g7r", "Ks", "Kb", "4s")))},
        ),
        ("9s/Kb/4b/4s p1 0:Ma 90/0/0/0 8 ---- - -/-/-/-", "classic", {"wish": 0}),
        ("-/2s/-/- t2 2:Dr 75/0/0/0 - ---- 032 -/-/-/-", "standard", {"out": (2, 0, 3)}),
    ],
)
def test_what_cannot_be_is_refused_by_both(text: str, rules: str, change: dict[str, Any]) -> None:
    state = Round.from_position(text, Rules.parse(rules))
    assert core.fault(pack(state)) is None
    wrong = pack(state._replace(**change))
    assert core.fault(wrong) is not None
    with pytest.raises(GameError):
        unpack(wrong)


def test_any_word_is_answered() -> None:
    rng = Random(3)
    for packed in positions():
        state = unpack(packed)
        for _ in range(5):
            word = rng.getrandbits(64) & (rng.getrandbits(64) | 0xF << 60)
            seat = rng.randrange(4)
            try:
                legal = unpack_action(word) in state.legal(seat)
            except GameError:
                legal = False
            assert (core.refusal(packed, seat, word) == "LEGAL") == legal
            assert (word in core.State(packed).legal(seat)) == legal


@pytest.mark.parametrize("wrong", [b"", b"x", bytes(111), bytes(112), bytes(113), b"\xff" * 112])
def test_wrong_bytes_are_refused(wrong: bytes) -> None:
    with pytest.raises(ValueError, match=r"112 bytes|hands|phase|rules|table"):
        core.State(wrong)
    for ask in (native.legal, native.perft):
        with pytest.raises(GameError):
            ask(wrong, 0)
    with pytest.raises(GameError):
        native.pending(wrong)
    with pytest.raises(GameError):
        native.after(wrong, 0, 1 << 61)
    with pytest.raises(GameError):
        native.playouts(wrong, 1, 1)


def test_seats_and_depths_that_do_not_exist_are_refused() -> None:
    packed = pack(Round.from_position(LEAD))
    for seat in (-1, 4):
        with pytest.raises(GameError):
            native.legal(packed, seat)
        with pytest.raises(ValueError, match="seats"):
            core.State(packed).legal(seat)
        with pytest.raises(GameError):
            native.after(packed, seat, 1 << 61)
    with pytest.raises(GameError):
        native.perft(packed, -1)
    with pytest.raises(GameError):
        native.after(packed, 1, -1)


def test_a_refusal_has_the_reason_of_the_rules_core() -> None:
    state = Round.from_position(LEAD)
    for text, reason in {"3:-": Reason.NOT_YOUR_TURN, "1:9s": Reason.NOT_IN_HAND, "1!": Reason.NOT_IN_PHASE}.items():
        seat, action = parse_action(text)
        with pytest.raises(IllegalAction) as refused:
            native.after(pack(state), seat, pack_action(action))
        assert refused.value.reason is reason
        assert str(refused.value) == f"seat {seat}, {action}: {reason.value}"
        with pytest.raises(core.Refused):
            core.State(pack(state)).apply(seat, pack_action(action))


def assert_same_rounds(one: RandomRounds, two: RandomRounds) -> None:
    assert one.decisions == two.decisions
    assert one.scores.dtype == two.scores.dtype
    assert one.scores.tolist() == two.scores.tolist()


def test_any_number_is_a_seed() -> None:
    for seed in (-1, 0, 2**64, 2**200 + 5):
        assert native.deal(Rules(), seed) == python.deal(Rules(), seed)
        assert_same_rounds(native.random_rounds(Rules(), 1, seed), python.random_rounds(Rules(), 1, seed))


def test_the_same_seed_deals_the_same_cards() -> None:
    for game in range(20):
        for rules in PRESETS.values():
            assert native.deal(rules, 7, game, 2) == python.deal(rules, 7, game, 2)


@pytest.mark.parametrize("name", PRESETS)
def test_playouts_are_equal_to_the_bit(name: str) -> None:
    rules = PRESETS[name]
    rounds = native.random_rounds(rules, 5, 11)
    assert_same_rounds(rounds, python.random_rounds(rules, 5, 11))
    for game, score in enumerate(rounds.scores):
        # Each round is what its own deal and generator make of it.
        [alone] = native.random_rounds(rules, game + 1, 11).scores[game:]
        assert tuple(alone) == tuple(score)
    packed = native.deal(rules, 3)
    assert native.playouts(packed, 5, 1) == python.playouts(packed, 5, 1)
    assert native.playouts(packed, 5, 1) != native.playouts(packed, 5, 2)


def test_threads_change_nothing() -> None:
    one = native.random_rounds(Rules(), 500, 3)
    assert_same_rounds(one, native.random_rounds(Rules(), 500, 3, threads=3))
    assert one.scores.shape == (500, 2)
    assert one.scores.dtype == np.int16
    assert (one.scores.sum(axis=1) % 100 == 0).all()
    assert len(np.unique(one.scores, axis=0)) > 50
    assert native.random_rounds(Rules(), 0, 3).scores.shape == (0, 2)


def test_rounds_and_threads_that_cannot_be_are_refused() -> None:
    for kernel in (native, python):
        with pytest.raises(GameError, match="threads"):
            kernel.random_rounds(Rules(), 1, 1, threads=0)
    with pytest.raises(GameError, match="rounds"):
        native.random_rounds(Rules(), 2**63, 1)


def test_playouts_start_anywhere() -> None:
    for packed in positions(2)[::10]:
        assert native.playouts(packed, 2, 1) == python.playouts(packed, 2, 1)


def test_the_table_rates_hands_alike() -> None:
    rng = Random(4)
    for _ in range(500):
        for eight, six in shuffled_deal(rng):
            assert core.rating(eight | six) == rating(eight | six)


def test_a_state_is_stepped_from_python() -> None:
    state = core.State(native.deal(Rules(), 5))
    first = bytes(state)
    steps = 0
    while state.seat >= 0:
        legal = state.legal(state.seat)
        assert legal.decisions + legal.may_call == len(legal)
        with pytest.raises(IndexError):
            legal[len(legal)]
        before = bytes(state)
        state = state.after(state.seat, legal[-1] if steps % 2 else legal[0])
        assert bytes(state) != before
        steps += 1
    assert state.pending == 0
    assert sum(state.score) % 100 == 0
    assert core.State(first) != state
    assert core.State(first) == core.State(first)
    assert core.State(first) != first
    with pytest.raises(TypeError):
        hash(state)
    with pytest.raises(ValueError, match="not over"):
        _ = core.State(first).score


def test_the_stubs_name_what_the_module_has() -> None:
    stub = ast.parse((ROOT / "native/python/tichu_native/_core.pyi").read_text())
    declared = {node.name for node in stub.body if isinstance(node, ast.FunctionDef | ast.ClassDef)}
    declared |= {ast.unparse(node.target) for node in stub.body if isinstance(node, ast.AnnAssign)}
    assert declared == {name for name in dir(core._core) if not name.startswith("__")} == set(core.__all__)
    for node in stub.body:
        if isinstance(node, ast.ClassDef):
            methods = {item.name for item in node.body if isinstance(item, ast.FunctionDef)}
            public = {name for name in vars(getattr(core, node.name)) if not name.startswith("_")}
            assert {name for name in methods if not name.startswith("_")} == public
