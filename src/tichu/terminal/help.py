"""Texts that the person can ask for."""

from tichu.core.phases import partner_of
from tichu.core.rules import Rules
from tichu.terminal.words import PERSON

__all__ = ["HELP", "rules_summary", "welcome"]

HELP = """\
  A play      its number in the list, or the cards: 7s7b, 7s 7b, 10r jr qs kb ag
              suits: s ♠ swords   b ♦ pagodas   g ♣ jade   r ♥ stars
              special cards: ma Mah Jong   do Dog   ph Phoenix   dr Dragon
              ph=9 says what the Phoenix stands for; if it matters you are asked
  p           pass; Enter alone passes too when you can play nothing
  t           call Tichu: +100 if you are the first to go out, -100 if not;
              possible until you play your first card
  b           show your bombs                    i   a hint, and why
  h           what happened in this round        s   the score sheet
  r           the rules in short                 q   quit (at a wish: quit)
  ?           this help                          Enter  show the table again

  Bombs: whoever holds a bomb that beats the table is asked after every play
  and every pass whether to throw it, so you never have to be quick. Answer
  with its number, with Enter to let it go, or with x for the rest of the trick.
  Nobody sees that you were asked."""


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
    bombs = {
        "anytime": "at any time",
        "ordered": "out of turn too: you are asked",
        "in-turn": "on your own turn",
    }[rules.bombs]
    grand = "On your first eight cards you may call Grand Tichu (200).\n  " if rules.grand == "yes" else ""
    exchange = "Everybody gives a card to each other player. " if rules.exchange == "yes" else ""
    wish = "" if rules.wish == "off" else "; you may wish for a rank"
    return f"""\
  Rules: {rules}
  {grand}{exchange}The Mah Jong leads.
  Then play the same kind and number of cards, but higher, or pass. When all
  others have passed, the last to play takes the trick and leads what they like.

  Kinds     single, pair, triple, full house (triple and pair),
            straight (5 or more in a row), stairs (2 or more pairs in a row)
  Bombs     four of a kind, straight flush (5 or more in a row of one suit);
            they beat everything, {bombs}
  Mah Jong  rank 1: led alone or in a straight{wish}
  Dog       only led: your partner leads instead
  Phoenix   alone half a rank above the last single; in a combination any rank
  Dragon    the highest single; the trick it wins goes to an opponent

  Points    kings and tens 10, fives 5, Dragon 25, Phoenix -25. The last
            player's hand goes to the other team, the tricks to the first out.
            Both partners out before the others: 200, and nothing is counted.
  Tichu     called before your first card: +100 if you go out first, else -100"""
