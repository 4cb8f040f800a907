"""What is belief worth?  ``python -m bench.beliefs [--rounds N] [--workers N] [--beliefs FILE]``.

Rounds of the bot with itself, and of people: the last third of ``tests/games``, which nothing was learned from.  At
every decision after the Grand calls the true hands are compared with what the seat could believe.

* **Log-loss** for a card that is not certain, of uniform worlds and of beliefs.
* **Calibration**: of all cards that a seat is believed to have with some probability, how many it has.  Probabilities
  are gathered in bins of five points; errors take a round as one observation.  What is certain is left out.
* **Ranks**: how many of 99 drawn worlds have fewer bombs (among the others), aces (with the next player, with the
  partner) or cards of the wished rank than the true one, ties broken by lot, at one decision of every round.  If
  worlds are drawn as they should be all ranks are equally likely; told is the p-value of the test of Kolmogorov and
  Smirnov.
"""

import argparse
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from itertools import islice
from math import exp, sqrt
from pathlib import Path
from random import Random
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from bench.consistency import bot_rounds
from tichu.analysis.beliefs import Belief, Players, belief_about, read_belief
from tichu.analysis.decisions import Decision, decisions_of
from tichu.analysis.precision import Budget
from tichu.analysis.reviews import RoundTask, tasks_of
from tichu.analysis.worlds import Worlds
from tichu.core.cards import Cards
from tichu.core.errors import GameError
from tichu.core.phases import Phase
from tichu.core.record import replay
from tichu.core.round import Round
from tichu.core.view import View
from tichu.formats.reading import read_game

_GAMES: Final = Path(__file__).parent.parent / "tests" / "games"
#: The first of the games of people that are held out.
HELD_OUT: Final = 40
_BINS: Final = 20
_WORLDS: Final = 99
#: Cases of a bin that is told, and of one that counts.
_SOME: Final = 1_000
_ENOUGH: Final = 20_000
_MEASURES: Final = ("uniform", "learned", "people")
_STATISTICS: Final = ("bombs of the others", "aces, next player", "aces, partner", "wished rank, next player")

Floats = NDArray[np.float64]


class Task(NamedTuple):
    """A round, and by which measures it is looked at."""

    number: int
    #: None: the bot plays it.
    one: RoundTask | None
    measures: tuple[str, ...]
    file: Path | None


class Found(NamedTuple):
    """What was found in a round."""

    #: Sum of log-losses, and the number of cards that were not certain.
    loss: float
    cards: int
    #: By bin: cases, sum of probabilities, cases that were so.
    bins: Floats
    #: By statistic: where the true world lies among the drawn ones, from 0 to 1; NaN where there was nothing to ask.
    ranks: Floats


def people_rounds() -> Iterator[RoundTask]:
    """The rounds that nothing was learned from."""
    for path in sorted(_GAMES.glob("*.ttn"))[HELD_OUT:]:
        yield from tasks_of(path.name, read_game(path), Budget(), 0)


def _belief(measure: str, file: Path | None) -> Belief | None:
    if measure == "uniform":
        return None
    players: Players = "people" if measure == "people" else "learned"
    return belief_about(players) if file is None else read_belief(file, players)


def look(task: Task) -> list[Found]:
    """Compare what is believed with what is so, by each of the measures; nothing where a round is not whole."""
    one = next(bot_rounds("learned", task.number)) if task.one is None else task.one
    try:
        states = list(replay(one.record, one.rules))
        decisions = list(decisions_of(one.record, one.rules, one.score))
        later = [decision for decision in decisions if decision.view.phase is not Phase.GRAND]
        return [_look(later, states, _belief(measure, task.file), Random(task.number)) for measure in task.measures]
    except GameError:
        # A few of the games of people have rounds that were not logged to the end.
        return []


def _look(decisions: Sequence[Decision], states: Sequence[Round], chosen: Belief | None, rng: Random) -> Found:
    bins = np.zeros((_BINS, 3))
    loss, cards = 0.0, 0
    asked: list[tuple[Worlds, tuple[Cards, ...]]] = []
    for decision in decisions:
        worlds = Worlds(decision.view, decision.eight, chosen)
        hands = states[decision.number].hands
        asked.append((worlds, hands))
        open_cards = 0
        for card, chances in worlds.chances().items():
            if max(chances.values()) > 1 - 1e-9:
                continue
            open_cards += 1
            for seat, chance in chances.items():
                if chance:
                    at = min(int(chance * _BINS), _BINS - 1)
                    bins[at] += 1, chance, hands[seat] >> card & 1
        if open_cards:
            loss -= worlds.log_probability(hands)
            cards += open_cards
    return Found(loss, cards, bins, _ranks(asked, rng))


def _ranks(asked: Sequence[tuple[Worlds, tuple[Cards, ...]]], rng: Random) -> Floats:
    """One decision for the first three statistics, and one with a wish for the last."""
    found = np.full(len(_STATISTICS), np.nan)
    if asked:
        found[:3] = _rank(*rng.choice(asked), rng)[:3]
    wished = [each for each in asked if each[0].view.wish]
    if wished:
        found[3] = _rank(*rng.choice(wished), rng)[3]
    return found


def _rank(worlds: Worlds, hands: tuple[Cards, ...], rng: Random) -> Floats:
    true = np.array(_statistics(worlds.view, hands))
    drawn = np.array([_statistics(worlds.view, each) for each in worlds.draw_hands(_WORLDS, rng)])
    fewer, equal = (drawn < true).sum(0), (drawn == true).sum(0)
    lots = np.array([rng.random() for _ in _STATISTICS])
    shares: Floats = (fewer + lots * (equal + 1)) / (_WORLDS + 1)
    return shares


def _statistics(view: View, hands: Sequence[Cards]) -> tuple[int, ...]:
    following, partner = hands[view.rules.next_seat(view.seat)], hands[view.seat ^ 2]
    bombs = sum(_has_bomb(hand) for seat, hand in enumerate(hands) if seat != view.seat)
    wished = (following >> 4 * (view.wish - 1) & 15).bit_count() if view.wish else 0
    return bombs, (following >> 52).bit_count(), (partner >> 52).bit_count(), wished


def _has_bomb(hand: Cards) -> bool:
    fours = hand & hand >> 1 & hand >> 2 & hand >> 3 & 0x11111111111110
    natural = hand & ~15
    return bool(fours or natural & natural >> 4 & natural >> 8 & natural >> 12 & natural >> 16)


def kolmogorov(ranks: Floats) -> float:
    """The p-value of numbers that should be spread evenly between 0 and 1."""
    number = len(ranks)
    ordered = np.sort(ranks)
    places = np.arange(number)
    distance = float(max((ordered - places / number).max(), ((places + 1) / number - ordered).max()))
    scaled = (sqrt(number) + 0.12 + 0.11 / sqrt(number)) * distance
    chance = 2 * sum((1 if k % 2 else -1) * exp(-2 * (k * scaled) ** 2) for k in range(1, 101))
    return min(1.0, max(0.0, chance))


def report(name: str, found: Sequence[Found]) -> Iterator[str]:
    """What came of all rounds by one measure."""
    loss, cards = sum(each.loss for each in found), sum(each.cards for each in found)
    mean = loss / cards
    error = sqrt(sum((each.loss - mean * each.cards) ** 2 for each in found)) / cards
    yield f"{name}: {len(found)} rounds, log-loss {mean:.4f} ± {error:.4f} a card"
    by_round = np.stack([each.bins for each in found])
    cases, chances, hits = by_round.sum(0).T
    residuals = by_round[:, :, 2] - by_round[:, :, 1]
    errors = np.sqrt((residuals**2).sum(0)) / np.maximum(cases, 1)
    worst = 0.0
    for at in range(_BINS):
        if cases[at] >= _SOME:
            off = 100 * (hits[at] - chances[at]) / cases[at]
            worst = max(worst, abs(off)) if cases[at] >= _ENOUGH else worst
            yield (
                f"  believed {100 * chances[at] / cases[at]:5.1f} %, so {100 * hits[at] / cases[at]:5.1f} %:"
                f" {off:+.1f} ± {100 * errors[at]:.1f} points, {cases[at]:,.0f} cases"
            )
    yield f"  bins with {_ENOUGH:,} cases are at most {worst:.1f} points off"
    ranks = np.stack([each.ranks for each in found])
    for place, statistic in enumerate(_STATISTICS):
        known = ranks[:, place][~np.isnan(ranks[:, place])]
        if len(known):
            yield f"  {statistic}: mean rank {known.mean():.3f}, p = {kolmogorov(known):.3f} ({len(known)} rounds)"


def _looked(tasks: Sequence[Task], workers: int) -> list[list[Found]]:
    if workers == 1:
        found = list(map(look, tasks))
    else:
        with ProcessPoolExecutor(workers) as pool:
            found = list(pool.map(look, tasks, chunksize=2))
    return [each for each in found if each]


def main() -> None:
    """Look at rounds, and tell."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=400, help="of the bot; at most so many of people")
    parser.add_argument("--workers", type=int, default=1)
    parser.add_argument("--beliefs", type=Path, help="what training.beliefs has written, in place of the package's")
    parser.add_argument("--measures", nargs="+", choices=_MEASURES, default=_MEASURES)
    parser.add_argument("--data", nargs="+", choices=("people", "self-play"), default=("people", "self-play"))
    options = parser.parse_args()
    measures = tuple(options.measures)
    people = list(islice(people_rounds(), options.rounds))
    for name in options.data:
        rounds = people if name == "people" else [None] * options.rounds
        tasks = [Task(number, one, measures, options.beliefs) for number, one in enumerate(rounds)]
        found = _looked(tasks, options.workers)
        for place, measure in enumerate(measures):
            for line in report(f"{name}, {measure}", [each[place] for each in found]):
                print(line, flush=True)  # noqa: T201


if __name__ == "__main__":
    main()
