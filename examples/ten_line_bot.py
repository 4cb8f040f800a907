"""A bot in ten lines: it gets rid of its lowest cards first and never calls.

tichu bot-check examples/ten_line_bot.py:TenLineBot
tichu arena examples/ten_line_bot.py:TenLineBot random --deals 100
"""

from tichu import DRAGON, Action, CallTichu, Combo, Exchange, Legal, Phase, View, cards_of
from tichu.agents import Agent


class TenLineBot(Agent):
    """Lowest first."""

    def act(self, view: View, legal: Legal) -> Action:
        if view.phase is Phase.EXCHANGE:
            low, middle, high = [card for card in cards_of(view.hand) if card > DRAGON][:3]  # Not the special cards.
            return Exchange(left=low, partner=high, right=middle)
        plays = [action for action in legal if isinstance(action, Combo)]
        others = [action for action in legal if not isinstance(action, Combo | CallTichu)]  # Pass, take, wish, decline.
        if others and all(play.is_bomb for play in plays):
            return others[-1]
        return min(plays, key=lambda play: (play.is_bomb, play.rank, -play.size))
