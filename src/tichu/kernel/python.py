"""The kernel in pure Python: the rules core itself behind the packed door.  The reference, and slow."""

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Literal, overload

from tichu.core import perft as counting
from tichu.core.errors import GameError
from tichu.core.phases import Phase
from tichu.core.round import Round
from tichu.core.rules import Rules
from tichu.kernel.chance import Chance, RandomRounds, in_sequence, random_action, start
from tichu.kernel.packing import pack, pack_action, unpack, unpack_action

if TYPE_CHECKING:
    from tichu.kernel.python_batch import Batch

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

NAME = "python"
_PHASES = tuple(Phase)


def legal(state: bytes, seat: int) -> list[int]:
    """What the seat may do now, in the order of the rules core."""
    return [pack_action(action) for action in unpack(state).legal(_seat(seat))]


def pending(state: bytes) -> tuple[int, ...]:
    """The seats that must decide now."""
    return unpack(state).pending


def after(state: bytes, seat: int, action: int) -> bytes:
    """The state after a legal action.

    :raises IllegalAction: with the reason; other errors for words and bytes that are nothing
    """
    return pack(unpack(state).after(_seat(seat), unpack_action(action)))


def perft(state: bytes, depth: int) -> int:
    """How many sequences of ``depth`` actions there are."""
    if depth < 0:
        raise GameError(f"no depth {depth}")
    return counting.perft(unpack(state), depth)


def playouts(state: bytes, rounds: int, seed: int, policy: Literal["random"] = "random") -> list[tuple[int, int]]:
    """The scores of rounds that are played at random from ``state`` to the end."""
    if policy != "random":
        raise GameError(f"no policy {policy!r}; there is random")
    first = unpack(state)
    scores = []
    for game in range(rounds):
        last, _ = _play_out(first, Chance(seed, game))
        scores.append(last.outcome.score)
    return scores


def random_rounds(rules: Rules, rounds: int, seed: int, threads: int = 1) -> RandomRounds:
    """Deal and play rounds at random: their scores, and how many decisions they took; needs numpy."""
    import numpy as np

    if threads < 1:
        raise GameError(f"no {threads} threads")
    decisions = 0
    scores = np.zeros((rounds, 2), np.int16)
    for game in range(rounds):
        last, steps = _play_out(*start(rules, seed, game))
        decisions += steps
        scores[game] = last.outcome.score
    return RandomRounds(decisions, scores)


def deal(rules: Rules, seed: int, game: int = 0, round_: int = 0) -> bytes:
    """A round as the seed deals it."""
    return pack(start(rules, seed, game, round_)[0])


def apply_automatic(state: Round) -> Round:
    """The round after the table's own decisions."""
    while decision := state.automatic():
        state = state.after_unchecked(*decision)
    return state


def _play_out(state: Round, chance: Chance) -> tuple[Round, int]:
    state = apply_automatic(in_sequence(state))
    steps = 0
    while state.pending:
        seat = state.pending[0]
        state = apply_automatic(state.after_unchecked(seat, random_action(state, seat, chance)))
        steps += 1
    return state, steps


def _seat(seat: int) -> int:
    if seat not in (0, 1, 2, 3):
        raise GameError(f"no seat {seat}")
    return seat


class Legal(Sequence[int]):
    """The legal actions of a seat, packed."""

    def __init__(self, state: Round, seat: int) -> None:
        self._legal = state.legal(seat)
        self._actions: list[int] | None = None

    @property
    def may_call(self) -> bool:
        """Whether the last of them is a Tichu call."""
        return self._legal.may_call

    @property
    def decisions(self) -> int:
        """How many there are without that call."""
        return len(self) - self.may_call

    def __len__(self) -> int:
        return len(self._legal)

    def _list(self) -> list[int]:
        if self._actions is None:
            self._actions = [pack_action(action) for action in self._legal]
        return self._actions

    @overload
    def __getitem__(self, index: int) -> int: ...

    @overload
    def __getitem__(self, index: slice) -> list[int]: ...

    def __getitem__(self, index: int | slice) -> int | list[int]:
        return self._list()[index]

    def __iter__(self) -> Iterator[int]:
        return iter(self._list())

    def __contains__(self, action: object) -> bool:
        try:
            return isinstance(action, int) and unpack_action(action) in self._legal
        except GameError:
            return False


class State:
    """A round that is stepped from Python, action by action."""

    def __init__(self, packed: bytes) -> None:
        self.round = unpack(packed)

    def __bytes__(self) -> bytes:
        return pack(self.round)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, State) and self.round == other.round

    __hash__ = None  # type: ignore[assignment]

    @property
    def seat(self) -> int:
        """The lowest seat that must decide now, -1 at the end."""
        return self.round.pending[0] if self.round.pending else -1

    @property
    def pending(self) -> int:
        """The seats that must decide now, a bit each."""
        return sum(1 << seat for seat in self.round.pending)

    @property
    def phase(self) -> int:
        """The number of the phase."""
        return _PHASES.index(self.round.phase)

    @property
    def score(self) -> tuple[int, int]:
        """The result of a round that is over."""
        return self.round.outcome.score

    def legal(self, seat: int) -> Legal:
        """What the seat may do now."""
        return Legal(self.round, _seat(seat))

    def after(self, seat: int, action: int) -> "State":
        """The state after a legal action."""
        state = object.__new__(State)
        state.round = self.round.after(_seat(seat), unpack_action(action))
        return state

    def apply(self, seat: int, action: int) -> None:
        """Become the state after a legal action."""
        self.round = self.round.after(_seat(seat), unpack_action(action))

    def automatic(self) -> tuple[int, int] | None:
        """The decision that the table itself takes now."""
        decision = self.round.automatic()
        return None if decision is None else (decision[0], pack_action(decision[1]))


def batch(games: int, rules: Rules, seed: int, threads: int = 1, first: int = 0) -> "Batch":
    """Many games at once; needs numpy."""
    from tichu.kernel.python_batch import Batch

    return Batch(games, rules, seed, threads, first)
