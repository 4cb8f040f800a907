"""Compare somebody's answers with those of the suite, and tell in words where they differ."""

from collections import Counter
from collections.abc import Callable, Iterable
from typing import Any, Final, NamedTuple

from tichu.conformance.answers import Question
from tichu.conformance.cases import Case
from tichu.core.actions import format_action, parse_action
from tichu.core.combos import format_combo, parse_combo
from tichu.core.errors import GameError
from tichu.core.round import Round
from tichu.core.rules import Rules

__all__ = ["SKIP", "Answerer", "Difference", "NoAnswer", "Report", "check"]

#: What a program answers to a question that it has no answer to, as under rules that it does not know.
SKIP: Final = "skip"
#: How many actions a sentence lists.
_MOST_LISTED: Final = 5

Answerer = Callable[[Question], Any]


class NoAnswer(GameError):
    """A question that was not answered; the message says what happened instead."""


class Difference(NamedTuple):
    """A case that was answered otherwise."""

    case: Case
    #: What is wrong, as a sentence without a full stop.
    words: str


class Tally(NamedTuple):
    """How often the answers agreed, differed, and were not given."""

    agree: int = 0
    differ: int = 0
    skipped: int = 0


class Report:
    """All answers, counted by file, by paragraph and by rule set."""

    def __init__(self) -> None:
        self.differences: list[Difference] = []
        self._counts: Counter[tuple[str, str, str]] = Counter()

    def add(self, case: Case, verdict: str, words: str = "") -> None:
        """Count one answer: it agrees, differs, or was skipped."""
        if verdict == "differ":
            self.differences.append(Difference(case, words))
        self._counts["file", case.file, verdict] += 1
        self._counts["rules", case.rules or "any rules", verdict] += 1
        for paragraph in case.paragraphs:
            self._counts["paragraph", paragraph, verdict] += 1

    def tally(self, kind: str, name: str) -> Tally:
        """The counts of one file, paragraph or rule set."""
        return Tally(*(self._counts[kind, name, verdict] for verdict in Tally._fields))

    def names(self, kind: str) -> list[str]:
        """The files, paragraphs or rule sets that were asked about, in their order."""
        names = dict.fromkeys(name for of, name, _ in self._counts if of == kind)
        return sorted(names, key=_paragraph_order) if kind == "paragraph" else list(names)

    def sentences(self) -> list[str]:
        """The differences in words; what is wrong in the same way under several rule sets is told once."""
        rule_sets: dict[tuple[str, str], list[str]] = {}
        for case, words in self.differences:
            under = rule_sets.setdefault((case.place, words), [])
            under += [] if case.rules is None else [case.rules]
        return [
            f"{place}{''.join(f', {rules}' for rules in under)}: {words}" for (place, words), under in rule_sets.items()
        ]

    @property
    def total(self) -> Tally:
        """All questions together."""
        tallies = [self.tally("file", name) for name in self.names("file")]
        return Tally(*map(sum, zip(*tallies, strict=True))) if tallies else Tally()


def _paragraph_order(name: str) -> tuple[int, ...]:
    return tuple(map(int, name.split(".")))


def check(cases: Iterable[Case], ask: Answerer, report: Report | None = None) -> Report:
    """Ask all questions and compare the answers; a report that is given holds what is known when something fails.

    >>> case = Case("scores.jsonl", 1, ("1.4",), None, {"ask": "points", "cards": "Ph"}, -25)
    >>> report = check([case], lambda question: 25)
    >>> report.total, report.sentences()
    (Tally(agree=0, differ=1, skipped=0), ['scores.jsonl line 1 (§1.4): points of Ph: -25, not 25'])
    """
    report = Report() if report is None else report
    for case in cases:
        try:
            given = ask(case.question)
        except NoAnswer as error:
            report.add(case, "differ", f"{_subject(case.question)}: {error}")
        else:
            if given == SKIP:
                report.add(case, "skipped")
            elif (words := _compare(case, given)) is None:
                report.add(case, "agree")
            else:
                report.add(case, "differ", f"{_subject(case.question)}: {words}")
    return report


def _subject(question: Question) -> str:
    match question["ask"]:
        case "readings":
            return f"combinations of {question['cards']}"
        case "beats":
            return f"{question['play']} on {question['top']}"
        case "legal":
            return f"legal actions in '{question['position']}'"
        case "refusal":
            return f"{question['action']} in '{question['position']}'"
        case "after":
            return f"'{question['position']}' after {question['action']}"
        case "points":
            return f"points of {question['cards']}"
        case "score":
            return f"score of '{question['position']}'"
        case "winner":
            return f"winner after {', '.join('{}:{}'.format(*one['score']) for one in question['rounds'])}"
        case _:
            return "score of the round"


def _compare(case: Case, given: Any) -> str | None:
    """What is wrong with an answer, or None."""
    ask, expected = case.question["ask"], case.answer
    if ask in ("readings", "legal"):
        return _compare_lists(expected, given, _format_reading if ask == "readings" else _format_action)
    if ask == "after":
        return _compare_positions(expected, given, Rules.parse(case.question["rules"]))
    if ask == "refusal":
        return _compare_refusals(expected, given)
    # In Python True is a 1.
    if given == expected and isinstance(given, bool) == isinstance(expected, bool):
        return None
    return f"{_shown(expected)}, not {_shown(given)}"


def _format_reading(text: str) -> str:
    return format_combo(parse_combo(text))


def _format_action(text: str) -> str:
    return text if text[1:] == ">" else format_action(*parse_action(text))


def _compare_lists(expected: list[str], given: Any, form: Callable[[str], str]) -> str | None:
    if not isinstance(given, list) or not all(isinstance(text, str) for text in given):
        return f"the answer is a list of texts, not {_shown(given)}"
    forms = set()
    for text in given:
        try:
            forms.add(form(text))
        except GameError as error:
            return f"{text!r} cannot be read: {error}"
    lacking = [text for text in expected if text not in forms]
    wrong = sorted(forms - set(expected))
    told = []
    if lacking:
        told.append(f"the answer lacks {_listed(lacking)}")
    if wrong:
        told.append(f"{_listed(wrong)} should not be there")
    return "; ".join(told) or None


def _listed(texts: list[str]) -> str:
    more = len(texts) - _MOST_LISTED
    return " ".join(texts[:_MOST_LISTED]) + (f" and {more} more" if more > 0 else "")


_FIELDS: Final = ("hands", "phase", "table", "points", "wish", "calls", "order out", "exchange")


def _compare_positions(expected: str, given: Any, rules: Rules) -> str | None:
    if not isinstance(given, str):
        return f"the answer is a position, not {_shown(given)}"
    try:
        text = str(Round.from_position(given, rules))
    except GameError as error:
        return f"'{given}' cannot be read: {error}"
    pairs = zip(_FIELDS, expected.split(" "), text.split(" "), strict=True)
    return ", ".join(f"{name} {right}, not {wrong}" for name, right, wrong in pairs if right != wrong) or None


def _compare_refusals(expected: str | None, given: Any) -> str | None:
    # Whoever has no reasons says true for a refusal, false for none.
    if given is True or given is False:
        return None if given == (expected is not None) else _told(expected, given)
    if given == expected:
        return None
    return _told(expected, given)


def _told(expected: str | None, given: Any) -> str:
    if expected is None:
        return f"this is legal, not {'refused' if given is True else _shown(given)}"
    return f"this is refused ({expected}), not {'legal' if given in (None, False) else _shown(given)}"


def _shown(value: Any) -> str:
    text = {True: "yes", False: "no", None: "nobody"}.get(value) if isinstance(value, bool | None) else None
    text = text or str(value)
    return text if len(text) <= 200 else f"{text[:200]}..."
