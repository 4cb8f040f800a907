"""Say of every puzzle why its answer is the best: ``python -m tools.explain_puzzles [FILE] [--seconds S]``.

What is proved is proved again, for what each world says: how much the best is worth more there than what the heuristic
bot does.  With the cards as they lay both are played on with open hands, each side doing its best.  For the others more
worlds are played in than when they were found, until something is clear enough to be a reason.  FILE is that of the
package, and is written again after each puzzle that was explained; what is explained is left as it is.
"""

import gzip
import time
from pathlib import Path
from typing import Final

import click
import msgspec

from tichu.analysis.decisions import Decision, Question, sequential_view
from tichu.analysis.proofs import prove
from tichu.analysis.puzzles import (
    OpenLine,
    Puzzle,
    PuzzleProof,
    format_puzzles,
    is_same,
    parse_puzzles,
    position_of,
    round_of,
)
from tichu.analysis.reasons import reasons_of
from tichu.analysis.rollouts import play_on
from tichu.analysis.solver import solve
from tichu.analysis.values import starts_in
from tichu.analysis.verdicts import Reason
from tichu.analysis.worlds import Worlds
from tichu.core.actions import Action, format_action, parse_action
from tichu.core.round import Round

__all__ = ["explain", "open_line"]

_FILE: Final = Path(__file__).parent.parent / "src" / "tichu" / "analysis" / "puzzles.jsonl.gz"
#: Worlds to look for reasons in, one number after the other.
_WORLDS: Final = (480, 2400, 9600)
#: A smaller difference between shares explains nothing.
_LEAST: Final = 0.03
#: States to look at for each action of a line.
_NODES: Final = 4_000_000


def explain(puzzle: Puzzle) -> Puzzle:
    """The puzzle with an explanation."""
    if puzzle.proved:
        return puzzle if puzzle.proof else msgspec.structs.replace(puzzle, proof=_proof_of(puzzle))
    if puzzle.reasons:
        return puzzle
    view, eight, _, _ = position_of(puzzle)
    pair = tuple(parse_action(text)[1] for text in (puzzle.heuristic, puzzle.best))
    question = Question(Decision(len(puzzle.actions.split()), view, eight, pair[0]), "lead", pair)
    for worlds in _WORLDS:
        reasons = reasons_of(question, 1, 0, worlds=worlds, others="unknown")
        told = [each for each in reasons if each.cards or abs(each.better - each.played) >= _LEAST]
        if told:
            return msgspec.structs.replace(puzzle, reasons=tuple(told))
    if puzzle.theme == "call":
        # What a call is worth is how often it is made, whatever else happens.
        return msgspec.structs.replace(puzzle, reasons=(_goes_out_first(question),))
    return puzzle


def _goes_out_first(question: Question) -> Reason:
    view = question.decision.view
    worlds = Worlds(view, question.decision.eight)
    drawn = worlds.sample(_WORLDS[1], 0)
    is_first = play_on(starts_in(question.decision, worlds, drawn, question.candidates)).first == view.seat
    return Reason("self_first", round(float(is_first[0::2].mean()), 4), round(float(is_first[1::2].mean()), 4))


def _proof_of(puzzle: Puzzle) -> PuzzleProof:
    position = position_of(puzzle)
    view = sequential_view(position.view)
    missed, best = (parse_action(text)[1] for text in (puzzle.heuristic, puzzle.best))
    proof = prove(view, position.eight)
    assert proof is not None, puzzle.id
    other = next(place for place, action in enumerate(proof.actions) if is_same(action, missed, position.view))
    more = proof.values[:, 0] - proof.values[:, other]
    state = round_of(puzzle)
    state = state._replace(rules=state.rules.sequential())
    return PuzzleProof(
        int(more.min()),
        int(more.max()),
        int((more > 0).sum()),
        open_line(state, puzzle.seat, best),
        open_line(state, puzzle.seat, missed),
    )


def open_line(state: Round, seat: int, action: Action) -> OpenLine:
    """An action, and what both sides do after it who see all cards."""
    side = 1 if seat % 2 == 0 else -1
    before = len(state.out)
    done: list[str] = []
    while True:
        actor = state.pending[0] if done else seat
        done.append(format_action(actor, action))
        state = state.after(actor, action)
        if state.is_over:
            break
        solution = solve(state, _NODES)
        assert solution.is_exact
        action = solution.best[0].action
        assert solution.seat == state.pending[0]
    ours, theirs = state.outcome.score
    return OpenLine(" ".join(done), side * (ours - theirs), next(iter(state.out[before:]), None))


@click.command()
@click.argument("file", type=click.Path(path_type=Path, dir_okay=False, exists=True), default=_FILE)
@click.option("--seconds", type=click.FloatRange(0), help="Begin nothing after so long.")
def main(file: Path, seconds: float | None) -> None:
    """Explain."""
    end = None if seconds is None else time.monotonic() + seconds
    known = list(parse_puzzles(gzip.decompress(file.read_bytes()).decode()))
    for place, puzzle in enumerate(known):
        if end is not None and time.monotonic() > end:
            break
        known[place] = explain(puzzle)
        if known[place] is not puzzle:
            click.echo(f"{puzzle.id}: {known[place].proof or known[place].reasons}")
            file.write_bytes(gzip.compress(format_puzzles(known).encode(), 9, mtime=0))
    left = sum(not each.proof and not each.reasons for each in known)
    click.echo(f"{len(known) - left} of {len(known)} puzzles are explained")


if __name__ == "__main__":
    main()
