"""What goes on at a club, as the server would tell the start page, for tests of the page alone."""

from typing import Any, Final

__all__ = ["FRESH", "busy_home", "table_state"]

NAMES: Final = ("Ada", "Benedikta-Katharina", "Cho", "Dov", "Eun-ji", "Ferdinand", "Gül", "Hanneke")
FRESH: Final[dict[str, Any]] = {
    "tables": [],
    "watchable": [],
    "people": 0,
    "playing": 0,
    "seekers": {"rated": 0, "casual": 0},
    "followed": [],
    "games": [],
    "board": None,
}


def table_state(number: int, *, playing: bool, name: str = "") -> dict[str, Any]:
    """A public table with four people, or with one who waits for others."""
    seats: list[dict[str, Any]] = []
    for seat in range(4):
        is_taken = playing or seat == 0
        name_there = NAMES[(number + seat) % len(NAMES)] if is_taken else ""
        who = f"p{number}-{seat}" if is_taken else None
        seats.append({"name": name_there, "connected": True, "ready": False, "player": who, "bot": None})
    return {
        "id": f"table{number}",
        "code": f"CODE{number:02}",
        "name": name,
        "rules": "standard",
        "preset": "standard",
        "clock": None,
        "private": False,
        "casual": False,
        "host": seats[0]["player"],
        "seats": seats,
        "stage": "playing" if playing else "open",
        "spectators": 0,
        "game": None,
        "round": 2,
        "score": [420, 280],
        "results": [],
        "winner": None,
        "commit": None,
    }


def _game(number: int, finished: int) -> dict[str, Any]:
    seats = [NAMES[(number + seat) % len(NAMES)] for seat in range(4)]
    return {
        "id": f"game{number}",
        "table": f"t{number}",
        "finished": finished - 1_000_000 * (number + 1) ** 3,
        "rules": "standard",
        "seats": seats,
        "players": [f"p{name}" for name in seats],
        "casual": False,
        "score": [1005, 595 - number],
        "winner": 0,
        "hasTch": True,
    }


def busy_home(now: int, *, waiting: int = 3, playing: int = 4) -> dict[str, Any]:
    """An evening with many people, at this time in milliseconds."""
    names = ["Club night", "", "A table with a name as long as a name can be"]
    return {
        "tables": [table_state(at, playing=False, name=names[at % 3]) for at in range(waiting)],
        "watchable": [table_state(50 + at, playing=True, name=names[at % 3]) for at in range(playing)],
        "people": 4 * playing,
        "playing": playing,
        "seekers": {"rated": 2, "casual": 1},
        "followed": [
            {"person": {"player": f"f{at}", "name": NAMES[at], "kind": "person", "account": True}}
            | {"table": f"table{50 * at}", "name": names[at], "playing": at == 1}
            for at in range(2)
        ],
        "games": [_game(at, now) for at in range(6)],
        "board": {
            "pool": {"league": "people", "rules": "standard", "clock": "fast", "hosted": False},
            "players": [
                {"rank": at + 1, "players": [f"b{at}"], "names": [NAMES[at]], "rating": 1810 - 31 * at}
                | {"deviation": 80, "matches": 60}
                for at in range(5)
            ],
        },
    }
