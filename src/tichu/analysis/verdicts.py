"""What is told about decisions, and which of them are called mistakes.

A decision is a *called mistake* only if chance would seldom find so much lost: of those that are called in a game one
in twenty is none, on average (the false-discovery rate of Benjamini and Hochberg).  What was lost then says what the
mistake is called.  Nothing here computes anything dear, so a server can have it without the bots' libraries.
"""

from collections.abc import Iterable
from typing import Final, Literal

import msgspec

__all__ = [
    "FALSE_DISCOVERIES",
    "KINDS",
    "THRESHOLDS",
    "CandidateValue",
    "DecisionReview",
    "Kind",
    "Reason",
    "ReasonKind",
    "RoundPart",
    "RoundPlan",
    "Verdict",
    "called_mistakes",
    "verdict_on",
]

Kind = Literal["grand", "exchange", "tichu", "lead", "follow", "wish", "gift", "bomb"]
KINDS: Final[tuple[Kind, ...]] = ("grand", "exchange", "tichu", "lead", "follow", "wish", "gift", "bomb")

#: Of the mistakes that are called in a game, the share that may be none.
FALSE_DISCOVERIES: Final = 0.05

#: ``same``: what the bot would have done; ``unclear``: chance may have found what was lost; ``failed``: nobody knows.
Verdict = Literal["same", "unclear", "inaccuracy", "mistake", "blunder", "failed"]
#: From how many points on a called mistake has which name.
THRESHOLDS: Final[tuple[tuple[float, Verdict], ...]] = ((40.0, "blunder"), (15.0, "mistake"))


#: What may happen in a round, from the side of the seat that decided; ``dragon``, its team's, is of old reviews.
ReasonKind = Literal[
    "self_first",
    "partner_first",
    "opponent_first",
    "double_won",
    "double_lost",
    "dragon",
    "self_dragon",
    "partner_dragon",
    "opponent_dragon",
    "own_bomb",
    "opponents_bomb",
    "bomb_stays",
    "bomb_broken",
    "card_points",
]
_WORDS: Final[dict[ReasonKind, str]] = {
    "self_first": "you go out first",
    "partner_first": "your partner goes out first",
    "opponent_first": "an opponent goes out first",
    "double_won": "your team wins a double victory",
    "double_lost": "the opponents win a double victory",
    "dragon": "your team plays the Dragon",
    "self_dragon": "you play the Dragon",
    "partner_dragon": "your partner plays the Dragon",
    "opponent_dragon": "an opponent plays the Dragon",
    "own_bomb": "your team throws a bomb",
    "opponents_bomb": "the opponents throw a bomb",
    "bomb_stays": "your bomb {cards} stays",
    "bomb_broken": "your bomb {cards} is broken up",
    "card_points": "your team takes {better:.0f} card points instead of {played:.0f}",
}


class Reason(msgspec.Struct, frozen=True):
    """Something that happens in another share of the worlds, or only after what is better: to a bomb of one's own."""

    what: ReasonKind
    #: In the worlds after what was played, and after what is better; of card points the share of the hundred.
    played: float
    better: float
    #: Which bomb.
    cards: str = ""

    def __str__(self) -> str:
        if self.cards or self.what == "card_points":
            return _WORDS[self.what].format(cards=self.cards, better=100 * self.better, played=100 * self.played)
        return f"{_WORDS[self.what]} in {100 * self.better:.0f} % instead of {100 * self.played:.0f} %"


class CandidateValue(msgspec.Struct, frozen=True):
    """A candidate and what it is worth to the seat's team."""

    action: str
    points: float
    points_error: float
    #: The chance to win the match; None where a single round is played.
    win: float | None = None
    win_error: float | None = None


class DecisionReview(msgspec.Struct, frozen=True):
    """One decision; without worlds if the bot would have done the same."""

    file: str
    round: int
    #: The number of the action in the round.
    action: int
    seat: int
    kind: Kind
    played: str
    best: str
    lost: float
    lost_error: float
    worlds: int
    candidates: tuple[CandidateValue, ...] = ()
    #: The chance to find such a loss where there is none.
    chance: float = 1.0
    #: What happens more or less often after what is better, if much was lost.
    reasons: tuple[Reason, ...] = ()
    #: Why it could not be compared, though the bot would have done something else; then there are no worlds either.
    error: str = ""


class RoundPlan(msgspec.Struct, frozen=True):
    """What there is to do in a round, and what is known before anything is played on (:mod:`.parts`)."""

    #: Where the bot would have done the same.
    decisions: tuple[DecisionReview, ...] = ()
    #: The other decisions by the numbers of their actions, a few at a time.
    parts: tuple[tuple[int, ...], ...] = ()
    #: The same decisions before they are compared: what is told of them if they cannot be.
    open: tuple[DecisionReview, ...] = ()
    #: Why the round cannot be reviewed.
    error: str = ""
    #: The chance of seats 0 and 2 to win the match before the round and after it; None where there is no match.
    before: float | None = None
    after: float | None = None
    #: What it was made with; the parts of one review have the same.
    version: str = ""


class RoundPart(msgspec.Struct, frozen=True):
    """Some decisions of a round, and what they were reviewed with."""

    decisions: tuple[DecisionReview, ...]
    version: str = ""


def called_mistakes(decisions: Iterable[DecisionReview]) -> list[DecisionReview]:
    """Those decisions of a game that have lost something, at a false-discovery rate of 5 %."""
    compared = [each for each in decisions if each.worlds]
    chances = sorted((each.chance, place) for place, each in enumerate(compared))
    last = 0
    for rank, (chance, _) in enumerate(chances, start=1):
        if chance <= FALSE_DISCOVERIES * rank / len(compared):
            last = rank
    return [compared[place] for place in sorted(place for _, place in chances[:last])]


def verdict_on(decision: DecisionReview, *, is_called: bool) -> Verdict:
    """What a decision is called, given whether it is a mistake that is called at all."""
    if decision.error:
        return "failed"
    if not decision.worlds:
        return "same"
    if not is_called:
        return "unclear"
    return next((name for least, name in THRESHOLDS if decision.lost >= least), "inaccuracy")
