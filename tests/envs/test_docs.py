"""The tables of docs/envs.md are made from the code: ``python -m tests.envs.test_docs`` writes them."""

from collections.abc import Iterator
from pathlib import Path

from tichu.envs import ACTION_COUNT, BLOCKS, FIELDS, OBSERVATION_SIZE, VERSION
from tichu.envs.critic import STATE_FIELDS, STATE_LENGTH

_PAGE = Path(__file__).resolve().parents[2] / "docs" / "envs.md"


def _fields() -> Iterator[str]:
    yield "| bytes | field | highest | meaning |"
    yield "|---|---|---|---|"
    for each in FIELDS:
        place = f"{each.first}-{each.first + each.size - 1}" if each.size > 1 else str(each.first)
        yield f"| {place} | `{each.name}` | {each.highest} | {each.meaning} |"


def _actions() -> Iterator[str]:
    yield "| numbers | count | action | order |"
    yield "|---|---|---|---|"
    for block in BLOCKS:
        place = f"{block.first}-{block.first + block.size - 1}" if block.size > 1 else str(block.first)
        yield f"| {place} | {block.size} | {block.name} | {block.meaning} |"


def _state() -> Iterator[str]:
    yield "| bytes | field | meaning |"
    yield "|---|---|---|"
    first = 0
    for name, size, meaning in STATE_FIELDS:
        yield f"| {first}-{first + size - 1} | `{name}` | {meaning} |"
        first += size


_TABLES = {"fields": _fields, "actions": _actions, "state": _state}


def _with_tables(text: str) -> str:
    for name, lines in _TABLES.items():
        start, end = f"<!-- {name} -->\n", f"<!-- end of {name} -->"
        before, rest = text.split(start)
        _, after = rest.split(end)
        text = before + start + "\n".join(["", *lines(), ""]) + "\n" + end + after
    return text


def test_the_page_has_the_tables_of_the_code() -> None:
    text = _PAGE.read_text()
    assert text == _with_tables(text)
    assert f"{ACTION_COUNT:,} actions" in text
    assert f"{OBSERVATION_SIZE} bytes" in text
    assert f"{STATE_LENGTH} bytes" in text
    assert f"| {VERSION} |" in text


if __name__ == "__main__":
    _PAGE.write_text(_with_tables(_PAGE.read_text()))
