"""What a score of the match is worth: the chance to win it, computed from how rounds between equals end.

Rounds are played to win the match, not for points: behind by 300 with the other team at 900 a Grand Tichu is cheap.
The chance of every score follows from the chances of the scores after one more round, those of rounds as they were
played lately, so the table keeps up with the players.
"""

from typing import Final

import torch

from training.simulator import NO_RESULT

__all__ = ["Matches"]

_GOAL: Final = 1000
# Scores and points by steps of 25; in between the chance is a mean.
_STEP: Final = 25
_LOWEST: Final = -1000
_SCORES: Final = (_GOAL - _LOWEST) // _STEP
# A team's points in a round: -400 and less to 600.
_FEWEST: Final = -400
_POINTS: Final = (600 - _FEWEST) // _STEP + 1
# Rounds until nearly every match is over.
_ROUNDS: Final = 60
# A table made of fewer rounds would be luck.
_ENOUGH: Final = 1000
# Where next to nothing can be changed by a round, it is not made as large as elsewhere.
_LEAST_SPREAD: Final = 0.3
# Who has won or lost already still plays for points.
_PLAIN: Final = 0.1


class Matches:
    """The chance to win from every score, and what a round's result is worth by it."""

    def __init__(self, device: str) -> None:
        self._device = device
        self._counts = torch.zeros(_POINTS, _POINTS, dtype=torch.float64, device=device)
        #: Chances of team 0, a row for its own score; nothing is known before :meth:`learn`.
        self.chances: torch.Tensor | None = None
        self._spreads = torch.ones(_SCORES, _SCORES, device=device)
        self._size = torch.tensor(1.0, device=device)

    def state(self) -> dict[str, torch.Tensor]:
        """What is to be kept with a run."""
        known = {} if self.chances is None else {"chances": self.chances}
        return {"counts": self._counts, "spreads": self._spreads, "size": self._size, **known}

    def restore(self, state: dict[str, torch.Tensor]) -> None:
        """Go on from what :meth:`state` gave."""
        self._counts, self._spreads, self._size = state["counts"], state["spreads"], state["size"]
        self.chances = state.get("chances")

    def count(self, results: torch.Tensor) -> None:
        """Take note of rounds that ended."""
        points = results[results[..., 0] != NO_RESULT][:, :2].long()
        if not len(points):
            return
        places = torch.div(points - _FEWEST + _STEP // 2, _STEP, rounding_mode="floor").clamp(0, _POINTS - 1)
        # The teams might have sat the other way round.
        for one, two in ((0, 1), (1, 0)):
            flat = torch.bincount(places[:, one] * _POINTS + places[:, two], minlength=_POINTS**2)
            self._counts += flat.view(_POINTS, _POINTS)

    def learn(self) -> None:
        """Work out the table from the rounds noted, if they are enough; they count half from now on."""
        # Every round was counted for both teams.
        if float(self._counts.sum()) < 2 * _ENOUGH:
            return
        share = self._counts / self._counts.sum()
        gains, losses = torch.nonzero(share > 1e-6, as_tuple=True)
        weights = share[gains, losses].float()
        weights /= weights.sum()
        own = _STEP * torch.arange(_SCORES, device=self._device) + _LOWEST
        ones = own.view(-1, 1, 1) + (_STEP * gains + _FEWEST)
        twos = own.view(1, -1, 1) + (_STEP * losses + _FEWEST)
        ones, twos = torch.broadcast_tensors(ones, twos)
        decided, winner = _decided(ones, twos)
        at = _place(ones).long(), _place(twos).long()
        chances = torch.full((_SCORES, _SCORES), 0.5, device=self._device)
        after = chances
        for _ in range(_ROUNDS):
            after = torch.where(decided, winner, chances[at])
            chances = after @ weights
        self.chances = chances
        spreads = ((after - chances.unsqueeze(2)).square() @ weights).sqrt()
        middle = -_LOWEST // _STEP
        self._spreads = spreads.clamp(min=_LEAST_SPREAD * float(spreads[middle, middle]))
        points = _STEP * (gains - losses).float() / 100
        self._size = (points.square() @ weights).sqrt()
        self._counts /= 2

    def worth(self, results: torch.Tensor) -> torch.Tensor:
        """What rounds that ended were worth to team 0, in hundreds of points as at the beginning of a match.

        It is the change of the chance to win, over how much the chance of that score changes in a round: what is best
        in a round does not change when everything in it is worth twice as much.
        """
        points = results[..., :2].float()
        plain = (points[..., 0] - points[..., 1]) / 100
        if self.chances is None:
            return plain
        before = results[..., 2:4].float()
        rise = self.chance(before + points) - self.chance(before)
        spread = self._spreads[_place(before[..., 0]).round().long(), _place(before[..., 1]).round().long()]
        return (1 - _PLAIN) * self._size * rise / spread + _PLAIN * plain

    def chance(self, scores: torch.Tensor) -> torch.Tensor:
        """The chance of team 0 at scores of both teams."""
        if self.chances is None:
            raise ValueError("no rounds have been learned from")
        one, two = scores[..., 0], scores[..., 1]
        rows, columns = _place(one), _place(two)
        row, column = rows.floor().long(), columns.floor().long()
        down, right = rows - row, columns - column
        row_after, column_after = (row + 1).clamp(max=_SCORES - 1), (column + 1).clamp(max=_SCORES - 1)
        table = self.chances
        upper = table[row, column] * (1 - right) + table[row, column_after] * right
        lower = table[row_after, column] * (1 - right) + table[row_after, column_after] * right
        decided, winner = _decided(one, two)
        return torch.where(decided, winner, upper * (1 - down) + lower * down)


def _place(score: torch.Tensor) -> torch.Tensor:
    return ((score - _LOWEST) / _STEP).clamp(0, _SCORES - 1)


def _decided(one: torch.Tensor, two: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
    """Whether a match is over, and 1 where team 0 has won it."""
    return (torch.maximum(one, two) >= _GOAL) & (one != two), (one > two).float()
