"""The layout of a log as tags, so that the game can be written again as it was; worked out only to be written."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from tichu.core.record import RoundRecord, Tags
from tichu.formats.bsw.edits import edits_between
from tichu.formats.bsw.lines import Line, LineKind
from tichu.formats.bsw.writing import Layout, layout_of, lines_of

__all__ = ["LogLayout", "renamings"]


@dataclass(frozen=True, slots=True)
class LogLayout:
    """What a log looks like; called, it gives the tags that :mod:`tichu.formats.bsw` describes."""

    #: The values of the tag ``Tch``.
    ends: tuple[str, ...]
    seats: tuple[str, ...]
    #: The rounds that could be read: number, round and lines.
    rounds: tuple[tuple[int, RoundRecord, Sequence[Line]], ...]

    def __call__(self) -> Tags:
        tags: Tags = (("Tch", self.ends),) if self.ends else ()
        names = [*self.seats]
        for number, one, lines in self.rounds:
            layout = _round_layout(one, lines, names)
            if layout != Layout():
                tags += ((f"Tch{number}", (layout.eights, layout.hands, layout.plays, *layout.edits)),)
        return tags


def _round_layout(one: RoundRecord, lines: Sequence[Line], names: list[str]) -> Layout:
    """The layout of a round; ``names`` change where players do."""
    kept = [line for line in lines if line.kind is not LineKind.DOUBLED]
    layout = layout_of(one, kept)
    edits = edits_between(lines_of(one, layout), [line.pattern for line in kept])
    places = {line.number: at for at, line in enumerate(kept, start=1)}
    for line, seat, name in renamings(kept, names):
        edits.append(f"{places[line.number]}@{seat} {name}")
        names[seat] = name
    return layout._replace(edits=tuple(edits))


def renamings(lines: Sequence[Line], names: Sequence[str]) -> Iterator[tuple[Line, int, str]]:
    """The lines in which a seat is called otherwise than before; the caller keeps ``names`` up to date."""
    for line in lines:
        if line.kind is not LineKind.DOUBLED:
            for seat, name in line.names:
                if name != names[seat]:
                    yield line, seat, name
