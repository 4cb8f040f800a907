"""A server under siege: honest tables play while everything hostile happens to it at random.  Loopback only.

:mod:`.honest` are the tables, with a journal of what was acknowledged; :mod:`.attackers` a process of its own with
those who mean harm; :mod:`.besieged` the server and what can happen to it; :mod:`.journal` compares with the store.
"""
