"""What people lose, by what they decided: ``python -m bench.people_study FILE``.

FILE is what ``tichu analyse tests/games --worlds 48 --error 100 --json`` has printed.  Told are, by kind of decision
and by what was done, how many differ from the bot's, what one of them loses, and points lost a round by all four;
intervals count a game as one observation.  Decisions are grouped by what was *played* alone: grouped by what was found
to be best they would look worse than they are.
"""

import json
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from math import sqrt
from pathlib import Path
from typing import Any, Final, NamedTuple

import click

__all__ = ["Loss", "groups_of", "loss_of"]

_Z95: Final = 1.96


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
    ('all', 'grand', 'grand: called')
    >>> groups_of({"kind": "wish", "played": "1?A"})
    ('all', 'wish')
    """
    kind, played = decision["kind"], decision["played"][1:]
    match kind:
        case "grand" | "tichu":
            return ("all", kind, f"{kind}: {'called' if played.startswith('+') else 'not called'}")
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


@click.command()
@click.argument("file", type=click.Path(exists=True, dir_okay=False, path_type=Path))
def main(file: Path) -> None:
    """Tell what people lose."""
    lines = map(json.loads, file.read_text(encoding="utf-8").splitlines())
    decisions = [line for line in lines if "kind" in line]
    rounds = Counter(name for name, _ in {(one["file"], one["round"]) for one in decisions})
    if not rounds:
        raise click.ClickException(f"{file}: there are no decisions in it")
    groups: dict[str, list[dict[str, Any]]] = {}
    for decision in decisions:
        if decision["worlds"]:
            for group in groups_of(decision):
                groups.setdefault(group, []).append(decision)
    click.echo(f"{len(decisions):,} decisions in {sum(rounds.values())} rounds of {len(rounds)} games\n")
    click.echo("| decisions | that differ | points each | a round for all four, 95 % |\n|---|---|---|---|")
    for group in sorted(groups):
        loss = loss_of(groups[group], rounds)
        low, high = (loss.per_round + sign * _Z95 * loss.error for sign in (-1, 1))
        click.echo(
            f"| {group} | {loss.decisions:,} | {loss.each:+.1f} | {loss.per_round:+.1f} ({low:+.1f} to {high:+.1f}) |"
        )


if __name__ == "__main__":
    main()
