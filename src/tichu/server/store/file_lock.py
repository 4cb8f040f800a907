"""The locks that keep a second server away from a SQLite file, whatever name it is given.

One lies beside the file, under the file's real name, and works everywhere.  The other belongs to the file itself and
also holds when it is moved or mounted elsewhere.  Both end with their process.
"""

import errno
import os
import sqlite3
import struct
import time
from pathlib import Path
from typing import Final

from tichu.server.store.port import StoreError

try:
    import fcntl
except ImportError:  # Windows, where an open file cannot be moved.
    fcntl = None  # type: ignore[assignment]

__all__ = ["FileLock", "make_file"]

#: Far behind every page, and not where SQLite has its own locks.
_LOCKED_BYTE: Final = 1 << 62

#: A server that was killed while it started a process leaves its lock to that one, until it runs a program of its own.
_WAIT_S: Final = 2.0
_LOOK_S: Final = 0.02


def make_file(path: Path) -> None:
    """Make a file, for its owner alone; what SQLite puts beside it gets the same rights."""
    os.close(os.open(path, os.O_CREAT | os.O_RDWR, 0o600))


class FileLock:
    """Held from its making until it is let go."""

    def __init__(self, path: Path) -> None:
        """Lock a file, which is made where there is none.

        :raises StoreError: another server holds it, or it has two names
        """
        self._beside: sqlite3.Connection | None = None
        self._file: int | None = None
        self._name = path.name
        try:
            self._beside = _lock_beside(path)
            make_file(path)
            # SQLite keeps its log beside one name: started under the other it would not see what was written last.
            if path.stat().st_nlink > 1:
                raise StoreError(f"{path} has another name (a hard link); remove that one or use a copy")
            self._file = _lock_itself(path)
        except BaseException:
            self.release()
            raise

    def check(self) -> None:
        """Whether there is a file that others could find.

        :raises StoreError: it was deleted, and what is written to it will be gone
        """
        if self._file is not None and os.fstat(self._file).st_nlink == 0:
            raise StoreError(f"{self._name} was deleted; stop the server and put a copy in its place")

    def release(self) -> None:
        """Let others in; SQLite must have closed the file, whose locks would be gone with this."""
        if self._file is not None:
            os.close(self._file)
            self._file = None
        if self._beside is not None:
            self._beside.close()
            self._beside = None


def _lock_beside(path: Path) -> sqlite3.Connection:
    beside = path.with_name(path.name + "-lock")
    make_file(beside)
    lock = sqlite3.connect(beside, timeout=1, isolation_level=None, check_same_thread=False)
    try:
        lock.execute("PRAGMA journal_mode = MEMORY")  # Nothing is ever written.
        lock.execute("BEGIN EXCLUSIVE")
    except sqlite3.OperationalError as error:
        lock.close()
        if error.sqlite_errorcode != sqlite3.SQLITE_BUSY:
            raise
        raise StoreError(f"another server is using {path.name}") from None
    return lock


def _lock_itself(path: Path) -> int | None:
    command = getattr(fcntl, "F_OFD_SETLK", None)
    if command is None:
        return None
    file = os.open(path, os.O_RDWR)
    until = time.monotonic() + _WAIT_S
    while True:
        try:
            fcntl.fcntl(file, command, struct.pack("hhqqi", fcntl.F_WRLCK, os.SEEK_SET, _LOCKED_BYTE, 1, 0))
        except OSError as error:
            # Some network drives have no such locks; the one beside the file remains.
            if error.errno not in (errno.EAGAIN, errno.EACCES):
                return file
            if time.monotonic() > until:
                os.close(file)
                raise StoreError(f"another server is using {path.name}") from None
            time.sleep(_LOOK_S)
        else:
            return file
