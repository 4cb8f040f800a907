"""Tichu as a game of OpenSpiel: one round, known as ``tichu`` once this module is imported.

    import pyspiel, tichu.envs.openspiel
    game = pyspiel.load_game("tichu", {"rules": "simple"})

``rules`` is a rule set, played in its sequential form (§7.2).  Chance deals the cards one by one; with ``position``
there is nothing to deal: the round goes on from there, or from one of several positions, divided by ``;``, of which
chance chooses one.  Actions are those of the environments (``docs/envs.md``).  The utility is the difference of the
scores of the round, so the game has sum zero and lies within 800 points: a double victory, a Grand Tichu made, and two
of the opponents' lost.
"""

from collections.abc import Callable, Iterable
from random import Random
from typing import Any, Final, TypeAlias

import numpy as np
import pyspiel

from tichu.analysis.worlds import World, Worlds
from tichu.core.actions import (
    CALL_GRAND,
    DECLINE_BOMB,
    DECLINE_GRAND,
    Action,
    CallGrand,
    CallTichu,
    DeclineBomb,
    DeclineGrand,
    Exchange,
    format_action,
)
from tichu.core.cards import Card, Cards, format_card, format_cards
from tichu.core.combos import Combo
from tichu.core.errors import GameError
from tichu.core.game import Game
from tichu.core.phases import Call, Phase
from tichu.core.position import format_view
from tichu.core.round import Round
from tichu.core.rules import Rules
from tichu.encoding import (
    ACTION_COUNT,
    OBSERVATION_SIZE,
    decode,
    decode_pick,
    describe,
    encode,
    legal_numbers,
    write_observation,
)
from tichu.encoding.numbering import PICKING, PLAYING, pick_number

__all__ = ["TichuGame", "TichuState", "make_resampler"]

_CARDS: Final = 56
#: Until another state is found: whoever decides finds one at once.
_MOST_DRAWS: Final = 1_000
_MOST_POINTS: Final = 800
#: More than any round can have: a card a play, with a pass and a bomb declined by everybody after each.
_LONGEST: Final = 1_000

_TYPE: Final = pyspiel.GameType(
    short_name="tichu",
    long_name="Tichu",
    dynamics=pyspiel.GameType.Dynamics.SEQUENTIAL,
    chance_mode=pyspiel.GameType.ChanceMode.EXPLICIT_STOCHASTIC,
    information=pyspiel.GameType.Information.IMPERFECT_INFORMATION,
    utility=pyspiel.GameType.Utility.ZERO_SUM,
    reward_model=pyspiel.GameType.RewardModel.TERMINAL,
    max_num_players=4,
    min_num_players=4,
    provides_information_state_string=True,
    provides_information_state_tensor=False,
    provides_observation_string=True,
    provides_observation_tensor=True,
    parameter_specification={"rules": "standard", "position": ""},
)


class TichuGame(pyspiel.Game):  # type: ignore[misc]
    """A round of Tichu under a rule set."""

    def __init__(self, params: dict[str, Any] | None = None) -> None:
        given = {"rules": "standard", "position": ""} | (params or {})
        #: As they are played.
        self.rules = Rules.parse(str(given["rules"])).sequential()
        #: Where the round may begin; none if it is dealt.
        self.positions = tuple(
            Round.from_position(text.strip(), self.rules) for text in str(given["position"]).split(";") if text.strip()
        )
        info = pyspiel.GameInfo(
            num_distinct_actions=ACTION_COUNT,
            max_chance_outcomes=len(self.positions) if self.positions else _CARDS,
            num_players=4,
            min_utility=-_MOST_POINTS,
            max_utility=_MOST_POINTS,
            utility_sum=0.0,
            max_game_length=_LONGEST,
        )
        super().__init__(_TYPE, info, given)

    def new_initial_state(self) -> "TichuState":
        """Before the deal, or in the only position."""
        return TichuState(self)

    def make_py_observer(self, iig_obs_type: Any = None, params: Any = None) -> "_Observer":
        """What a player sees, as bytes of the environments."""
        return _Observer(iig_obs_type)


#: Who took an action, and what it was: of an exchange each card by itself.
_Step: TypeAlias = tuple[int, Action | Card]


class _Kept:
    """Values that never change: copies share them."""

    __slots__ = ("game", "steps")

    def __init__(self, game: Game | None, steps: tuple[_Step, ...]) -> None:
        self.game = game
        self.steps = steps

    def __deepcopy__(self, memo: object) -> "_Kept":
        return self


class TichuState(pyspiel.State):  # type: ignore[misc]
    """A moment of a round."""

    def __init__(self, game: TichuGame) -> None:
        super().__init__(game)
        self._rules = game.rules
        self._positions = game.positions
        self._dealt: tuple[Card, ...] = ()
        self._picks: tuple[Card, ...] = ()
        self._chosen: tuple[tuple[int, ...], ...] = ((), (), (), ())
        self._kept = _Kept(None, ())
        #: Who takes the next action and what it stands for, if that is known better than by its number.
        self._exactly: tuple[int, Action | Card] | None = None
        if len(self._positions) == 1:
            self._begin(Game.from_round(self._positions[0]))

    @property
    def game(self) -> Game | None:
        """The round as the library has it; nothing before the deal."""
        return self._kept.game

    # What OpenSpiel asks.

    def current_player(self) -> int:
        """The lowest seat that is to decide."""
        game = self._kept.game
        if game is None:
            return int(pyspiel.PlayerId.CHANCE)
        return int(pyspiel.PlayerId.TERMINAL) if game.round.is_over else game.round.pending[0]

    def is_terminal(self) -> bool:
        """Whether the round is over."""
        return self._kept.game is not None and self._kept.game.round.is_over

    def chance_outcomes(self) -> list[tuple[int, float]]:
        """The next card of the deal, or a position."""
        left = range(len(self._positions)) if self._positions else sorted(set(range(_CARDS)) - set(self._dealt))
        return [(one, 1 / len(left)) for one in left]

    def _legal_actions(self, player: int) -> list[int]:
        game = self._kept.game
        assert game is not None
        return sorted(legal_numbers(game.view(player), self._picks))

    def _apply_action(self, number: int) -> None:
        game = self._kept.game
        if game is None:
            self._apply_chance(number)
            return
        if game.round.is_over or not 0 <= number < ACTION_COUNT:
            raise GameError(
                "the round is over" if game.round.is_over else f"no action {number}; they end with {ACTION_COUNT - 1}"
            )
        seat, meaning = self._exactly or (game.round.pending[0], None)
        self._exactly = None
        view = game.view(seat)
        if PICKING <= number < PLAYING:
            if view.phase is not Phase.EXCHANGE:
                raise GameError("no card is given now")
            card = meaning if isinstance(meaning, int) else decode_pick(number, view, self._picks)
            self._picks = (*self._picks, card)
            self._note(seat, number)
            self._kept = _Kept(game, (*self._kept.steps, (seat, card)))
            if len(self._picks) == 3:
                self._kept = _Kept(game.after(seat, Exchange(*self._picks)), self._kept.steps)
                self._picks = ()
            return
        action = decode(number, view) if meaning is None or isinstance(meaning, int) else meaning
        self._kept = _Kept(game.after(seat, action), (*self._kept.steps, (seat, action)))
        self._note(seat, number)

    def _note(self, seat: int, number: int) -> None:
        """What a seat has chosen, when it was legal."""
        self._chosen = tuple(
            (*chosen, number) if other == seat else chosen for other, chosen in enumerate(self._chosen)
        )

    def _apply_chance(self, outcome: int) -> None:
        if not 0 <= outcome < (len(self._positions) or _CARDS) or outcome in self._dealt:
            raise GameError(f"chance has no outcome {outcome} now")
        if self._positions:
            self._begin(Game.from_round(self._positions[outcome]))
            return
        self._dealt = (*self._dealt, outcome)
        if len(self._dealt) == _CARDS:
            eights = [_set(self._dealt[8 * seat : 8 * seat + 8]) for seat in range(4)]
            sixes = [_set(self._dealt[32 + 6 * seat : 38 + 6 * seat]) for seat in range(4)]
            self._begin(Game.start(tuple(zip(eights, sixes, strict=True)), self._rules))

    def _begin(self, game: Game) -> None:
        self._kept = _Kept(game, ())

    def _action_to_string(self, player: int, number: int) -> str:
        if player == pyspiel.PlayerId.CHANCE:
            return f"position {number}" if self._positions else format_card(number)
        return describe(number)

    def returns(self) -> list[float]:
        """The difference of the scores, for each seat that of its team."""
        game = self._kept.game
        if game is None or not game.round.is_over:
            return [0.0] * 4
        own, other = game.round.outcome.score
        return [float(own - other), float(other - own)] * 2

    def __str__(self) -> str:
        game = self._kept.game
        if game is None:
            return f"dealt {' '.join(map(format_card, self._dealt))}".strip()
        picks = "".join(map(format_card, self._picks))
        return f"{game.round} {picks}".strip()

    # What a player knows.

    def information_state_string(self, player: int | None = None) -> str:
        """All that a seat has seen and done: it never forgets."""
        seat = self.current_player() if player is None else player
        game = self._kept.game
        if game is None:
            return f"{seat}: before the deal"
        view = game.view(seat)
        seen = " ".join(format_action(*event) for event in view.history)
        eight = format_cards(game.deal[seat][0]) if game.deal else ""
        chosen = " ".join(map(str, self._chosen[seat]))
        return f"{seat}: {format_view(view)} | {eight} | {seen} | {chosen}"

    def observation_string(self, player: int | None = None) -> str:
        """What a seat sees now."""
        seat = self.current_player() if player is None else player
        game = self._kept.game
        return f"{seat}: before the deal" if game is None else f"{seat}: {format_view(game.view(seat))}"

    def write_observation(self, seat: int, into: "np.ndarray[Any, np.dtype[np.uint8]]") -> None:
        """The bytes of the environments; nothing before the deal."""
        game = self._kept.game
        if game is None:
            into[:] = 0
            return
        picks = self._picks if self.current_player() == seat else ()
        write_observation(game.view(seat), into, picks)

    # Other worlds.

    def resample(self, seat: int, rng: Random) -> "TichuState":
        """A state in which this seat knows the same, all that are possible equally likely.

        If it is to decide, it is there, too.  Otherwise another seat may be asked to bomb than here, or none.

        :raises GameError: before the deal there is nothing to draw; of a seat that does not decide, no state was found
        """
        game = self._kept.game
        if game is None:
            raise GameError("before the deal nobody knows anything")
        if self._positions:
            return self._resample_position(seat, rng)
        worlds = Worlds(game.view(seat), game.deal[seat][0])
        for _ in range(_MOST_DRAWS):
            world = worlds.draw(rng)
            state: TichuState = self.get_game().new_initial_state()
            for cards in (*(eight for eight, _ in world.deal), *(six for _, six in world.deal)):
                for card in range(_CARDS):
                    if cards >> card & 1:
                        state.apply_action(card)
            _replay(state, seat, self._kept.steps, world)
            if _looks_alike(state, self, seat):
                return state
        raise GameError(f"no other state was found for seat {seat}, which is not to decide: ask for the seat that is")

    def _resample_position(self, seat: int, rng: Random) -> "TichuState":
        alike: list[TichuState] = []
        for outcome in range(len(self._positions)):
            state = self.get_game().new_initial_state()
            if len(self._positions) > 1:
                state.apply_action(outcome)
            try:
                _replay(state, seat, self._kept.steps)
            except GameError:
                continue
            if _looks_alike(state, self, seat):
                alike.append(state)
        if not alike:
            raise GameError(f"no state was found for seat {seat}, which is not to decide: ask for the seat that is")
        return rng.choice(alike)


def make_resampler(seed: int) -> Callable[[TichuState, int], TichuState]:
    """For ``set_resampler`` of OpenSpiel's Python ISMCTS: worlds that give the player the same information."""
    rng = Random(seed)

    def resample(state: TichuState, player: int) -> TichuState:
        return state.resample(player, rng)

    return resample


def _set(cards: tuple[Card, ...]) -> Cards:
    return sum(1 << card for card in cards)


def _replay(state: TichuState, seat: int, steps: Iterable[_Step], world: World | None = None) -> None:
    """Apply actions as they were, whatever suits their numbers would choose in these hands.

    What was hidden from the seat is as it was in the world.  Who is asked to bomb depends on the hands, and is seen by
    nobody else: others decline where the steps go on.
    """
    picks = [0, 0, 0, 0]
    for actor, action in steps:
        if isinstance(action, int):
            picks[actor] += 1
            if actor == seat or world is None:
                _apply_one(state, pick_number(action), actor, action)
            elif picks[actor] == 3:
                for card in world.given[actor]:
                    _apply_one(state, pick_number(card), actor, card)
            continue
        if actor != seat and isinstance(action, DeclineBomb):
            continue
        if actor == seat or not isinstance(action, CallTichu):
            is_answer = isinstance(action, DeclineBomb | CallTichu) or (isinstance(action, Combo) and action.is_bomb)
            _decline_bombs(state, actor if is_answer else None)
        if world is not None and actor != seat and isinstance(action, CallGrand | DeclineGrand):
            action = CALL_GRAND if world.calls[actor] is Call.GRAND else DECLINE_GRAND
        game = state.game
        assert game is not None
        _apply_one(state, encode(action, game.view(actor)), actor, action)


def _decline_bombs(state: TichuState, until: int | None) -> None:
    """Nobody throws a bomb, up to the seat that is asked next."""
    while (game := state.game) is not None and game.round.phase is Phase.BOMB and game.round.pending[0] != until:
        asked = game.round.pending[0]
        _apply_one(state, encode(DECLINE_BOMB, game.view(asked)), asked, DECLINE_BOMB)


def _apply_one(state: TichuState, number: int, seat: int, meaning: Action | Card) -> None:
    state._exactly = seat, meaning
    state.apply_action(number)


def _looks_alike(state: TichuState, original: TichuState, seat: int) -> bool:
    """Whether the seat knows the same, and is asked if it is there; questions to bomb are declined until it does.

    A question that nobody is asked here may be asked there: the table may then not have gone on as it did.
    """
    known = original.information_state_string(seat)
    decides = original.current_player() == seat
    while state.information_state_string(seat) != known or (decides and state.current_player() != seat):
        game = state.game
        if game is None or game.round.phase is not Phase.BOMB or game.round.pending[0] == seat:
            return False
        asked = game.round.pending[0]
        _apply_one(state, encode(DECLINE_BOMB, game.view(asked)), asked, DECLINE_BOMB)
    return True


class _Observer:
    """Bytes of the environments as numbers."""

    def __init__(self, kind: Any) -> None:
        self._recalls = kind is not None and kind.perfect_recall
        self.tensor = np.zeros(OBSERVATION_SIZE, np.float32)
        self.dict = {"observation": self.tensor}
        self._bytes = np.zeros(OBSERVATION_SIZE, np.uint8)

    def set_from(self, state: TichuState, player: int) -> None:
        """Take up what a player sees."""
        state.write_observation(player, self._bytes)
        self.tensor[:] = self._bytes

    def string_from(self, state: TichuState, player: int) -> str:
        """The same in words."""
        return state.information_state_string(player) if self._recalls else state.observation_string(player)


pyspiel.register_game(_TYPE, TichuGame)
