"""The kernel in C++: :mod:`tichu_native` behind the same door."""

from typing import Final, Literal

import tichu_native as core
from tichu_native import Batch, Legal, State

from tichu.core.errors import GameError, IllegalAction, Reason
from tichu.core.rules import Rules
from tichu.kernel.chance import RandomRounds
from tichu.kernel.packing import STATE_SIZE, pack_goal, pack_rules, unpack_action

__all__ = [
    "NAME",
    "Legal",
    "RandomRounds",
    "State",
    "after",
    "batch",
    "deal",
    "legal",
    "pending",
    "perft",
    "playouts",
    "random_rounds",
]

NAME = "native"

_WORD: Final = (1 << 64) - 1

#: Layouts and signatures that this door knows; the module says which it has.
ABI = 5

if (core.ABI, core.STATE_SIZE) != (ABI, STATE_SIZE):
    # An ImportError, so that it reads like a module that is not there.
    raise ImportError(
        f"tichu-native has interface {core.ABI} and this tichu needs {ABI}: install both anew from one release"
    )


def legal(state: bytes, seat: int) -> list[int]:
    """What the seat may do now, in the order of the rules core."""
    try:
        return core.legal(state, seat)
    except ValueError as error:
        raise GameError(str(error)) from None


def pending(state: bytes) -> tuple[int, ...]:
    """The seats that must decide now."""
    try:
        seats = core.pending(state)
    except ValueError as error:
        raise GameError(str(error)) from None
    return tuple(seat for seat in range(4) if seats >> seat & 1)


def after(state: bytes, seat: int, action: int) -> bytes:
    """The state after a legal action.

    :raises IllegalAction: with the reason; other errors for words and bytes that are nothing
    """
    if not 0 <= action <= _WORD:
        raise GameError(f"no action is packed as {action:#x}")
    try:
        return core.after(state, seat, action)
    except core.Refused as error:
        raise IllegalAction(Reason[str(error)], seat, unpack_action(action)) from None
    except ValueError as error:
        raise GameError(str(error)) from None


def perft(state: bytes, depth: int) -> int:
    """How many sequences of ``depth`` actions there are."""
    try:
        return core.perft(state, depth)
    except ValueError as error:
        raise GameError(str(error)) from None


def playouts(state: bytes, rounds: int, seed: int, policy: Literal["random"] = "random") -> list[tuple[int, int]]:
    """The scores of rounds that are played at random from ``state`` to the end."""
    if policy != "random":
        raise GameError(f"no policy {policy!r}; there is random")
    try:
        return core.playouts(state, rounds, seed & _WORD)
    except ValueError as error:
        raise GameError(str(error)) from None


def random_rounds(rules: Rules, rounds: int, seed: int, threads: int = 1) -> RandomRounds:
    """Deal and play rounds at random: their scores, and how many decisions they took."""
    try:
        return RandomRounds(*core.random_rounds(pack_rules(rules), rounds, seed & _WORD, threads))
    except ValueError as error:
        raise GameError(str(error)) from None


def deal(rules: Rules, seed: int, game: int = 0, round_: int = 0) -> bytes:
    """A round as the seed deals it."""
    return core.deal(pack_rules(rules), pack_goal(rules.goal), seed & _WORD, game, round_)


def batch(games: int, rules: Rules, seed: int, threads: int = 1, first: int = 0) -> Batch:
    """Many games at once; needs numpy."""
    return Batch(games, pack_rules(rules), pack_goal(rules.goal), seed & _WORD, threads, first)
