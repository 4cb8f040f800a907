"""The figures of the strategy page are those of ``docs/bots.md``, and its texts have no others."""

import json
import re
from pathlib import Path

ROOT = Path(__file__).parents[1]
CHAMPION = ROOT / "web" / "src" / "lib" / "champion.json"
TEXTS = ROOT / "web" / "src" / "messages" / "strategy"

#: Where docs/bots.md tells each figure.
PLACES = {
    ("tichuMade", "tichuMadePeople"): r"\n\| Tichu calls \| 0\.570 .*\n\| made \| ([\d.]+) % .* \| ([\d.]+) %",
    ("grandMade", "grandMadePeople"): r"Grand Tichu calls \| 0\.332 .*\n\| made \| ([\d.]+) % .* \| ([\d.]+) %",
    ("grandLevel", "grandBehind", "grandAhead"): (
        r"\| calls \| ([\d.]+) % \| [\d.]+ % \| [\d.]+ % \| [\d.]+ % \| ([\d.]+) % \| ([\d.]+) %"
    ),
    ("acePeople", "specialPeople", "ace", "special", "low", "lowPeople"): (
        r"People give an ace in ([\d.]+) % of exchanges, the Dragon or the Phoenix in ([\d.]+) %; it does\s+"
        r"in ([\d.]+) % and ([\d.]+) %, and in ([\d.]+) % \(people: ([\d.]+) %\)"
    ),
    ("beats", "beatsPeople", "over", "overPeople"): (
        r"plays where it can in ([\d.]+) % \(people ([\d.]+) %\), on its partner's in ([\d.]+) %\s+\(([\d.]+) %\)"
    ),
    ("breaks", "breaksPeople"): r"plays a part of one in ([\d.]+) % of [\d,]+ turns, people in ([\d.]+) %",
}


def test_every_figure_is_the_one_of_the_docs() -> None:
    docs = (ROOT / "docs" / "bots.md").read_text(encoding="utf-8")
    told: dict[str, float] = {}
    for names, place in PLACES.items():
        found = re.search(place, docs)
        assert found is not None, f"docs/bots.md no longer tells {', '.join(names)}"
        told |= dict(zip(names, map(float, found.groups()), strict=True))
    assert json.loads(CHAMPION.read_text(encoding="utf-8")) == told


def test_the_order_of_the_scores_is_the_one_that_the_page_names() -> None:
    docs = (ROOT / "docs" / "bots.md").read_text(encoding="utf-8")
    assert "| 0 : 0 | 900 : 900 | 0 : 600 | 600 : 0 | 0 : 900 | 900 : 0 |" in docs


def test_texts_fill_in_figures_and_state_none() -> None:
    names = set(json.loads(CHAMPION.read_text(encoding="utf-8")))
    for language in ("en", "de", "ko"):
        text = (TEXTS / f"{language}.ts").read_text(encoding="utf-8")
        assert set(re.findall(r"\{(\w+)\}", text)) == names, language
        assert not re.search(r"\d\s?%", text), language
