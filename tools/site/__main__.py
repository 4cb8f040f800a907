"""Make the documentation site: ``make docs``, or ``python -m tools.site`` with what requirements/docs.txt names.

The pages are those of the repository.  They are copied beside each other, links that leave them are followed or lose
their link, pages for the public modules are added, and zensical makes a site of them; every warning is an error.
"""

import argparse
import os
import shutil
import subprocess
import sys
from pathlib import Path

from tools.site.links import broken_links
from tools.site.pages import API, write_pages

ROOT = Path(__file__).parents[2]


def main() -> None:
    """Write the pages, then the site."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--out", type=Path, default=ROOT / "build" / "docs", help="a folder, which is replaced")
    given = parser.parse_args()
    out: Path = given.out.resolve()
    shutil.rmtree(out, ignore_errors=True)
    write_pages(ROOT, out / "source")
    # The extension for docstrings is a module of ours.
    environment = {**os.environ, "PYTHONPATH": f"{ROOT}{os.pathsep}{ROOT / 'src'}"}
    command = [sys.executable, "-m", "zensical", "build", "--strict", "--clean", "--config-file", "zensical.toml"]
    done = subprocess.run(command, cwd=out, env=environment, check=False)
    if done.returncode:
        sys.exit("zensical found something wrong")
    site = out / "site"
    if missing := [name for name in API if not (site / "reference" / name / "index.html").is_file()]:
        sys.exit(f"no reference of {', '.join(missing)}")
    if broken := broken_links(site):
        sys.exit("\n".join(broken))
    sys.stdout.write(f"{site / 'index.html'}\n")


if __name__ == "__main__":
    main()
