"""What is counted at the table, and how it is put beside what people do."""

import json
import math
import re
from collections import Counter
from itertools import chain

import pytest

from tests.arena.at_the_table import played, setup_of
from tichu.arena.duel import Chunk, chunks, play_chunk
from tichu.arena.statistics import PEOPLE, Tally


def is_bomb(cards: str) -> bool:
    ranks, suits = cards[::2], set(cards[1::2])
    if "P" in ranks or not suits <= set("sbgr"):
        return False
    return (len(ranks) == 4 and len(set(ranks)) == 1) or (len(ranks) >= 5 and len(suits) == 1)


def test_what_is_counted_is_what_the_records_say() -> None:
    setup = setup_of("heuristic", "greedy")
    counted: Counter[str] = Counter()
    written: Counter[str] = Counter()
    for numbers in chunks(setup, 12):
        for deal in play_chunk(Chunk(setup, numbers, keep_records=True)):
            counted.update(Tally.total(chain(*deal.tallies)).counts)
            for leg in deal.legs:
                tokens = leg.record.split()
                played_cards = [token[2:] for token in tokens if re.fullmatch(r"[0-3]:[^-].*", token)]
                written["rounds"] += 4
                written["plays"] += len(played_cards)
                written["bombs"] += sum(map(is_bomb, played_cards))
                for sign, name in ((":-", "passes"), ("+T", "tichu"), ("+G", "grand")):
                    written[name] += sum(token[1:] == sign for token in tokens)
                first = leg.rounds[0].out[0]
                written["double_victories"] += 2 * (leg.rounds[0].points in ((200, 0), (0, 200)))
                bonus = leg.rounds[0].bonus[first & 1]
                written["made"] += bonus > 0
    counted["made"] = counted["tichu_made"] + counted["grand_made"]
    assert {name: counted[name] for name in written} == dict(written)
    assert written["bombs"] > 0
    assert written["tichu"] > 0


def test_a_call_is_made_by_the_first_out_only() -> None:
    counts = Counter(rounds=8, tichu=4, tichu_made=3, grand=0, double_victories=2, bombs=1, plays=60, passes=40)
    rates = Tally(counts).rates()
    assert rates.tichu == 2.0
    assert rates.tichu_made == 0.75
    assert rates.grand_made is None
    assert rates.double_victories == 0.25
    assert Tally(counts).rates(teams=2).double_victories == 0.5
    assert rates.plays_and_passes == 50


def test_people_are_quoted_right() -> None:
    sentence = (
        f"Tichu called {PEOPLE.tichu} times a round, made {100 * (PEOPLE.tichu_made or 0):.1f} %; "
        f"Grand Tichu {PEOPLE.grand}, made {100 * (PEOPLE.grand_made or 0):.1f} %; "
        f"double victory {100 * PEOPLE.double_victories:.1f} % of rounds; {PEOPLE.bombs} bombs a round; "
        f"{PEOPLE.plays_and_passes:.0f} plays and passes a round."
    )
    # Counted in 21 million rounds on BrettspielWelt.
    assert sentence == (
        "Tichu called 0.557 times a round, made 73.4 %; Grand Tichu 0.313, made 61.8 %; "
        "double victory 23.7 % of rounds; 0.443 bombs a round; 56 plays and passes a round."
    )


def test_times_are_kept_to_one_in_a_hundred() -> None:
    tally = Tally()
    for hundredths in range(1, 10_001):
        tally.times[round(math.log(hundredths / 100, 1.02))] += 1
    assert tally.milliseconds(0.5) == pytest.approx(50, rel=0.02)
    assert tally.milliseconds(0.99) == pytest.approx(99, rel=0.02)
    assert Tally().milliseconds(0.5) is None


def test_a_tally_survives_a_file() -> None:
    tally = played(setup_of("heuristic", "random"), 1)[0].tallies[0][0]
    again = Tally.from_json(json.loads(json.dumps(tally.to_json())))
    assert again.times == tally.times
    assert +again.counts == +tally.counts
