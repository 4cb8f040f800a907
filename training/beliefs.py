"""Learn from self-play which cards the others hold, by what they did: the belief of ``tichu.analysis``.

    python -m training.beliefs champion.npz beliefs.npz --seconds 240
    python -m training.beliefs champion.npz beliefs.npz --seconds 120 --habits  # only these, in the same file

The champion plays at all seats as it always does, at every fourth table with mistakes (an input tells which).  At each
decision the network sees what the seat sees, and says how likely each of the others has how many cards of each rank, as
weights (``tichu.analysis.weighing``).  It is trained by the likelihood of the true hands among all placements of the
unseen cards, given the numbers of cards, so that it learns nothing that counting knows already.  A small table of
habits is fitted beside it: which of the cards of a hand were gifts, and whose.
"""

from training import require_torch  # noqa: F401  # isort: skip

import argparse
import time
from pathlib import Path
from typing import Final, NamedTuple

import numpy as np
import torch
from torch import nn

from tichu.analysis.beliefs import BOUND, GIFT_STATES
from tichu.analysis.weighing import OUTPUTS, PLACES, UNITS
from tichu.encoding import VERSION, field
from training.checkpoint import read_policy
from training.command_line import TrainingError, entry_point, game_count, positive_float, positive_int, print_line
from training.evaluation import Player, deterministic
from training.network import Body, Policy, action_distribution, count_by_unit, unpack_bits
from training.rule_sets import MIXED, parse_rule_sets
from training.simulator import Frame, Simulator
from training.weights import fold_layers

__all__ = [
    "HASTE",
    "BeliefNetwork",
    "Learner",
    "Likelihood",
    "Rows",
    "gift_loss",
    "log_likelihood",
    "main",
    "rows_of",
    "write_beliefs",
]

#: Of the tables, at which mistakes are made, and how many: what is added to the logits is drawn at this scale.
_CARELESS_SHARE: Final = 1 / 4
_CARELESSNESS: Final = 3.0
_CALL_BOUND: Final = 30.0
#: Habits are a small table that can learn faster than a network.
HASTE: Final = 20.0
_PARTS: Final = 5
_HELD: Final = 15
_FACTORIALS: Final = (1.0, 1.0, 2.0, 6.0, 24.0)

_HAND, _PLAYED, _GIVEN, _RECEIVED = (field(name).place for name in ("hand", "played", "given", "received"))
_COUNTS, _PHASE, _PICKS, _GRAND = (field(name).first for name in ("counts", "phase", "picks", "grand"))


class Rows(NamedTuple):
    """What there is to learn from some decisions."""

    #: How many cards of each unit are unseen.
    numbers: torch.Tensor
    #: How many of them the seat itself gave to each of the others, LEFT, PARTNER, RIGHT.
    fixed: torch.Tensor
    #: How many each of the others has.
    held: torch.Tensor
    #: How many cards each of the others holds.
    sizes: torch.Tensor
    #: Whether this is a decision to learn from: before the exchange nothing is known.
    is_good: torch.Tensor


def rows_of(observations: torch.Tensor, hands: torch.Tensor) -> Rows:
    """From the bytes of decisions, and all four hands."""
    others = unpack_bits(hands).unflatten(-1, (4, 56))[:, 1:].long()
    given = torch.where(observations[:, _PLAYED] > 0, 0, observations[:, _GIVEN])
    fixed = torch.stack([given == distance for distance in (1, 2, 3)], 1).long()
    sizes = others.sum(-1)
    # Where gifts have been chosen they are handed over here, which nobody has seen.
    is_seen = (sizes == observations[:, _COUNTS + 1 : _COUNTS + 4]).all(1)
    is_picking = observations[:, _PICKS] > 0
    is_grand = observations[:, _PHASE] > 0
    is_good = is_seen & ~is_picking & ~is_grand
    # Others are as good as empty: their hands might not even fit a table.
    keep = is_good[:, None]
    others, fixed = others * keep[..., None], fixed * keep[..., None]
    numbers, fixed, held = (count_by_unit(cards) for cards in (others.sum(1), fixed, others))
    return Rows(numbers, fixed, held, sizes * keep, is_good)


class BeliefNetwork(nn.Module):
    """Weights for every unit, from what a seat sees and whether the others are careless."""

    def __init__(self, width: int = 240, blocks: int = 2) -> None:
        super().__init__()
        self.body = Body(width, blocks, 1)
        self.head = nn.Linear(width, OUTPUTS)
        self.gifts = nn.Parameter(torch.zeros(3, GIFT_STATES, UNITS))
        nn.init.zeros_(self.head.weight)
        nn.init.zeros_(self.head.bias)

    def forward(self, observations: torch.Tensor, careless: torch.Tensor) -> torch.Tensor:
        """The logarithms of weights, a row each."""
        hidden = self.body(observations, careless.unsqueeze(1))
        # Half precision would be a step of some per cent for large weights.
        with torch.autocast(hidden.device.type, enabled=False):
            outputs = self.head(hidden.float()).double()
        return BOUND * torch.tanh(outputs / BOUND)


def _spread(table: torch.Tensor, weights: torch.Tensor) -> torch.Tensor:
    """A table of what all units so far weigh, by what the first two seats have of them, after one unit more."""
    padded = nn.functional.pad(table, (_PARTS - 1, 0, _PARTS - 1, 0))
    found = torch.zeros_like(table)
    for one in range(_PARTS):
        for two in range(_PARTS - one):
            top, left = _PARTS - 1 - one, _PARTS - 1 - two
            found = found + weights[:, one, two, None, None] * padded[:, top : top + _HELD, left : left + _HELD]
    return found


class Likelihood:
    """The logarithm of the probability of the true hands."""

    def __init__(self, device: str, *, compiled: bool = True) -> None:
        self._places = torch.from_numpy(np.where(PLACES < 0, OUTPUTS, PLACES)).to(device)
        self._units = torch.arange(UNITS, device=device)
        self._factorials = torch.tensor(_FACTORIALS, dtype=torch.float64, device=device)
        parts = torch.arange(_PARTS, device=device)
        self._one, self._two = parts[:, None], parts[None, :]
        self._spread = torch.compile(_spread, dynamic=False) if compiled and device == "cuda" else _spread

    def _ways(self, rows: Rows) -> torch.Tensor:
        """How many ways there are to give the first two so many cards of each unit."""
        parts = [self._one, self._two, rows.numbers[..., None, None] - self._one - self._two]
        free = [part - rows.fixed[:, place, :, None, None] for place, part in enumerate(parts)]
        is_possible = (free[0] >= 0) & (free[1] >= 0) & (free[2] >= 0)
        under = 1.0
        for each in free:
            under = under * self._factorials[each.clamp(0, 4)]
        over = self._factorials[rows.numbers - rows.fixed.sum(1)]
        return torch.where(is_possible, over[..., None, None] / under, 0.0)

    def __call__(self, outputs: torch.Tensor, rows: Rows) -> torch.Tensor:
        """Of each row."""
        # A place more for what cannot be.
        padded = nn.functional.pad(outputs, (0, 1))
        places = self._places[self._units, rows.numbers]
        logs = padded.gather(1, places.flatten(1)).view(places.shape)
        weights = (logs.exp() * self._ways(rows)).transpose(0, 1).contiguous()
        table = torch.zeros(len(outputs), _HELD, _HELD, dtype=torch.float64, device=outputs.device)
        table[:, 0, 0] = 1.0
        for unit in range(UNITS):
            table = self._spread(table, weights[unit])
        every = torch.arange(len(outputs), device=outputs.device)
        total = table[every, rows.sizes[:, 0], rows.sizes[:, 1]]
        chosen = self._places[self._units, rows.numbers, rows.held[:, 0], rows.held[:, 1]]
        return padded.gather(1, chosen).sum(1) - total.clamp(min=1e-300).log()


def log_likelihood(outputs: torch.Tensor, rows: Rows) -> torch.Tensor:
    """The same without keeping anything for later."""
    return Likelihood(outputs.device.type, compiled=False)(outputs, rows)


def gift_loss(habits: torch.Tensor, observations: torch.Tensor) -> torch.Tensor:
    """How unlikely it is that the cards that a seat received are those, of the fourteen after the exchange."""
    # Who received the cards sees them: that is as good as seeing those of others.
    is_first = _is_first(observations)
    received = observations[:, _RECEIVED]
    hand = (observations[:, _HAND] > 0).double()
    units = torch.arange(56, device=habits.device)
    units = torch.where(units < 4, units, 4 + (units - 4) // 4)
    weights, chosen = [], torch.zeros(len(hand), dtype=torch.float64, device=habits.device)
    for distance in (1, 2, 3):
        # The receiver sits to the giver as the giver does to the receiver, counted the other way round.
        state = torch.where(
            observations[:, _GRAND] > 0, 1, torch.where(observations[:, _GRAND + distance] > 0, 2, 0)
        ).long()
        logs = habits.double()[3 - distance, state][:, units]
        weights.append(logs.exp() * hand)
        chosen = chosen + (logs * (received == distance)).sum(1)
    one, two, three = weights
    sums = [each.sum(1) for each in weights]
    together = (
        sums[0] * sums[1] * sums[2]
        - (one * two).sum(1) * sums[2]
        - (one * three).sum(1) * sums[1]
        - (two * three).sum(1) * sums[0]
        + 2 * (one * two * three).sum(1)
    )
    losses = torch.where(is_first, together.clamp(min=1e-12).log() - chosen, 0.0)
    return losses.sum() / is_first.sum().clamp(min=1)


class Learner:
    """A champion that plays, and a network that learns what its hands are."""

    def __init__(
        self, champion: Policy, network: BeliefNetwork, device: str, games: int, rules: str, seed: int
    ) -> None:
        self.network, self._champion, self._device = network, champion, device
        self._player = deterministic(champion)
        habits = {"params": [network.gifts], "weight_decay": 0.0, "haste": HASTE}
        others = {"params": [value for name, value in network.named_parameters() if name != "gifts"], "haste": 1.0}
        self.optimizer = torch.optim.AdamW([others, habits], lr=1e-3, weight_decay=1e-4, fused=device == "cuda")
        self._simulator = Simulator(games, device, parse_rule_sets(rules, games))
        self.frame = Frame.empty((games,), device)
        self._simulator.deal(seed, self.frame)
        self._results = self._simulator.empty_results()
        self._is_careless = torch.arange(games, device=device) % round(1 / _CARELESS_SHARE) == 1
        self._likelihood = Likelihood(device)

    @torch.no_grad()
    def _act(self) -> torch.Tensor:
        """What is done in every game: the best, or at some tables what noise makes of it."""
        best = self._player(self.frame)
        frame = self.frame.at(self._is_careless)
        with torch.autocast(self._device, torch.bfloat16, enabled=self._device == "cuda"):
            logits, _ = self._champion(frame.observations)
        logs = action_distribution(logits, frame.masks, _CALL_BOUND).log_probabilities
        noise = -torch.log(-torch.log(torch.rand_like(logs).clamp(1e-9, 1 - 1e-7)))
        best[self._is_careless] = (logs.clamp(min=-1e8) + _CARELESSNESS * noise).argmax(1).to(torch.int16)
        return best

    def step(self, learning_rate: float) -> torch.Tensor:
        """Learn from a decision of every game and play on.

        Told are sums of the log-loss, of the network and of whoever only counts, and how many decisions they are of.
        """
        for group in self.optimizer.param_groups:
            group["lr"] = learning_rate * group["haste"]
        observations = self.frame.observations
        rows = rows_of(observations, self.frame.hands)
        with torch.autocast(self._device, torch.bfloat16, enabled=self._device == "cuda"):
            outputs = self.network(observations, self._is_careless)
        logs = self._likelihood(outputs, rows)
        loss = -logs.sum() / rows.is_good.sum().clamp(min=1)
        total = loss + gift_loss(self.network.gifts, observations[~self._is_careless])
        self.optimizer.zero_grad(set_to_none=True)
        total.backward()
        nn.utils.clip_grad_norm_(self.network.parameters(), 1.0)
        self.optimizer.step()
        with torch.no_grad():
            counted = self._likelihood(torch.zeros_like(outputs), rows)
            good = rows.is_good & ~self._is_careless
            told = torch.stack([-logs[good].sum(), -counted[good].sum(), good.sum()])
        self.play()
        return told

    def play(self) -> None:
        """Take a decision in every game."""
        self._simulator.step(self._act(), self.frame, self._results)


def fit_habits(player: Player, simulator: Simulator, frame: Frame, seconds: float) -> tuple[torch.Tensor, int]:
    """Habits from the hands of so many seconds of play, and how many hands these were."""
    began, results = time.perf_counter(), simulator.empty_results()
    found: list[torch.Tensor] = []
    while not found or time.perf_counter() - began < seconds:
        with torch.no_grad():
            simulator.step(player(frame), frame, results)
        seen = frame.observations[_is_first(frame.observations)]
        if len(seen):
            found.append(seen)
    hands = torch.cat(found)
    habits = torch.zeros(3, GIFT_STATES, UNITS, device=hands.device, requires_grad=True)
    optimizer = torch.optim.Adam([habits], lr=0.05)
    for _ in range(400):
        optimizer.zero_grad()
        # What is never seen is unlikely, not impossible.
        (gift_loss(habits, hands) + 1e-4 * habits.square().sum()).backward()
        optimizer.step()
    return habits.detach(), len(hands)


def _is_first(observations: torch.Tensor) -> torch.Tensor:
    """Where a seat that has received three cards still holds all of its fourteen."""
    is_first = (observations[:, _PHASE + 2] > 0) & (observations[:, _COUNTS] == 14)
    return is_first & ((observations[:, _RECEIVED] > 0).sum(1) == 3)


def write_beliefs(network: BeliefNetwork, path: Path) -> None:
    """Write a belief in half precision, its norms folded into the layers behind them."""
    weights = network.state_dict()
    layers = fold_layers({name: value for name, value in weights.items() if name != "gifts"}, ("head",))
    arrays: dict[str, np.ndarray] = {"version": np.array(VERSION)}
    for name, (weight, bias) in layers.items():
        arrays[f"{name}_weight"] = weight.T.numpy().astype(np.float16)
        arrays[f"{name}_bias"] = bias.numpy().astype(np.float16)
    arrays["gifts"] = weights["gifts"].cpu().numpy().astype(np.float16)
    np.savez_compressed(path, **arrays)  # type: ignore[arg-type]


@entry_point
def main(arguments: list[str] | None = None) -> None:
    """Learn, and write the belief."""
    cuda = torch.cuda.is_available()
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("champion", type=Path, help="a champion, a file of weights, or the folder of a run")
    parser.add_argument("target", type=Path, metavar="BELIEFS.npz")
    parser.add_argument("--seconds", type=positive_float, default=240.0)
    parser.add_argument("--width", type=positive_int, default=240)
    parser.add_argument("--blocks", type=positive_int, default=2)
    parser.add_argument("--games", type=game_count, default=16384 if cuda else 256, help="played side by side")
    parser.add_argument("--learning-rate", type=float, default=2e-3)
    parser.add_argument("--rules", default=MIXED, help="a rule set, or a mixture with standard in half of the games")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--habits", action="store_true", help="learn only habits of giving cards, in BELIEFS.npz")
    parser.add_argument("--force", action="store_true", help="replace BELIEFS.npz if it is there")
    options = parser.parse_args(arguments)
    if options.habits and not options.target.exists():
        raise TrainingError(f"{options.target}: there is no such file to write the habits into")
    if options.target.exists() and not options.force and not options.habits:
        raise TrainingError(f"{options.target}: this file is there already; --force replaces it")
    device = "cuda" if cuda else "cpu"
    torch.manual_seed(options.seed)
    torch.set_float32_matmul_precision("high")
    champion = read_policy(options.champion, device)
    if options.habits:
        _renew_habits(champion, device, options)
        return
    network = BeliefNetwork(options.width, options.blocks).to(device)
    print_line(f"{sum(each.numel() for each in network.parameters()):,} weights, {device}")
    _learn(Learner(champion, network, device, options.games, options.rules, options.seed), options)
    write_beliefs(network, options.target)
    print_line(f"{options.target}: {options.target.stat().st_size:,} bytes")


def _renew_habits(champion: Policy, device: str, options: argparse.Namespace) -> None:
    simulator = Simulator(options.games, device, parse_rule_sets(options.rules, options.games))
    frame = Frame.empty((options.games,), device)
    simulator.deal(options.seed, frame)
    habits, hands = fit_habits(deterministic(champion), simulator, frame, options.seconds)
    with np.load(options.target, allow_pickle=False) as file:
        arrays = {name: file[name] for name in file.files}
    arrays["gifts"] = habits.cpu().numpy().astype(np.float16)
    np.savez_compressed(options.target, **arrays)
    print_line(f"habits of {hands:,} hands in {options.target}")


def _learn(learner: Learner, options: argparse.Namespace) -> None:
    for _ in range(3):
        learner.step(0.0)  # The first ones compile.
    began = told = time.perf_counter()
    steps, sums = 0, torch.zeros(3, dtype=torch.float64, device=next(learner.network.parameters()).device)
    while (spent := time.perf_counter() - began) < options.seconds:
        # Up within a twentieth of the time, then down to nothing.
        share = spent / options.seconds
        sums += learner.step(options.learning_rate * min(share / 0.05, 1 - share))
        steps += 1
        if spent - (told - began) >= 10:
            # Waits for the GPU, so that the clock tells the truth.
            loss, counting = (sums[:2] / sums[2].clamp(min=1)).tolist()
            told = time.perf_counter()
            print_line(
                f"{told - began:.0f} of {options.seconds:.0f} s, {steps} more steps, log-loss a decision {loss:.3f},"
                f" by counting {counting:.3f}"
            )
            steps, sums = 0, torch.zeros_like(sums)


if __name__ == "__main__":
    main()
