"""Check that no file is too long, and no line where no formatter breaks it.

    python -m tools.check_lengths

Generated files may be as long as they like.  In Markdown neither a row of a table nor a line of code can be broken.
"""

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Final

_ROOT: Final = Path(__file__).parents[1]
_MOST_LINES: Final = 550
_MOST_COLUMNS: Final = 120
_SOURCES: Final = {".py", ".ts", ".js", ".svelte", ".css", ".hpp", ".cpp", ".cu"}
_UNFORMATTED: Final = {".md", ".sh", ".toml", ".pl", ".service"}
_UNFORMATTED_NAMES: Final = {"Makefile", "Dockerfile", "CMakeLists.txt", "npm", "run"}
_GENERATED: Final = {"web/src/wire.ts"}


def _faults(name: str) -> Iterator[str]:
    path = _ROOT / name
    if path.suffix in _SOURCES and name not in _GENERATED:
        lines = len(path.read_text(encoding="utf-8").splitlines())
        if lines > _MOST_LINES:
            yield f"{name}: {lines} lines, more than {_MOST_LINES}"
    if path.suffix in _UNFORMATTED or path.name in _UNFORMATTED_NAMES:
        is_code = False
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), start=1):
            is_code ^= path.suffix == ".md" and line.lstrip().startswith("```")
            if len(line) > _MOST_COLUMNS and not is_code and not line.startswith("|"):
                yield f"{name}:{number}: {len(line)} columns, more than {_MOST_COLUMNS}"


def main() -> None:
    """Print what is too long; exit status 1 if there is anything."""
    command = ["git", "ls-files", "--cached", "--others", "--exclude-standard"]
    listed = subprocess.run(command, cwd=_ROOT, capture_output=True, text=True, check=True).stdout.splitlines()
    faults = [fault for name in listed if (_ROOT / name).is_file() for fault in _faults(name)]
    sys.stdout.writelines(f"{fault}\n" for fault in faults)
    sys.exit(bool(faults))


if __name__ == "__main__":
    main()
