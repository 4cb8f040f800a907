"""Evaluation: two policies against each other on duplicate deals, inside the simulator."""

from collections import Counter
from collections.abc import Callable, Mapping
from typing import Final, NamedTuple

import torch

from tichu.core.combos import Kind
from tichu.encoding import PICKING, PLAYING, shape_at
from tichu.encoding.numbering import ACTION_COUNT, CALLING_GRAND, CALLING_TICHU, PASSING
from training.network import LOGITS, Policy, unpack_bits
from training.simulator import MEMORY, NO_RESULT, Frame, Simulator, count_results

__all__ = [
    "Outcome",
    "Player",
    "ablate",
    "call_rates",
    "deterministic",
    "evaluate",
    "greedy",
    "random_player",
    "random_player_without_calls",
]

#: Takes the frames of many games and returns an action (int16) for each.
Player = Callable[[Frame], torch.Tensor]

# What both teams lack of a goal of 1,000 at 0:0, in steps of 25.
_AT_THE_START: Final = 40


class Outcome(NamedTuple):
    """Points a round of one player over another, or the share of matches it won, with the standard error."""

    mean: float
    standard_error: float
    #: Calls and double victories of both teams, in the rounds that count.
    counts: Mapping[str, int]


def deterministic(policy: Policy, first_threshold: float | None = None) -> Player:
    """The most likely action of a policy; with a threshold, Tichu by the predicted probability of going out first."""

    def act(frame: Frame) -> torch.Tensor:
        device = frame.observations.device.type
        with torch.autocast(device, torch.bfloat16, enabled=device == "cuda"):
            logits, predictions = policy(frame.observations)
        legal = unpack_bits(frame.masks) > 0
        # A call is a question of its own (training.network.action_distribution): it is made if its logit is above 0.
        if first_threshold is None:
            calls = logits[:, CALLING_TICHU] > 0
        else:
            calls = predictions[:, 1:5].softmax(1)[:, 0] > first_threshold
        tichu = legal[:, CALLING_TICHU] & calls
        grand = legal[:, CALLING_GRAND] & (logits[:, CALLING_GRAND] > 0)
        legal[:, [CALLING_TICHU, CALLING_GRAND]] = False
        best = logits.masked_fill(~legal, -torch.inf).argmax(1)
        return best.masked_fill(tichu, CALLING_TICHU).masked_fill(grand, CALLING_GRAND).to(torch.int16)

    return act


def ablate(player: Player, what: str) -> Player:
    """The player without its memory of the round (``memory``), or at 0:0 in every round (``match``)."""

    def act(frame: Frame) -> torch.Tensor:
        observations = frame.observations.clone()
        if what == "memory":
            observations[:, MEMORY] = 0
        else:
            observations[:, MEMORY.stop :] = _AT_THE_START
        return player(frame._replace(observations=observations))

    return act


def greedy(device: str) -> Player:
    """Much like the greedy bot: as many cards as possible, the lowest; no calls, bombs and passes last."""
    preference = torch.zeros(LOGITS)
    preference[PASSING] = -5000
    preference[[CALLING_TICHU, CALLING_GRAND]] = -9000
    for number in range(PICKING, PLAYING):
        preference[number] = -100 if number < PICKING + 4 else PICKING - number
    for number in range(PLAYING, ACTION_COUNT):
        shape = shape_at(number)
        cards = shape.ranks * shape.width + (2 if shape.pair else 0)
        rank = 14 + shape.card if shape.card > 1 else shape.low + shape.ranks
        preference[number] = 100 * cards - rank - 0.5 * (shape.phoenix > 0) - 3000 * (shape.kind >= Kind.FOUR)
    table = preference.to(device)

    def act(frame: Frame) -> torch.Tensor:
        rows = table.expand(len(frame.masks), -1)
        return rows.masked_fill(unpack_bits(frame.masks) == 0, -1e9).argmax(1).to(torch.int16)

    return act


def random_player(frame: Frame) -> torch.Tensor:
    """Any legal action."""
    return _sample_uniformly(unpack_bits(frame.masks))


def random_player_without_calls(frame: Frame) -> torch.Tensor:
    """Any legal action but a call: whoever calls at random is beaten by not calling."""
    legal = unpack_bits(frame.masks)
    legal[:, [CALLING_TICHU, CALLING_GRAND]] = 0
    return _sample_uniformly(legal)


def _sample_uniformly(legal: torch.Tensor) -> torch.Tensor:
    return (torch.rand(legal.shape, device=legal.device) * legal).argmax(1).to(torch.int16)


@torch.no_grad()
def _play_leg(
    one: Player, two: Player, one_is_even: bool, games: Simulator, frame: Frame, seed: int, goal: int
) -> tuple[torch.Tensor, Counter[str]]:
    """What the first player won: the difference of the first round's scores, or 1 and 0 for the first match."""
    games.deal(seed, frame)
    results = games.empty_results()
    won = torch.full((len(games),), torch.nan, device=frame.masks.device)
    counts: Counter[str] = Counter()
    step = 0
    while step % 16 or bool(won.isnan().any()):
        is_one = ((frame.seats & 1) == 0) == one_is_even
        actions = one(frame)
        if one is not two:
            actions = torch.where(is_one, actions, two(frame))
        games.step(actions, frame, results)
        # What comes after the end does not count: short rounds are followed by more of it than long ones.
        counts.update(count_results(results[won.isnan()]))
        ends = _match_ends(results, goal) if goal else _round_ends(results)
        won = torch.where(won.isnan(), ends, won)
        step += 1
    if one_is_even:
        return won, counts
    return (1 - won if goal else -won), counts


def _round_ends(results: torch.Tensor) -> torch.Tensor:
    difference = (results[:, 0] - results[:, 1]).float()
    return torch.where(results[:, 0] == NO_RESULT, torch.nan, difference)


def _match_ends(results: torch.Tensor, goal: int) -> torch.Tensor:
    one, two = (results[:, team].int() + results[:, 2 + team] for team in (0, 1))
    is_over = (results[:, 0] != NO_RESULT) & (one != two) & (torch.maximum(one, two) >= goal)
    return torch.where(is_over, (one > two).float(), torch.nan)


def evaluate(
    one: Player, two: Player, device: str, deals: int, seed: int, rules: str = "standard", goal: int = 0
) -> Outcome:
    """Play every deal twice, the teams having changed seats; with a goal, matches over the same deals."""
    played = f"{rules} goal=target:{goal}" if goal else rules
    games, frame = Simulator(deals, device, played), Frame.empty((deals,), device)
    # Against itself both legs are the same game.
    seats = (True, False) if one is not two else (True,)
    legs, counts = zip(*(_play_leg(one, two, is_even, games, frame, seed, goal) for is_even in seats), strict=True)
    points = (legs[0] + legs[1]) / 2 if one is not two else torch.zeros_like(legs[0])
    standard_error = float(points.std()) / deals**0.5
    return Outcome(float(points.mean()), standard_error, sum(counts, Counter()))


def call_rates(counts: Mapping[str, int]) -> dict[str, float]:
    """Calls and double victories a round, and the share of calls that were made."""
    rounds = max(1, counts["rounds"])
    return {
        "tichu": counts["tichus"] / rounds,
        "tichu_made": counts["tichus_made"] / max(1, counts["tichus"]),
        "grand": counts["grands"] / rounds,
        "grand_made": counts["grands_made"] / max(1, counts["grands"]),
        "double": counts["doubles"] / rounds,
    }
