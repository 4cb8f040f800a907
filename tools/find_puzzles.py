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
from collections.abc import Sequence
from contextlib import closing
from hashlib import sha256
from itertools import takewhile
from math import inf
from pathlib import Path
from typing import Final, NamedTuple

import click
import msgspec

from tichu.analysis.decisions import Question, sequential_view
from tichu.analysis.precision import Estimate, estimate
from tichu.analysis.proofs import Proof, is_late, prove
from tichu.analysis.puzzles import MARGINS, THEMES, Puzzle, PuzzleCandidate, Theme, format_puzzles, parse_puzzles
from tichu.analysis.reasons import reasons_of
from tichu.core.actions import CallGrand, CallTichu, format_action, parse_action
from tichu.core.combos import Combo
from tichu.core.deals import format_deal
from tichu.parallel import open_pool
from tools.puzzles.cases import Case, PlayedRound, cases_of, people, play
from tools.puzzles.sieves import ALIKE, Sample, extend

#: Rounds of a task.
_ROUNDS: Final = 8
#: Worlds of the sieves.
_PILOT: Final = 32
_SCREEN: Final = 240
_CHECK: Final = 10 * _SCREEN
#: Worlds that are weighed by what the others did.
_WEIGHED: Final = 400
#: After so many of the second and of the last the hopeless are dropped.
_EARLY: Final = 80
_HALFWAY: Final = 600
#: Of what the best must win by in the end, the shares that it must win by in the sieves before; and standard errors.
_PILOT_SHARE, _PILOT_ERRORS = 0.5, 0.5
_EARLY_SHARE, _EARLY_ERRORS = 0.6, 1.2
_SCREEN_SHARE, _SCREEN_ERRORS = 0.75, 2.0
#: The bot must be so much surer of something else than of what is missed.
_PREFERENCE: Final = 0.5
#: How many the package shall have.
_QUOTAS: Final[dict[Theme, int]] = {
    "call": 60,
    "exchange": 40,
    "bomb": 65,
    "wish": 40,
    "gift": 40,
    "endgame": 140,
    "lead": 40,
    "follow": 40,
}
#: What is rare is looked at in every round; for the rest the rounds take turns.
_RARE: Final[tuple[Theme, ...]] = ("gift", "bomb", "wish")
_TURNS: Final[tuple[Theme, ...]] = ("endgame", "call", "exchange", "lead", "call", "endgame", "follow", "call")
#: Which is kept if a round has several.
_ORDER: Final[tuple[Theme, ...]] = ("gift", "wish", "bomb", "call", "exchange", "endgame", "lead", "follow")


class _Task(NamedTuple):
    number: int
    seed: int
    #: When nothing more is begun, by the clock of the machine.
    deadline: float
    #: What is looked for in every round; nothing: what is rare, and the rest in turns.
    themes: tuple[str, ...] = ()
    #: Only what the heuristic bot seldom misses: to bomb, and not to call.
    is_scarce: bool = False
    #: Only what can be proved.
    is_proved: bool = False


class _Found(msgspec.Struct):
    """What came of a task: a line of the file."""

    task: int
    seed: int
    rounds: int
    #: How many cases passed which sieve.
    counts: dict[str, int]
    puzzles: list[Puzzle]


# The rounds.


def _rounds_of(task: _Task) -> list[PlayedRound]:
    """People and bots in turns, until there are no more people."""
    known = people()
    half, is_bots = divmod(task.number, 2)
    first = half * _ROUNDS
    if not is_bots and first < len(known):
        return known[first : first + _ROUNDS]
    return play(task.seed, task.number * _ROUNDS, _ROUNDS)


# Tasks.


def find(task: _Task) -> _Found | None:
    """The puzzles of a few rounds, one a round at most; None if there is no time for all of them."""
    if time.time() > task.deadline:
        return None
    origins = _rounds_of(task)
    counts: Counter[str] = Counter()
    found: list[Puzzle] = []
    left: list[Case] = []
    for number, origin in enumerate(origins):
        cases = list(cases_of(origin))
        themes = task.themes or (*_RARE, _TURNS[(task.number + number) % len(_TURNS)])
        if task.is_proved:
            themes = ()
        if (task.is_proved or "endgame" in themes) and (proved := _find_proof(cases, task.seed, counts)) is not None:
            found.append(proved)
            continue
        for theme in themes:
            fitting = [case for case in cases if case.theme == theme and _is_promising(case)]
            if task.is_scarce:
                fitting = [case for case in fitting if case.is_scarce]
            if fitting:
                left.append(max(fitting, key=lambda case: case.preference))
    samples = [Sample(case, task.seed) for case in left]
    for sample in samples:
        counts[f"{sample.case.theme} 0 case"] += 1
    extend(samples, _PILOT)
    samples = [sample for sample in samples if sample.is_clear(_PILOT_SHARE, _PILOT_ERRORS)]
    for sample in samples:
        counts[f"{sample.case.theme} 1 pilot"] += 1
        sample.clear()
    extend(samples, _EARLY)
    samples = [sample for sample in samples if sample.is_clear(_EARLY_SHARE, _EARLY_ERRORS)]
    extend(samples, _SCREEN - _EARLY)
    samples = [sample for sample in samples if sample.is_clear(_SCREEN_SHARE, _SCREEN_ERRORS)]
    done: set[str] = set()
    for sample in sorted(samples, key=lambda each: _ORDER.index(each.case.theme)):
        counts[f"{sample.case.theme} 2 screen"] += 1
        if time.time() > task.deadline:
            return None
        if sample.case.origin.name not in done and _holds_weighed(sample, task.seed) and _check(sample):
            counts[f"{sample.case.theme} 3 check"] += 1
            done.add(sample.case.origin.name)
            found.append(_puzzle(sample, task.seed))
    return _Found(task.number, task.seed, len(origins), dict(counts), found)


def _is_promising(case: Case) -> bool:
    # The bot is not so good at giving tricks away that it should choose.
    return case.theme == "gift" or case.preference >= _PREFERENCE


def _holds_weighed(sample: Sample, seed: int) -> bool:
    """Whether the best is still better in worlds that are weighed, and the margin not refuted."""
    best = sample.best()
    weighed = Sample(sample.case, seed, "learned")
    extend([weighed], _WEIGHED)
    # Where others may be as good, it is enough to beat what is missed.
    others = [0] if sample.case.theme in ALIKE else [place for place in sample.open if place != best]
    known = [estimate(weighed.points[:, best] - weighed.points[:, place]) for place in others]
    return all(_holds(each, MARGINS[sample.case.theme]) for each in known)


def _check(sample: Sample) -> bool:
    """Ten times the worlds."""
    best = sample.best()
    sample.clear()
    extend([sample], _HALFWAY)
    if sample.best() != best or not sample.is_clear(_SCREEN_SHARE, _SCREEN_ERRORS):
        return False
    sample.drop()
    extend([sample], _CHECK - _HALFWAY)
    return sample.best() == best and sample.is_clear()


def _puzzle(sample: Sample, seed: int) -> Puzzle:
    case = sample.case
    seat = case.decision.view.seat
    best = sample.best()
    places = sorted(range(len(case.candidates)), key=lambda place: sample.lost(place).mean if place != best else 0)
    assert places[0] == best
    also = []
    if case.theme in ALIKE:
        unclear = [place for place in places[1:] if not sample.beats(place)]
        also = [format_action(seat, case.candidates[place]) for place in unclear]
        places = [place for place in places if place not in unclear]
    candidates = []
    for place in places:
        played, lost = sample.played(place), sample.lost(place)
        points = estimate(sample.points[played, place])
        candidates.append(
            PuzzleCandidate(
                format_action(seat, case.candidates[place]),
                round(points.mean, 1),
                round(points.error, 1),
                0.0 if place == best else round(lost.mean, 1),
                0.0 if place == best else round(lost.error, 1),
                round(float(sample.wins[played, place].mean()), 3) if sample.wins.size else None,
            )
        )
    return _finished(case, tuple(candidates), best, len(sample.points), seed, also=tuple(also))


def _finished(
    case: Case,
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
    # Of what kind the question is makes no difference here.
    question = Question(decision, "lead", case.candidates)
    reasons = reasons_of(question, best, seed, worlds=_SCREEN, others="unknown")
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


def _find_proof(cases: Sequence[Case], seed: int, counts: Counter[str]) -> Puzzle | None:
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


def _agrees(case: Case, proof: Proof) -> bool:
    """Whether the best is also better when it is played on by bots that do not see all cards."""
    pair = case._replace(candidates=(case.candidates[0], proof.actions[0]))
    sample = Sample(pair, 0)
    extend([sample], _SCREEN)
    return sample.best() == 1


def _proved(case: Case, proof: Proof, seed: int) -> Puzzle:
    seat = case.decision.view.seat
    means = proof.values.mean(0)
    candidates = tuple(
        PuzzleCandidate(format_action(seat, action), round(float(mean), 1), 0.0, round(float(means[0] - mean), 1), 0.0)
        for action, mean in zip(proof.actions, means, strict=True)
    )
    pair = case._replace(candidates=(case.candidates[0], proof.actions[0]))
    return _finished(pair, candidates, 1, len(proof.values), seed, proved=True)


# The file.


def read_found(path: Path) -> list[_Found]:
    """What is done, a last line that was cut short dropped; or the file of the package."""
    if not path.exists():
        return []
    if path.suffix == ".gz":
        return [_Found(0, 0, 0, {}, list(parse_puzzles(gzip.decompress(path.read_bytes()).decode())))]
    content = path.read_bytes()
    end = content.rfind(b"\n") + 1
    with path.open("r+b") as file:
        file.truncate(end)
    return [msgspec.json.decode(line, type=_Found) for line in content[:end].splitlines()]


def _select(found: Sequence[_Found], target: Path, rechecked: Path | None) -> None:
    lost = _lost_again(rechecked)
    chosen: list[Puzzle] = []
    for theme in THEMES:
        every = {puzzle.deal: puzzle for each in found for puzzle in each.puzzles if puzzle.theme == theme}
        some = [puzzle for puzzle in every.values() if _holds(lost.get(puzzle.id), MARGINS[theme])]
        # Scarce answers come first, then proofs, those of one world last among them; then what is clearest.
        some.sort(
            key=lambda puzzle: (not _is_scarce(puzzle), -puzzle.proved * min(puzzle.worlds, 2), -_clearness(puzzle))
        )
        chosen += some[: _QUOTAS[theme]]
        _tell(f"{theme}: {min(len(some), _QUOTAS[theme])} of {len(every)}, {len(every) - len(some)} left out")
    text = format_puzzles(sorted(chosen, key=lambda puzzle: (THEMES.index(puzzle.theme), puzzle.id)))
    target.write_bytes(gzip.compress(text.encode(), 9, mtime=0))
    proved = sum(puzzle.proved for puzzle in chosen)
    _tell(f"{len(chosen)} puzzles, {proved} proved, {target.stat().st_size:,} bytes")


def _lost_again(path: Path | None) -> dict[str, Estimate]:
    """What ``tools/recheck_puzzles.py`` has found: what is lost by the nearest candidate."""
    if path is None:
        return {}
    lines = map(msgspec.json.decode, path.read_bytes().splitlines())
    return {line["id"]: Estimate(line["lost"], line["lost_error"]) for line in lines}


def _holds(again: Estimate | None, margin: float) -> bool:
    """Whether something is still better, and by the margin as far as one can tell."""
    return again is None or (again.mean > 0 and again.mean + 2 * again.error >= margin)


def _is_scarce(puzzle: Puzzle) -> bool:
    """Whether it is about a bomb that is thrown, or a call that is not made: see :class:`Case`."""
    _, best = parse_action(puzzle.best)
    if puzzle.theme == "bomb":
        return isinstance(best, Combo) and best.is_bomb
    return puzzle.theme == "call" and not isinstance(best, (CallGrand, CallTichu))


def _clearness(puzzle: Puzzle) -> float:
    return min(each.lost / (each.lost_error + 1) for each in puzzle.candidates[1:])


def _tell(text: str) -> None:
    print(text, file=sys.stderr, flush=True)  # noqa: T201


@click.command()
@click.argument("out", type=click.Path(path_type=Path, dir_okay=False))
@click.option("--workers", type=click.IntRange(1), help="Processes; as many as the machine has processors.")
@click.option("--seconds", type=click.FloatRange(0), help="Begin nothing after so long.")
@click.option("--tasks", type=click.IntRange(1), default=1_000_000, help="Of eight rounds each.")
@click.option(
    "--first", type=click.IntRange(0), help="The number of the first task; usually the one after the last that is done."
)
@click.option("--seed", type=int, default=1, show_default=True)
@click.option("--theme", "themes", type=click.Choice(THEMES), multiple=True, help="Look for this only; several times.")
@click.option("--scarce", is_flag=True, help="Only answers that are scarce: to bomb, and not to call.")
@click.option("--proofs", is_flag=True, help="Only what can be proved, which is quick.")
@click.option("--select", "target", type=click.Path(path_type=Path, dir_okay=False), help="Make the package's file.")
@click.option(
    "--rechecked",
    type=click.Path(path_type=Path, dir_okay=False, exists=True),
    help="With --select: leave out what tools.recheck_puzzles does not find clear.",
)
def main(
    out: Path,
    workers: int | None,
    seconds: float | None,
    tasks: int,
    first: int | None,
    seed: int,
    themes: tuple[str, ...],
    scarce: bool,
    proofs: bool,
    target: Path | None,
    rechecked: Path | None,
) -> None:
    """Find puzzles, or choose among those found."""
    done = read_found(out)
    if target is not None:
        _select(done, target, rechecked)
        return
    begin = time.time()
    deadline = inf if seconds is None else begin + seconds
    begin_at = max((each.task + 1 for each in done), default=0) if first is None else first
    wanted = (_Task(number, seed, deadline, themes, scarce, proofs) for number in range(begin_at, begin_at + tasks))
    counts: Counter[str] = Counter()
    with closing(open_pool(workers)) as pool, out.open("ab") as file:
        for each in pool.map(find, takewhile(lambda task: time.time() < task.deadline, wanted)):
            if each is None:
                continue
            file.write(msgspec.json.encode(each) + b"\n")
            file.flush()
            counts.update(each.counts)
            counts.update(f"{puzzle.theme} puzzles" for puzzle in each.puzzles)
            _tell(f"{time.time() - begin:.0f} s, task {each.task}: {len(each.puzzles)} puzzles")
    for name, number in sorted(counts.items()):
        _tell(f"{number:7} {name}")


if __name__ == "__main__":
    main()
