"""No text at the terminal speaks of something that the rule set does not have."""

import re

import pytest

from tests.properties.rounds import ODD
from tests.terminal.test_session import NAMES, Chair, seated
from tichu import PRESETS, Rules
from tichu.core.rules import FIELDS
from tichu.terminal.help import help_text, rules_summary, welcome

#: What must not be read where a field has the value.
ABSENT = {
    ("grand", "no"): r"grand",
    ("exchange", "no"): r"card for|one card to|gives a card|exchange|gives you",
    ("calls", "auto"): r"grand|t calls|\bt  |may call|called before|(?-i:[Cc]all Tichu)",
    ("tichu_from", "deal"): r"first lead",
    ("wish", "off"): r"wish",
    ("wish", "may"): r"must wish",
    ("wish", "must"): r"may wish|for none",
    ("bombs", "in-turn"): r"bomb\?|you can bomb|out of turn|asked after|were asked|rest of",
    ("bombs", "ordered"): r"on your own turn|bombs are in the list|everything, at any time",
    ("stairs", "pairs"): r"triples or",
    ("dragon", "auto"): r"to whom|your choice|must be given",
    ("dragon", "choice"): r"with more cards",
    ("equal_flush", "holds"): r"by suit",
    ("phoenix_grants_wish", "no"): r"phoenix can stand",
}  # fmt: skip

PRESENT = {
    ("grand", "yes"): r"grand tichu",
    ("exchange", "yes"): r"gives a card to each",
    ("calls", "choice"): r"\n  t  +call tichu",
    ("calls", "auto"): r"the table calls",
    ("tichu_from", "play"): r"from the first lead",
    ("wish", "may"): r"you may wish",
    ("wish", "must"): r"you must wish",
    ("bombs", "in-turn"): r"on your own turn",
    ("bombs", "ordered"): r"you are asked\n",
    ("stairs", "stacked"): r"triples or of fours",
    ("dragon", "choice"): r"your choice",
    ("dragon", "auto"): r"with more cards",
    ("equal_flush", "suit"): r"by suit",
    ("phoenix_grants_wish", "yes"): r"phoenix can stand",
}

SINGLE_FIELDS = [f"standard {field}={value}" for field, values in FIELDS.items() if field != "goal" for value in values]
RULE_SETS = sorted({str(Rules.parse(text).sequential()) for text in [*PRESETS, ODD, *SINGLE_FIELDS]})


def wrong(rules: Rules, text: str) -> list[str]:
    """What the text says of things that these rules do not have."""
    found = []
    for (field, value), pattern in ABSENT.items():
        if getattr(rules, field) == value:
            found += [f"{field}={value}: {match[0]}" for match in re.finditer(pattern, text, re.IGNORECASE)]
    return found


@pytest.mark.parametrize("name", RULE_SETS)
def test_help_fits_the_rules(name: str) -> None:
    rules = Rules.parse(name)
    text = "\n".join([help_text(rules), rules_summary(rules).partition("\n")[2], *welcome(NAMES, rules)])
    assert wrong(rules, text) == []
    assert all(len(line) <= 80 for line in text.splitlines())
    assert max(help_text(rules).count("\n"), rules_summary(rules).count("\n")) < 22


@pytest.mark.parametrize("name", RULE_SETS)
def test_help_tells_what_the_rules_have(name: str) -> None:
    rules = Rules.parse(name)
    text = "\n".join([help_text(rules), rules_summary(rules), ""])
    for (field, value), pattern in PRESENT.items():
        has_calls = rules.calls == "choice" or field not in ("grand", "tichu_from")
        has_wish = rules.wish != "off" or field != "phoenix_grants_wish"
        if getattr(rules, field) == value and has_calls and has_wish:
            assert re.search(pattern, text, re.IGNORECASE), f"{field}={value}"


@pytest.mark.parametrize("name", RULE_SETS)
def test_prompts_fit_the_rules(name: str) -> None:
    for seed in (1, 2):
        chair = Chair()
        session = seated(chair, f"{name} goal=rounds:1", seed)
        session.play()
        said = "\n".join(line for line in chair.said if not line.startswith("  Rules: "))
        assert wrong(session.game.match.rules, said) == []
