"""``docs/training.md`` lists the files of ``training/``."""

import re
from pathlib import Path

ROOT = Path(__file__).parents[2]


def test_the_documentation_lists_every_file_and_no_other() -> None:
    text = (ROOT / "docs" / "training.md").read_text()
    listing = text.split("```")[1]
    listed = re.findall(r"^training/(\S+)", listing, re.MULTILINE)
    assert len(listed) == len(set(listed))
    assert {*listed} == {path.name for path in (ROOT / "training").iterdir() if path.is_file()}


def test_every_file_and_command_named_exists() -> None:
    text = (ROOT / "docs" / "training.md").read_text()
    for name in {*re.findall(r"`training\.([a-z_]+)", text), *re.findall(r"-m training\.([a-z_]+)", text)}:
        assert (ROOT / "training" / f"{name}.py").exists(), name
    for name in re.findall(r"\]\(([\w.]+)\)", text):
        assert (ROOT / "docs" / name).exists(), name
