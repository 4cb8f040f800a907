"""Ratings and quick matches of a server: who is how strong, and who plays with whom.

Imports the store and ``tichu.ratings``; the lobby and the requests import it.
"""
