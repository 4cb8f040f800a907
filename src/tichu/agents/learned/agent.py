"""The learned bot: a network that has played against itself (``docs/training.md``)."""

from collections.abc import Generator, Sequence
from math import prod
from typing import Any, NamedTuple, cast
from zlib import crc32

import numpy as np
from numpy.typing import NDArray

from tichu.agents.base import BatchAgent, Choice, Question
from tichu.agents.batching import run_batched
from tichu.agents.learned.features import encode_row
from tichu.agents.learned.mirror import mirror_action, mirror_view
from tichu.agents.learned.network import NOTHING, Expectation, Network, champion, small
from tichu.core.actions import CALL_TICHU, Action, Exchange
from tichu.core.cards import Card
from tichu.core.legal import Legal
from tichu.core.phases import Phase
from tichu.core.view import View
from tichu.encoding import decode, decode_pick, describe, legal_numbers
from tichu.encoding.numbering import CALLING_GRAND, CALLING_TICHU

__all__ = ["LearnedAgent", "SmallAgent"]


class _Doubt(NamedTuple):
    """What the network is asked."""

    network: Network
    observation: NDArray[np.uint8]
    numbers: list[int]


class _Verdict(NamedTuple):
    """What the network says about a decision."""

    number: int
    numbers: list[int]
    scores: NDArray[np.float32]
    expected: Expectation


_Answer = tuple[NDArray[np.float32], Expectation]
_Decision = tuple[Action, list[_Verdict]]


class LearnedAgent(BatchAgent):
    """Always does what the network holds best: the same view gives the same decision."""

    name = "learned"
    #: Weaker bots draw from the network's chances, made more even by this.
    temperature: float = 0.0

    def __init__(self, seed: int = 0, network: Network | None = None) -> None:
        super().__init__(seed)
        self.network = champion() if network is None else network

    def act(self, view: View, legal: Legal) -> Action:
        action, _ = self._decide(view)
        return action

    @staticmethod
    def act_batch(questions: Sequence[Question]) -> Sequence[Action]:
        """The decisions of learned bots of any level, whatever their networks."""
        thoughts = [cast(LearnedAgent, agent)._thought(view) for agent, view, _ in questions]
        return [action for action, _ in run_batched(thoughts, _scores_together)]

    def rank_batch(self, views: Sequence[View]) -> list[list[tuple[Action, float]]]:
        """For each view what the bot does, then what else it likes, with chances; of an exchange only what it does."""
        decisions = run_batched([self._thought(view) for view in views], _scores_together)
        return [_ranked(view, *decision) for view, decision in zip(views, decisions, strict=True)]

    def alternatives(self, view: View) -> list[tuple[Action, float]]:
        """What the bot does, then what else it likes, with chances; of exchanges those that differ in one choice."""
        action, verdicts = self._decide(view)
        if not isinstance(action, Exchange):
            return _ranked(view, action, verdicts)
        return _ranked_exchanges(view, action, verdicts)

    def explain(self, view: View, legal: Legal) -> Choice:
        action, verdicts = self._decide(view)
        if not verdicts:
            return Choice(action, "forced")
        chance, others = 1.0, []
        for verdict in verdicts:
            chances = _chances(verdict.scores, verdict.numbers).tolist()
            ranked = sorted(zip(verdict.numbers, chances, strict=True), key=lambda each: -each[1])
            chance *= dict(ranked)[verdict.number]
            others += [each for each in ranked if each[0] != verdict.number][: 3 if len(verdicts) == 1 else 1]
        expected = verdicts[-1].expected
        arguments = {
            "percent": round(100 * chance),
            "points": f"{expected.points:+.0f}",
            "first": round(100 * expected.first[0]),
            "double": round(100 * expected.double[0]),
            "alternatives": ", ".join(f"{describe(number)} {100 * other:.0f} %" for number, other in others),
        }
        return Choice(action, "learned", arguments)

    def _decide(self, view: View) -> _Decision:
        [decision] = run_batched([self._thought(view)], _scores)
        return decision

    def _thought(self, view: View) -> Generator[_Doubt, Any, _Decision]:
        """The decision, and what it was made of: three picks in an exchange, nothing where there is no choice."""
        clockwise = view.rules.direction == "cw"
        seen = mirror_view(view) if clockwise else view
        verdicts: list[_Verdict] = []
        picks: tuple[Card, ...] = ()
        while seen.phase is Phase.EXCHANGE and len(picks) < 3:
            verdict = yield from self._verdict(seen, picks)
            verdicts.append(verdict)
            if verdict.number == CALLING_TICHU:
                return CALL_TICHU, [verdict]
            picks = (*picks, decode_pick(verdict.number, seen, picks))
        if picks:
            action: Action = Exchange(*picks)
        else:
            verdict = yield from self._verdict(seen, ())
            action = decode(verdict.number, seen)
            verdicts = [verdict] if len(verdict.numbers) > 1 else []
        return mirror_action(action) if clockwise else action, verdicts

    def _verdict(self, view: View, picks: tuple[Card, ...]) -> Generator[_Doubt, Any, _Verdict]:
        numbers = sorted(legal_numbers(view, picks))
        if len(numbers) == 1:
            return _Verdict(numbers[0], numbers, np.zeros(1, np.float32), NOTHING)
        observation = encode_row(view, picks)
        scores, expected = yield _Doubt(self.network, observation, numbers)
        number = self._sample(scores, numbers, observation) if self.temperature else _best(scores, numbers)
        return _Verdict(number, numbers, scores, expected)

    def _sample(self, scores: NDArray[np.float32], numbers: list[int], observation: NDArray[np.uint8]) -> int:
        draw = np.random.default_rng([self.seed & 0xFFFFFFFFFFFFFFFF, crc32(observation.tobytes())])
        chances = np.maximum(_chances(scores, numbers), 1e-12)
        noisy = np.log(chances) + self.temperature * draw.gumbel(size=len(numbers))
        return numbers[int(noisy.argmax())]


def _ranked(view: View, action: Action, verdicts: list[_Verdict]) -> list[tuple[Action, float]]:
    if len(verdicts) != 1 or view.phase is Phase.EXCHANGE:
        return [(action, 1.0)]
    [verdict] = verdicts
    clockwise = view.rules.direction == "cw"
    seen = mirror_view(view) if clockwise else view
    chances = dict(zip(verdict.numbers, _chances(verdict.scores, verdict.numbers).tolist(), strict=True))
    others = sorted((number for number in verdict.numbers if number != verdict.number), key=lambda each: -chances[each])
    ranked = [(decode(number, seen), chances[number]) for number in (verdict.number, *others)]
    return [(mirror_action(each) if clockwise else each, chance) for each, chance in ranked]


def _ranked_exchanges(view: View, action: Exchange, verdicts: list[_Verdict]) -> list[tuple[Action, float]]:
    clockwise = view.rules.direction == "cw"
    seen = mirror_view(view) if clockwise else view
    own = mirror_action(action) if clockwise else action
    assert isinstance(own, Exchange)
    picks = [own.left, own.partner, own.right]
    known = [dict(zip(each.numbers, _chances(each.scores, each.numbers).tolist(), strict=True)) for each in verdicts]
    whole = prod(chances[verdict.number] for chances, verdict in zip(known, verdicts, strict=True))
    others: dict[Action, float] = {}
    for place, (chances, verdict) in enumerate(zip(known, verdicts, strict=True)):
        for number in verdict.numbers:
            if number in (verdict.number, CALLING_TICHU):
                continue
            card = decode_pick(number, seen, tuple(picks[:place]))
            changed = [picks[place] if each == card else each for each in picks]
            changed[place] = card
            chance = whole * chances[number] / chances[verdict.number]
            others[Exchange(*changed)] = max(chance, others.get(Exchange(*changed), 0.0))
    ranked = [(own, whole), *sorted(others.items(), key=lambda each: -each[1])]
    return [(mirror_action(each) if clockwise else each, chance) for each, chance in ranked]


def _scores(doubts: Sequence[_Doubt]) -> list[_Answer]:
    return [network.scores(observation, np.array(numbers)) for network, observation, numbers in doubts]


def _scores_together(doubts: Sequence[_Doubt]) -> list[_Answer]:
    scores: dict[int, _Answer] = {}
    for network in {id(doubt.network): doubt.network for doubt in doubts}.values():
        places = [place for place, doubt in enumerate(doubts) if doubt.network is network]
        observations = np.stack([doubts[place].observation for place in places])
        numbers = [np.array(doubts[place].numbers) for place in places]
        scores.update(zip(places, network.scores_together(observations, numbers), strict=True))
    return [scores[place] for place in range(len(doubts))]


def _call_in(numbers: list[int]) -> int:
    """The place of a call, -1 without one."""
    return next((place for place, number in enumerate(numbers) if number in (CALLING_TICHU, CALLING_GRAND)), -1)


def _best(scores: NDArray[np.float32], numbers: list[int]) -> int:
    # A call is a question of its own: it is made if it is more likely than not.
    call = _call_in(numbers)
    if call < 0:
        return numbers[int(scores.argmax())]
    if scores[call] > 0:
        return numbers[call]
    others = scores.copy()
    others[call] = -np.inf
    return numbers[int(others.argmax())]


def _chances(scores: NDArray[np.float32], numbers: list[int]) -> NDArray[np.float32]:
    """The probability of each action: whether to call first, then everything else among itself."""
    is_call = np.arange(len(numbers)) == _call_in(numbers)
    others = np.where(is_call, -np.inf, scores)
    weights = np.exp(others - others.max())
    chances = weights / weights.sum()
    if is_call.any():
        call = 1 / (1 + np.exp(-np.clip(scores[is_call][0], -30, 30)))
        chances = np.where(is_call, call, chances * (1 - call))
    single: NDArray[np.float32] = chances.astype(np.float32)
    return single


class SmallAgent(LearnedAgent):
    """A small network in the place of the champion: a little weaker, many times faster."""

    name = "small"

    def __init__(self, seed: int = 0, network: Network | None = None) -> None:
        super().__init__(seed, small() if network is None else network)
