"""``tichu admin``: what whoever runs a server does, to one that runs or to its store."""

import asyncio
import json
import re
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from datetime import UTC, datetime
from functools import wraps
from pathlib import Path
from typing import Any, Final, TypeAlias

import click

from tichu.cli.options import json_option
from tichu.cli.serve import FILE_NAME, data_option
from tichu.cli.typed import did_you_mean, typed
from tichu.core.errors import GameError
from tichu.server.config import data_folder

__all__ = ["admin"]

#: Asks something and answers with JSON.
Desk: TypeAlias = Callable[..., dict[str, Any]]

_UNITS: Final = {"s": 1, "min": 60, "h": 3600, "d": 86_400, "w": 604_800}
_SPAN: Final = re.compile(r"([0-9]{1,6})(s|min|h|d|w)")
_ID: Final = re.compile(r"[A-Za-z0-9_:.-]{1,60}")
#: Of players and reports, and of games, which matches are called by.
_ID_LENGTHS: Final = (12, 16)
_LONGEST_S: Final = 10 * 365 * 86_400


class _Span(click.ParamType[int]):
    """How long."""

    name = "span"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> int:
        if value == "ever":
            return _LONGEST_S
        found = _SPAN.fullmatch(str(value))
        seconds = 0 if found is None else int(found[1]) * _UNITS[found[2]]
        if not 0 < seconds <= _LONGEST_S:
            self.fail(f"{value!r} is not a time; it is written 30min, 12h, 7d, 4w or ever", param, ctx)
        return seconds


class _Command(click.Command):
    """A command with ids among its arguments, which may begin with ``-``: they are of chance."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Read the arguments; a blank in front keeps an id from being taken for options."""
        options = {name for one in self.params for name in one.opts}
        return super().parse_args(ctx, [f" {one}" if _is_dashed(one) and one not in options else one for one in args])


def _is_dashed(text: str) -> bool:
    """Whether a word that begins like an option is as long as an id."""
    return text.startswith("-") and len(text) in _ID_LENGTHS and _ID.fullmatch(text) is not None


class _IdType(click.ParamType[str]):
    name = "id"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> str:
        return str(value).removeprefix(" ")


class _Admin(click.Group):
    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        if args[0] not in self.commands and not args[0].startswith("-"):
            hint = did_you_mean(args[0], self.commands) or f"; there are {', '.join(self.commands)}"
            ctx.fail(f"No such command {args[0]!r}{hint}")
        return super().resolve_command(ctx, args)


@click.group(cls=_Admin)
@click.option(
    "--url", envvar="TICHU_URL", help="The server that runs, as http://localhost:8080; else the store is opened."
)
@click.option("--token", envvar="TICHU_OPERATOR_TOKEN", help="What the server was given as --operator-token.")
@data_option
@click.option("--database", envvar="TICHU_DATABASE", help="As for tichu serve.")
@click.pass_context
def admin(ctx: click.Context, url: str | None, token: str | None, data: Path | None, database: str | None) -> None:
    """Find, rename, mute, ban and delete players, take rated matches back, read reports.

    With --url a server that runs is asked; without it the store is opened, while no server runs.  Every act is noted
    in the store: tichu admin log.
    """
    ctx.obj = url, token, database or str((data or data_folder()) / FILE_NAME)


@contextmanager
def _desk(url: str | None, token: str | None, source: str) -> Iterator[Desk]:
    if url:
        from tichu.server.client.client import parse_address
        from tichu.server.client.operator import RemoteOperator

        with typed("--url"):
            address = parse_address(url)
        if not token:
            raise click.UsageError("a server that runs wants the operator's token: --token or TICHU_OPERATOR_TOKEN")
        with typed("--token"):
            remote = RemoteOperator(address, token)
        yield _json_of(lambda *asked: remote.request(*asked))
        return
    path = Path(source.removeprefix("sqlite:"))
    if not source.startswith(("postgres://", "postgresql://")) and not path.is_file():
        raise GameError(f"{path}: no such file; --data says where the server keeps its tables, --url where it runs")
    from tichu.server.offline import open_offline
    from tichu.server.store import StoreError

    with asyncio.Runner() as runner:
        opened = open_offline(source)
        try:
            offline = runner.run(opened.__aenter__())
        except StoreError as error:
            raise click.ClickException(f"{error}; where a server runs it is asked with --url and --token") from None
        try:
            yield _json_of(lambda *asked: runner.run(offline.request(*asked)))
        finally:
            runner.run(opened.__aexit__(None, None, None))


def _json_of(request: Callable[..., tuple[int, bytes]]) -> Desk:
    def ask(method: str, *parts: str, body: Mapping[str, object] | None = None, **query: object) -> dict[str, Any]:
        for part in parts:
            if _ID.fullmatch(part) is None:
                raise GameError(f"{part!r} cannot be an id")
        path = "".join(f"/{part}" for part in parts)
        asked = {name: str(value) for name, value in query.items() if value is not None}
        status, data = request(method, path, asked, body)
        try:
            told = json.loads(data)
            if status < 300 and isinstance(told, dict):
                return told
            words = told["message"]
        except (ValueError, KeyError, TypeError):
            words = "the server answered with something else"
        if (status, words) == (404, "there is nothing here"):
            words = "the server does not know this token as its operator's"
        raise GameError(words)

    return ask


def _command(name: str) -> Callable[[Callable[..., None]], click.Command]:
    """A command that is given a desk, and whether it answers with JSON."""

    def decorate(function: Callable[..., None]) -> click.Command:
        @wraps(function)
        def run(**options: Any) -> None:
            with _desk(*click.get_current_context().obj) as desk:
                function(desk, **options)

        return admin.command(name, cls=_Command)(json_option(run))

    return decorate


def _resolve(desk: Desk, text: str) -> str:
    """The id of a player who is named by id or by name.

    :raises GameError: there is none, or more than one
    """
    found = desk("GET", "players", q=text)["players"]
    for same in (
        [one for one in found if one["player"] == text],
        [one for one in found if one["account"] and one["name"].casefold() == text.casefold()],
        [one for one in found if one["name"].casefold() == text.casefold()],
    ):
        if len(same) == 1:
            return str(same[0]["player"])
        if same:
            raise GameError(f"{len(same)} players are called {text!r}; say which by the id: tichu admin find")
    raise GameError(f"nobody is called {text!r}, or has that id; tichu admin find looks for the beginning of a name")


def _tell(told: dict[str, Any], lines: list[str], *, as_json: bool) -> None:
    for line in [json.dumps(told)] if as_json else lines:
        click.echo(line)


def _time(milliseconds: int | None) -> str:
    if milliseconds is None:
        return "-"
    return datetime.fromtimestamp(milliseconds / 1000, UTC).strftime("%Y-%m-%d %H:%M")


def _done(told: dict[str, Any], *, as_json: bool) -> None:
    until = "" if told["until"] is None else f" until {_time(told['until'])} UTC"
    _tell(told, [f"{told['what']} {told['subject']}{until}; act {told['act']}".replace("  ", " ")], as_json=as_json)


_why = click.option("--why", default="", help="For the log of acts.")


@_command("find")
@click.argument("text", type=_IdType())
def find(desk: Desk, text: str, as_json: bool) -> None:
    """Find players by id or by the beginning of a name."""
    told = desk("GET", "players", q=text)
    lines = [
        f"{one['player']}  {one['name'] or '-'}  {'account' if one['account'] else 'guest'}, seen {_time(one['seen'])}"
        + "".join(f", {what} until {_time(one[what])}" for what in ("muted", "banned") if one[what])
        + (f", {one['reports']} reports" if one["reports"] else "")
        for one in told["players"]
    ]
    _tell(told, lines or ["nobody"], as_json=as_json)


@_command("rename")
@click.argument("player", type=_IdType())
@click.argument("name")
@_why
def rename(desk: Desk, player: str, name: str, why: str, as_json: bool) -> None:
    """Give PLAYER, an id or a name, another name."""
    body = {"name": name, "why": why}
    _done(desk("POST", "players", _resolve(desk, player), "name", body=body), as_json=as_json)


def _restrict(desk: Desk, what: str, player: str, seconds: int, why: str, *, as_json: bool) -> None:
    body = {"seconds": seconds, "why": why}
    _done(desk("POST", "players", _resolve(desk, player), what, body=body), as_json=as_json)


@_command("mute")
@click.argument("player", type=_IdType())
@click.argument("time", type=_Span())
@_why
def mute(desk: Desk, player: str, time: int, why: str, as_json: bool) -> None:
    """Let PLAYER play and say nothing for a TIME, as 7d."""
    _restrict(desk, "mute", player, time, why, as_json=as_json)


@_command("unmute")
@click.argument("player", type=_IdType())
@_why
def unmute(desk: Desk, player: str, why: str, as_json: bool) -> None:
    """Let PLAYER speak again."""
    _restrict(desk, "mute", player, 0, why, as_json=as_json)


@_command("ban")
@click.argument("player", type=_IdType())
@click.argument("time", type=_Span())
@_why
def ban(desk: Desk, player: str, time: int, why: str, as_json: bool) -> None:
    """Let PLAYER in no longer for a TIME, as 7d: all sockets end at once, on all nodes."""
    _restrict(desk, "ban", player, time, why, as_json=as_json)


@_command("unban")
@click.argument("player", type=_IdType())
@_why
def unban(desk: Desk, player: str, why: str, as_json: bool) -> None:
    """Let PLAYER in again."""
    _restrict(desk, "ban", player, 0, why, as_json=as_json)


@_command("delete")
@click.argument("player", type=_IdType())
@click.option("--yes", is_flag=True, help="Do not ask.")
@_why
def delete(desk: Desk, player: str, yes: bool, why: str, as_json: bool) -> None:
    """Forget PLAYER for good, as if they had asked for it."""
    number = _resolve(desk, player)
    if not yes:
        click.confirm(f"Forget {player} ({number}) for good?", abort=True, err=True)
    _done(desk("POST", "players", number, "delete", body={"why": why}), as_json=as_json)


@_command("unrate")
@click.argument("match", type=_IdType())
@_why
def unrate(desk: Desk, match: str, why: str, as_json: bool) -> None:
    """Take a rated MATCH back; what follows is worked out anew."""
    _done(desk("POST", "matches", match, "unrate", body={"why": why}), as_json=as_json)


@_command("flags")
def flags(desk: Desk, as_json: bool) -> None:
    """Rated matches in which two may have been one, or a leaver's partner was spared; nothing follows from it."""
    told = desk("GET", "matches")
    lines = [
        f"{one['match']}  {_time(one['at'])}  {', '.join(one['flags'])}  "
        f"{' '.join(name or player for name, player in zip(one['names'], one['players'], strict=True))}"
        + ("  (taken back)" if one["unrated"] else "")
        for one in told["matches"]
    ]
    _tell(told, lines or ["no match has flags"], as_json=as_json)


@_command("odd")
def odd(desk: Desk, as_json: bool) -> None:
    """Numbers that chance hardly explains; they are only reported."""
    told = desk("GET", "statistics")
    lines = [
        f"{one['player']}  {one['name'] or '-'}  {one['what']}: {one['count']} of {one['of']}, "
        f"usual {100 * one['usual']:.1f} %, {one['sigmas']} standard deviations"
        for one in told["statistics"]
    ]
    _tell(told, lines or ["nothing is odd"], as_json=as_json)


@_command("reports")
@click.option("--closed", is_flag=True, help="Those that were dealt with.")
def reports(desk: Desk, closed: bool, as_json: bool) -> None:
    """Reports of players that wait, the oldest first."""
    told = desk("GET", "reports", closed=int(closed))
    lines = [
        f"{one['id']}  {_time(one['at'])}  {one['reason']}: {one['reported']}, by {one['reporter']}  {one['words']}"
        for one in told["reports"]
    ]
    _tell(told, lines or ["no report waits" if not closed else "no report was dealt with"], as_json=as_json)


@_command("report")
@click.argument("report", type=_IdType())
def report(desk: Desk, report: str, as_json: bool) -> None:
    """Read a REPORT with what was said and played near it; that is noted in the log."""
    told = desk("GET", "reports", report)
    one = told["report"]
    lines = [
        f"{one['reason']}: {one['reported']}, by {one['reporter']} at {_time(one['at'])} UTC",
        *([one["words"]] if one["words"] else []),
        *(f"{_time(line['at'])}  {line['name']} ({line['player']}): {line['text']}" for line in told["chat"]),
        *told["record"].splitlines(),
    ]
    _tell(told, lines, as_json=as_json)


@_command("close")
@click.argument("report", type=_IdType())
@_why
def close(desk: Desk, report: str, why: str, as_json: bool) -> None:
    """A REPORT was dealt with; it is forgotten after 90 days."""
    _done(desk("POST", "reports", report, "close", body={"why": why}), as_json=as_json)


@_command("log")
@click.option("--subject", help="Only what was done to this player, match or report, by its id.")
def log(desk: Desk, subject: str | None, as_json: bool) -> None:
    """What operators have done, the latest first."""
    told = desk("GET", "acts", subject=subject)
    lines = [f"{_time(one['at'])}  {one['what']}  {one['subject']}  {one['words']}".rstrip() for one in told["acts"]]
    _tell(told, lines or ["nothing was done"], as_json=as_json)
