"""A function from arrays to actions as a bot: what was trained in an environment plays in the arena and at a table.

``path/file.py:function`` is such a bot on the command line.
"""

from collections.abc import Callable, Generator, Sequence
from typing import Any, NamedTuple, TypeAlias, cast

import numpy as np
from numpy.typing import NDArray

from tichu.agents.base import BatchAgent, Question
from tichu.agents.batching import run_batched
from tichu.core.actions import CALL_TICHU, Action, Exchange
from tichu.core.cards import Card
from tichu.core.errors import GameError
from tichu.core.phases import Phase
from tichu.core.view import View
from tichu.encoding import ACTION_COUNT, OBSERVATION_SIZE, decode, decode_pick, write_mask, write_observation
from tichu.encoding.numbering import CALLING_TICHU

__all__ = ["Policy", "PolicyAgent"]

#: Gets the observations and the masks of any number of decisions as rows, and answers with an action for each.
Policy: TypeAlias = Callable[[NDArray[np.uint8], NDArray[np.int8]], Sequence[int] | NDArray[Any]]


class _Decision(NamedTuple):
    policy: Policy
    observation: NDArray[np.uint8]
    mask: NDArray[np.int8]


class PolicyAgent(BatchAgent):
    """Does what a policy says, in the encoding of the environments (``docs/envs.md``).

    Decisions without a choice are taken without it, as the environments do.  A policy that was trained on single
    rounds has never seen the score of a match: with ``sees_match=False`` it sees 0:0.

    >>> def first_legal(observations, masks):
    ...     return masks.argmax(axis=1)
    >>> PolicyAgent(first_legal).name
    'policy'
    """

    def __init__(self, policy: Policy, seed: int = 0, *, sees_match: bool = True) -> None:
        super().__init__(seed)
        self._policy = policy
        self._sees_match = sees_match

    @staticmethod
    def act_batch(questions: Sequence[Question]) -> Sequence[Action]:
        """The decisions of bots with any policies; each policy is asked for all of its own at once."""
        return run_batched([cast(PolicyAgent, agent)._choose(view) for agent, view, _ in questions], _ask)

    def _choose(self, view: View) -> Generator[_Decision, Any, Action]:
        picks: tuple[Card, ...] = ()
        while view.phase is Phase.EXCHANGE:
            number = yield from self._number(view, picks)
            if number == CALLING_TICHU:
                return CALL_TICHU
            picks = (*picks, decode_pick(number, view, picks))
            if len(picks) == 3:
                return Exchange(*picks)
        return decode((yield from self._number(view, ())), view)

    def _number(self, view: View, picks: tuple[Card, ...]) -> Generator[_Decision, Any, int]:
        mask = np.zeros(ACTION_COUNT, np.int8)
        write_mask(view, mask, picks)
        if mask.sum() == 1:
            return int(mask.argmax())
        observation = np.zeros(OBSERVATION_SIZE, np.uint8)
        write_observation(view if self._sees_match else view._replace(score=(0, 0)), observation, picks)
        number = yield _Decision(self._policy, observation, mask)
        return cast(int, number)


def _ask(decisions: Sequence[_Decision]) -> list[int]:
    answers = [0] * len(decisions)
    for policy in {id(decision.policy): decision.policy for decision in decisions}.values():
        places = [place for place, decision in enumerate(decisions) if decision.policy is policy]
        masks = np.stack([decisions[place].mask for place in places])
        chosen = np.asarray(policy(np.stack([decisions[place].observation for place in places]), masks.copy()))
        if chosen.shape != (len(places),) or not np.issubdtype(chosen.dtype, np.integer):
            raise GameError(
                f"a policy answers {len(places)} decisions with {len(places)} whole numbers, "
                f"not with {chosen.dtype} of shape {chosen.shape}"
            )
        for place, number, mask in zip(places, chosen.tolist(), masks, strict=True):
            if not 0 <= number < ACTION_COUNT or not mask[number]:
                raise GameError(f"the policy chose action {number}, which its mask does not allow")
            answers[place] = number
    return answers
