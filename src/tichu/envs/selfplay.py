"""Many games at once for self-play of all four seats: plain arrays, in place."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from tichu.core.rules import Rules
from tichu.envs.arguments import read_actions, read_seed
from tichu.envs.critic import write_states
from tichu.envs.tables import MAX_ROUNDS, Reward, settings, tables

__all__ = ["SelfPlay"]


class SelfPlay:
    """Games in which whoever is to decide is asked; a game that ends is dealt anew at once.

    Every array has a row a game, is always the same array, and is overwritten by the next step.  With PyTorch,
    ``torch.from_numpy(games.observations)`` shares its memory.

    >>> games = SelfPlay(4, "simple")
    >>> while not games.done.any():
    ...     games.step(games.sample())
    >>> games.rewards[games.done == 1].shape[1]
    4
    """

    def __init__(
        self,
        games: int,
        rules: Rules | str = "standard",
        *,
        reward: Reward = "points",
        forced: bool | None = None,
        max_rounds: int = MAX_ROUNDS,
        seed: int = 0,
        threads: int = 1,
    ) -> None:
        self.settings = settings(rules, reward, forced, max_rounds)
        self._tables = tables(games, self.settings, read_seed(seed), deals_anew=True, threads=threads)
        self._actions = np.zeros(games, np.int64)
        self._link()

    def _link(self) -> None:
        """The arrays are always those of the games."""
        #: What the seat that is to decide sees.
        self.observations: NDArray[np.uint8] = self._tables.observations
        #: What it may do, packed: see ``unpack_masks``.
        self.masks: NDArray[np.uint8] = self._tables.masks
        #: Who is to decide.
        self.seats: NDArray[np.int8] = self._tables.seats
        #: What the last step brought to the four seats.
        self.rewards: NDArray[np.float32] = self._tables.rewards
        #: Whether it ended an episode.
        self.done: NDArray[np.uint8] = self._tables.done
        #: Whether that was a match without a winner, cut short after ``max_rounds``.
        self.truncated: NDArray[np.uint8] = self._tables.truncated
        #: What the seat that acted last saw at the end, where one has ended.
        self.final_observations: NDArray[np.uint8] = self._tables.final_observations
        #: The score of the round that ended last, by team.
        self.scores: NDArray[np.int16] = self._tables.scores

    def __len__(self) -> int:
        return len(self._tables)

    def __getstate__(self) -> dict[str, Any]:
        """Everything but the arrays, which belong to the games."""
        return {"settings": self.settings, "_tables": self._tables, "_actions": self._actions}

    def __setstate__(self, state: dict[str, Any]) -> None:
        """Go on where the other was."""
        vars(self).update(state)
        self._link()

    def reset(self, seed: int) -> None:
        """All games at the first deal of the seed."""
        self._tables.reset(read_seed(seed))

    def begin(self, game: int) -> None:
        """A new episode of one game, with the next deal of its seed."""
        self._tables.begin(game)

    def step(self, actions: NDArray[np.int64]) -> None:
        """Take an action in every game; -1 leaves a game as it is.

        :raises ValueError: a game's mask does not have its action; nothing has changed
        """
        self._tables.step(read_actions(actions, len(self)))

    def sample(self) -> NDArray[np.int64]:
        """An action for every game, all of its mask equally likely; the same array each time."""
        self._tables.sample(self._actions)
        return self._actions

    def state(self) -> NDArray[np.uint8]:
        """All hands and everything else of every game, a row each, for critics (``docs/envs.md``)."""
        return write_states(self._tables.secrets())

    def packed_round(self, game: int) -> bytes:
        """The round of one game as ``tichu.kernel.unpack`` reads it."""
        return self._tables.state(game)

    def tensors(self) -> dict[str, Any]:
        """The arrays as PyTorch tensors that share their memory."""
        import torch

        return {
            name: torch.from_numpy(getattr(self, name))
            for name in ("observations", "masks", "seats", "rewards", "done", "truncated")
        }
