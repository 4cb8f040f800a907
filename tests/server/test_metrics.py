"""What the documentation says about metrics is true."""

import re
from pathlib import Path

from prometheus_client.parser import text_string_to_metric_families

from tichu.server.metrics import Metrics

DOCS = Path(__file__).parents[2] / "docs" / "server.md"


def shown() -> dict[str, set[str]]:
    """Every family of metrics with the names of its samples, as a server shows them."""
    metrics = Metrics()
    metrics.commands.labels("ack")
    metrics.requests.labels("200")
    metrics.guarded.labels("rate")
    metrics.failures.labels("store")
    metrics.bot_faults.labels("late")
    families = text_string_to_metric_families(metrics.text().decode())
    return {family.name: {sample.name for sample in family.samples} for family in families}


def test_every_metric_in_the_documentation_exists_and_every_metric_is_there() -> None:
    families = shown()
    names = {name for samples in families.values() for name in samples} | families.keys()
    named = set(re.findall(r"\btichu_[a-z_]+", DOCS.read_text(encoding="utf-8")))
    assert named - names == set()
    own = {family for family in families if family.startswith("tichu_") and not family.endswith("_created")}
    assert {family for family in own if not any(name.startswith(family) for name in named)} == set()


def test_alarms_name_labels_that_exist() -> None:
    text = DOCS.read_text(encoding="utf-8")
    alarms = re.findall(r"^\| `([^`]*(?:>|<)[^`]*)` \|", text, re.MULTILINE)
    assert len(alarms) >= 8
    for needed in ("loop_lag", "inbox", "store_seconds", "bot_faults", "parked"):
        assert any(needed in alarm for alarm in alarms)
    source = "".join(path.read_text(encoding="utf-8") for path in (DOCS.parents[1] / "src/tichu/server").rglob("*.py"))
    for alarm in alarms:
        for value in re.findall(r'where=~?"([^"]+)"', alarm):
            for one in value.replace("\\", "").split("|"):
                assert f'failures.labels("{one}")' in source
