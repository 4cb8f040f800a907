"""Why a bot decided as it did, in English; other user interfaces translate the codes themselves."""

from collections.abc import Sequence
from typing import Final

from tichu.agents.base import Choice
from tichu.core.cards import format_rank

__all__ = ["REASONS", "in_words"]

#: Every code of our own bots with its sentence; ``{seat}`` is a name, ``{percent}`` a chance, ``{rank}`` a rank.
REASONS: Final[dict[str, str]] = {
    "chosen": "that is what this bot does here",
    "fallback": "the bot failed, so the greedy bot decided",
    "forced": "there is nothing else to do",
    "call": "the hand is first out in about {percent} % of deals",
    "no_call": "the cards are first out in only about {percent} % of deals",
    "convention": "the hand misses these least, and the partner gets the best that can be spared",
    "given_card": "the next player was given a {rank} and must play it",
    "high_card": "it draws out a high card",
    "no_wish": "there is nothing worth wishing for",
    "to_the_last": "{seat} is most likely to be last, and then the trick comes back",
    "out": "those are the last cards",
    "run": "nothing can stop the rest of the hand",
    "shed": "a card that is hard to get rid of goes",
    "control": "it wins the trick with about {percent} %, and the lead is worth it",
    "stop": "{seat} must not get the lead",
    "support": "{seat} has called and comes first",
    "partner_holds": "{seat} holds the trick",
    "own_trick": "the trick is already won",
    "hold_back": "the cards that would win are worth more later",
    "learned": (
        "it does so in {percent} % of such cases (else {alternatives}), expects {points} points of the round and gives "
        "itself a chance of {first} % to go out first"
    ),
}


def in_words(choice: Choice, names: Sequence[str]) -> str:
    """The reason as a sentence without a full stop.

    >>> from tichu.core.actions import PASS
    >>> in_words(Choice(PASS, "partner_holds", {"seat": 2}), ["Ada", "Ben", "Cho", "Dov"])
    'Cho holds the trick'
    """
    arguments = dict(choice.arguments)
    seat, rank = arguments.get("seat"), arguments.get("rank")
    if isinstance(seat, int):
        arguments["seat"] = names[seat]
    if isinstance(rank, int):
        arguments["rank"] = format_rank(rank)
    return REASONS[choice.code].format(**arguments)
