"""Reviews of finished games: computed part by part in a process that never gets in the way of tables, and stored.

``jobs`` is what that process does, ``progress`` what is known of a game, ``queue`` who waits for what.
"""
