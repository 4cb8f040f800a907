"""Train by self-play: one command, repeated until the run is over.

    python -m training.train --seconds 500 --total 1000 --out build/training/run

Goes on from the checkpoint in ``--out`` if there is one, or from that in ``--from``.  Written are the checkpoint, in
parts of 16 MiB at most, and ``curve.csv``; ``python -m training.curves`` draws it.
"""

from training import needs_torch  # noqa: F401  # isort: skip

import argparse
import copy
import csv
import itertools
import json
import sys
import time
from collections import Counter
from pathlib import Path
from typing import Final

import torch

from tichu.encoding import VERSION
from training.checkpoint import Progress, fill, load, read_policy, read_weights, save
from training.command import Refused, command, games, positive, say, seconds, share
from training.duel import Decide, Outcome, at_random_without_calls, best_of, by_preference, call_rates, duel
from training.network import Policy
from training.ppo import Learner, Rates, Report, Setting
from training.simulator import counted

__all__ = ["main"]

# At the first look of a run there is none before.
_UNKNOWN: Final = Outcome(float("nan"), float("nan"), {})
# How often the chances of matches are worked out anew.
_ITERATIONS: Final = 64


def parse_options(words: list[str] | None = None) -> argparse.Namespace:
    """The command line."""
    cuda = torch.cuda.is_available()
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seconds", type=seconds, default=500.0, help="of this command, measurements included")
    parser.add_argument(
        "--total", type=seconds, help="how long all commands of the run train (else as before); the rates fall over it"
    )
    parser.add_argument("--out", type=Path, default=Path("build/training/run"))
    source = parser.add_mutually_exclusive_group()
    source.add_argument("--from", type=Path, dest="source", help="a folder with the checkpoint to go on from")
    source.add_argument("--start", type=Path, help="a folder with weights that a new run begins with")
    parser.add_argument("--device", default="cuda" if cuda else "cpu", choices=("cuda", "cpu"))
    parser.add_argument("--games", type=games, default=65536 if cuda else 256)
    parser.add_argument("--steps", type=positive, default=32, help="decisions of a game between two rounds of learning")
    parser.add_argument("--batch", type=positive, default=65536 if cuda else 2048)
    parser.add_argument("--width", type=positive, default=640 if cuda else 128)
    parser.add_argument("--blocks", type=positive, default=3 if cuda else 1)
    parser.add_argument("--rate", type=float, default=5e-4)
    parser.add_argument("--decay", type=float, default=0.97, help="lambda: how long a decision is credited")
    parser.add_argument("--daring", type=float, default=1.0, help="times the usual entropy bonus")
    parser.add_argument("--for", choices=("match", "points"), default="match", dest="aim", help="what is played for")
    parser.add_argument("--heads", type=float, default=0.05, help="weight of the chances to be first and to win twice")
    parser.add_argument(
        "--rival", type=Path, nargs="*", default=[], help="folders with earlier policies to play against"
    )
    parser.add_argument("--rivals", type=share, default=0.125, help="in this share of the games, if there is a rival")
    parser.add_argument("--forgetful", type=share, default=1 / 16, help="share of games in which nobody remembers")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--looks", type=seconds, default=45.0, help="seconds between two measurements")
    parser.add_argument(
        "--deals", type=games, default=4096 if cuda else 256, help="of a measurement, each played twice"
    )
    parser.add_argument("--must-improve", action="store_true", help="fail if the end does not beat chance")
    options = parser.parse_args(words)
    if options.device == "cuda" and not cuda:
        parser.error("argument --device: torch finds no GPU")
    if options.batch > options.games * options.steps:
        parser.error(f"argument --batch: there are only {options.games * options.steps} decisions (--games by --steps)")
    return options


class Curve:
    """What is measured on the way, as lines for people and rows for plots."""

    def __init__(self, out: Path, device: str, deals: int) -> None:
        self._device, self._deals = device, deals
        out.mkdir(parents=True, exist_ok=True)
        self._path = out / "curve.csv"
        self._greedy = by_preference(device)
        self._before: Decide | None = None

    def remember(self, policy: Policy) -> None:
        """Keep whom the next look is to compare with."""
        self._before = best_of(copy.deepcopy(policy).eval())

    def look(self, policy: Policy, row: dict[str, float]) -> None:
        """Measure a policy against a greedy one and against itself as it was last time."""
        policy.eval()
        now = best_of(policy)
        measured: dict[str, float] = {}
        for name, rival in (("greedy", self._greedy), ("before", self._before)):
            outcome = duel(now, rival, self._device, self._deals, seed=777) if rival else _UNKNOWN
            measured[f"over_{name}"], measured[f"over_{name}_error"] = outcome.mean, outcome.error
        own = duel(now, now, self._device, self._deals, seed=778)
        measured |= {f"best_{name}": count for name, count in call_rates(own.counters).items()}
        self.remember(policy)
        policy.train()
        self._write(row | measured)

    def _write(self, row: dict[str, float]) -> None:
        is_new = not self._path.exists()
        with self._path.open("a", newline="") as file:
            writer = csv.DictWriter(file, fieldnames=list(row), lineterminator="\n")
            if is_new:
                writer.writeheader()
            writer.writerow(row)
        say(json.dumps({name: round(value, 4) for name, value in row.items()}))


def _row(before: float, spent: float, decisions: int, report: Report, rounds: dict[str, float]) -> dict[str, float]:
    return {
        "encoding": VERSION,
        "seconds": before + spent,
        "decisions": decisions,
        "speed": report.decisions / (report.playing + report.learning),
        **{name: value for name, value in report._asdict().items() if name != "decisions"},
        **rounds,
    }


def _begun(learner: Learner, options: argparse.Namespace) -> Progress:
    """Fill the networks with what there is; how far the run was."""
    source = options.source or options.out
    progress = load(source, learner)
    if progress is None and options.source:
        raise Refused(f"{source}: no checkpoint there to go on from")
    if progress is None and options.start:
        for name, network in (("policy", learner.policy), ("critic", learner.critic)):
            fill(network, read_weights(options.start, name, options.device), options.start)
    return progress or Progress()


def train(learner: Learner, options: argparse.Namespace) -> None:
    """Play and learn until the time is up."""
    before, decisions, total = _begun(learner, options)
    total = options.total or total or options.seconds
    limit = min(options.seconds, total - before)
    if limit <= 0:
        say(f"the run is over: it has trained for {before:.0f} seconds of {total:.0f} (--total)")
        return
    rivals = itertools.cycle([read_policy(folder, options.device) for folder in options.rival])
    learner.rival = next(rivals, None)
    curve = Curve(options.out, options.device, options.deals)
    if decisions or options.start:
        curve.remember(learner.policy)
    learner.begin(1_000_003 * options.seed + decisions)
    report = learner.iterate(Rates.at(before / total, options.rate, options.daring))  # The first one compiles.
    decisions += report.decisions
    began = time.perf_counter()
    since = Counter[str]()
    spent, next_look = 0.0, options.looks
    for count in itertools.count(1):
        if spent >= limit:
            break
        if options.aim == "match" and count % _ITERATIONS == 8:
            learner.matches.learn()
        report = learner.iterate(Rates.at((before + spent) / total, options.rate, options.daring))
        decisions += report.decisions
        since.update(counted(learner.results))
        spent = time.perf_counter() - began
        if spent < min(next_look, limit):
            continue
        # A machine may be taken away at any time.
        save(options.out, learner, Progress(before + spent, decisions, total))
        curve.look(learner.policy, _row(before, spent, decisions, report, call_rates(since)))
        since.clear()
        learner.rival = next(rivals, None)
        next_look += options.looks


def _setting(options: argparse.Namespace) -> Setting:
    return Setting(
        options.device,
        options.games,
        options.steps,
        options.batch,
        options.width,
        options.blocks,
        options.decay,
        for_match=options.aim == "match",
        heads=options.heads,
        rivals=options.rivals if options.rival else 0.0,
        forgetful=options.forgetful,
    )


@command
def main(words: list[str] | None = None) -> None:
    """Train, and say how it went."""
    options = parse_options(words)
    torch.manual_seed(options.seed)
    torch.set_float32_matmul_precision("high")
    learner = Learner(_setting(options))
    say(f"{sum(each.numel() for each in learner.policy.parameters()):,} weights, {options.device}")
    train(learner, options)
    if options.must_improve:
        outcome = duel(best_of(learner.policy), at_random_without_calls, options.device, options.deals, seed=779)
        say(f"{outcome.mean:+.1f} points a round over chance, standard error {outcome.error:.1f}")
        if outcome.mean < 4 * outcome.error:
            sys.exit("it has not learned")


if __name__ == "__main__":
    main()
