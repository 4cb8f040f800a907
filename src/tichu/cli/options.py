"""Parameters that several commands share."""

import math
from typing import Any

import click

from tichu.core.rules import Rules

__all__ = ["RULES", "FiniteRange", "rules_option"]


class _RulesType(click.ParamType[Rules]):
    name = "rules"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Rules:
        # An error is not a wrong usage of the command but a wrong text, like all others: exit status 1.
        return value if isinstance(value, Rules) else Rules.parse(value)


class FiniteRange(click.FloatRange):
    """A range that ends somewhere, also for ``inf``, and that ``nan`` is not in."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> float:
        """The number."""
        number = float(super().convert(value, param, ctx))
        if not math.isfinite(number):
            self.fail(f"{value} is no number to count with.", param, ctx)
        return number


RULES = _RulesType()
rules_option = click.option(
    "--rules", type=RULES, default="standard", show_default=True, help='A rule set, as "standard bombs=in-turn".'
)
