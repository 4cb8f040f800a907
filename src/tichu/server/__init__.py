"""The table server: everything between the rules core and a browser, a bot or a file.

From the door inward: :mod:`~tichu.server.http`, :mod:`~tichu.server.lobby`, :mod:`~tichu.server.room`,
:mod:`~tichu.server.table`, :mod:`~tichu.server.wire`.  ``docs/architecture.md`` has the map.  Imports the agents and
what lies below them; only the command line imports it.
"""
