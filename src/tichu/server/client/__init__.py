"""A program's way to a table: bots of other people connect with it (``tichu connect``).

Imports the wire and the agents, and nothing else of the server but the translation of combinations.
"""
