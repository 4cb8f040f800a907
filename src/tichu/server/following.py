"""A seat seen from the other end of the wire: the core's view from what the server tells, and actions as commands."""

from typing import assert_never

from msgspec import UNSET

from tichu.actions import (
    CALL_GRAND,
    DECLINE_GRAND,
    Action,
    CallGrand,
    CallTichu,
    DeclineBomb,
    DeclineGrand,
    Exchange,
    Pass,
    Take,
    Wish,
    parse_action,
)
from tichu.cards import format_card, format_rank
from tichu.combos import Combo
from tichu.phases import Call, Phase
from tichu.position import parse_view
from tichu.rules import Rules
from tichu.server import protocol as wire
from tichu.server.table.combinations import combination
from tichu.view import View

__all__ = ["Follower", "command_of"]


class Follower:
    """What one seat knows, kept up to date by messages."""

    def __init__(self) -> None:
        self.version = 0
        self.table: wire.TableState | None = None
        self.view: wire.SeatView | None = None
        self._history: list[tuple[int, Action]] = []
        # Whether everything since the deal has been heard; a bot rather knows nothing than half of it.
        self._is_whole = False
        self._shown: set[Phase] = set()

    def hear(self, message: wire.Welcome | wire.EventMessage | wire.State) -> None:
        """Take up what the server tells."""
        match message:
            case wire.Welcome():
                # Where nothing had been heard before, only the whole round is worth something.
                self._is_whole = self._is_whole and self._follows(message)
                for missed in message.missed:
                    self._happened(missed.event)
                self.table, self.view = message.table, message.view
            case wire.EventMessage():
                self._is_whole = self._is_whole and message.version == self.version + 1
                self._happened(message.event)
                if message.table is not UNSET:
                    self.table = message.table
                if message.view is not UNSET:
                    self.view = message.view
            case wire.State():
                self._is_whole = self._is_whole and message.version == self.version
                self.table, self.view = message.table, message.view
        self.version = message.version
        self._show()

    def _follows(self, welcome: wire.Welcome) -> bool:
        versions = [missed.version for missed in welcome.missed]
        return versions == list(range(self.version + 1, welcome.version + 1))

    def _happened(self, event: wire.Event) -> None:
        match event:
            case wire.Dealt():
                self._history, self._is_whole, self._shown = [], True, set()
            case wire.Acted(what="grand" | "no_grand" | "grand_hidden" | "exchange"):
                # Only the own decision has its text; the end of the Grand calls repeats who called.
                one = None if event.text[1:] in ("", ">") else parse_action(event.text)
                if one is not None and one not in self._history and event.seat == self._seat:
                    self._history.append(one)
            case wire.Acted():
                self._history.append(parse_action(event.text))
            case _:
                pass

    @property
    def _seat(self) -> int | None:
        return None if self.view is None else self.view.seat

    def _show(self) -> None:
        """What was decided at the same time is seen when all have decided."""
        view = self._core_view()
        if view is None:
            return
        others = [seat for seat in range(4) if seat != view.seat]
        if view.phase is not Phase.GRAND and Phase.GRAND not in self._shown:
            self._shown.add(Phase.GRAND)
            if view.rules.grand != "no":
                calls = [CALL_GRAND if view.calls[seat] is Call.GRAND else DECLINE_GRAND for seat in others]
                self._history += zip(others, calls, strict=True)
        if view.phase not in (Phase.GRAND, Phase.EXCHANGE) and Phase.EXCHANGE not in self._shown:
            self._shown.add(Phase.EXCHANGE)
            self._history += [(seat, Exchange(*view.given[seat])) for seat in others if view.given[seat]]

    def _core_view(self) -> View | None:
        if self.table is None or self.view is None or self.view.seat is None or not self.view.position:
            return None
        view = parse_view(self.view.position, self.view.seat, Rules.parse(self.table.rules))
        return view._replace(score=self.view.score)

    def core_view(self) -> View | None:
        """The core's view, None without a seat or between rounds.

        :raises NotationError: the server's position cannot be read
        """
        view = self._core_view()
        return view and view._replace(history=tuple(self._history) if self._is_whole else ())


def command_of(action: Action, view: View, command_id: str, version: int | None) -> wire.Action:
    """The action as the wire has it."""
    match action:
        case CallGrand():
            return wire.DeclareGrandTichu(id=command_id, version=version)
        case DeclineGrand():
            return wire.DeclineGrandTichu(id=command_id, version=version)
        case CallTichu():
            return wire.DeclareTichu(id=command_id, version=version)
        case Exchange():
            left, partner, right = map(format_card, action.cards)
            return wire.ConfirmExchange(id=command_id, version=version, left=left, partner=partner, right=right)
        case Combo():
            shown = combination(action)
            declared = wire.DeclaredCombo(type=shown.type, phoenix_as=shown.phoenix_as)  # type: ignore[arg-type]
            kind = wire.PlayBomb if view.phase is Phase.BOMB else wire.PlayCards
            return kind(id=command_id, version=version, cards=shown.cards, declared_combo=declared)
        case Pass():
            return wire.Pass(id=command_id, version=version)
        case DeclineBomb():
            return wire.DeclineBomb(id=command_id, version=version)
        case Wish(rank):
            wished = format_rank(rank) if rank else "NONE"
            return wire.Wish(id=command_id, version=version, wish_rank=wished)  # type: ignore[arg-type]
        case Take(recipient):
            assert recipient is not None, "other tricks are taken by the table"
            return wire.DragonDonate(id=command_id, version=version, to_opponent_player_id=recipient)
        case _:
            assert_never(action)
