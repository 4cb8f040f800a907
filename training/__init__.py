"""Self-play on a GPU or, slower, on a CPU: how the learned bot came about (``docs/training.md``).

python -m training.train --seconds 500 --out build/training/run
"""
