import os
import random
import subprocess
import sys
from collections.abc import Iterable

import pytest
from hypothesis import given
from msgspec.structs import replace

from tests.ratings.matches import few_seasons, left, match, needs_openskill, seasons
from tichu.core.errors import GameError
from tichu.ratings import ANCHORS, Board, Ledger, MatchRow, anonymise, format_row, rebuild, settle_all, stand_in
from tichu.ratings.model import _model
from tichu.ratings.rating import newcomer

pytestmark = needs_openskill


def board(rows: Iterable[MatchRow]) -> Board:
    return rebuild(rows).board(match().pool)


def mus(rows: Iterable[MatchRow]) -> dict[str, float]:
    return {player: standing.rating.mu for player, standing in board(rows).players.items()}


def test_winners_rise_and_losers_fall() -> None:
    found = mus([match(winner=1)])
    assert found["b"] == found["d"] > 0 > found["a"] == found["c"]


def test_a_tie_of_equals_changes_nothing_but_how_sure_one_is() -> None:
    standing = board([match(winner=None)]).players["a"]
    assert abs(standing.rating.mu) < 1e-12
    assert standing.rating.sigma < newcomer().sigma
    assert (standing.matches, standing.wins, standing.losses) == (1, 0, 0)


def test_a_lighter_match_moves_less() -> None:
    whole, half = board([match()]).players["a"].rating, board([match(weight=0.5)]).players["a"].rating
    assert half.mu == pytest.approx(whole.mu / 2)
    assert whole.sigma < half.sigma < newcomer().sigma


def test_rules_clocks_and_leagues_are_rated_apart() -> None:
    rows = [
        match("m1"),
        match("m2", rules="standard goal=target:500"),
        match("m3", clock="fast"),
        match("m4", league="bots"),
    ]
    assert [len(one.players) for one in rebuild(rows).boards.values()] == [4] * 4


def test_our_bots_stand_still_and_rate_others() -> None:
    found = board([match(players="a bot:best b bot:best")])
    assert list(found.players) == ["a", "b"]
    assert found.players["a"].rating.mu > mus([match(players="a bot:easy b bot:easy")])["a"] > 0
    pool = match().pool
    assert rebuild([match(players="a bot:best b bot:best")]).rating(pool, "bot:best") == ANCHORS["bot:best"].rating


def test_a_bot_nobody_has_measured_there_rates_nobody() -> None:
    rows = [match(players="a bot:best b c", rules="courtesy"), match("n", players="a bot:unheard b c")]
    assert not rebuild(rows).boards


def test_what_was_aborted_or_taken_back_rates_nobody() -> None:
    assert not rebuild([match("m1", winner=None, ending="aborted"), match("m2", unrated=True)]).boards


def test_a_leaver_loses_and_a_stranger_left_alone_does_not() -> None:
    found = board(settle_all([left(0)]))
    assert found.players["a"].rating.mu < 0 == found.players["c"].rating.mu
    assert found.players["b"].rating.mu > 0
    assert (found.players["a"].left, found.players["a"].losses) == (1, 1)
    assert (found.players["c"].spared, found.players["c"].matches) == (1, 0)


def test_a_partner_who_came_with_the_leaver_loses_too() -> None:
    found = board(settle_all([left(0, pairs=(True, False))]))
    assert found.players["a"].rating == found.players["c"].rating
    assert found.players["c"].rating.mu < 0
    assert found.pairs["a", "c"].losses == 1


def test_a_pair_is_rated_against_a_pair_and_against_two_strangers() -> None:
    rows = [match("m1", pairs=(True, True)), match("m2", "c x a y", pairs=(True, False)), match("m3", "a b c d")]
    found = board(rows)
    assert list(found.pairs) == [("a", "c"), ("b", "d")]
    assert (found.pairs["a", "c"].matches, found.pairs["b", "d"].matches) == (2, 1)
    assert found.players["a"].matches == 3


def test_a_new_pair_begins_with_what_its_players_can_do() -> None:
    alone = [match(f"m{number}", f"a x{number} c y{number}") for number in range(10)]
    change = rebuild(alone).apply(match("together", "a v c w", pairs=(True, False))).pairs[0]
    assert change is not None
    assert change[0].mu == 2 * mus(alone)["a"]
    assert abs(change[0].shown - board(alone).players["a"].rating.shown) <= 1


def test_without_openskill_it_is_said_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "openskill.models", None)
    _model.cache_clear()
    with pytest.raises(GameError, match=r"pip install 'tichu\[site\]'"):
        Ledger()


def test_a_match_counts_once() -> None:
    ledger = rebuild([match()])
    with pytest.raises(GameError, match="applied before"):
        ledger.apply(match())


def test_a_change_tells_before_and_after() -> None:
    ledger = Ledger()
    ledger.apply(match("m1"))
    before = ledger.rating(match().pool, "a")
    change = ledger.apply(match("m2", "a bot:hard x bot:easy"))
    assert change.players[0] == (before, ledger.rating(match().pool, "a"))
    assert change.players[1] is None
    assert change.pairs == (None, None)


def season(opponents: int, together: bool = False, from_pool: bool = True) -> list[MatchRow]:
    """Two players against others by turns, who win every other match."""
    return [
        match(
            f"m{number}",
            f"a x{number % opponents} c y{number % opponents}",
            winner=number % 2,
            pairs=(together, False),
            from_pool=from_pool,
        )
        for number in range(80)
    ]


def test_leaderboards_want_ten_opponents_from_the_pool() -> None:
    assert not board(season(4)).leaderboard()
    assert not board(season(5, from_pool=False)).leaderboard()
    assert not board(season(5)[:5]).leaderboard(), "ten opponents, but still provisional"
    assert [player for player, _ in board(season(5)).leaderboard()] == ["a", "c"]
    gone = anonymise(season(5), "a", stand_in(bytes(16)))
    assert [player for player, _ in board(gone).leaderboard()] == ["c"]


def test_matches_at_tables_of_ones_own_move_nobody_on_a_leaderboard() -> None:
    """Twelve matches of the pool, all lost; then a hundred wins over fresh accounts who stand up at once."""
    lost = [match(f"m{n}", f"cheat h{n} p{n} k{n}", winner=1, score=(300, 1000), from_pool=True) for n in range(30)]
    bought = [left(1, f"b{n}", f"cheat s{2 * n} friend s{2 * n + 1}", at=n, from_pool=False) for n in range(100)]
    pool, own = lost[0].pool, bought[0].pool
    before, after = rebuild(lost), rebuild([*lost, *bought])
    assert (pool.hosted, own.hosted) == (False, True)
    assert after.board(pool).players["cheat"] == before.board(pool).players["cheat"]
    assert after.board(pool).leaderboard() == before.board(pool).leaderboard()
    assert after.rating(pool, "cheat") == before.rating(pool, "cheat")
    assert after.rating(own, "cheat").shown > 1700
    assert not after.board(own).leaderboard()


def test_opponents_who_may_be_oneself_count_for_no_leaderboard() -> None:
    rows = season(5)
    assert board(rows).is_eligible("a")
    flagged = [replace(row, flags=("address 0 1", "browser 0 3", "browser 2 watching")) for row in rows]
    assert not board(flagged).is_eligible("a")
    assert board(flagged).is_eligible("c")
    one = [replace(row, flags=("address 0 1",)) for row in rows]
    assert len(board(one).opponents["a"]) == 5


def test_opponents_who_stand_up_at_once_are_not_met() -> None:
    gone = [left(1, f"m{n}", f"a x{n} c y{n}", from_pool=True, at=n) for n in range(40)]
    assert not board(gone).leaderboard()
    assert board([replace(row, score=(100, 0)) for row in gone]).leaderboard()


def test_leaderboards_are_in_order_after_every_match() -> None:
    rng, ledger = random.Random(1), Ledger()
    people = [f"p{at}" for at in range(14)]
    for number in range(240):
        players = " ".join(rng.sample(people, 4))
        pairs = (rng.random() < 0.3, rng.random() < 0.3)
        row = match(f"m{number}", players, rng.choice([0, 1, None]), pairs=pairs, from_pool=True)
        ledger.apply(row)
        found = ledger.board(row.pool)
        eligible = [one for one in found.players.items() if found.is_eligible(one[0])]
        assert found.leaderboard() == sorted(eligible, key=lambda one: -one[1].rating.mu)
        pairs_listed = [one for one in found.pairs.items() if found.is_pair_eligible(one[0])]
        assert found.pair_leaderboard() == sorted(pairs_listed, key=lambda one: -one[1].rating.mu)
    top = found.leaderboard()
    assert len(top) > 10
    assert [found.rank(player) for player, _ in top] == list(range(1, len(top) + 1))
    assert found.leaderboard(3) == top[:3]
    for player in people:
        assert list(found.pairs_of(player)) == [one for one in found.pairs.items() if player in one[0]]


def test_of_two_who_always_play_together_only_the_pair_is_known() -> None:
    found = board(season(5, together=True))
    assert not found.leaderboard()
    assert found.players["a"].is_provisional
    assert found.players["a"].deviation > found.players["a"].rating.deviation
    assert [pair for pair, _ in found.pair_leaderboard()] == [("a", "c")]
    assert not board(season(4, together=True)).pair_leaderboard()
    assert not board(anonymise(season(5, together=True), "a", stand_in(bytes(16)))).pair_leaderboard()


@few_seasons
@given(seasons())
def test_a_rebuilt_ledger_is_the_one_that_grew(rows: list[MatchRow]) -> None:
    grown = Ledger()
    kept = []
    for row in rows:
        kept.append(grown.settle(row))
        grown.apply(kept[-1])
    assert rebuild(kept).dump() == grown.dump()
    assert kept == list(settle_all(rows))


@few_seasons
@given(seasons())
def test_deleting_somebody_changes_nobody_else(rows: list[MatchRow]) -> None:
    rows = list(settle_all(rows))
    # Before and after all others in any order of ids.
    for replacement in (stand_in(bytes(16)), "~" + stand_in(bytes(16))):
        other = list(anonymise(rows, "dee", replacement))
        assert list(settle_all(other)) == other
        before, after = rebuild(rows).boards, rebuild(other).boards
        assert list(before) == list(after)
        for pool in before:
            renamed = {replacement if player == "dee" else player: one for player, one in before[pool].players.items()}
            assert list(after[pool].players.items()) == list(renamed.items())
            assert list(after[pool].pairs.values()) == list(before[pool].pairs.values())


_REBUILD = """
import hashlib, sys
from tichu.ratings import parse_row, rebuild
print(hashlib.sha256(rebuild(map(parse_row, sys.stdin)).dump()).hexdigest())
"""


def test_every_process_comes_to_the_same_bits() -> None:
    rows = []
    for number in range(200):
        players = " ".join(f"p{(number * step + step) % 29 + 29 * seat}" for seat, step in enumerate((3, 5, 7, 11)))
        rows.append(match(f"m{number}", players, winner=number % 3 % 2, pairs=(number % 2 == 0, number % 5 == 0)))
    text = "".join(format_row(row) + "\n" for row in settle_all(rows))
    told = {
        subprocess.run(
            [sys.executable, "-c", _REBUILD],
            input=text,
            env={**os.environ, "PYTHONHASHSEED": seed},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for seed in ("1", "2")
    }
    assert len(told) == 1


def test_an_unrated_match_is_as_if_it_had_not_been() -> None:
    rows = [match("m1"), match("m2", "a x c y"), match("m3", "b x d y")]
    without = rebuild([rows[0], rows[2]]).dump()
    assert rebuild([rows[0], replace(rows[1], unrated=True), rows[2]]).dump() == without
