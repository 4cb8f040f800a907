"""A game in the terminal: one person, seat 0, against three bots; and puzzles.

Everything that is shown comes from the person's :class:`~tichu.core.view.View`, until the round is over.
Imports analysis, agents and what lies below them; the command line imports it.
"""
