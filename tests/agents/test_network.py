"""Networks in the native core: what numpy computes, faster, and the same for a row alone and among others."""

import copy
import os
import pickle
import sys
from collections.abc import Callable
from dataclasses import replace
from functools import cache
from importlib.resources import files
from importlib.util import find_spec
from random import Random
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from tests.agents.tables import decisions
from tichu import PRESETS, Rules
from tichu.agents import make_agent
from tichu.agents.learned.agent import _best
from tichu.agents.learned.features import FEATURE_COUNTS, PLACES, THRESHOLDS, encode_row
from tichu.agents.learned.network import Network, champion, small
from tichu.encoding import ACTION_COUNT, legal_numbers, pack_mask

NATIVE = champion().native is not None
needs_native = pytest.mark.skipif(not NATIVE and os.environ.get("CI") != "true", reason="no native core")
both = pytest.mark.parametrize("network", [champion, small], ids=["champion", "small"])

Rows = NDArray[np.uint8]
Numbers = list[NDArray[np.int64]]


@cache
def asked() -> tuple[Rows, Numbers]:
    """Decisions with a choice, of rounds under all rules."""
    rows, numbers = [], []
    for seed, rules in enumerate(PRESETS):
        for _, view in decisions(Rules.parse(rules), seed):
            legal = sorted(legal_numbers(view))
            if len(legal) > 1 and view.rules.direction == "ccw":
                rows.append(encode_row(view))
                numbers.append(np.array(legal))
    return np.stack(rows), numbers


def judged(network: Network, rows: Rows, numbers: Numbers) -> list[bytes]:
    return [np.append(scores, expected).tobytes() for scores, expected in network.scores_together(rows, numbers)]


@needs_native
@both
def test_the_native_core_computes_what_numpy_does(network: Callable[[], Network]) -> None:
    rows, numbers = asked()
    reference = network().by_numpy()
    assert reference.native is None
    pairs = zip(network().scores_together(rows, numbers), reference.scores_together(rows, numbers), strict=True)
    same = 0
    for ((scores, expected), (right, rightly)), legal in zip(pairs, numbers, strict=True):
        assert np.allclose(scores, right, rtol=1e-3, atol=1e-3)
        assert np.allclose(expected.outputs, rightly.outputs, rtol=1e-3, atol=1e-3)
        same += _best(scores, legal.tolist()) == _best(right, legal.tolist())
    assert len(rows) > 300
    assert same >= 0.999 * len(rows) - 1


@needs_native
@both
def test_what_is_chosen_has_the_highest_score(network: Callable[[], Network]) -> None:
    rows, numbers = asked()
    masks = np.zeros((len(rows), ACTION_COUNT), np.int8)
    for mask, legal in zip(masks, numbers, strict=True):
        mask[legal] = 1
    chosen = np.empty(len(rows), np.int64)
    native = network().native
    assert native is not None
    native.choose(rows, pack_mask(masks), chosen)
    scores = [scores for scores, _ in network().scores_together(rows, numbers)]
    assert chosen.tolist() == [_best(each, legal.tolist()) for each, legal in zip(scores, numbers, strict=True)]
    # Bits behind the last action are nothing.
    everything = np.full((1, 208), 255, np.uint8)
    native.choose(rows[:1], everything, chosen[:1])
    assert 0 <= chosen[0] < ACTION_COUNT
    native.choose(rows[:1], np.zeros((1, 208), np.uint8), chosen[:1])
    assert chosen[0] == -1


@needs_native
@both
def test_a_row_alone_gives_the_same_bits_as_among_others(network: Callable[[], Network]) -> None:
    rows, numbers = asked()
    together = judged(network(), rows, numbers)
    places, rng = Random(1).sample(range(len(rows)), 120), Random(2)
    while places:
        here = places[: rng.randrange(1, 9)]
        del places[: len(here)]
        assert judged(network(), rows[here], [numbers[place] for place in here]) == [together[place] for place in here]
    alone, expected = network().scores(rows[7], numbers[7])
    assert np.append(alone, expected).tobytes() == together[7]


@needs_native
def test_every_width_of_registers_gives_nearly_the_same() -> None:
    import tichu_native

    rows = asked()[0][::9]
    scores = {}
    for bits in (0, 256, 512):
        native = tichu_native.Network(**_arguments(small()), bits=bits)
        starts = np.arange(len(rows) + 1) * ACTION_COUNT
        scores[bits] = np.empty(len(rows) * ACTION_COUNT, np.float32)
        every = np.tile(np.arange(ACTION_COUNT), len(rows))
        native.judge(rows, starts, every, scores[bits], np.empty((len(rows), 8), np.float32))
    assert np.allclose(scores[0], scores[512], rtol=1e-3, atol=1e-3)
    assert np.allclose(scores[0], scores[256], rtol=1e-3, atol=1e-3)


def _arguments(network: Network) -> dict[str, Any]:
    """What the native network is made of."""
    return {
        "entry": network.entry.weight,
        "entry_bias": network.entry.bias,
        "layers": [(layer.weight, layer.bias) for block in network.blocks for layer in block],
        "head": network.head.weight,
        "head_bias": network.head.bias,
        "value": network.value.weight,
        "value_bias": network.value.bias,
        "places": PLACES,
        "thresholds": THRESHOLDS,
    }


@needs_native
def test_arrays_that_do_not_fit_are_refused() -> None:
    import tichu_native

    native = small().native
    assert native is not None
    rows, masks, into = np.zeros((2, 434), np.uint8), np.zeros((2, 208), np.uint8), np.zeros(2, np.int64)
    for wrong in ((rows[:, :-1].copy(), masks, into), (rows[:1], masks, into), (rows, masks, into[:1])):
        with pytest.raises(ValueError, match="row"):
            native.choose(*wrong)
    scores, expected = np.zeros(2, np.float32), np.zeros((2, 8), np.float32)
    for starts, numbers in (([0, 1], [0, 1]), ([0, 2, 1], [0, 1]), ([0, 1, 3], [0, 1]), ([0, 1, 2], [0, ACTION_COUNT])):
        with pytest.raises(ValueError, match="do not fit"):
            native.judge(rows, np.array(starts), np.array(numbers), scores, expected)
    other = (small().head.weight, small().head.bias)
    for name, part in (("entry_bias", np.zeros(3, np.float32)), ("layers", [other, other]), ("layers", [other])):
        with pytest.raises(ValueError, match="another size"):
            tichu_native.Network(**_arguments(small()) | {name: part})
    places = PLACES.copy()
    places[0] = 460
    with pytest.raises(ValueError, match="no such byte"):
        tichu_native.Network(**_arguments(small()) | {"places": places})


@needs_native
def test_a_network_without_the_rules_among_its_inputs_is_run_too() -> None:
    rows, numbers = asked()
    weight = np.ascontiguousarray(small().entry.weight[: FEATURE_COUNTS[0]])
    older = replace(small(), entry=small().entry._replace(weight=weight))
    pairs = zip(older.scores_together(rows, numbers), older.by_numpy().scores_together(rows, numbers), strict=True)
    assert all(np.allclose(one, two, rtol=1e-3, atol=1e-3) for (one, _), (two, _) in pairs)


def test_numpy_is_there_without_the_native_core_and_for_who_asks_for_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TICHU_KERNEL", "python")
    assert replace(small()).native is None
    monkeypatch.delenv("TICHU_KERNEL")
    assert (replace(small()).native is None) == (find_spec("tichu_native") is None)
    for name in ("tichu_native", "tichu_native._core"):
        monkeypatch.setitem(sys.modules, name, None)
    without = replace(small())
    rows, numbers = asked()
    assert without.native is None
    assert judged(without, rows[:20], numbers[:20]) == judged(small().by_numpy(), rows[:20], numbers[:20])


def test_a_network_is_copied_and_stored_by_its_weights() -> None:
    rows, numbers = asked()
    expected = judged(small(), rows[:9], numbers[:9])
    for other in (copy.deepcopy(small()), pickle.loads(pickle.dumps(small()))):
        assert judged(other, rows[:9], numbers[:9]) == expected


def test_the_small_network_is_small_and_plays() -> None:
    assert (files("tichu.agents.learned") / "small.npz").stat().st_size <= 1_000_000  # type: ignore[attr-defined]
    agent = make_agent("small")
    assert (agent.name, agent.takes_batches) == ("small", True)
    for _, view in decisions(Rules.parse("courtesy"), 3):
        assert agent.act(view, view.legal()) in view.legal()
