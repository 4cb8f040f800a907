"""What went wrong in the code of a bot, in one line for its author."""

import traceback
from pathlib import Path

__all__ = ["describe_error"]


def describe_error(error: BaseException, file: Path | None = None) -> str:
    """``NameError: name 'x' is not defined (bot.py, line 3)``: the last line that ran, or the last in ``file``."""
    try:
        fact = "".join(traceback.format_exception_only(error)).strip().splitlines()[-1]
    except KeyboardInterrupt:
        raise
    except BaseException:  # Its text is the bot's code, too.
        fact = type(error).__name__
    if file is not None and isinstance(error, SyntaxError):
        return fact if f"line {error.lineno}" in fact else f"{fact} ({error.filename}, line {error.lineno})"
    frames = list(traceback.extract_tb(error.__traceback__))
    if file is not None:
        frames = [frame for frame in frames if Path(frame.filename) == file.resolve()]
    if not frames:
        return fact
    return f"{fact} ({frames[-1].filename if file is None else file.name}, line {frames[-1].lineno})"
