"""The parts of ``tools/find_puzzles.py``: rounds and decisions to look at, and the sieves they go through."""
