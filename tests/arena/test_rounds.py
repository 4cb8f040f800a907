"""Rounds that bots play are played in full: whoever can bomb is asked."""

from random import Random

import pytest

from tichu import PRESETS, DeclineBomb, Match, Rules, shuffled_deal
from tichu.agents import GreedyAgent
from tichu.arena import play_round


def count_declines(rules: Rules) -> int:
    """How often somebody was asked for a bomb in 60 rounds; the greedy bot always declines."""
    games = [play_round([GreedyAgent() for _ in range(4)], shuffled_deal(Random(seed)), rules) for seed in range(60)]
    return sum(isinstance(action, DeclineBomb) for game in games for _, action in game.actions)


def test_anytime_is_played_in_its_sequential_form() -> None:
    asked = count_declines(Rules())
    assert asked > 20
    assert asked == count_declines(Rules(bombs="ordered"))
    assert count_declines(Rules(bombs="in-turn")) == 0


def test_the_rules_of_a_match_are_too() -> None:
    match = Match(Rules(direction="cw"))
    for number in range(3):
        game = play_round([GreedyAgent() for _ in range(4)], shuffled_deal(Random(number)), match=match)
        match = game.match
        assert match.rules == Rules(direction="cw", bombs="ordered")
        assert len(match.outcomes) == number + 1


@pytest.mark.parametrize("name", PRESETS)
def test_every_preset_is_played_to_its_end(name: str) -> None:
    game = play_round([GreedyAgent() for _ in range(4)], shuffled_deal(Random(7)), PRESETS[name])
    assert game.round.is_over
    assert game.match.rules == PRESETS[name].sequential()
