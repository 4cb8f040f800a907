"""The attacks of ``bench/attacks/stores.py`` with real servers, each once."""

import sys

import pytest

from bench.attacks.stores import ATTACKS_ON_DATABASES, ATTACKS_ON_FILES


@pytest.mark.parametrize("name", ATTACKS_ON_FILES)
def test_a_file_has_one_server_whatever_it_is_called(name: str) -> None:
    if name == "moved file" and sys.platform != "linux":
        pytest.skip("other systems cannot lock a file by itself")
    ATTACKS_ON_FILES[name]()


@pytest.mark.parametrize("url", ["postgres"], indirect=True)
@pytest.mark.parametrize("name", ATTACKS_ON_DATABASES)
def test_a_database_has_one_server_and_keeps_it(name: str, url: str) -> None:
    ATTACKS_ON_DATABASES[name](url)
