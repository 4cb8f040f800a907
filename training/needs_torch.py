"""Imported first by commands that need torch: whoever has none is told so in a sentence."""

import sys

__all__: list[str] = []

try:
    import torch  # noqa: F401
except ModuleNotFoundError as error:
    if error.name != "torch":
        raise
    sys.exit("training needs torch: pip install torch")
