"""``searching``: the champion, which thinks again where it is in doubt.

Where the network likes two actions or three, each is played on in worlds that the seat thinks likely, the same worlds
for all.  Another action than the champion's is taken if it is better by all that is known: it starts with a handicap,
and what was found in worlds counts as much as it is sure (:func:`weigh`).

How much is thought does not depend on the clock but on numbers of rounds, and chance comes from what the seat sees: the
same view gives the same decision.  Everything else, and every view without its whole history, is left to the champion.
"""

from random import Random
from typing import ClassVar, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from tichu.agents.base import Agent, Choice
from tichu.agents.learned.agent import LearnedAgent
from tichu.analysis.accounts import played_by
from tichu.analysis.beliefs import Belief, belief_about
from tichu.analysis.decisions import Decision
from tichu.analysis.precision import Estimate, estimate
from tichu.analysis.rollouts import play_on, policy
from tichu.analysis.values import starts_in
from tichu.analysis.worlds import Worlds
from tichu.core.actions import Action, CallGrand, CallTichu
from tichu.core.cards import HIDDEN, Cards, cards_of
from tichu.core.errors import GameError
from tichu.core.legal import Legal
from tichu.core.phases import Phase
from tichu.core.view import View

__all__ = [
    "LEFT_ALONE",
    "Doubt",
    "SearchingAgent",
    "Settings",
    "belief_of_others",
    "cut_for",
    "doubt_of",
    "weigh",
]

#: What is known about another action that the champion likes before anything was played, in points, by
#: ``python -m bench.searching``: by how much it is worse than the first, and the standard deviation of that, which is
#: smaller in exchanges.
_HANDICAP: Final = 5.0
_SPREAD: Final = 20.0
_EXCHANGE_SPREAD: Final = 12.0
#: What rollouts are off by, however many they are.
_OFF: Final = 8.0
#: How many actions are compared.
_MOST_ACTIONS: Final = 3
#: Worlds after which it is asked for the first time whether more are needed; then at twice as many, and so on.
_FIRST: Final = 32
#: What is left to the champion: nothing was gained here.
LEFT_ALONE: Final = (Phase.WISH, Phase.TAKE)
#: Cards that are given in an exchange.
_PICKS: Final = 12
#: An action that is so many standard errors behind is not looked at any longer.
_BEHIND: Final = 2.5


class Settings(NamedTuple):
    """How a bot searches."""

    #: For one decision at most.
    worlds: int = 128
    #: The network that plays on.
    policy: str = "small"
    #: After so many decisions the critic says how a round would end; 0: rounds are played to their end.
    cut: int = 8
    #: Others are looked at if the champion likes them so much, beside its choice.
    percent: int = 2

    @classmethod
    def parse(cls, text: str) -> "Settings":
        """Read ``worlds=200:policy=learned``.

        :raises GameError: there is no such setting, or it cannot be so
        """
        numbers, network = {}, cls().policy
        for part in text.split(":"):
            name, _, value = part.partition("=")
            if name not in cls._fields:
                raise GameError(f"searching has no setting {name!r}; there are {', '.join(cls._fields)}")
            if name == "policy":
                policy(value)
                network = value
            elif value.isdecimal() and len(value) < 8:
                numbers[name] = int(value)
            else:
                raise GameError(f"{name} is a number, not {value!r}")
        if numbers.get("worlds", 2) < 2:
            raise GameError("searching takes two worlds or more")
        return cls(policy=network, **numbers)


class Doubt(NamedTuple):
    """A decision between actions, of which the first is the champion's."""

    actions: tuple[Action, ...]
    #: How much the champion likes each beside the first, the more the better.
    odds: tuple[float, ...]


def weigh(found: Estimate, phase: Phase) -> Estimate:
    """By how many points another action is better than the champion's, by all that is known.

    Before anything was played it is expected to be a little worse; what was found in worlds counts as much as it is
    sure.
    """
    spread = _EXCHANGE_SPREAD if phase is Phase.EXCHANGE else _SPREAD
    weight = spread**2 / (spread**2 + found.error**2 + _OFF**2)
    return Estimate(weight * found.mean - (1 - weight) * _HANDICAP, weight * found.error)


def doubt_of(bot: LearnedAgent, view: View, percent: int) -> Doubt:
    """What the champion would do, and what else it likes."""
    (choice, chance), *others = bot.alternatives(view)
    # Whether to call is a question of its own: calling and not calling have a chance together.
    call = next((each for action, each in others if isinstance(action, CallTichu | CallGrand)), 0.0)
    if isinstance(choice, CallTichu | CallGrand):
        known = [(action, (1 - chance) / chance) for action, _ in others[:1]]
    else:
        known = [
            (action, call / (1 - call) if isinstance(action, CallTichu | CallGrand) else each / chance)
            for action, each in others
        ]
    near = sorted((each for each in known if 100 * each[1] >= percent), key=lambda each: -each[1])[: _MOST_ACTIONS - 1]
    return Doubt((choice, *(action for action, _ in near)), (1.0, *(odds for _, odds in near)))


class SearchingAgent(Agent):
    """The champion, which plays rounds on in possible worlds where it is in doubt."""

    name: ClassVar[str] = "searching"

    def __init__(self, seed: int = 0, settings: Settings | None = None) -> None:
        super().__init__(seed)
        self.settings = Settings() if settings is None else settings
        self._bot = LearnedAgent(seed)

    @classmethod
    def from_options(cls, options: str, seed: int = 0) -> "SearchingAgent":
        """The bot of a spec such as ``searching:worlds=200``.

        :raises GameError: there is no such setting
        """
        return cls(seed, Settings.parse(options))

    def act(self, view: View, legal: Legal) -> Action:
        doubt = doubt_of(self._bot, view, self.settings.percent)
        return doubt.actions[self._search(view, doubt)]

    def explain(self, view: View, legal: Legal) -> Choice:
        """The champion's reasons; of what it would not have done there are none but that it is better in worlds."""
        action = self.act(view, legal)
        known = self._bot.explain(view, legal)
        return known if known.action == action else Choice(action, "chosen")

    def _search(self, view: View, doubt: Doubt) -> int:
        """Which action to take."""
        if len(doubt.actions) < 2 or view.phase in LEFT_ALONE:
            return 0
        try:
            worlds = Worlds(view, _eight_of(view), belief_of_others())
            return _Search(view, worlds, doubt, self.settings).best(Random(f"{self.seed}/{view}"))
        except GameError:
            # Without a whole history nothing is known about the others, and no world is found.
            return 0


class _Search:
    def __init__(self, view: View, worlds: Worlds, doubt: Doubt, settings: Settings) -> None:
        self._decision = Decision(0, view, _eight_of(view), doubt.actions[0])
        self._worlds = worlds
        self._doubt = doubt
        self._settings = settings
        self._network = policy(settings.policy)
        self._cut = cut_for(view, settings.cut or None)

    def best(self, rng: Random) -> int:
        """The place of the action that is best by all that is known; others are given up on the way."""
        settings = self._settings
        left = list(range(1, len(self._doubt.actions)))
        points = np.zeros((0, len(self._doubt.actions)))
        number = min(_FIRST, settings.worlds)
        while True:
            points = np.concatenate([points, self._play(rng, number - len(points), left)])
            known = {
                place: weigh(estimate(points[:, place] - points[:, 0]), self._decision.view.phase) for place in left
            }
            if number >= settings.worlds:
                break
            left = [place for place, (mean, error) in known.items() if mean > -_BEHIND * error]
            if not left or (len(left) == 1 and known[left[0]][0] > _BEHIND * known[left[0]][1]):
                break
            number = min(2 * number, settings.worlds)
        better = {place: mean for place, (mean, _) in known.items() if mean > 0 and place in left}
        return max(better, key=lambda place: better[place], default=0)

    def _play(self, rng: Random, number: int, left: list[int]) -> NDArray[np.float64]:
        """Points of the first action and of those that are left, in further worlds; 0 for the others."""
        places = [0, *left]
        drawn = self._worlds.draw_some(number, rng)
        actions = [self._doubt.actions[place] for place in places]
        ends = play_on(starts_in(self._decision, self._worlds, drawn, actions), self._network, self._cut)
        sign = 1 if self._decision.view.seat % 2 == 0 else -1
        points = np.zeros((number, len(self._doubt.actions)))
        points[:, places] = sign * ends.points.reshape(number, len(places))
        return points


def belief_of_others() -> Belief | None:
    """What is believed of the others, who may well be champions."""
    return belief_about("learned")


def cut_for(view: View, cut: int | None) -> int | None:
    """After how many decisions the critic judges: the exchange is made first, and Grand calls it does not know."""
    if cut is None or view.phase is Phase.GRAND:
        return None
    return cut + (_PICKS if view.phase is Phase.EXCHANGE else 0)


def _eight_of(view: View) -> Cards:
    """Eight cards that may have been the seat's first ones: what is unknown by now does not matter."""
    if view.phase is Phase.GRAND:
        return view.hand
    dealt = view.hand | played_by(view.history)[view.seat]
    own = view.given[view.seat]
    if own and view.phase is not Phase.EXCHANGE:
        for giver, cards in enumerate(view.given):
            for distance, card in enumerate(cards, start=1):
                if giver == view.seat:
                    dealt |= 1 << card
                elif (giver + distance) & 3 == view.seat and card != HIDDEN:
                    dealt &= ~(1 << card)
    return sum(1 << card for card in list(cards_of(dealt))[:8])
