"""The native greedy bot decides as the Python one."""

from random import Random

import pytest
import tichu_native as core

from tests.kernel.lockstep import NAMES, rules_of
from tichu import Round
from tichu.agents import GreedyAgent
from tichu.core.deals import shuffled_deal
from tichu.kernel.packing import pack, pack_action, unpack_action

# 100,000 decisions in all.
_EACH = 100_000 // len(NAMES) + 1
# Half of the rounds are played by greedy bots, half by bots that are mostly random, so that rare hands are met.
_RANDOMNESS = (0.05, 0.7)


def decisions_in_lockstep(name: str, number: int) -> int:
    """One round; answers how many decisions were compared."""
    rng = Random(f"greedy {name} {number}")
    bot = GreedyAgent()
    state = Round.start(shuffled_deal(rng), rules_of(name, rng))
    compared = 0
    while state.pending:
        if (decision := state.automatic()) is not None:
            state = state.after_unchecked(*decision)
            continue
        for seat in state.pending:
            view = state.view(seat)
            decided = bot.act(view, view.legal())
            native = core.greedy_action(pack(state), seat)
            assert native == pack_action(decided), f"{state} {state.rules}: {decided} and {unpack_action(native)}"
            compared += 1
        seat = rng.choice(state.pending)
        view = state.view(seat)
        is_random = rng.random() < _RANDOMNESS[number % 2]
        state = state.after(seat, view.legal().draw(rng) if is_random else bot.act(view, view.legal()))
    return compared


@pytest.mark.parametrize("name", NAMES)
def test_the_native_greedy_bot_decides_as_the_python_one(name: str) -> None:
    compared = number = 0
    while compared < _EACH:
        compared += decisions_in_lockstep(name, number)
        number += 1


def test_a_seat_that_is_not_pending_is_not_asked() -> None:
    state = Round.from_position("9s/Kb/-/4s p1 0:8s 90/0/0/0 - ---- 2 -/-/-/-")
    assert str(unpack_action(core.greedy_action(pack(state), 1))) == "Kb"
    with pytest.raises(ValueError, match="nothing to decide"):
        core.greedy_action(pack(state), 0)
