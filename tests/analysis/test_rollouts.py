from itertools import islice

import numpy as np
import pytest

from tests.analysis.games import decisions
from tichu import Rules
from tichu.agents.learned.network import champion, small
from tichu.analysis.rollouts import Start, _play_in_python, is_native, play_on, policy, public_part
from tichu.core.errors import GameError
from tichu.core.phases import Phase

RULES = ["standard", "brettspielwelt", "single-round"]


def starts(text: str) -> list[Start]:
    rules = Rules.parse(text).sequential()
    found = []
    for game, seat, action in islice(decisions(3, rules), 55, None, 19):
        if seat == game.round.pending[0]:
            found.append(Start(game.round, public_part(game.actions), seat, action, (250, -30)))
    return found


@pytest.mark.parametrize("name", ["learned", "small"])
@pytest.mark.parametrize("text", RULES)
def test_rounds_are_played_on_as_the_bot_itself_plays(text: str, name: str) -> None:
    if not is_native():
        pytest.skip("without the native core the bot itself plays")
    given = starts(text)
    by_bot = _play_in_python(given, policy(name), None)
    played = play_on(given, policy(name))
    assert np.array_equal(played.outcomes, by_bot.outcomes)
    assert np.array_equal(played.points, played.scores[:, 0] - played.scores[:, 1])
    assert played.is_over.all()
    assert len(given) > 0


@pytest.mark.parametrize("text", RULES)
def test_the_critic_says_what_to_expect_where_rounds_are_cut_short(text: str) -> None:
    if not is_native():
        pytest.skip("without the native core the bot itself plays")
    given = starts(text)
    for limit in (0, 2):
        in_python, natively = (play(given, champion(), limit) for play in (_play_in_python, play_on))
        assert not natively.is_over.all()
        assert np.array_equal(natively.outcomes, in_python.outcomes)
        assert np.abs(natively.points - in_python.points).max() < 0.1
    # Late in the round everything is nearly known.
    late = given[-1:]
    assert abs(float(play_on(late, None, 0).points[0] - play_on(late).points[0])) < 150


def test_before_the_exchange_too_the_critic_knows_all_hands() -> None:
    if not is_native():
        pytest.skip("without the native core the bot itself plays")
    # Clockwise another seat would be asked first.
    rules = Rules.parse("standard").sequential()
    early = [each for each in islice(decisions(3, rules), 7) if each.seat == each.game.round.pending[0]]
    given = [Start(game.round, (), seat, action) for game, seat, action in early]
    assert {start.state.phase for start in given} == {Phase.GRAND, Phase.EXCHANGE}
    assert np.abs(play_on(given, None, 0).points - _play_in_python(given, champion(), 0).points).max() < 0.1


def test_a_network_of_numpy_is_asked_through_the_bot() -> None:
    given = starts("standard")[-2:]
    assert play_on(given, small().by_numpy()).is_over.all()


def test_an_unknown_policy_is_refused() -> None:
    with pytest.raises(GameError, match="there are learned, small"):
        policy("huge")


def test_the_same_starts_give_the_same() -> None:
    given = starts("standard")
    assert play_on(given).points.tolist() == play_on(given).points.tolist()


def test_nothing_to_play_is_nothing() -> None:
    assert len(play_on([]).points) == 0
