"""The wire for other languages: a JSON schema and the TypeScript types of the page, made from the structs.

``python -m tichu.server.wire.codegen`` writes both into a checkout; ``--check`` says whether they are up to date.
"""

import inspect
import json
import sys
import types
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated, Any, Final, Literal, TypeAlias, Union, get_args, get_origin, get_type_hints

import click
import msgspec
from msgspec import Struct, UnsetType

from tichu.server import wire
from tichu.server.wire import accounts, home, people, practice, ratings, reports, requests, reviews, settings
from tichu.server.wire.descriptions import described_components, field_comments

__all__ = ["json_schema", "main", "typescript"]

_ROOT: Final = Path(__file__).resolve().parents[4]
_TYPESCRIPT: Final = _ROOT / "web" / "src" / "wire.ts"
_JSON_SCHEMA: Final = _ROOT / "docs" / "wire.schema.json"

#: Names that stand for other things in a browser.
_RENAMED: Final = {"Error": "ErrorMessage", "Event": "TableEvent", "Window": "BombWindow"}
#: Words of the wire that are not structs: each a type of its own, used by name.
_ALIASES: Final = (
    *(
        "CommandId",
        "Card",
        "CardList",
        "Seat",
        "Rank",
        "RankInput",
        "Name",
        "Phase",
        "ComboType",
        "EmoteName",
        "AvatarChoice",
        "Avatar",
        "Decision",
    ),
    *("Event", "Action", "TableCommand", "FromClient", "Answer", "FromServer"),
    *("PlayerKind", "ReportReason", "ReviewKind", "ReviewReasonKind", "ReviewVerdict", "TrainerName", "PuzzleTheme"),
)
_SCALARS: Final[dict[Any, str]] = {
    str: "string",
    int: "number",
    float: "number",
    bool: "boolean",
    type(None): "null",
}

#: A struct, or what else an annotation may be; typing has no name for it.
Annotation: TypeAlias = Any


#: The modules of the HTTP API.
_OTHERS: Final = (requests, reviews, practice, accounts, people, ratings, reports, home)


def _is_struct(value: object) -> bool:
    return isinstance(value, type) and issubclass(value, Struct)


def _is_union(annotation: Annotation) -> bool:
    origin: Any = get_origin(annotation)
    return origin is Union or origin is types.UnionType


def _structs() -> list[type[Struct]]:
    """All structs that may be on the wire, in the order in which the modules name them."""
    found = [getattr(module, name) for module in (wire, *_OTHERS) for name in module.__all__]
    return [value for value in (*found, settings.Settings) if _is_struct(value) and value is not wire.Command]


def json_schema() -> dict[str, Any]:
    """One definition for every struct, and what clients say and hear."""
    (client, server), components = described_components([wire.FromClient, wire.FromServer], "#/$defs/{name}")
    _, more = described_components(_structs(), "#/$defs/{name}")
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "The wire of a Tichu table",
        "$defs": {"FromClient": client, "FromServer": server, **components, **more},
    }


def typescript() -> str:
    """The same as TypeScript: unions told apart by ``type``, all of it read-only."""
    aliases = {name: _alias(name) for name in _ALIASES}
    parts = ["// Made from the structs of the server by `python -m tichu.server.wire.codegen`: do not edit."]
    for name, value in aliases.items():
        parts.append(f"export type {_type_name(name)} = {_type_text(value, _without(aliases, name))};")
    parts.append("export type Command = Action | TableCommand;")
    parts += [_interface(struct, aliases) for struct in _structs()]
    return "\n\n".join(parts) + "\n"


def _alias(name: str) -> Annotation:
    return next(getattr(module, name) for module in (*_OTHERS, wire) if name in module.__all__)


def _type_name(name: str) -> str:
    return _RENAMED.get(name, name)


def _without(aliases: dict[str, Annotation], name: str) -> dict[str, Annotation]:
    return {other: value for other, value in aliases.items() if other != name}


def _interface(struct: type[Struct], aliases: dict[str, Annotation]) -> str:
    hints = get_type_hints(struct, include_extras=True)
    comments = field_comments(struct)
    lines = [_comment(inspect.cleandoc(struct.__doc__ or "")), f"export interface {_type_name(struct.__name__)} {{"]
    config = struct.__struct_config__
    if config.tag is not None:
        lines.append(f"  readonly {config.tag_field}: {json.dumps(config.tag)};")
    for field in msgspec.structs.fields(struct):
        comment = comments.get(field.name, "")
        if not field.required and _default(field) is not None:
            comment = f"{comment} Absent: {_default(field)}.".strip()
        if comment:
            lines.append("  " + _comment(comment))
        optional = "" if field.required else "?"
        lines.append(f"  readonly {field.encode_name}{optional}: {_type_text(hints[field.name], aliases)};")
    return "\n".join([*lines, "}"])


def _default(field: msgspec.structs.FieldInfo) -> str | None:
    """What an absent field means, unless that is nothing."""
    default = field.default_factory() if field.default is msgspec.NODEFAULT else field.default
    if default is None or default is msgspec.UNSET:
        return None
    return msgspec.json.encode(default).decode()


def _comment(text: str) -> str:
    return "/** " + " ".join(text.replace("``", "`").replace("*/", "* /").split()) + " */"


def _type_text(annotation: Annotation, aliases: dict[str, Annotation]) -> str:
    for name, value in aliases.items():
        if annotation == value:
            return _type_name(name)
    if annotation in _SCALARS:
        return _SCALARS[annotation]
    if _is_struct(annotation):
        return _type_name(annotation.__name__)
    origin: Any = get_origin(annotation)
    arguments = get_args(annotation)
    if origin is Annotated:
        return _type_text(arguments[0], aliases)
    if origin is Literal:
        return " | ".join(json.dumps(value) for value in arguments)
    if _is_union(annotation):
        return " | ".join(_members(annotation, aliases))
    if origin is tuple and arguments[-1] is Ellipsis:
        item = _type_text(arguments[0], aliases)
        return f"readonly ({item})[]" if "|" in item else f"readonly {_array_of(item)}[]"
    if origin is tuple:
        return f"readonly [{', '.join(_type_text(item, aliases) for item in arguments)}]"
    if origin is dict:
        return f"{{ readonly [name: string]: {_type_text(arguments[1], aliases)} }}"
    raise TypeError(f"no TypeScript for {annotation!r}")


def _array_of(item: str) -> str:
    return f"({item})" if item.startswith("readonly ") else item


def _members(union: Annotation, aliases: dict[str, Annotation]) -> Iterator[str]:
    """The members of a union; some of them together may have a name of their own."""
    rest = [member for member in get_args(union) if member is not UnsetType]
    for name, value in aliases.items():
        parts = get_args(value) if _is_union(value) else ()
        if parts and all(part in rest for part in parts):
            yield _type_name(name)
            rest = [member for member in rest if member not in parts]
    # An int and a float are both numbers.
    yield from dict.fromkeys(_type_text(member, aliases) for member in rest)


@click.command()
@click.option("--check", is_flag=True, help="Change nothing; fail if a file is out of date.")
def main(check: bool) -> None:
    """Write the types of the wire for the page and for other languages."""
    wanted = {
        _TYPESCRIPT: typescript(),
        _JSON_SCHEMA: json.dumps(json_schema(), indent=1, ensure_ascii=False, sort_keys=True) + "\n",
    }
    stale = [path for path, text in wanted.items() if not path.is_file() or path.read_text(encoding="utf-8") != text]
    if check and stale:
        for path in stale:
            click.echo(f"{path.relative_to(_ROOT)} is out of date: python -m tichu.server.wire.codegen", err=True)
        sys.exit(1)
    for path in stale:
        if not path.parent.is_dir():
            raise click.ClickException(f"{path.parent}: no such folder; the types are written into a checkout")
        path.write_text(wanted[path], encoding="utf-8")


if __name__ == "__main__":
    main()
