"""Who guesses has as many tries as the limits say, however many nodes there are."""

from collections import Counter
from dataclasses import replace

import pytest

from tests.server.conftest import _forget_everything as forget_everything
from tests.server.nodes import cluster, until
from tests.server.serving import FREE, Place
from tests.server.test_accounts import WORD, log_in, made
from tichu.server.accounts.tries import Tries
from tichu.server.cluster.news import TryCounted

pytestmark = pytest.mark.anyio

LIMITS = replace(FREE, login_burst=3, login_rate=0.01, account_login_burst=4, account_login_rate=0.01)


async def told(place: Place) -> None:
    """All news has been sent, and heard by whoever listens."""
    sharing = place.lobby.shared
    assert sharing is not None
    await until(lambda: not [task for task in sharing._tasks if task.get_name() == "news"])


async def test_tries_at_one_node_count_at_all(postgres: str) -> None:
    await forget_everything(postgres)
    async with cluster(postgres, "a", "b", limits=LIMITS, trusted_proxies=("127.0.0.1",)) as (a, b):

        async def from_there(place: Place, address: str, password: str = "wrong wrong") -> int:
            shown = {"name": "Ada", "password": password}
            headers = {"x-forwarded-for": address}
            return (await place.http.post("/api/login", json=shown, headers=headers)).status_code

        heard: list[str] = []
        count = b.lobby.accounts.tries.count

        def hear(kind: str, key: str) -> None:
            heard.append(kind)
            count(kind, key)

        b.lobby.accounts.tries.count = hear  # type: ignore[method-assign]
        there = {"x-forwarded-for": "192.0.2.1"}
        assert (await a.http.post("/api/accounts", json={"name": "Ada", "password": WORD}, headers=there)).is_success
        await until(lambda: sorted(heard) == ["home", "new"])
        heard.clear()
        assert [await from_there(a, "198.51.100.1") for _ in range(3)] == [403] * 3
        await until(lambda: Counter(heard) == {"address": 3, "account": 3, "everywhere": 3})
        # The same address, and then one of many.
        assert await from_there(b, "198.51.100.1") == 429
        assert [await from_there(b, f"198.51.100.{number}") for number in (2, 3)] == [403, 429]
        # Where the owner was is known here too, though they were seen there alone.
        assert await from_there(b, "192.0.2.1", WORD) == 200
        # What was refused is nothing to tell of.
        await told(b)
        heard.clear()
        assert await from_there(a, "198.51.100.1") == 429
        await told(a)
        await until(lambda: heard == ["address"])


async def test_a_node_alone_tells_nobody(postgres: str, monkeypatch: pytest.MonkeyPatch) -> None:
    await forget_everything(postgres)
    async with cluster(postgres, "a") as (a,):
        sharing = a.lobby.shared
        assert sharing is not None
        said: list[object] = []

        async def tell(item: object) -> None:
            said.append(item)

        monkeypatch.setattr(sharing.node.news, "tell", tell)
        await made(a, "Ada")
        assert (await log_in(a, "Ada", "wrong wrong")).status_code == 403
        await told(a)
        assert not [item for item in said if isinstance(item, TryCounted)]


def test_what_was_typed_is_not_what_is_told() -> None:
    tries = Tries(LIMITS)
    told: list[tuple[str, str]] = []
    tries.on_counted = lambda kind, key: told.append((kind, key))
    assert tries.take("account", "login", "my password by mistake", "192.0.2.1")
    tries.come_home("ada", "192.0.2.1")
    tries.come_home("ada", "192.0.2.1")
    assert [kind for kind, _ in told] == ["account", "home"]
    for _, key in told:
        assert len(key) == 32
        assert not any(word in key for word in ("login", "password", "192", "ada"))
    # The parts of a key are no other key when they are put together otherwise.
    others = Tries(LIMITS)
    others.count(*told[1])
    assert others.is_home("ada", "192.0.2.1")
    assert not others.is_home("ada1", "92.0.2.1")
    # A newer node may count what this one does not know.
    others.count("smiles", told[0][1])
