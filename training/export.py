"""Write the weights of a checkpoint into one file: what the learned bot plays with, or what a new run starts from.

python -m training.export build/training/run champion.npz --grand 5
python -m training.export build/training/run start.npz --for start
"""

from training import require_torch  # noqa: F401  # isort: skip

import argparse
from pathlib import Path

from training.checkpoint import read_policy, read_weights
from training.command_line import entry_point
from training.weights import write_bot, write_start

__all__ = ["main"]


@entry_point
def main(arguments: list[str] | None = None) -> None:
    """Export the checkpoint of the command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("source", type=Path, help="the folder of a checkpoint")
    parser.add_argument("target", type=Path)
    parser.add_argument(
        "--for", choices=("bot", "start"), default="bot", dest="purpose", help="the bot, or --start of a new run"
    )
    parser.add_argument(
        "--tichu", type=float, default=0.0, help="for the bot: added to the logit of that call, which is made above 0"
    )
    parser.add_argument("--grand", type=float, default=0.0, help="the same for Grand Tichu")
    parser.add_argument("--int8", action="store_true", help="for the bot: weights of eight bits, half of the file")
    options = parser.parse_args(arguments)
    if options.purpose == "bot":
        policy = read_policy(options.source, "cpu", options.tichu, options.grand).state_dict()
        write_bot(policy, options.target, eight_bits=options.int8)
    else:
        networks = {name: read_weights(options.source, name, "cpu") for name in ("policy", "critic")}
        write_start(networks, options.target)


if __name__ == "__main__":
    main()
