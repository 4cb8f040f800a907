"""What tests say at the table: positions and actions as text.

A position may leave out fields at its end, and ``~`` for the points gives whatever has been played to seat 0: what a
test does not write does not matter to it.
"""

from random import Random

from tichu import (
    NotationError,
    Reason,
    Round,
    Rules,
    cards_of,
    format_action,
    format_cards,
    parse_action,
    parse_cards,
    parse_deal,
    points_of,
    shuffled_deal,
)
from tichu.core.cards import ALL_CARDS

#: Seat 0 holds swords and the Mah Jong, 1 pagodas and the Dog, 2 jade and the Phoenix, 3 stars and the Dragon.
SUITED_DEAL = (
    "Ma2s3s4s5s6s7s8s+9sTsJsQsKsAs / Do2b3b4b5b6b7b8b+9bTbJbQbKbAb"
    " / 2g3g4g5g6g7g8g9g+TgJgQgKgAgPh / 2r3r4r5r6r7r8r9r+TrJrQrKrArDr"
)
ALL_DECLINE = "0-G 1-G 2-G 3-G"

_OMITTED = ("p0", "-", "~", "-", "----", "-", "-/-/-/-")


def start(rules: str = "standard", deal: str = SUITED_DEAL) -> Round:
    """A round just dealt."""
    return Round.start(parse_deal(deal), Rules.parse(rules))


def at(text: str, rules: str = "standard") -> Round:
    """A position, perhaps a shortened one.

    >>> str(at("9s/5b/Kb/4s p2 0:5g5r"))
    '9s/5b/Kb/4s p2 0:5g5r 75/0/0/0 - ---- - -/-/-/-'
    """
    fields = text.split(" ")
    fields += _OMITTED[len(fields) - 1 :]
    if fields[3] == "~":
        seen = [*fields[0].split("/"), _on_table(fields[2])]
        gone = ALL_CARDS & ~sum(parse_cards(cards) for cards in seen)
        fields[3] = f"{points_of(gone)}/0/0/0"
    return Round.from_position(" ".join(fields), Rules.parse(rules))


def _on_table(text: str) -> str:
    """The cards of ``0:7sP7`` as ``7sPh``."""
    combo = text[2:]
    tokens = [combo[start : start + 2] for start in range(0, len(combo), 2)]
    return "".join("Ph" if token[0] == "P" else token for token in tokens) or "-"


def play(state: Round, actions: str) -> Round:
    """The round after these actions, each of them checked."""
    for action in actions.split():
        state = state.after(*parse_action(action))
    return state


def may(state: Round, action: str) -> bool:
    """Whether the action is legal for the seat that it names."""
    seat, what = parse_action(action)
    return what in state.legal(seat)


def refusal(state: Round, action: str) -> Reason | None:
    """Why the action is not legal."""
    seat, what = parse_action(action)
    return state.legal(seat).refusal(what)


def options(state: Round, seat: int | None = None) -> set[str]:
    """Everything that a seat may do, by default the one to act."""
    who = state.pending[0] if seat is None else seat
    return {format_action(who, action) for action in state.legal(who)}


def led(cards: str, rules: str = "standard") -> list[str]:
    """In which ways exactly these cards can be led.

    >>> led("5s5b9g9rPh"), led("9s9b9g9rPh")
    (['5s5bP59g9r', '5s5b9g9rP9'], [])
    """
    hand = parse_cards(cards)
    state = at(_with_others(hand, hand) + " p0", rules)
    texts = (format_action(0, action)[2:] for action in state.legal(0) if getattr(action, "cards", 0) == hand)
    return sorted(texts, key=_phoenix_place)


def _phoenix_place(text: str) -> str:
    """Readings of the same cards sort by what the Phoenix stands for."""
    at_phoenix = text.find("P")
    return "" if at_phoenix < 0 else f"{'23456789TJQKA'.find(text[at_phoenix + 1]):02}"


def beats(combo: str, top: str, rules: str = "standard") -> bool:
    """Whether a player whose turn it is may play this on that.

    >>> beats("8s", "7s"), beats("7g", "P7")
    (True, False)
    """
    hand = parse_cards(_on_table("1:" + combo))
    others = _with_others(hand, hand | parse_cards(_on_table("2:" + top))).split("/")
    state = at(f"{others[1]}/{others[0]}/{others[2]}/{others[3]} p1 2:{top}", rules)
    return may(state, f"1:{combo}")


def _with_others(hand: int, used: int) -> str:
    """The hand, and a free suited card for each other seat."""
    free = [card for card in cards_of(ALL_CARDS & ~used) if card > 3]
    return "/".join([format_cards(hand), *(format_cards(1 << card) for card in free[:3])])


def is_combination(text: str) -> bool:
    """Whether the text can be read as a combination at all."""
    try:
        parse_action(f"0:{text}")
    except NotationError:
        return False
    return True


def finished_round(rng: Random, rules: Rules) -> Round:
    """A round played to the end by chance."""
    state = Round.start(shuffled_deal(rng), rules)
    while state.pending:
        decision = state.automatic()
        if decision is None:
            seat = state.pending[0]
            state = state.after(seat, state.legal(seat).draw(rng))
        else:
            state = state.after_unchecked(*decision)
    return state
