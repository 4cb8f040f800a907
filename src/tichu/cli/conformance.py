"""``tichu conformance``: whether another program plays by the same rules."""

import json
import sys
from collections.abc import Collection, Iterable, Iterator
from pathlib import Path
from typing import Any, Final

import click

from tichu.cli.options import progress_bar
from tichu.cli.status import INTERRUPTED
from tichu.cli.typed import Choice, FilePath, FiniteRange, complete_presets, did_you_mean
from tichu.conformance.cases import FILES, Case, find_folder, read_cases
from tichu.conformance.checking import Report, check
from tichu.conformance.engine import Engine
from tichu.core.errors import GameError

__all__ = ["conformance"]

_LONGEST_S: Final = 600
_KINDS: Final = ("file", "paragraph", "rules")
_SHORT_NAMES: Final = tuple(name.removesuffix(".jsonl") for name in FILES)


@click.command()
@click.argument("command")
@click.option("--file", "files", multiple=True, type=Choice(_SHORT_NAMES), help="Only this file of cases.")
@click.option(
    "--rules",
    "presets",
    multiple=True,
    shell_complete=complete_presets,
    help="Only cases under this rule set, as the file names it.",
)
@click.option("--paragraph", "paragraphs", multiple=True, help="Only cases that this paragraph decides, as 6.2.")
@click.option("--cases", "folder", type=FilePath(file_okay=False), help="Where the cases are.")
@click.option(
    "--time", "limit_s", type=FiniteRange(0.001, _LONGEST_S), default=10, show_default=True, help="Seconds an answer."
)
@click.option("--most", type=click.IntRange(0), default=10, show_default=True, help="How many differences to tell.")
@click.option("--json", "as_json", is_flag=True, help="One JSON object instead of the report, with all differences.")
def conformance(
    command: str,
    files: tuple[str, ...],
    presets: tuple[str, ...],
    paragraphs: tuple[str, ...],
    folder: Path | None,
    limit_s: float,
    most: int,
    as_json: bool,
) -> None:
    """Ask a program thousands of questions about the rules and compare its answers with ours.

    COMMAND starts a program that answers each line of JSON on its standard input with one on its standard output, as in
    tichu conformance "./my-engine --conformance"; conformance/README.md says how.  Exit status 1 if an answer differs.
    """
    names = [f"{name}.jsonl" for name in files] or list(FILES)
    known = list(read_cases(find_folder() if folder is None else folder, names))
    _refuse_unknown("--rules", presets, {case.rules for case in known if case.rules is not None})
    _refuse_unknown("--paragraph", paragraphs, {one for case in known for one in case.paragraphs})
    cases = [case for case in known if _is_wanted(case, presets, paragraphs)]
    if not cases:
        raise click.UsageError("there is no such case: --file, --rules and --paragraph leave nothing")
    report = Report()
    failure: BaseException | None = None
    with Engine(command, limit_s) as engine:
        try:
            with progress_bar(len(cases), "questions", is_quiet=as_json) as advance:
                check(_counted(cases, advance), engine.ask, report)
        except (KeyboardInterrupt, GameError) as error:
            failure = error
    click.echo(json.dumps(_as_json(engine.name, report)) if as_json else _text(engine.name, report, most))
    if isinstance(failure, KeyboardInterrupt):
        sys.exit(INTERRUPTED)
    if failure is not None:
        raise failure
    if report.differences:
        sys.exit(1)


def _refuse_unknown(option: str, wanted: Iterable[str], known: Collection[str]) -> None:
    """To ask nothing of what is meant, and find no difference, would be a lie."""
    for one in wanted:
        if one not in known:
            raise click.BadParameter(f"no case has {one!r}{did_you_mean(one, sorted(known))}", param_hint=f"'{option}'")


def _is_wanted(case: Case, presets: tuple[str, ...], paragraphs: tuple[str, ...]) -> bool:
    is_of_rules = not presets or case.rules is None or case.rules in presets
    return is_of_rules and (not paragraphs or bool({*case.paragraphs} & {*paragraphs}))


def _counted(cases: list[Case], advance: Any) -> Iterator[Case]:
    for case in cases:
        yield case
        advance(1)


def _text(name: str, report: Report, most: int) -> str:
    lines = [name or "(never said its name)", ""]
    for kind in _KINDS:
        lines.append(f"{kind:34}{'agree':>8}{'differ':>8}{'skipped':>8}")
        for one in report.names(kind):
            tally = report.tally(kind, one)
            shown = f"§{one}" if kind == "paragraph" else one
            lines.append(f"{shown:34}{tally.agree:8,}{tally.differ or '-':>8}{tally.skipped or '-':>8}")
        lines.append("")
    sentences = report.sentences()
    if sentences and most:
        few = f"the first {most} of {len(sentences):,} " if len(sentences) > most else ""
        lines += [f"{few}differences:".capitalize(), *(f"  {sentence}" for sentence in sentences[:most]), ""]
    total = report.total
    lines.append(f"{total.agree:,} answers agree, {total.differ:,} differ, {total.skipped:,} questions were skipped")
    return "\n".join(lines)


def _as_json(name: str, report: Report) -> dict[str, Any]:
    return {
        "name": name,
        **report.total._asdict(),
        **{kind: {one: report.tally(kind, one)._asdict() for one in report.names(kind)} for kind in _KINDS},
        "differences": [
            {
                "file": case.file,
                "line": case.line,
                "rules": case.rules,
                "paragraphs": case.paragraphs,
                "difference": words,
            }
            for case, words in report.differences
        ],
    }
