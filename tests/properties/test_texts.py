"""Along any round: positions, views, actions and records read back to equal values, and replay equals play."""

import pytest
from hypothesis import given

from tests.properties.rounds import Table, deal_at, each_rule_set, place_in_errors, quick_tables, steps, tables
from tichu import (
    Game,
    Record,
    RoundRecord,
    Rules,
    format_action,
    format_jsonl,
    format_position,
    format_record,
    format_view,
    parse_action,
    parse_position,
    parse_record,
    parse_view,
    read_jsonl,
    replay,
)

pytestmark = pytest.mark.no_cover


@each_rule_set
@given(table=quick_tables)
def test_every_position_and_all_four_views_read_back(rules: Rules, table: Table) -> None:
    for before, seat, action, after, _ in steps(table, rules):
        with place_in_errors(before, seat, action):
            assert parse_position(format_position(after), rules) == after
            for viewer in range(4):
                view = after.view(viewer)
                assert parse_view(format_view(view), viewer, rules) == view


@each_rule_set
@given(table=tables)
def test_actions_and_records_read_back_and_replay_equals_play(rules: Rules, table: Table) -> None:
    taken = list(steps(table, rules))
    actions = tuple((step.seat, step.action) for step in taken)
    assert [parse_action(format_action(*action)) for action in actions] == list(actions)

    one = RoundRecord(deal_at(table), actions, taken[-1].after.outcome.score)
    assert list(replay(one, rules)) == [taken[0].before, *(step.after for step in taken)]

    unfinished = RoundRecord(one.deal, actions[: table.seed % 20])
    record = Record(rules, (one, unfinished), ("Ada", "Ben", "Cho", "Dov"), (("Date", ("2026-11-15",)),))
    assert parse_record(format_record(record)) == record
    assert read_jsonl(format_jsonl(record)).record() == record

    # A game takes the table's decisions itself and ends in the same round with the same actions.
    game = Game.start(one.deal, rules)
    for step in taken:
        if not step.is_automatic:
            game = game.after(step.seat, step.action)
    assert game.round == taken[-1].after
    assert game.actions == actions
    assert game.match.outcomes == (game.round.outcome,)
