"""What the heuristic bot does in situations where a good player would not hesitate."""

from random import Random

import pytest

from tests.table import at, start
from tichu import Exchange, Round, Rules, format_action, format_cards, parse_cards
from tichu.agents import Choice, make_agent
from tichu.agents.heuristic.calling import calls_grand, calls_tichu, tichu_chance
from tichu.agents.heuristic.outlook import Outlook
from tichu.agents.heuristic.planning import Planner
from tichu.core.combos import Kind

ORDERED = "standard bombs=ordered"


def choice(state: Round) -> tuple[str, str]:
    """The decision of the seat to act, as text, and its reason."""
    seat = state.pending[0]
    view = state.view(seat)
    chosen: Choice = make_agent("heuristic").explain(view, view.legal())
    return format_action(seat, chosen.action), chosen.code


def test_it_goes_out_when_it_can() -> None:
    assert choice(at("As/5b6b/Kb2s/4s7s p0 1:9s", ORDERED)) == ("0:As", "out")


def test_it_does_not_go_out_before_a_partner_who_called() -> None:
    assert choice(at("As/5b6b/Kb2s/4s7s p0 1:9s ~ - --T-", ORDERED))[0] == "0:-"


def test_it_leaves_the_trick_to_a_partner_who_called() -> None:
    assert choice(at("JsQsKsAs/5b6b7b/2s3s/4s7s9s p0 2:9b ~ - --T-", ORDERED)) == ("0:-", "support")


def test_it_beats_an_opponent_who_is_about_to_go_out() -> None:
    state = at("3s3b6gAs/2bKg/7s7bKs/6b7g8gQs p0 1:9s", ORDERED)
    assert choice(state) == ("0:As", "stop")


def test_it_leads_the_dog_to_a_partner_who_called() -> None:
    assert choice(at("Do3s3b9s/5b6b7b/2s2b4s/4g7s9b p0 - ~ - --T-", ORDERED)) == ("0:Do", "support")


def test_it_keeps_its_bomb_from_its_own_trick_and_from_its_partners() -> None:
    own = at("2s2b2g2r3s/5b6b7b/4s4b6s/4g7s9b b00 0:As", ORDERED)
    assert choice(own) == ("0-B", "own_trick")
    partners = at("2s2b2g2r3s/5b6b7b/4s4b6s/4g7s9b b02 2:As", ORDERED)
    assert choice(partners) == ("0-B", "partner_holds")


def test_it_bombs_a_caller_who_is_nearly_out() -> None:
    state = at("2s2b2g2r3s3b/5b/4s4b6s/4g7s9b b01 1:As ~ - -G--", ORDERED)
    assert choice(state) == ("0:2s2b2g2r", "stop")


def test_it_plays_sure_winners_before_its_last_weak_card() -> None:
    # The Dragon and all other aces are gone, so both aces hold and the three goes last.
    state = at("3sAsAb/5b6b8g9g/4s4b6s7g/4g7s9bTb p0 -", ORDERED)
    action, reason = choice(state)
    assert reason == "run"
    assert "A" in action


def test_it_sheds_a_low_card_rather_than_break_a_pair() -> None:
    assert choice(at("4g5s9s9bKsKb/6b7b8bAsAb/4s4b6sJsAg/7s9gJgQsAr p0 3:3s", ORDERED)) == ("0:5s", "shed")


def test_it_gives_the_dragon_to_the_opponent_with_more_cards() -> None:
    assert choice(at("3s/4b5b6b/4g/4r t0 0:Dr", ORDERED)) == ("0!1", "to_the_last")


def test_it_wishes_for_what_it_gave_the_next_player() -> None:
    given = "5s9sTs/2b3b4s/2g3g5g/2r3r8r"
    # Seat 3 is next and got the ten of swords.
    state = at(f"9g/4b5b6b/4g6g/TsTr7r w0 0:Ma ~ - ---- - {given}", ORDERED)
    assert choice(state) == ("0?T", "given_card")


def dealt_around(hand: str) -> list[str]:
    """Hands for the other three seats from all other cards, as even as it gets."""
    rest = [card for card in range(56) if not parse_cards(hand) >> card & 1]
    return [format_cards(sum(1 << card for card in rest[first::3])) for first in range(3)]


def test_it_gives_its_best_card_to_a_partner_who_called_and_trash_to_opponents() -> None:
    hand = "2s3b5s5b6g7s8b9gTsJbQrKsAsDr"
    hands = "/".join([hand, *dealt_around(hand)])
    view = Round.from_position(f"{hands} x0123 - 0/0/0/0 - --G- - -/-/-/-", Rules.parse(ORDERED)).view(0)
    exchange = make_agent("heuristic").act(view, view.legal())
    assert isinstance(exchange, Exchange)
    assert format_cards(1 << exchange.partner) == "Dr"
    assert format_cards(1 << exchange.left | 1 << exchange.right) == "2s3b"


def test_a_plan_parts_the_hand_into_few_turns() -> None:
    hand = "Do2g3s4b5g6r7s9s9bJsQsKsKbKg"
    view = at(f"{'/'.join([hand, *dealt_around(hand)])} p{_leads(hand)}", ORDERED).view(0)
    _, groups = Planner(Outlook(view)).plan(view.hand)
    assert sorted(groups) == [
        (Kind.DOG, 1, 0),
        (Kind.SINGLE, 1, 11),
        (Kind.SINGLE, 1, 12),
        (Kind.FULL_HOUSE, 5, 13),
        (Kind.STRAIGHT, 6, 7),
    ]


def test_a_four_stays_together() -> None:
    state = at("3s7s7b7g7r9s/2s4s/2b4b/2g4g p0 -", ORDERED)
    view = state.view(0)
    assert (Kind.FOUR, 4, 7) in Planner(Outlook(view)).plan(view.hand)[1]


@pytest.mark.parametrize(("eight", "calls"), [("AsAbAgKsKbQsPhDr", True), ("2s3b5g6r8s9bJgQr", False)])
def test_grand_tichu_is_called_on_eight_strong_cards(eight: str, calls: bool) -> None:
    # A view does not hold the others' cards, so the own eight can be exchanged for others.
    view = start(ORDERED).view(0)._replace(hand=parse_cards(eight))
    assert calls_grand(view) is calls


def test_tichu_is_called_on_a_strong_hand_but_not_against_the_partner() -> None:
    hand = "9s9bTsTbJsJbQsQbAsAbAgArPhDr"
    assert not parse_cards(hand) & 1
    hands = "/".join([*dealt_around(hand)[:1], hand, *dealt_around(hand)[1:]])
    leads = next(seat for seat, cards in enumerate(hands.split("/")) if "Ma" in cards)
    view = at(f"{hands} p{leads}", ORDERED).view(1)
    assert tichu_chance(view) > 0.8
    assert calls_tichu(view)
    assert not calls_tichu(at(f"{hands} p{leads} - ~ - ---T", ORDERED).view(1))


def test_who_is_about_to_lose_the_match_calls_more_than_who_is_about_to_win_it() -> None:
    hands = [at(f"{'/'.join([hand, *dealt_around(hand)])} p{_leads(hand)}", ORDERED).view(0) for hand in _hands()]
    losing = sum(calls_tichu(view._replace(score=(300, 950))) for view in hands)
    even = sum(map(calls_tichu, hands))
    winning = sum(calls_tichu(view._replace(score=(960, 300))) for view in hands)
    assert losing > even > winning


def _hands() -> list[str]:
    rng = Random(8)
    return [format_cards(sum(1 << card for card in rng.sample(range(56), 14))) for _ in range(300)]


def _leads(hand: str) -> int:
    return next(seat for seat, cards in enumerate([hand, *dealt_around(hand)]) if "Ma" in cards)
