"""A person at the terminal, played by the test."""

from collections.abc import Callable
from contextlib import nullcontext
from itertools import chain, count
from random import Random

import pytest

from tests.terminal.sight import cards_in, known
from tichu import (
    CallTichu,
    Deal,
    Legal,
    Record,
    Rules,
    View,
    cards_of,
    format_record,
    parse_deal,
    parse_record,
    replay,
    shuffled_deal,
)
from tichu.agents import Agent, RandomAgent
from tichu.core.actions import DECLINE_BOMB, PASS, Action
from tichu.core.cards import format_card
from tichu.terminal.session import Session

NAMES = ("You", "Ben", "Cho", "Dov")
SHORT = "standard bombs=ordered goal=target:100"

#: What a person who wants to get on answers, by the beginning of the prompt.
ANSWERS = {
    "Call Grand": "n",
    "Your card for": "first",
    "Is that right": "y",
    "You lead": "1",
    "Your turn": "1",
    "You have nothing higher": "",
    "Bomb?": "",
    "Your wish": "8",
    "To whom": "1",
    "Which one": "1",
    "Enter deals": "",
    "Enter ends": "",
    "Leave the game": "y",
    "Call Tichu": "y",
}


class Chair:
    """Somebody who answers prompts and remembers everything that was said."""

    def __init__(self, answer: Callable[[str], str | None] | None = None) -> None:
        self.prompts: list[str] = []
        self.said: list[str] = []
        self.saved: list[Record] = []
        self.answer = answer
        self.session: Session | None = None

    def read(self, prompt: str) -> str:
        self.prompts.append(prompt)
        answer = self.answer(prompt) if self.answer else None
        if answer is None:
            answer = next(answer for start, answer in ANSWERS.items() if start in prompt)
        if answer == "first":
            assert self.session is not None
            hand = self.session.game.view(0).hand
            left = 3 - ["left", "partner", "right"].index(prompt.split("(")[1].split(")")[0])
            answer = _letters(hand, left)
        self.said.append(prompt + answer)
        return answer

    @property
    def text(self) -> str:
        return "\n".join(self.said)


def _letters(hand: int, number: int) -> str:
    return " ".join(format_card(card).lower() for card in [*cards_of(hand)][-number:])


def seated(
    chair: Chair,
    rules: str = SHORT,
    seed: int = 1,
    bots: Callable[[int], Agent] = RandomAgent,
    first: Deal | None = None,
    save: Callable[[Record], None] | None = None,
) -> Session:
    rng = Random(seed)
    shuffled = (shuffled_deal(rng) for _ in count())
    chair.session = Session(
        read=chair.read,
        write=chair.said.append,
        bots=[bots(seed + seat) for seat in range(3)],
        rules=Rules.parse(rules),
        names=NAMES,
        deals=shuffled if first is None else chain([first], shuffled),
        save=chair.saved.append if save is None else save,
    )
    return chair.session


def check(record: Record) -> Record:
    """The record as it reads back from its text, every action and score replayed."""
    again = parse_record(format_record(record))
    for one in again.rounds:
        for _ in replay(one, again.rules):
            pass
    return again


@pytest.mark.parametrize(
    "rules",
    [
        SHORT,
        "standard goal=target:100 bombs=in-turn",
        "courtesy goal=target:100",
        "classic bombs=ordered goal=target:100",
        "single-round",
        "simple bombs=ordered goal=target:100",
        "brettspielwelt bombs=ordered goal=target:100",
    ],
)
def test_a_whole_match_by_suggestion_one(rules: str) -> None:
    chair = Chair()
    session = seated(chair, rules)
    session.play()
    assert session.game.match.winner is not None
    assert "The match is over: " in chair.text
    assert "Enter ends the game" in chair.prompts[-1]
    record = check(chair.saved[-1])
    assert len(record.rounds) == len(session.game.match.outcomes)
    assert all(one.score is not None for one in record.rounds)
    assert record.seats == NAMES


def test_a_long_match_asks_every_kind_of_question() -> None:
    chair = Chair()
    seated(chair, "standard bombs=ordered goal=target:2000", seed=5).play()
    asked = "\n".join(chair.prompts)
    for start in ("Call Grand", "Your card for", "You lead", "Your turn", "You have nothing", "Bomb?", "Your wish"):
        assert start in asked, start
    check(chair.saved[-1])


def test_nothing_hidden_is_said_before_the_round_is_over() -> None:
    starts = [0]

    def answer(prompt: str) -> str | None:
        if prompt.startswith("Enter"):
            starts.append(len(chair.said) + 1)
            return None
        assert chair.session is not None
        said = "\n".join(chair.said[starts[-1] :])
        view = chair.session.game.view(0)
        dealt = sum(chair.session.game.deal[0][0:2]) if view.phase.value != "g" else chair.session.game.deal[0][0]
        assert cards_in(said) & ~(known(view) | dealt) == 0
        return None

    chair = Chair(answer)
    seated(chair, "standard bombs=ordered goal=target:300", seed=3).play()


class _Stop:
    """Answers as usual and ends the input at the n-th prompt."""

    def __init__(self, number: int, error: type[BaseException]) -> None:
        self.left = number
        self.error = error

    def __call__(self, prompt: str) -> str | None:
        if self.left == 0:
            raise self.error
        self.left -= 1
        return None


def prompts_of_a_match() -> int:
    chair = Chair()
    seated(chair).play()
    return len(chair.prompts)


@pytest.mark.parametrize("error", [EOFError, KeyboardInterrupt])
def test_the_end_of_the_input_at_any_prompt_leaves_a_record(error: type[BaseException]) -> None:
    for number in range(prompts_of_a_match()):
        chair = Chair(_Stop(number, error))
        session = seated(chair)
        with pytest.raises(KeyboardInterrupt) if error is KeyboardInterrupt else nullcontext():
            session.play()
        record = check(chair.saved[-1])
        assert record.rounds[-1].actions == session.game.actions
        assert chair.said[-1] == "You leave the table."


def test_ctrl_c_while_the_bots_play_leaves_a_record() -> None:
    class Interrupted(RandomAgent):
        asked = 0

        def act(self, view: View, legal: Legal) -> Action:
            Interrupted.asked += 1
            if Interrupted.asked > 30:
                raise KeyboardInterrupt
            return super().act(view, legal)

    chair = Chair()
    session = seated(chair, bots=Interrupted)
    with pytest.raises(KeyboardInterrupt):
        session.play()
    assert check(chair.saved[-1]).rounds[-1].actions == session.game.actions != ()


def test_quitting_is_asked_and_can_be_taken_back() -> None:
    answers = iter(["q", "n", "quit", "", "q", "y"])
    chair = Chair(lambda prompt: next(answers))
    seated(chair).play()
    assert [prompt for prompt in chair.prompts if prompt.startswith("Leave")] == ["Leave the game? [y/N] "] * 3
    assert len(check(chair.saved[-1]).rounds) == 1


def test_a_record_that_cannot_be_written_is_told_and_the_game_goes_on() -> None:
    def save(record: Record) -> None:
        chair.saved.append(record)
        if len(chair.saved) > 1:
            raise OSError(28, "No space left on device")

    chair = Chair()
    session = seated(chair, save=save)
    session.play()
    assert session.game.match.winner is not None
    assert "The record could not be written: No space left on device." in chair.said


def test_a_record_that_can_never_be_written_ends_the_game_before_it_starts() -> None:
    def save(record: Record) -> None:
        raise PermissionError(13, "Permission denied")

    session = seated(Chair(), save=save)
    with pytest.raises(PermissionError):
        session.play()


def test_a_failing_bot_is_replaced_and_nothing_of_its_hand_is_told() -> None:
    class Broken(RandomAgent):
        def act(self, view: View, legal: Legal) -> Action:
            raise RuntimeError(f"my hand is {view.hand}")

    chair = Chair()
    seated(chair, bots=Broken).play()
    assert "(The bot of Ben failed: crashed. The greedy bot decides for it.)" in chair.text
    assert "my hand" not in chair.text


# One round whose cards are known: the person leads and holds two bombs, the Phoenix and the Dragon.
BOMBS = parse_deal(
    "Ma2s2b2g2r9s9b9g+9rPhDr5s5bTs / 3s3b3g3r4s4b4g4r+5g5r6s6b6g6r"
    " / 7s7b7g7r8s8b8g8r+TbTgTrJsJbJg / JrQsQbQgQrKsKbKg+KrAsAbAgArDo"
)
NO_EXCHANGE = "standard bombs=ordered exchange=no grand=no"


class Passing(Agent):
    """Passes if it can, and leads its lowest."""

    name = "passing"

    def act(self, view: View, legal: Legal) -> Action:
        decisions = [action for action in legal if not isinstance(action, CallTichu)]
        return next((quiet for quiet in (PASS, DECLINE_BOMB) if quiet in decisions), decisions[0])


def dialogue(*answers: str, rules: str = NO_EXCHANGE) -> Chair:
    """What is said if the person answers like that and then leaves."""
    given = iter(answers)

    def answer(prompt: str) -> str:
        try:
            return next(given)
        except StopIteration:
            raise EOFError from None

    chair = Chair(answer)
    seated(chair, rules, bots=Passing, first=BOMBS).play()
    check(chair.saved[-1])
    return chair


def test_refusals_are_one_sentence() -> None:
    chair = dialogue("p", "3s", "9s9b2s", "99", "what", "dr ph")
    for sentence in (
        "The leader may not pass.",
        "The cards are not in the hand.",
        "The cards are not a combination.",
        "There is no number 99 in the list; cards are written with their suit, as 7s.",
        "I cannot read 'what': cards are written as 7s or 10r, and ma, do, ph, dr.",
    ):
        assert f"  {sentence}" in chair.said


def test_the_phoenix_is_asked_for() -> None:
    chair = dialogue("5s 5b 9s 9b ph", "", "5s5b9s9bph", "3", "2")
    assert "  1) 5♠ 5♦ Ph=5 9♠ 9♦  (full house, fives high)" in chair.said
    assert "  Please type a number from 1 to 2." in chair.said
    assert "  You lead 5♠ 5♦ 9♠ 9♦ Ph=9  (full house, nines high)" in chair.said


def test_the_person_is_asked_to_bomb_and_may_leave_the_trick_alone() -> None:
    chair = dialogue("5s", "", "x")
    # After the own play, after the first pass, and then not again in this trick.
    assert sum(prompt.startswith("Bomb?") for prompt in chair.prompts) == 2
    assert chair.prompts[-1].startswith("You lead")


def test_the_person_bombs() -> None:
    chair = dialogue("5s", "5b", "9s9b9g9r")
    assert "  Only a bomb can be thrown now." in chair.said
    assert "  You play 9♠ 9♦ 9♣ 9♥  (BOMB: four nines)" in chair.said


def test_bombs_are_shown() -> None:
    chair = dialogue("b")
    assert "  2♠ 2♦ 2♣ 2♥  (four twos)" in chair.said


def test_tichu_is_confirmed() -> None:
    chair = dialogue("t", "n", "t", "y", "t")
    assert chair.said.count("  You call TICHU!") == 1
    assert "  This seat has called." in chair.said


def test_the_wish_takes_letters_that_are_commands_elsewhere() -> None:
    chair = dialogue("ma", "q")
    assert "  You wish for Q: whoever can must play it" in chair.said
    assert "  You wish" not in dialogue("ma", "quit", "y").text
    assert dialogue("ma", "").said.count("  You wish for nothing") == 1
    assert "  A rank must be named." in dialogue("ma", "-", rules=f"classic{NO_EXCHANGE[8:]}").said


def test_the_dragon_is_given() -> None:
    chair = dialogue("dr", "x", "cho", "right")
    assert "  Please answer 1 for Ben or 2 for Dov." in chair.said
    assert "  You give the Dragon's trick to Dov (right): 25 points" in chair.said


def test_help_rules_history_score_at_a_prompt() -> None:
    chair = dialogue("?", "r", "h", "s", "")
    assert "Bombs: whoever holds a bomb" in chair.text
    assert "Rules: standard" in chair.text
    assert "  Nothing has happened yet." in chair.said
    assert any(line.split() == ["Match", "0", "0"] for line in chair.said)
    # Enter shows the table again.
    assert sum("Round 1" in line for line in chair.said) == 2


def test_the_exchange_is_confirmed_and_told() -> None:
    chair = dialogue(
        "3s", "2s 2b", "2g", "n", "2s 2s", "2s", "2s", "5s 5b", "y", rules="standard bombs=ordered grand=no"
    )
    assert "  The cards are not in the hand." in chair.said
    assert "  You give 2♠ to Ben (left), 2♦ to Cho (partner), 2♣ to Dov (right)." in chair.said
    assert "  2s is there twice." in chair.said
    assert "  The exchange takes three different cards." in chair.said
    assert "  Ben (left) gives you 3♣" in chair.said
    assert "  Cho (partner) gives you 7♦" in chair.said


def test_tichu_during_the_exchange() -> None:
    chair = dialogue("t", "y", "1", "", rules="standard bombs=ordered grand=no")
    assert "  You call TICHU!" in chair.said
    assert "  Please type a card of your hand, as 2s." in chair.said


def test_after_the_round_all_hands_can_be_seen() -> None:
    chair = dialogue("9s9b9g9r", "x", "2s2b2g2r", "dr", "1", "5s5bph", "ma", "-", "ts", "d", "what", "")
    assert "  You are out, 1st!" in chair.said
    assert "  you  Mah Jong 2♠ 2♦ 2♣ 2♥ 5♠ 5♦ 9♠ 9♦ 9♣ 9♥ 10♠ Phoenix Dragon" in chair.said
    assert "  Dov  Dog J♥ Q♠ Q♦ Q♣ Q♥ K♠ K♦ K♣ K♥ A♠ A♦ A♣ A♥" in chair.said
    assert "  Please type Enter, d or q." in chair.said
    assert "Round 2" in chair.text
