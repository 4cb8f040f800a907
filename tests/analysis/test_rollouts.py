from itertools import islice

import numpy as np
import pytest

from tests.analysis.games import decisions
from tichu import Rules
from tichu.agents.batching import run_batched
from tichu.agents.learned.agent import LearnedAgent
from tichu.agents.learned.network import champion
from tichu.analysis.rollouts import Start, _coroutine, is_native, play_on, public_part

RULES = ["standard", "brettspielwelt", "single-round"]


def starts(text: str) -> list[Start]:
    rules = Rules.parse(text).sequential()
    found = []
    for game, seat, action in islice(decisions(3, rules), 55, None, 19):
        if seat == game.round.pending[0]:
            found.append(Start(game.round, public_part(game.actions), seat, action, (250, -30)))
    return found


@pytest.mark.parametrize("text", RULES)
def test_rounds_are_played_on_as_the_bot_itself_plays(text: str) -> None:
    if not is_native():
        pytest.skip("without the native core the bot itself plays")
    given = starts(text)
    by_bot = run_batched([_coroutine(start, champion()) for start in given], LearnedAgent.act_batch)
    # A score that is equal to the last bit may be rounded the other way.
    assert np.count_nonzero(play_on(given) != by_bot) <= 1
    assert len(given) > 0


def test_the_same_starts_give_the_same() -> None:
    given = starts("standard")
    assert play_on(given).tolist() == play_on(given).tolist()


def test_nothing_to_play_is_nothing() -> None:
    assert len(play_on([])) == 0
