"""The outermost room of the server: requests, sockets, streams, the page, and what guards them.

Imports everything else in the server but :mod:`~tichu.server.serve` and :mod:`~tichu.server.local`, which start it.
Nothing further in (lobby, room, table, wire, store, bots) imports it.
"""
