"""The exact value of every action with open hands: what comes of it if all four see all cards and play for their team.

A value is the difference of the round's scores, team 0+2 less team 1+3.  Questions to bomb are asked in order (§7.2),
so ``bombs=anytime`` is solved in its sequential form.  The search looks at a number of states that is said beforehand;
if that is not enough, each action has a lowest and a highest value that are proved.
"""

from functools import cache
from typing import TYPE_CHECKING, Final, NamedTuple, Protocol

from tichu.core.actions import Action
from tichu.core.errors import GameError
from tichu.core.phases import Phase
from tichu.core.round import Round
from tichu.kernel import KERNEL, pack, pack_action, unpack_action
from tichu.kernel.python import apply_automatic

if TYPE_CHECKING:
    from collections.abc import Callable

__all__ = ["BUDGET", "ActionValue", "Interrupted", "Solution", "solve"]

#: How many states are looked at if nothing else is said.
BUDGET: Final = 10_000_000

#: All points come in fives and two teams share a hundred: differences come in tens.
_STEP: Final = 10
#: More than calls, double victories and cards can bring together.
_MOST: Final = 1200


class ActionValue(NamedTuple):
    """An action with its value, or as far as that is known."""

    action: Action
    lowest: int
    highest: int

    @property
    def value(self) -> int | None:
        """The exact value, if it is known."""
        return self.lowest if self.lowest == self.highest else None


class Solution(NamedTuple):
    """What is known about the actions of the seat that is to decide."""

    seat: int
    actions: tuple[ActionValue, ...]
    #: How many states were looked at.
    nodes: int

    @property
    def is_exact(self) -> bool:
        """Whether every value is known."""
        return all(each.value is not None for each in self.actions)

    @property
    def best(self) -> tuple[ActionValue, ...]:
        """The actions that nothing can be better than for the seat's team; several if they are equal."""
        sign = 1 if self.seat % 2 == 0 else -1
        worst = [sign * (each.lowest if sign > 0 else each.highest) for each in self.actions]
        highest = [sign * (each.highest if sign > 0 else each.lowest) for each in self.actions]
        return tuple(each for each, high in zip(self.actions, highest, strict=True) if high >= max(worst))


class Interrupted(KeyboardInterrupt):
    """Ctrl-C, with what was known by then."""

    def __init__(self, solution: Solution) -> None:
        super().__init__("interrupted")
        self.solution = solution


class _Search(Protocol):
    """A search that can be asked what it knows at any time."""

    def run(self, budget: int, /) -> bool: ...
    @property
    def nodes(self) -> int: ...
    @property
    def bounds(self) -> list[tuple[int, int, int]]: ...


def solve(state: Round, budget: int = BUDGET) -> Solution:
    """Solve a position in play.

    >>> state = Round.from_position("Ma4r7b/2r/-/Do p0 - 15/20/25/40 - ---- 2 -/-/-/-")
    >>> for each in solve(state).actions:
    ...     print(each.action, each.value)
    Ma 60
    4r 200
    7b 200

    :raises GameError: nobody is to play here
    :raises Interrupted: by Ctrl-C
    """
    position = in_play(state)
    search = _searcher()(position)
    try:
        search.run(budget)
    except KeyboardInterrupt:
        raise Interrupted(_solution(position, search)) from None
    return _solution(position, search)


def in_play(state: Round) -> Round:
    """The position in its sequential form, after what the table decides.

    :raises GameError: it is not one that can be solved
    """
    if state.phase in (Phase.GRAND, Phase.EXCHANGE):
        raise GameError("only a round in play can be solved: Grand calls and exchanges are made at the same time")
    position = apply_automatic(state._replace(rules=state.rules.sequential()))
    if position.is_over:
        raise GameError("the round is over: nobody has anything to decide")
    return position


def _solution(position: Round, search: _Search) -> Solution:
    actions = tuple(ActionValue(unpack_action(action), low, high) for action, low, high in search.bounds)
    return Solution(position.pending[0], actions, search.nodes)


@cache
def _searcher() -> "Callable[[Round], _Search]":
    if KERNEL != "python":
        import tichu_native

        if hasattr(tichu_native, "Solver"):
            return lambda state: tichu_native.Solver(pack(state))
    return PythonSearch


class _Stopped(Exception):
    """The budget is spent."""


class PythonSearch:
    """The search where there is no native one: the same null windows, with a table of states that were met."""

    def __init__(self, state: Round) -> None:
        self._state = state
        self._seat = state.pending[0]
        self.nodes = 0
        self._limit = 0
        self._table: dict[Round, tuple[int, int]] = {}
        self._actions = list(state.legal(self._seat))
        self._bounds = [[-_MOST, _MOST] for _ in self._actions]

    @property
    def bounds(self) -> list[tuple[int, int, int]]:
        """The first actions, packed, with what is known of their values."""
        known = zip(self._actions, self._bounds, strict=True)
        return [(pack_action(action), low, high) for action, (low, high) in known]

    def run(self, budget: int) -> bool:
        """Look at so many states at most; whether all is known."""
        self._limit = self.nodes + budget
        try:
            for action, bounds in zip(self._actions, self._bounds, strict=True):
                following = _after(self._state, self._seat, action)
                while bounds[0] < bounds[1]:
                    least = bounds[0] + ((bounds[1] - bounds[0]) // _STEP + 1) // 2 * _STEP
                    value = self._worth(following, least)
                    bounds[0 if value >= least else 1] = value
        except _Stopped:
            return False
        return True

    def _worth(self, state: Round, least: int) -> int:
        """A bound of the value that tells whether it is at least so much."""
        if state.is_over:
            return _difference(state)
        if self.nodes >= self._limit:
            raise _Stopped
        self.nodes += 1
        key = state._replace(given=())
        low, high = self._table.get(key, (-_MOST, _MOST))
        if low >= least or high < least:
            return low if low >= least else high
        seat = state.pending[0]
        ours = seat % 2 == 0
        best = -_MOST if ours else _MOST
        for action in state.legal(seat):
            value = self._worth(_after(state, seat, action), least)
            best = max(best, value) if ours else min(best, value)
            if (best >= least) == ours:
                break
        self._table[key] = (best, high) if best >= least else (low, best)
        return best


def _after(state: Round, seat: int, action: Action) -> Round:
    return apply_automatic(state.after_unchecked(seat, action))


def _difference(state: Round) -> int:
    one, two = state.outcome.score
    return one - two
