"""``tichu verify``: deal the rounds of a game again from what the table had promised."""

import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import click

from tichu.core.errors import GameError
from tichu.core.fairness import check_record
from tichu.formats.reading import read_game

__all__ = ["verify"]


class _Verified(NamedTuple):
    """One round of a file, or what is wrong with the file as a whole."""

    file: str
    #: Counted from 0; None for the file as a whole.
    round: int | None
    #: None where nothing was promised.
    ok: bool | None
    commit: str | None
    error: str | None


def _verified(path: Path) -> Iterator[_Verified]:
    is_promised = False
    try:
        for deal in check_record(read_game(path)):
            is_promised |= deal.commit is not None
            ok = None if deal.commit is None and deal.error is None else deal.error is None
            yield _Verified(str(path), deal.round, ok, deal.commit, deal.error)
    except (GameError, OSError) as error:
        reason = error.strerror if isinstance(error, OSError) else str(error).removeprefix(f"{path}: ")
        yield _Verified(str(path), None, False, None, reason)
    else:
        if not is_promised:
            yield _Verified(str(path), None, False, None, "no round has a commitment: there is nothing to verify")


def _line(verified: _Verified) -> str:
    place = verified.file if verified.round is None else f"{verified.file} round {verified.round}"
    if verified.error is not None:
        return f"{place}: error: {verified.error}"
    return f"{place}: no commitment" if verified.ok is None else f"{place}: ok, committed to {verified.commit}"


@click.command()
@click.argument("files", nargs=-1, required=True, type=click.Path(path_type=Path))
@click.option("--json", "as_json", is_flag=True, help="One JSON object a line.")
def verify(files: tuple[Path, ...], as_json: bool) -> None:
    """Deal every round of a game again from its seed and nonces, and compare; one line a round.

    Whether the commitments are those that the table showed before the deals is for those to say who were there.  Exit
    status 0 only if every round that has a commitment holds, and each file has one.
    """
    counts = {True: 0, False: 0, None: 0}
    for path in files:
        for verified in _verified(path):
            counts[verified.ok] += 1
            click.echo(json.dumps(verified._asdict()) if as_json else _line(verified))
    click.echo(f"{counts[True]} rounds hold, {counts[None]} without a commitment, {counts[False]} errors", err=True)
    if counts[False]:
        sys.exit(1)
