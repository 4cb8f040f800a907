"""What every bot has without asking for it."""

import pytest

from tichu import Action, Legal, View
from tichu.agents import AGENTS, Agent, GreedyAgent, make_agent


class Bot(Agent):
    def act(self, view: View, legal: Legal) -> Action:
        return next(iter(legal))


@pytest.mark.parametrize(
    ("class_name", "name"),
    [
        ("MyBot", "my-bot"),
        ("Mine", "mine"),
        ("TenLineBot", "ten-line-bot"),
        ("MCTSBot", "mcts-bot"),
        ("Bot2Go", "bot2-go"),
        ("CarefulAgent", "careful"),
        ("Agent", "agent"),
        ("_Hidden", "hidden"),
    ],
)
def test_a_bot_is_called_after_its_class(class_name: str, name: str) -> None:
    assert type(class_name, (Bot,), {}).name == name  # type: ignore[attr-defined]


def test_a_bot_that_says_its_name_keeps_it() -> None:
    class Named(Bot):
        name = "Some Bot"

    class Heir(Named):
        pass

    assert (Named.name, Heir.name, GreedyAgent.name) == ("Some Bot", "heir", "greedy")


@pytest.mark.parametrize("spec", [*AGENTS, "easy", "medium", "hard"])
def test_our_bots_are_called_as_they_are_asked_for(spec: str) -> None:
    assert make_agent(spec).name == spec
