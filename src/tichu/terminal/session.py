"""The loop of a game at the terminal: asks the person and the bots, tells what happens, keeps the record.

Input and output are functions, so that a test can sit in the chair.  Whatever ends the session (the person quits, the
input ends, Ctrl-C), the record is written first.
"""

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import TypeVar

from tichu.agents.base import Agent
from tichu.agents.guard import Fault, Guarded
from tichu.agents.heuristic import HeuristicAgent
from tichu.agents.reasons import in_words
from tichu.agents.suggestions import bombs_held, groups
from tichu.core.actions import (
    CALL_GRAND,
    CALL_TICHU,
    DECLINE_BOMB,
    DECLINE_GRAND,
    PASS,
    Action,
    Exchange,
    Take,
    Wish,
)
from tichu.core.cards import Card, points_of
from tichu.core.combos import Combo, readings
from tichu.core.deals import Deal
from tichu.core.errors import IllegalAction, Reason
from tichu.core.game import Game
from tichu.core.phases import Call, Phase, opponents_of, partner_of
from tichu.core.record import Record, RoundRecord, Tags
from tichu.core.rules import Rules
from tichu.core.view import View
from tichu.terminal import screen
from tichu.terminal.help import help_text, rules_summary, welcome
from tichu.terminal.prompts import (
    Command,
    Misread,
    Number,
    Typed,
    chosen_play,
    parse_command,
    parse_gift,
    parse_play,
    parse_wish,
    parse_yes,
)
from tichu.terminal.words import (
    PERSON,
    PLAIN,
    Look,
    card_text,
    combo_text,
    event_text,
    kind_text,
    ordinal,
    points_text,
    rank_text,
    refusal_text,
    seat_text,
    tricks,
)

__all__ = ["Session"]

_T = TypeVar("_T")


class _Left(Exception):
    """The person leaves the table."""


class Session:
    """One match of a person against three bots."""

    def __init__(
        self,
        *,
        read: Callable[[str], str],
        write: Callable[[str], None],
        bots: Sequence[Agent],
        rules: Rules,
        names: tuple[str, ...],
        deals: Iterator[Deal],
        look: Look = PLAIN,
        pause: Callable[[], None] = lambda: None,
        save: Callable[[Record], None] = lambda record: None,
        tags: Tags = (),
    ) -> None:
        """``read`` shows a prompt and raises EOFError at the end; ``bots`` sit at seats 1 to 3; ``deals`` never end."""
        self._read = read
        self._write = write
        self._bots = [Guarded(bot) for bot in bots]
        for seat, bot in enumerate(self._bots, start=1):
            bot.on_fault = partial(self._tell_fault, seat)
        self._names = names
        self._deals = deals
        self._look = look
        self._pause = pause
        self._save = save
        self._tags = tags
        self._finished: tuple[RoundRecord, ...] = ()
        self.game = Game.start(next(deals), rules)
        self._told = self._view()._replace(history=())
        #: The number of the trick that the person does not want to bomb.
        self._left_alone = 0

    def play(self) -> None:
        """Play until the match is over or the person leaves.

        :raises KeyboardInterrupt: Ctrl-C, after the record was written
        :raises OSError: the record cannot be written at all; later, trouble with it is told and the game goes on
        """
        self._save(self.record())
        try:
            self._play_match()
        except (_Left, EOFError, KeyboardInterrupt) as end:
            self._say("", "You leave the table.")
            if isinstance(end, KeyboardInterrupt):
                raise
        finally:
            self._keep()
            for bot in self._bots:
                bot.close()

    def record(self) -> Record:
        """The match so far, the round in progress included."""
        game = self.game
        score = game.round.outcome.score if game.round.is_over else None
        rounds = (*self._finished, RoundRecord(game.deal, game.actions, score))
        return Record(game.match.rules, rounds, self._names, self._tags)

    def _keep(self) -> None:
        try:
            self._save(self.record())
        except OSError as error:
            self._say(f"The record could not be written: {error.strerror}.")

    # The course of the match.

    def _play_match(self) -> None:
        self._say("", *welcome(self._names, self.game.match.rules), "")
        while True:
            self._play_round()
            self._say("", *screen.result_lines(self.game.round, self.game.match, self._names, self._look), "")
            winner = self.game.match.winner
            if winner is not None:
                ours, theirs = screen.teams_text(self._names)
                text = f"The match is over: {ours if winner == PERSON % 2 else theirs} win."
                self._say(self._look.strong(text))
                self._between("Enter ends the game, d shows all hands as they were dealt: ")
                return
            self._between("Enter deals the next round, d shows all hands as they were dealt: ")
            self._finished = self.record().rounds
            self.game = self.game.next_round(next(self._deals))
            self._told = self._view()._replace(history=())
            self._left_alone = 0

    def _play_round(self) -> None:
        self._tell()
        while not self.game.round.is_over:
            seat = self.game.round.pending[0]
            view = self.game.view(seat)
            action = self._decision(view) if seat == PERSON else self._bots[seat - 1].act(view, view.legal())
            self.game = self.game.after(seat, action)
            if self._tell() and seat != PERSON:
                self._pause()
        for seat, bot in enumerate(self._bots, start=1):
            score = self.game.round.outcome.score
            bot.round_over(self.game.view(seat), score[::-1] if seat % 2 else score)

    def _between(self, prompt: str) -> None:
        self._keep()
        while self._answer(prompt, _parse_between) == "d":
            self._say(*screen.deal_lines(self.game.deal, self._names, self._look))

    # What the person is told.

    def _view(self) -> View:
        return self.game.view(PERSON)

    def _say(self, *lines: str) -> None:
        for line in lines:
            self._write(line)

    def _tell(self) -> bool:
        """Say what the person has seen happen since the last time; whether there was anything."""
        before, now = self._told, self._view()
        self._told = now
        lines = []
        for end in range(len(before.history) + 1, len(now.history) + 1):
            seat, action = now.history[end - 1]
            text = event_text(now.history[:end], self._names, self._look)
            # Your exchange was said when it was confirmed.
            if text is not None and not (seat == PERSON and isinstance(action, Exchange)):
                lines.append(f"  {text}")
        for at, seat in enumerate(now.out[len(before.out) :], start=len(before.out) + 1):
            who = "You are" if seat == PERSON else f"{self._names[seat]} is"
            lines.append("  " + self._look.paint(f"{who} out, {ordinal(at)}!", fg="cyan", bold=True))
        if before.wish and not now.wish:
            lines.append("  The wish is fulfilled.")
        self._say(*lines)
        return bool(lines)

    def _tell_fault(self, seat: int, fault: Fault) -> None:
        # No more than the kind: the reason may tell of cards that the person must not know.
        self._say(f"  (The bot of {self._names[seat]} failed: {fault.kind}. The greedy bot decides for it.)")

    def _show_table(self, view: View) -> None:
        number = len(self.game.match.outcomes) + 1
        self._say("", *screen.table_lines(view, self._names, number, self._look))

    def _show_turn(self, view: View) -> list[Combo]:
        """The table and what can be played; the plays in the order of their numbers."""
        self._show_table(view)
        lines, numbered = screen.suggestion_lines(groups(view), self._look)
        if screen.wish_owed(view):
            lines.insert(0, f"  You hold what was wished for and must play it: {rank_text(view.wish)}.")
        self._say(*lines)
        return numbered

    # What the person is asked.

    def _answer(self, prompt: str, parse: Callable[[str], _T], letters: str = "") -> _T:
        """Ask until the answer can be read.

        What can be asked for at any time is answered here, but for the ``letters`` that mean something else now.
        """
        while True:
            text = self._read(prompt).strip()
            command = None if text and text.lower() in letters else parse_command(text)
            view = self._view()
            match command:
                case Command.HELP:
                    self._say(self._look.draw(help_text(view.rules)))
                case Command.RULES:
                    self._say(self._look.draw(rules_summary(view.rules)))
                case Command.HISTORY:
                    self._say(*screen.history_lines(view, self._names, self._look))
                case Command.HINT:
                    self._say(f"  {self._hint(view)}")
                case Command.SCORE:
                    self._say(*screen.score_lines(self.game.match, self._names))
                case Command.QUIT:
                    if self._is_sure("Leave the game?"):
                        raise _Left
                case _:
                    try:
                        return parse(text)
                    except Misread as error:
                        self._say(f"  {error}")

    def _hint(self, view: View) -> str:
        """What the heuristic bot would do with what the person can see, and why."""
        if view.seat not in view.pending:
            return "There is nothing to decide now."
        choice = HeuristicAgent().explain(view, view.legal())
        # The names belong to the game, "You" to the person.
        names = ("You", *self._names[1:])
        let_be = "Call nothing" if view.phase is Phase.GRAND else "Keep the bomb"
        done = event_text(((view.seat, choice.action),), self._names, self._look) or let_be
        return f"Hint: {done.rstrip('!')}.\n  Why: {in_words(choice, names)}."

    def _is_sure(self, question: str) -> bool:
        return self._read(f"{question} [y/N] ").strip().lower() in ("y", "yes")

    def _decision(self, view: View) -> Action:
        self._keep()
        match view.phase:
            case Phase.GRAND:
                return self._grand(view)
            case Phase.EXCHANGE:
                return self._exchange(view)
            case Phase.WISH:
                return self._wish(view)
            case Phase.TAKE:
                return self._take(view)
            case Phase.BOMB:
                return self._bomb(view)
            case _:
                return self._turn(view)

    def _grand(self, view: View) -> Action:
        self._show_table(view)
        self._say("  Your first eight cards. Grand Tichu: +200 if you go out first, else -200.")
        called = self._answer("Call Grand Tichu? [y/N] ", lambda text: bool(text) and parse_yes(text))
        return CALL_GRAND if called else DECLINE_GRAND

    def _exchange(self, view: View) -> Action:
        self._show_table(view)
        call = " (t calls Tichu)" if CALL_TICHU in view.legal() else ""
        self._say(f"  Give one card to each other player, by the letters below it{call}.")
        while True:
            gifts: list[Card] = []
            while len(gifts) < 3:
                receiver = seat_text(PERSON + 1 + len(gifts), self._names)
                entry = self._answer(f"Your card for {receiver}: ", parse_play)
                match entry:
                    case Typed():
                        self._say(*self._choose(gifts, entry, view))
                    case Command.TICHU:
                        if self._wants_tichu(view):
                            return CALL_TICHU
                    case Command.TABLE:
                        self._show_table(view)
                    case _:
                        self._say("  Please type a card of your hand, as 2s.")
            gives = ", ".join(
                f"{card_text(card, self._look)} to {seat_text(PERSON + 1 + at, self._names)}"
                for at, card in enumerate(gifts)
            )
            self._say(f"  You give {gives}.")
            if self._answer("Is that right? [Y/n] ", lambda text: not text or parse_yes(text)):
                return Exchange(*gifts)

    def _choose(self, gifts: list[Card], typed: Typed, view: View) -> list[str]:
        """Add the cards to the gifts, or say why not."""
        if typed.cards & ~view.hand:
            return [f"  {refusal_text(Reason.NOT_IN_HAND)}"]
        if len(gifts) + len(typed.order) > 3 or set(gifts) & set(typed.order):
            return [f"  {refusal_text(Reason.THREE_CARDS)}"]
        gifts += typed.order
        return []

    def _turn(self, view: View) -> Action:
        numbered = self._show_turn(view)
        if view.top is None:
            prompt = "You lead (number or cards, ? helps): "
        elif numbered:
            prompt = "Your turn (number, cards, or p to pass): "
        else:
            prompt = "You have nothing higher: Enter passes: "
        while True:
            entry = self._answer(prompt, parse_play)
            if entry is Command.TABLE and numbered:
                self._show_turn(view)
                continue
            action = PASS if entry is Command.TABLE else self._interpret(entry, view, numbered)
            if action is not None and self._is_allowed(action, view):
                return action

    def _bomb(self, view: View) -> Action:
        trick = len(tricks(view.history))
        if trick == self._left_alone:
            return DECLINE_BOMB
        lines, numbered = screen.suggestion_lines(groups(view), self._look)
        self._say(*screen.bombable_lines(view, self._names, self._look), *lines)
        prompt = "Bomb? (number; Enter: no; x: not in this trick) "
        while True:
            entry = self._answer(prompt, lambda text: None if text.lower() == "x" else parse_play(text))
            if entry is None:
                self._left_alone = trick
            if entry is None or entry in (Command.TABLE, Command.PASS):
                return DECLINE_BOMB
            action = self._interpret(entry, view, numbered)
            if action is not None and self._is_allowed(action, view):
                return action

    def _interpret(self, entry: Command | Number | Typed, view: View, numbered: list[Combo]) -> Action | None:
        """The action, perhaps an illegal one, or None if the person wants something else after all."""
        match entry:
            case Number(value):
                if 1 <= value <= len(numbered):
                    return numbered[value - 1]
                text = "cards are written with their suit, as 7s" if numbered else "Enter passes"
                self._say(f"  There is no number {value} in the list; {text}.")
            case Typed():
                return self._reading(entry, view)
            case Command.PASS:
                return PASS
            case Command.TICHU:
                return CALL_TICHU if self._wants_tichu(view) else None
            case Command.BOMBS:
                self._say(*screen.bomb_lines(bombs_held(view), view, self._look))
            case _:
                pass
        return None

    def _is_allowed(self, action: Action, view: View) -> bool:
        refusal = view.legal().refusal(action)
        if refusal is not None:
            self._say(f"  {refusal_text(refusal)}")
        return refusal is None

    def _reading(self, typed: Typed, view: View) -> Combo | None:
        """The cards as a combination; asks what the Phoenix stands for where that is open."""
        legal = view.legal()
        try:
            return chosen_play(legal, typed)
        except IllegalAction as error:
            self._say(f"  {refusal_text(error.reason)}")
            if error.reason is not Reason.PHOENIX_AMBIGUOUS:
                return None
        combos = [combo for combo in readings(typed.cards) if combo in legal]
        for number, combo in enumerate(combos, start=1):
            self._say(f"  {number}) {combo_text(combo, self._look)}  ({kind_text(combo)})")
        choice = self._answer("Which one? (Enter: none of them) ", lambda text: _parse_choice(text, len(combos)))
        return combos[choice - 1] if choice else None

    def _wants_tichu(self, view: View) -> bool:
        if not self._is_allowed(CALL_TICHU, view):
            return False
        warning = ""
        if view.out:
            warning = "Somebody is out already, so the call would be lost. "
        elif view.calls[partner_of(PERSON)] is not Call.NONE:
            warning = "Your partner has called, and only one of you can be first. "
        return self._is_sure(f"{warning}Call Tichu, for +100 or -100?")

    def _wish(self, view: View) -> Action:
        self._say(f"  Your Mah Jong {view.rules.wish} wish for a rank: whoever can must play it, you too.")
        none = "" if view.rules.wish == "must" else ", or Enter for none"
        while True:
            wish = Wish(self._answer(f"Your wish (2 to 10, J, Q, K, A{none}): ", parse_wish, letters="q"))
            if self._is_allowed(wish, view):
                return wish

    def _take(self, view: View) -> Action:
        takes = list(view.legal())
        if len(takes) == 1:
            return takes[0]
        worth = points_text(points_of(view.played) - sum(view.points))
        self._say(f"  Your Dragon wins the trick ({worth}); it must be given to an opponent.")
        options = [
            f"{number} {seat_text(seat, self._names)}, {screen.held_text(seat, view, self._look)}"
            for number, seat in enumerate(opponents_of(PERSON), start=1)
        ]
        self._say(*(f"  {option}" for option in options))
        return Take(self._answer("To whom? (1 or 2) ", lambda text: parse_gift(text, self._names)))


def _parse_between(text: str) -> str:
    if text.lower() in ("", "d"):
        return text.lower()
    raise Misread("Please type Enter, d or q.")


def _parse_choice(text: str, count: int) -> int:
    if text in ("", *map(str, range(1, count + 1))):
        return int(text or 0)
    raise Misread(f"Please type a number from 1 to {count}.")
