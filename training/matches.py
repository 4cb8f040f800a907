"""What a score of the match is worth: the probability of winning it, computed from how rounds between equals end.

Rounds are played to win the match, not for points: 300 behind with the opponents at 900, a Grand Tichu costs little.
The probability at every score follows from those at the scores after one more round.  Rounds are counted as they are
played, so the table keeps up with the players.
"""

from typing import Final

import torch

from training.simulator import NO_RESULT
from training.workers import ALONE, Workers

__all__ = ["MatchValue"]

_GOAL: Final = 1000
# Scores and points in steps of 25; in between the table is interpolated.
_STEP: Final = 25
_LOWEST: Final = -1000
_SCORES: Final = (_GOAL - _LOWEST) // _STEP
# A team's points in a round: -400 and less to 600.
_FEWEST: Final = -400
_POINTS: Final = (600 - _FEWEST) // _STEP + 1
# Rounds until nearly every match is over.
_ROUNDS: Final = 60
# Fewer rounds would make a table of noise.
_MINIMUM_ROUNDS: Final = 1000
# Where a round changes next to nothing, its reward is not scaled up to the size it has elsewhere.
_MINIMUM_SPREAD: Final = 0.3
# The share of the reward that is plain points, for teams that have won or lost already.
_POINTS_SHARE: Final = 0.1


class MatchValue:
    """The probability of winning from every score, and the reward of a round by it."""

    def __init__(self, device: str, workers: Workers = ALONE) -> None:
        self._device, self._workers = device, workers
        self._counts = torch.zeros(_POINTS, _POINTS, dtype=torch.float64, device=device)
        #: Probabilities of team 0, a row for each of its scores; None before :meth:`update`.
        self.win_probabilities: torch.Tensor | None = None
        self._spreads = torch.ones(_SCORES, _SCORES, device=device)
        self._scale = torch.tensor(1.0, device=device)

    def state_dict(self) -> dict[str, torch.Tensor]:
        """What a checkpoint keeps."""
        known = {} if self.win_probabilities is None else {"chances": self.win_probabilities}
        return {"counts": self._counts, "spreads": self._spreads, "size": self._scale, **known}

    def load_state_dict(self, state: dict[str, torch.Tensor]) -> None:
        """Continue from what :meth:`state_dict` returned."""
        self._counts, self._spreads, self._scale = state["counts"], state["spreads"], state["size"]
        self.win_probabilities = state.get("chances")

    def count(self, results: torch.Tensor) -> None:
        """Count rounds that ended, those of all workers."""
        points = results[results[..., 0] != NO_RESULT][:, :2].long()
        places = torch.div(points - _FEWEST + _STEP // 2, _STEP, rounding_mode="floor").clamp(0, _POINTS - 1)
        # The teams might have sat the other way round.
        flat = torch.cat([places[:, one] * _POINTS + places[:, 1 - one] for one in (0, 1)])
        ended = torch.bincount(flat, minlength=_POINTS**2)
        self._counts += self._workers.total(ended).view(_POINTS, _POINTS)

    def update(self) -> None:
        """Compute the table from the rounds counted, if there are enough; from now on they count half."""
        # Every round was counted for both teams.
        if float(self._counts.sum()) < 2 * _MINIMUM_ROUNDS:
            return
        share = self._counts / self._counts.sum()
        gains, losses = torch.nonzero(share > 1e-6, as_tuple=True)
        weights = share[gains, losses].float()
        weights /= weights.sum()
        scores = _STEP * torch.arange(_SCORES, device=self._device) + _LOWEST
        ones = scores.view(-1, 1, 1) + (_STEP * gains + _FEWEST)
        twos = scores.view(1, -1, 1) + (_STEP * losses + _FEWEST)
        ones, twos = torch.broadcast_tensors(ones, twos)
        is_over, is_won = _match_end(ones, twos)
        at = _place(ones).long(), _place(twos).long()
        table = torch.full((_SCORES, _SCORES), 0.5, device=self._device)
        after = table
        for _ in range(_ROUNDS):
            after = torch.where(is_over, is_won, table[at])
            table = after @ weights
        self.win_probabilities = table
        spreads = ((after - table.unsqueeze(2)).square() @ weights).sqrt()
        middle = -_LOWEST // _STEP
        self._spreads = spreads.clamp(min=_MINIMUM_SPREAD * float(spreads[middle, middle]))
        points = _STEP * (gains - losses).float() / 100
        self._scale = (points.square() @ weights).sqrt()
        self._counts /= 2

    def reward(self, results: torch.Tensor) -> torch.Tensor:
        """The reward of team 0 for rounds that ended, in hundreds of points at the beginning of a match.

        It is the change of the probability of winning, divided by the standard deviation of that change at this score:
        the best decision in a round does not depend on the scale of its rewards.
        """
        points = results[..., :2].float()
        plain = (points[..., 0] - points[..., 1]) / 100
        if self.win_probabilities is None:
            return plain
        before = results[..., 2:4].float()
        rise = self.win_probability(before + points) - self.win_probability(before)
        spread = self._spreads[_place(before[..., 0]).round().long(), _place(before[..., 1]).round().long()]
        return (1 - _POINTS_SHARE) * self._scale * rise / spread + _POINTS_SHARE * plain

    def win_probability(self, scores: torch.Tensor) -> torch.Tensor:
        """The probability that team 0 wins from scores of both teams."""
        if self.win_probabilities is None:
            raise ValueError("the table has not been computed yet")
        one, two = scores[..., 0], scores[..., 1]
        rows, columns = _place(one), _place(two)
        row, column = rows.floor().long(), columns.floor().long()
        down, right = rows - row, columns - column
        row_after, column_after = (row + 1).clamp(max=_SCORES - 1), (column + 1).clamp(max=_SCORES - 1)
        table = self.win_probabilities
        upper = table[row, column] * (1 - right) + table[row, column_after] * right
        lower = table[row_after, column] * (1 - right) + table[row_after, column_after] * right
        is_over, is_won = _match_end(one, two)
        return torch.where(is_over, is_won, upper * (1 - down) + lower * down)


def _place(score: torch.Tensor) -> torch.Tensor:
    return ((score - _LOWEST) / _STEP).clamp(0, _SCORES - 1)


def _match_end(one: torch.Tensor, two: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
    """Whether a match is over, and 1 where team 0 has won it."""
    return (torch.maximum(one, two) >= _GOAL) & (one != two), (one > two).float()
