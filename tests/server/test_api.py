"""The HTTP API, endpoint by endpoint."""

import json
import random
from typing import Any

import pytest

from tests.server.serving import Place, served
from tichu.agents.registry import LEVELS, make_agent
from tichu.core.deals import shuffled_deal
from tichu.core.game import Game
from tichu.core.record import Record, RoundRecord, format_jsonl, parse_record, replay
from tichu.core.rules import PRESETS, Rules
from tichu.formats.bsw import read_tch
from tichu.server import wire
from tichu.server.log import FinishedGame, GameSummary
from tichu.server.results import count_game

pytestmark = pytest.mark.anyio


def bearer(token: str) -> dict[str, str]:
    return {"authorization": f"Bearer {token}"}


async def finished_game(
    place: Place, rules: str = "single-round", *, casual: bool = True, bot: str = "greedy"
) -> tuple[str, str]:
    """A game that is over and kept, and the token of who sat in seat 0."""
    player = await place.player("Ada")
    agent, rng = make_agent(bot), random.Random(8)
    game = Game.start(shuffled_deal(rng), Rules.parse(rules))
    rounds: list[RoundRecord] = []
    while True:
        while not game.round.is_over:
            seat = game.round.pending[0]
            view = game.view(seat)
            game = game.after(seat, agent.act(view, view.legal()))
        rounds.append(RoundRecord(game.deal, game.actions, game.round.outcome.score))
        if game.match.winner is not None:
            break
        game = game.next_round(shuffled_deal(rng))
    names, players = ("Ada", "Ben", "Cho", "Dov"), (player["player"], "", "", "")
    record = format_jsonl(Record(game.match.rules, tuple(rounds), names, (("Commit", ("-",)),)))
    summary = GameSummary("game", "table", 1_800_000_000.25, rules, names, players, game.match.score, casual)
    await place.lobby.store.append("table", 1, [b"{}"], game=count_game(FinishedGame(summary, record)))
    return summary.id, player["token"]


async def test_a_player_has_a_token_that_is_told_once() -> None:
    async with served() as place:
        bot = (await place.http.post("/api/players", json={"name": " \x00Deep\u200b  Tichu ", "kind": "bot"})).json()
        assert (bot["name"], bot["kind"]) == ("Deep Tichu", "bot")
        me = await place.http.get("/api/me", headers=bearer(bot["token"]))
        assert me.json()["player"] == bot["player"]
        assert bot["token"] not in me.text
        assert len(bot["token"]) >= 22


@pytest.mark.parametrize(
    ("headers", "code"),
    [
        ({}, "no_token"),
        (bearer("x"), "wrong_token"),
        ({"authorization": "Basic x"}, "no_token"),
        ({"authorization": "x"}, "no_token"),
    ],
)
async def test_who_has_no_token_is_nobody(headers: dict[str, str], code: str) -> None:
    async with served() as place:
        answer = await place.http.get("/api/me", headers=headers)
        assert (answer.status_code, answer.json()["error"]) == (401, code)
        assert answer.headers["www-authenticate"] == "Bearer"


async def test_a_table_is_made_as_asked_for() -> None:
    async with served() as place:
        made = await place.table("greedy", "you", None, "random", rules="courtesy goal=target:500", name="Club\n night")
        table = made["table"]
        assert [seat["bot"] for seat in table["seats"]] == ["greedy", None, None, "random"]
        assert (made["you"]["seat"], table["host"]) == (1, made["you"]["player"])
        assert (table["name"], table["rules"], table["stage"]) == ("Club night", "courtesy goal=target:500", "open")
        assert made["link"] == f"{place.url}/t/{table['id']}"
        assert made["seatLink"].startswith(f"{made['link']}#key=")
        assert made["you"]["token"] not in made["seatLink"]
        info = (await place.http.get(f"/api/tables/{table['id']}")).json()
        assert info == {"table": info["table"], "link": made["link"], "qr": made["qr"]}
        assert (await place.http.get(f"/api/codes/{table['code']}")).json()["table"] == table["id"]


@pytest.mark.parametrize(
    ("new", "error", "place_named"),
    [
        ({"settings": {"rules": "standard bombs=never"}}, "wrong_settings", "bombs"),
        ({"settings": {"deal": "nonsense"}}, "wrong_settings", "four hands"),
        ({"settings": {"deal": "x", "casual": False}}, "wrong_settings", "casual"),
        ({"settings": {"pace": -1}}, "malformed", "$.settings.pace"),
        ({"settings": {"clock": {"decision": 1}}}, "malformed", "$.settings.clock.decision"),
        ({"settings": {"secret": 1}}, "malformed", "$.settings"),
        ({"seats": ["you", "you"]}, "wrong_settings", "one seat"),
        ({"seats": ["process:rm -rf /"]}, "wrong_settings", "no bot"),
        ({"seats": ["bot.py:Class"]}, "wrong_settings", "no bot"),
        ({"seats": ["you", None, None, None, None]}, "malformed", "$.seats"),
        ({"name": "x" * 25}, "malformed", "$.name"),
        ([], "malformed", "object"),
    ],
)
async def test_a_table_that_cannot_be_is_refused_by_name(new: Any, error: str, place_named: str) -> None:
    async with served() as place:
        answer = await place.http.post("/api/tables", json=new)
        assert (answer.status_code, answer.json()["error"]) == (400, error)
        assert place_named in answer.json()["message"]
        assert not place.lobby.rooms


async def test_only_public_tables_are_listed() -> None:
    async with served() as place:
        await place.table("you")
        public = await place.table("you", private=False)
        full = await place.table("you", "greedy", "greedy", "greedy", private=False, start=True)
        listed = (await place.http.get("/api/tables")).json()["tables"]
        assert {table["id"] for table in listed} == {public["table"]["id"], full["table"]["id"]}


async def test_own_tables_are_found_again() -> None:
    async with served() as place:
        made = await place.table("you")
        me = (await place.http.get("/api/me", headers=bearer(made["you"]["token"]))).json()
        assert [table["id"] for table in me["tables"]] == [made["table"]["id"]]


async def test_a_body_must_be_json_and_short() -> None:
    async with served() as place:
        for content, kind, status in (
            ('{"name": "x"}', "text/plain", 415),
            ("{", "application/json", 400),
            ("\ud800".encode("utf-8", "surrogatepass"), "application/json", 400),
            ('{"name": ' + "[" * 5000, "application/json", 400),
            (json.dumps({"name": "x" * 20_000}), "application/json", 413),
        ):
            answer = await place.http.post("/api/players", content=content, headers={"content-type": kind})
            assert answer.status_code == status
            assert answer.json()["message"]


async def test_rules_and_bots_are_told() -> None:
    async with served() as place:
        rules = (await place.http.get("/api/rules")).json()
        assert [preset["name"] for preset in rules["presets"]] == list(PRESETS)
        assert rules["presets"][0]["fields"]["goal"] == "target:1000"
        assert {"name": "stairs", "values": ["pairs", "stacked"]} in rules["fields"]
        bots = (await place.http.get("/api/bots")).json()
        names = [bot["name"] for bot in bots["bots"]]
        assert [bot["name"] for bot in bots["bots"] if bot["isLevel"]] == list(LEVELS)
        assert bots["default"] in LEVELS
        for name in names:
            assert (await place.table("you", name))["table"]["seats"][1]["bot"] == name


async def test_qr_codes_are_of_this_server_only() -> None:
    async with served() as place:
        picture = await place.http.get("/api/qr", params={"path": "/t/abc"})
        assert picture.headers["content-type"] == "image/svg+xml"
        assert picture.text.startswith("<svg")
        for path in ("https://evil.example/", "evil", "/t/x#key=y", "/" + "x" * 300, "/\n"):
            assert (await place.http.get("/api/qr", params={"path": path})).status_code == 400
        assert (await place.http.get("/api/qr")).status_code == 400
        long = await place.http.get("/api/qr", params={"path": "/t/abc"}, headers={"host": "a" * 5000})
        assert (long.status_code, long.json()["error"]) == (421, "wrong_host")
        secret = await place.http.post("/api/qr", json={"path": "/t/x#key=y"})
        assert secret.text.startswith("<svg")
        assert secret.headers["cache-control"] == "no-store"
        assert (await place.http.post("/api/qr", json={"path": "x"})).status_code == 400


async def test_a_finished_game_in_every_form() -> None:
    async with served() as place:
        game, token = await finished_game(place)
        ttn = (await place.http.get(f"/api/games/{game}.ttn")).text
        record = parse_record(ttn)
        assert len(list(replay(record.rounds[0], record.rules))) == len(record.rounds[0].actions) + 1
        tch = await place.http.get(f"/api/games/{game}.tch")
        assert (tch.status_code, tch.json()["error"]) == (409, "not_writable")
        assert (await place.http.get(f"/api/games/{game}")).json()["hasTch"] is False
        file = (await place.http.get(f"/api/games/{game}.json")).json()
        assert len(file["rounds"][0]["actions"]) == len(record.rounds[0].actions)
        assert file["tags"] == {"Commit": ["-"]}
        listed = (await place.http.get("/api/games", headers=bearer(token))).json()
        assert [one["id"] for one in listed["games"]] == [game]
        before = listed["games"][0]["finished"]
        older = (await place.http.get("/api/games", params={"before": before - 1}, headers=bearer(token))).json()
        assert older == {"games": [], "before": None}


async def test_a_game_by_the_rules_of_brettspielwelt_can_be_read_there() -> None:
    async with served() as place:
        game, _ = await finished_game(place, "brettspielwelt goal=target:300")
        record = parse_record((await place.http.get(f"/api/games/{game}.ttn")).text)
        assert (await place.http.get(f"/api/games/{game}")).json()["hasTch"] is True
        reading = read_tch((await place.http.get(f"/api/games/{game}.tch")).text)
        assert [one.score for one in reading.record().rounds] == [one.score for one in record.rounds]


async def test_a_game_is_shown_view_by_view() -> None:
    async with served() as place:
        game, _ = await finished_game(place)
        open_hands = (await place.http.get(f"/api/games/{game}/views")).json()
        (one,) = open_hands["rounds"]
        file = (await place.http.get(f"/api/games/{game}.json")).json()["rounds"][0]
        assert [step["text"] for step in one["steps"]] == ["", *file["actions"]]
        first, last = one["steps"][0], one["steps"][-1]
        assert [len(hand) for hand in first["hands"]] == [8, 8, 8, 8]
        assert last["view"]["phase"] == "TICHU.ROUND_END"
        assert one["result"]["score"] == file["score"]
        assert sum(last["view"]["points"]) + last["view"]["pointsOnTable"] <= 100
        seen = (await place.http.get(f"/api/games/{game}/views", params={"seat": 2, "round": 0})).json()
        for step, full in zip(seen["rounds"][0]["steps"], one["steps"], strict=True):
            assert step["hands"] == []
            assert step["view"]["hand"] == full["hands"][2]
        exchanges = [step["text"] for step in seen["rounds"][0]["steps"] if ">" in step["text"]]
        assert sorted(map(len, exchanges)) == [2, 2, 2, 8]
        for wrong in ({"seat": 4}, {"seat": "x"}, {"round": -1}):
            assert (await place.http.get(f"/api/games/{game}/views", params=wrong)).status_code == 400
        assert (await place.http.get(f"/api/games/{game}/views", params={"round": 7})).status_code == 404


async def test_a_game_in_progress_is_not_told() -> None:
    async with served() as place:
        made = await place.table("you", "greedy", "greedy", "greedy", start=True)
        table, token = made["table"]["id"], made["you"]["token"]
        async with place.guest(table, token) as guest:
            hand = (await guest.dealt()).hand
            game = made["table"]["game"]
            assert game
            for ending in ("", ".ttn", ".tch", ".json", "/views"):
                answer = await place.http.get(f"/api/games/{game}{ending}", headers=bearer(token))
                assert (answer.status_code, answer.json()["error"]) == (404, "no_such_game")
            shown = (await place.http.get(f"/api/tables/{table}")).text
            assert not any(f'"{card}"' in shown for card in hand)


async def test_casual_games_do_not_count() -> None:
    async with served() as place:
        _, token = await finished_game(place, casual=True)
        assert (await place.http.get("/api/me", headers=bearer(token))).json()["results"]["games"] == 0


async def test_results_are_those_of_the_record() -> None:
    async with served() as place:
        game, token = await finished_game(place, "standard goal=target:500", casual=False, bot="heuristic")
        record = parse_record((await place.http.get(f"/api/games/{game}.ttn")).text)
        ends = [list(replay(one, record.rules))[-1] for one in record.rounds]
        results = (await place.http.get("/api/me", headers=bearer(token))).json()["results"]
        assert results["rounds"] == len(ends)
        assert results["firstOut"] == sum(end.out[0] == 0 for end in ends)
        assert results["doubleVictories"] == sum(set(end.out[:2]) == {0, 2} for end in ends)
        calls = [end.calls[0].value for end in ends]
        assert results["tichu"]["called"] == calls.count("T") > 0
        assert results["grand"]["called"] == calls.count("G")
        made = [end.calls[0].value for end in ends if end.out[0] == 0]
        assert (results["tichu"]["made"], results["grand"]["made"]) == (made.count("T"), made.count("G"))


async def test_commands_checks_and_hints_are_answered_like_on_a_socket() -> None:
    async with served() as place:
        made = await place.table("you", "greedy", "greedy", "greedy", start=True)
        table, token = made["table"]["id"], made["you"]["token"]
        async with place.guest(table, token) as guest:
            assert (await guest.dealt()).decision == "grand"
            hinted = await place.post(token, table, wire.Hint(id="h"))
            assert (hinted["type"], hinted["id"]) == ("hinted", "h")
            checked = await place.post(token, table, wire.Check(id="c", cards=("Dr", "Do")))
            assert checked["reason"] in ("NOT_IN_HAND", "NO_COMBINATION", "NOT_IN_PHASE")
            first = await place.post(token, table, wire.DeclineGrandTichu(id="d"))
            again = await place.post(token, table, wire.DeclineGrandTichu(id="d"))
            assert first == again
            assert first["type"] == "ack"
        stranger = (await place.player())["token"]
        refused = await place.post(stranger, table, wire.Pass(id="p"))
        assert (refused["type"], refused["reason"]) == ("refused", "NOT_SEATED")


async def test_unknown_places_are_json_too() -> None:
    async with served() as place:
        for path in ("/api/tables/none", "/api/codes/none", "/api/games/none", "/api/none", "/api/tables/none/stream"):
            headers = bearer((await place.player())["token"])
            answer = await place.http.get(path, headers=headers)
            assert answer.status_code == 404
            assert set(answer.json()) == {"error", "message"}
        answer = await place.http.delete("/api/tables")
        assert (answer.status_code, answer.json()["error"]) == (405, "wrong_method")


async def test_the_description_names_every_endpoint() -> None:
    async with served() as place:
        api = (await place.http.get("/openapi.json")).json()
        assert set(api["paths"]["/api/tables"]) == {"get", "post"}
        body = api["paths"]["/api/tables"]["post"]["requestBody"]["content"]["application/json"]["schema"]
        assert body == {"$ref": "#/components/schemas/NewTable"}
        assert "NewTable" in api["components"]["schemas"]
