"""The sheets of players: what they have lost a round, by kind of decision, in games that were reviewed.

What a seat has lost is kept with what else the player did in the game, when the review is done.  Somebody's sheet adds
up games, as ``tichu.analysis.players`` does: what happens in one game is one observation.
"""

from collections.abc import Mapping, Sequence
from contextlib import suppress
from typing import Final, NamedTuple

import msgspec

from tichu.analysis.losses import LostPerRound, per_round
from tichu.analysis.verdicts import KINDS, DecisionReview, Kind

__all__ = ["SeatSheet", "Sheet", "add_up", "decode_sheet", "encode_sheet", "seat_sheets"]


class SeatSheet(msgspec.Struct, frozen=True, omit_defaults=True):
    """What a seat has lost in a game."""

    rounds: int
    #: By kind, round by round; kinds in which nothing was lost are not named.
    lost: dict[str, tuple[float, ...]] = {}


class Sheet(NamedTuple):
    """What a player has lost a round."""

    games: int
    rounds: int
    lost: LostPerRound
    by_kind: dict[Kind, LostPerRound]


_DECODER: Final = msgspec.json.Decoder(SeatSheet)


def seat_sheets(rounds: Sequence[int], decisions: Mapping[tuple[int, int], DecisionReview]) -> tuple[SeatSheet, ...]:
    """What each seat has lost in these rounds, by decisions that were compared."""
    places = {number: place for place, number in enumerate(rounds)}
    lost: list[dict[str, list[float]]] = [{} for _ in range(4)]
    for each in decisions.values():
        if each.round in places and each.lost:
            of_kind = lost[each.seat].setdefault(each.kind, [0.0] * len(rounds))
            of_kind[places[each.round]] += each.lost
    return tuple(
        SeatSheet(len(rounds), {kind: tuple(round(one, 2) for one in found) for kind, found in seat.items()})
        for seat in lost
    )


def encode_sheet(sheet: SeatSheet) -> str:
    """As it is kept."""
    return msgspec.json.encode(sheet).decode()


def decode_sheet(text: str) -> SeatSheet | None:
    """What was kept; None for what this version cannot read, or what cannot be."""
    with suppress(msgspec.MsgspecError):
        sheet = _DECODER.decode(text)
        if sheet.rounds > 0 and all(len(found) == sheet.rounds for found in sheet.lost.values()):
            return sheet
    return None


def add_up(games: Sequence[SeatSheet]) -> Sheet | None:
    """The sheet of a player with these games; None without any.

    >>> sheet = add_up([SeatSheet(2, {"lead": (10.0, 0.0)}), SeatSheet(2, {"wish": (0.0, 6.0)})])
    >>> sheet.games, sheet.rounds, sheet.lost.lost_per_round, sheet.by_kind["lead"].lost_per_round
    (2, 4, 4.0, 2.5)
    """
    if not games:
        return None
    by_kind: dict[Kind, LostPerRound] = {
        kind: _over([game.lost.get(kind, ()) for game in games], games) for kind in KINDS
    }
    whole = [tuple(map(sum, zip(*game.lost.values(), strict=True))) for game in games]
    return Sheet(len(games), sum(game.rounds for game in games), _over(whole, games), by_kind)


def _over(lost: Sequence[Sequence[float]], games: Sequence[SeatSheet]) -> LostPerRound:
    """The mean over rounds: of several games each is one observation, of a single one each round."""
    filled = [found or (0.0,) * game.rounds for found, game in zip(lost, games, strict=True)]
    return per_round(filled if len(filled) > 1 else [[one] for one in filled[0]])
