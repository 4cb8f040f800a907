"""``tichu drill``: call or not, and which cards to give, with the champion's judgement."""

import json
import random
from pathlib import Path
from typing import Final

import click
import msgspec

from tichu.analysis.drills import TRAINERS, TrainerAnswer, TrainerJudgement, TrainerName, TrainerQuestion
from tichu.cli.options import json_option
from tichu.cli.practice import note_answer, read_record, record_lines, record_option
from tichu.cli.terminal import reader_of_answers
from tichu.cli.typed import Choice, typed
from tichu.core.errors import GameError, NotationError
from tichu.core.phases import Call
from tichu.server.config import data_folder

__all__ = ["drill"]

_PROMPTS: Final[dict[TrainerName, str]] = {
    "grand": "Call Grand Tichu? call or no",
    "tichu": "You lead. Call Tichu? call or no",
    "exchange": "Cards for the left, your partner, the right, as 2rJr3b",
}
_PLACES: Final = ("you", "left", "partner", "right")
_CALLS: Final = {Call.TICHU.value: "Tichu", Call.GRAND.value: "Grand Tichu"}
_SHORT: Final = {"c": "call", "y": "call", "yes": "call", "n": "no", "pass": "no"}
_MOST_SEEDS: Final = 1_000_000


@click.command()
@click.argument("what", type=Choice(TRAINERS), required=False)
@click.option("--seed", type=click.IntRange(0), help="The number of the first question; any without it.")
@click.option("--answer", help="Answer one question and leave: call, no, or three cards as 2rJr3b.")
@click.option(
    "--worlds",
    type=click.IntRange(2, 100_000),
    default=200,
    show_default=True,
    help="In how many worlds answers are compared: the more, the smaller the errors.",
)
@click.option("--record", is_flag=True, help="Tell how often you and the champion agreed, and leave.")
@record_option
@json_option
def drill(
    what: str | None,
    seed: int | None,
    answer: str | None,
    worlds: int,
    record: bool,
    data: Path | None,
    as_json: bool,
) -> None:
    """Practise one decision: grand (on eight cards), tichu (on the first lead) or exchange (three cards to give).

    Afterwards the champion says what it does, and what both answers are worth.  Enter leaves; your record is kept on
    this machine.  With --json and without --answer only the question is printed.
    """
    folder = data or data_folder()
    if record:
        _tell_record(folder, as_json)
        return
    if what is None:
        raise click.UsageError(f"Missing argument 'WHAT': one of {', '.join(TRAINERS)}.")
    from tichu.analysis.trainers import ask

    trainer = next(name for name in TRAINERS if name == what)
    number = random.SystemRandom().randrange(_MOST_SEEDS) if seed is None else seed
    if as_json and answer is None:
        click.echo(json.dumps(msgspec.to_builtins(ask(trainer, number)), ensure_ascii=False))
    elif answer is not None:
        with typed("--answer"):
            judged = _judge(trainer, number, answer, worlds)
        _tell(judged, folder, as_json)
    else:
        _practise(trainer, number, worlds, folder)


def _tell_record(folder: Path, as_json: bool) -> None:
    lines = record_lines(folder, "drill")
    if as_json:
        click.echo(json.dumps({theme: tally._asdict() for theme, tally in read_record(folder).items()}))
    else:
        click.echo("\n".join(lines) if lines else "Nothing answered yet: tichu drill grand")


def _practise(trainer: TrainerName, number: int, worlds: int, folder: Path) -> None:
    from tichu.analysis.trainers import ask

    read = reader_of_answers()
    while True:
        click.echo("\n".join(_question_lines(ask(trainer, number))))
        judged = None
        while judged is None:
            try:
                answer = read(f"{_PROMPTS[trainer]}: ").strip()
            except EOFError:
                click.echo()
                return
            if not answer:
                return
            try:
                judged = _judge(trainer, number, answer, worlds)
            except NotationError as error:
                click.echo(str(error))
        _tell(judged, folder, as_json=False)
        number += 1


def _judge(trainer: TrainerName, number: int, answer: str, worlds: int) -> TrainerJudgement:
    from tichu.analysis.trainers import judge

    text = answer.replace(" ", "")
    return judge(trainer, number, text if trainer == "exchange" else _SHORT.get(text.lower(), text.lower()), worlds)


def _question_lines(question: TrainerQuestion) -> list[str]:
    own, other = question.score
    lines = [f"\nQuestion {question.seed}. The match stands at {own}:{other} for you."]
    for seat, call in enumerate(question.calls):
        if call in _CALLS:
            lines.append(f"Called by {_place(seat, question)}: {_CALLS[call]}.")
    if question.received:
        got = ", ".join(f"{card} from {_place(giver, question)}" for giver, card in question.received)
        lines.append(f"You got {got}; you gave {' '.join(_pairs(question.given))} to left, partner, right.")
    return [*lines, f"Your cards: {' '.join(_pairs(question.hand))}"]


def _place(seat: int, question: TrainerQuestion) -> str:
    return _PLACES[(seat - question.seat) & 3]


def _pairs(cards: str) -> list[str]:
    """A card is written with two signs."""
    return [cards[at : at + 2] for at in range(0, len(cards), 2)]


def _tell(judged: TrainerJudgement, folder: Path, as_json: bool) -> None:
    try:
        tally = note_answer(folder, f"drill {judged.trainer}", is_right=judged.is_agreed)
        kept = f"You and the champion agreed in {tally.right} of {tally.answered}."
    except (GameError, OSError) as error:
        # Nobody's answer is lost on a record that cannot be written.
        kept = f"The record cannot be kept: {error}"
    if as_json:
        click.echo(json.dumps(msgspec.to_builtins(judged), ensure_ascii=False))
        return
    said = "The same as you" if judged.is_agreed else "Not your choice"
    click.echo(f"The champion: {judged.choice} (its network gives it {100 * judged.chance:.0f} %). {said}.")
    for each in judged.answers:
        click.echo(f"  {_worth(each)}")
    if judged.answers:
        click.echo(f"  {_verdict(judged)}")
    click.echo(kept)


def _worth(each: TrainerAnswer) -> str:
    win = "" if each.win is None else f", {100 * each.win:.0f} % to win the match"
    return f"{each.answer}: {each.points:+.0f} ± {each.points_error:.0f} points{win}"


def _verdict(judged: TrainerJudgement) -> str:
    words = (
        f"{judged.difference:+.0f} ± {judged.difference_error:.0f} points for the champion's, in {judged.worlds} worlds"
    )
    return words if judged.is_clear else f"{words}: too close to tell"
