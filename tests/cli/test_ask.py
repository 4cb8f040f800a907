"""A bot is asked about a position, and asked the same again."""

import json
from pathlib import Path
from random import Random

import pytest
from click.testing import CliRunner, Result

from tichu import PRESETS, Game, Rules, format_action, format_view, shuffled_deal
from tichu.agents import make_agent
from tichu.cli import main
from tichu.cli.history import check_history

POSITION = "9s/2s2b2g2r3s/5bKb/4s p2 0:Dr 60/0/0/0 - -T-- - -/-/-/-"


def ask(*arguments: str | Path) -> Result:
    result = CliRunner().invoke(main, ["ask", *map(str, arguments)])
    assert result.exception is None or isinstance(result.exception, SystemExit), result.exception
    return result


@pytest.mark.parametrize("bot", ["greedy", "heuristic", "learned", "easy"])
def test_a_bot_says_what_and_why(bot: str) -> None:
    result = ask(bot, "9sAs/2s2b2g3s/5bKb/4s p2 0:8b 70/0/0/0 - ---- - -/-/-/-")
    assert result.exit_code == 0
    action, because, legal = result.stdout.splitlines()
    assert action in ("2:Kb", "2:-")
    assert because.startswith("  because ")
    assert legal == "  legal: 2:Kb 2:-"


@pytest.mark.parametrize("bot", ["learned", "heuristic"])
def test_a_printed_view_reproduces_the_decision(bot: str) -> None:
    """Through the command, with history, score and seed: every decision of a round of four such bots."""
    rules = Rules.parse("standard").sequential()
    agents = [make_agent(bot, seed) for seed in range(4)]
    game = Game.start(shuffled_deal(Random(5)), rules)
    asked = 0
    while not game.round.is_over:
        seat = game.round.pending[0]
        view = game.view(seat)._replace(score=(380, -45))
        action = agents[seat].act(view, view.legal())
        if len(view.legal()) > 1:
            asked += 1
            history = " ".join(format_action(*event) for event in view.history)
            options = ["--rules", str(rules), "--history", history, "--score", "380:-45", "--seed", seat, "--json"]
            text = [format_view(view), "--seat", seat]
            told = json.loads(ask(bot, *map(str, [*text, *options])).stdout)
            assert told["action"] == format_action(seat, action)
            assert (told["view"], told["history"], told["score"]) == (format_view(view), history, "380:-45")
        game = game.after(seat, action)
    assert asked >= 40


@pytest.mark.parametrize("rules", [*PRESETS, "standard equal_flush=suit stairs=stacked", "courtesy calls=auto"])
def test_what_was_seen_is_a_history(rules: str) -> None:
    for number in range(12):
        rng = Random(number)
        game = Game.start(shuffled_deal(rng), Rules.parse(rules).sequential())
        while not game.round.is_over:
            for seat in range(4):
                check_history(game.view(seat))
            seat = rng.choice(game.round.pending)
            game = game.after(seat, game.view(seat).legal().draw(rng))


def test_an_exchange_lists_only_some_of_its_actions() -> None:
    deal = shuffled_deal(Random(1))
    game = Game.start(deal, Rules.parse("standard grand=no"))
    result = ask("heuristic", str(game.round), "--rules", "standard grand=no")
    assert result.exit_code == 0
    assert result.stdout.splitlines()[2].endswith("... 2,185 in all")
    assert (
        json.loads(ask("greedy", str(game.round), "--rules", "standard grand=no", "--json").stdout)["legal_count"] > 9
    )


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["nobody", POSITION], "no bot 'nobody'"),
        (["greedy", "nonsense"], "a position has 8 fields, not 1"),
        (["greedy", POSITION, "--seat", "1"], "seat 1 has nothing to decide here"),
        (["greedy", POSITION, "--score", "1000"], "a score is written 350:-25, not '1000'"),
        (["greedy", POSITION, "--history", "0x"], "'0x'"),
        (["greedy", POSITION, "--history", "2:Kb 2:Kb 0:9s"], "2:Kb: Kb is played already"),
        (["greedy", POSITION, "--history", "0:Dr 0-G"], "0-G comes too late: Grand calls are before plays"),
        (["greedy", POSITION, "--history", "0-G 0+T 0-G"], "0-G comes too late: Grand calls are before exchanges"),
        (["greedy", POSITION, "--history", "0-G 1-G 0-G"], "0-G: seat 0 has done that already"),
        (["greedy", POSITION, "--history", "3:As 0:Qs"], "0:Qs does not beat 3:As"),
        (["greedy", POSITION, "--history", "2:Kb"], "Kb is played in the history, and not in the view"),
        (["greedy", POSITION, "--history", "0:As"], "what lies on the table is not what the history ends with"),
        (["greedy", POSITION, "--history", "0:Dr 1:- 2!1"], "what lies on the table is not what the history ends with"),
        (["greedy", "-/-/-/5sKs e - 30/25/10/20 - TT-- 012 -/-/-/-"], "the round is over"),
        (
            ["greedy", "*1/*5/Kb/*1 p2 0:As 90/0/0/0 - ---- - -/-/-/- Ma"],
            "a view does not say whose it is: --seat does",
        ),
    ],
)
def test_what_is_wrong_is_told_in_a_line(arguments: list[str], message: str) -> None:
    result = ask(*arguments)
    assert result.exit_code == 2
    assert message in result.stderr.splitlines()[-1]


@pytest.mark.parametrize(
    ("body", "message"),
    [("raise ZeroDivisionError('no')", "failed: ZeroDivisionError: no"), ("return CALL_GRAND", "not legal here: +G")],
)
def test_a_bot_that_fails_is_named(tmp_path: Path, body: str, message: str) -> None:
    path = tmp_path / "bot.py"
    path.write_text(
        "from tichu.agents import Agent\nfrom tichu.core.actions import CALL_GRAND\n\n\nclass Bot(Agent):\n"
        f"    def act(self, view, legal):\n        {body}\n"
    )
    result = ask(f"{path}:Bot", POSITION)
    assert result.exit_code == 1
    assert message in result.stderr
