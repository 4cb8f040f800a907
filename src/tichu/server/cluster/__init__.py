"""Nodes that share a PostgreSQL database: who owns which table, who is there, and what all of them must hear.

The lobby and the requests import it; it imports the store and rooms.  Needs the extra ``postgres``.
"""
