import re
from pathlib import Path
from typing import Final

from tichu.ratings import ANCHORS, Pool, anchors_of
from tichu.ratings.anchors import MEASURED, Measurement

_PAGE: Final = Path(__file__).parents[2] / "docs" / "bots.md"


def test_the_bots_stand_where_the_page_says() -> None:
    text = _PAGE.read_text(encoding="utf-8")
    ladder = re.findall(r"^\| `(\w+)` \| `(\w+)` \| \+([\d.]+) \| ([\d.]+) to ([\d.]+) \|$", text, re.M)
    levels = re.findall(r"^\| `(\w+)` \| [\d.]+ \| ([\d.]+) \| ([\d.]+) to ([\d.]+) \|$", text, re.M)
    small = re.search(
        r"It costs ([\d.]+) points a round \(95 %: ([\d.]+) to ([\d.]+)\):\s+`tichu arena small learned", text
    )
    assert small is not None
    found = {Measurement("small", "learned", *map(float, small.groups()))}
    found |= {Measurement(weak, strong, *map(float, rest)) for strong, weak, *rest in ladder}
    above = {"easy": "medium", "medium": "hard", "hard": "best"}
    found |= {Measurement(weak, above[weak], *map(float, rest)) for weak, *rest in levels}
    assert set(MEASURED) <= found


def test_a_duel_of_two_and_two_gives_the_points_that_were_measured() -> None:
    for one in MEASURED:
        stronger, weaker = (ANCHORS[f"bot:{name}"].rating.mu for name in (one.stronger, one.weaker))
        assert abs(2 * (stronger - weaker) - one.points) < 1e-9
    assert ANCHORS["bot:medium"].rating.shown == 1500


def test_bots_hold_the_scale_only_where_they_were_measured() -> None:
    assert anchors_of(Pool("people", "standard", "fast")) == ANCHORS
    assert anchors_of(Pool("people", "standard goal=target:500", "fast")) == {}
