"""Many games at once in pure Python: what :class:`tichu_native.Batch` does, game by game."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from tichu.core.errors import GameError
from tichu.core.round import Round
from tichu.core.rules import Rules
from tichu.kernel.chance import Chance, in_sequence, random_action, start
from tichu.kernel.packing import STATE_SIZE, pack, pack_action, unpack_action
from tichu.kernel.python import apply_automatic

__all__ = ["Batch"]


class Batch:
    """Games that are stepped together; a round that ends is followed by the next deal at once."""

    def __init__(self, games: int, rules: Rules, seed: int, threads: int = 1, first: int = 0) -> None:
        if games < 1 or threads < 1:
            raise GameError("a batch has one game and one thread at least")
        self._rules, self._seed, self._first = rules, seed, first
        self._states: list[Round] = []
        self._chances: list[Chance] = []
        self.threads = threads
        self.seats = np.zeros(games, np.int8)
        self.counts = np.zeros(games, np.int32)
        self.calls = np.zeros(games, np.uint8)
        self.done = np.zeros(games, np.uint8)
        self.rounds = np.zeros(games, np.uint32)
        self.scores = np.zeros((games, 2), np.int16)
        self.reset()

    def __len__(self) -> int:
        return len(self.seats)

    @property
    def states(self) -> NDArray[np.uint8]:
        """The packed states, one a row."""
        packed = b"".join(map(pack, self._states))
        return np.frombuffer(packed, np.uint8).reshape(len(self), STATE_SIZE)

    def reset(self) -> None:
        """Every game at its first round."""
        self.rounds[:] = 0
        self.done[:] = 0
        self.scores[:] = 0
        games = [self._deal(game) for game in range(len(self))]
        self._states = [state for state, _ in games]
        self._chances = [chance for _, chance in games]
        for game in range(len(self)):
            self._update(game)

    def legal(self, game: int) -> list[int]:
        """The legal actions of the seat that decides in a game."""
        return [pack_action(action) for action in self._states[game].legal(int(self.seats[game]))]

    def actions(self) -> tuple[NDArray[np.int64], NDArray[np.uint64]]:
        """All legal actions of every game in one array, and where those of each game start."""
        starts = np.concatenate([[0], np.cumsum(self.counts, dtype=np.int64)])
        return starts, np.array([action for game in range(len(self)) for action in self.legal(game)], np.uint64)

    def pick(self, indices: NDArray[Any]) -> NDArray[np.uint64]:
        """The actions of these indices, one a game."""
        self._check(indices)
        return np.array([self.legal(game)[index] for game, index in enumerate(indices)], np.uint64)

    def step(self, indices: NDArray[Any]) -> None:
        """Take the indexed action in every game."""
        self.act(self.pick(indices))

    def act(self, actions: NDArray[np.uint64]) -> None:
        """Take the action in every game."""
        if len(actions) != len(self):
            raise GameError("one index or action a game")
        unpacked = [unpack_action(int(action)) for action in actions]
        for game, action in enumerate(unpacked):
            self._states[game].check(int(self.seats[game]), action)
        for game, action in enumerate(unpacked):
            self._take(game, self._states[game].after_unchecked(int(self.seats[game]), action))

    def random_steps(self, steps: int = 1) -> int:
        """So many random decisions in every game; how many rounds have ended."""
        ended = 0
        for game in range(len(self)):
            for _ in range(steps):
                state, seat = self._states[game], int(self.seats[game])
                action = random_action(state, seat, self._chances[game])
                self._take(game, state.after_unchecked(seat, action))
                ended += int(self.done[game])
        return ended

    def _check(self, indices: NDArray[Any]) -> None:
        if len(indices) != len(self):
            raise GameError("one index or action a game")
        wrong = np.flatnonzero((indices < 0) | (indices >= self.counts))
        if len(wrong):
            raise GameError(f"game {wrong[0]} has no such legal action")

    def _deal(self, game: int) -> tuple[Round, Chance]:
        state, chance = start(self._rules, self._seed, self._first + game, int(self.rounds[game]))
        return apply_automatic(in_sequence(state)), chance

    def _take(self, game: int, state: Round) -> None:
        state = apply_automatic(state)
        self.done[game] = state.is_over
        if state.is_over:
            self.scores[game] = state.outcome.score
            self.rounds[game] += 1
            state, self._chances[game] = self._deal(game)
        self._states[game] = state
        self._update(game)

    def _update(self, game: int) -> None:
        state = self._states[game]
        self.seats[game] = state.pending[0]
        legal = state.legal(state.pending[0])
        self.counts[game] = len(legal)
        self.calls[game] = legal.may_call
