"""Bots against each other: rounds, duels on the same deals, and what they tell."""
