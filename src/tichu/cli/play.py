"""``tichu play``: a game in the terminal."""

import io
import os
import random
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from datetime import date
from pathlib import Path

import click

from tichu.agents.registry import make_agent
from tichu.cli.options import rules_option
from tichu.deals import Deal, shuffled_deal
from tichu.record import Record, format_record
from tichu.rules import Goal, Rules
from tichu.tui.session import Session
from tichu.tui.words import Look

__all__ = ["play"]

_PAUSES = {"slow": 1.5, "normal": 0.7, "fast": 0.2, "instant": 0.0}
_BOT_NAMES = ("Ben", "Cho", "Dov", "Eve")
_NAME_WIDTH = 10


@click.command()
@rules_option
@click.option("--bots", metavar="SPEC", default="heuristic", show_default=True, help="Who plays the other seats.")
@click.option(
    "--target", metavar="N", type=click.IntRange(1, 999_999), help="Play to N points: short for goal=target:N."
)
@click.option("--seed", type=int, help="Deal the same cards again.")
@click.option("--record", type=click.Path(path_type=Path, dir_okay=False), help="Keep the game in a new .ttn file.")
@click.option("--name", default="You", help="Your name at the table.")
@click.option(
    "--speed", type=click.Choice(list(_PAUSES)), default="normal", show_default=True, help="How fast the bots play."
)
def play(
    rules: Rules,
    bots: str,
    target: int | None,
    seed: int | None,
    record: Path | None,
    name: str,
    speed: str,
) -> None:
    """Play in the terminal, with a bot as partner against two bots.

    Bombs out of turn are played in order (bombs=ordered): you are asked whenever you can throw one.
    """
    if target is not None:
        rules = replace(rules, goal=Goal("target", target))
    rules = rules.sequential()  # Nobody has to be quick at a prompt.
    if seed is None:
        seed = random.SystemRandom().randrange(1_000_000)
    if record is not None and record.exists():
        raise click.ClickException(f"{record}: is there already; a record goes to a new file")
    agents = [make_agent(bots, 4 * seed + seat) for seat in (1, 2, 3)]
    pause = _PAUSES[speed] if sys.stdout.isatty() else 0
    Session(
        read=_reader(),
        write=_write,
        bots=agents,
        rules=rules,
        names=_names(name),
        deals=_deals(random.Random(seed)),
        look=_look(),
        pause=lambda: time.sleep(pause),
        save=_saver(record),
        tags=(("Date", (date.today().isoformat(),)), ("Bots", (agents[0].name,)), ("Seed", (str(seed),))),
    ).play()
    if record is not None:
        click.echo(f"The game is in {record}.")


def _deals(rng: random.Random) -> Iterator[Deal]:
    while True:
        yield shuffled_deal(rng)


def _names(name: str) -> tuple[str, ...]:
    shown = "".join(letter for letter in name if letter.isprintable()).strip()[:_NAME_WIDTH] or "You"
    others = [other for other in _BOT_NAMES if other.lower() != shown.lower()]
    return shown, *others[:3]


def _look() -> Look:
    """What the output can show: colours on a terminal unless NO_COLOR is set, signs if its encoding has them."""
    colour = sys.stdout.isatty() and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"
    try:
        "♠♦♣♥╭─┬│…→·".encode(sys.stdout.encoding)
    except UnicodeEncodeError:
        return Look(colour, signs=False)
    return Look(colour)


def _write(line: str) -> None:
    """A name may hold what the terminal cannot show."""
    encoding = sys.stdout.encoding
    click.echo(line.encode(encoding, errors="replace").decode(encoding))


def _reader() -> Callable[[str], str]:
    if isinstance(sys.stdin, io.TextIOWrapper):
        sys.stdin.reconfigure(errors="replace")
    if sys.stdin.isatty():
        return input

    def echoing(prompt: str) -> str:
        """Piped answers are shown, so that the output reads like a game."""
        answer = input(prompt)
        click.echo(answer)
        return answer

    return echoing


def _saver(path: Path | None) -> Callable[[Record], None]:
    def save(record: Record) -> None:
        if path is None:
            return
        # Written beside and moved, so that an interrupted run leaves the old file whole.
        draft = path.with_name(path.name + ".part")
        draft.write_text(format_record(record), encoding="utf-8")
        draft.replace(path)

    return save
