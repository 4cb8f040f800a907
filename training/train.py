"""Train by self-play: one command, repeated until the run is over.

    python -m training.train --seconds 500 --total-seconds 1000 --out build/training/run

Continues from the checkpoint in ``--out`` if there is one, or from that in ``--resume``; one of a run that was begun
with something else is refused.  Writes the checkpoint, in parts of at most 16 MiB, and ``curve.csv``, which
``python -m training.curves`` draws.  ``torchrun`` starts the same command as several processes that train together
(:mod:`training.workers`); ``--games`` are those of each.
"""

from training import require_torch  # noqa: F401  # isort: skip

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

from tichu.core.rules import STANDARD
from tichu.encoding import VERSION
from training.checkpoint import (
    Progress,
    grow_weights,
    is_checkpoint,
    load,
    load_weights,
    read_policy,
    read_weights,
    save,
)
from training.command_line import (
    TrainingError,
    coefficient,
    entry_point,
    fraction,
    game_count,
    positive_float,
    positive_int,
    print_line,
)
from training.evaluation import (
    Outcome,
    Player,
    call_rates,
    deterministic,
    evaluate,
    greedy,
    random_player_without_calls,
)
from training.network import Policy, network_size
from training.ppo import ENTROPY_COEFFICIENT, Coefficients, Config, Learner, Report
from training.provenance import Provenance, digest_of
from training.rule_sets import MIXED
from training.simulator import count_results
from training.workers import Workers, is_first, join, leave

__all__ = ["main"]

# At the first evaluation of a run there is no previous one.
_UNKNOWN: Final = Outcome(float("nan"), float("nan"), {})
# Iterations between two updates of the match values.
_MATCH_INTERVAL: Final = 64


def _add_sizes(parser: argparse.ArgumentParser, *, cuda: bool) -> None:
    """Add the options for how large the networks are."""
    parser.add_argument("--width", type=positive_int, default=640 if cuda else 128)
    parser.add_argument(
        "--blocks",
        type=positive_int,
        default=3 if cuda else 1,
        help="residual blocks of the policy; if there are more than in --start, it grows and begins as the same policy",
    )
    parser.add_argument(
        "--critic-blocks",
        type=positive_int,
        help="the same of the critic (default: as in the run or in --start, else one less than --blocks)",
    )
    parser.add_argument(
        "--critic-width",
        type=positive_int,
        help="(default: as in the run or in --start, else --width); of another width than in --start, it begins anew",
    )


def parse_options(arguments: list[str] | None = None) -> argparse.Namespace:
    """Parse the command line."""
    cuda = torch.cuda.is_available()
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seconds", type=positive_float, default=500.0, help="of this command, evaluation included")
    parser.add_argument(
        "--total-seconds",
        type=positive_float,
        help="of all commands of the run (default: as before); the learning rate and entropy coefficients fall over it",
    )
    parser.add_argument(
        "--decisions", type=positive_int, help="of the whole run at most; what falls over time falls over them instead"
    )
    parser.add_argument("--out", type=Path, default=Path("build/training/run"))
    source = parser.add_mutually_exclusive_group()
    source.add_argument("--resume", type=Path, help="a folder with the checkpoint to continue from")
    source.add_argument("--start", type=Path, help="the weights that a new run starts from: a folder, or a file")
    parser.add_argument("--device", default="cuda" if cuda else "cpu", choices=("cuda", "cpu"))
    parser.add_argument("--games", type=game_count, default=65536 if cuda else 256, help="played side by side")
    parser.add_argument("--rollout-length", type=positive_int, default=32, help="decisions of a game in a rollout")
    parser.add_argument("--minibatch", type=positive_int, default=65536 if cuda else 2048)
    _add_sizes(parser, cuda=cuda)
    parser.add_argument("--learning-rate", type=float, default=5e-4)
    parser.add_argument("--gae-lambda", type=float, default=0.97)
    parser.add_argument(
        "--entropy-coefficient", type=float, default=ENTROPY_COEFFICIENT, help="of plays, at the start of the run"
    )
    parser.add_argument("--reward", choices=("match", "points"), default="match")
    parser.add_argument(
        "--auxiliary-coefficient", type=float, default=0.05, help="of the loss for first places and double victories"
    )
    parser.add_argument(
        "--belief-coefficient",
        type=coefficient,
        default=0.0,
        help="of the loss for what the others hold, as the policy's layers know it; 0: nothing says it",
    )
    parser.add_argument("--opponent", type=Path, nargs="*", default=[], help="earlier policies to play against in turn")
    parser.add_argument("--opponent-share", type=fraction, default=0.125, help="share of games with an opponent")
    parser.add_argument(
        "--best-response",
        action="store_true",
        help="opponents have the other team's seats in all their games and do not explore (training.exploit)",
    )
    parser.add_argument("--rules", default=MIXED, help="a rule set, or a mixture with standard in half of the games")
    parser.add_argument("--memoryless-share", type=fraction, default=1 / 16, help="share of games without memory")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument(
        "--evaluation-interval", type=positive_float, default=45.0, help="seconds from one evaluation to the next"
    )
    parser.add_argument(
        "--evaluation-deals", type=game_count, default=4096 if cuda else 256, help="deals, each played twice"
    )
    parser.add_argument("--evaluation-opponent", type=Path, help="a policy to evaluate against, such as the champion")
    parser.add_argument("--must-improve", action="store_true", help="fail if the result does not beat chance")
    options = parser.parse_args(arguments)
    if options.device == "cuda" and not cuda:
        parser.error("argument --device: torch finds no GPU")
    decisions = options.games * options.rollout_length
    if options.minibatch > decisions:
        parser.error(f"argument --minibatch: a rollout has only {decisions} decisions (--games by --rollout-length)")
    if options.decisions and options.decisions < 2 * decisions:
        parser.error(f"argument --decisions: two rollouts of {decisions} are the least (--games by --rollout-length)")
    return options


class Curve:
    """The evaluations of a run, as lines on the screen and as rows of ``curve.csv``.

    They are played by the rules of the run, those of a mixture by ``standard``.
    """

    def __init__(self, out: Path, device: str, deals: int, rules: str, opponent: Player | None) -> None:
        self._device, self._deals = device, deals
        self._rules = str(STANDARD) if rules == MIXED else rules
        self._opponent = opponent
        out.mkdir(parents=True, exist_ok=True)
        self._path = out / "curve.csv"
        self._greedy = greedy(device)
        self._previous: Player | None = None

    def keep(self, policy: Policy) -> None:
        """Keep a copy for the next evaluation to play against."""
        self._previous = deterministic(copy.deepcopy(policy).eval())

    def evaluate(self, policy: Policy, row: dict[str, float]) -> None:
        """Play against a greedy policy, the policy of the previous evaluation and the chosen opponent."""
        policy.eval()
        player = deterministic(policy)
        columns: dict[str, float] = {}
        opponents = {"greedy": self._greedy, "previous": self._previous, "opponent": self._opponent}
        for name, opponent in opponents.items():
            outcome = self._evaluate(player, opponent, 777) if opponent else _UNKNOWN
            columns[f"over_{name}"], columns[f"over_{name}_standard_error"] = outcome.mean, outcome.standard_error
        self_play = self._evaluate(player, player, 778)
        columns |= {f"evaluation_{name}": rate for name, rate in call_rates(self_play.counts).items()}
        self.keep(policy)
        policy.train()
        self._write(row | columns)

    def _evaluate(self, one: Player, two: Player, seed: int) -> Outcome:
        return evaluate(one, two, self._device, self._deals, seed, self._rules)

    def _write(self, row: dict[str, float]) -> None:
        is_new = not self._path.exists()
        with self._path.open("a", newline="") as file:
            writer = csv.DictWriter(file, fieldnames=list(row), lineterminator="\n")
            if is_new:
                writer.writeheader()
            writer.writerow(row)
        print_line(json.dumps({name: round(value, 4) for name, value in row.items()}))


def _row(seconds: float, decisions: int, report: Report, rollout_rates: dict[str, float]) -> dict[str, float]:
    return {
        "encoding": VERSION,
        "seconds": seconds,
        "decisions": decisions,
        "decisions_per_second": report.decisions / (report.rollout_seconds + report.update_seconds),
        **{name: value for name, value in report._asdict().items() if name != "decisions" and value is not None},
        **{f"rollout_{name}": rate for name, rate in rollout_rates.items()},
    }


def _load_networks(learner: Learner, options: argparse.Namespace) -> Progress:
    """Load a checkpoint or initial weights, if there are any; the progress of the run."""
    progress = _read_networks(learner, options) if learner.workers.is_first else None
    if learner.workers.size > 1:
        learner.share()
    return Progress(*learner.workers.from_first(progress))


def _provenance(options: argparse.Namespace) -> Provenance:
    start, *opponents = (
        digest_of(read_weights(source, "policy", "cpu")) if source else ""
        for source in (options.start, *options.opponent)
    )
    # A best response found from nothing is another one than that found from the policy's weights.
    is_said = options.start or options.best_response
    return Provenance(
        start if is_said else None, tuple(opponents), options.best_response, options.rules, options.reward
    )


def _read_networks(learner: Learner, options: argparse.Namespace) -> Progress:
    source = options.resume or options.out
    if source != options.out and is_checkpoint(options.out):
        raise TrainingError(f"{options.out}: a run is there already; go on with it without --resume")
    provenance = _provenance(options)
    progress = load(source, learner)
    if progress is not None:
        provenance.require(progress.provenance, source)
        return progress
    if options.resume:
        raise TrainingError(f"{source}: no checkpoint there to continue from")
    if options.start:
        policy = read_weights(options.start, "policy", options.device)
        load_weights(learner.policy, grow_weights(learner.policy, policy, options.start), options.start)
        _start_critic(learner, options)
    return Progress(provenance=provenance._replace(start=provenance.start or ""))


def _start_critic(learner: Learner, options: argparse.Namespace) -> None:
    try:
        weights = read_weights(options.start, "critic", options.device)
    except TrainingError:
        # A bot has none.
        print_line(f"{options.start}: no critic there, so a new one learns")
        return
    width, _ = network_size(weights)
    if options.critic_width not in (width, None):
        print_line(f"{options.start}: the critic there is {width} wide, so a new one learns")
        return
    load_weights(learner.critic, grow_weights(learner.critic, weights, options.start), options.start)


def _say_it_is_over(options: argparse.Namespace, spent: float, total: float) -> None:
    """Tell it, or refuse: whoever says what to start from means a run that is yet to be made."""
    known = f"the run is over: it has trained for {spent:.0f} seconds of {total:.0f} (--total-seconds)"
    if options.start or options.best_response:
        raise TrainingError(f"{options.resume or options.out}: {known}; choose another --out")
    if is_first():
        print_line(known)


def train(learner: Learner, options: argparse.Namespace) -> None:
    """Play and learn until the time is up."""
    workers = learner.workers
    before, decisions, total, provenance = _load_networks(learner, options)
    total = options.total_seconds or total or options.seconds
    limit = min(options.seconds, total - before)
    if limit <= 0:
        _say_it_is_over(options, before, total)
        return
    opponents = itertools.cycle([read_policy(each, options.device, workers=workers) for each in options.opponent])
    learner.opponent = next(opponents, None)
    champion = options.evaluation_opponent if workers.is_first else None
    opponent = deterministic(read_policy(champion, options.device)) if champion else None
    curve = Curve(options.out, options.device, options.evaluation_deals, options.rules, opponent)
    if decisions or options.start:
        curve.keep(learner.policy)
    learner.reset(1_000_003 * options.seed + decisions + 500_009 * workers.rank)

    def coefficients(spent: float) -> Coefficients:
        share = decisions / options.decisions if options.decisions else (before + spent) / total
        return Coefficients.at(share, options.learning_rate, options.entropy_coefficient)

    report = learner.iterate(coefficients(0.0))  # The first one compiles.
    decisions += report.decisions
    began = time.perf_counter()
    counts = Counter[str]()
    spent, next_evaluation = 0.0, options.evaluation_interval

    def is_over() -> bool:
        return spent >= limit or bool(options.decisions and decisions + report.decisions > options.decisions)

    for iteration in itertools.count(1):
        if is_over():
            break
        if options.reward == "match" and iteration % _MATCH_INTERVAL == 8:
            learner.matches.update()
        report = learner.iterate(coefficients(spent))
        decisions += report.decisions
        counts.update(count_results(learner.counted_results()))
        spent = workers.agree(time.perf_counter() - began)
        if spent < next_evaluation and not is_over():
            continue
        if workers.is_first:
            # A machine may be taken away at any time.
            save(options.out, learner, Progress(before + spent, decisions, total, provenance))
            curve.evaluate(learner.policy, _row(before + spent, decisions, report, call_rates(counts)))
        counts.clear()
        learner.opponent = next(opponents, None)
        next_evaluation += options.evaluation_interval


def _critic_size(options: argparse.Namespace, workers: Workers) -> tuple[int | None, int | None]:
    """The width and the blocks of the critic, as they are said or known; None where they follow from the policy's."""
    width, blocks = options.critic_width, options.critic_blocks
    if workers.is_first and None in (width, blocks):
        run = options.resume or options.out
        try:
            known = network_size(read_weights(run if is_checkpoint(run) else options.start or run, "critic", "cpu"))
        except TrainingError:
            pass
        else:
            width, blocks = width or known[0], blocks or known[1]
    size: tuple[int | None, int | None] = workers.from_first((width, blocks))
    return size


def _config(options: argparse.Namespace, workers: Workers) -> Config:
    critic_width, critic_blocks = _critic_size(options, workers)
    return Config(
        options.device,
        options.games,
        options.rollout_length,
        options.minibatch,
        options.width,
        options.blocks,
        options.gae_lambda,
        match_reward=options.reward == "match",
        auxiliary_coefficient=options.auxiliary_coefficient,
        opponent_share=options.opponent_share if options.opponent else 0.0,
        is_best_response=options.best_response,
        memoryless_share=options.memoryless_share,
        rules=options.rules,
        critic_width=critic_width,
        critic_blocks=critic_blocks,
        belief_coefficient=options.belief_coefficient,
    )


@entry_point
def main(arguments: list[str] | None = None) -> None:
    """Train, and report the progress."""
    workers = join()
    options = parse_options(arguments)
    torch.manual_seed(options.seed + 1_009 * workers.rank)
    torch.set_float32_matmul_precision("high")
    learner = Learner(_config(options, workers), workers)
    if workers.is_first:
        print_line(f"{sum(each.numel() for each in learner.policy.parameters()):,} weights, {options.device}")
    train(learner, options)
    if options.must_improve and workers.is_first:
        player, chance = deterministic(learner.policy), random_player_without_calls
        outcome = evaluate(player, chance, options.device, options.evaluation_deals, seed=779)
        print_line(f"{outcome.mean:+.1f} points a round over chance, standard error {outcome.standard_error:.1f}")
        if outcome.mean < 4 * outcome.standard_error:
            sys.exit("the policy has not learned")


if __name__ == "__main__":
    main()
    leave()
