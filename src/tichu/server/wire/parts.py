"""Words and parts that messages are made of."""

from typing import Annotated, Literal

from msgspec import Meta, Struct

__all__ = [
    "Avatar",
    "AvatarChoice",
    "Card",
    "CardList",
    "Clock",
    "Combination",
    "ComboType",
    "CommandId",
    "DealProof",
    "Decision",
    "EmoteName",
    "FinalSeats",
    "Gift",
    "HintFact",
    "Name",
    "Phase",
    "Play",
    "Rank",
    "RankInput",
    "RoundResult",
    "Seat",
    "SeatState",
    "SeatTime",
    "SeatView",
    "ShuffleState",
    "TableState",
    "Time",
    "Top",
    "Window",
    "Wire",
]

CommandId = Annotated[
    str, Meta(min_length=1, max_length=40, description="unique for a player; a repeat changes nothing")
]
Card = Annotated[str, Meta(min_length=2, max_length=2, description="a card as in TTN: 7s, Ma, Do, Ph, Dr")]
CardList = Annotated[tuple[Card, ...], Meta(max_length=14)]
Seat = Annotated[int, Meta(ge=0, le=3)]
Rank = Literal["2", "3", "4", "5", "6", "7", "8", "9", "T", "J", "Q", "K", "A"]
#: A rank as clients may write it: the single-round game has 10 for T.
RankInput = Literal["2", "3", "4", "5", "6", "7", "8", "9", "T", "10", "J", "Q", "K", "A"]
Name = Annotated[str, Meta(max_length=24)]
#: Milliseconds since 1970, by the server's clock.
Time = int

Phase = Literal[
    "TICHU.DEAL_PART1",
    "TICHU.DECLARE_GRAND_WINDOW",
    "TICHU.DEAL_PART2",
    "TICHU.EXCHANGE_SELECT",
    "TICHU.EXCHANGE_COMMIT",
    "TICHU.TRICK_PLAY",
    "TICHU.DRAGON_DONATE",
    "TICHU.ROUND_END",
    "TICHU.NEXT_ROUND_OR_END",
    "TICHU.GAME_END",
]

ComboType = Literal[
    "SINGLE",
    "PAIR",
    "TRIPLE",
    "FULL_HOUSE",
    "STRAIGHT",
    "PAIR_STRAIGHT",
    "TRIPLE_STRAIGHT",
    "FOUR_STRAIGHT",
    "DOG",
    "BOMB4",
    "BOMB_STRAIGHT_FLUSH",
]


#: No more than these can be said without typing.
EmoteName = Literal["hello", "well_played", "thanks", "sorry", "wow", "hurry", "laugh", "goodbye"]


#: Pictures that a person may have at a table; the drawings are the page's.
AvatarChoice = Literal["cat", "crane", "fox", "frog", "hare", "koi", "monkey", "owl", "ox", "panda", "tiger", "turtle"]
#: Bots have others, so that nobody takes them for persons.
Avatar = AvatarChoice | Literal["fan", "gong", "lantern", "teapot"]


class Wire(Struct, frozen=True, kw_only=True, rename="camel", omit_defaults=True):
    """A part of a message."""


class Combination(Wire, frozen=True, kw_only=True):
    """A combination as it can be shown and played."""

    cards: tuple[Card, ...]
    type: ComboType
    #: ``2`` to ``A``, ``1`` for the Mah Jong, ``Ph`` led alone, ``Dr``, ``Do``.
    rank: str
    #: The lower rank of a full house.
    with_rank: str | None = None
    length: int
    phoenix_as: str | None = None
    is_bomb: bool = False
    #: As in TTN, with the Phoenix's reading.
    text: str


class Top(Wire, frozen=True, kw_only=True):
    """What lies on the table, and whose it is."""

    combination: Combination
    owner: Seat


class Play(Wire, frozen=True, kw_only=True):
    """One turn of a trick; a pass has no combination."""

    seat: Seat
    combination: Combination | None = None


class Gift(Wire, frozen=True, kw_only=True):
    """A card from or for another seat in the exchange."""

    seat: Seat
    card: Card


class Window(Wire, frozen=True, kw_only=True):
    """The time in which a bomb comes first."""

    begins: Time
    ends: Time


class SeatTime(Wire, frozen=True, kw_only=True):
    """A running clock: when the decision's time ends, and the reserve after it."""

    seat: Seat
    ends: Time
    reserve_ends: Time


class Clock(Wire, frozen=True, kw_only=True):
    """Seconds per decision, and a reserve per game."""

    decision: Annotated[int, Meta(ge=5, le=600)]
    reserve: Annotated[int, Meta(ge=0, le=3600)] = 0


class RoundResult(Wire, frozen=True, kw_only=True):
    """How a round ended; pairs are team 0+2, team 1+3."""

    round: int
    points: tuple[int, int]
    bonus: tuple[int, int]
    score: tuple[int, int]
    out: tuple[int, ...]
    #: ``-``, ``T`` or ``G`` by seat.
    calls: tuple[str, ...]
    double_victory: bool = False


class DealProof(Wire, frozen=True, kw_only=True, omit_defaults=False):
    """What a deal came from (``tichu.core.fairness``); by seat, empty for none."""

    derivation: int
    seed: str
    #: To the nonces; ``~`` before one that the table made for a nonce given without.  Derivation 1 has none.
    commitments: tuple[str, ...]
    nonces: tuple[str, ...]


class ShuffleState(Wire, frozen=True, kw_only=True, omit_defaults=False):
    """How far the shuffle has come, until the round is over; by seat, empty for none."""

    #: In the first, players give their nonces at once.
    derivation: int
    #: To the nonces; ``~`` before one that the table made for a nonce given without.
    commitments: tuple[str, ...]
    #: Whether the set of commitments is: then they are opened.
    fixed: bool
    #: Shown when the cards are dealt.
    nonces: tuple[str, ...]


class SeatState(Wire, frozen=True, kw_only=True, omit_defaults=False):
    """Who sits where."""

    #: Empty for a free seat.
    name: str
    #: The public id of a person.
    player: str | None
    #: The bot that plays here.
    bot: str | None
    connected: bool
    #: Ready for the next round, or for a rematch.
    ready: bool
    #: The picture; null for a person who has chosen none.
    avatar: Avatar | None = None
    #: A bot decides for the person until they are back.
    stand_in: bool = False


class FinalSeats(Wire, frozen=True, kw_only=True, omit_defaults=False):
    """Who played the game that is over, by seat; for the rematch they may sit elsewhere."""

    names: tuple[str, ...]
    #: Public ids, empty for bots.
    players: tuple[str, ...]


class TableState(Wire, frozen=True, kw_only=True, omit_defaults=False):
    """What everybody may know about a table."""

    id: str
    #: Short, to be told to a friend.
    code: str
    name: str
    rules: str
    preset: str
    clock: Clock | None
    private: bool
    #: Hints, given deals and positions.
    casual: bool
    #: The public id of the host.
    host: str | None
    stage: Literal["open", "playing", "paused", "over"]
    seats: tuple[SeatState, ...]
    spectators: int
    #: The game in progress or just finished.
    game: str | None
    round: int
    score: tuple[int, int]
    results: tuple[RoundResult, ...]
    #: The team that has won: 0 for seats 0+2, 1 for seats 1+3.
    winner: int | None
    #: SHA-256 of the seed of the next deal, until the round is over.
    commit: str | None
    #: The rest of what is known about that deal.
    shuffle: ShuffleState | None = None
    #: How long bots take, as a factor of a usual pace.
    pace: float = 1.0
    #: Until the rematch begins.
    final: FinalSeats | None = None


Decision = Literal["grand", "exchange", "play", "wish", "gift", "bomb", "ready"]


class SeatView(Wire, frozen=True, kw_only=True, omit_defaults=False):
    """The round as one seat sees it, with what it may do; for a spectator without hand and a trick behind."""

    seat: Seat | None
    phase: Phase
    #: What this seat is to decide now.
    decision: Decision | None
    #: The seats that must decide, as far as this seat knows.
    pending: tuple[int, ...]
    hand: tuple[Card, ...]
    counts: tuple[int, ...]
    top: Top | None
    trick: tuple[Play, ...]
    last_trick: tuple[Play, ...]
    #: Who got the last trick, if there was one.
    last_taker: int | None
    points: tuple[int, ...]
    points_on_table: int
    wish: str | None
    #: ``-``, ``T``, ``G``, or ``?`` for a decision that is made and not yet shown.
    calls: tuple[str, ...]
    out: tuple[int, ...]
    #: The seat's cards in the exchange: the draft, then what was given.
    draft: tuple[Gift, ...]
    given: tuple[Gift, ...]
    received: tuple[Gift, ...]
    may_call: bool
    #: Whether the call needs a second thought: the partner has called, or somebody is out.
    call_doubtful: bool
    may_pass: bool
    #: To whom the Dragon's trick may go.
    recipients: tuple[int, ...]
    #: Ranks that may be wished for, and whether ``NONE`` is allowed.
    wishes: tuple[str, ...]
    #: Plays for the seat's turn, one of each kind and rank.
    suggestions: tuple[Combination, ...]
    #: Bombs held; ``can_bomb`` says whether one may be thrown now.
    bombs: tuple[Combination, ...]
    can_bomb: bool
    window: Window | None
    waits_left: int
    clocks: tuple[SeatTime, ...]
    auto_pass: Literal["off", "turn", "trick"]
    #: The match score: own team, other team.
    score: tuple[int, int]
    #: The same as TTN, for programs.
    position: str
    #: The server's clock when this was made.
    now: Time
    #: Who made the wish that stands, if that is known.
    wished_by: Seat | None = None
    #: Whether the seat holds the wished rank, can play it now and so must.
    wish_owed: bool = False


class HintFact(Wire, frozen=True, kw_only=True):
    """Something that is true of a play, for words of the game."""

    code: Literal[
        "last",
        "beats",
        "stops",
        "over_partner",
        "to_partner",
        "partner_holds",
        "helps",
        "partner_called",
        "points",
        "keeps",
        "keeps_bomb",
        "splits_bomb",
        "left",
        "holds",
        "gives_partner",
        "more_cards",
    ]
    #: A seat, cards, a combination or a number, as the code needs it.
    seat: Seat | None = None
    cards: tuple[Card, ...] = ()
    combination: Combination | None = None
    count: int | None = None
