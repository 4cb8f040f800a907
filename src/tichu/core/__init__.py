"""The game itself: cards, combinations, rules, rounds, views, texts and records.

It imports nothing but itself and a few quiet parts of the standard library: no clock, no chance, no other package.
Everything else may import it; users take what :mod:`tichu` exports.
"""
