"""Learn what people hold by what they do, from a belief of the bot's hands and some games.

    python -m training.people_beliefs beliefs.npz tests/games/[0-3]*.ttn

Games of people are too few to learn a network from.  So the network stays as it is, told that the others are careless;
only its last layer and the habits of giving cards go on learning, for as many passes through the games as are best for
games that were left out (cross-validation over games).  They are written into the same file, beside those of the bot.
"""

from training import require_torch  # noqa: F401  # isort: skip

import argparse
from collections.abc import Sequence
from pathlib import Path
from typing import Final, NamedTuple

import numpy as np
import torch
from torch import nn

from tichu.agents.learned.features import encode_row
from tichu.analysis.beliefs import BOUND, Belief, as_trained, read_belief, seats_beside
from tichu.analysis.decisions import decisions_of
from tichu.analysis.precision import Budget
from tichu.analysis.reviews import tasks_of
from tichu.core.errors import GameError
from tichu.core.phases import Phase
from tichu.core.record import replay
from tichu.formats.reading import read_game
from training.beliefs import HASTE, Likelihood, Rows, gift_loss, rows_of
from training.command_line import TrainingError, entry_point, positive_int, print_line

__all__ = ["Examples", "examples_of", "fit", "main"]

_BATCH: Final = 512
_FOLDS: Final = 5


class Examples(NamedTuple):
    """Decisions of people, a row each."""

    #: What the last layer is given.
    hidden: torch.Tensor
    observations: torch.Tensor
    #: All four hands, of the seat that decides first.
    hands: torch.Tensor
    #: The number of the game.
    games: torch.Tensor

    def at(self, index: torch.Tensor) -> "Examples":
        """Some of them."""
        return Examples(*(each[index] for each in self))


def examples_of(paths: Sequence[Path], known: Belief, device: str) -> Examples:
    """What can be learned from games."""
    hidden, observations, hands, games = [], [], [], []
    for number, path in enumerate(paths):
        for task in tasks_of(path.name, read_game(path), Budget(), 0):
            try:
                states = list(replay(task.record, task.rules))
                decisions = list(decisions_of(task.record, task.rules, task.score))
            except GameError as error:
                print_line(f"{path.name}: a round left out: {error}")
                continue
            for decision in decisions:
                view = decision.view
                if view.phase is Phase.GRAND:
                    continue
                held = states[decision.number].hands
                seats = (view.seat, *seats_beside(view))
                observations.append(encode_row(as_trained(view)))
                hidden.append(known.hidden_of(observations[-1]))
                packed = b"".join(held[seat].to_bytes(7, "little") for seat in seats)
                hands.append(np.frombuffer(packed, np.uint8))
                games.append(number)
    if not games:
        raise TrainingError("there is nothing to learn from in these games")
    rows = (hidden, observations, hands, games)
    return Examples(*(torch.from_numpy(np.array(each)).to(device) for each in rows))


class _Last(nn.Module):
    """The part that goes on learning."""

    def __init__(self, known: Belief) -> None:
        super().__init__()
        self.weight = nn.Parameter(torch.from_numpy(known.head.weight.copy()))
        self.bias = nn.Parameter(torch.from_numpy(known.head.bias.copy()))
        self.gifts = nn.Parameter(torch.from_numpy(known.habits.copy()))

    def forward(self, hidden: torch.Tensor) -> torch.Tensor:
        outputs = (hidden @ self.weight + self.bias).double()
        return BOUND * torch.tanh(outputs / BOUND)


def _mean_loss(last: _Last, examples: Examples, likelihood: Likelihood) -> float:
    """The log-loss a decision."""
    total = 0.0
    with torch.no_grad():
        for at in range(0, len(examples.games), 4 * _BATCH):
            some = Examples(*(each[at : at + 4 * _BATCH] for each in examples))
            total -= float(likelihood(last(some.hidden), rows_of(some.observations, some.hands)).sum())
    return total / len(examples.games)


def fit(
    known: Belief, examples: Examples, passes: int, learning_rate: float, left_out: Examples | None = None
) -> tuple[_Last, list[float]]:
    """Go through the examples so many times; the log-loss on those left out before and after each time."""
    device = examples.hidden.device.type
    last = _Last(known).to(device)
    # Compiled it would be compiled again for every size of a batch.
    likelihood = Likelihood(device, compiled=False)
    habits = {"params": [last.gifts], "lr": HASTE * learning_rate}
    optimizer = torch.optim.Adam([{"params": [last.weight, last.bias]}, habits], lr=learning_rate)
    losses = [] if left_out is None else [_mean_loss(last, left_out, likelihood)]
    for _ in range(passes):
        for batch in torch.randperm(len(examples.games), device=device).split(_BATCH):
            some = examples.at(batch)
            rows: Rows = rows_of(some.observations, some.hands)
            loss = -likelihood(last(some.hidden), rows).mean() + gift_loss(last.gifts, some.observations)
            optimizer.zero_grad(set_to_none=True)
            loss.backward()
            optimizer.step()
        if left_out is not None:
            losses.append(_mean_loss(last, left_out, likelihood))
    return last, losses


def _cross_validated(known: Belief, examples: Examples, options: argparse.Namespace) -> list[float]:
    """The log-loss a decision after each pass, in games left out."""
    sums = np.zeros(options.passes + 1)
    for fold in range(_FOLDS):
        is_out = examples.games % _FOLDS == fold
        if not bool(is_out.any()) or bool(is_out.all()):
            raise TrainingError(f"cross-validation needs {_FOLDS} games")
        _, losses = fit(known, examples.at(~is_out), options.passes, options.learning_rate, examples.at(is_out))
        sums += float(is_out.sum()) * np.array(losses)
    means: list[float] = (sums / len(examples.games)).tolist()
    return means


@entry_point
def main(arguments: list[str] | None = None) -> None:
    """Learn, and write it into the file."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("beliefs", type=Path, metavar="BELIEFS.npz", help="what training.beliefs has written")
    parser.add_argument("games", type=Path, nargs="+", help="games of people, in any format")
    parser.add_argument("--passes", type=positive_int, default=24, help="through the games, at most")
    parser.add_argument("--learning-rate", type=float, default=5e-4)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args(arguments)
    device = "cuda" if torch.cuda.is_available() else "cpu"
    torch.manual_seed(options.seed)
    known = read_belief(options.beliefs)._replace(is_careless=True)
    examples = examples_of(options.games, known, device)
    print_line(f"{len(examples.games):,} decisions in {len(options.games)} games")
    losses = _cross_validated(known, examples, options)
    for number, loss in enumerate(losses):
        print_line(f"after {number} passes: log-loss a decision {loss:.4f} in games left out")
    last, _ = fit(known, examples, int(np.argmin(losses)), options.learning_rate)
    _write(last, options.beliefs)


def _write(last: _Last, path: Path) -> None:
    with np.load(path, allow_pickle=False) as file:
        arrays = {name: file[name] for name in file.files if not name.startswith("people_")}
    for name, value in (("head_weight", last.weight), ("head_bias", last.bias), ("gifts", last.gifts)):
        arrays[f"people_{name}"] = value.detach().cpu().numpy().astype(np.float16)
    np.savez_compressed(path, **arrays)
    print_line(f"{path}: {path.stat().st_size:,} bytes")


if __name__ == "__main__":
    main()
