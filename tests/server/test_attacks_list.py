"""The list of attacks in ``bench/attacks/README.md`` names things that are there."""

import re
from pathlib import Path

from bench.siege.attackers import ATTACKS

ROOT = Path(__file__).parents[2]
TEXT = (ROOT / "bench" / "attacks" / "README.md").read_text(encoding="utf-8")
#: What befalls the server in a siege besides attackers.
EVENTS = {"kills", "steps of the date", "held stores"}


def test_every_test_that_is_named_exists() -> None:
    named = set(re.findall(r"`((?:tests/deploy/)?test_\w+\.py)`", TEXT))
    assert len(named) > 15
    missing = [name for name in named if not (ROOT / name).is_file() and not (ROOT / "tests/server" / name).is_file()]
    assert missing == []


def test_every_script_that_is_named_exists() -> None:
    modules = set(re.findall(r"bench\.\w+(?:\.\w+)?", TEXT))
    assert {"bench.siege", "bench.fuzz", "bench.attacks.stores", "bench.attacks.freeze"} <= modules
    for module in modules:
        path = ROOT / module.replace(".", "/")
        assert path.with_suffix(".py").is_file() or (path / "__main__.py").is_file(), module


def test_every_attack_of_the_siege_that_is_named_exists() -> None:
    named = set(re.findall(r'"([a-z -]+)"(?: and "[a-z -]+")? of `bench\.siege`', TEXT))
    named |= set(re.findall(r'and "([a-z -]+)" of `bench\.siege`', TEXT))
    assert named <= set(ATTACKS) | EVENTS
    assert {"slow readers", "table maker", "half-open", "hint storm", "code guesser"} <= named
