"""The review of a finished game: what each decision was worth, as far as that is known."""

from typing import Literal

from tichu.analysis.verdicts import Kind, ReasonKind, Verdict
from tichu.server.wire.parts import Seat, Wire

__all__ = [
    "ReviewCandidate",
    "ReviewChance",
    "ReviewKind",
    "ReviewReason",
    "ReviewReasonKind",
    "ReviewState",
    "ReviewVerdict",
    "ReviewedDecision",
]

#: The words of the analysis are those of the wire.
ReviewKind = Kind
ReviewReasonKind = ReasonKind
ReviewVerdict = Verdict


class ReviewCandidate(Wire, frozen=True, kw_only=True):
    """Something that could have been done, and what it is worth to the team of the seat."""

    #: In TTN, with the seat.
    action: str
    #: The expected difference of the scores of the round, from the seat's side.
    points: float
    #: Its standard error.
    points_error: float
    #: The chance of the seat's team to win the match; absent where a single round was played.
    win: float | None = None
    #: Its standard error; absent in reviews that were made before it was known.
    win_error: float | None = None


class ReviewReason(Wire, frozen=True, kw_only=True):
    """Something that happens in another share of the worlds, from the side of the seat."""

    #: Who goes out first, a double victory, the Dragon or a bomb; what becomes of a bomb of one's own is certain, and
    #: of card points the shares are those that the team takes of the hundred.
    what: ReviewReasonKind
    #: The share after what was played.
    played: float
    #: The share after what is better.
    better: float
    #: Which bomb of the player stays or is broken up, in TTN; otherwise absent.
    cards: str | None = None


class ReviewedDecision(Wire, frozen=True, kw_only=True):
    """A decision with what was better, if anything was.

    ``round`` and ``action`` together name it: ``steps[action]`` of that round's views is what the seat saw when it
    decided, ``steps[action + 1]`` what came of it.
    """

    #: The number of the round, counted from 0.
    round: int
    #: The number of the action in the round, counted from 0.
    action: int
    #: Who decided.
    seat: Seat
    #: What was decided.
    kind: ReviewKind
    #: In TTN, with the seat.
    played: str
    #: ``same``: the bot would have done the same, and nothing was compared; ``unclear``: chance may have found what was
    #: lost; ``failed``: it could not be compared; the others are called mistakes. It may change while other decisions
    #: are reviewed: on average one in twenty of the called mistakes of a game is none.
    verdict: ReviewVerdict
    #: The better one of what was played and the best other candidate, in TTN; absent if that is what was played.
    best: str | None = None
    #: What the best other candidate is worth more than what was played, in points; negative if it is worth less.
    lost: float = 0.0
    #: The standard error of ``lost``.
    lost_error: float = 0.0
    #: In how many worlds both were played on; 0 where nothing was compared.
    worlds: int = 0
    #: The chance to find such a loss where there is none.
    chance: float = 1.0
    #: What was compared: what was played comes first.
    candidates: tuple[ReviewCandidate, ...] = ()
    #: What happens more or less often after what is better; often empty.
    reasons: tuple[ReviewReason, ...] = ()


class ReviewChance(Wire, frozen=True, kw_only=True):
    """The chance to win the match at a moment of the game."""

    #: The number of the round; after the last one, how many rounds there were.
    round: int
    #: After this action of the round; null for the moment before the round.
    action: int | None
    #: The chance of seats 0 and 2.
    win: float


class ReviewState(Wire, frozen=True, kw_only=True, omit_defaults=False, tag="review"):
    """How far the review of a finished game is, and all that is known."""

    #: The id of the game.
    game: str
    #: ``none``: nobody has asked for it, or it was interrupted and goes on when somebody asks again; ``waiting``: other
    #: games of whoever asked come first; ``running``: a part of it is reviewed whenever it is its turn; ``done``.
    state: Literal["none", "waiting", "running", "done"]
    #: How many games come first that the same person has asked for; 0 unless the state is ``waiting``.
    place: int
    #: How many games are being reviewed in turns.
    under_way: int
    #: How many rounds the game has.
    rounds: int
    #: How many of them are reviewed.
    rounds_done: int
    #: How many parts there are; it grows until every round has been looked at.
    parts: int
    #: How many of them are done.
    parts_done: int
    #: Rounds that cannot be reviewed, by number.
    failed_rounds: tuple[int, ...]
    #: Whether ``decisions`` are all that are reviewed so far. On the socket only the first message has all; later ones
    #: have those that are new or whose verdict has changed.
    is_whole: bool
    #: In the order of play.
    decisions: tuple[ReviewedDecision, ...]
    #: Along the game, as far as known: before each round, after each decision that was compared, and at the end. Empty
    #: for games without a target.
    chances: tuple[ReviewChance, ...]
