"""Nobody at a table can be taken for somebody else by name."""
# ruff: noqa: RUF001, RUF003

from random import Random

import pytest

from tests.server.players import Club
from tichu.server import wire
from tichu.server.table.names import looks_like, unique_name
from tichu.server.table.ports import Player
from tichu.server.table.refusals import Refusal, TableReason


@pytest.mark.parametrize(
    ("name", "other"),
    [
        ("Paul", "Раul"),  # Cyrillic Р and а
        ("Anna", "Αnna"),  # Greek Α
        ("scope", "ѕсоре"),  # all Cyrillic
        ("Kim", "Ｋｉｍ"),
        ("Kim", "𝐊𝐢𝐦"),
        ("Kim", "ᴋɪᴍ"),
        ("Kim", "KIM"),
        ("Kim", "K i m"),
        ("Kim", "Kím"),
        ("Kim", "Ki\u0323m"),
        ("Kim", "Ki\u200bm"),
        ("Ilona", "llona"),
        ("Ilona", "1lona"),
        ("Bob", "B0b"),
        ("Mam", "Marn"),
        ("Walter", "VValter"),
        ("Søren", "Soren"),
        ("O'Neil", "O\u2019Neil"),
        ("O'Neil", "O\u2032Neil"),
        ("O'Neil", "O\ua78cNeil"),
        ("Hey!", "Hey\u01c3"),
        ("Kim 2", "Kim Ƨ"),
        ("Kim3", "Kimʒ"),
        ("Kim 6", "Kim Ꮾ"),
        ("김", "\u1100\u1175\u11b7"),  # as its three letters
        ("가", "ㄱㅏ".replace("ㅏ", "\u1161")),
        ("ロイ", "口イ"),
        ("Kim 2", "Kim2"),
        ("Tom", "T०m"),
        ("Kim 2", "Kim \u0662"),
        ("Lea", "𐔦ea"),
        ("Olga", "〇lga"),
        ("Xenia", "᙭enia"),
        ("Yves", "Ꭹves"),
        # Marks of another script on a letter, some of which no font shows.
        ("Kim", "K\u05b0im"),
        ("Kim", "Kim\u064b"),
        ("Kim", "Ki\u3099m"),
        ("Kim", "Ki\u0e48m"),
        ("Kim", "Ki\u093cm"),
        ("Kim", "K\u0338im"),
        ("Kim", "Ki\u20ddm"),
        ("Kim", "\u0489Kim"),
        ("Kim", "\u041a\u05b0im"),  # on a Cyrillic letter that is taken for a Latin one
        ("김", "김\u3099"),
        ("か", "か\u064b"),
        ("\u2764\ufe0f", "\u2764"),
    ],
)
def test_names_that_look_alike(name: str, other: str) -> None:
    assert looks_like(name, other)
    assert looks_like(other, name)
    assert looks_like(name, name)


@pytest.mark.parametrize(
    ("name", "other"),
    [
        ("Kim", "Tim"),
        ("Kim", "Kim 2"),
        ("Ann", "Anna"),
        ("Ben", "Ken"),
        ("김", "긴"),
        ("か", "が"),
        ("か", "か\u3099"),
        ("ハ", "パ"),
        ("べル", "へル"),
        ("हरि", "हरी"),
        ("क", "क़"),
        ("\u05d1\u05b0", "\u05d1\u05b8"),
        ("\u0628\u064b", "\u0628\u064e"),
        ("กา", "ก่า"),
        ("Ада", "Ава"),
        ("Νίκος", "Νίκη"),
        ("🐱", "🐶"),
        ("2", "3"),
        ("李", "王"),
    ],
)
def test_names_that_do_not(name: str, other: str) -> None:
    assert not looks_like(name, other)


def test_somebody_of_the_same_name_gets_a_number_and_a_lookalike_is_refused() -> None:
    assert unique_name("Kim", []) == "Kim"
    assert unique_name("Kim", ["Kim"]) == "Kim 2"
    assert unique_name("kim", ["Kim", "Kim 2"]) == "kim 3"
    assert unique_name("Kim", ["Kim", "Кim3", "Kim2"][::2]) == "Kim 3"
    with pytest.raises(Refusal) as refused:
        unique_name("Кim", ["Tim", "Kim"])
    assert refused.value.reason is TableReason.LOOKALIKE


def test_random_names_always_get_an_answer() -> None:
    rng = Random(1)
    signs = [chr(code) for code in range(1, 0x3000) if not 0xD800 <= code < 0xE000] + list("Kim김ロ🐱")
    for _ in range(3000):
        names = ["".join(rng.choices(signs, k=rng.randrange(1, 25))) for _ in range(3)]
        try:
            name = unique_name(names[0], [*names, "Kim"])
        except Refusal:
            continue
        assert not any(looks_like(name, other) for other in names)


def test_a_lookalike_gets_no_seat_and_no_word() -> None:
    club = Club()
    club.seat_people(0)
    fake = Player("fake", "\u0410da")  # Cyrillic А
    club.connect(fake)
    for command in (wire.Sit(id="s", seat=1), wire.Say(id="t", text="hello")):
        answer = club.command(fake, command)
        assert isinstance(answer, wire.Refused)
        assert answer.reason == "LOOKALIKE"
    assert isinstance(club.command(fake, wire.Sit(id="s2", seat=1, name="Eve")), wire.Ack)
    assert [who.name for who in club.table.logged.seats if who is not None][:2] == ["Ada", "Eve"]


def test_who_watches_speaks_under_a_name_of_their_own() -> None:
    club = Club()
    club.seat_people(0)
    other = Player("other", "Ada")
    club.connect(other)
    assert isinstance(club.command(other, wire.Say(id="t", text="hello")), wire.Ack)
    said = [
        message.event
        for message in club.heard["player0"]
        if isinstance(message, wire.EventMessage) and isinstance(message.event, wire.Said)
    ]
    assert [event.name for event in said] == ["Ada 2"]


def test_a_bot_is_not_given_the_name_of_a_person() -> None:
    club = Club()
    club.people[0] = Player("player0", "\u0412en")  # Cyrillic В
    club.seat_people(0)
    names = [who.name for who in club.table.logged.seats if who is not None]
    assert names == ["\u0412en", "Cho", "Dov", "Eve"]
