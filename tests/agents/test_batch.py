"""Bots that take batches decide as if each were asked alone, and answer for nobody but themselves."""

import subprocess
import sys
import time
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from random import Random

import numpy as np
import pytest

from tests.agents.tables import decisions
from tests.agents.test_guard import Odd
from tests.table import at
from tichu import Action, Legal, Phase, Rules, View, parse_action
from tichu.agents import LEVELS, Agent, BatchAgent, GreedyAgent, Guarded, make_agent
from tichu.agents.base import Question
from tichu.agents.learned.agent import LearnedAgent
from tichu.agents.learned.features import encode_row
from tichu.agents.learned.human import EasyAgent
from tichu.agents.learned.network import ROWS, champion
from tichu.agents.registry import THINKERS
from tichu.core.actions import PASS
from tichu.encoding import legal_numbers

TURN = at("6r/9sTs/5r/4r p1 0:8s").view(1)
LOWEST, HIGHEST = parse_action("1:9s")[1], parse_action("1:Ts")[1]


def question(agent: Agent, view: View = TURN) -> Question:
    return Question(agent, view, view.legal())


def views_of(rules: str, seed: int) -> list[View]:
    return [view for _, view in decisions(Rules.parse(rules), seed)]


@pytest.mark.parametrize("rules", ["standard bombs=ordered", "courtesy", "brettspielwelt"])
@pytest.mark.parametrize("level", [level for level in LEVELS if level not in THINKERS])
def test_a_learned_bot_decides_the_same_in_a_batch(level: str, rules: str) -> None:
    questions = [question(make_agent(level, seed), view) for seed, view in enumerate(views_of(rules, 11))]
    alone = [agent.act(view, legal) for agent, view, legal in questions]
    assert LearnedAgent.act_batch(questions) == alone
    assert {view.phase for _, view, _ in questions} >= {Phase.GRAND, Phase.EXCHANGE, Phase.PLAY}


def test_levels_and_networks_are_mixed() -> None:
    network = champion()
    other = replace(network, head=network.head._replace(weight=-network.head.weight))
    questions = []
    for view in views_of("standard bombs=ordered", 12):
        questions += [question(agent, view) for agent in (LearnedAgent(), EasyAgent(3), LearnedAgent(0, other))]
    alone = [agent.act(view, legal) for agent, view, legal in questions]
    assert LearnedAgent.act_batch(questions) == alone
    assert alone[::3] != alone[2::3]


def test_what_a_row_gives_does_not_depend_on_its_batch_to_the_last_bit() -> None:
    views = [view for view in views_of("standard bombs=ordered", 13) if len(legal_numbers(view)) > 1]
    rows = np.stack([encode_row(view) for view in views])
    numbers = [np.array(sorted(legal_numbers(view))) for view in views]

    def scores(places: Sequence[int]) -> list[bytes]:
        given = champion().scores_together(rows[places], [numbers[place] for place in places])
        return [np.append(scores, expected).tobytes() for scores, expected in given]

    order = Random(1).sample(range(len(views)), len(views))
    assert len(order) > 2 * ROWS
    in_order = scores(range(len(views)))
    assert scores(order) == [in_order[place] for place in order]
    assert [scores([place])[0] for place in order[:20]] == [in_order[place] for place in order[:20]]
    for place in order[:20]:
        alone, _ = champion().scores(rows[place], numbers[place])
        together, _ = next(champion().scores_together(rows[[place]], [numbers[place]]))
        assert np.allclose(alone, together, rtol=1e-4, atol=1e-4)


def test_nobody_is_answered_for_by_a_parent_that_decides_otherwise() -> None:
    class Own(LearnedAgent):
        def act(self, view: View, legal: Legal) -> Action:
            return HIGHEST

    class Named(LearnedAgent):
        temperature = 1.0

    bots = (LearnedAgent, EasyAgent, Named, Own, GreedyAgent)
    assert [bot().takes_batches for bot in bots] == [True, True, True, False, False]
    assert [Guarded(bot()).takes_batches for bot in bots] == [True, True, True, False, False]
    questions = [question(Guarded(bot())) for bot in (GreedyAgent, Own, GreedyAgent)]
    assert Guarded.act_batch(questions) == [LOWEST, HIGHEST, LOWEST]


def test_a_batch_of_one_is_a_decision() -> None:
    class Highest(BatchAgent):
        @staticmethod
        def act_batch(questions: Sequence[Question]) -> Sequence[Action]:
            return [HIGHEST for _ in questions]

    assert Highest().takes_batches
    assert Highest().act(TURN, TURN.legal()) == HIGHEST
    assert Highest.name == "highest"


class Choir(Odd, BatchAgent):
    """Answers what each was made with; one that was made with an exception raises it for all."""

    name = "choir"
    asked = 0

    @staticmethod
    def act_batch(questions: Sequence[Question]) -> Sequence[Action]:
        Choir.asked += 1
        return [agent.act(view, legal) for agent, view, legal in questions]


def sing(answers: Sequence[object], bot: type[Choir] = Choir) -> tuple[list[Guarded], Sequence[Action]]:
    guards = [Guarded(bot(answer), 60_000) for answer in answers]
    return guards, Guarded.act_batch([question(guarded) for guarded in guards])


def test_bots_of_several_kinds_are_each_asked_once() -> None:
    before = Choir.asked
    guards = [Guarded(bot) for bot in (Choir(HIGHEST), GreedyAgent(), Choir(PASS), LearnedAgent(), EasyAgent(1))]
    actions = Guarded.act_batch([question(guarded) for guarded in guards])
    assert actions[:3] == [HIGHEST, LOWEST, PASS]
    assert actions[3:] == [guarded.agent.act(TURN, TURN.legal()) for guarded in guards[3:]]
    assert Choir.asked == before + 1
    assert not any(guarded.faults for guarded in guards)


@pytest.mark.parametrize(
    ("answer", "kind"), [(ValueError("no"), "crashed"), (SystemExit(3), "crashed"), (None, "illegal"), (3, "illegal")]
)
def test_a_bot_that_fails_among_others_loses_only_its_own_decision(answer: object, kind: str) -> None:
    guards, actions = sing([HIGHEST, answer, PASS])
    assert actions == [HIGHEST, LOWEST, PASS]
    assert [dict(guarded.faults) for guarded in guards] == [{}, {kind: 1}, {}]
    assert guards[1].examples[0].seat == 1


@pytest.mark.parametrize("answers", [[], [PASS] * 5, None, 7])
def test_who_cannot_count_is_asked_one_by_one(answers: object) -> None:
    class Short(Choir):
        @staticmethod
        def act_batch(questions: Sequence[Question]) -> Sequence[Action]:
            return answers  # type: ignore[return-value]

    guards, actions = sing([HIGHEST, PASS], Short)
    assert actions == [HIGHEST, PASS]
    assert not any(guarded.faults for guarded in guards)


def test_an_interrupt_from_the_keyboard_passes() -> None:
    with pytest.raises(KeyboardInterrupt):
        sing([HIGHEST, KeyboardInterrupt()])


class Slow(Choir):
    """Takes a while for all."""

    @staticmethod
    def act_batch(questions: Sequence[Question]) -> Sequence[Action]:
        time.sleep(0.2)
        return [HIGHEST for _ in questions]


def test_a_batch_has_the_time_of_all_and_each_takes_its_share() -> None:
    for deadline_ms, is_late in ((10, True), (20_000, False)):
        times: list[float] = []
        guards = [Guarded(Slow(HIGHEST), deadline_ms) for _ in range(4)]
        for guarded in guards:
            guarded.on_time = times.append
        actions = Guarded.act_batch([question(guarded) for guarded in guards])
        assert actions == [LOWEST if is_late else HIGHEST] * 4
        assert [guarded.faults["late"] for guarded in guards] == [is_late] * 4
        assert len(times) == 4
        assert len(set(times)) == 1
        # All that was slept, be it cut short.
        assert sum(times) > (20 if is_late else 100)


def test_a_decision_that_was_spoilt_for_all_is_timed_once() -> None:
    times: list[float] = []
    guards = [Guarded(Choir(answer)) for answer in (PASS, ValueError("no"), PASS)]
    for guarded in guards:
        guarded.on_time = times.append
    Guarded.act_batch([question(guarded) for guarded in guards])
    assert len(times) == 3


@pytest.mark.skipif(not Path("/proc/self/task").exists(), reason="threads are counted in /proc")
def test_the_network_runs_in_one_thread_and_tells_no_program_so() -> None:
    code = (
        "import os, sys; from tichu.agents import make_agent; make_agent('learned'); "
        "sys.exit(len(os.listdir('/proc/self/task')) > 1 or 'OPENBLAS_NUM_THREADS' in os.environ)"
    )
    assert subprocess.run([sys.executable, "-c", code], check=False, env={}).returncode == 0
