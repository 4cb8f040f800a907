"""Packing: one state, one sequence of bytes; one action, one word."""

from dataclasses import replace
from random import Random

import pytest

from tests.kernel.positions import positions, spoilt
from tichu import Round
from tichu.core.actions import Exchange, Take, Wish, parse_action
from tichu.core.errors import GameError, IllegalAction, Reason
from tichu.core.rules import FIELDS, PRESETS, Goal
from tichu.kernel import python
from tichu.kernel.packing import (
    STATE_SIZE,
    pack,
    pack_action,
    pack_goal,
    pack_rules,
    unpack,
    unpack_action,
    unpack_rules,
)


def test_a_state_takes_at_most_192_bytes() -> None:
    assert STATE_SIZE <= 192


def test_states_come_back() -> None:
    for packed in positions():
        state = unpack(packed)
        assert pack(state) == packed
        assert unpack(pack(state)) == state


def test_actions_come_back() -> None:
    for packed in positions(1):
        state = unpack(packed)
        for seat in range(4):
            for action in state.legal(seat):
                assert unpack_action(pack_action(action)) == action


@pytest.mark.parametrize(
    ("text", "word"),
    [
        ("2:7s7b", 0x1000000003000000),
        ("2:7sP7", 0x1700000001000004),
        ("2:Ph", 0x1100000000000004),
        ("2:-", 0x2000000000000000),
        ("2!", 0x3000000000000000),
        ("2!3", 0x3000000000000004),
        ("2?8", 0x4000000000000008),
        ("2?-", 0x4000000000000000),
        ("2>2sMa2b", 0x5000000000005004),
        ("2+T", 0x6000000000000000),
        ("2+G", 0x7000000000000000),
        ("2-G", 0x8000000000000000),
        ("2-B", 0x9000000000000000),
    ],
)
def test_actions_are_packed_as_written_down(text: str, word: int) -> None:
    action = parse_action(text)[1]
    assert pack_action(action) == word
    assert unpack_action(word) == action


@pytest.mark.parametrize(
    "word",
    [
        0,
        -1,
        1 << 64,
        0xF << 60,
        0x2000000000000001,  # a pass with an argument
        0x3000000000000005,  # a take for seat 4
        0x4000000000000010,  # a wish beyond the ranks
        0x5000000000000038,  # card 56
        0x1000000000000000,  # no cards
        0x1000000013000000,  # 7s7b8s
        0x1000000001000004,  # the Phoenix stands for nothing
        pack_action(Exchange(4, 5, 6)) | 1 << 20,
    ],
)
def test_words_that_are_no_action_are_refused(word: int) -> None:
    with pytest.raises(GameError):
        unpack_action(word)


def test_every_value_of_every_field_comes_back() -> None:
    goals = [Goal("rounds", 1), Goal("target", 1), Goal("target", 999_999)]
    for preset in PRESETS.values():
        for field, values in FIELDS.items():
            for value in goals if field == "goal" else values:
                changed = replace(preset, **{field: value})  # type: ignore[arg-type]
                assert unpack_rules(pack_rules(changed), pack_goal(changed.goal)) == changed


@pytest.mark.parametrize(("bits", "goal"), [(3 << 5, 0), (3 << 8, 0), (1 << 13, 0), (0, 1_000_000), (0, -1)])
def test_rules_that_do_not_exist_are_refused(bits: int, goal: int) -> None:
    with pytest.raises(GameError):
        unpack_rules(bits, goal)


def test_spoilt_bytes_are_refused_or_can_be() -> None:
    rng = Random(1)
    refused = 0
    for _ in range(3000):
        packed = spoilt(rng.choice(positions()), rng)
        try:
            state = unpack(packed)
        except GameError:
            refused += 1
        else:
            assert pack(state) == packed
            for seat in range(4):
                len(state.legal(seat))
    assert refused > 1000


@pytest.mark.parametrize("wrong", [b"", b"x", bytes(111), bytes(112), bytes(113), b"\xff" * 112])
def test_wrong_sizes_are_refused(wrong: bytes) -> None:
    with pytest.raises(GameError):
        unpack(wrong)


LEAD = "9s/Kb/-/4s p1 0:8s 90/0/0/0 - ---- 2 -/-/-/-"


def test_the_python_kernel_refuses_what_cannot_be_asked() -> None:
    packed = pack(Round.from_position(LEAD))
    with pytest.raises(GameError):
        python.legal(bytes(112), 0)
    with pytest.raises(GameError):
        python.legal(packed, 4)
    with pytest.raises(GameError):
        python.perft(packed, -1)
    with pytest.raises(GameError):
        python.playouts(packed, 1, 1, "best")  # type: ignore[arg-type]


def test_the_python_kernel_gives_the_reason() -> None:
    with pytest.raises(IllegalAction) as refused:
        python.after(pack(Round.from_position(LEAD)), 1, pack_action(Wish(5)))
    assert refused.value.reason is Reason.NOT_IN_PHASE
    state = python.State(pack(Round.from_position(LEAD)))
    assert pack_action(Take()) not in state.legal(1)
    assert 0 not in state.legal(1)
    assert list(state.legal(1)) == [pack_action(parse_action("1:Kb")[1]), pack_action(parse_action("1:-")[1])]
