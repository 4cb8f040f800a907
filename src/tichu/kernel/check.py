"""Both kernels in lockstep: every question is asked twice, and the first difference stops with the position line."""

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Literal, TypeVar

from tichu.core.errors import GameError, IllegalAction
from tichu.core.rules import Rules
from tichu.kernel import native, python
from tichu.kernel.chance import RandomRounds
from tichu.kernel.packing import unpack, unpack_action

if TYPE_CHECKING:
    from numpy.typing import NDArray

__all__ = [
    "NAME",
    "KernelsDiffer",
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

NAME = "check"
_T = TypeVar("_T")


class KernelsDiffer(AssertionError):
    """The native core does not play the game of the Python core."""


def _same(question: str, state: bytes | None, one: _T, two: _T) -> _T:
    """Both answers, if they are one."""
    if one != two:
        place = "" if state is None else f" in {unpack(state).rules}: {unpack(state)}"
        raise KernelsDiffer(f"{question}{place}\n  python: {_readable(one)}\n  native: {_readable(two)}")
    return one


def _readable(answer: object) -> str:
    try:
        if isinstance(answer, bytes):
            return str(unpack(answer))
        if isinstance(answer, list):
            return " ".join(str(unpack_action(item)) for item in answer)
    except (GameError, TypeError):
        pass
    return repr(answer)


def _ask(question: str, state: bytes | None, one: Callable[[], _T], two: Callable[[], _T]) -> _T:
    """Ask both kernels; errors must agree too, their texts aside."""
    answers: list[_T] = []
    errors: list[GameError] = []
    for ask in (one, two):
        try:
            answers.append(ask())
        except GameError as error:
            errors.append(error)
    if not errors:
        return _same(question, state, *answers)
    reasons = [error.reason if isinstance(error, IllegalAction) else GameError for error in errors]
    if answers or reasons[0] is not reasons[1]:
        raise KernelsDiffer(f"{question}: only one kernel refuses, or for another reason: {errors}")
    raise errors[0]


def legal(state: bytes, seat: int) -> list[int]:
    """What the seat may do now, in the order of the rules core."""
    question = f"legal({seat})"
    return _ask(question, state, lambda: python.legal(state, seat), lambda: native.legal(state, seat))


def pending(state: bytes) -> tuple[int, ...]:
    """The seats that must decide now."""
    return _ask("pending", state, lambda: python.pending(state), lambda: native.pending(state))


def after(state: bytes, seat: int, action: int) -> bytes:
    """The state after a legal action."""
    question = f"after({seat}, {action:#x})"
    return _ask(question, state, lambda: python.after(state, seat, action), lambda: native.after(state, seat, action))


def perft(state: bytes, depth: int) -> int:
    """How many sequences of ``depth`` actions there are."""
    return _ask("perft", state, lambda: python.perft(state, depth), lambda: native.perft(state, depth))


def playouts(state: bytes, rounds: int, seed: int, policy: Literal["random"] = "random") -> list[tuple[int, int]]:
    """The scores of rounds that are played at random from ``state`` to the end."""
    return _ask(
        "playouts",
        state,
        lambda: python.playouts(state, rounds, seed, policy),
        lambda: native.playouts(state, rounds, seed, policy),
    )


def random_rounds(rules: Rules, rounds: int, seed: int, threads: int = 1) -> RandomRounds:
    """Deal and play rounds at random: their scores, and how many decisions they took."""
    one, two = python.random_rounds(rules, rounds, seed), native.random_rounds(rules, rounds, seed, threads)
    _same("random_rounds", None, one.scores.tolist(), two.scores.tolist())
    _same("random_rounds", None, one.decisions, two.decisions)
    return one


def deal(rules: Rules, seed: int, game: int = 0, round_: int = 0) -> bytes:
    """A round as the seed deals it."""
    one, two = python.deal(rules, seed, game, round_), native.deal(rules, seed, game, round_)
    return _same("deal", None, one, two)


#: The actions are compared when they are made.
Legal = python.Legal


class State:
    """A round that both kernels step."""

    def __init__(self, packed: bytes) -> None:
        self._one, self._two = python.State(packed), native.State(packed)

    @classmethod
    def _of(cls, one: python.State, two: native.State) -> "State":
        state = object.__new__(cls)
        state._one, state._two = one, two
        state._compare()
        return state

    def _compare(self) -> None:
        packed = bytes(self._one)
        _same("state", packed, packed, bytes(self._two))
        for seat in range(4):
            self.legal(seat)

    def __bytes__(self) -> bytes:
        return bytes(self._one)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, State) and self._one == other._one

    __hash__ = None  # type: ignore[assignment]

    @property
    def seat(self) -> int:
        """The lowest seat that must decide now, -1 at the end."""
        return _same("seat", bytes(self), self._one.seat, self._two.seat)

    @property
    def pending(self) -> int:
        """The seats that must decide now, a bit each."""
        return _same("pending", bytes(self), self._one.pending, self._two.pending)

    @property
    def phase(self) -> int:
        """The number of the phase."""
        return _same("phase", bytes(self), self._one.phase, self._two.phase)

    @property
    def score(self) -> tuple[int, int]:
        """The result of a round that is over."""
        return _same("score", bytes(self), self._one.score, self._two.score)

    def legal(self, seat: int) -> Legal:
        """What the seat may do now."""
        one, two = self._one.legal(seat), self._two.legal(seat)
        _same(f"legal({seat})", bytes(self), list(one), list(two))
        return one

    def after(self, seat: int, action: int) -> "State":
        """The state after a legal action."""
        return State._of(self._one.after(seat, action), self._two.after(seat, action))

    def apply(self, seat: int, action: int) -> None:
        """Become the state after a legal action."""
        self._one.apply(seat, action)
        self._two.apply(seat, action)
        self._compare()

    def automatic(self) -> tuple[int, int] | None:
        """The decision that the table itself takes now."""
        return _same("automatic", bytes(self), self._one.automatic(), self._two.automatic())


class _Batch:
    """Two batches that are stepped together."""

    def __init__(self, games: int, rules: Rules, seed: int, threads: int, first: int) -> None:
        self._one = python.batch(games, rules, seed, threads, first)
        self._two = native.batch(games, rules, seed, threads, first)
        self.threads = threads
        self._compare()

    def _compare(self) -> None:
        for column in ("seats", "counts", "calls", "done", "rounds", "scores", "states"):
            one, two = getattr(self._one, column), getattr(self._two, column)
            if (one != two).any():
                game = int((one != two).reshape(len(self), -1).any(axis=1).argmax())
                _same(f"{column} of game {game}", self._one.states[game].tobytes(), one[game], two[game])
        for one, two in zip(self._one.actions(), self._two.actions(), strict=True):
            _same("actions", None, one.tolist(), two.tolist())

    def __len__(self) -> int:
        return len(self._one)

    def __getattr__(self, column: str) -> Any:
        return getattr(self._two, column)

    def reset(self) -> None:
        """Every game at its first round."""
        self._one.reset()
        self._two.reset()
        self._compare()

    def step(self, indices: "NDArray[Any]") -> None:
        """Take the indexed action in every game."""
        self._one.step(indices)
        self._two.step(indices)
        self._compare()

    def act(self, actions: "NDArray[Any]") -> None:
        """Take the action in every game."""
        self._one.act(actions)
        self._two.act(actions)
        self._compare()

    def random_steps(self, steps: int = 1) -> int:
        """So many random decisions in every game; how many rounds have ended."""
        ended = self._one.random_steps(steps)
        _same("random_steps", None, ended, self._two.random_steps(steps))
        self._compare()
        return ended


def batch(games: int, rules: Rules, seed: int, threads: int = 1, first: int = 0) -> _Batch:
    """Many games at once, in both kernels."""
    return _Batch(games, rules, seed, threads, first)
