"""``tichu verify``: deal the rounds of a game again from what the table had promised."""

import json
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Final, NamedTuple

import click

from tichu.cli.options import found_files
from tichu.cli.typed import FilePath
from tichu.core.errors import GameError, NotationError
from tichu.core.fairness import DealCheck, Share, check_record
from tichu.core.record import Reading
from tichu.formats.reading import read_games

__all__ = ["verify"]

_ERROR: Final = 1
#: 2 is click's, for a wrong usage.
_NOT_PROVED: Final = 3

_UNPROVED_BECAUSE: Final[dict[Share, str]] = {
    "unopened": "it committed to a nonce that is not in the deal",
    "uncommitted": "it gave its nonce without a commitment",
}


class _Verified(NamedTuple):
    """One round of a game, or what is wrong with the game or the file as a whole."""

    file: str
    #: Counted from 0; None for the file as a whole.
    round: int | None
    #: None where nothing was promised; true only if the round is proved for every seat that had a share.
    ok: bool | None
    commit: str | None
    error: str | None
    derivation: int | None = None
    #: What each seat had to do with the deal; empty where the derivation does not tell.
    shares: tuple[Share | None, ...] = ()
    unproved: tuple[int, ...] = ()


def _check_file(path: Path) -> Iterator[_Verified]:
    try:
        for place, reading in read_games(path):
            yield from _check_game(place, reading)
    except (GameError, OSError) as error:
        reason = error.strerror if isinstance(error, OSError) else str(error).removeprefix(f"{path}: ")
        yield _Verified(str(path), None, False, None, reason)


def _check_game(place: str, reading: Reading | NotationError) -> Iterator[_Verified]:
    is_promised = False
    try:
        if isinstance(reading, NotationError):
            raise reading
        for deal in check_record(reading):
            is_promised |= deal.commit is not None
            yield _round_check(place, deal)
    except GameError as error:
        yield _Verified(place, None, False, None, str(error))
    else:
        if not is_promised:
            yield _Verified(place, None, False, None, "no round has a commitment: there is nothing to verify")


def _round_check(place: str, deal: DealCheck) -> _Verified:
    is_promised = deal.commit is not None or deal.error is not None
    ok = deal.error is None and not deal.unproved if is_promised else None
    return _Verified(place, deal.round, ok, deal.commit, deal.error, deal.derivation, deal.shares, deal.unproved)


def _line(verified: _Verified) -> str:
    place = verified.file if verified.round is None else f"{verified.file} round {verified.round}"
    if verified.error is not None:
        return f"{place}: error: {verified.error}"
    if verified.ok is None:
        return f"{place}: no commitment"
    committed = f"committed to {verified.commit}"
    if verified.derivation == 1:
        return f"{place}: ok by derivation 1, in which nobody commits to a nonce; {committed}"
    told = [
        f"not proved for seat {seat}: {_UNPROVED_BECAUSE[share]}"
        for seat, share in enumerate(verified.shares)
        if share in _UNPROVED_BECAUSE
    ]
    proved = [str(seat) for seat, share in enumerate(verified.shares) if share == "proved"]
    seats = "seat" if len(proved) == 1 else "seats"
    told.append(f"ok for {seats} {' and '.join(proved)}" if proved else "no seat has a proved share")
    return f"{place}: {'; '.join((*told, committed))}"


@click.command()
@click.argument("files", nargs=-1, required=True, type=FilePath())
@click.option("--json", "as_json", is_flag=True, help="One JSON object a line.")
def verify(files: tuple[Path, ...], as_json: bool) -> None:
    """Deal every round of a game again from its seed and nonces, and compare; one line a round.

    Whether the commitments are those that the table showed before the deals is for those to say who were there.  Exit
    status 0 only if every round that has a commitment holds, each file has one, and every seat that committed to a
    nonce has it in the deal; 1 if something is wrong, 3 if nothing is but a round is not proved for some seat.
    """
    paths = found_files(files)
    counts: Counter[str] = Counter()
    is_heard = True
    try:
        for path in paths:
            for verified in _check_file(path):
                is_unproved = verified.error is None and verified.ok is False
                counts["unproved" if is_unproved else str(verified.ok)] += 1
                click.echo(json.dumps(verified._asdict()) if as_json else _line(verified))
    except BrokenPipeError:
        is_heard = False
        raise
    finally:
        if is_heard:
            click.echo(
                f"{counts['True']} rounds hold, {counts['unproved']} not proved for every seat, "
                f"{counts['None']} without a commitment, {counts['False']} errors",
                err=True,
            )
    if counts["False"]:
        sys.exit(_ERROR)
    if counts["unproved"]:
        sys.exit(_NOT_PROVED)
