"""Between the words of the wire and those of the core, both ways; nothing else in the server translates.

To the wire: cards, combinations, phases, actions as events, as hints and as commands.  From the wire: the actions that
a command stands for, made from what the seat may know.
"""

from collections.abc import Sequence
from functools import lru_cache, partial
from typing import Final, Literal, assert_never

from tichu.agents.base import Choice
from tichu.agents.reasons import in_words
from tichu.core.actions import (
    CALL_GRAND,
    CALL_TICHU,
    DECLINE_BOMB,
    DECLINE_GRAND,
    NO_WISH,
    PASS,
    Action,
    CallGrand,
    CallTichu,
    DeclineBomb,
    DeclineGrand,
    Exchange,
    Pass,
    Take,
    Wish,
    format_action,
)
from tichu.core.cards import (
    DRAGON,
    MAH_JONG,
    PHOENIX,
    Card,
    Cards,
    card_texts,
    cards_of,
    format_card,
    format_rank,
    parse_card,
    parse_rank,
    rank_of,
)
from tichu.core.combos import Combo, Kind, readings
from tichu.core.errors import NotationError, Reason
from tichu.core.legal import Legal
from tichu.core.phases import Phase as CorePhase
from tichu.core.round import Round
from tichu.core.scoring import Outcome
from tichu.core.view import View
from tichu.server import log, wire
from tichu.server.table.ports import Player
from tichu.server.table.refusals import Refusal, TableReason
from tichu.server.table.sanitize import clean

__all__ = [
    "CARD_TEXTS",
    "By",
    "Draft",
    "actions_of",
    "as_on_table",
    "card_list",
    "combination",
    "command_of",
    "decision_of",
    "draft_of",
    "event_of",
    "hint_message",
    "matching_readings",
    "must_give",
    "parse_hand",
    "phase_of",
    "private_event",
    "round_result",
    "spoken_entry",
    "spoken_event",
    "wish_text",
]

#: Who decided in a seat's place.
By = Literal["clock", "bot"] | None
#: Cards laid out for LEFT, PARTNER and RIGHT.
Draft = tuple[str | None, ...]

TYPES: Final[dict[Kind, wire.ComboType]] = {
    Kind.DOG: "DOG",
    Kind.SINGLE: "SINGLE",
    Kind.PAIR: "PAIR",
    Kind.TRIPLE: "TRIPLE",
    Kind.FULL_HOUSE: "FULL_HOUSE",
    Kind.STRAIGHT: "STRAIGHT",
    Kind.STAIRS: "PAIR_STRAIGHT",
    Kind.TRIPLE_STAIRS: "TRIPLE_STRAIGHT",
    Kind.FOUR_STAIRS: "FOUR_STRAIGHT",
    Kind.FOUR: "BOMB4",
    Kind.STRAIGHT_FLUSH: "BOMB_STRAIGHT_FLUSH",
}
#: Clients of the single-round game write suits by their signs.
_SUIT_SIGNS: Final = {"♠": "s", "♦": "b", "♣": "g", "♥": "r"}
_NO_CARDS: Final = (None, None, None)
#: By card.
CARD_TEXTS: Final = tuple(format_card(card) for card in range(56))


# Cards and combinations.


def card_list(cards: Cards) -> tuple[str, ...]:
    """A set of cards in the order in which sets are written."""
    return tuple(card_texts(cards))


@lru_cache(maxsize=4096)
def combination(combo: Combo) -> wire.Combination:
    """A combination as clients see it."""
    return wire.Combination(
        cards=card_list(combo.cards),
        type=TYPES[combo.kind],
        rank=_rank(combo),
        with_rank=_pair_of(combo),
        length=combo.size,
        phoenix_as=format_rank(combo.phoenix) if combo.phoenix > 1 else None,
        is_bomb=combo.is_bomb,
        text=str(combo),
    )


def _rank(combo: Combo) -> str:
    if combo.size == 1:
        card: Card = combo.cards.bit_length() - 1
        special = {0: "1", 1: "Do", PHOENIX: "Ph", DRAGON: "Dr"}
        return special.get(card) or format_rank(rank_of(card))
    return format_rank(combo.rank)


def _pair_of(combo: Combo) -> str | None:
    if combo.kind != Kind.FULL_HOUSE:
        return None
    ranks = {rank_of(card) for card in cards_of(combo.cards & ~(1 << PHOENIX))}
    return format_rank((ranks - {combo.rank}).pop())


def parse_hand(texts: tuple[str, ...]) -> Cards:
    """The cards that a client named, each once.

    :raises Refusal: one of them does not exist, or is there twice
    """
    cards = 0
    for text in texts:
        bit = 1 << _card(text)
        if cards & bit:
            raise Refusal(Reason.NO_COMBINATION, f"{text} is there twice")
        cards |= bit
    return cards


def _card(text: str) -> Card:
    try:
        return parse_card(text)
    except NotationError as error:
        raise Refusal(TableReason.BAD_CARD, str(error)) from None


def matching_readings(cards: Cards, declared: wire.DeclaredCombo | None, legal: Legal) -> tuple[Combo, ...]:
    """The legal ways to play exactly these cards that match what was declared.

    :raises Refusal: there is none
    """
    combos = tuple(readings(cards))
    if not combos:
        raise Refusal(Reason.NO_COMBINATION)
    fitting = combos if declared is None else tuple(combo for combo in combos if _fits(combo, declared))
    if not fitting:
        raise Refusal(TableReason.DECLARED_OTHERWISE)
    refusals = [legal.refusal(combo) for combo in fitting]
    found = tuple(combo for combo, refusal in zip(fitting, refusals, strict=True) if refusal is None)
    if not found:
        raise Refusal(next(refusal for refusal in reversed(refusals) if refusal is not None))
    return found


def _fits(combo: Combo, declared: wire.DeclaredCombo) -> bool:
    shown = combination(combo)
    suit = format_card(combo.cards.bit_length() - 1)[1] if combo.kind == Kind.STRAIGHT_FLUSH else None
    # A lone Phoenix stands for nothing.
    phoenix_as = shown.phoenix_as if combo.size > 1 else _rank_letter(declared.phoenix_as)
    pairs = (
        (declared.type, shown.type),
        (declared.length, combo.size),
        (_SUIT_SIGNS.get(declared.suit or "", declared.suit), suit),
        (_rank_letter(declared.phoenix_as), phoenix_as),
        (_rank_letter(declared.high_rank), shown.rank),
    )
    return all(said is None or said == is_so for said, is_so in pairs)


def _rank_letter(rank: str | None) -> str | None:
    """Clients of the single-round game write 10 for T."""
    return "T" if rank == "10" else rank


# Phases and decisions.


def must_give(state: Round) -> bool:
    """Whether the trick on the table is the Dragon's and its owner chooses who gets it."""
    return state.rules.dragon == "choice" and state.top is not None and state.top.cards == 1 << DRAGON


def phase_of(state: Round) -> wire.Phase:
    """The phase of a round as everybody may know it."""
    phase = state.phase
    if phase is CorePhase.BOMB:
        phase = state.view((state.pending[0] + 1) & 3).phase
    match phase:
        case CorePhase.GRAND:
            return "TICHU.DECLARE_GRAND_WINDOW"
        case CorePhase.EXCHANGE:
            return "TICHU.EXCHANGE_SELECT"
        case CorePhase.TAKE if must_give(state):
            return "TICHU.DRAGON_DONATE"
        case CorePhase.END:
            return "TICHU.ROUND_END"
        case _:
            return "TICHU.TRICK_PLAY"


def decision_of(view: View) -> wire.Decision | None:
    """What the seat is to decide."""
    if view.seat not in view.pending:
        return None
    match view.phase:
        case CorePhase.GRAND:
            return "grand"
        case CorePhase.EXCHANGE:
            return "exchange"
        case CorePhase.PLAY:
            return "play"
        case CorePhase.WISH:
            return "wish"
        case CorePhase.BOMB:
            return "bomb"
        case CorePhase.TAKE if view.rules.dragon == "choice" and view.top is not None and view.top.cards == 1 << DRAGON:
            return "gift"
        case _:
            return None


def round_result(number: int, outcome: Outcome, calls: Sequence[str]) -> wire.RoundResult:
    """A finished round as clients see it."""
    return wire.RoundResult(
        round=number,
        points=outcome.points,
        bonus=outcome.bonus,
        score=outcome.score,
        out=outcome.out,
        calls=tuple(calls),
        double_victory=outcome.is_double_victory,
    )


# Actions to the wire.


def wish_text(rank: int) -> str:
    """A wish as it is written, ``NONE`` for none."""
    return format_rank(rank) if rank else "NONE"


def as_on_table(combo: Combo, top: Combo | None) -> Combo:
    """A play as it lies there: the lone Phoenix has its height only on the table."""
    return top if top is not None and top.cards == combo.cards else combo


def event_of(seat: int, action: Action, by: By = None, top: Combo | None = None) -> wire.Acted:
    """An action that left ``top`` on the table, as whoever may know all of it hears of it."""
    text = format_action(seat, action)
    match action:
        case CallGrand():
            return wire.Acted(seat=seat, text=text, what="grand", by=by)
        case DeclineGrand():
            return wire.Acted(seat=seat, text=text, what="no_grand", by=by)
        case CallTichu():
            return wire.Acted(seat=seat, text=text, what="tichu", by=by)
        case Exchange():
            return wire.Acted(seat=seat, text=text, what="exchange", by=by)
        case Combo():
            return wire.Acted(
                seat=seat, text=text, what="play", combination=combination(as_on_table(action, top)), by=by
            )
        case Pass():
            return wire.Acted(seat=seat, text=text, what="pass", by=by)
        case Wish(rank):
            return wire.Acted(seat=seat, text=text, what="wish", rank=wish_text(rank), by=by)
        case Take(recipient):
            return wire.Acted(seat=seat, text=text, what="take", recipient=recipient, by=by)
        case DeclineBomb():
            raise AssertionError("nobody is told of a bomb that was not thrown")
        case _:
            assert_never(action)


def private_event(seat: int, action: CallGrand | DeclineGrand | Exchange, by: By = None) -> wire.Acted:
    """A decision that the others hear of without what was decided."""
    if isinstance(action, Exchange):
        return wire.Acted(seat=seat, text=f"{seat}>", what="exchange", by=by)
    return wire.Acted(seat=seat, text=str(seat), what="grand_hidden", by=by)


def spoken_entry(
    command: wire.Say | wire.Emote, player: Player, name: str, at: float, key: str
) -> log.ChatEntry | log.EmoteEntry:
    """What somebody wants to say or show.

    :raises Refusal: there is nothing to see
    """
    said = partial(log.ChatEntry, at=at, command=key, player=player.id, name=name, account=player.account)
    if isinstance(command, wire.Emote):
        return log.EmoteEntry(**said.keywords, emote=command.emote)
    text = clean(command.text, 280)
    if not text:
        raise Refusal(TableReason.EMPTY)
    return said(text=text)


def spoken_event(entry: log.ChatEntry | log.EmoteEntry, seat: int | None) -> wire.Said | wire.Emoted:
    """What somebody said or showed."""
    name, player, account = entry.name, entry.player, entry.account
    if isinstance(entry, log.EmoteEntry):
        return wire.Emoted(name=name, player=player, emote=entry.emote, seat=seat, account=account)
    return wire.Said(name=name, player=player, text=entry.text, seat=seat, account=account)


def hint_message(
    hint_id: str, seat: int, choice: Choice, names: Sequence[str], facts: tuple[wire.HintFact, ...] = ()
) -> wire.Hinted:
    """What a bot would do, for a page that knows no rules."""
    action = choice.action
    cards: tuple[str, ...] = ()
    if isinstance(action, Combo):
        cards = card_list(action.cards)
    elif isinstance(action, Exchange):
        cards = tuple(format_card(card) for card in action.cards)
    return wire.Hinted(
        id=hint_id,
        text=format_action(seat, action),
        what="no_bomb" if isinstance(action, DeclineBomb) else event_of(seat, action).what,
        cards=cards,
        combination=combination(action) if isinstance(action, Combo) else None,
        rank=wish_text(action.rank) if isinstance(action, Wish) else None,
        recipient=action.recipient if isinstance(action, Take) else None,
        code=choice.code,
        arguments={
            name: value if isinstance(value, str | int | float) else str(value)
            for name, value in choice.arguments.items()
        },
        words=in_words(choice, names),
        facts=facts,
    )


def command_of(action: Action, view: View, command_id: str, version: int | None) -> wire.Action:
    """The command by which a client takes an action."""
    match action:
        case CallGrand():
            return wire.DeclareGrandTichu(id=command_id, version=version)
        case DeclineGrand():
            return wire.DeclineGrandTichu(id=command_id, version=version)
        case CallTichu():
            return wire.DeclareTichu(id=command_id, version=version)
        case Exchange():
            left, partner, right = map(format_card, action.cards)
            return wire.ConfirmExchange(id=command_id, version=version, left=left, partner=partner, right=right)
        case Combo():
            shown = combination(action)
            declared = wire.DeclaredCombo(type=shown.type, phoenix_as=shown.phoenix_as)  # type: ignore[arg-type]
            kind = wire.PlayBomb if view.phase is CorePhase.BOMB else wire.PlayCards
            return kind(id=command_id, version=version, cards=shown.cards, declared_combo=declared)
        case Pass():
            return wire.Pass(id=command_id, version=version)
        case DeclineBomb():
            return wire.DeclineBomb(id=command_id, version=version)
        case Wish(rank):
            return wire.Wish(id=command_id, version=version, wish_rank=wish_text(rank))  # type: ignore[arg-type]
        case Take(recipient):
            assert recipient is not None, "other tricks are taken by the table"
            return wire.DragonDonate(id=command_id, version=version, to_opponent_player_id=recipient)
        case _:
            assert_never(action)


# Commands from the wire.


def actions_of(command: wire.Action, view: View, asked: View, draft: Draft) -> tuple[Action, ...]:
    """The actions that a command stands for: one, or a play and its wish.

    ``asked`` is the view of a seat that may be asked to bomb; only bombs and answers are about that question, the rest
    is about what follows it.

    :raises Refusal: it stands for nothing that the seat may do now
    """
    match command:
        case wire.PlayBomb():
            return _play(command, Legal(asked), bombs_only=True)
        case wire.PlayCards():
            return _play(command, Legal(view), bombs_only=False)
        case wire.Pass():
            action: Action = PASS
        case wire.DeclareTichu():
            action = CALL_TICHU
        case wire.DeclareGrandTichu():
            action = CALL_GRAND
        case wire.DeclineGrandTichu():
            action = DECLINE_GRAND
        case wire.DeclineBomb():
            action = DECLINE_BOMB
        case wire.Wish():
            action = _wish(command.wish_rank)
        case wire.DragonDonate():
            action = Take(command.to_opponent_player_id)
        case wire.ConfirmExchange() | wire.SelectExchange():
            action = _exchange(command, draft)
    refusal = Legal(asked if isinstance(action, DeclineBomb) else view).refusal(action)
    if refusal is not None:
        raise Refusal(refusal)
    return (action,)


def _play(command: wire.PlayCards | wire.PlayBomb, legal: Legal, *, bombs_only: bool) -> tuple[Action, ...]:
    cards = parse_hand(command.cards)
    declared = command.declared_combo
    if bombs_only and not any(combo.is_bomb for combo in readings(cards)):
        raise Refusal(TableReason.NOT_A_BOMB)
    combos = matching_readings(cards, declared, legal)
    if len(combos) > 1:
        raise Refusal(Reason.PHOENIX_AMBIGUOUS)
    if declared is None or declared.wish_rank is None:
        return combos
    return (*combos, _wish_with(combos[0], declared.wish_rank, legal.view))


def _wish_with(combo: Combo, rank: str, view: View) -> Wish:
    """§4.1: the wish that a play brings along."""
    if not combo.cards >> MAH_JONG & 1 or view.rules.wish == "off":
        raise Refusal(Reason.NOT_IN_PHASE, "only the Mah Jong wishes")
    wish = _wish(rank)
    if wish.rank == 0 and view.rules.wish == "must":
        raise Refusal(Reason.MUST_WISH)
    return wish


def _wish(rank: str) -> Wish:
    return NO_WISH if rank == "NONE" else Wish(parse_rank(_rank_letter(rank) or rank))


def _exchange(command: wire.ConfirmExchange | wire.SelectExchange, draft: Draft) -> Exchange:
    said = (command.left, command.partner, command.right)
    cards = [_card(text) for text in (draft if said == _NO_CARDS else said) if text is not None]
    if len(cards) != 3:
        raise Refusal(Reason.THREE_CARDS)
    return Exchange(*cards)


def draft_of(command: wire.SelectExchange, view: View) -> Draft:
    """The cards that a seat lays out for the exchange.

    :raises Refusal: it is not the time, or they are not its own
    """
    said = (command.left, command.partner, command.right)
    cards = [_card(text) for text in said if text is not None]
    if view.phase is not CorePhase.EXCHANGE or view.seat not in view.pending:
        raise Refusal(Reason.NOT_IN_PHASE)
    if len(set(cards)) != len(cards):
        raise Refusal(Reason.THREE_CARDS)
    if any(not view.hand >> card & 1 for card in cards):
        raise Refusal(Reason.NOT_IN_HAND)
    return said
