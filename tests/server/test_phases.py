"""A round of the single-round game at a table, by the names that its own description gives to phases and actions."""

import random

from tests.server.players import Club, command_for
from tichu.core.combos import Combo
from tichu.server import wire
from tichu.server.wire.settings import Settings

_PHASES = (
    "TICHU.DEAL_PART1",
    "TICHU.DECLARE_GRAND_WINDOW",
    "TICHU.DEAL_PART2",
    "TICHU.EXCHANGE_SELECT",
    "TICHU.EXCHANGE_COMMIT",
    "TICHU.TRICK_PLAY",
    "TICHU.DRAGON_DONATE",
    "TICHU.ROUND_END",
    "TICHU.NEXT_ROUND_OR_END",
    "TICHU.GAME_END",
)
_ACTIONS = {
    "TICHU.DECLARE_GRAND_TICHU",
    "TICHU.DECLARE_TICHU",
    "TICHU.SELECT_EXCHANGE",
    "TICHU.CONFIRM_EXCHANGE",
    "TICHU.PLAY_CARDS",
    "TICHU.PASS",
    "TICHU.PLAY_BOMB",
    "TICHU.DRAGON_DONATE",
}
#: Seat 0 holds the Dragon, everybody a suit full of bombs.
_DEAL = (
    "MaDr2s3s4s5s6s7s+8s9sTsJsQsKs / 2b3b4b5b6b7b8b9b+TbJbQbKbAbAs / "
    "2g3g4g5g6g7g8g9g+TgJgQgKgAgPh / 2r3r4r5r6r7r8r9r+TrJrQrKrArDo"
)


class _Walk:
    """Four persons who send what the description names."""

    def __init__(self) -> None:
        # The given deal is for casual tables; with a fair one nobody could say that there will be a bomb.
        self.club = Club(Settings(rules="single-round", deal=_DEAL, pace=0.1))
        self.club.seat_people(0, 1, 2, 3)
        self.club.start()
        self.sent: set[str] = set()

    def send(self, seat: int, message: wire.Command) -> None:
        self.sent.add(str(message.__struct_config__.tag))
        answer = self.club.command(seat, message)
        assert isinstance(answer, wire.Ack), answer

    def phases(self, seat: int) -> list[str]:
        heard = self.club.heard[f"player{seat}"]
        return [phase for message in heard if isinstance(message, wire.EventMessage) for phase in message.phases]

    def view(self, seat: int) -> wire.SeatView:
        view = self.club.table.snapshot(f"player{seat}", self.club.now).view
        assert view is not None
        return view

    def one_turn(self, rng: random.Random) -> None:
        """Whoever is to decide does something; the Dragon is led when it can be, and nobody else beats it."""
        logged = self.club.table.logged
        seat = next(seat for seat in range(4) if self.view(seat).decision)
        action = logged.plain_view(seat).legal().draw(rng)
        if self.view(seat).decision == "play" and "Dr" in self.view(seat).hand and logged.trick.plays == ():
            self.send(seat, wire.PlayCards(id=self.club.id(), cards=("Dr",)))
        elif "Dr" in [card for play in logged.trick.plays if play.combination for card in play.combination.cards] and (
            self.view(seat).may_pass
        ):
            self.send(seat, wire.Pass(id=self.club.id()))
        elif isinstance(action, Combo) and action.is_bomb:
            self.send(seat, wire.PlayBomb(id=self.club.id(), cards=command_for(action, "x").cards))  # type: ignore[union-attr]
        else:
            self.send(seat, command_for(action, self.club.id(), logged.version))


def test_a_round_goes_through_all_ten_phases_with_their_actions() -> None:
    walk = _Walk()
    walk.send(1, wire.DeclareGrandTichu(id="g1"))
    for seat in (0, 2, 3):
        walk.send(seat, wire.DeclineGrandTichu(id=f"g{seat}"))
    assert walk.view(0).phase == "TICHU.EXCHANGE_SELECT"
    # A draft is only a draft: it can be changed, and only confirming gives the cards.
    walk.send(0, wire.SelectExchange(id="s0", left="2s"))
    walk.send(0, wire.SelectExchange(id="s1", left="3s", partner="Ks", right="2s"))
    assert [gift.card for gift in walk.view(0).draft] == ["3s", "Ks", "2s"]
    assert not walk.view(1).draft
    walk.send(0, wire.ConfirmExchange(id="x0"))
    for seat, cards in ((1, ("2b", "Ab", "3b")), (2, ("2g", "Ag", "3g")), (3, ("2r", "Ar", "3r"))):
        left, partner, right = cards
        walk.send(seat, wire.ConfirmExchange(id=f"x{seat}", left=left, partner=partner, right=right))
    assert [(gift.seat, gift.card) for gift in walk.view(0).received] == [(1, "3b"), (2, "Ag"), (3, "2r")]
    walk.send(0, wire.DeclareTichu(id="t0"))
    # The wish comes with the Mah Jong.
    walk.send(
        0, wire.PlayCards(id="ma", cards=("Ma",), declared_combo=wire.DeclaredCombo(type="SINGLE", wish_rank="9"))
    )
    assert walk.view(2).wish == "9"
    rng = random.Random(4)
    while walk.club.table.logged.game is not None:
        walk.one_turn(rng)
    walk.club.wait()
    for seat in range(4):
        passed = walk.phases(seat)
        assert set(passed) == set(_PHASES)
        assert sorted(_PHASES, key=passed.index) == list(_PHASES)
    assert walk.sent == _ACTIONS | {"TICHU.DECLINE_GRAND_TICHU"}
    over = [m.event for m in walk.club.heard["player2"] if isinstance(m, wire.EventMessage)][-2]
    assert isinstance(over, wire.RoundOver)
    assert over.result.calls == ("T", "G", "-", "-")
