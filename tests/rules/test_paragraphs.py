"""Every numbered paragraph of the rules has a test of its name."""

import re
from pathlib import Path

PARAGRAPHS = """
1.1 1.2 1.3 1.4
2.1 2.2 2.3 2.4 2.5
3.1 3.2 3.3 3.4 3.5 3.6
4.1 4.2 4.3 4.4 4.5 4.6
5.1 5.2 5.3
6.1 6.2 6.3 6.4 6.5 6.6
7.1 7.2 7.3
8.1 8.2 8.3 8.4 8.5
9.1 9.2
10.1 10.2 10.3 10.4
"""


def test_every_paragraph_has_a_test_named_after_it() -> None:
    named = set()
    for module in Path(__file__).parent.glob("test_s*.py"):
        names = re.findall(r"^def test_s(\d+)_(\d+)_[a-z]", module.read_text(), re.MULTILINE)
        named |= {f"{section}.{paragraph}" for section, paragraph in names}
    assert named == set(PARAGRAPHS.split())


def test_these_are_the_paragraphs_of_the_rules() -> None:
    rules = Path(__file__).parents[2] / "docs" / "rules.md"
    found = re.findall(r"^\*\*§(\d+\.\d+)", rules.read_text(encoding="utf-8"), re.MULTILINE)
    assert found == PARAGRAPHS.split()
