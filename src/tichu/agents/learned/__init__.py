"""The learned bot: a network that has played against itself (``docs/training.md``)."""
