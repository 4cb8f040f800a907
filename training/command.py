"""What the commands share: how they speak, what numbers they take, and how they end when they cannot go on."""

import argparse
import functools
import sys
from typing import Protocol

from tichu.errors import GameError

__all__ = ["Main", "Refused", "command", "games", "positive", "say", "seconds", "share"]


class Refused(Exception):
    """What whoever gave the command can put right; the text names the place."""


class Main(Protocol):
    """What a command does with its words, those of the command line if none are given."""

    def __call__(self, words: list[str] | None = None) -> None:
        """Do it."""


def command(main: Main) -> Main:
    """A command that ends with a sentence where it was asked for what cannot be done; everything else is a fault."""

    @functools.wraps(main)
    def spoken(words: list[str] | None = None) -> None:
        try:
            main(words)
        except OSError as error:
            sys.exit(f"{error.filename}: {error.strerror}" if error.filename else str(error))
        except (Refused, GameError) as error:
            sys.exit(str(error))

    return spoken


def say(text: str) -> None:
    """A line for people, at once."""
    sys.stdout.write(text + "\n")
    sys.stdout.flush()


def games(text: str) -> int:
    """A number of games or deals: the simulator plays 64 side by side."""
    number = int(text)
    if number < 64 or number % 64:
        raise argparse.ArgumentTypeError(f"{text} is not 64 or a multiple of it")
    return number


def positive(text: str) -> int:
    """One or more."""
    number = int(text)
    if number < 1:
        raise argparse.ArgumentTypeError(f"{text} is less than 1")
    return number


def seconds(text: str) -> float:
    """A time that is not over at once."""
    number = float(text)
    if not number > 0:
        raise argparse.ArgumentTypeError(f"{text} is not above 0")
    return number


def share(text: str) -> float:
    """A part of a whole."""
    number = float(text)
    if not 0 <= number <= 1:
        raise argparse.ArgumentTypeError(f"{text} is not between 0 and 1")
    return number
