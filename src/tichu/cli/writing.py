"""Files that commands write: whole or not at all, packed by their suffix."""

import gzip
import io
import os
import signal
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import NamedTemporaryFile
from types import FrameType
from typing import IO

from tichu.core.errors import GameError
from tichu.formats.sources import PACKED, zstd_module

__all__ = ["check_target", "format_suffix", "names_place", "open_draft", "without_interrupts"]


def format_suffix(path: Path) -> str:
    """``.ttn`` of ``a.ttn`` and of ``a.ttn.gz``."""
    return (Path(path.stem) if path.suffix.lower() in PACKED else path).suffix.lower()


def check_target(target: Path, *, is_forced: bool) -> None:
    """Whether a file can be written there, before anything is done for it.

    :raises GameError: it cannot
    """
    if target.is_dir():
        raise GameError(f"{target}: this is a folder; games go into a file")
    if not target.parent.is_dir():
        raise GameError(f"{target.parent}: there is no such folder")
    if target.exists() and not is_forced:
        raise GameError(f"{target}: this file is there already; --force replaces it")


@contextmanager
def open_draft(target: Path, beside: Callable[[], None] | None = None) -> Iterator[IO[bytes]]:
    """A file that takes the place of the target in the end; after an error everything is as it was.

    ``beside`` writes what belongs to it, and is not interrupted in between.
    """
    target = target.resolve()  # A link stays a link.
    with (
        names_place(str(target)),
        NamedTemporaryFile(dir=target.parent, prefix=f"{target.name}.", suffix=".part", delete=False) as raw,
    ):
        draft = Path(raw.name)
        try:
            with _packed(raw, target.suffix.lower()) as packed:
                yield packed
            raw.close()
            # A temporary file is its owner's alone; this one takes after the old one, or any other new file.
            umask = os.umask(0)
            os.umask(umask)
            draft.chmod(target.stat().st_mode & 0o777 if target.exists() else 0o666 & ~umask)
            with without_interrupts():
                if beside is not None:
                    beside()
                draft.replace(target)
        except BaseException:
            draft.unlink(missing_ok=True)
            raise


def _packed(raw: IO[bytes], suffix: str) -> IO[bytes]:
    if suffix == ".gz":
        # Without a name and a date, the same games are the same bytes.
        return io.BufferedWriter(gzip.GzipFile(filename="", fileobj=raw, mode="wb", mtime=0))
    if suffix != ".zst":
        return raw
    packed: IO[bytes] = zstd_module().open(raw, "wb")
    return packed


@contextmanager
def names_place(place: str) -> Iterator[None]:
    """A disk that is full does not say where something was written; its error does after this."""
    try:
        yield
    except OSError as error:
        if error.filename is None:
            error.filename = place
        raise


@contextmanager
def without_interrupts() -> Iterator[None]:
    """Ctrl-C waits until what belongs together is done."""
    if threading.current_thread() is not threading.main_thread():
        yield  # Nobody else is interrupted.
        return
    waiting: list[tuple[int, FrameType | None]] = []
    before = signal.signal(signal.SIGINT, lambda number, frame: waiting.append((number, frame)))
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)
        if waiting and callable(before):
            before(*waiting[0])
