"""What a server would tell of somebody who has played much, for tests of the page alone."""

from typing import Any

from playwright.async_api import Page, Route

__all__ = ["show_board", "show_games", "show_ratings"]

POOL = {"league": "people", "rules": "standard", "clock": "fast"}
RATED = {
    "ratings": [
        {"pool": POOL, "rating": 1523, "deviation": 160, "provisional": True, "matches": 12, "wins": 7, "losses": 5}
        | {"left": 0, "spared": 0, "rank": None},
        {"pool": POOL | {"clock": "slow"}, "rating": 1710, "deviation": 60, "provisional": False, "matches": 80}
        | {"wins": 50, "losses": 30, "left": 0, "spared": 0, "rank": 3},
    ],
    "pairs": [
        {"pool": POOL, "partner": "cyd", "name": "Cyd", "rating": 1600, "deviation": 90, "provisional": False}
        | {"matches": 8, "wins": 5}
    ],
    "history": [
        {"at": 1000 * at, "pool": POOL, "before": before, "after": after}
        for at, (before, after) in enumerate([(1500, 1540), (1540, 1510), (1510, 1523)])
    ],
}


def partner(player: str, name: str, games: int, won: int, *, account: bool = True) -> dict[str, Any]:
    who = {"player": player, "name": name, "kind": "person", "account": account}
    return {"person": who, "games": games, "won": won, "last": 1_700_000_000_000}


def shown_game(number: int, players: tuple[str, ...], names: tuple[str, ...], **fields: Any) -> dict[str, Any]:
    game = {"id": f"g{number}", "table": "t", "finished": 1_700_000_000_000 - number * 86_400_000}
    game |= {"rules": "standard", "seats": names, "players": players, "score": (1005, 640), "winner": 0}
    return {"game": game | {"casual": False, "hasTch": True} | fields, "rated": number == 2}


LOSSES = {"exchange": (8.8, 2.1), "lead": (-3.0, 1.9), "follow": (5.4, 2.6), "wish": (-1.2, 0.4), "grand": (2.2, 0.9)}
SHEET = {
    "games": 27,
    "rounds": 231,
    "lost": 12.2,
    "error": 4.1,
    "kinds": [
        {"kind": kind, "lost": LOSSES.get(kind, (0, 0))[0], "error": LOSSES.get(kind, (0, 0))[1]}
        for kind in ("grand", "exchange", "tichu", "lead", "follow", "wish", "gift", "bomb")
    ],
}


async def show_ratings(page: Page, who: str) -> None:
    """The page is told of ratings that nobody has played for."""
    await page.route("**/api/players/*/ratings", lambda route: route.fulfill(json=RATED | {"player": who}))


async def show_games(page: Page, who: str) -> None:
    """The page is told of games, partners and a sheet that nobody has played for."""
    players, names = (who, "", "cyd", ""), ("W" * 24, "Thinking champion", "Cyd", "Thinking champion")
    pages = [
        {"games": [shown_game(at, players, names) for at in (1, 2)], "before": 5},
        {"games": [shown_game(3, ("", who, "", "cyd"), (names[1], *names[:3]), casual=True)], "before": None},
    ]
    await page.route(
        "**/api/players/*/games?*", lambda route: route.fulfill(json=pages["before=5" in route.request.url])
    )
    partners = [partner("cyd", "Cyd", 41, 25), partner("dee", "M" * 24, 6, 1, account=False)]

    async def profile(route: Route) -> None:
        told = await (await route.fetch()).json()
        await route.fulfill(json=told | {"partners": partners, "sheet": SHEET})

    await page.route(f"**/api/players/{who}", profile)


def _entry(rank: int, *names: str) -> dict[str, Any]:
    return {"rank": rank, "players": names, "names": names, "rating": 1800 - rank, "deviation": 80, "matches": 60}


async def show_board(page: Page) -> None:
    """The page is told of a leaderboard with names as long as names can be."""
    long = "W" * 24
    board = {
        "pool": POOL | {"hosted": False},
        "players": [_entry(1, "Ada"), _entry(2, long)],
        "pairs": [_entry(1, "Ada", long), _entry(2, long, "M" * 24)],
        "bots": [
            {"rank": 1, "player": None, "name": "champion", "rating": 1900, "deviation": 22},
            {"rank": 2, "player": "w", "name": long, "rating": 1700, "deviation": 22},
        ],
        "pools": [POOL | {"hosted": False}, POOL | {"clock": "slow", "hosted": True}],
    }
    await page.route("**/api/leaderboard*", lambda route: route.fulfill(json=board))
