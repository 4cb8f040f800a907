"""Whoever writes holds up all tables, so nothing that is written looks through a whole table of the database."""

import sqlite3
from collections.abc import Callable
from contextlib import closing
from typing import Any

import pytest

from tests.ratings.matches import match
from tichu.server.store import (
    accounts,
    emails,
    erasing,
    forgetting,
    latest,
    matches,
    operator,
    passkeys,
    relations,
    showing,
)
from tichu.server.store.accounts import NewSession, Proof, StoredAccount
from tichu.server.store.formats import SQLITE
from tichu.server.store.mail_codes import SentCode, add_code
from tichu.server.store.operator import StoredAct, StoredReport
from tichu.server.store.passkeys import StoredPasskey
from tichu.server.store.scripts import Script, drive

RECORD = '{"seats": ["", "", "", ""]}\n'
PROOF = Proof("bob", "b", "")
SESSION = NewSession("hash", "s1", "device", 0.0, 1.0)
ACT = StoredAct("act", 0.0, "muted", "ann", "")
REPORT = StoredReport("new", 0.0, "ann", "bob", "", "", "", "", "[]", "", 0.0)
ACCOUNT = StoredAccount("ann", "Ann", "handle", "secret", "", 0.0)

#: Everything that is written for a person.
SCRIPTS: dict[str, Callable[[], Script[Any]]] = {
    "become_account": lambda: accounts.become_account(ACCOUNT, ["ann", "ann2"], SESSION, ["c"], "token", "ended"),
    "rename_account": lambda: accounts.rename_account("ann", "Ann", ["ann"]),
    "rename_guest": lambda: accounts.rename_guest("ann", "Ann", ["zoe"]),
    "replace_guest_token": lambda: accounts.replace_guest_token("token", "new"),
    "change_password": lambda: accounts.change_password(PROOF, "another", "s1"),
    "add_session": lambda: accounts.add_session("bob", SESSION, 40, lambda: accounts.has_password("bob", "")),
    "replace_session_token": lambda: accounts.replace_session_token("b", "new", 1.0),
    "end_session": lambda: accounts.end_session("ann", "s1"),
    "end_sessions": lambda: accounts.end_sessions("ann"),
    "see_sessions": lambda: accounts.see_sessions({"a": 1.0}, 2.0),
    "drop_expired": lambda: accounts.drop_expired(0.5, 0.25, 0.5, ["key"]),
    "add_seat_key": lambda: accounts.add_seat_key("key", "bob", "b", "t", 0.0, 8),
    "end_seat_keys": lambda: accounts.end_seat_keys("t", ["ann"]),
    "renew_recovery_codes": lambda: accounts.renew_recovery_codes(PROOF, ["d"]),
    "recover_account": lambda: accounts.recover_account("ann", "c", "secret", SESSION),
    "add_confirmation": lambda: emails.add_confirmation(PROOF, "c", "bob@example.org", 1.0, 0.0, 3),
    "confirm_address": lambda: emails.confirm_address("bob", "b", "sent", 0.0),
    "remove_address": lambda: emails.remove_address(PROOF),
    "add_recovery": lambda: emails.add_recovery("bob", "c", 1.0, 0.0, 3),
    "recover_account by mail": lambda: accounts.recover_account("bob", "sent", "secret", SESSION),
    "add_challenge": lambda: passkeys.add_challenge("c", "login", "ann", "x", 1.0),
    "take_challenge": lambda: passkeys.take_challenge("c", "login", "ann", 0.0),
    "add_passkey": lambda: passkeys.add_passkey(StoredPasskey("p", "ann", "", "key", 0, 0.0, 0.0), PROOF, 10),
    "use_passkey": lambda: passkeys.use_passkey("p", 1, 1.0),
    "drop_passkey": lambda: passkeys.drop_passkey("ann", "p"),
    "follow": lambda: relations.follow("ann", "bob", 0.0),
    "block": lambda: relations.block("ann", "bob", 0.0),
    "unfollow": lambda: relations.unfollow("ann", "bob"),
    "unblock": lambda: relations.unblock("ann", "bob"),
    "forget_relations": lambda: relations.forget_relations(["ann", "zoe"]),
    "keep_match": lambda: matches.keep_match(match()),
    "place_match": lambda: matches.place_match(match(), 1),
    "replace_in_games": lambda: erasing.replace_in_games("ann", "gone", "Former player"),
    "replace_in_rows": lambda: erasing.replace_in_rows("ann", "gone", "Former player", ["report"]),
    "begin_farewell": lambda: erasing.begin_farewell("ann", "token", "gone", "Former player", 0.0),
    "begin_merge": lambda: erasing.begin_merge("ann", "token", "bob", "b", 0.0),
    "end_replacement": lambda: erasing.end_replacement("ann"),
    "forget_person": lambda: erasing.forget_person("ann"),
    "change_restriction": lambda: operator.change_restriction("ann", ACT, muted=1.0),
    "keep_report": lambda: operator.keep_report(REPORT, ["ann"], 100, 10),
    "report": lambda: operator.report("report", ACT),
    "close_report": lambda: operator.close_report("report", 1.0, ACT),
    "keep_sheets": lambda: showing.keep_sheets("g", ["{}"] * 4),
    "forget_some": lambda: forgetting.forget_some(["g"]),
    "rewrite_log": lambda: erasing.rewrite_log("t", [(1, b"{}")]),
}


def plan(db: sqlite3.Connection, script: Script[Any]) -> list[str]:
    """How the statements of a script are carried out."""
    found: list[str] = []

    def explained() -> Script[None]:
        try:
            statement = next(script)
            while True:
                rows = yield f"EXPLAIN QUERY PLAN {statement[0]}", *statement[1:]
                found.extend(f"{row[-1]}: {statement[0]}" for row in rows)
                statement = script.send((yield statement))
        except StopIteration:
            return

    drive(db, explained())
    return found


@pytest.mark.parametrize("name", SCRIPTS)
def test_nothing_that_is_written_looks_through_a_whole_table(name: str) -> None:
    with closing(sqlite3.connect(":memory:", isolation_level=None)) as db:
        db.executescript(SQLITE[0])
        for player in ("ann", "bob"):
            db.execute("INSERT INTO players VALUES (?, ?, ?, 'person', 0, 0)", (player, player, f"{player} token"))
        db.execute("UPDATE players SET token_hash = 'token' WHERE id = 'ann'")
        db.execute("INSERT INTO accounts VALUES ('bob', 'bob', 'handle of bob', '', 'bob@example.org', 0)")
        for purpose in ("confirm", "recover"):
            drive(db, add_code(SentCode("bob", purpose, "sent", "bob@example.org", "", 1.0)))
        db.execute("INSERT INTO sessions VALUES ('b', 's2', 'bob', '', 0, 0, 9)")
        db.execute("INSERT INTO recovery_codes VALUES ('c', 'ann')")
        db.execute("INSERT INTO reports VALUES ('report', 0, 'ann', 'bob', '', '', '', '', '[]', '', 0)")
        db.execute(
            """INSERT INTO games VALUES ('g', 't', 1, '', '["","","",""]', '["ann","","",""]', 0, 0, 0, ?)""", (RECORD,)
        )
        db.execute("INSERT INTO game_players (player, finished, game) VALUES ('ann', 1, 'g')")
        steps = plan(db, SCRIPTS[name]())
        assert [step for step in steps if step.startswith("SCAN") and "CONSTANT ROW" not in step] == []


#: What a profile asks of games, by the index that spares looking through all that somebody has played.
SHOWN: dict[str, tuple[str, Callable[[], Script[Any]]]] = {
    "games": ("open_games", lambda: showing.shown_games("ann", 9.0, 9, is_own=False, unwanted=())),
    "own games": ("PRIMARY KEY", lambda: showing.shown_games("ann", 9.0, 9, is_own=True, unwanted=())),
    "partners": ("open_games", lambda: showing.partners_of("ann", is_own=False, unwanted=())),
    "sheets": ("sheets", lambda: showing.sheets_of("ann", is_own=True)),
}


@pytest.mark.parametrize("name", SHOWN)
def test_a_profile_looks_at_no_more_games_than_it_shows(name: str) -> None:
    index, script = SHOWN[name]
    with closing(sqlite3.connect(":memory:", isolation_level=None)) as db:
        db.executescript(SQLITE[0])
        steps = plan(db, script())
    assert [step for step in steps if step.startswith("SCAN")] == []
    assert any(index in step.partition(":")[0] for step in steps), steps
    # What is sorted comes at one time.
    assert [step for step in steps if "TEMP B-TREE FOR ORDER BY" in step] == []


def test_old_games_are_found_without_looking_at_all() -> None:
    with closing(sqlite3.connect(":memory:", isolation_level=None)) as db:
        db.executescript(SQLITE[0])
        assert ["USING INDEX games_by_time" in step for step in plan(db, forgetting.old_games(1.0, 9))] == [True]


def test_the_latest_games_are_found_without_looking_at_all() -> None:
    with closing(sqlite3.connect(":memory:", isolation_level=None)) as db:
        db.executescript(SQLITE[0])
        steps = [step.partition(":")[0] for step in plan(db, latest.latest_games(9))]
    assert any("USING INDEX latest_games" in step for step in steps), steps
    assert [step for step in steps if step.startswith("SCAN") and step != "SCAN latest"] == []
