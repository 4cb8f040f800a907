"""Packed positions of random rounds, and the same spoilt."""

from functools import cache
from random import Random

from tichu.core.rules import PRESETS
from tichu.kernel import chance, python
from tichu.kernel.packing import STATE_SIZE, pack


@cache
def positions(games: int = 12) -> tuple[bytes, ...]:
    """Some of the states of some rounds of every preset."""
    rng = Random(5)
    found = []
    for rules in PRESETS.values():
        for game in range(games):
            state, own = chance.start(rules, 3, game)
            if game % 2:
                state = chance.in_sequence(state)
            while state.pending:
                if rng.random() < 0.3:
                    found.append(pack(state))
                decision = state.automatic()
                seat, action = decision or (state.pending[0], chance.random_action(state, state.pending[0], own))
                state = state.after_unchecked(seat, action)
            found.append(pack(state))
    assert python.pending(found[-1]) == ()
    return tuple(found)


def spoilt(packed: bytes, rng: Random) -> bytes:
    """The bytes with one to three changes, some likely, some wild."""
    changed = bytearray(packed)
    for _ in range(rng.choice((1, 1, 2, 3))):
        at = rng.randrange(STATE_SIZE)
        match rng.randrange(5):
            case 0:
                changed[at] = rng.randrange(256)
            case 1:
                changed[at] ^= 1 << rng.randrange(8)
            case 2:
                end = min(at + rng.choice((1, 4, 8)), STATE_SIZE)
                changed[at:end] = rng.choice(positions())[at:end]
            case 3:
                changed[rng.randrange(84, STATE_SIZE)] = rng.choice((0, 1, 2, 3, 4, 5, 6, 255))
            case _:
                at = rng.randrange(76, STATE_SIZE)
                changed[at] = (changed[at] + rng.choice((-5, -1, 1, 5))) & 255
    return bytes(changed)
