"""Look for puzzles: decisions with one clearly best answer that the heuristic bot misses.

    python -m tools.find_puzzles OUT.jsonl [--workers N] [--seconds S] [--seed SEED] [--rounds N]
    python -m tools.find_puzzles OUT.jsonl --select src/tichu/analysis/puzzles.jsonl.gz

The first form looks through people's games (``tests/games``) and then through rounds between learned bots, a few rounds
a task, and writes what it finds; started again it goes on where it stopped.  A task depends on the seed and its number
alone.  The second form makes the file of the package: as many of each theme as it shall have.

A decision goes through sieves, each in worlds of its own: a pilot, then as many worlds as a review takes, then ten
times as many.  In the last the best must beat every other candidate by the margin of its theme.  Candidates are what
the heuristic bot does, the five actions that the learned bot likes most, others that it gives 2 %, and to pass.  Late
in a round all worlds are solved with open hands, and every legal action is a candidate.
"""

import gzip
import sys
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import closing
from functools import cache
from hashlib import sha256
from math import hypot, inf
from pathlib import Path
from random import Random
from typing import Final, NamedTuple

import click
import msgspec
import numpy as np
from numpy.typing import NDArray

from tichu.agents.batching import run_batched
from tichu.agents.heuristic import HeuristicAgent
from tichu.agents.learned.agent import LearnedAgent
from tichu.analysis.chances import chances
from tichu.analysis.decisions import Decision, Question, decisions_of, sequential_view
from tichu.analysis.precision import CUT_ERROR, Estimate, estimate
from tichu.analysis.proofs import Proof, is_late, prove
from tichu.analysis.puzzles import (
    MARGINS,
    STANDARD_ERRORS,
    THEMES,
    Origin,
    Puzzle,
    PuzzleCandidate,
    Theme,
    format_puzzles,
    is_same,
)
from tichu.analysis.reasons import reasons_of
from tichu.analysis.rollouts import Start, play_on
from tichu.analysis.values import starts_in
from tichu.analysis.verdicts import Kind
from tichu.analysis.worlds import Worlds
from tichu.arena.rounds import round_coroutine
from tichu.core.actions import NO_WISH, Action, CallGrand, CallTichu, Exchange, Pass, format_action
from tichu.core.combos import Combo
from tichu.core.deals import format_deal, shuffled_deal
from tichu.core.errors import GameError
from tichu.core.phases import Phase
from tichu.core.record import RoundRecord
from tichu.core.rules import Rules
from tichu.core.view import View
from tichu.formats.sources import find_files, game_texts
from tichu.parallel import open_pool
from tools.exchanges import likely_exchanges

_GAMES: Final = Path(__file__).parents[1] / "tests" / "games"
#: Rounds of a task.
_ROUNDS: Final = 8
#: Worlds of the sieves.
_PILOT: Final = 32
_SCREEN: Final = 240
_CHECK: Final = 10 * _SCREEN
#: After so many of the last the hopeless are dropped.
_HALFWAY: Final = 600
#: Of what the best must win by in the end, the shares that it must win by in the sieves before; and standard errors.
_PILOT_SHARE, _PILOT_ERRORS = 0.5, 0.5
_SCREEN_SHARE, _SCREEN_ERRORS = 0.75, 2.0
#: What the bot gives less is not sensible; but some others are looked at in any case.
_LEAST_CHANCE: Final = 0.02
_FEWEST_CANDIDATES: Final = 5
#: The bot must be so much surer of something else than of what is missed.
_PREFERENCE: Final = 0.5
#: After so many decisions the critic says what to expect.
_CUT: Final = 24
#: So many cards in all four hands are an endgame.
_ENDGAME: Final = 20
#: How many the package shall have.
_QUOTAS: Final[dict[Theme, int]] = {
    "call": 60,
    "exchange": 40,
    "bomb": 50,
    "wish": 40,
    "gift": 40,
    "endgame": 80,
    "lead": 40,
    "follow": 40,
}
#: What is rare is looked at in every round; for the rest the rounds take turns.
_RARE: Final[tuple[Theme, ...]] = ("gift", "bomb", "wish")
_TURNS: Final[tuple[Theme, ...]] = ("endgame", "call", "exchange", "lead", "call", "exchange", "follow", "call")
#: Which is kept if a round has several.
_ORDER: Final[tuple[Theme, ...]] = ("gift", "wish", "bomb", "call", "exchange", "endgame", "lead", "follow")
#: Where several answers may be as good, and how many.
_ALIKE: Final = ("exchange", "wish")
_MOST_ALIKE: Final = 2


class _CarelessAgent(LearnedAgent):
    """Makes a mistake now and then."""

    name = "careless"
    temperature = 4.5


class _Origin(NamedTuple):
    """A round and where it is from."""

    kind: Origin
    name: str
    record: RoundRecord
    rules: Rules
    score: tuple[int, int]


class _Case(NamedTuple):
    """A decision that may be a puzzle."""

    origin: _Origin
    decision: Decision
    theme: Theme
    #: What the heuristic bot does comes first.
    candidates: tuple[Action, ...]
    #: How much the learned bot prefers something else.
    preference: float


class _Task(NamedTuple):
    number: int
    seed: int
    #: When nothing more is begun, by the clock of the machine.
    deadline: float


class _Found(msgspec.Struct):
    """What came of a task: a line of the file."""

    task: int
    seed: int
    rounds: int
    #: How many cases passed which sieve.
    counts: dict[str, int]
    puzzles: list[Puzzle]


# The rounds.


def _rounds_of(task: _Task) -> list[_Origin]:
    """People and bots in turns, until there are no more people."""
    people = _people()
    half, is_bots = divmod(task.number, 2)
    first = half * _ROUNDS
    if not is_bots and first < len(people):
        return people[first : first + _ROUNDS]
    return _play(task, task.number * _ROUNDS)


@cache
def _people() -> list[_Origin]:
    """The rounds of people, those of one game far apart."""
    found = []
    for path in find_files([_GAMES]):
        for game in game_texts(path):
            reading = game.read()
            score = (0, 0)
            for number, one in enumerate(reading.rounds):
                if isinstance(one, RoundRecord):
                    found.append(_Origin("people", f"game {path.stem}, round {number}", one, reading.rules, score))
                    if one.score is not None:
                        score = score[0] + one.score[0], score[1] + one.score[1]
    Random(0).shuffle(found)
    return found


def _play(task: _Task, first: int) -> list[_Origin]:
    """Rounds between bots; half of them make mistakes, so that there is more to see."""
    rules = Rules.parse("standard").sequential()
    names = range(first, first + _ROUNDS)
    seeds = [f"{task.seed} {number}" for number in names]
    deals = [shuffled_deal(Random(seed)) for seed in seeds]
    kinds = [LearnedAgent if number % 2 else _CarelessAgent for number in names]
    agents = [[kind(4 * number + seat) for seat in range(4)] for kind, number in zip(kinds, names, strict=True)]
    games = run_batched(
        [round_coroutine(four, deal, rules) for four, deal in zip(agents, deals, strict=True)], LearnedAgent.act_batch
    )
    return [
        _Origin("bots", f"{four[0].name} bots, seed {seed}", RoundRecord(game.deal, game.actions), rules, (0, 0))
        for four, seed, game in zip(agents, seeds, games, strict=True)
    ]


# The cases.


def _cases(origin: _Origin) -> Iterator[_Case]:
    """Decisions of a round that the heuristic bot seems to get wrong."""
    try:
        decisions = list(decisions_of(origin.record, origin.rules, origin.score))
    except GameError:
        return
    views = [sequential_view(decision.view) for decision in decisions]
    heuristic = HeuristicAgent(0)
    for decision, view, ranked in zip(decisions, views, LearnedAgent().rank_batch(views), strict=True):
        missed = heuristic.act(view, view.legal())
        known = (
            likely_exchanges(view, _LEAST_CHANCE, _FEWEST_CANDIDATES) if isinstance(ranked[0][0], Exchange) else ranked
        )
        case = _case(origin, decision, view, missed, known)
        if case is not None:
            yield case


def _case(
    origin: _Origin, decision: Decision, view: View, missed: Action, ranked: Sequence[tuple[Action, float]]
) -> _Case | None:
    choice = ranked[0][0]
    theme = _theme(view, missed, choice)
    given = next((chance for action, chance in ranked if is_same(action, missed, view)), 0.0)
    if theme == "call":
        calls = [isinstance(each, (CallGrand, CallTichu)) for each in (missed, choice)]
        if calls[0] == calls[1]:
            return None
        # How sure the bot is about the call, whatever else it would do.
        return _Case(origin, decision, theme, (missed, choice), 1 - 2 * given if calls[0] else 2 * ranked[0][1] - 1)
    others = [
        action
        for place, (action, chance) in enumerate(ranked)
        if place < _FEWEST_CANDIDATES or chance >= _LEAST_CHANCE or isinstance(action, Pass) or action == NO_WISH
    ]
    candidates = [missed]
    for action in others:
        if not any(is_same(action, other, view) for other in candidates):
            candidates.append(action)
    if len(candidates) == 1:
        return None
    return _Case(origin, decision, theme, tuple(candidates), ranked[0][1] - given)


def _theme(view: View, missed: Action, choice: Action) -> Theme:
    if view.phase is Phase.GRAND or isinstance(missed, CallTichu) or isinstance(choice, CallTichu):
        return "call"
    match view.phase:
        case Phase.EXCHANGE:
            return "exchange"
        case Phase.WISH:
            return "wish"
        case Phase.TAKE:
            return "gift"
        case Phase.BOMB:
            return "bomb"
    if any(isinstance(each, Combo) and each.is_bomb for each in (missed, choice)):
        return "bomb"
    if sum(view.counts) <= _ENDGAME:
        return "endgame"
    return "lead" if view.top is None else "follow"


# The sieves.


class _Sample:
    """A case in worlds that are drawn one after another, never the same again."""

    def __init__(self, case: _Case, seed: int) -> None:
        self.case = case
        self._worlds = Worlds(case.decision.view, case.decision.eight)
        self._rng = Random(f"{seed} {case.origin.name} {case.decision.number}")
        self.width = len(case.candidates)
        self.points = np.zeros((0, self.width), np.float32)
        self.wins = np.zeros((0, self.width))
        self.cut = 0.0

    def clear(self) -> None:
        """Forget what was met: the next sieve has worlds of its own."""
        self.points, self.wins = self.points[:0], self.wins[:0]

    def starts(self, number: int) -> list[Start]:
        drawn = [self._worlds.draw(self._rng) for _ in range(number)]
        return starts_in(self.case.decision, self._worlds, drawn, self.case.candidates)

    def best(self) -> int:
        return int(self.points.mean(0).argmax())

    def lost(self, candidate: int) -> Estimate:
        """What the best is worth more than this."""
        mean, error = estimate(self.points[:, self.best()] - self.points[:, candidate])
        return Estimate(mean, hypot(error, CUT_ERROR * self.cut))

    def beats(self, candidate: int, share: float = 1.0, errors: float = STANDARD_ERRORS) -> bool:
        """Whether the best beats this by a share of the margin, and by standard errors."""
        mean, error = self.lost(candidate)
        return mean >= share * MARGINS[self.case.theme] and mean > errors * error

    def is_clear(self, share: float = 1.0, errors: float = STANDARD_ERRORS) -> bool:
        """Whether the best is not what is missed, and beats all others; or all but two, where they may be as good."""
        best = self.best()
        if best == 0 or not self.beats(0, share, errors):
            return False
        close = sum(not self.beats(place, share, errors) for place in range(self.width) if place != best)
        return close <= (_MOST_ALIKE if self.case.theme in _ALIKE else 0)


def _extend(samples: Sequence[_Sample], number: int) -> None:
    """So many more worlds for each."""
    for is_whole in (False, True):
        some = [sample for sample in samples if (sample.case.decision.view.phase is Phase.GRAND) == is_whole]
        starts = [sample.starts(number) for sample in some]
        ends = play_on([start for each in starts for start in each], decisions=None if is_whole else _CUT)
        at = 0
        for sample, each in zip(some, starts, strict=True):
            part = slice(at, at + len(each))
            at += len(each)
            _take(sample, ends.points[part], ends.scores[part], ends.is_over[part])


def _take(sample: _Sample, points: NDArray[np.float32], scores: NDArray[np.int16], is_over: NDArray[np.bool_]) -> None:
    view = sample.case.decision.view
    order = 1 if view.seat % 2 == 0 else -1
    before = len(sample.points)
    sample.points = np.concatenate([sample.points, (order * points).reshape(-1, sample.width)])
    sample.cut = (before * sample.cut + (len(sample.points) - before) * (1 - is_over.mean())) / len(sample.points)
    goal = view.rules.goal
    if goal.kind == "target":
        own, other = scores.T[::order].astype(float)
        by_score = chances().win(view.score[0] + own, view.score[1] + other, goal.number)
        expected = chances().expected_win(order * points.astype(float), view.score, goal.number)
        sample.wins = np.concatenate([sample.wins, np.where(is_over, by_score, expected).reshape(-1, sample.width)])


# Tasks.


def find(task: _Task) -> _Found | None:
    """The puzzles of a few rounds, one a round at most; None if there is no time for all of them."""
    if time.time() > task.deadline:
        return None
    origins = _rounds_of(task)
    counts: Counter[str] = Counter()
    found: list[Puzzle] = []
    left: list[_Case] = []
    for number, origin in enumerate(origins):
        cases = list(_cases(origin))
        turn = _TURNS[(task.number + number) % len(_TURNS)]
        if turn == "endgame" and (proved := _find_proof(cases, task.seed, counts)) is not None:
            found.append(proved)
            continue
        for theme in (*_RARE, turn):
            fitting = [case for case in cases if case.theme == theme and _is_promising(case)]
            if fitting:
                left.append(max(fitting, key=lambda case: case.preference))
    samples = [_Sample(case, task.seed) for case in left]
    for sample in samples:
        counts[f"{sample.case.theme} 0 case"] += 1
    _extend(samples, _PILOT)
    samples = [sample for sample in samples if sample.is_clear(_PILOT_SHARE, _PILOT_ERRORS)]
    for sample in samples:
        counts[f"{sample.case.theme} 1 pilot"] += 1
        sample.clear()
    _extend(samples, _SCREEN)
    samples = [sample for sample in samples if sample.is_clear(_SCREEN_SHARE, _SCREEN_ERRORS)]
    done: set[str] = set()
    for sample in sorted(samples, key=lambda each: _ORDER.index(each.case.theme)):
        counts[f"{sample.case.theme} 2 screen"] += 1
        if time.time() > task.deadline:
            return None
        if sample.case.origin.name not in done and _check(sample):
            counts[f"{sample.case.theme} 3 check"] += 1
            done.add(sample.case.origin.name)
            found.append(_puzzle(sample, task.seed))
    return _Found(task.number, task.seed, len(origins), dict(counts), found)


def _is_promising(case: _Case) -> bool:
    return case.theme in ("gift", "wish") or case.preference >= _PREFERENCE


def _check(sample: _Sample) -> bool:
    """Ten times the worlds."""
    best = sample.best()
    sample.clear()
    _extend([sample], _HALFWAY)
    if sample.best() != best or not sample.is_clear(_SCREEN_SHARE, _SCREEN_ERRORS):
        return False
    _extend([sample], _CHECK - _HALFWAY)
    return sample.best() == best and sample.is_clear()


def _puzzle(sample: _Sample, seed: int) -> Puzzle:
    case = sample.case
    seat = case.decision.view.seat
    best = sample.best()
    places = sorted(range(len(case.candidates)), key=lambda place: -sample.points[:, place].mean())
    also = []
    if case.theme in _ALIKE:
        unclear = [place for place in places[1:] if not sample.beats(place)]
        also = [format_action(seat, case.candidates[place]) for place in unclear]
        places = [place for place in places if place not in unclear]
    candidates = []
    for place in places:
        points, lost = estimate(sample.points[:, place]), sample.lost(place)
        candidates.append(
            PuzzleCandidate(
                format_action(seat, case.candidates[place]),
                round(points.mean, 1),
                round(points.error, 1),
                0.0 if place == best else round(lost.mean, 1),
                0.0 if place == best else round(lost.error, 1),
                round(float(sample.wins[:, place].mean()), 3) if sample.wins.size else None,
            )
        )
    return _finished(case, tuple(candidates), best, len(sample.points), seed, also=tuple(also))


def _finished(
    case: _Case,
    candidates: tuple[PuzzleCandidate, ...],
    best: int,
    worlds: int,
    seed: int,
    *,
    proved: bool = False,
    also: tuple[str, ...] = (),
) -> Puzzle:
    origin, decision = case.origin, case.decision
    seat = decision.view.seat
    kind: Kind = "lead"
    reasons = reasons_of(Question(decision, kind, case.candidates), best, seed, worlds=_SCREEN)
    actions = " ".join(format_action(*event) for event in origin.record.actions[: decision.number])
    deal = format_deal(origin.record.deal)
    digest = sha256(f"{origin.rules} {deal} {actions} {seat}".encode()).hexdigest()
    return Puzzle(
        f"{case.theme}-{digest[:6]}",
        case.theme,
        origin.kind,
        f"{origin.name}, action {decision.number}",
        str(origin.rules),
        seat,
        origin.score,
        deal,
        actions,
        candidates,
        format_action(seat, case.candidates[0]),
        format_action(seat, decision.played),
        worlds,
        proved,
        tuple(reasons),
        also,
    )


# Proofs.


def _find_proof(cases: Sequence[_Case], seed: int, counts: Counter[str]) -> Puzzle | None:
    late = [case for case in cases if case.theme != "call" and is_late(case.decision.view)]
    for case in sorted(late, key=lambda each: -each.preference):
        counts["proof 0 case"] += 1
        proof = prove(sequential_view(case.decision.view), case.decision.eight, case.candidates[0])
        if proof is None:
            continue
        counts["proof 1 proved"] += 1
        lost = (proof.values[:, :1] - proof.values).mean(0)
        if len(lost) > 1 and lost[1:].min() >= MARGINS[case.theme] and _agrees(case, proof):
            counts["proof 2 clear"] += 1
            return _proved(case, proof, seed)
    return None


def _agrees(case: _Case, proof: Proof) -> bool:
    """Whether the best is also better when it is played on by bots that do not see all cards."""
    pair = case._replace(candidates=(case.candidates[0], proof.actions[0]))
    sample = _Sample(pair, 0)
    _extend([sample], _SCREEN)
    return sample.best() == 1


def _proved(case: _Case, proof: Proof, seed: int) -> Puzzle:
    seat = case.decision.view.seat
    means = proof.values.mean(0)
    candidates = tuple(
        PuzzleCandidate(format_action(seat, action), round(float(mean), 1), 0.0, round(float(means[0] - mean), 1), 0.0)
        for action, mean in zip(proof.actions, means, strict=True)
    )
    pair = case._replace(candidates=(case.candidates[0], proof.actions[0]))
    return _finished(pair, candidates, 1, len(proof.values), seed, proved=True)


# The file.


def _read(path: Path) -> list[_Found]:
    """What is done; a last line that was cut short is dropped."""
    if not path.exists():
        return []
    content = path.read_bytes()
    end = content.rfind(b"\n") + 1
    with path.open("r+b") as file:
        file.truncate(end)
    return [msgspec.json.decode(line, type=_Found) for line in content[:end].splitlines()]


def _select(found: Sequence[_Found], target: Path) -> None:
    chosen: list[Puzzle] = []
    for theme in THEMES:
        some = [puzzle for each in found for puzzle in each.puzzles if puzzle.theme == theme]
        # What is proved comes first, then what is clearest.
        some.sort(key=lambda puzzle: (not puzzle.proved, -_clearness(puzzle)))
        chosen += some[: _QUOTAS[theme]]
        _tell(f"{theme}: {min(len(some), _QUOTAS[theme])} of {len(some)}")
    text = format_puzzles(sorted(chosen, key=lambda puzzle: (THEMES.index(puzzle.theme), puzzle.id)))
    target.write_bytes(gzip.compress(text.encode(), 9, mtime=0))
    proved = sum(puzzle.proved for puzzle in chosen)
    _tell(f"{len(chosen)} puzzles, {proved} proved, {target.stat().st_size:,} bytes")


def _clearness(puzzle: Puzzle) -> float:
    return min(each.lost / (each.lost_error + 1) for each in puzzle.candidates[1:])


def _tell(text: str) -> None:
    print(text, file=sys.stderr, flush=True)  # noqa: T201


@click.command()
@click.argument("out", type=click.Path(path_type=Path, dir_okay=False))
@click.option("--workers", type=click.IntRange(1), help="Processes; as many as the machine has processors.")
@click.option("--seconds", type=click.FloatRange(0), help="Begin nothing after so long.")
@click.option("--tasks", type=click.IntRange(1), default=1_000_000, help="Of eight rounds each.")
@click.option("--seed", type=int, default=1, show_default=True)
@click.option("--select", "target", type=click.Path(path_type=Path, dir_okay=False), help="Make the package's file.")
def main(out: Path, workers: int | None, seconds: float | None, tasks: int, seed: int, target: Path | None) -> None:
    """Find puzzles, or choose among those found."""
    done = _read(out)
    if target is not None:
        _select(done, target)
        return
    begin = time.time()
    deadline = inf if seconds is None else begin + seconds
    numbers = range(len(done), len(done) + tasks)
    counts: Counter[str] = Counter()
    with closing(open_pool(workers)) as pool, out.open("ab") as file:
        for each in pool.map(find, (_Task(number, seed, deadline) for number in numbers)):
            if each is None:
                # Later tasks may be done, but a file without gaps can be gone on from.
                break
            file.write(msgspec.json.encode(each) + b"\n")
            file.flush()
            counts.update(each.counts)
            counts.update(f"{puzzle.theme} puzzles" for puzzle in each.puzzles)
            _tell(f"{time.time() - begin:.0f} s, task {each.task}: {len(each.puzzles)} puzzles")
    for name, number in sorted(counts.items()):
        _tell(f"{number:7} {name}")


if __name__ == "__main__":
    main()
