"""What a seat cannot see does not reach it: not in a message, an order, a refusal, nor in the time of any of them.

A game is stopped somewhere and everything that one seat cannot see is drawn anew.  Then both tables live through the
same: commands of the seat, legal or not, what the others can do in both alike, connections lost and taken up, time.
The bytes that the seat gets, and when, must be the same.
"""

import copy
import random

import pytest

from tests.agents.tables import reshuffled
from tests.server.players import Club, command_for, encoded
from tichu.agents.guard import Guarded
from tichu.agents.registry import AGENTS, LEVELS, make_agent
from tichu.core.actions import CALL_TICHU, PASS, TAKE, Pass
from tichu.core.cards import ALL_CARDS, cards_of, format_card
from tichu.core.combos import parse_combo
from tichu.core.phases import Phase
from tichu.core.round import Round
from tichu.core.rules import Rules
from tichu.server import wire
from tichu.server.table.decoys import decoy_view
from tichu.server.table.ports import Player
from tichu.server.wire.settings import Settings

pytestmark = pytest.mark.no_cover

_RULES = ("standard", "courtesy", "single-round", "simple", "brettspielwelt bombs=ordered")


@pytest.mark.parametrize("rules", _RULES)
@pytest.mark.parametrize("seed", range(6))
def test_two_tables_that_look_the_same_to_a_seat_say_the_same_at_the_same_time(rules: str, seed: int) -> None:
    rng = random.Random(seed)
    club = Club(Settings(rules=rules, clock=wire.Clock(decision=20, reserve=5) if seed % 2 else None), seed=seed)
    club.seat_people(0, 1, 2, 3)
    club.start()
    differences = 0
    for _ in range(10):
        # On to some later moment, often in the middle of a window.
        for _ in range(rng.randrange(1, 14)):
            club.play(rng, most=1)
        if club.table.logged.game is None:
            continue
        seat = rng.randrange(4)
        club.forget()
        one, two = copy.deepcopy(club), copy.deepcopy(club)
        _redraw(two, seat, rng)
        assert one.table.logged.game is not None
        assert two.table.logged.game is not None
        differences += one.table.logged.game.round.hands != two.table.logged.game.round.hands
        _live_through_the_same(one, two, seat, rng)
    assert differences > 3


def _redraw(club: Club, seat: int, rng: random.Random) -> None:
    """Give the others other cards, and ask those to bomb who now can."""
    logged = club.table.logged
    game = logged.game
    assert game is not None
    state = game.round
    window = club.table.snapshot(club.people[0].id, club.now).view
    assert window is not None
    if state.phase is Phase.BOMB:
        view = state.view((state.pending[0] + 1) & 3)
        state = state._replace(phase=view.phase, pending=view.pending, actor=-1)
    state = reshuffled(state, seat, rng)
    if logged.rules.bombs == "ordered" and window.window is not None:
        actor = next(who for who, action in reversed(game.actions) if action != CALL_TICHU)
        state = state._window(actor)
    logged.game = game._replace(round=state)


def _live_through_the_same(one: Club, two: Club, seat: int, rng: random.Random) -> None:
    for _ in range(14):
        player = one.people[seat].id
        before = [len(club.heard.setdefault(player, [])) for club in (one, two)]
        what = rng.randrange(10)
        if what < 5:
            message = _anything(one, seat, rng)
            for club in (one, two):
                club.command(seat, message)
        elif what == 5:
            check = wire.Check(id=one.id(), cards=_some_cards(one, seat, rng))
            two.id()
            assert encoded(one.table.check(player, check)) == encoded(two.table.check(player, check))
        elif what == 6:
            since = rng.choice((None, one.table.logged.version - rng.randrange(20), 10**6))
            for club in (one, two):
                club.take(club.table.disconnect(player, club.now))
                club.take(club.table.connect(club.people[seat], club.now, since, "secret"))
        elif what == 7:
            _others_act(one, two, seat, rng)
        else:
            _let_time_pass(one, two, rng.choice((0.01, 0.05, 0.2, 1.0, 26.0)))
        heard = [
            [(club.times[player][at], encoded(club.heard[player][at])) for at in range(start, len(club.heard[player]))]
            for club, start in zip((one, two), before, strict=True)
        ]
        assert heard[0] == heard[1]
        if one.table.logged.game is None or two.table.logged.game is None:
            return


def _let_time_pass(one: Club, two: Club, seconds: float) -> None:
    """Both clocks go on; no bot answers."""
    for club in (one, two):
        until = club.now + seconds
        club.answers_bots = False
        for _ in range(50):
            if not club.wait(until) or club.table.logged.game is None:
                break
        club.now = until


def _others_act(one: Club, two: Club, seat: int, rng: random.Random) -> None:
    """Something that another seat can do at both tables alike."""
    other = rng.choice([who for who in range(4) if who != seat])
    options: list[wire.Command] = [
        wire.Say(id=one.id(), text="hm"),
        wire.Wait(id=one.id()),
        wire.Emote(id=one.id(), emote="wow"),
    ]
    for action in (PASS, CALL_TICHU):
        if all(action in club.table.logged.plain_view(other).legal() for club in (one, two)):
            options += [command_for(action, one.id())] * (6 if isinstance(action, Pass) else 1)
    message = rng.choice(options)
    for club in (one, two):
        club.command(other, message)
    two._ids = one._ids


def _some_cards(club: Club, seat: int, rng: random.Random) -> tuple[str, ...]:
    game = club.table.logged.game
    assert game is not None
    source = game.round.hands[seat] if rng.random() < 0.8 else ALL_CARDS
    cards = list(cards_of(source))
    return tuple(format_card(card) for card in rng.sample(cards, min(len(cards), rng.choice((1, 1, 2, 3, 5)))))


def _anything(club: Club, seat: int, rng: random.Random) -> wire.Command:
    """A command of the seat, sensible or not."""
    logged, name = club.table.logged, club.id()
    cards = _some_cards(club, seat, rng)
    legal = logged.view(seat, window=True).legal()
    options: list[wire.Command] = [
        wire.PlayCards(id=name, cards=cards, version=logged.version - rng.randrange(3)),
        wire.PlayBomb(id=name, cards=cards),
        wire.Pass(id=name),
        wire.DeclineBomb(id=name),
        wire.DeclareTichu(id=name),
        wire.DeclareGrandTichu(id=name),
        wire.DeclineGrandTichu(id=name),
        wire.SelectExchange(id=name, left="".join(cards[:1]) or None),
        wire.ConfirmExchange(id=name),
        wire.Wish(id=name, wish_rank="7"),
        wire.DragonDonate(id=name, to_opponent_player_id=rng.randrange(4)),
        wire.Wait(id=name),
        wire.AutoPass(id=name, until=rng.choice(("off", "turn", "trick"))),
        wire.Assist(id=name, seat=(seat + 1) & 3),
        wire.StandIn(id=name, seat=(seat + 1) & 3),
        wire.Ready(id=name),
        wire.Nonce(id=name, nonce="ab"),
        wire.Say(id=name, text="hello"),
    ]
    if len(legal) > legal.may_call and (action := legal.draw(rng)) != TAKE:
        options += [command_for(action, name, logged.version)] * 8
    return rng.choice(options)


@pytest.mark.parametrize("rules", ["courtesy", "standard", "standard direction=cw bombs=ordered"])
@pytest.mark.parametrize("seed", range(8))
def test_nobody_learns_who_else_can_bomb(rules: str, seed: int) -> None:
    """The seat holds a bomb itself; whether others do, and are asked before it, is not to be seen."""
    for at, twin in enumerate(_TWINS):
        for seat in (2, 3):
            rng = random.Random(f"{seed} {at} {seat}")
            clubs = []
            for position in (_BOMBS_ABOUT, twin):
                club = Club(Settings(rules=rules, position=position), seed=seed)
                club.seat_people(0, 1, 2, 3)
                club.start()
                club.forget()
                assert isinstance(club.command(0, wire.PlayCards(id="first", cards=("7s",))), wire.Ack)
                clubs.append(club)
            one, two = clubs
            heard = [[encoded(message) for message in club.heard[f"player{seat}"]] for club in clubs]
            assert heard[0] == heard[1]
            _live_through_the_same(one, two, seat, rng)


def test_the_twins_differ_in_who_is_asked() -> None:
    """The test above would prove nothing if the core asked the same seats."""
    asked = set()
    for position in (_BOMBS_ABOUT, *_TWINS):
        state = Round.from_position(position, Rules.parse("courtesy direction=cw"))
        state = state.after(0, parse_combo("7s"))
        asked.add((state.phase, state.pending))
    assert len(asked) == 2


#: Seats 2 and 3 always hold the same bombs; seats 0 and 1 hold one or none.
_BOMBS_ABOUT = "7s8s9bTs/2s2b2g2r/4s4b4g4rJr/6s6b6g6r9s p0 - 90/0/0/0 - ---- - -/-/-/-"
_TWINS = (
    "7s8s9b2r/2s2b2gTs/4s4b4g4rJr/6s6b6g6r9s p0 - 90/0/0/0 - ---- - -/-/-/-",
    "7s2s2b2g/2rTs8s9b/4s4b4g4rJr/6s6b6g6r9s p0 - 90/0/0/0 - ---- - -/-/-/-",
)


@pytest.mark.parametrize("rules", ["standard", "courtesy"])
def test_every_bot_with_four_cards_is_asked_at_every_window(rules: str) -> None:
    """Who holds a bomb must show neither in the number of questions nor in which bots get them."""

    def questions(position: str) -> list[tuple[str, int]]:
        club = Club(Settings(rules=rules, position=position, pace=0.1))
        club.answers_bots = False
        club.seat_people(0)
        club.start()
        asks = club.table.handle(club.people[0], wire.PlayCards(id="p", cards=("7s",)), club.now).asks
        return [(ask.bot, len(list(ask.view.legal()))) for ask in asks]

    with_bombs = questions("7s8s9bTs/2s2b2g2rJs/4s4b4gJr/6s6b6g6r9s p0 - 90/0/0/0 - ---- - -/-/-/-")
    without = questions("7s8s9bTs/2s2b2g6rJs/4s4b4gJr/6s6b6g2r9s p0 - 90/0/0/0 - ---- - -/-/-/-")
    assert with_bombs == without == [("greedy", 2)] * 3


@pytest.mark.parametrize("bot", [*AGENTS, *LEVELS])
def test_every_bot_answers_a_decoy_without_a_fault(bot: str) -> None:
    view = Round.from_position("7s8s9bTs/2s2bJs5g/4s4b4gJr/6s6b6g9s p1 0:7g 90/0/0/0 - ---- - -/-/-/-").view(1)
    past = tuple((seat, PASS) for seat in (1, 2, 3))
    guarded = Guarded(make_agent(bot, 1))
    decoy = decoy_view(view._replace(history=past, score=(400, 300)))
    assert guarded.act(decoy, decoy.legal()) in decoy.legal()
    assert not guarded.faults


def test_a_refusal_tells_spectators_no_more_than_they_have_been_shown() -> None:
    club = Club(Settings(position="7s8s9bTs/2s2bJs5g/4s4b4gJr/6s6b6g9s p0 - 85/0/0/0 - ---- - -/-/-/-", pace=0.1))
    club.seat_people(0, 1, 2, 3)
    club.start()
    zoe = Player("zoe", "Zoe")
    club.connect(zoe)
    welcome = club.heard["zoe"][-1]
    assert isinstance(welcome, wire.Welcome)
    assert isinstance(club.command(0, wire.PlayCards(id="p", cards=("7s",))), wire.Ack)
    assert club.table.logged.version > welcome.version
    for number, command in enumerate((wire.Pass(id="a"), wire.Ready(id="b"), wire.Start(id="c"))):
        refused = club.command(zoe, command)
        assert isinstance(refused, wire.Refused), number
        assert refused.version == welcome.version
    hint = club.table.hint("zoe", wire.Hint(id="h"), club.now)
    assert isinstance(hint, wire.Refused)
    assert hint.version == welcome.version


@pytest.mark.parametrize("rules", ["standard", "courtesy"])
def test_spectators_cannot_count_what_happens_in_a_trick(rules: str) -> None:
    """The end of a window changes nothing that they see, so they do not hear of it."""
    position = "7s8s9bTs/2s2bJs5g/4s4b4gJr/6s6b6g9s p0 - 85/0/0/0 - ---- - -/-/-/-"
    clock = wire.Clock(decision=60)
    club = Club(Settings(rules=rules, position=position, pace=0.1, clock=clock))
    club.seat_people(0, 1, 2, 3)
    club.start()
    club.connect(Player("zoe", "Zoe"), Player("yan", "Yan"))
    club.forget()
    assert club.command(0, wire.PlayCards(id="p", cards=("7s",))) is not None
    club.wait(club.now + 3)
    assert club.table.logged.public()[1] == (3,)
    assert club.command(3, wire.AutoPass(id="a", until="trick")) is not None
    assert len(club.heard["player3"]) > 3
    assert "zoe" not in club.heard
    # What changes for all of them is made and written once.
    club.take(club.table.disconnect("player1", club.now))
    assert isinstance(club.heard["zoe"][-1], wire.State)
    assert club.heard["zoe"][-1] is club.heard["yan"][-1]


@pytest.mark.parametrize("clock", [None, wire.Clock(decision=60)])
def test_nobody_hears_that_somebody_passes_automatically(clock: wire.Clock | None) -> None:
    """Who means to pass in this trick has nothing to say in it: one message more would tell the others so."""
    position = "7s8s9bTs/2s2bJs5g/4s4b4gJr/6s6b6g9s p0 - 85/0/0/0 - ---- - -/-/-/-"
    club = Club(Settings(rules="standard", position=position, pace=0.1, clock=clock))
    club.seat_people(0, 1, 2, 3)
    club.start()
    club.connect(Player("zoe", "Zoe"))
    assert club.command(0, wire.PlayCards(id="p", cards=("7s",))) is not None
    club.wait(club.now + 3)
    for seat, until in ((1, "trick"), (2, "turn"), (3, "trick"), (3, "off")):
        club.forget()
        assert isinstance(club.command(seat, wire.AutoPass(id=f"{seat} {until}", until=until)), wire.Ack)  # type: ignore[arg-type]
        assert club.heard.keys() == {f"player{seat}"}
        state = club.heard[f"player{seat}"][-1]
        assert isinstance(state, wire.State)
        assert state.view is not None
        assert state.view.auto_pass == until
