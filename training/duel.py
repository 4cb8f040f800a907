"""Two policies against each other on duplicate deals, inside the simulator."""

from collections import Counter
from collections.abc import Callable, Mapping
from typing import Final, NamedTuple

import torch

from tichu.combos import Kind
from tichu.encoding import PICKING, PLAYING, shape_at
from tichu.encoding.numbering import ACTION_COUNT, CALLING_GRAND, CALLING_TICHU, PASSING
from training.network import LOGITS, Policy, unpack
from training.simulator import NO_RESULT, REMEMBERED, Frame, Simulator, counted

__all__ = [
    "Decide",
    "Outcome",
    "at_random",
    "at_random_without_calls",
    "best_of",
    "by_preference",
    "call_rates",
    "duel",
    "without",
]

#: Frames in, an action (int16) a game out.
Decide = Callable[[Frame], torch.Tensor]

# What both teams lack of a goal of 1,000, in steps of 25.
_AT_THE_BEGINNING: Final = 40


class Outcome(NamedTuple):
    """Points a round of the first over the second, or the share of matches it won, and the standard error of that."""

    mean: float
    error: float
    #: Calls and double victories of both teams, in the rounds that count.
    counters: Mapping[str, int]


def best_of(policy: Policy, first: float | None = None) -> Decide:
    """The most likely action of a policy; with ``first`` Tichu is called where the chance to be first is above that."""

    def decide(frame: Frame) -> torch.Tensor:
        device = frame.observations.device.type
        with torch.autocast(device, torch.bfloat16, enabled=device == "cuda"):
            scores, expected = policy(frame.observations)
        legal = unpack(frame.masks) > 0
        # A call is a question of its own (training.network.choices): it is made if its score is above 0.
        calls = scores[:, CALLING_TICHU] > 0 if first is None else expected[:, 1:5].softmax(1)[:, 0] > first
        tichu = legal[:, CALLING_TICHU] & calls
        grand = legal[:, CALLING_GRAND] & (scores[:, CALLING_GRAND] > 0)
        legal[:, [CALLING_TICHU, CALLING_GRAND]] = False
        best = scores.masked_fill(~legal, -torch.inf).argmax(1)
        return best.masked_fill(tichu, CALLING_TICHU).masked_fill(grand, CALLING_GRAND).to(torch.int16)

    return decide


def without(decide: Decide, what: str) -> Decide:
    """Somebody who does not remember what was played (``memory``), or takes every round for a first one (``match``)."""

    def less(frame: Frame) -> torch.Tensor:
        seen = frame.observations.clone()
        if what == "memory":
            seen[:, REMEMBERED] = 0
        else:
            seen[:, REMEMBERED.stop :] = _AT_THE_BEGINNING
        return decide(frame._replace(observations=seen))

    return less


def by_preference(device: str) -> Decide:
    """Much like the greedy bot: as many cards as possible, the lowest; no calls, bombs and passes last."""
    wanted = torch.zeros(LOGITS)
    wanted[PASSING] = -5000
    wanted[[CALLING_TICHU, CALLING_GRAND]] = -9000
    for number in range(PICKING, PLAYING):
        wanted[number] = -100 if number < PICKING + 4 else PICKING - number
    for number in range(PLAYING, ACTION_COUNT):
        shape = shape_at(number)
        cards = shape.ranks * shape.width + (2 if shape.pair else 0)
        rank = 14 + shape.card if shape.card > 1 else shape.low + shape.ranks
        wanted[number] = 100 * cards - rank - 0.5 * (shape.phoenix > 0) - 3000 * (shape.kind >= Kind.FOUR)
    table = wanted.to(device)

    def decide(frame: Frame) -> torch.Tensor:
        return table.expand(len(frame.masks), -1).masked_fill(unpack(frame.masks) == 0, -1e9).argmax(1).to(torch.int16)

    return decide


def at_random(frame: Frame) -> torch.Tensor:
    """Any legal action."""
    return _any_of(unpack(frame.masks))


def at_random_without_calls(frame: Frame) -> torch.Tensor:
    """Any legal action but a call: one who calls at random is beaten by not calling."""
    legal = unpack(frame.masks)
    legal[:, [CALLING_TICHU, CALLING_GRAND]] = 0
    return _any_of(legal)


def _any_of(legal: torch.Tensor) -> torch.Tensor:
    return (torch.rand(legal.shape, device=legal.device) * legal).argmax(1).to(torch.int16)


@torch.no_grad()
def _leg(
    one: Decide, two: Decide, evens: bool, games: Simulator, frame: Frame, seed: int, goal: int
) -> tuple[torch.Tensor, Counter[str]]:
    """What the first policy won: the difference of the first round's scores, or 1 and 0 for the first match."""
    games.deal(seed, frame)
    results = games.no_results()
    won = torch.full((len(games),), torch.nan, device=frame.masks.device)
    counters: Counter[str] = Counter()
    step = 0
    while step % 16 or bool(won.isnan().any()):
        is_one = ((frame.seats & 1) == 0) == evens
        actions = one(frame)
        if one is not two:
            actions = torch.where(is_one, actions, two(frame))
        games.step(actions, frame, results)
        # What comes after the end does not count: short rounds are followed by more of it than long ones.
        counters.update(counted(results[won.isnan()]))
        ends = _match_ends(results, goal) if goal else _round_ends(results)
        won = torch.where(won.isnan(), ends, won)
        step += 1
    if evens:
        return won, counters
    return (1 - won if goal else -won), counters


def _round_ends(results: torch.Tensor) -> torch.Tensor:
    difference = (results[:, 0] - results[:, 1]).float()
    return torch.where(results[:, 0] == NO_RESULT, torch.nan, difference)


def _match_ends(results: torch.Tensor, goal: int) -> torch.Tensor:
    one, two = (results[:, team].int() + results[:, 2 + team] for team in (0, 1))
    over = (results[:, 0] != NO_RESULT) & (one != two) & (torch.maximum(one, two) >= goal)
    return torch.where(over, (one > two).float(), torch.nan)


def duel(one: Decide, two: Decide, device: str, deals: int, seed: int, goal: int = 0) -> Outcome:
    """Play every deal twice, the teams having changed seats; with a goal matches over the same deals, for those won."""
    rules = f"standard goal=target:{goal}" if goal else "standard"
    games, frame = Simulator(deals, device, rules), Frame.empty((deals,), device)
    # Against itself both legs are the same game.
    seats = (True, False) if one is not two else (True,)
    legs, counters = zip(*(_leg(one, two, evens, games, frame, seed, goal) for evens in seats), strict=True)
    points = (legs[0] + legs[1]) / 2 if one is not two else torch.zeros_like(legs[0])
    error = float(points.std()) / deals**0.5
    return Outcome(float(points.mean()), error, sum(counters, Counter()))


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
