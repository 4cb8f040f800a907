"""``python -m tichu`` is the command ``tichu``."""

from tichu.cli import main

main(prog_name="tichu")
