"""``tichu play --terminal``: a game at a prompt."""

import io
import os
import random
import sys
import time
from collections.abc import Callable, Iterator
from datetime import date
from pathlib import Path

import click

from tichu.agents.registry import make_agent
from tichu.core.deals import Deal, shuffled_deal
from tichu.core.record import Record, format_record
from tichu.core.rules import Rules
from tichu.terminal.session import Session
from tichu.terminal.words import Look

__all__ = ["look_of_output", "play_in_terminal", "reader_of_answers", "write_line"]

_BOT_NAMES = ("Ben", "Cho", "Dov", "Eve")
_NAME_WIDTH = 10


def play_in_terminal(rules: Rules, bots: str, seed: int | None, record: Path | None, name: str, pause: float) -> None:
    """Play in the terminal, with a bot as partner against two bots.

    Bombs out of turn are played in order (bombs=ordered): you are asked whenever you can throw one.
    """
    rules = rules.sequential()  # Nobody has to be quick at a prompt.
    if seed is None:
        seed = random.SystemRandom().randrange(1_000_000)
    if record is not None and record.exists():
        raise click.ClickException(f"{record}: is there already; a record goes to a new file")
    agents = [make_agent(bots, 4 * seed + seat) for seat in (1, 2, 3)]
    if not sys.stdout.isatty():
        pause = 0
    session = Session(
        read=reader_of_answers(),
        write=write_line,
        bots=agents,
        rules=rules,
        names=_names(name),
        deals=_deals(random.Random(seed)),
        look=look_of_output(),
        pause=lambda: time.sleep(pause),
        save=_saver(record),
        tags=(("Date", (date.today().isoformat(),)), ("Bots", (agents[0].name,)), ("Seed", (str(seed),))),
    )
    try:
        session.play()
    except KeyboardInterrupt:
        _tell_record(record)
        raise
    _tell_record(record)


def _tell_record(record: Path | None) -> None:
    if record is not None:
        click.echo(f"The game is in {record}.")


def _deals(rng: random.Random) -> Iterator[Deal]:
    while True:
        yield shuffled_deal(rng)


def _names(name: str) -> tuple[str, ...]:
    shown = "".join(letter for letter in name if letter.isprintable()).strip()[:_NAME_WIDTH] or "You"
    others = [other for other in _BOT_NAMES if other.lower() != shown.lower()]
    return shown, *others[:3]


def look_of_output() -> Look:
    """What the output can show: colours on a terminal unless NO_COLOR is set, signs if its encoding has them."""
    colour = sys.stdout.isatty() and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"
    try:
        "♠♦♣♥╭─┬│…→·".encode(sys.stdout.encoding)
    except UnicodeEncodeError:
        return Look(colour, signs=False)
    return Look(colour)


def write_line(line: str) -> None:
    """A name may hold what the terminal cannot show."""
    encoding = sys.stdout.encoding
    click.echo(line.encode(encoding, errors="replace").decode(encoding))


def reader_of_answers() -> Callable[[str], str]:
    """Ask with a prompt; EOFError at the end of the input."""
    if isinstance(sys.stdin, io.TextIOWrapper):
        sys.stdin.reconfigure(errors="replace")
    if sys.stdin.isatty():
        return input

    def read_and_echo(prompt: str) -> str:
        """Piped answers are shown, so that the output reads like a game."""
        answer = input(prompt)
        click.echo(answer)
        return answer

    return read_and_echo


def _saver(path: Path | None) -> Callable[[Record], None]:
    def save(record: Record) -> None:
        if path is None:
            return
        # Written beside and moved, so that an interrupted run leaves the old file whole.
        draft = path.with_name(path.name + ".part")
        draft.write_text(format_record(record), encoding="utf-8")
        draft.replace(path)

    return save
