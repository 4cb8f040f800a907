"""What a decision was worth: possible worlds, exact solutions of open positions, values by playing on.

Imports agents and what is below them; arena, data, server and the command line may import it (``docs/analysis.md``).
"""
