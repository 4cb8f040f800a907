"""What is typed on the command line: kinds of words, and what to say to a wrong one.

A command line that cannot be understood - a command, an option, a number, a rule set, a position or a bot that is not
one - ends with exit status 2 before anything is done.  What is wrong with the things that it names, as a file, is 1.
"""

import difflib
import math
import re
import shutil
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final

import click
from click.shell_completion import CompletionItem

from tichu.agents.registry import AGENTS, LEVELS, known_bots, make_agent
from tichu.core.errors import GameError, RulesError
from tichu.core.rules import FIELDS, PRESETS, Rules

__all__ = [
    "BOT",
    "PLAYER",
    "RULES",
    "TEAM",
    "TEAMS",
    "Choice",
    "FilePath",
    "FiniteRange",
    "complete_presets",
    "did_you_mean",
    "parse_rules",
    "typed",
]

#: Every bot that has a name of its own.
_BOT_NAMES: Final = (*AGENTS, *LEVELS)
_CLASS_OF_FILE: Final = re.compile(r"\.py:\w+$")


def did_you_mean(word: str, known: Iterable[str]) -> str:
    """The end of a sentence about a word that is not known.

    >>> did_you_mean("gredy", ["random", "greedy"])
    '; did you mean greedy?'
    >>> did_you_mean("x", ["random", "greedy"])
    ''
    """
    close = difflib.get_close_matches(word.lower(), list(known), n=2)
    return f"; did you mean {' or '.join(close)}?" if close else ""


@contextmanager
def typed(name: str) -> Iterator[None]:
    """Errors in here are about a word of the command line: the argument or option of this name."""
    try:
        yield
    except GameError as error:
        raise click.BadParameter(str(error), param_hint=f"'{name}'") from None


def parse_rules(text: str) -> Rules:
    """A rule set.

    :raises RulesError: there is none, and which was meant
    """
    try:
        return Rules.parse(text)
    except RulesError as error:
        raise RulesError(f"{error}{_closest(text)}") from None


class FilePath(click.Path):
    """A path; the empty word, as a variable that is not set gives it, is none, though Python takes it for a folder."""

    def __init__(self, **options: Any) -> None:
        super().__init__(path_type=Path, **options)

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """The path, or what is wrong with it."""
        if value == "":
            self.fail("the name of a file is empty", param, ctx)
        return super().convert(value, param, ctx)


class _RulesType(click.ParamType[Rules]):
    name = "rules"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Rules:
        if isinstance(value, Rules):
            return value
        with typed("--rules"):
            return parse_rules(str(value))

    def shell_complete(self, ctx: click.Context, param: click.Parameter, incomplete: str) -> list[CompletionItem]:
        return _complete(PRESETS, incomplete)


def _closest(text: str) -> str:
    """What may have been meant by the first wrong word of a rule set."""
    preset, *settings = text.split() or [""]
    if preset not in PRESETS:
        return did_you_mean(preset, PRESETS)
    for setting in settings:
        field, _, value = setting.partition("=")
        if field not in FIELDS:
            return did_you_mean(field, FIELDS)
        try:
            Rules.parse(f"{preset} {setting}")
        except RulesError:
            return did_you_mean(value, FIELDS[field])
    return ""


class _BotType(click.ParamType[str]):
    """The name of a bot; whether a file or a program is there is found out when it is wanted."""

    name = "bot"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> str:
        # An argument is called by what it is, not by how often it may stand there.
        name = param.opts[0] if isinstance(param, click.Option) else "BOT"
        with typed(name):
            for spec in self._specs(str(value)):
                if spec.endswith(".py") and not spec.startswith("process:"):
                    raise GameError(f"say which class of {spec!r} is the bot: {spec}:Class")
                if spec in _BOT_NAMES or spec.startswith("process:") or ".py" in spec:
                    continue
                called = spec.partition(":")[0]
                if called in _BOT_NAMES:
                    make_agent(spec)  # Whether it has these options.
                    continue
                names = known_bots()
                if called not in names:
                    known = ", ".join((*names, "path/file.py:Class", "process:CMD"))
                    raise GameError(f"no bot {spec!r}; there are {known}{did_you_mean(spec, names)}")
        return str(value)

    def _specs(self, text: str) -> list[str]:
        return [text]

    def shell_complete(self, ctx: click.Context, param: click.Parameter, incomplete: str) -> list[CompletionItem]:
        return _complete(known_bots(), incomplete)


class _TeamType(_BotType):
    """One bot or two, as ``heuristic+random``."""

    name = "team"

    def _specs(self, text: str) -> list[str]:
        from tichu.arena.teams import parse_team

        return list(parse_team(text).players)


class _TeamsType(_TeamType):
    """One team or two, as ``heuristic+random,greedy``."""

    name = "teams"

    def _specs(self, text: str) -> list[str]:
        teams = text.split(",")
        if len(teams) > 2:
            raise GameError(f"one team or two, not {len(teams)}")
        return [spec for team in teams for spec in super(_TeamsType, self)._specs(team.strip())]


class _PlayerType(_BotType):
    """A bot, or the command that starts a program."""

    name = "command"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> str:
        """The bot, with ``process:`` before a command."""
        text = str(value)
        if text.startswith("process:") or _CLASS_OF_FILE.search(text) or text.partition(":")[0] in known_bots():
            return text
        with typed("COMMAND"):
            if " " not in text and shutil.which(text) is None:
                if text.endswith(".py"):
                    raise GameError(f"say which class of {text!r} is the bot: {text}:Class")
                if hint := did_you_mean(text, known_bots()):
                    raise GameError(f"no bot and no program {text!r}{hint}")
        return f"process:{text}"


class Choice(click.Choice[str]):
    """One of a few words."""

    def get_invalid_choice_message(self, value: Any, ctx: click.Context | None) -> str:
        """Which there are, and which was meant."""
        hint = did_you_mean(str(value), map(str, self.choices))
        return super().get_invalid_choice_message(value, ctx).removesuffix(".") + (hint or ".")


class FiniteRange(click.FloatRange):
    """A range that ends somewhere, also for ``inf``, and that ``nan`` is not in."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> float:
        """The number."""
        number = float(super().convert(value, param, ctx))
        if not math.isfinite(number):
            self.fail(f"{value} is not a finite number.", param, ctx)
        return number


def complete_presets(ctx: click.Context, param: click.Parameter, incomplete: str) -> list[CompletionItem]:
    """The presets that begin so."""
    return _complete(PRESETS, incomplete)


def _complete(words: Iterable[str], incomplete: str) -> list[CompletionItem]:
    return [CompletionItem(word) for word in words if word.startswith(incomplete)]


RULES: Final = _RulesType()
BOT: Final = _BotType()
TEAM: Final = _TeamType()
TEAMS: Final = _TeamsType()
PLAYER: Final = _PlayerType()
