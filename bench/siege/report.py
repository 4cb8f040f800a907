"""What a siege showed."""

import statistics
from collections.abc import Sequence
from typing import NamedTuple

from bench.siege.besieged import Vitals, growth
from bench.siege.honest import Sample
from bench.siege.journal import Comparison

__all__ = ["Interval", "Report", "percentile", "undisturbed"]

#: The one step that may be long, and comes every ten minutes at most.
_GARBAGE = "collect_garbage_periodically"
_BUCKET = 'tichu_loop_lag_seconds_bucket{{le="{}"}}'


class Interval(NamedTuple):
    """When something kept the server from answering, by the monotonic clock, and what."""

    what: str
    begin: float
    end: float


def undisturbed(samples: Sequence[Sample], intervals: Sequence[Interval]) -> list[float]:
    """The milliseconds of all commands that were not under way in any of these."""
    ordered = sorted(intervals, key=lambda interval: interval.begin)
    return [
        sample.ms
        for sample in samples
        if not any(interval.begin <= sample.answered and sample.sent <= interval.end for interval in ordered)
    ]


def percentile(times: Sequence[float], share: float) -> float:
    """Such a share of these is not longer; 0 of none.

    >>> percentile([4, 1, 3, 2], 0.5)
    3
    """
    ordered = sorted(times)
    return ordered[min(len(ordered) - 1, int(share * len(ordered)))] if ordered else 0.0


class Report(NamedTuple):
    """All of it."""

    seconds: float
    tables: int
    sockets: int
    is_interrupted: bool
    #: Of the time before the first attack.
    calm_ms: list[float]
    samples: list[Sample]
    intervals: list[Interval]
    acknowledged: int
    refused: int
    reasons: dict[str, int]
    asked_again: int
    reconnections: int
    unanswered: int
    contradictions: list[str]
    lives: int
    happened: dict[str, int]
    attacks: dict[str, dict[str, int]]
    own_lag_ms: float
    #: Of the server's last life, as it counts them itself.
    loop_lag: list[str]
    #: The two longest ones of each kind in the last life under attack, in milliseconds of the processor.
    long_steps: dict[str, list[float]]
    at_start: Vitals
    in_last_life: Vitals
    at_end: Vitals
    comparison: Comparison
    log_faults: list[str]
    failures: list[str]
    most_ms: float
    most_step_ms: float

    @property
    def answer_ms(self) -> list[float]:
        """But for restarts and a store that was held."""
        return undisturbed(self.samples, self.intervals)

    def faults(self) -> list[str]:
        """What must not be."""
        base, end = self.in_last_life, self.at_end
        p99 = percentile(self.answer_ms, 0.99)
        # The longest of a kind may be the machine's doing, which lends its processors to others; twice it is ours.
        again = {name: times[1] for name, times in self.long_steps.items() if name != _GARBAGE and len(times) > 1}
        kind, step = max(again.items(), key=lambda one: one[1], default=("", 0.0))
        checks = {
            f"{self.unanswered} commands were never answered": self.unanswered,
            f"{len(self.comparison.differences)} tables differ from their journals": self.comparison.differences,
            f"{len(self.contradictions)} times a client was told otherwise before": self.contradictions,
            f"{end.sockets} sockets are counted, {self.sockets} are there": end.sockets != self.sockets,
            f"p99 is {p99:.0f} ms, more than {self.most_ms:.0f}": p99 > self.most_ms,
            f"{kind} twice took {step:.1f} ms in one step, more than {self.most_step_ms:.0f}": step > self.most_step_ms,
            f"nothing was measured in {self.seconds:.0f} s": not self.answer_ms,
            f"the log has {len(self.log_faults)} lines that must not be": self.log_faults,
            f"the server counts failures: {'; '.join(self.failures)}": self.failures,
        }
        return [*(words for words, is_so in checks.items() if is_so), *growth(base, end)]

    def lines(self) -> list[str]:
        """For people."""
        times, everything = self.answer_ms, [sample.ms for sample in self.samples]
        but_restarts = undisturbed(self.samples, [one for one in self.intervals if one.what == "restart"])
        down = [one.end - one.begin for one in self.intervals if one.what == "restart"]
        happened = ", ".join(f"{number} {what}" for what, number in sorted(self.happened.items()))
        lines = [
            f"{self.tables} tables, {self.sockets} sockets, {self.seconds:.0f} s"
            + (", interrupted" if self.is_interrupted else ""),
            f"  happened   {happened}; {self.lives} lives of the server",
            f"  commands   {self.acknowledged} acknowledged, {self.refused} refused, {self.unanswered} unanswered, "
            f"{self.asked_again} asked again; {self.reconnections} sockets came back",
            f"  calm       p50 {percentile(self.calm_ms, 0.5):.1f} ms, p99 {percentile(self.calm_ms, 0.99):.1f} ms "
            f"({len(self.calm_ms)} commands before the first attack)",
            f"  answers    p50 {percentile(times, 0.5):.1f} ms, p99 {percentile(times, 0.99):.1f} ms, "
            f"longest {max(times, default=0):.0f} ms ({len(times)}, but for restarts and held stores)",
            f"             p99 {percentile(but_restarts, 0.99):.0f} ms but for restarts, "
            f"{percentile(everything, 0.99):.0f} ms with everything; this process was {self.own_lag_ms:.0f} ms late "
            "(p99)",
        ]
        lags = dict(line.rsplit(" ", 1) for line in self.loop_lag)
        late = [
            f"{lags.get(_BUCKET.format(bound), '0')} within {bound} s" for bound in ("0.005", "0.025", "0.1", "1.0")
        ]
        number = lags.get("tichu_loop_lag_seconds_count", "0")
        lines.append(f"  loop       {', '.join(late)} of {number} looks at the server's event loop (last life)")
        steps = [f"{name} {', '.join(f'{ms:.1f}' for ms in times)} ms" for name, times in self.long_steps.items()]
        lines.append(f"  steps      {'; '.join(steps) or 'none is long'} (two longest of a kind, last life)")
        if down:
            lines.append(f"  restarts   {statistics.median(down):.1f} s until all were back (at most {max(down):.1f})")
        lines += [
            f"  stored     {self.comparison.acknowledged} actions in {self.comparison.games} finished games and "
            f"{self.tables} open ones, {len(self.comparison.differences)} tables differ; "
            f"{self.comparison.others} tables of attackers",
            *(f"  {name:10} {vitals}" for name, vitals in self._stages()),
            *(f"  {number:6} x  {reason}" for reason, number in sorted(self.reasons.items())),
        ]
        for name, results in sorted(self.attacks.items()):
            lines.append(f"  {name:20} " + ", ".join(f"{number} x {what}" for what, number in sorted(results.items())))
        details = (*self.comparison.differences[:5], *self.contradictions[:5], *self.log_faults[:5])
        return [*lines, *(f"  ! {line}" for line in (*self.faults(), *details))]

    def _stages(self) -> list[tuple[str, Vitals]]:
        return [("at start", self.at_start), ("last life", self.in_last_life), ("at the end", self.at_end)]
