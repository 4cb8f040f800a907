"""Bots in processes of their own, so that thinking never holds up a table.

Knows what a table asks (:mod:`tichu.server.table.ports`) and the agents; the worker knows the agents alone.
"""
