"""What each field of the wire means: the ``#:`` comments above the fields, for whoever describes the wire elsewhere.

The comments are read from the sources, a module at a time: asked for a class alone, ``inspect`` parses all of its file.
"""

import inspect
import re
import sys
from collections.abc import Iterable
from functools import cache
from typing import Any, Final

import msgspec
from msgspec import Struct

from tichu.server.wire import (
    accounts,
    commands,
    events,
    home,
    messages,
    operator,
    parts,
    people,
    practice,
    ratings,
    reports,
    requests,
    reviews,
    settings,
)

__all__ = ["described_components", "field_comments"]

_MODULES: Final = (
    *(
        accounts,
        commands,
        events,
        home,
        messages,
        operator,
        parts,
        people,
        practice,
        ratings,
        reports,
        requests,
        reviews,
    ),
    settings,
)
_CLASS: Final = re.compile(r"class (\w+)\(")
_COMMENT: Final = re.compile(r"    #: (.+)")
_FIELD: Final = re.compile(r"    ([a-z_]+): ")


def described_components(kinds: Iterable[Any], ref_template: str) -> tuple[tuple[Any, ...], dict[str, Any]]:
    """The JSON schemas of some types, and of all structs in them by name, with a description of every field."""
    schemas, components = msgspec.json.schema_components(kinds, ref_template=ref_template)
    structs = _structs_by_name()
    for name, schema in components.items():
        if "description" in schema:
            schema["description"] = _markdown(schema["description"])
        if name in structs and "properties" in schema:
            for field, words in _descriptions(structs[name]).items():
                schema["properties"][field]["description"] = words
    return schemas, components


def field_comments(struct: type[Struct]) -> dict[str, str]:
    """The comments above the fields, those of base classes included; nothing where there are no sources."""
    found: dict[str, str] = {}
    for cls in reversed(struct.__mro__):
        if issubclass(cls, Struct) and cls is not Struct:
            found |= _comments_in(cls.__module__).get(cls.__name__, {})
    return found


def _structs_by_name() -> dict[str, type[Struct]]:
    values = [value for module in _MODULES for value in vars(module).values()]
    return {value.__name__: value for value in values if isinstance(value, type) and issubclass(value, Struct)}


def _descriptions(struct: type[Struct]) -> dict[str, str]:
    """By the names that fields have in JSON."""
    comments = field_comments(struct)
    names = {field.name: field.encode_name for field in msgspec.structs.fields(struct)}
    found = {names[name]: _markdown(words) for name, words in comments.items() if name in names}
    config = struct.__struct_config__
    if config.tag is not None and config.tag_field is not None:
        found[config.tag_field] = f"Says what this is: always `{config.tag}`."
    return found


def _markdown(text: str) -> str:
    return text.replace("``", "`")


@cache
def _comments_in(module: str) -> dict[str, dict[str, str]]:
    """By class and field."""
    try:
        lines = inspect.getsource(sys.modules[module]).splitlines()
    except (OSError, TypeError):
        return {}
    found: dict[str, dict[str, str]] = {}
    fields: dict[str, str] = {}
    waiting: list[str] = []
    for line in lines:
        if match := _COMMENT.match(line):
            waiting.append(match[1])
            continue
        if match := _CLASS.match(line):
            fields = found[match[1]] = {}
        elif waiting and (match := _FIELD.match(line)):
            fields[match[1]] = " ".join(waiting)
        waiting = []
    return found
