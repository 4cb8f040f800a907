"""The rule sets of the games of a run: mostly ``standard``, then the other presets and random ones.

Play is always counterclockwise, for which clockwise play is a mirror image, so that ``brettspielwelt`` is ``standard``.
"""

from random import Random
from typing import Final

from tichu.core.rules import FIELDS, PRESETS, STANDARD, Rules
from training.command_line import TrainingError

__all__ = ["MIXED", "parse_rule_sets", "sample_rule_sets"]

#: What stands for a mixture in place of a rule set.
MIXED: Final = "mixed"

_RANDOM: Final = "random"
_SHARES: Final = {
    "standard": 0.5,
    "classic": 0.0625,
    "courtesy": 0.125,
    "single-round": 0.125,
    "simple": 0.0625,
    _RANDOM: 0.125,
}
_FIXED: Final = ("direction", "goal")


def _random_rules(rng: Random) -> Rules:
    fields = {name: rng.choice(values) for name, values in FIELDS.items() if name not in _FIXED}
    return Rules(**fields).sequential()  # type: ignore[arg-type]


def sample_rule_sets(games: int, seed: int) -> list[Rules]:
    """A rule set for each game."""
    rng = Random(seed)
    names = rng.choices([*_SHARES], [*_SHARES.values()], k=games)
    return [_random_rules(rng) if name == _RANDOM else PRESETS[name] for name in names]


def parse_rule_sets(text: str, games: int, seed: int = 1) -> list[Rules]:
    """The rule sets of some games: a mixture, or one that is written out."""
    if text == MIXED:
        return sample_rule_sets(games, seed)
    rules = Rules.parse(text)
    if rules.direction != STANDARD.direction:
        raise TrainingError(f"{text}: policies play counterclockwise, and clockwise in a mirror")
    return [rules] * games
