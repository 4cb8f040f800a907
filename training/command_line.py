"""What the commands share: output, types of options, and how they end when they cannot go on."""

import argparse
import functools
import sys
from typing import Protocol

from tichu.core.errors import GameError

__all__ = [
    "Main",
    "TrainingError",
    "coefficient",
    "entry_point",
    "fraction",
    "game_count",
    "positive_float",
    "positive_int",
    "print_line",
]


class TrainingError(Exception):
    """Something the user can put right; the text names the file or the option."""


class Main(Protocol):
    """The function behind a command: it takes the arguments, by default those of the command line."""

    def __call__(self, arguments: list[str] | None = None) -> None:
        """Run the command."""


def entry_point(main: Main) -> Main:
    """Make expected errors end the command with one line; every other exception is a bug and keeps its traceback."""

    @functools.wraps(main)
    def run(arguments: list[str] | None = None) -> None:
        try:
            main(arguments)
        except OSError as error:
            sys.exit(f"{error.filename}: {error.strerror}" if error.filename else str(error))
        except (TrainingError, GameError) as error:
            sys.exit(str(error))

    return run


def print_line(text: str) -> None:
    """Print a line at once, whatever buffers standard output."""
    sys.stdout.write(text + "\n")
    sys.stdout.flush()


def game_count(text: str) -> int:
    """A number of games or deals; the simulator plays them in groups of 64."""
    number = int(text)
    if number < 64 or number % 64:
        raise argparse.ArgumentTypeError(f"{text} is not a multiple of 64")
    return number


def positive_int(text: str) -> int:
    """An integer of at least 1."""
    number = int(text)
    if number < 1:
        raise argparse.ArgumentTypeError(f"{text} is less than 1")
    return number


def positive_float(text: str) -> float:
    """A number above 0."""
    number = float(text)
    if not number > 0:
        raise argparse.ArgumentTypeError(f"{text} is not above 0")
    return number


def coefficient(text: str) -> float:
    """A number of at least 0."""
    number = float(text)
    if not number >= 0:
        raise argparse.ArgumentTypeError(f"{text} is less than 0")
    return number


def fraction(text: str) -> float:
    """A number from 0 to 1."""
    number = float(text)
    if not 0 <= number <= 1:
        raise argparse.ArgumentTypeError(f"{text} is not between 0 and 1")
    return number
