"""What is remembered of every player."""

from random import Random

from tichu.server.table.recent import Recent


def test_recent_keeps_what_a_simple_list_would_keep() -> None:
    rng = Random(3)
    kept: Recent[int] = Recent(each=3, most=7)
    told: list[tuple[str, int]] = []
    for number in range(400):
        key = f"{rng.choice(['ada', 'adam', 'ben', 'cat'])} {rng.randrange(8)}"
        kept.put(key, number)
        if any(other == key for other, _ in told):
            told = [(other, number if other == key else value) for other, value in told]
        else:
            told.append((key, number))
        own = [one for one in told if one[0].split(" ")[0] == key.split(" ")[0]]
        told = [one for one in told if one not in own[:-3]][-7:]
        assert list(kept.items()) == told


def test_recent_goes_on_from_what_was_stored() -> None:
    kept = Recent({"ada 1": 1, "ada 2": 2, "ben 1": 3}, each=2, most=9)
    kept.put("ada 3", 4)
    assert kept == {"ada 2": 2, "ben 1": 3, "ada 3": 4}
