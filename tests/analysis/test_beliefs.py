"""Worlds by belief: the same are possible, some are more likely."""

from collections import Counter
from functools import cache
from pathlib import Path
from random import Random

import numpy as np
import pytest

from tests.analysis.games import decisions
from tests.analysis.test_worlds import small_decisions, worlds_of
from tichu import Game, GameError, Rules, parse_action, shuffled_deal
from tichu.agents.learned.features import FEATURE_COUNT
from tichu.analysis.beliefs import Belief, _Layer, belief_about, read_belief, seats_beside
from tichu.analysis.weighing import OUTPUTS, UNITS
from tichu.analysis.worlds import Worlds
from tichu.core.cards import DRAGON
from tichu.core.phases import Phase
from tichu.encoding import VERSION

ORDERED = Rules(bombs="ordered")


@cache
def made_up() -> Belief:
    """A belief that nobody has learned, but that is a strong one."""
    rng = np.random.default_rng(1)

    def layer(inputs: int, outputs: int) -> _Layer:
        weight = rng.normal(size=(inputs, outputs)) / inputs**0.5
        return _Layer(weight.astype(np.float32), rng.normal(size=outputs).astype(np.float32))

    habits = rng.normal(size=(3, 3, UNITS)).astype(np.float32)
    return Belief(layer(FEATURE_COUNT + 1, 8), ((layer(8, 8), layer(8, 8)),), layer(8, OUTPUTS), habits)


def believed(worlds: Worlds) -> Worlds:
    return Worlds(worlds.view, worlds._eight, made_up())


@pytest.mark.parametrize("rules", [ORDERED, Rules.parse("brettspielwelt")], ids=["ordered", "clockwise"])
def test_the_record_can_be_replayed_in_every_world(rules: Rules) -> None:
    for game, seat, _ in list(decisions(1, rules))[::7]:
        worlds = believed(worlds_of(game, seat))
        for world in worlds.sample(3, seed=4):
            assert worlds.round(world).view(seat)._replace(history=game.seen[seat]) == game.view(seat)
            assert worlds.replay(world) == worlds.round(world)


def test_worlds_do_not_depend_on_what_the_seat_cannot_see() -> None:
    for game, seat, _ in list(decisions(3, ORDERED))[::9]:
        worlds = believed(worlds_of(game, seat))
        [other] = worlds.sample(1, seed=8)
        view = worlds.round(other).view(seat)._replace(history=game.view(seat).history)
        assert Worlds(view, other.deal[seat][0], made_up()).sample(3, seed=1) == worlds.sample(3, seed=1)


def test_all_possible_hands_can_be_drawn_and_are_as_frequent_as_they_are_likely() -> None:
    tried = 0
    for game, seat, _ in small_decisions(ORDERED, 3):
        uniform = worlds_of(game, seat)
        worlds = believed(uniform)
        assert set(worlds.hands) == set(uniform.hands)
        logs = np.array([worlds.log_probability(hands) for hands in worlds.hands])
        chances = np.exp(logs) / np.exp(logs).sum()
        if len(chances) < 3:
            continue
        tried += 1
        draws = 2000
        rng = Random(tried)
        for drawn in (worlds.draw_hands(draws, rng), worlds._weigh_hands(draws, rng)):
            counted = Counter(drawn)
            assert set(counted) <= set(worlds.hands)
            expected = dict(zip(worlds.hands, draws * chances, strict=True))
            chi_square = sum((counted[hands] - number) ** 2 / number for hands, number in expected.items())
            freedom = len(chances) - 1
            # Rare ones make it wider than it would be.
            assert abs(chi_square - freedom) < 8 * (2 * freedom) ** 0.5 + 8
    assert tried


def test_chances_are_the_shares_of_drawn_worlds() -> None:
    game, seat, _ = next(each for each in decisions(5, ORDERED) if each.game.round.phase is Phase.PLAY)
    worlds = believed(worlds_of(game, seat))
    drawn = worlds.draw_hands(1000, Random(1))
    for card, chances in list(worlds.chances().items())[::5]:
        for other, chance in chances.items():
            share = sum(hands[other] >> card & 1 for hands in drawn) / 1000
            assert share == pytest.approx(chance, abs=0.08)


def test_gifts_are_weighed_by_habit() -> None:
    game, seat, _ = next(each for each in decisions(5, ORDERED) if each.game.round.phase is Phase.PLAY)
    dragons = made_up()._replace(habits=np.zeros((3, 3, UNITS), np.float32))
    dragons.habits[:, :, 16] = 5.0
    view, eight = game.view(seat), game.deal[seat][0]
    aces = []
    for known in (None, dragons):
        worlds = Worlds(view, eight, known)
        given = [card for world in worlds.sample(60, seed=1) for cards in world.given for card in cards]
        aces.append(sum(card >= 52 for card in given))
    assert aces[1] > 1.5 * aces[0]


@pytest.mark.parametrize("rules", [ORDERED, Rules.parse("brettspielwelt")], ids=["ordered", "clockwise"])
def test_whoever_has_called_grand_tichu_is_believed_to_have_high_cards(rules: Rules) -> None:
    for seed in range(20):
        game = Game.start(shuffled_deal(Random(seed)), rules)
        if not game.deal[0][0] >> DRAGON & 1 and not game.deal[0][1] >> DRAGON & 1:
            break
    for action in ["0-G", "1+G", "2-G", "3-G"]:
        game = game.after(*parse_action(action))
    known = belief_about("learned")
    chances = Worlds(game.view(0), game.deal[0][0], known).chances()[DRAGON]
    assert chances[1] > 0.4 > max(chances[2], chances[3])
    assert Worlds(game.view(0), game.deal[0][0]).chances()[DRAGON][1] == pytest.approx(1 / 3)
    assert belief_about("unknown") is None


def test_who_sits_where() -> None:
    game, seat, _ = next(decisions(1, ORDERED))
    assert seats_beside(game.view(seat)) == tuple((seat + distance) & 3 for distance in (1, 2, 3))
    game, seat, _ = next(decisions(1, Rules.parse("brettspielwelt")))
    assert seats_beside(game.view(seat)) == tuple((seat - distance) & 3 for distance in (1, 2, 3))


def test_a_belief_for_something_else_is_refused(tmp_path: Path) -> None:
    known = made_up()
    arrays = {f"{name}_{part}": getattr(layer, part) for name, layer in (("entry", known.entry), ("head", known.head))
              for part in ("weight", "bias")}  # fmt: skip
    for version in (VERSION, VERSION + 1):
        np.savez(tmp_path / f"{version}.npz", version=np.array(version), gifts=known.habits, **arrays)
    assert read_belief(tmp_path / f"{VERSION}.npz").head.bias.tolist() == known.head.bias.tolist()
    with pytest.raises(GameError, match="nothing is known about people"):
        read_belief(tmp_path / f"{VERSION}.npz", "people")
    with pytest.raises(GameError, match="another version"):
        read_belief(tmp_path / f"{VERSION + 1}.npz")
