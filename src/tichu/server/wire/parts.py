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

    #: In the order in which TTN writes them.
    cards: tuple[Card, ...]
    #: The names of the single-round game, and ours in the same manner.
    type: ComboType
    #: ``2`` to ``A``, ``1`` for the Mah Jong, ``Ph`` led alone, ``Dr``, ``Do``.
    rank: str
    #: The rank of the pair in a full house; null for all others.
    with_rank: str | None = None
    #: How many cards.
    length: int
    #: The rank that the Phoenix stands for; null without it, or where it stands for none.
    phoenix_as: str | None = None
    #: Whether it beats everything that is no bomb, and may come out of turn where the rules have it so.
    is_bomb: bool = False
    #: As in TTN, with the Phoenix's reading.
    text: str


class Top(Wire, frozen=True, kw_only=True):
    """What lies on the table, and whose it is."""

    #: What must be beaten.
    combination: Combination
    #: Who gets the trick if nobody beats it.
    owner: Seat


class Play(Wire, frozen=True, kw_only=True):
    """One turn of a trick; a pass has no combination."""

    #: Whose turn it was.
    seat: Seat
    #: What was played; null for a pass.
    combination: Combination | None = None


class Gift(Wire, frozen=True, kw_only=True):
    """A card from or for another seat in the exchange."""

    #: The other seat.
    seat: Seat
    #: The one card that goes from one to the other.
    card: Card


class Window(Wire, frozen=True, kw_only=True):
    """The time in which a bomb comes first."""

    #: When it was opened, in milliseconds since 1970 by the server's clock.
    begins: Time
    #: When the next play is carried out, by the same clock.
    ends: Time


class SeatTime(Wire, frozen=True, kw_only=True):
    """A running clock: when the decision's time ends, and the reserve after it."""

    #: Whose decision it is.
    seat: Seat
    #: When the time for the decision is over, in milliseconds since 1970 by the server's clock.
    ends: Time
    #: When the reserve is used up as well, by the same clock: then a bot decides.
    reserve_ends: Time


class Clock(Wire, frozen=True, kw_only=True):
    """Seconds per decision, and a reserve per game."""

    #: Seconds for each decision, before the reserve is touched.
    decision: Annotated[int, Meta(ge=5, le=600)]
    #: Seconds that each seat has in the whole game for decisions that take longer.
    reserve: Annotated[int, Meta(ge=0, le=3600)] = 0


class RoundResult(Wire, frozen=True, kw_only=True):
    """How a round ended; pairs are team 0+2, team 1+3."""

    #: The number of the round, counted from 0.
    round: int
    #: Card points by team, or 200 and 0 after a double victory.
    points: tuple[int, int]
    #: What the calls of each team have won and lost, in points.
    bonus: tuple[int, int]
    #: Both together: what the round adds to the match.
    score: tuple[int, int]
    #: Seats in the order of going out; only two after a double victory.
    out: tuple[int, ...]
    #: ``-``, ``T`` or ``G`` by seat.
    calls: tuple[str, ...]
    #: Whether partners were first and second.
    double_victory: bool = False


class DealProof(Wire, frozen=True, kw_only=True, omit_defaults=False):
    """What a deal came from (``tichu.core.fairness``); by seat, empty for none."""

    #: Which way leads from these to the deal; it is stated with its number.
    derivation: int
    #: The table's share, hexadecimal; its SHA-256 was shown before.
    seed: str
    #: To the nonces; ``~`` before one that the table made for a nonce given without.  Derivation 1 has none.
    commitments: tuple[str, ...]
    #: The players' shares, hexadecimal.
    nonces: tuple[str, ...]


class ShuffleState(Wire, frozen=True, kw_only=True, omit_defaults=False):
    """How far the shuffle has come, until the round is over; by seat, empty for none."""

    #: Which way leads to the deal; in the first, players give their nonces at once.
    derivation: int
    #: To the nonces; ``~`` before one that the table made for a nonce given without.
    commitments: tuple[str, ...]
    #: Whether the set of commitments is fixed: then they are opened.
    fixed: bool
    #: Empty until the cards are dealt.
    nonces: tuple[str, ...]


class SeatState(Wire, frozen=True, kw_only=True, omit_defaults=False):
    """Who sits where."""

    #: Empty for a free seat.
    name: str
    #: The public id of a person; null for a bot and a free seat.
    player: str | None
    #: The bot that plays here, by a name of ``/api/bots``; null for a person and a free seat.
    bot: str | None
    #: Whether the person is there; bots always are.
    connected: bool
    #: Ready for the next round, or for a rematch.
    ready: bool
    #: The picture; null for a person who has chosen none.
    avatar: Avatar | None = None
    #: A bot decides for the person until they are back.
    stand_in: bool = False
    #: When being away counts as having left; null for whoever is there, and where it never does.
    leaves_at: Time | None = None
    #: Whether the person has an account, whose name nobody else has; others are guests.
    account: bool = False
    #: Whose seat the person would like to have; they swap when that one asks for the same (``TABLE.SWAP``).
    swap_with: Seat | None = None


class FinalSeats(Wire, frozen=True, kw_only=True, omit_defaults=False):
    """Who played the game that is over, by seat; for the rematch they may sit elsewhere."""

    #: As they were when the game ended.
    names: tuple[str, ...]
    #: Public ids, empty for bots.
    players: tuple[str, ...]


class TableState(Wire, frozen=True, kw_only=True, omit_defaults=False):
    """What everybody may know about a table."""

    #: Unguessable; the link has it.
    id: str
    #: Six letters and digits, to be told to a friend.
    code: str
    #: What the host calls the table; may be empty.
    name: str
    #: The preset and what differs from it, as in ``docs/rules.md``: ``standard goal=target:500``.
    rules: str
    #: The first word of ``rules``.
    preset: str
    #: How long decisions may take; null for as long as they need.
    clock: Clock | None
    #: Not in the list of tables; whoever has the link or the code can come.
    private: bool
    #: Whether there are hints, given deals and positions; such games count in no statistics.
    casual: bool
    #: The public id of the host; null if nobody is.
    host: str | None
    #: ``open``: before the first game; ``over``: a game has ended and a rematch can begin.
    stage: Literal["open", "playing", "paused", "over"]
    #: Four, numbered to the left; partners sit at 0+2 and 1+3.
    seats: tuple[SeatState, ...]
    #: How many people watch.
    spectators: int
    #: The id of the game in progress or just finished; null before the first and for one without a whole record.
    game: str | None
    #: The round in progress or to come, counted from 0.
    round: int
    #: The score of the match, in points: team 0+2, team 1+3.
    score: tuple[int, int]
    #: The rounds of this game that are over.
    results: tuple[RoundResult, ...]
    #: The team that has won: 0 for seats 0+2, 1 for seats 1+3; null until then.
    winner: int | None
    #: SHA-256 of the seed of the next deal, until the round is over; null for a given deal and before a game.
    commit: str | None
    #: The rest of what is known about that deal; null where ``commit`` is.
    shuffle: ShuffleState | None = None
    #: How long bots take, as a factor of the usual time: 0.5 is twice as fast; 0 for as fast as they can.
    pace: float = 1.0
    #: Who played the game that is over, until the rematch begins; else null.
    final: FinalSeats | None = None
    #: Whether games count for ratings.
    rated: bool = False
    #: The id by which the server rates the game in progress or just finished; null if it does not.
    match: str | None = None
    #: Who left a rated game, which ended it with a win for the other team; else null.
    left: Seat | None = None
    #: At a rated table: the seats that want a pause, or in a pause to go on; it comes when all do.
    pause_asked: tuple[int, ...] = ()
    #: When a pause of a rated match ends by itself; null if there is none, or if nobody is back yet.
    resumes_at: Time | None = None


Decision = Literal["grand", "exchange", "play", "wish", "gift", "bomb", "ready"]


class SeatView(Wire, frozen=True, kw_only=True, omit_defaults=False):
    """The round as one seat sees it, with what it may do; for a spectator without hand and a trick behind."""

    #: Whose view it is; null for a spectator.
    seat: Seat | None
    #: Where the round is, also before the cards, between rounds and after the last one.
    phase: Phase
    #: What this seat is to decide now; null for nothing.
    decision: Decision | None
    #: The seats that must decide, as far as this seat knows.
    pending: tuple[int, ...]
    #: The seat's cards, eight during the Grand calls; empty for a spectator.
    hand: tuple[Card, ...]
    #: How many cards each seat holds.
    counts: tuple[int, ...]
    #: What lies on the table; null if the next play leads.
    top: Top | None
    #: The trick in progress, in the order of play.
    trick: tuple[Play, ...]
    #: The one before, in the order of play; empty if there was none.
    last_trick: tuple[Play, ...]
    #: Who got the last trick; null if there was none.
    last_taker: int | None
    #: Card points in the tricks that each seat has taken.
    points: tuple[int, ...]
    #: Card points of the trick in progress.
    points_on_table: int
    #: The rank that stands as a wish; null for none.
    wish: str | None
    #: By seat: ``-``, ``T``, ``G``, or ``?`` for a decision that is made and not yet shown.
    calls: tuple[str, ...]
    #: Seats that have no cards left, in the order of going out.
    out: tuple[int, ...]
    #: What the seat has laid out for the exchange, and for whom.
    draft: tuple[Gift, ...]
    #: What the seat has given in the exchange, and to whom.
    given: tuple[Gift, ...]
    #: What the seat has got in the exchange, and from whom; empty until all have given.
    received: tuple[Gift, ...]
    #: Whether the seat may call Tichu now.
    may_call: bool
    #: Whether the call needs a second thought: the partner has called, or somebody is out.
    call_doubtful: bool
    #: Whether it is the seat's turn and passing is allowed.
    may_pass: bool
    #: To whom the Dragon's trick may go, if that is what this seat decides; else empty.
    recipients: tuple[int, ...]
    #: Ranks that may be wished for, with ``NONE`` where it is allowed, if that is what this seat decides.
    wishes: tuple[str, ...]
    #: Plays for the seat's turn, one of each kind and rank; there may be others.
    suggestions: tuple[Combination, ...]
    #: Bombs in the hand; ``canBomb`` says whether one may be thrown now.
    bombs: tuple[Combination, ...]
    #: Whether one of them may be thrown now, in or out of turn.
    can_bomb: bool
    #: The time in which a bomb comes first; null if none runs.
    window: Window | None
    #: How often the seat may still hold a window open in this round.
    waits_left: int
    #: Those that run now; empty at a table without a clock.
    clocks: tuple[SeatTime, ...]
    #: What the seat has asked for with ``TABLE.AUTO_PASS``.
    auto_pass: Literal["off", "turn", "trick"]
    #: The score of the match before this round: own team, other team; for a spectator team 0+2, team 1+3.
    score: tuple[int, int]
    #: The same as TTN, for programs; empty between rounds and for a spectator.
    position: str
    #: The server's clock when this was made, in milliseconds since 1970: times in here are to be compared with it.
    now: Time
    #: Who made the wish that stands; null without one, or if that is not known.
    wished_by: Seat | None = None
    #: Whether the seat holds the wished rank, can play it now and so must.
    wish_owed: bool = False


class HintFact(Wire, frozen=True, kw_only=True):
    """Something that is true of a play, for words of the game."""

    #: What is true; the other fields say of whom, of what and how many, as the code needs it.
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
    #: Whom it is about; null if nobody.
    seat: Seat | None = None
    #: Which cards it is about; empty if none.
    cards: tuple[Card, ...] = ()
    #: What it is about, such as what is beaten; null if nothing.
    combination: Combination | None = None
    #: Points, or how many cards; null if nothing is counted.
    count: int | None = None
