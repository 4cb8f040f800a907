"""The learned bot: legal everywhere, the same again, blind, and strong."""

import subprocess
import sys
from collections import Counter
from dataclasses import replace
from importlib.resources import files
from pathlib import Path
from random import Random

import numpy as np
import pytest

from tests.agents.tables import decisions, positions, reshuffled
from tichu import PRESETS, GameError, Phase, Rules, format_view, shuffled_deal
from tichu.agents import LEVELS, make_agent
from tichu.agents.learned.agent import LearnedAgent
from tichu.agents.learned.features import FEATURE_COUNT, FEATURE_COUNTS, PLACES, THRESHOLDS, encode_row, features_of
from tichu.agents.learned.mirror import mirror_action, mirror_view
from tichu.agents.learned.network import champion, read_network
from tichu.agents.reasons import in_words
from tichu.arena import play_round
from tichu.core.actions import CallGrand, CallTichu, Exchange, Pass
from tichu.core.combos import Combo
from tichu.core.rules import FIELDS
from tichu.encoding import OBSERVATION_SIZE, field, legal_numbers

NAMES = ("Ada", "Ben", "Cho", "Dov")


@pytest.mark.parametrize("rules", [*PRESETS, "standard bombs=ordered", "brettspielwelt bombs=ordered"])
def test_it_is_legal_in_every_decision_of_a_round(rules: str) -> None:
    agent = make_agent("learned")
    phases: Counter[Phase] = Counter()
    for seed in range(2):
        for _, view in decisions(Rules.parse(rules), seed):
            assert agent.act(view, view.legal()) in view.legal(), format_view(view)
            phases[view.phase] += 1
    assert phases[Phase.PLAY] > 40


@pytest.mark.parametrize("rules", ["standard bombs=ordered", "courtesy", "single-round", "brettspielwelt"])
def test_it_is_legal_in_positions_that_nobody_plays(rules: str) -> None:
    agent = make_agent("learned")
    for state in positions(Rules.parse(rules), seed=2, number=40):
        view = state.view(state.pending[0])
        assert agent.act(view, view.legal()) in view.legal(), str(state)


def test_it_sees_nothing_but_the_view() -> None:
    agent, rng = make_agent("learned"), Random(1)
    for state, view in decisions(Rules.parse("standard bombs=ordered"), 3):
        blind = reshuffled(state, view.seat, rng).view(view.seat)._replace(history=view.history)
        assert agent.act(view, view.legal()) == agent.act(blind, blind.legal())


@pytest.mark.parametrize("level", LEVELS)
def test_a_level_is_legal_and_decides_the_same_again(level: str) -> None:
    one, two = make_agent(level, 5), make_agent(level, 5)
    for _, view in decisions(Rules.parse("courtesy"), 4):
        action = one.act(view, view.legal())
        assert action in view.legal()
        assert action == two.act(view, view.legal())


def test_the_seed_matters_below_the_best_level_only() -> None:
    views = [view for _, view in decisions(Rules.parse("standard bombs=ordered"), 5)]
    different = {
        level: sum(make_agent(level, 1).act(v, v.legal()) != make_agent(level, 2).act(v, v.legal()) for v in views)
        for level in ("easy", "best")
    }
    assert different["easy"] > different["best"] == 0


def test_play_in_the_other_direction_is_play_in_a_mirror() -> None:
    """A table that plays clockwise and its mirror image, which plays counterclockwise, are decided alike."""
    agent = make_agent("learned")
    mirrored_seats = 0
    for _, view in decisions(Rules.parse("brettspielwelt bombs=ordered"), 6):
        image = mirror_view(view)
        assert image.rules.direction == "ccw"
        kept = tuple(each for each in view.history if isinstance(each[1], (Combo, Pass)))
        assert mirror_view(image) == view._replace(history=kept)
        assert len(image.legal()) == len(view.legal())
        assert mirror_action(agent.act(image, image.legal())) == agent.act(view, view.legal())
        mirrored_seats += image.seat != view.seat
    assert mirrored_seats > 10


def test_it_explains_itself() -> None:
    agent = make_agent("learned")
    codes: Counter[str] = Counter()
    for _, view in decisions(Rules.parse("standard bombs=ordered"), 7):
        choice = agent.explain(view, view.legal())
        assert choice.action == agent.act(view, view.legal())
        assert "{" not in in_words(choice, NAMES)
        codes[choice.code] += 1
        if choice.code == "forced":
            assert len(legal_numbers(view)) == 1
            continue
        percent = choice.arguments["percent"]
        assert isinstance(percent, int)
        assert 0 <= percent <= 100
        assert choice.arguments["alternatives"]
        assert -800 < int(str(choice.arguments["points"])) < 800
        for chance in ("first", "double"):
            assert 0 <= int(str(choice.arguments[chance])) <= 100
        if not isinstance(choice.action, Exchange | CallTichu | CallGrand) and not view.legal().may_call:
            # The best of so many has at least its share.
            assert percent >= 99 // len(legal_numbers(view))
    assert set(codes) == {"forced", "learned"}


def test_every_byte_is_a_feature_but_score_goal_direction_and_the_order_of_bombs() -> None:
    left_out = {place for name in ("score", "goal") for place in range(*field(name).place.indices(999))}
    left_out |= {field("rules").first, field("rules").first + 8}
    assert {*range(OBSERVATION_SIZE)} - {*PLACES.tolist()} == left_out
    assert len(PLACES) == len(THRESHOLDS) == FEATURE_COUNT
    _, view = next(each for each in decisions(Rules.parse("standard"), 8) if each[1].phase is Phase.PLAY)
    answers = features_of(encode_row(view))
    assert answers[:56].sum() == view.hand.bit_count()
    # What counts is what is lacking, whatever the goal.
    other = view._replace(score=(-500, -500), rules=Rules.parse("standard goal=target:500"))
    assert (encode_row(other) != encode_row(view)).any()
    assert (features_of(encode_row(other)) == answers).all()
    behind = view._replace(score=(-500, 900))
    assert (features_of(encode_row(behind)) != answers).any()


def test_the_rules_are_features_as_far_as_they_matter_to_a_decision() -> None:
    _, view = next(each for each in decisions(Rules.parse("standard"), 8) if each[1].phase is Phase.PLAY)
    rules = slice(*FEATURE_COUNTS)
    rows = {}
    for text in ("standard", "standard bombs=ordered", "brettspielwelt", "standard goal=target:500"):
        rows[text] = features_of(encode_row(view._replace(rules=Rules.parse(text))))[rules]
        assert not rows[text].any(), text
    for name, values in FIELDS.items():
        for value in values[1:]:
            if name not in ("direction", "goal") and (name, value) != ("bombs", "ordered"):
                row = features_of(encode_row(view._replace(rules=Rules.parse(f"standard {name}={value}"))))
                assert row[rules].sum() == 1, (name, value)


def test_a_network_without_features_for_the_rules_ignores_them() -> None:
    network = champion()
    if len(network.entry.weight) == FEATURE_COUNT:
        weight = np.ascontiguousarray(network.entry.weight[: FEATURE_COUNTS[0]])
        network = replace(network, entry=network.entry._replace(weight=weight))
    _, view = next(each for each in decisions(Rules.parse("standard"), 8) if each[1].phase is Phase.PLAY)
    numbers = np.arange(1625)
    one, two = (encode_row(view._replace(rules=Rules.parse(text))) for text in ("standard", "simple"))
    assert (one != two).any()
    assert (network.scores(one, numbers)[0] == network.scores(two, numbers)[0]).all()
    for scores, _ in network.scores_together(np.stack([one, two]), [numbers] * 2):
        assert np.allclose(scores, network.scores(one, numbers)[0], rtol=1e-3, atol=1e-3)


def test_half_a_past_is_forgotten() -> None:
    views = [view for _, view in decisions(Rules.parse("standard bombs=ordered"), 10) if view.played]
    whole = views[-1]
    assert encode_row(whole)[OBSERVATION_SIZE:-2].any()
    for kept in (len(whole.history) // 2, 3, 0):
        half = whole._replace(history=whole.history[len(whole.history) - kept :])
        assert not encode_row(half)[OBSERVATION_SIZE:-2].any()
        assert (encode_row(half)[-2:] == encode_row(whole)[-2:]).all()
        assert make_agent("learned").act(half, half.legal()) in half.legal()


def test_the_champion_fits_into_the_package() -> None:
    assert (files("tichu.agents.learned") / "champion.npz").stat().st_size <= 10_000_000  # type: ignore[attr-defined]


def test_scores_of_some_actions_are_those_among_all() -> None:
    _, view = next(each for each in decisions(Rules.parse("standard"), 9) if each[1].phase is Phase.PLAY)
    observation = encode_row(view)
    every, expected = champion().scores(observation, np.arange(1625))
    some, again = champion().scores(observation, np.array([0, 700, 1624]))
    assert np.allclose(every[[0, 700, 1624]], some, rtol=1e-4, atol=1e-4)
    assert expected.points == pytest.approx(again.points)
    assert abs(expected.points) < 400
    assert sum(expected.first) == pytest.approx(1)
    assert sum(expected.double) == pytest.approx(1)


def test_weights_for_another_encoding_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "old.npz"
    np.savez(path, version=np.array(0), entry_weight=np.zeros((FEATURE_COUNT, 4)))
    with pytest.raises(GameError, match=r"old\.npz: a network for another version"):
        read_network(str(path))


def test_who_does_not_use_it_does_not_pay_for_it() -> None:
    code = "import sys, tichu, tichu.agents; tichu.agents.make_agent('greedy'); sys.exit('numpy' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


def test_it_beats_the_heuristic_bot() -> None:
    rules, rng = Rules.parse("standard bombs=ordered"), Random(12)
    margins = []
    for _ in range(12):
        deal = shuffled_deal(rng)
        learned, rival = LearnedAgent(), make_agent("heuristic")
        for agents, sign in (([learned, rival] * 2, 1), ([rival, learned] * 2, -1)):
            one, two = play_round(agents, deal, rules).round.outcome.score
            margins.append(sign * (one - two))
    assert sum(margins) / len(margins) > 20
