"""Results as text for people."""

from collections.abc import Sequence
from typing import Final

from tichu.arena.ratings import Rating
from tichu.arena.setup import Setup
from tichu.arena.statistics import FAULTS, PEOPLE, Tally
from tichu.arena.summary import Summary

__all__ = ["duel_report", "robin_report"]

_LABEL: Final = 28
_COLUMN: Final = 13
_FEW_DEALS: Final = 30


def duel_report(summary: Summary) -> str:
    """Two teams."""
    a, b = summary.setup.teams
    lines = [
        f"A {a} against B {b}",
        _conditions(summary.setup, summary.deals),
        "",
        f"points a round, A over B    {_points(summary.points_per_round)}   {_interval(summary.ci95)}",
        f"matches won by A            {_matches(summary)}",
    ]
    if summary.deals < _FEW_DEALS:
        lines.append(f"so few deals ({summary.deals}) say little, and the interval is too narrow")
    if summary.test is not None:
        lines.append(_test(summary))
    columns = [
        (f"{letter} {bot}", tally)
        for letter, team, tallies in zip("AB", (a, b), summary.tallies, strict=True)
        for bot, tally in zip(team.kinds, tallies, strict=True)
    ]
    return "\n".join([*lines, "", *_statistics(columns, summary.table_tally()), ""])


def robin_report(rated: Sequence[Rating], duels: Sequence[Summary]) -> str:
    """Several teams; ratings only if every pair has played."""
    lines = [_conditions(duels[0].setup, max(duel.deals for duel in duels)), ""]
    width = max(len(team.text) for duel in duels for team in duel.setup.teams) + 2
    if rated:
        lines.append("ratings in points a round, by least squares; their mean is 0")
        for place, one in enumerate(rated, start=1):
            lines.append(f"{place:3}  {one.team.text:{width}}{_points(one.points)}   {_interval(one.ci95)}")
        lines.append("")
    how = "" if duels[0].setup.matches else " (estimated from rounds played at 0:0)"
    lines.append(f"pairs: points a round of the first over the second, matches won by the first{how}")
    for duel in duels:
        a, b = duel.setup.teams
        result = f"{_points(duel.points_per_round)}   {_interval(duel.ci95)}"
        wins = "-" if duel.match_wins is None else f"{100 * duel.match_wins:.1f} %"
        lines.append(f"     {a.text:{width}}{b.text:{width}}{result:38}{wins:>8}")
        if duel.test is not None:
            lines.append(f"     {'':{2 * width}}{_test(duel)}")
    tallies: dict[str, list[Tally]] = {}
    for duel in duels:
        for side, team in enumerate(duel.setup.teams):
            tallies.setdefault(team.text, []).append(duel.team_tally(side))
    columns = [(name, Tally.total(several)) for name, several in tallies.items()]
    table = Tally.total(duel.table_tally() for duel in duels)
    return "\n".join([*lines, "", *_statistics(columns, table), ""])


def _conditions(setup: Setup, deals: int) -> str:
    if setup.matches:
        played = f"{deals:,} sequences of deals, each played as a match twice with the teams swapped"
    else:
        played = f"{deals:,} deals, each played twice with the teams swapped"
    return f"{played}; rules {setup.rules.sequential()}; seed {setup.seed}"


def _points(points: float) -> str:
    return f"{points:+8.2f}"


def _interval(ci95: tuple[float, float]) -> str:
    return f"(95 %: {ci95[0]:+.2f} to {ci95[1]:+.2f})"


def _matches(summary: Summary) -> str:
    if summary.match_wins is None:
        return "       -   (too few rounds for a match)"
    share = f"{100 * summary.match_wins:6.1f} %"
    if summary.match_wins_ci95 is None:
        return f"{share}   (estimated: the rounds, all played at 0:0, cut into {summary.matches:,} matches)"
    low, high = summary.match_wins_ci95
    return f"{share}   (95 %: {100 * low:.1f} to {100 * high:.1f}; {summary.matches:,} matches)"


def _test(summary: Summary) -> str:
    assert summary.test is not None
    low, high = summary.test.bounds
    match summary.test.answer:
        case "high":
            return f"stopped: at least {high:g} points a round, not at most {low:g} (the interval is then a little off)"
        case "low":
            return f"stopped: at most {low:g} points a round, not at least {high:g} (the interval is then a little off)"
        case None:
            return f"open: between at most {low:g} and at least {high:g} points a round these deals do not decide"


def _statistics(columns: Sequence[tuple[str, Tally]], table: Tally) -> list[str]:
    """One column a player, one for the table, one for people."""
    tallies = [tally for _, tally in columns]
    rates = [*(tally.rates() for tally in tallies), table.rates(teams=2), PEOPLE]
    rows = [
        _row("", [*(_short(name) for name, _ in columns), "table", "people"]),
        _row("Tichu calls a round *", [f"{one.tichu:.3f}" for one in rates]),
        _row("  made", [_percent(one.tichu_made) for one in rates]),
        _row("Grand Tichu calls a round *", [f"{one.grand:.3f}" for one in rates]),
        _row("  made", [_percent(one.grand_made) for one in rates]),
        _row("double victories", [_percent(one.double_victories) for one in rates]),
        _row("bombs a round *", [f"{one.bombs:.3f}" for one in rates]),
        _row("plays and passes a round *", [f"{one.plays_and_passes:.1f}" for one in rates]),
        _row("ms a decision: median", [_time(tally.milliseconds(0.5)) for tally in tallies]),
        _row("  99 % within", [_time(tally.milliseconds(0.99)) for tally in tallies]),
    ]
    rows += [_row(f"{kind} answers", [str(tally.faults[kind]) for tally in tallies]) for kind in FAULTS]
    rows.append("* as if four such players sat at the table")
    return rows + [f"{name}, first fault: {tally.first_fault}" for name, tally in columns if tally.first_fault]


def _row(label: str, cells: Sequence[str]) -> str:
    return (label.ljust(_LABEL) + "".join(cell.rjust(_COLUMN) for cell in cells)).rstrip()


def _short(name: str) -> str:
    # The end of a command tells more than its beginning.
    return name if len(name) < _COLUMN else name[:2] + "…" + name[4 - _COLUMN :]


def _percent(share: float | None) -> str:
    return "-" if share is None else f"{100 * share:.1f} %"


def _time(milliseconds: float | None) -> str:
    return "-" if milliseconds is None else f"{milliseconds:.3g}"
