"""What people may call themselves and say, as others see it."""

import pytest

from tests.server.players import Club
from tests.server.test_table import accepted, events, refusal
from tichu.server import wire

FAMILY = "\U0001f468\u200d\U0001f469\u200d\U0001f467"
RAINBOW = "\U0001f3f3\ufe0f\u200d\U0001f308"
NODDING = "\U0001f642\u200d\u2195\ufe0f"
KSSA = "\u0915\u094d\u200d\u0937"


@pytest.mark.parametrize(
    "name",
    [
        "\u3164",
        "\ufffc",
        "\U0001d159",
        "\U00016fe4",
        "\u2800\uffa0",
        "\u200b\u202e",
        "\x1b\x00",
        "\ufe0f",
        "\u200d",
        "\u034f\U000e0101",
        "\u0301",
    ],
)
def test_nobody_has_an_invisible_name(name: str) -> None:
    club = Club()
    accepted(club, 0, wire.Sit(id="a", seat=0, name=name))
    assert club.table.state().seats[0].name == "Ada"
    assert refusal(club, 0, wire.Say(id="b", text=name)) == "EMPTY"


@pytest.mark.parametrize("name", [FAMILY, RAINBOW, NODDING, KSSA, f"Kim {FAMILY}{RAINBOW}", "Zo\u0308e\u0301"])
def test_an_emoji_or_letter_of_several_signs_stays_one(name: str) -> None:
    club = Club()
    club.connect(0, 1)
    accepted(club, 0, wire.Sit(id="a", seat=0, name=name))
    accepted(club, 1, wire.Sit(id="a", seat=1, name=name))
    assert [seat.name for seat in club.table.state().seats[:2]] == [name, f"{name} 2"]
    accepted(club, 0, wire.Say(id="b", text=name))
    said = events(club, "player0")[-1]
    assert isinstance(said, wire.Said)
    assert said.text == name


@pytest.mark.parametrize(
    ("name", "shown"),
    [
        ("A\u200dda", "A da"),
        ("Ada\u200d", "Ada"),
        ("A\ufe0fda", "Ada"),
        ("A\u034fda", "Ada"),
        ("Ada\U0001d159", "Ada"),
        ("A\ufffcda", "A da"),
        ("Ada\U0001bc9d", "Ada"),
        (f"{FAMILY}\u200d", FAMILY),
        ("a" + "\u0301" * 20, "a" + "\u0301" * 4),
    ],
)
def test_signs_that_nobody_sees_make_no_other_name(name: str, shown: str) -> None:
    club = Club()
    accepted(club, 0, wire.Sit(id="a", seat=0, name=name))
    assert club.table.state().seats[0].name == shown


def test_a_cut_name_ends_with_a_whole_sign() -> None:
    club = Club()
    club.connect(0, 1)
    name = "x" * 19 + FAMILY
    for seat in (0, 1):
        accepted(club, seat, wire.Sit(id="a", seat=seat, name=name))
    assert [seat.name for seat in club.table.state().seats[:2]] == [name, f"{'x' * 19}\U0001f468 2"]
