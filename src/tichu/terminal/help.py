"""Texts that the person can ask for; they speak only of what the rule set has."""

from tichu.core.phases import partner_of
from tichu.core.rules import Rules
from tichu.terminal.words import PERSON

__all__ = ["help_text", "rules_summary", "welcome"]

_CARDS = """\
  A play      its number in the list, or the cards: 7s7b, 7s 7b, 10r jr qs kb ag
              suits: s ♠ swords   b ♦ pagodas   g ♣ jade   r ♥ stars
              special cards: ma Mah Jong   do Dog   ph Phoenix   dr Dragon
              ph=9 says what the Phoenix stands for; if it matters you are asked
  p           pass; Enter alone passes too when you can play nothing"""

_TICHU = """\
  t           call Tichu: +100 if you are the first to go out, -100 if not;
              possible {since}until you play your first card"""

_ANY_TIME = """\
  b           show your bombs                    i   a hint, and why
  h           what happened in this round        s   the score sheet
  r           the rules in short                 q   quit{at_a_wish}
  ?           this help                          Enter  show the table again"""

_BOMB_QUESTIONS = """\
  Bombs: whoever holds a bomb that beats the table is asked after every play
  and every pass whether to throw it, so you never have to be quick. Answer
  with its number, with Enter to let it go, or with x for the rest of the trick.
  Nobody sees that you were asked."""

_BOMBS_IN_TURN = """\
  Bombs are in the list when it is your turn."""


def help_text(rules: Rules) -> str:
    """What can be typed."""
    since = "from the first lead " if rules.tichu_from == "play" else ""
    parts = [
        _CARDS,
        *([_TICHU.format(since=since)] if rules.calls == "choice" else []),
        _ANY_TIME.format(at_a_wish="" if rules.wish == "off" else " (at a wish: quit)"),
        "",
        _BOMBS_IN_TURN if rules.bombs == "in-turn" else _BOMB_QUESTIONS,
    ]
    return "\n".join(parts)


def welcome(names: tuple[str, ...], rules: Rules) -> list[str]:
    """What a newcomer must know, in four lines."""
    partner = names[partner_of(PERSON)]
    left, right = names[PERSON + 1], names[PERSON + 3]
    order = (right, partner, left) if rules.direction == "ccw" else (left, partner, right)
    goal = f"the team with {rules.goal.number} wins" if rules.goal.kind == "target" else "one round decides"
    return [
        f"  You sit in the south. {partner} in the north is your partner, {left} (left) and",
        f"  {right} (right) play against you. After you comes {order[0]}, then {order[1]}, then {order[2]}.",
        f"  Get rid of your cards first, and collect points: {goal}.",
        "  Type r for the rules in short, ? for help, q to quit, at any time.",
    ]


def rules_summary(rules: Rules) -> str:
    """The rules on one screen."""
    return f"""\
  Rules: {rules}
  {_before_the_lead(rules)}The Mah Jong leads.
  Then play the same kind and number of cards, but higher, or pass. When all
  others have passed, the last to play takes the trick and leads what they like.

  Kinds     single, pair, triple, full house (triple and pair),
            straight (5 or more in a row), {_stairs(rules)}
  Bombs     four of a kind, straight flush (5 or more in a row of one suit);
            they beat everything, {_bombs(rules)}
  Mah Jong  rank 1: led alone or in a straight{_wish(rules)}
  Dog       only led: your partner leads instead
  Phoenix   alone half a rank above the last single; in a combination any rank
  Dragon    the highest single; its trick goes to {_recipient(rules)}

  Points    kings and tens 10, fives 5, Dragon 25, Phoenix -25. The last
            player's hand goes to the other team, the tricks to the first out.
            Both partners out before the others: 200, and nothing is counted.
  Tichu     {_tichu(rules)}"""


def _before_the_lead(rules: Rules) -> str:
    grand = rules.grand == "yes" and rules.calls == "choice"
    return (
        ("On your first eight cards you may call Grand Tichu (200).\n  " if grand else "")
        + ("Everybody gives a card to each other player. " if rules.exchange == "yes" else "")
    )  # fmt: skip


def _stairs(rules: Rules) -> str:
    pairs = "stairs (2 or more pairs in a row"
    return f"{pairs})" if rules.stairs == "pairs" else f"{pairs},\n            also of triples or of fours)"


def _bombs(rules: Rules) -> str:
    when = {
        "anytime": "at any time",
        "ordered": "out of turn too: you are asked",
        "in-turn": "on your own turn",
    }
    equal = ";\n            equal ones by suit: swords, stars, pagodas, jade" if rules.equal_flush == "suit" else ""
    return when[rules.bombs] + equal


def _wish(rules: Rules) -> str:
    if rules.wish == "off":
        return ""
    granted = ",\n            which the Phoenix can stand for" if rules.phoenix_grants_wish == "yes" else ""
    return f"; you {rules.wish} wish for a rank{granted}"


def _recipient(rules: Rules) -> str:
    return "an opponent of your choice" if rules.dragon == "choice" else "the opponent with more cards"


def _tichu(rules: Rules) -> str:
    if rules.calls == "auto":
        return "the table calls for strong hands: +100 if first out, else -100"
    if rules.tichu_from == "play":
        return "from the first lead to your first card: +100 if first out, else -100"
    return "called before your first card: +100 if first out, else -100"
