"""Answer the questions of docs/data.md at length, for people and for the champion: its end and data_answers.json.

    python -m tools.data_answers learned.ttn.zst [--most 3000 | --seeming]
    python -m tools.data_answers --rounds learned_rounds.parquet

The first file is one that ``tichu selfplay`` has made, the second a table of ``training.rounds``; their cards go into
the answers, and what is not given stays as it was.  People are those of ``tests/games``.
What a choice seems to be worth is the mean of the rounds of those who made it less that of those who did not; what it
is worth comes from playing both in the same deals.  Means are clustered by game.
"""

import argparse
import json
from collections.abc import Callable, Iterable, Sequence
from contextlib import redirect_stdout
from doctest import DocTestParser
from functools import partial
from io import StringIO
from itertools import starmap
from pathlib import Path
from tempfile import TemporaryDirectory
from textwrap import wrap
from typing import Any, Final

import duckdb

from tichu.core.actions import Action
from tichu.core.cards import DRAGON, PHOENIX
from tichu.core.round import Round
from tichu.data import (
    calling_grand,
    calling_tichu,
    compare_choices,
    difference_by_game,
    export_games,
    giving_the_dragon,
    mean_by_game,
)
from tichu.data.choices import Choices
from tichu.data.columns import SeatRow
from tichu.data.summary import Share

_ROOT: Final = Path(__file__).parent.parent
_PAGE: Final = _ROOT / "docs" / "data.md"
ANSWERS: Final = _ROOT / "docs" / "data_answers.json"
_BEGIN: Final = "<!-- begin: tools/data_answers.py -->"
_END: Final = "<!-- end -->"
_STRONG: Final = 0xF << 52 | 1 << DRAGON | 1 << PHOENIX
_MOST_STRONG: Final = 3


def _strong(seat: SeatRow) -> int:
    cards = [seat.eight[at : at + 2] for at in range(0, len(seat.eight), 2)]
    return min(_MOST_STRONG, sum(card in ("Dr", "Ph") or card[0] == "A" for card in cards))


def _grand_with(strong: int, state: Round, seat: int, actions: Sequence[Action]) -> Any:
    if min(_MOST_STRONG, (state.hands[seat] & _STRONG).bit_count()) != strong:
        return None
    return calling_grand(state, seat, actions)


#: The question, who made the choice and who did not (None: neither), and both choices.
_QUESTIONS: Final[list[tuple[str, Callable[[SeatRow], bool | None], Choices]]] = [
    (
        "the Dragon to the partner",
        lambda seat: seat.gave_partner == "Dr" if "Dr" in seat.dealt else None,
        giving_the_dragon,
    ),
    *(
        (
            f"Grand with {strong}{' or more' if strong == _MOST_STRONG else ''} strong cards",
            lambda seat, strong=strong: seat.call == "grand" if _strong(seat) == strong else None,
            partial(_grand_with, strong),
        )
        for strong in range(_MOST_STRONG + 1)
    ),
    ("Tichu, where it was called", lambda seat: None if seat.call == "grand" else seat.call == "tichu", calling_tichu),
]


def _told(share: Share, number: int) -> dict[str, float | int | None]:
    value, error = (None if each is None else round(each, 1) for each in share)
    return {"points": value, "standard_error": error, "number": number}


def _seeming(seats: Iterable[SeatRow], made: Callable[[SeatRow], bool | None]) -> dict[str, float | int | None]:
    sides: dict[bool, list[tuple[int, float]]] = {True: [], False: []}
    for seat in seats:
        side = made(seat)
        if side is not None:
            sides[side].append((seat.game, seat.difference))
    return _told(difference_by_game(sides[True], sides[False]), len(sides[True]))


def _answers(paths: list[Path], most: int, known: dict[str, Any] | None) -> dict[str, Any]:
    """Of what is known only what it seems is worked out anew."""
    with TemporaryDirectory() as folder:
        export_games(paths, folder)
        rows = duckdb.execute("FROM read_parquet($path)", {"path": f"{folder}/seats.parquet"}).fetchall()
    seats = list(starmap(SeatRow, rows))
    answers = {}
    for question, made, choices in _QUESTIONS:
        seems = _seeming(seats, made)
        if known is not None:
            answers[question] = {"seems": seems, "is": known[question]["is"]}
            continue
        compared = compare_choices(paths, choices, most=most)
        answers[question] = {"seems": seems, "is": _told(mean_by_game(compared), len(compared))}
    return answers


def _page(source: Path) -> dict[str, list[str]]:
    """What the examples of the ten questions print for other games, by question."""
    _, _, text = _PAGE.read_text(encoding="utf-8").partition("## Ten questions")
    text, _, _ = text.partition(_BEGIN)
    names: dict[str, Any] = {}
    told: dict[str, list[str]] = {}
    first, *parts = text.split("\n**")
    for part in [f"**{first}", *parts]:
        question, _, rest = part.partition("**")
        printed = []
        for example in DocTestParser().get_examples(rest):
            code = example.source.replace('source = "tests/games"', f"source = {str(source)!r}")
            with redirect_stdout(StringIO()) as output:
                exec(compile(code, str(_PAGE), "single"), names)
            # What is only tried there has nothing to tell.
            printed += [line for line in output.getvalue().splitlines() if line != "True"]
        told[question] = printed
    told.pop(next(iter(told)))
    return told


def _rounds(path: Path) -> dict[str, Any]:
    """Calls and double victories in a table of ``training.rounds``, by the match before the round."""
    query = """
        WITH hands AS (
            SELECT *, CASE WHEN team = 0 THEN before_0 - before_1 ELSE before_1 - before_0 END AS lead FROM (
                SELECT seat, seat % 2 AS team, before_0, before_1, first, double_victory,
                    [call_0, call_1, call_2, call_3][seat + 1] AS call
                FROM read_parquet($path), range(4) AS seats(seat)))
        SELECT CASE WHEN lead < -300 THEN 'behind' WHEN lead > 300 THEN 'ahead' ELSE 'even' END AS standing, count(*),
            avg((call IS NOT DISTINCT FROM 'tichu')::INT), avg((first = seat)::INT) FILTER (call = 'tichu'),
            avg((call IS NOT DISTINCT FROM 'grand')::INT), avg((first = seat)::INT) FILTER (call = 'grand'),
            avg((double_victory AND first % 2 = team)::INT)
        FROM hands GROUP BY standing ORDER BY min(lead)"""
    names = ("hands", "tichu", "tichu_made", "grand", "grand_made", "double_victories")
    rows = duckdb.execute(query, {"path": str(path)}).fetchall()
    return {
        standing: dict(zip(names, (number, *(round(share, 4) for share in shares)), strict=True))
        for standing, number, *shares in rows
    }


def _a_round(path: Path) -> dict[str, Any]:
    """Calls of four such players in a round, as people's are counted: at 0:0, and in whole matches.

    These are the first at every table.  Of the next ones the table has the beginning more often than the end.
    """
    query = """
        WITH matches AS (
            SELECT *, sum((before_0 = 0 AND before_1 = 0)::INT) OVER (PARTITION BY game ORDER BY round) AS number
            FROM read_parquet($path)),
        hands AS (
            SELECT [call_0, call_1, call_2, call_3][seat + 1] AS call, (first = seat)::INT AS made, before_0, before_1,
                double_victory::INT AS double, number
            FROM matches, range(4) AS seats(seat))
        SELECT count(*) // 4, 4 * avg((call IS NOT DISTINCT FROM 'tichu')::INT), avg(made) FILTER (call = 'tichu'),
            stddev(made) FILTER (call = 'tichu') / sqrt(count(*) FILTER (call = 'tichu')),
            4 * avg((call IS NOT DISTINCT FROM 'grand')::INT), avg(made) FILTER (call = 'grand'),
            stddev(made) FILTER (call = 'grand') / sqrt(count(*) FILTER (call = 'grand')), avg(double)
        FROM hands WHERE {}"""
    names = ("tichu", "tichu_made", "tichu_made_error", "grand", "grand_made", "grand_made_error", "double_victories")
    told = {}
    for label, condition in {"at 0:0": "before_0 = 0 AND before_1 = 0", "in whole matches": "number = 1"}.items():
        [(number, *shares)] = duckdb.execute(query.format(condition), {"path": str(path)}).fetchall()
        told[label] = {"rounds": number, **dict(zip(names, (round(share, 4) for share in shares), strict=True))}
    return told


def block(told: dict[str, Any]) -> str:
    """The part of the page that these answers make."""
    lines = ["| choice | people: seems | is | `learned`: seems | is |", "|---|--:|--:|--:|--:|"]
    for question in told["people"]["answers"]:
        cells = [_cell(told[who]["answers"][question][way]) for who in ("people", "learned") for way in ("seems", "is")]
        lines.append(f"| {question} | {' | '.join(cells)} |")
    card = told["learned"]["origin"]
    lines += [
        "",
        *wrap(
            f"`learned` has played {card['rounds']:,} rounds in {card['games']:,} matches against itself (`tichu "
            f"selfplay --rounds {card['rounds']} --bots {card['bots']} --matches --seed {card['seed']}`). At most "
            f"{told['people']['most']:,} decisions of a kind were played both ways.",
            120,
        ),
        "",
        "### The ten questions to the champion",
        "",
        "The same examples, asked of these games:",
        "",
        "```text",
    ]
    for question, printed in told["page"].items():
        lines += [question, *(f"    {line}" for line in printed)]
    lines.append("```")
    if "rounds" in told:
        origin = told["rounds"]["origin"]
        lines += [
            "",
            f"And {origin['rounds']:,} rounds of it, made on a GPU: calls a hand and the share of them that were made, "
            "by the match",
            "before the round, more than 300 behind, even, and more than 300 ahead.",
            "",
            "| | hands | Tichu | made | Grand | made | double victories |",
            "|---|--:|--:|--:|--:|--:|--:|",
        ]
        for standing, each in told["rounds"]["answers"].items():
            rates = [f"{each[name]:.3f}" for name in ("tichu", "tichu_made", "grand", "grand_made", "double_victories")]
            lines.append(f"| {standing} | {each['hands']:,} | {' | '.join(rates)} |")
        lines += ["", "The same per round, the way [people's calls](bots.md#learned) are counted:", ""]
        lines += ["| | rounds | Tichu | made | Grand | made | double victories |", "|---|--:|--:|--:|--:|--:|--:|"]
        for label, each in told["rounds"]["a_round"].items():
            calls = [
                f"{each[call]:.3f} | {100 * each[f'{call}_made']:.1f} % ± {100 * each[f'{call}_made_error']:.1f}"
                for call in ("tichu", "grand")
            ]
            doubles = f"{100 * each['double_victories']:.1f} %"
            lines.append(f"| {label} | {each['rounds']:,} | {' | '.join(calls)} | {doubles} |")
    return "\n".join([_BEGIN, "", *lines, "", _END])


def _cell(told: dict[str, float | int | None]) -> str:
    if told["points"] is None:
        return f"({told['number']:,})"
    error = "" if told["standard_error"] is None else f" ± {told['standard_error']:.1f}"
    return f"{told['points']:+.1f}{error} ({told['number']:,})"


def _card(source: Path) -> Any:
    return json.loads(source.with_name(f"{source.name}.card.json").read_text(encoding="utf-8"))


def main() -> None:
    """Answer and write."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("source", type=Path, nargs="?")
    parser.add_argument("--most", type=int, default=3000, help="how many decisions of a kind are played both ways")
    parser.add_argument("--seeming", action="store_true", help="only what choices seem to be worth, of the same games")
    parser.add_argument("--rounds", type=Path, metavar="FILE", help="a table of training.rounds")
    options = parser.parse_args()
    told = json.loads(ANSWERS.read_text(encoding="utf-8")) if ANSWERS.exists() else {}
    if options.source is not None:
        if not options.seeming:
            told["page"] = _page(options.source)
        elif _card(options.source) != told["learned"]["origin"]:
            parser.error("these are other games")
        people = sorted((_ROOT / "tests" / "games").glob("*.ttn"))
        for who, origin, paths in (
            ("people", "tests/games", people),
            ("learned", _card(options.source), [options.source]),
        ):
            known, most = (told[who]["answers"], told[who]["most"]) if options.seeming else (None, options.most)
            told[who] = {"origin": origin, "most": most, "answers": _answers(paths, most, known)}
    if options.rounds is not None:
        told["rounds"] = {"origin": _card(options.rounds), "answers": _rounds(options.rounds)}
        told["rounds"]["a_round"] = _a_round(options.rounds)
    ANSWERS.write_text(json.dumps(told, indent=2) + "\n", encoding="utf-8")
    before, _, rest = _PAGE.read_text(encoding="utf-8").partition(_BEGIN)
    _PAGE.write_text(before + block(told) + rest.partition(_END)[2], encoding="utf-8")


if __name__ == "__main__":
    main()
