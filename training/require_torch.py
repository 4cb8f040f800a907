"""Imported first by commands that need torch: without it they end with one line instead of a traceback."""

import sys

__all__: list[str] = []

try:
    import torch  # noqa: F401
except ModuleNotFoundError as error:
    if error.name != "torch":
        raise
    sys.exit("training needs torch: pip install torch")
