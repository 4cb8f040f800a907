"""How often bots agree with people, in games that people have played.

    python -m training.people game.tch ... --bots learned human --trained-on tests/games/*.ttn

Each bot takes every decision that left a choice again.  Plays are compared by their ranks, not their suits; an exchange
is three decisions, compared as the bot itself would give, whatever people gave first.  Intervals count a game as one
observation; of a single game there is none.  Games that a bot has learned from are left out: those that its file names,
unless ``--keep-known`` is said, and those of ``--trained-on`` with all games that have one of their players.

A bot is a spec (``docs/bots.md``) or a file that ``training.imitate`` has written; ``learned@9`` draws at this
temperature, as the first levels did.
"""

import argparse
import sys
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Final, NamedTuple

from tichu.agents import make_agent
from tichu.agents.base import Agent, BatchAgent, Question
from tichu.agents.learned.agent import LearnedAgent
from tichu.agents.learned.human import HUMAN, HumanAgent, read_people
from tichu.agents.suggestions import bombs_held
from tichu.core.actions import Action, CallGrand, CallTichu, DeclineBomb, Exchange
from tichu.core.cards import DRAGON, PHOENIX, rank_of
from tichu.core.combos import Combo
from tichu.core.phases import Phase, partner_of
from tichu.core.view import View
from tichu.encoding import encode, legal_numbers
from tichu.encoding.numbering import CALLING_TICHU
from training.agreement import Agreement, agreement, difference
from training.command_line import TrainingError, entry_point, print_line
from training.people_games import Game, decisions, group, known_deals, read, unseen

__all__ = ["Comparison", "ask", "compare", "decisions", "gain", "main"]

_TURNS: Final = ("lead", "on the partner's trick", "on an opponent's trick")
_GIFTS: Final = ("gift to LEFT", "gift to PARTNER", "gift to RIGHT")
#: Decisions that are asked at once.
_BATCH: Final = 256


class Comparison(NamedTuple):
    """What people did, and what the bot would have done."""

    kind: str
    view: View
    people: Action
    bot: Action
    agree: bool


def _kind(view: View, action: Action) -> str:
    match view.phase:
        case Phase.GRAND:
            return "Grand Tichu"
        case Phase.WISH:
            return "wish"
        case Phase.TAKE:
            return "Dragon's gift"
        case _ if isinstance(action, CallTichu):
            return "Tichu, called by people"
        case _ if view.top is None:
            return "lead"
        case _ if view.owner == partner_of(view.seat):
            return "on the partner's trick"
        case _:
            return "on an opponent's trick"


def _rank(card: int) -> int:
    return rank_of(card) if card > DRAGON else -card


def _leaves_a_choice(view: View, action: Action) -> bool:
    """Whether more than one action is legal, not counting a call of Tichu before it."""
    if isinstance(action, DeclineBomb):
        return False
    if isinstance(action, Exchange | CallTichu):
        return True
    return len({*legal_numbers(view)} - {CALLING_TICHU}) > 1


def _judge(view: View, action: Action, answer: Action) -> Iterator[Comparison]:
    if isinstance(action, Exchange):
        # A bot that calls instead of giving gives none of the three.
        ours = answer.cards if isinstance(answer, Exchange) else (None,) * 3
        for kind, theirs, own in zip(_GIFTS, action.cards, ours, strict=True):
            yield Comparison(kind, view, action, answer, own is not None and _rank(theirs) == _rank(own))
    elif isinstance(answer, CallTichu) and not isinstance(action, CallTichu):
        yield Comparison("Tichu, called by the bot alone", view, action, answer, False)
    else:
        agree = not isinstance(answer, Exchange) and encode(answer, view) == encode(action, view)
        yield Comparison(_kind(view, action), view, action, answer, agree)


def compare(view: View, action: Action, bot: Agent) -> Iterator[Comparison]:
    """Compare one decision; an exchange is three, and one that left no choice none."""
    yield from ask([(view, action)], bot)


def ask(of_people: Sequence[tuple[View, Action]], bot: Agent) -> Iterator[Comparison]:
    """Compare many decisions."""
    asked = [(view, action) for view, action in of_people if _leaves_a_choice(view, action)]
    for start in range(0, len(asked), _BATCH):
        some = asked[start : start + _BATCH]
        if isinstance(bot, BatchAgent):
            answers = bot.act_batch([Question(bot, view, view.legal()) for view, _ in some])
        else:
            answers = [bot.act(view, view.legal()) for view, _ in some]
        for (view, action), answer in zip(some, answers, strict=True):
            yield from _judge(view, action, answer)


def gain(one: Sequence[Sequence[Comparison]], two: Sequence[Sequence[Comparison]]) -> Agreement:
    """How much more often the first bot agrees than the second, decision by decision."""
    pairs = (zip(mine, others, strict=True) for mine, others in zip(one, two, strict=True))
    return difference([[float(mine.agree) - float(other.agree) for mine, other in each] for each in pairs])


def _of_kind(tables: Sequence[Sequence[Comparison]], *kinds: str) -> list[list[Comparison]]:
    return [[one for one in table if not kinds or one.kind in kinds] for table in tables]


def _share(tables: Sequence[Sequence[Comparison]]) -> Agreement:
    return agreement([[float(one.agree) for one in table] for table in tables])


def _report(found: Mapping[str, Sequence[Sequence[Comparison]]]) -> Iterator[str]:
    first = next(iter(found))
    yield f"{'% the same, with 95 % intervals':32} {'':7}" + "".join(f" {name:>22}" for name in found)
    counts: dict[str, int] = defaultdict(int)
    for table in found[first]:
        for one in table:
            counts[one.kind] += 1
    lines: list[tuple[str, tuple[str, ...]]] = [("all decisions with a choice", ()), ("gifts", _GIFTS)]
    lines += [(kind, (kind,)) for kind in sorted(counts, key=lambda kind: -counts[kind])]
    for name, kinds in lines:
        shares = [_share(_of_kind(tables, *kinds)) for tables in found.values()]
        count = sum(counts[kind] for kind in kinds or counts)
        yield f"{name:32} {count:7,}" + "".join(f" {share!s:>22}" for share in shares)
    for name, tables in [*found.items()][1:]:
        yield f"{name} over {first}: {gain(tables, found[first])} points of agreement"
        yield f"{name} over {first}: {gain(_of_kind(tables, *_GIFTS), _of_kind(found[first], *_GIFTS))} of gifts"
    for place, (name, tables) in enumerate(found.items()):
        every: dict[str, list[Comparison]] = defaultdict(list)
        for one in (one for table in tables for one in table):
            every[one.kind].append(one)
        if not place:
            yield from _habits("people", every, 0)
        yield from _habits(name, every, 1)


def _habits(name: str, found: Mapping[str, list[Comparison]], place: int) -> Iterator[str]:
    """What people do, or what a bot would do in their place."""
    grand = found.get("Grand Tichu", [])
    calls = sum(isinstance((each.people, each.bot)[place], CallGrand) for each in grand)
    yield f"{name}: Grand Tichu in {100 * calls / max(1, len(grand)):.1f} % of hands"
    cards = [(each.people, each.bot)[place] for each in found.get("gift to PARTNER", ())]
    partner = [action.partner for action in cards if isinstance(action, Exchange)]
    shares = {
        "an ace": sum(rank_of(card) == 14 for card in partner if card > 3),
        "the Dragon or the Phoenix": sum(card in (DRAGON, PHOENIX) for card in partner),
        "a card below ten": sum(card > 3 and rank_of(card) < 10 for card in partner),
    }
    words = ", ".join(f"{what} {100 * count / max(1, len(partner)):.1f} %" for what, count in shares.items())
    yield f"{name}: gives the partner {words}"
    for kind in _TURNS[1:]:
        plays = [isinstance((each.people, each.bot)[place], Combo) for each in found.get(kind, ())]
        yield f"{name}: plays {kind} {100 * sum(plays) / max(1, len(plays)):.1f} %"
    held = [each for kind in _TURNS for each in found.get(kind, ()) if bombs_held(each.view)]
    broken = sum(_breaks(each.view, (each.people, each.bot)[place]) for each in held)
    share = 100 * broken / max(1, len(held))
    yield f"{name}: breaks a bomb in {share:.1f} % of {len(held):,} turns with one in the hand"


def _breaks(view: View, action: Action) -> bool:
    """Whether a play that is not a bomb takes cards from a bomb in the hand."""
    if not isinstance(action, Combo) or action.is_bomb:
        return False
    return any(bomb.cards & action.cards for bomb in bombs_held(view))


def _bot(text: str) -> Agent:
    name, at, number = text.partition("@")
    bot = HumanAgent(1, network=read_people(name)) if name.endswith(".npz") else make_agent(name, 1)
    if not at:
        return bot
    try:
        temperature = float(number)
    except ValueError:
        temperature = -1.0
    if not isinstance(bot, LearnedAgent) or not 0 <= temperature < 1000:
        raise TrainingError(f"{text}: a temperature is a number from 0 on, after a bot with a network: learned@9")
    bot.temperature = temperature
    return bot


def _file_of(text: str, bot: Agent) -> Path | None:
    """What a bot has learned from people, if it has."""
    name, _, _ = text.partition("@")
    if name.endswith(".npz"):
        return Path(name)
    return Path(str(HUMAN)) if isinstance(bot, HumanAgent) else None


def _choose(options: argparse.Namespace, bots: Mapping[str, Agent]) -> list[Game]:
    games = read(options.games)
    kept = unseen(games, read(options.trained_on) if options.trained_on else [])
    for text, bot in bots.items():
        file = _file_of(text, bot)
        deals = known_deals(file) if file else frozenset()
        known = [game for game in kept if game.deals() & deals]
        if known:
            what = "kept all the same" if options.keep_known else "left out (--keep-known compares them all the same)"
            print_line(f"{text} has learned from {len(known)} of the games: {what}")
            kept = kept if options.keep_known else [game for game in kept if game not in known]
    named = sum(game.has_names() for game in kept)
    print_line(
        f"{len(kept)} of {len(games)} games, in {len(group(kept))} groups without a player in common; "
        f"{named or 'none'} of them {'says' if named == 1 else 'say'} who played"
    )
    if not kept:
        raise TrainingError("no game is left to compare")
    if len(kept) == 1:
        print_line("one game: no interval can be told")
    return kept


@entry_point
def main(arguments: list[str] | None = None) -> None:
    """Compare all games of the command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("games", type=Path, nargs="+", metavar="GAME", help="a .ttn, .jsonl or .tch file, or a folder")
    parser.add_argument("--bots", nargs="+", default=["learned"], metavar="BOT", help="the first is compared with")
    parser.add_argument("--trained-on", type=Path, nargs="+", default=[], metavar="GAME", help="games to leave out")
    parser.add_argument("--keep-known", action="store_true", help="compare games that a bot has learned from, too")
    options = parser.parse_args(arguments)
    bots = {text: _bot(text) for text in options.bots}
    of_people = [list(decisions(game)) for game in _choose(options, bots)]
    found = {name: [list(ask(table, bot)) for table in of_people] for name, bot in bots.items()}
    sys.stdout.write("\n".join(_report(found)) + "\n")


if __name__ == "__main__":
    main()
