from collections.abc import Sequence
from functools import cache
from random import Random

import numpy as np
import pytest

from tichu import Game, GameError, Rules, View, shuffled_deal
from tichu.agents import make_agent
from tichu.agents.learned.agent import LearnedAgent
from tichu.analysis import searching
from tichu.analysis.precision import Estimate
from tichu.analysis.rollouts import Ends, Start
from tichu.analysis.searching import LEFT_ALONE, Doubt, SearchingAgent, Settings, doubt_of, weigh
from tichu.analysis.worlds import Worlds
from tichu.core.phases import Phase

FEW = Settings(worlds=6)


@cache
def views(text: str = "standard") -> tuple[View, ...]:
    """What the champions see in a round of theirs."""
    bot = LearnedAgent()
    game = Game.start(shuffled_deal(Random(3)), Rules.parse(text).sequential())
    seen = []
    while not game.round.is_over:
        view = game.view(game.round.pending[0])
        seen.append(view)
        game = game.after(view.seat, bot.act(view, view.legal()))
    return tuple(seen)


@cache
def doubts(text: str = "standard") -> tuple[tuple[View, Doubt], ...]:
    found = ((view, doubt_of(LearnedAgent(), view, 3)) for view in views(text))
    searched = [each for each in found if each[0].phase not in LEFT_ALONE]
    return tuple((view, doubt) for view, doubt in searched if len(doubt.actions) > 1)


def rig(monkeypatch: pytest.MonkeyPatch, better: int) -> None:
    """Let the candidate of this place be worth 100 points more than the others in every world."""

    def play(starts: Sequence[Start], network: object, cut: int | None) -> Ends:
        assert cut is None or starts[0].state.phase is not Phase.GRAND
        first, second = starts[0].action, next(each.action for each in starts if each.action != starts[0].action)
        good = (first, second)[better]
        sign = 1 if starts[0].seat % 2 == 0 else -1
        points = np.array([100 * sign * (start.action == good) for start in starts], np.float32)
        return Ends(points, np.zeros((len(starts), 7), np.int16))

    monkeypatch.setattr(searching, "play_on", play)


def test_the_champion_decides_where_it_is_in_no_doubt(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(searching, "play_on", None)
    bot, champion = SearchingAgent(), LearnedAgent()
    asked = [view for view in views() if len(doubt_of(champion, view, bot.settings.percent).actions) == 1]
    assert len(asked) > 20
    for view in asked[::9]:
        assert bot.act(view, view.legal()) == champion.act(view, view.legal())


@pytest.mark.parametrize("text", ["standard", "brettspielwelt"])
def test_what_is_better_in_worlds_is_taken(text: str, monkeypatch: pytest.MonkeyPatch) -> None:
    bot = SearchingAgent(0, FEW._replace(percent=3))
    champion = LearnedAgent()
    assert doubts(text)
    for view, doubt in doubts(text):
        assert doubt.actions[0] == champion.act(view, view.legal())
        assert len(set(doubt.actions)) == len(doubt.actions) == len(doubt.odds)
        assert all(action in view.legal() for action in doubt.actions)
    for better in (0, 1):
        rig(monkeypatch, better)
        for view, doubt in doubts(text)[:6]:
            assert bot.act(view, view.legal()) == doubt.actions[better]


def test_wishes_are_left_to_the_champion(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(searching, "play_on", None)
    view = next(view for view in views() if view.phase is Phase.WISH)
    bot = SearchingAgent(0, FEW._replace(percent=0))
    assert bot.act(view, view.legal()) == LearnedAgent().act(view, view.legal())


def test_what_is_no_better_is_not_taken() -> None:
    assert weigh(Estimate(0.0, 3.0), Phase.PLAY).mean < 0
    # The surer worlds are, the more they count, and in exchanges less.
    few, many = (weigh(Estimate(10.0, error), Phase.PLAY).mean for error in (30.0, 3.0))
    assert few < 0 < many < 10
    assert weigh(Estimate(10.0, 3.0), Phase.EXCHANGE).mean < many


def test_the_same_view_gives_the_same_decision() -> None:
    [(view, _), *_] = doubts()[-1:]
    bot = SearchingAgent(5, FEW._replace(percent=3))
    assert len({bot.act(view, view.legal()) for _ in range(3)}) == 1
    assert bot.explain(view, view.legal()).action == bot.act(view, view.legal())


def test_what_it_did_against_the_champion_is_explained_without_its_reasons(monkeypatch: pytest.MonkeyPatch) -> None:
    rig(monkeypatch, 1)
    view, doubt = doubts()[-1]
    choice = SearchingAgent(0, FEW._replace(percent=3)).explain(view, view.legal())
    assert (choice.action, choice.code) == (doubt.actions[1], "chosen")


def test_without_its_history_a_view_is_left_to_the_champion(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(searching, "play_on", None)
    view, doubt = next(each for each in doubts() if each[0].played)
    assert SearchingAgent(0, FEW).act(view._replace(history=()), view.legal()) in doubt.actions


def test_the_eight_that_are_assumed_are_possible() -> None:
    for view in views()[::15]:
        worlds = Worlds(view, searching._eight_of(view))
        [world] = worlds.sample(1, 1)
        assert worlds.replay(world).hands == world.hands


def test_settings_are_read() -> None:
    bot = make_agent("searching:worlds=7:policy=learned:cut=9", seed=4)
    assert isinstance(bot, SearchingAgent)
    assert bot.settings == Settings(worlds=7, policy="learned", cut=9)
    assert bot.seed == 4
    assert make_agent("searching").name == "searching"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("world=3", "no setting 'world'; there are worlds, policy, cut, percent"),
        ("", "no setting ''"),
        ("worlds=many", "worlds is a number, not 'many'"),
        ("worlds=1", "two worlds or more"),
        ("policy=greedy", "there are learned, small"),
    ],
    ids=["unknown", "empty", "no-number", "one", "policy"],
)
def test_wrong_settings_are_told(text: str, message: str) -> None:
    with pytest.raises(GameError, match=message):
        make_agent(f"searching:{text}")
