"""The rules of the greedy bot, one by one."""

import pytest

from tests.table import at
from tichu import Round, format_action
from tichu.agents import GreedyAgent


def choice(state: Round, seat: int | None = None) -> str:
    who = state.pending[0] if seat is None else seat
    view = state.view(who)
    return format_action(who, GreedyAgent().act(view, view.legal()))


@pytest.mark.parametrize(
    ("hand", "lead"),
    [
        ("2s5b5gTr", "0:5b5g"),
        ("2s2b5b5gTr", "0:2s2b"),
        ("2s3b4g5g6rKsKb", "0:2s3b4g5g6r"),
        ("DoMaAs", "0:Do"),
        ("MaAsDr", "0:Ma"),
        ("5s5bPh9g", "0:5s5bP5"),
        ("AsPhDr", "0:AsPA"),
        ("PhDr", "0:Ph"),
    ],
)
def test_it_leads_its_longest_and_of_these_its_lowest_combination(hand: str, lead: str) -> None:
    assert choice(at(f"{hand}/2r/3r/4r p0")) == lead


def test_it_leads_no_bomb_while_it_has_anything_else() -> None:
    assert choice(at("7s7b7g7rAs/2r/3r/4r p0")) == "0:7s7b7g"


@pytest.mark.parametrize(
    ("hand", "answer"),
    [
        ("2s9bTgKs", "1:9b"),
        ("2sAgPhDr", "1:Ag"),
        ("2sPhDr", "1:Ph"),
        ("2s3s3b3g3rTs", "1:Ts"),
        ("2s3s3b3g3r", "1:3s3b3g3r"),
        ("3s3b3g3r7s7b7g7r", "1:3s3b3g3r"),
        ("2s3s", "1:-"),
    ],
)
def test_it_beats_with_the_lowest_then_with_a_bomb_and_passes_only_if_it_must(hand: str, answer: str) -> None:
    assert choice(at(f"6r/{hand}/5r/4r p1 0:8s")) == answer


def test_natural_cards_go_before_the_phoenix() -> None:
    assert choice(at("6r/9s9bPhKr/5r/4r p1 0:8s8b")) == "1:9s9b"


def test_it_grants_a_wish_as_it_must() -> None:
    assert choice(at("6r/9sTs/5r/4r p1 0:8s ~ T")) == "1:Ts"


def test_it_declines_to_bomb_when_asked_and_takes_its_trick() -> None:
    assert choice(at("6r/3s3b3g3r/5r/4r b12 0:8s", "courtesy")) == "1-B"
    assert choice(at("3s3b3g3r/6r/5r/4r t0 0:8s")) == "0!"


def test_the_dragon_goes_to_the_opponent_with_more_cards() -> None:
    assert choice(at("6r/2s/5r/4r7s t0 0:Dr")) == "0!3"
    assert choice(at("6r/2s7s/5r/4r t0 0:Dr")) == "0!1"


def test_it_wishes_for_the_highest_rank_it_does_not_hold() -> None:
    assert choice(at("KsAs/2s/5r/4r w0 0:Ma")) == "0?Q"
    every_rank = "2s3s4b5s6s7s8b9sTsJsQbKsAs"
    assert choice(at(f"{every_rank}/2r/5r/4r w0 0:Ma")) == "0?-"
    assert choice(at(f"{every_rank}/2r/5r/4r w0 0:Ma", "classic")) == "0?2"


def test_it_gives_its_three_lowest_cards_the_best_of_them_to_its_partner() -> None:
    hands = "MaDoPhDr3s4b5g6s7s8s9sTsJsQs/2s2b2g2r3b3g3r4s4g4r5s5b5r6b/6g6r7b7g7r8b8g8r9b9g9rTbTgTr"
    rest = "JbJgJrQbQgQrKsKbKgKrAsAbAgAr"
    assert choice(at(f"{hands}/{rest} x0123")) == "0>3s5g4b"
