"""How well ratings find the truth, simulated: ``python -m bench.ratings`` (``docs/ratings.md``)."""
