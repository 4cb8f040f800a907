"""The description of the HTTP API (OpenAPI 3.1), made from the same list as the routes, so they cannot differ."""

from collections.abc import Sequence
from http import HTTPStatus
from typing import Any, Final

from tichu import __version__
from tichu.server.http.endpoints import Endpoint
from tichu.server.wire.descriptions import described_components
from tichu.server.wire.requests import ApiError

__all__ = ["openapi"]

#: By name: a part of a path means the same in all of them.
_PATH_WORDS: Final = {
    "table": "the id of the table, as in its link",
    "code": "the code of a table; case, spaces and hyphens do not matter",
    "game": "the id of a finished game",
    "player": "the public id of a player, as in the states of tables",
    "puzzle": "the id of a puzzle, as in the list",
    "passkey": "the id of a passkey, as in the list",
    "session": "the id of a session, as in the list",
    "match": "the id of a rated match",
    "report": "the id of a report, as in the list",
    "trainer": "what is practised: grand, tichu or exchange",
}
#: Clients made from the description have a module for each; what follows ``/api/`` says which.
_TAGS: Final = {
    "players": ("players", "me"),
    "accounts": ("accounts", "login"),
    "tables": ("tables", "codes", "qr", "home"),
    "games": ("games",),
    "practice": ("puzzles", "practice"),
    "ratings": ("leaderboard", "quick"),
    "operator": ("operator",),
    "server": ("rules", "bots", "healthz"),
}
_TAG_WORDS: Final = {
    "players": "Who you are, and your token.",
    "accounts": "Names that belong to somebody.",
    "tables": "Tables, what is said at them, and the ways there.",
    "games": "Finished games.",
    "practice": "Puzzles, and hands to decide on.",
    "ratings": "Who is how strong, and who looks for a match.",
    "operator": "For whoever runs the server, with its token.",
    "server": "What this server offers.",
}
_TOKEN_WORDS: Final = "A token from `registerPlayer`, from `makeTable` or from a welcome."


def openapi(endpoints: Sequence[Endpoint], prefix: str) -> dict[str, Any]:
    """All endpoints with what they take and answer."""
    kinds = [ApiError, *(kind for one in endpoints for kind in (one.body, one.answer) if _is_schema(kind))]
    schemas, components = described_components(kinds, "#/components/schemas/{name}")
    _open_items(components)
    references = iter(schemas[1:])
    paths: dict[str, dict[str, Any]] = {}
    for one in endpoints:
        body = next(references) if _is_schema(one.body) else None
        answer = next(references) if _is_schema(one.answer) else None
        paths.setdefault(one.path, {})[one.method.lower()] = _operation(one, body, answer, schemas[0])
    return {
        "openapi": "3.1.0",
        "info": {"title": "Tichu", "version": __version__, "description": "Tables, games and players of this server."},
        "servers": [{"url": prefix or "/"}],
        "tags": [{"name": name, "description": words} for name, words in _TAG_WORDS.items()],
        "paths": paths,
        "components": {
            "schemas": components,
            "securitySchemes": {"token": {"type": "http", "scheme": "bearer", "description": _TOKEN_WORDS}},
        },
    }


def _open_items(schema: Any) -> None:
    """Leave ``items: false`` out: ``maxItems`` says as much, and generators of clients stumble over it.

    They stumble over ``prefixItems`` too, and pairs of one kind need none.
    """
    if isinstance(schema, dict):
        if schema.get("items") is False:
            del schema["items"]
        first, *more = schema.get("prefixItems") or [None]
        if first is not None and all(one == first for one in more):
            del schema["prefixItems"]
            schema["items"] = first
        for part in schema.values():
            _open_items(part)
    elif isinstance(schema, list):
        for part in schema:
            _open_items(part)


def _is_schema(kind: Any) -> bool:
    return kind is not None and not isinstance(kind, str)


def _operation(one: Endpoint, body: Any, answer: Any, error: Any) -> dict[str, Any]:
    written = {"type": "object" if one.answer == "application/json" else "string"}
    content = {"application/json": {"schema": answer}} if answer else {one.answer: {"schema": written}}
    either = {"application/json": {"schema": {"anyOf": [answer, error]}}}
    failure = {"application/json": {"schema": error}}
    statuses = {*one.errors, *one.also, 429, 500, 503}
    if body:
        statuses |= {400, 403, 413, 415}
    if one.token != "no":
        statuses |= {401, 403}
    operation: dict[str, Any] = {
        "operationId": one.operation,
        "tags": [_tag(one.path)],
        "summary": one.words,
        "responses": {
            str(one.status): {"description": HTTPStatus(one.status).phrase, "content": content},
            **{
                str(status): {
                    "description": HTTPStatus(status).phrase,
                    "content": either if status in one.also else failure,
                }
                for status in sorted(statuses)
            },
        },
    }
    parameters = [_path_parameter(part) for part in one.path.split("/") if part.startswith("{")]
    parameters += [
        {
            "name": each.name,
            "in": "query",
            "required": each.is_required,
            "description": each.words,
            "schema": each.schema,
        }
        for each in one.query
    ]
    if parameters:
        operation["parameters"] = parameters
    if body:
        operation["requestBody"] = {"required": True, "content": {"application/json": {"schema": body}}}
    if one.token != "no":
        operation["security"] = [{"token": []}] if one.token == "must" else [{"token": []}, {}]
    return operation


def _tag(path: str) -> str:
    first = path.removeprefix("/api").split("/")[1]
    return next(tag for tag, words in _TAGS.items() if first in words)


def _path_parameter(part: str) -> dict[str, Any]:
    name = part[1 : part.index("}")]
    schema = {"type": "string", "minLength": 1}
    return {"name": name, "in": "path", "required": True, "description": _PATH_WORDS[name], "schema": schema}
