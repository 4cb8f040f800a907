"""Secrets are where they belong and nowhere else."""

import logging
from pathlib import Path
from typing import Any

import pytest

from tests.server.authenticator import Authenticator
from tests.server.serving import Place
from tests.server.test_accounts import WORD, become, log_in
from tests.server.test_farewell import everything
from tests.server.test_operator import HOUR, TOKEN, do, report, run_place
from tests.server.test_tokens import bearer

pytestmark = pytest.mark.anyio


async def passkey_token(place: Place, token: str, word: str) -> str:
    """Make a passkey and log in with it."""
    host = f"localhost:{place.url.rpartition(':')[2]}"
    passkey = Authenticator(f"http://{host}", "localhost")
    asked = await place.http.post("/api/me/passkeys/options", headers={"host": host, **bearer(token)})
    made = {"credential": passkey.make(asked.json()["options"]), "name": "a test", "password": word}
    kept = await place.http.post("/api/me/passkeys", json=made, headers={"host": host, **bearer(token)})
    assert kept.status_code == 201, kept.text
    asked = await place.http.post("/api/login/passkey/options", headers={"host": host})
    shown = {"credential": passkey.show(asked.json()["options"])}
    entered = await place.http.post("/api/login/passkey", json=shown, headers={"host": host})
    assert entered.status_code == 200, entered.text
    again = await place.http.post("/api/login/passkey", json=shown, headers={"host": host})
    assert again.status_code == 403
    return str(entered.json()["token"])


async def operators_answers(place: Place, table: str, player: str) -> tuple[list[str], str]:
    """What an operator is told, and the token of whoever reports something."""
    bob = await place.player("Bob")
    number = (await report(place, bob["token"], player, table=table)).json()["report"]
    paths = ("/acts", "/reports", "/matches", "/statistics", f"/reports/{number}", "/players?q=Ada")
    asked = [await place.http.get(f"/api/operator{path}", headers=bearer(TOKEN)) for path in paths]
    assert all(answer.status_code == 200 for answer in asked)
    return [answer.text for answer in asked], bob["token"]


async def test_no_secret_is_left_behind_anywhere(url: str, tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    """Passwords, tokens, keys and codes are in no log, error, metric, answer to others or file."""
    caplog.set_level(logging.DEBUG)
    heard: list[str] = []
    async with run_place(url, login_burst=3) as place:

        async def note(response: Any) -> None:
            heard.append(str(response.request.url))

        place.http.event_hooks["response"].append(note)
        guest = await place.table("you", "easy", "easy", "easy")
        key = guest["seatLink"].split("#key=")[1]
        ada = (await become(place, guest["you"]["token"])).json()
        secrets = [WORD, ada["token"], guest["you"]["token"], key, *ada["codes"], "a wrong password", "brand new word"]
        # Errors too repeat nothing of it.
        for path, body in (
            ("/api/login", {"name": "Ada", "password": "a wrong password"}),
            ("/api/login", {"name": "Ada", "password": WORD, "what": WORD}),
            ("/api/login", {"name": WORD * 50, "password": WORD}),
            ("/api/login/recovery", {"name": "Bob", "code": ada["codes"][1], "password": WORD}),
            ("/api/accounts", {"name": "Ada", "password": "a wrong password"}),
            ("/api/me/guests", {"token": ada["token"]}),
            ("/api/login/passkey", {"credential": WORD}),
            ("/api/operator/players/none/ban", {"seconds": 1, "why": WORD}),
        ):
            answer = await place.http.post(path, json=body, headers=bearer(ada["token"]))
            assert answer.status_code >= 400
            heard.append(answer.text)
        for _ in range(5):
            heard.append((await log_in(place, "Ada", "a wrong password")).text)
        changed = {"password": WORD, "newPassword": "brand new word"}
        assert (
            await place.http.post("/api/me/password", json=changed, headers=bearer(ada["token"]))
        ).status_code == 200
        other = await log_in(place, password="brand new word")
        if other.status_code == 200:
            secrets.append(other.json()["token"])
        recovered = {"name": "Ada", "code": ada["codes"][0], "password": "brand new word"}
        answer = await place.http.post("/api/login/recovery", json=recovered)
        secrets.append(answer.json()["token"])
        async with place.guest(guest["table"]["id"], answer.json()["token"]):
            pass
        secrets.append(await passkey_token(place, answer.json()["token"], "brand new word"))
        told, own = await operators_answers(place, guest["table"]["id"], ada["player"])
        heard += told
        secrets.append(own)
        exported = await place.http.get("/api/me/export", headers=bearer(answer.json()["token"]))
        assert (await do(place, f"/players/{ada['player']}/ban", seconds=HOUR)).status_code == 200
        banned = await place.http.get("/api/me", headers=bearer(answer.json()["token"]))
        assert banned.status_code == 403
        heard += [
            banned.text,
            exported.text,
            place.lobby.metrics.text().decode(),
            (await place.http.get("/api/tables")).text,
        ]
        stored = repr(await everything(place.lobby.store))
    secrets.append(TOKEN)
    written = stored.encode() + b"".join(file.read_bytes() for file in tmp_path.rglob("*") if file.is_file())
    for number, secret in enumerate(secrets):
        assert secret.encode() not in written, number
        assert secret not in caplog.text, number
        for text in heard:
            assert secret not in text, (number, text[:80])
