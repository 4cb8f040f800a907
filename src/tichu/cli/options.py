"""Parameters that several commands share."""

from typing import Any

import click

from tichu.rules import Rules

__all__ = ["RULES", "rules_option"]


class _RulesType(click.ParamType[Rules]):
    name = "rules"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Rules:
        # An error is not a wrong usage of the command but a wrong text, like all others: exit status 1.
        return value if isinstance(value, Rules) else Rules.parse(value)


RULES = _RulesType()
rules_option = click.option(
    "--rules", type=RULES, default="standard", show_default=True, help='A rule set, as "standard bombs=in-turn".'
)
