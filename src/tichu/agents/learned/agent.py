"""The learned bot: a network that has played against itself (``docs/training.md``)."""

from typing import ClassVar, NamedTuple
from zlib import crc32

import numpy as np
from numpy.typing import NDArray

from tichu.actions import CALL_TICHU, Action, Exchange
from tichu.agents.base import Agent, Choice
from tichu.agents.learned.features import written
from tichu.agents.learned.mirror import mirrored, mirrored_action
from tichu.agents.learned.network import Network, champion
from tichu.cards import Card
from tichu.encoding import decode, decode_pick, describe, legal_numbers
from tichu.encoding.numbering import CALLING_GRAND, CALLING_TICHU
from tichu.legal import Legal
from tichu.phases import Phase
from tichu.view import View

__all__ = ["EasyAgent", "HardAgent", "LearnedAgent", "MediumAgent"]


class _Verdict(NamedTuple):
    """What the network says about a decision."""

    number: int
    numbers: list[int]
    chances: NDArray[np.float32]
    #: The difference of the scores that is expected of the round.
    expected: float


class LearnedAgent(Agent):
    """Always does what the network holds best: the same view gives the same decision."""

    name = "learned"
    #: The weaker levels draw from the network's chances, made more even by this.
    temperature: ClassVar[float] = 0.0

    def __init__(self, seed: int = 0, network: Network | None = None) -> None:
        super().__init__(seed)
        self._network = champion() if network is None else network

    def act(self, view: View, legal: Legal) -> Action:
        action, _ = self._decide(view)
        return action

    def explain(self, view: View, legal: Legal) -> Choice:
        action, verdicts = self._decide(view)
        if not verdicts:
            return Choice(action, "forced")
        chance, others = 1.0, []
        for verdict in verdicts:
            ranked = sorted(zip(verdict.numbers, verdict.chances.tolist(), strict=True), key=lambda each: -each[1])
            chance *= dict(ranked)[verdict.number]
            others += [each for each in ranked if each[0] != verdict.number][: 3 if len(verdicts) == 1 else 1]
        arguments = {
            "percent": round(100 * chance),
            "points": f"{verdicts[-1].expected:+.0f}",
            "alternatives": ", ".join(f"{describe(number)} {100 * other:.0f} %" for number, other in others),
        }
        return Choice(action, "learned", arguments)

    def _decide(self, view: View) -> tuple[Action, list[_Verdict]]:
        """The decision, and what it was made of: three picks in an exchange, nothing where there is no choice."""
        clockwise = view.rules.direction == "cw"
        seen = mirrored(view) if clockwise else view
        verdicts: list[_Verdict] = []
        picks: tuple[Card, ...] = ()
        while seen.phase is Phase.EXCHANGE and len(picks) < 3:
            verdict = self._verdict(seen, picks)
            verdicts.append(verdict)
            if verdict.number == CALLING_TICHU:
                return CALL_TICHU, [verdict]
            picks = (*picks, decode_pick(verdict.number, seen, picks))
        if picks:
            action: Action = Exchange(*picks)
        else:
            verdict = self._verdict(seen, ())
            action = decode(verdict.number, seen)
            verdicts = [verdict] if len(verdict.numbers) > 1 else []
        return mirrored_action(action) if clockwise else action, verdicts

    def _verdict(self, view: View, picks: tuple[Card, ...]) -> _Verdict:
        numbers = sorted(legal_numbers(view, picks))
        if len(numbers) == 1:
            return _Verdict(numbers[0], numbers, np.ones(1, np.float32), 0.0)
        observation = written(view, picks)
        scores, expected = self._network.scores(observation, np.array(numbers))
        chances = _chances(scores, numbers)
        if self.temperature:
            return _Verdict(self._drawn(chances, numbers, observation), numbers, chances, expected)
        # A call is a question of its own: it is made if it is more likely than not.
        call = next((place for place, number in enumerate(numbers) if number in (CALLING_TICHU, CALLING_GRAND)), -1)
        if call >= 0 and chances[call] <= 0.5:
            best = int(np.where(np.arange(len(numbers)) == call, -1, chances).argmax())
        else:
            best = call if call >= 0 else int(chances.argmax())
        return _Verdict(numbers[best], numbers, chances, expected)

    def _drawn(self, chances: NDArray[np.float32], numbers: list[int], observation: NDArray[np.uint8]) -> int:
        draw = np.random.default_rng([self.seed & 0xFFFFFFFFFFFFFFFF, crc32(observation.tobytes())])
        noisy = np.log(np.maximum(chances, 1e-12)) + self.temperature * draw.gumbel(size=len(numbers))
        return numbers[int(noisy.argmax())]


def _chances(scores: NDArray[np.float32], numbers: list[int]) -> NDArray[np.float32]:
    """The probability of each action: whether to call first, then everything else among itself."""
    is_call = np.isin(numbers, (CALLING_TICHU, CALLING_GRAND))
    others = np.where(is_call, -np.inf, scores)
    weights = np.exp(others - others.max())
    chances = weights / weights.sum()
    if is_call.any():
        call = 1 / (1 + np.exp(-np.clip(scores[is_call][0], -30, 30)))
        chances = np.where(is_call, call, chances * (1 - call))
    single: NDArray[np.float32] = chances.astype(np.float32)
    return single


class EasyAgent(LearnedAgent):
    """Knows what is good and often does something else."""

    name = "easy"
    temperature = 9.0


class MediumAgent(LearnedAgent):
    """Makes a mistake now and then."""

    name = "medium"
    temperature = 6.5


class HardAgent(LearnedAgent):
    """Makes few mistakes."""

    name = "hard"
    temperature = 4.5
