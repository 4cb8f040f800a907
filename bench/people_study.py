"""What people lose, by what they decided: ``python -m bench.people_study FILE [--real tests/games]``.

FILE is what ``tichu analyse tests/games --worlds 48 --error 100 --json`` has printed.  Told are, by kind of decision
and by what was done, how many differ from the bot's, what one of them loses, and points lost a round by all four;
intervals count a game as one observation.  Decisions are grouped by what was *played* alone: grouped by what was found
to be best they would look worse than they are.

With ``--real`` both lines of every decision are also played on once from the hands as they really were.  A single world
is mostly luck, but it is the true one: its mean is right whatever is believed of the others.  Told are both, and the
difference, decision by decision; then after how many games what one seat loses, and what its team scores, is known to
ten points a round.  That is a little too many: who sits there changes from game to game.
"""

import json
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from math import ceil, sqrt
from pathlib import Path
from typing import Any, Final, NamedTuple

import click

from tichu.analysis.decisions import decisions_of
from tichu.analysis.precision import Budget
from tichu.analysis.reviews import RoundTask, tasks_of
from tichu.analysis.rollouts import POLICIES, Start, play_on, policy
from tichu.analysis.values import starts_from
from tichu.core.actions import parse_action
from tichu.core.record import RoundRecord, replay
from tichu.formats.reading import read_game

__all__ = ["Loss", "challenger_of", "games_needed", "groups_of", "loss_of", "real_losses"]

_Z95: Final = 1.96
#: A mean is known if its interval reaches so many points a round to either side.
_KNOWN: Final = 10.0


class Loss(NamedTuple):
    """What decisions of one kind lose."""

    decisions: int
    each: float
    per_round: float
    error: float


def groups_of(decision: Mapping[str, Any]) -> Sequence[str]:
    """What a decision counts as, the widest first.

    >>> groups_of({"kind": "follow", "played": "2:-"})
    ('all', 'follow', 'follow: passed')
    >>> groups_of({"kind": "grand", "played": "0+G"})
    ('all', 'grand and exchange', 'grand', 'grand: called')
    >>> groups_of({"kind": "wish", "played": "1?A"})
    ('all', 'wish')
    """
    kind, played = decision["kind"], decision["played"][1:]
    match kind:
        case "grand":
            return ("all", "grand and exchange", kind, f"grand: {'called' if played.startswith('+') else 'not called'}")
        case "exchange":
            return ("all", "grand and exchange", kind)
        case "tichu":
            return ("all", kind, f"tichu: {'called' if played.startswith('+') else 'not called'}")
        case "lead":
            return ("all", kind, f"lead: {'one card' if len(played) == len(':As') else 'several cards'}")
        case "follow":
            return ("all", kind, f"follow: {'passed' if played == ':-' else 'played'}")
    return ("all", kind)


def loss_of(decisions: Iterable[Mapping[str, Any]], rounds: Mapping[str, int]) -> Loss:
    """What some decisions lose in games of so many rounds each; a mean of ratios with games as clusters.

    >>> loss_of([{"file": "a", "lost": 6.0}, {"file": "b", "lost": 2.0}], {"a": 1, "b": 1})
    Loss(decisions=2, each=4.0, per_round=4.0, error=2.0)
    """
    lost: Counter[str] = Counter()
    number = 0
    for decision in decisions:
        lost[decision["file"]] += decision["lost"]
        number += 1
    total, every, games = sum(lost.values()), sum(rounds.values()), len(rounds)
    mean = total / every
    spread = sum((lost[game] - mean * its_rounds) ** 2 for game, its_rounds in rounds.items())
    error = sqrt(spread * games / max(1, games - 1)) / every
    return Loss(number, total / max(1, number), mean, error)


def games_needed(decisions: Sequence[Mapping[str, Any]], rounds: Mapping[str, int]) -> int:
    """After how many games a mean is known, of one seat and on average over all four.

    >>> seats = [{"file": file, "seat": seat, "lost": 20.0} for seat in range(4) for file in "ab"[: 1 + seat % 2]]
    >>> games_needed(seats, {"a": 1, "b": 1})
    4
    """
    squares = [loss_of([each for each in decisions if each["seat"] == seat], rounds).error ** 2 for seat in range(4)]
    return max(1, ceil(len(rounds) * (_Z95 / _KNOWN) ** 2 * sum(squares) / 4))


def scores_in(games: Path, rounds: Mapping[str, int]) -> Iterator[dict[str, Any]]:
    """What the team of each seat has scored more than the other in a round, in the shape of a decision."""
    for file in rounds:
        for one in read_game(games / Path(file).name).rounds:
            if isinstance(one, RoundRecord) and one.score is not None:
                for seat in range(4):
                    yield {"file": file, "seat": seat, "lost": one.score[seat % 2] - one.score[1 - seat % 2]}


def challenger_of(decision: Mapping[str, Any]) -> str:
    """What was compared with what was played: the candidate that ``lost`` is about.

    >>> candidates = [
    ...     {"action": "0:2s", "points": 3.0},
    ...     {"action": "0:Dr", "points": 9.0},
    ...     {"action": "0:-", "points": 1.5},
    ... ]
    >>> challenger_of({"lost": -1.5, "candidates": candidates})
    '0:-'
    """
    played, *others = decision["candidates"]
    found = min(others, key=lambda each: abs(each["points"] - played["points"] - decision["lost"]))
    return str(found["action"])


def real_losses(
    decisions: Sequence[Mapping[str, Any]], games: Path, cut: int | None = 24, by: str = "learned"
) -> Iterator[dict[str, Any]]:
    """The decisions with what they lost with the hands as they really were, game by game.

    :raises click.ClickException: a game is not there, or another one
    """
    for file in dict.fromkeys(each["file"] for each in decisions):
        of_game = [each for each in decisions if each["file"] == file]
        path = games / Path(file).name
        if not path.is_file():
            raise click.ClickException(f"{path}: no such game, but there are decisions of it")
        starts: dict[int, list[Start]] = {}
        for task in tasks_of(file, read_game(path), Budget(), 0):
            wanted = {each["action"]: at for at, each in enumerate(of_game) if each["round"] == task.round}
            starts |= dict(_both_lines(task, of_game, wanted)) if wanted else {}
        # The critic is not good enough before the exchange.
        for to_the_end in (False, True):
            places = [at for at in starts if (of_game[at]["kind"] == "grand") == to_the_end]
            pairs = [start for at in places for start in starts[at]]
            points = play_on(pairs, policy(by), None if to_the_end else cut).points.reshape(-1, 2)
            for at, (played, other) in zip(places, points.tolist(), strict=True):
                lost = other - played if of_game[at]["seat"] % 2 == 0 else played - other
                yield {**of_game[at], "lost": lost, "sampled": of_game[at]["lost"]}


def _both_lines(
    task: RoundTask, decisions: Sequence[Mapping[str, Any]], wanted: Mapping[int, int]
) -> Iterator[tuple[int, list[Start]]]:
    """What was played and what it was compared with, in the round as it was; by the place of the decision."""
    states = list(replay(task.record._replace(score=None), task.rules))
    missing = set(wanted)
    for decision in decisions_of(task.record, task.rules, task.score):
        if decision.number in wanted:
            missing.remove(decision.number)
            known = decisions[wanted[decision.number]]
            seat, played = parse_action(known["played"])
            if (seat, played) != (decision.view.seat, decision.played):
                break
            pair = played, parse_action(challenger_of(known))[1]
            yield wanted[decision.number], starts_from(decision, [states[decision.number]], pair)
    else:
        if not missing:
            return
    raise click.ClickException(f"{task.file}, round {task.round}: not the game that was analysed")


@click.command()
@click.argument("file", type=click.Path(exists=True, dir_okay=False, path_type=Path))
@click.option(
    "--real",
    metavar="FOLDER",
    type=click.Path(exists=True, file_okay=False, path_type=Path),
    help="The games of FILE: play on with the hands as they really were, too.",
)
@click.option(
    "--cut", type=click.IntRange(0), default=24, help="Then after how many decisions the critic judges; 0: never."
)
@click.option("--policy", "by", type=click.Choice(tuple(POLICIES)), default="learned", help="And who plays on.")
def main(file: Path, real: Path | None, cut: int, by: str) -> None:
    """Tell what people lose."""
    lines = map(json.loads, file.read_text(encoding="utf-8").splitlines())
    decisions = [line for line in lines if "kind" in line]
    rounds = Counter(name for name, _ in {(one["file"], one["round"]) for one in decisions})
    if not rounds:
        raise click.ClickException(f"{file}: there are no decisions in it")
    compared = [decision for decision in decisions if decision["worlds"]]
    click.echo(f"{len(decisions):,} decisions in {sum(rounds.values())} rounds of {len(rounds)} games\n")
    if real is None:
        click.echo("| decisions | that differ | points each | a round for all four, 95 % |\n|---|---|---|---|")
    else:
        compared = list(real_losses(compared, real, cut or None, by))
        click.echo("| decisions | that differ | each, real hands | a round, 95 % | in sampled worlds | more there |")
        click.echo("|---|---|---|---|---|---|")
    groups: dict[str, list[dict[str, Any]]] = {}
    for decision in compared:
        for group in groups_of(decision):
            groups.setdefault(group, []).append(decision)
    for group in sorted(groups):
        loss = loss_of(groups[group], rounds)
        cells = [group, f"{loss.decisions:,}", f"{loss.each:+.1f}", _interval(loss)]
        if real is not None:
            cells += map(_interval, _beside(groups[group], rounds))
        click.echo(f"| {' | '.join(cells)} |")
    if real is not None:
        sampled = games_needed([{**each, "lost": each["sampled"]} for each in compared], rounds)
        plain = games_needed(list(scores_in(real, rounds)), rounds)
        click.echo(f"\nknown to {_KNOWN:.0f} points a round after {sampled} games, by the score after {plain}")


def _beside(decisions: Sequence[Mapping[str, Any]], rounds: Mapping[str, int]) -> tuple[Loss, Loss]:
    """What the same decisions lose in the sampled worlds, and what they lose more there than with the real hands."""
    sampled = [{**each, "lost": each["sampled"]} for each in decisions]
    more = [{**each, "lost": each["sampled"] - each["lost"]} for each in decisions]
    return loss_of(sampled, rounds), loss_of(more, rounds)


def _interval(loss: Loss) -> str:
    low, high = (loss.per_round + sign * _Z95 * loss.error for sign in (-1, 1))
    return f"{loss.per_round:+.1f} ({low:+.1f} to {high:+.1f})"


if __name__ == "__main__":
    main()
