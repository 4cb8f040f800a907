"""The siege can fail: what it checks is found when it is so."""

import asyncio
import random
import sys
from pathlib import Path

import pytest

from bench.siege.attackers import ATTACKS, Attack
from bench.siege.besieged import FILES_MORE, Besieged, Vitals
from bench.siege.honest import HonestTable, Sample, Tally
from bench.siege.journal import Comparison, compare
from bench.siege.report import Interval, Report, undisturbed
from tests.server.players import Club
from tests.server.serving import served
from tichu.core.actions import Take, parse_action
from tichu.server import log
from tichu.server.store import open_store
from tichu.server.wire.settings import Settings


def played(rules: str = "standard", rounds: int = 1) -> tuple[Club, list[str]]:
    """A table in its second round, or at the end of its game, and what the players said."""
    club = Club(Settings(pace=0.1, rules=rules))
    club.seat_people(0, 1, 2, 3)
    club.start()
    club.play(random.Random(3), stop=lambda: club.table.logged.round_number == rounds)
    club.play(random.Random(4), most=40)
    actions = [entry.action for entry in club.entries if isinstance(entry, log.ActionEntry)]
    said = [text for text in actions if parse_action(text)[1] != Take(None)]
    return club, said


async def compared(
    folder: Path, club: Club, journal: list[str], last: int | None = None, game: log.FinishedGame | None = None
) -> Comparison:
    table = HonestTable(Tally(), random.Random(0), 1.0, 4)
    table.id, table.journal = "table", journal
    database = f"sqlite:{folder / 'tichu.db'}"
    store = await open_store(database)
    entries = club.entries[club.checkpoints[-1] if last is None else last :]
    await store.append("table", 1, [log.encode(entry) for entry in entries], checkpoint=True, game=game)
    await store.append("other", 1, [log.encode(club.entries[0])])
    await store.close()
    return await compare(database, [table])


def test_a_journal_that_agrees_with_the_store_is_no_difference(tmp_path: Path) -> None:
    club, said = played()
    assert len(said) > 60
    found = asyncio.run(compared(tmp_path, club, said))
    assert found.differences == []
    assert (found.acknowledged, found.others) == (len(said), 1)


def test_a_game_that_has_just_ended_counts_once(tmp_path: Path) -> None:
    club, said = played("single-round", rounds=9)
    assert club.table.logged.stage == "over"
    (game,) = club.games
    assert isinstance(game, log.FinishedGame)
    for number, checkpoint in enumerate([0, *club.checkpoints]):
        folder = tmp_path / str(number)
        folder.mkdir()
        found = asyncio.run(compared(folder, club, said, checkpoint, game))
        assert (found.differences, found.games) == ([], 1)


@pytest.mark.parametrize("at", [0, 30, -1])
def test_what_is_lost_or_doubled_is_found(tmp_path: Path, at: int) -> None:
    club, said = played()
    lost, doubled = said[:], said[:]
    lost.insert(at % len(said), said[at])
    del doubled[at]
    for number, journal in enumerate((lost, doubled)):
        folder = tmp_path / str(number)
        folder.mkdir()
        found = asyncio.run(compared(folder, club, journal))
        assert len(found.differences) == 1, journal
        assert "was acknowledged as" in found.differences[0]


def test_commands_that_met_a_restart_do_not_count() -> None:
    samples = [Sample(1.0, 1.5), Sample(2.0, 4.0), Sample(3.2, 3.3), Sample(6.0, 6.25)]
    assert undisturbed(samples, [Interval("restart", 3.0, 5.0)]) == [500.0, 250.0]


def report(**other: object) -> Report:
    vitals = Vitals(50.0, 100, 10, 40, 500_000)
    fields: dict[str, object] = dict.fromkeys(Report._fields)
    fields |= {"seconds": 60.0, "sockets": 40, "samples": [Sample(1.0, 1.01)], "intervals": [], "unanswered": 0}
    fields |= {"contradictions": [], "log_faults": [], "failures": [], "most_ms": 100.0, "in_last_life": vitals}
    fields |= {"at_end": vitals, "comparison": Comparison(10, 1, [], 0)}
    fields |= {"long_steps": {"collect_garbage_periodically": [300.0, 90.0], "x": [4.0]}, "most_step_ms": 5.0}
    return Report(**(fields | other))  # type: ignore[arg-type]


def test_a_traceback_in_the_log_is_told_with_its_end(tmp_path: Path) -> None:
    server = Besieged(tmp_path, "sqlite:none")
    raised = ["Traceback (most recent call last):", '  File "a.py", line 1', "    b()", "ValueError: no"]
    (tmp_path / "server.log").write_text("\n".join(["all is well", *raised, "all is well again", ""]))
    assert server.new_faults() == ["Traceback (most recent call last): ... ValueError: no"]
    assert server.new_faults() == []


@pytest.mark.parametrize(
    ("other", "fault"),
    [
        ({"samples": [Sample(1.0, 1.2)]}, "p99 is 200 ms"),
        ({"samples": []}, "nothing was measured"),
        ({"long_steps": {"x": [20.0], "y": [9.0, 7.0]}}, "y twice took 7.0 ms in one step"),
        ({"unanswered": 2}, "2 commands were never answered"),
        ({"at_end": Vitals(50.0, 101 + FILES_MORE, 10, 40, 500_000)}, "descriptors are open"),
        ({"at_end": Vitals(450.0, 100, 10, 40, 500_000)}, "450 MB are held"),
        ({"at_end": Vitals(50.0, 100, 10, 40, 700_000)}, "700000 objects are held"),
        ({"at_end": Vitals(50.0, 100, 10, 41, 500_000)}, "41 sockets are counted"),
        ({"comparison": Comparison(10, 1, ["table x"], 0)}, "1 tables differ"),
        ({"log_faults": ["Traceback"]}, "the log has 1 lines"),
    ],
)
def test_each_fault_is_named(other: dict[str, object], fault: str) -> None:
    assert report().faults() == []
    (words,) = report(**other).faults()
    assert fault in words


@pytest.mark.anyio
@pytest.mark.skipif(sys.platform != "linux", reason="attackers have loopback addresses of their own")
@pytest.mark.parametrize("name", ATTACKS)
async def test_every_attack_ends_by_itself_and_leaves_a_server_that_answers(name: str) -> None:
    async with served() as place:
        made = await place.table("you")
        port = int(place.url.rpartition(":")[2])
        order = {"attack": name, "seconds": 0.5, "seed": 1, "tables": [made["table"]["id"]], "game": "x"}
        attack = Attack(port, order)
        async with asyncio.timeout(60):
            await ATTACKS[name](attack)
        assert attack.results.total() > 0
        assert (await place.http.get("/healthz")).status_code == 200
        failures = place.lobby.metrics.registry.get_sample_value("tichu_failures_total", {"where": "socket"})
        assert failures is None
