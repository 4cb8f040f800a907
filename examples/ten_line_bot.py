"""A bot in ten lines: it gets rid of its lowest cards first and never calls.

tichu bot-check examples/ten_line_bot.py:TenLineBot
tichu arena examples/ten_line_bot.py:TenLineBot random --deals 100
"""

from tichu import Action, CallTichu, Combo, Exchange, Legal, Phase, View, cards_of
from tichu.agents import Agent


class TenLineBot(Agent):
    """Lowest first."""

    def act(self, view: View, legal: Legal) -> Action:
        if view.phase is Phase.EXCHANGE:
            low, middle, high = [card for card in cards_of(view.hand) if card > 3][:3]  # 0 to 3 are the special cards.
            return Exchange(left=low, partner=high, right=middle)
        options = [action for action in legal if not isinstance(action, CallTichu)]
        plays = [action for action in options if isinstance(action, Combo) and not action.is_bomb]
        if plays:
            return min(plays, key=lambda combo: (combo.rank, -combo.size))
        quiet = [action for action in options if not isinstance(action, Combo)]  # Pass, decline, take, wish.
        return (quiet or options)[-1]
