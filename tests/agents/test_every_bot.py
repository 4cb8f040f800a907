"""What holds for each of our own bots: legal, the same again, blind."""

from collections import Counter
from itertools import pairwise
from random import Random

import pytest

from tests.agents.tables import decisions, positions, reshuffled
from tichu import PRESETS, Game, Phase, Round, Rules, format_view, parse_view, shuffled_deal
from tichu.agents import make_agent
from tichu.agents.reasons import REASONS, in_words

BOTS = ("random", "greedy", "heuristic")

#: The presets, and two of them in the form in which simulations play.
RULES = (*PRESETS, "standard bombs=ordered", "classic bombs=ordered")


@pytest.mark.parametrize("bot", BOTS)
@pytest.mark.parametrize("rules", RULES)
def test_a_bot_is_legal_in_every_decision_of_a_round(bot: str, rules: str) -> None:
    phases: Counter[Phase] = Counter()
    for seed in range(12):
        agent = make_agent(bot, seed)
        for _, view in decisions(Rules.parse(rules), seed):
            assert agent.act(view, view.legal()) in view.legal(), format_view(view)
            phases[view.phase] += 1
    assert phases[Phase.PLAY] > 200
    assert (phases[Phase.GRAND] > 0) == (Rules.parse(rules).grand == "yes")


@pytest.mark.parametrize("bot", BOTS)
@pytest.mark.parametrize("rules", RULES)
def test_a_bot_is_legal_in_positions_that_nobody_plays(bot: str, rules: str) -> None:
    agent = make_agent(bot, 1)
    phases: Counter[Phase] = Counter()
    for state in positions(Rules.parse(rules), seed=1, number=250):
        view = state.view(state.pending[0])
        assert agent.act(view, view.legal()) in view.legal(), str(state)
        phases[view.phase] += 1
    assert {Phase.PLAY, Phase.TAKE} <= set(phases)
    assert (Phase.BOMB in phases) == ("ordered" in rules or rules == "courtesy")


@pytest.mark.parametrize("bot", BOTS)
def test_the_same_seed_and_the_same_views_give_the_same_decisions(bot: str) -> None:
    for seed in range(5):
        first, second = make_agent(bot, seed), make_agent(bot, seed)
        for _, view in decisions(Rules.parse("courtesy"), seed):
            assert first.act(view, view.legal()) == second.act(view, view.legal())


@pytest.mark.parametrize("bot", BOTS)
@pytest.mark.parametrize("rules", ["standard", "standard bombs=ordered", "simple"])
def test_a_bot_is_blind_to_what_its_seat_cannot_see(bot: str, rules: str) -> None:
    for seed in range(6):
        rng = Random(seed)
        agents = [(make_agent(bot, seed), make_agent(bot, seed)) for _ in range(4)]
        for state, view in decisions(Rules.parse(rules), seed):
            other = reshuffled(state, view.seat, rng)
            assert Round.from_position(str(other), state.rules) == other
            blind = other.view(view.seat)._replace(history=view.history, score=view.score)
            first, second = agents[view.seat]
            assert first.act(view, view.legal()) == second.act(blind, blind.legal()), str(state)


@pytest.mark.parametrize("bot", BOTS)
def test_a_view_as_text_is_all_that_a_bot_needs(bot: str) -> None:
    for seed in range(3):
        first, second = make_agent(bot, seed), make_agent(bot, seed)
        for _, view in decisions(Rules.parse("courtesy"), seed):
            read = parse_view(format_view(view), view.seat, view.rules)
            read = read._replace(history=view.history, score=view.score)
            assert first.act(view, view.legal()) == second.act(read, read.legal())


def test_reshuffling_moves_most_of_what_is_hidden() -> None:
    rng = Random(1)
    moved = total = 0
    for state, view in decisions(Rules.parse("standard"), 1):
        other = reshuffled(state, view.seat, rng)
        assert other.view(view.seat) == state.view(view.seat)
        moved += sum((before & ~after).bit_count() for before, after in zip(state.hands, other.hands, strict=True))
        total += sum(count for seat, count in enumerate(view.counts) if seat != view.seat)
    assert moved > total / 3


def test_history_only_grows_between_two_decisions_of_a_seat() -> None:
    views = [view for _, view in decisions(Rules.parse("courtesy"), 1) if view.seat == 2]
    assert all(later.history[: len(former.history)] == former.history for former, later in pairwise(views))


def test_every_reason_of_the_heuristic_bot_has_words() -> None:
    """All codes that occur in play are put into words, and the sentence has no hole."""
    agent = make_agent("heuristic")
    rules = Rules.parse("standard bombs=ordered")
    names = ("Ada", "Ben", "Cho", "Dov")
    said = set()
    for seed in range(40):
        game = Game.start(shuffled_deal(Random(seed)), rules)
        while not game.round.is_over:
            seat = game.round.pending[0]
            view = game.view(seat)
            choice = agent.explain(view, view.legal())
            assert choice.action == agent.act(view, view.legal())
            assert "{" not in in_words(choice, names)
            said.add(choice.code)
            game = game.after(seat, choice.action)
    # What is left is for other bots, and for rules without an exchange.
    assert set(REASONS) - said == {"chosen", "fallback", "high_card", "learned"}
