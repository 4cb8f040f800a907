"""What the person sees."""

import re
from random import Random

import click
import pytest

from tests.table import at
from tests.terminal.sight import cards_in, known
from tichu import (
    Game,
    Match,
    Phase,
    Rules,
    Take,
    View,
    Wish,
    cards_of,
    format_cards,
    parse_action,
    shuffled_deal,
)
from tichu.agents.suggestions import bombs_held, groups
from tichu.core.actions import CALL_GRAND, CALL_TICHU, PASS
from tichu.core.cards import ALL_CARDS
from tichu.core.combos import parse_combo
from tichu.core.deals import parse_deal
from tichu.core.game import Events
from tichu.terminal import screen
from tichu.terminal.help import help_text, rules_summary, welcome
from tichu.terminal.words import Look, event_text, kind_text

NAMES = ("You", "Ben", "Cho", "Dov")
PLAIN = Look()
ASCII = Look(signs=False)
COLOUR = Look(colour=True)
RULES = ("standard bombs=ordered", "courtesy", "simple bombs=ordered", "single-round", "brettspielwelt", "classic")


def everything(view: View, look: Look = PLAIN) -> list[str]:
    """All that the person could be shown in this state."""
    lines = screen.table_lines(view, NAMES, 3, look) + screen.history_lines(view, NAMES, look)
    if view.phase in (Phase.PLAY, Phase.BOMB, Phase.TAKE):
        lines += screen.suggestion_lines(groups(view), look)[0]
    if view.phase is Phase.BOMB:
        lines += screen.bombable_lines(view, NAMES, look)
    lines += screen.bomb_lines(bombs_held(view), view, look)
    lines += [event_text(view.history[:end], NAMES, look) or "" for end in range(1, len(view.history) + 1)]
    return lines


def games(rules: str, seed: int, count: int) -> list[Game]:
    """The states of some random games with what happened in them, at which seat 0 has to decide or just looks on."""
    rng = Random(seed)
    states = []
    for _ in range(count):
        game = Game.start(shuffled_deal(rng), Rules.parse(rules))
        while not game.round.is_over:
            states.append(game)
            seat = rng.choice(game.round.pending)
            legal = game.view(seat).legal()
            action = legal.draw(rng)
            if legal.may_call and rng.random() < 0.05:
                action = CALL_TICHU
            game = game.after(seat, action)
    return states


def reshuffled(game: Game, rng: Random) -> Game:
    """The game with other cards wherever seat 0 cannot look."""
    state = game.round
    groups_of_cards = [*state.hands[1:], *state.later]
    hidden = [card for cards in groups_of_cards for card in cards_of(cards)]
    rng.shuffle(hidden)
    dealt = []
    for cards in groups_of_cards:
        count = cards.bit_count()
        dealt.append(sum(1 << card for card in hidden[:count]))
        hidden = hidden[count:]
    return game._replace(round=state._replace(hands=(state.hands[0], *dealt[:3]), later=tuple(dealt[3:])))


@pytest.mark.parametrize("rules", RULES)
def test_no_hidden_card_is_ever_shown(rules: str) -> None:
    rng = Random(7)
    for game in games(rules, seed=1, count=3):
        text = "\n".join(everything(game.view(0)))
        assert cards_in(text) & ~known(game.view(0)) == 0
        assert text == "\n".join(everything(reshuffled(game, rng).view(0)))


@pytest.mark.parametrize("look", [PLAIN, ASCII, COLOUR])
@pytest.mark.parametrize("rules", RULES)
def test_lines_fit_into_80_columns(rules: str, look: Look) -> None:
    for game in games(rules, seed=2, count=3):
        for line in everything(game.view(0), look):
            shown = click.unstyle(line)
            assert len(shown) <= 80, shown
            assert "\n" not in shown
            assert look.signs or shown.isascii(), shown
        if look.signs and game.round.phase is not Phase.END:
            assert len(screen.table_lines(game.view(0), NAMES, 1, look)) <= 14


def test_texts_fit_into_80_columns() -> None:
    for rules in map(Rules.parse, RULES):
        lines = [*rules_summary(rules).splitlines(), *help_text(rules).splitlines(), *welcome(NAMES, rules)]
        assert all(len(line) <= 80 for line in lines)
        assert len(rules_summary(rules).splitlines()) <= 22
        assert len(help_text(rules).splitlines()) <= 22


def test_colours_change_nothing_but_the_colour() -> None:
    for game in games("standard bombs=ordered", seed=3, count=2):
        view = game.view(0)
        assert click.unstyle("\n".join(everything(view, COLOUR))) == "\n".join(everything(view, PLAIN))


def table(view: View, look: Look = PLAIN) -> str:
    return "\n".join(screen.table_lines(view, NAMES, 3, look))


DEAL = (
    "2b3b6g7bTgQbArPh+Ma4g5b6sJgQr / 3g3r5g6rTrAbAgDr+Do2g4b7rQsAs"
    " / 4r5r7g9b9gJrKbKg+2r7s8s8g8rJb / 4s6b8b9s9rTbJsQg+2s3s5sTsKsKr"
)


def test_the_grand_calls_show_eight_cards() -> None:
    text = table(Game.start(parse_deal(DEAL)).view(0))
    assert format_cards(cards_in(text)) == "2b3b6g7bTgQbAr"
    assert "Phnx" in text
    assert "Mah1" not in text
    assert "8 cards · 0 points" in text


def test_a_hidden_grand_call_is_not_shown() -> None:
    text = table(at("2s/3s/4s/5s p0 - ~ - G-T-").view(0))
    assert "You [GRAND TICHU]" in text
    assert "Cho (partner) [TICHU]" in text
    game = Game.start(parse_deal(DEAL))
    called = game.after(2, CALL_GRAND)
    assert table(called.view(0)) == table(game.view(0))


def test_the_table_in_play() -> None:
    view = at("9s9bKg/2s/-/4s5s p0 3:7sP7 20/0/70/0 9 --G- 2").view(0)
    text = table(view)
    assert "Round 3 " in text
    assert "You & Cho 0 : 0 Ben & Dov" in text
    assert "out, 1st · 70 points" in text
    assert "Ben (left)" in text
    assert "1 card · 0 points" in text
    assert "to beat, by Dov:" in text
    assert "[ 7♠ Ph=7 ]" in text
    assert "pair of sevens" in text
    assert "wish: 9" in text
    assert "╰─9s─┴─9b─┴─Kg─╯" in text
    assert screen.wish_owed(view)


def test_a_lone_phoenix_says_what_it_beat() -> None:
    assert "[ Phoenix (beats 9) ]" in table(at("TsKg/2s/3s/4s p0 1:P9").view(0))


def test_the_table_in_letters_only() -> None:
    text = table(at("9sTbKg/2s/3s/4s p0 3:7s").view(0), ASCII)
    assert text.isascii()
    assert "Your hand:  9s  10b  Kg" in text
    assert "[ 7s ]" in text


def test_suggestions_are_one_of_each_rank() -> None:
    view = at("7s7b7g9gPh/2s/3s/4s p0").view(0)
    lines, numbered = screen.suggestion_lines(groups(view), PLAIN)
    assert lines == [
        "  Single     1) 7♠  2) 9♣  3) Phoenix",
        "  Pair       4) 7♠7♦  5) 9♣Ph=9",
        "  Triple     6) 7♠7♦7♣",
        "  Full house 7) 7♠7♦7♣9♣Ph=9",
    ]
    assert [str(combo) for combo in numbered][-1] == "7s7b7g9gP9"


def test_suggestions_are_few_and_say_so() -> None:
    view = at("Ma2s3b4g5r6s7b8g9rTsJbQgKrPh/2b/3s/4s p0").view(0)
    lines, numbered = screen.suggestion_lines(groups(view), PLAIN)
    assert len(numbered) < 40
    assert any(re.search(r"… \d+ more$", line) for line in lines)
    assert len(lines) <= 9


def test_bombs_stand_out() -> None:
    view = at("2s2b2g2r9s/3s/4s/5s p0 1:Dr").view(0)
    lines, numbered = screen.suggestion_lines(groups(view), PLAIN)
    assert lines == ["  BOMB       1) 2♠2♦2♣2♥"]
    assert screen.bomb_lines(bombs_held(view), view, PLAIN) == ["  2♠ 2♦ 2♣ 2♥  (four twos)  beats the table"]
    assert screen.bomb_lines((), view, PLAIN) == ["  You hold no bomb."]
    assert len(numbered) == 1


@pytest.mark.parametrize(
    ("combo", "text"),
    [
        ("Do", "Dog"),
        ("Ph", "single card"),
        ("AsAb", "pair of aces"),
        ("TsTbTg", "three tens"),
        ("5s5bP59g9r", "full house, fives high"),
        ("Ma2s3s4s5s", "straight of 5 up to 5"),
        ("2s2b3s3b4s4b", "stairs of 3 pairs up to 4"),
        ("6s6b6g7s7b7g", "stairs of 2 triples up to 7"),
        ("6s6b6g6r7s7b7g7r", "stairs of 2 fours up to 7"),
        ("JsJbJgJr", "BOMB: four jacks"),
        ("2s3s4s5s6s7s", "BOMB: straight flush of 6 up to 7"),
    ],
)
def test_combinations_in_words(combo: str, text: str) -> None:
    assert kind_text(parse_combo(combo)) == text


def test_events_in_words() -> None:
    view = Game.start(parse_deal(DEAL)).view(0)
    assert screen.history_lines(view, NAMES, PLAIN) == ["  Nothing has happened yet."]
    trick = ((0, parse_combo("Ks")), (1, PASS), (2, parse_combo("Dr")))
    assert event_text(trick, NAMES, PLAIN) == "Cho plays Dragon"
    assert event_text(trick[:1], NAMES, PLAIN) == "You lead K♠"
    assert event_text(trick[:2], NAMES, PLAIN) == "Ben passes"
    assert event_text((*trick, (2, Take(1))), NAMES, PLAIN) == "Cho gives the Dragon's trick to Ben (left): 35 points"
    assert event_text((*trick, (0, Take(3))), NAMES, PLAIN) == "You give the Dragon's trick to Dov (right): 35 points"
    assert event_text((*trick[:2], (0, Take())), NAMES, PLAIN) == "You take the trick: 10 points"
    assert event_text(((3, Wish(8)),), NAMES, PLAIN) == "Dov wishes for 8: whoever can must play it"


def test_the_round_is_told_by_tricks() -> None:
    game = Game.start(parse_deal(DEAL), Rules.parse("standard bombs=in-turn"))
    events = "0-G 1-G 2-G 3-G 0>2bPh3b 1>2g3r3g 2>2r5r4r 3>2s4s3s 0:Ma2s3g4g5b6s7b 0?Q 3:- 2:- 1:- 0:Qb 3:Ks"
    game = played(game, events)
    assert screen.history_lines(game.view(0), NAMES, PLAIN) == [
        "  You give 2♦ to Ben, Phoenix to Cho, 3♦ to Dov",
        "  Ben (left) gives you 3♣",
        "  Cho (partner) gives you 5♥",
        "  Dov (right) gives you 2♠",
        "  1. You Ma2♠3♣4♣5♦6♠7♦ · wish Q · Dov - · Cho - · Ben - · → You: 5 points",
        "  2. You Q♦ · Dov K♠",
    ]


def played(game: Game, text: str) -> Game:
    for action in text.split():
        game = game.after(*parse_action(action))
    return game


def test_the_result_shows_what_was_left() -> None:
    state = at("-/-/KsKb/- e - 0/0/0/80 - T--G 013")
    match = Match().after(state.outcome)
    text = "\n".join(screen.result_lines(state, match, NAMES, PLAIN))
    assert "Out: 1st you, 2nd Ben, 3rd Dov" in text
    assert "Cho kept K♠ K♦" in text
    assert "This hand goes to Ben & Dov, these tricks to you." in text
    assert re.search(r"Tichu, you +\+100\n", text)
    assert re.search(r"Grand Tichu, Dov +-200\n", text)
    assert re.search(r"This round +100 +-100\n", text)
    assert re.search(r"Match +100 +-100$", text)


def test_the_result_of_a_double_victory() -> None:
    state = at("-/2s/-/3s4s e - 100/0/0/0 - ---- 20")
    text = "\n".join(screen.result_lines(state, Match().after(state.outcome), NAMES, PLAIN))
    assert re.search(r"Double victory +200 +0\n", text)
    assert "Ben kept 2♠" in text
    assert "goes to" not in text
    sheet = screen.score_lines(Match().after(state.outcome), NAMES)
    assert re.search(r"Round 1 \(double victory\) +200 +0$", sheet[1])


def test_all_hands_as_dealt() -> None:
    lines = screen.deal_lines(parse_deal(DEAL), NAMES, PLAIN)
    assert len(lines) == 4
    assert cards_in("".join(lines)) == ALL_CARDS & ~0xF
    assert all(len(line) <= 80 for line in lines)


def test_tricks_are_told_without_hidden_exchanges() -> None:
    history: Events = played(Game.start(parse_deal(DEAL)), "0-G 1-G 2-G 3-G 0>2bPh3b").seen[1]
    assert all(seat == 1 or "-G" in str(action) for seat, action in history)
