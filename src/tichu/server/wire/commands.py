"""What clients say."""

from typing import Annotated, Literal

from msgspec import Meta, Struct

from tichu.server.wire.parts import (
    AvatarChoice,
    Card,
    CardList,
    ComboType,
    CommandId,
    EmoteName,
    Name,
    RankInput,
    Seat,
    Wire,
)
from tichu.server.wire.settings import Settings

__all__ = [
    "Action",
    "Assist",
    "AutoPass",
    "ChangeSettings",
    "Check",
    "Command",
    "CommitNonce",
    "ConfirmExchange",
    "DeclareGrandTichu",
    "DeclareTichu",
    "DeclaredCombo",
    "DeclineBomb",
    "DeclineGrandTichu",
    "DragonDonate",
    "Emote",
    "FromClient",
    "Hello",
    "Hint",
    "Nonce",
    "Pass",
    "Pause",
    "Ping",
    "PlayBomb",
    "PlayCards",
    "PutBot",
    "Ready",
    "Remove",
    "Resume",
    "Say",
    "SelectExchange",
    "SetAvatar",
    "SetPace",
    "Sit",
    "Stand",
    "StandIn",
    "Start",
    "Swap",
    "TableCommand",
    "Wait",
    "Wish",
]


class _Said(Struct, frozen=True, kw_only=True, rename="camel", tag_field="type", forbid_unknown_fields=True):
    """What a client says."""


class Command(_Said, frozen=True, kw_only=True):
    """Something that changes the table.  It is acknowledged when it is stored, or refused with a reason."""

    #: Chosen by the client and unique for the player; a repeat is answered again and changes nothing.
    id: CommandId
    #: The version that the client had seen; a play that was made for an older trick is refused.  Null: not told.
    version: int | None = None


class DeclaredCombo(Wire, frozen=True, kw_only=True):
    """How the cards are meant; only what the Phoenix leaves open must be said."""

    #: Which kind of combination; null leaves it to the cards, as in all fields of this.
    type: ComboType | None = None
    #: The rank as ``rank`` of a combination has it; a ten is ``T`` or ``10``.
    high_rank: str | None = None
    #: How many cards, the Phoenix among them.
    length: int | None = None
    #: Of a straight flush: ``s``, ``b``, ``g``, ``r``, or ``♠``, ``♦``, ``♣``, ``♥``.
    suit: str | None = None
    #: The rank that the Phoenix stands for.
    phoenix_as: RankInput | None = None
    #: The wish that comes with the Mah Jong; ``NONE`` wishes for nothing, absent leaves it to ``TICHU.WISH``.
    wish_rank: RankInput | Literal["NONE"] | None = None


class DeclareGrandTichu(Command, frozen=True, kw_only=True, tag="TICHU.DECLARE_GRAND_TICHU"):
    """Call Grand Tichu on eight cards."""


class DeclineGrandTichu(Command, frozen=True, kw_only=True, tag="TICHU.DECLINE_GRAND_TICHU"):
    """Do not call Grand Tichu (ours: the other game lets the window run out)."""


class DeclareTichu(Command, frozen=True, kw_only=True, tag="TICHU.DECLARE_TICHU"):
    """Call Tichu."""


class SelectExchange(Command, frozen=True, kw_only=True, tag="TICHU.SELECT_EXCHANGE"):
    """Lay cards out for the exchange: a draft that only the seat itself sees."""

    #: The card for the seat to the left (the own number plus 1); null lays none there, or takes it back.
    left: Card | None = None
    #: The card for the partner (plus 2); null lays none there, or takes it back.
    partner: Card | None = None
    #: The card for the seat to the right (plus 3); null lays none there, or takes it back.
    right: Card | None = None


class ConfirmExchange(Command, frozen=True, kw_only=True, tag="TICHU.CONFIRM_EXCHANGE"):
    """Give the three cards of the draft, or these."""

    #: The card for the seat to the left (the own number plus 1); null for the one of the draft.
    left: Card | None = None
    #: The card for the partner (plus 2); null for the one of the draft.
    partner: Card | None = None
    #: The card for the seat to the right (plus 3); null for the one of the draft.
    right: Card | None = None


class PlayCards(Command, frozen=True, kw_only=True, tag="TICHU.PLAY_CARDS"):
    """Play a combination in turn."""

    #: All cards of the combination, in any order.
    cards: CardList
    #: Needed where the Phoenix leaves several readings, or to wish with the Mah Jong.
    declared_combo: DeclaredCombo | None = None


class PlayBomb(Command, frozen=True, kw_only=True, tag="TICHU.PLAY_BOMB"):
    """Play a bomb, in or out of turn."""

    #: All cards of the bomb, in any order.
    cards: CardList
    #: Never needed; what is said must be so.
    declared_combo: DeclaredCombo | None = None


class Pass(Command, frozen=True, kw_only=True, tag="TICHU.PASS"):
    """Play nothing this turn."""


class DeclineBomb(Command, frozen=True, kw_only=True, tag="TICHU.DECLINE_BOMB"):
    """Asked (``bombs=ordered``), and do not bomb (ours)."""


class Wish(Command, frozen=True, kw_only=True, tag="TICHU.WISH"):
    """Name the rank wished for after the Mah Jong (ours, for a play without ``wishRank``)."""

    #: ``NONE`` wishes for nothing, where the rules allow that.
    wish_rank: RankInput | Literal["NONE"]


class DragonDonate(Command, frozen=True, kw_only=True, tag="TICHU.DRAGON_DONATE"):
    """Give the Dragon's trick to an opponent, named by seat."""

    #: One of ``recipients`` of the view.
    to_opponent_player_id: Seat


Action = (
    DeclareGrandTichu
    | DeclineGrandTichu
    | DeclareTichu
    | SelectExchange
    | ConfirmExchange
    | PlayCards
    | PlayBomb
    | Pass
    | DeclineBomb
    | Wish
    | DragonDonate
)


class Sit(Command, frozen=True, kw_only=True, tag="TABLE.SIT"):
    """Take a free seat, or the seat of a bot where a person may join."""

    #: The seat to take.
    seat: Seat
    #: Shown at the table from now on; empty for the name that the player has.
    name: Name = ""


class Stand(Command, frozen=True, kw_only=True, tag="TABLE.STAND"):
    """Leave your seat; during a game a bot plays on until somebody sits down."""


class Swap(Command, frozen=True, kw_only=True, tag="TABLE.SWAP"):
    """Exchange two seats before the game or after it; a player moves their own seat, the host any.

    Whoever sits in the other seat is asked (``swapWith`` of the seat), and agrees with the same command.
    """

    #: One of the two seats; free ones can be swapped too.
    first: Seat
    #: The other of the two; the own seat with itself takes back what was asked for.
    second: Seat


class PutBot(Command, frozen=True, kw_only=True, tag="TABLE.PUT_BOT"):
    """The host puts a bot into a seat that no person holds."""

    #: A free one, or that of another bot.
    seat: Seat
    #: A name of ``/api/bots``.
    bot: Annotated[str, Meta(max_length=40)]


class Remove(Command, frozen=True, kw_only=True, tag="TABLE.REMOVE"):
    """The host empties a seat."""

    #: The seat to empty.
    seat: Seat


class ChangeSettings(Command, frozen=True, kw_only=True, tag="TABLE.CHANGE_SETTINGS"):
    """The host changes what is played next, before a game or after it; a given deal or position stays as it is."""

    #: All of them, not only what changes; what is left out has its default.
    settings: Settings


class Start(Command, frozen=True, kw_only=True, tag="TABLE.START"):
    """The host starts the game, or after its end a rematch."""


class Ready(Command, frozen=True, kw_only=True, tag="TABLE.READY"):
    """Go on to the next round, or after a game to a rematch.

    A round starts when all persons are ready or after a while, a rematch when all who are still there are ready.
    """


class Pause(Command, frozen=True, kw_only=True, tag="TABLE.PAUSE"):
    """The host stops clocks and bots."""


class Resume(Command, frozen=True, kw_only=True, tag="TABLE.RESUME"):
    """Go on after a pause."""


class Assist(Command, frozen=True, kw_only=True, tag="TABLE.ASSIST"):
    """Let a bot take the next decision of an absent person."""

    #: Whose decision is waited for.
    seat: Seat


class StandIn(Command, frozen=True, kw_only=True, tag="TABLE.STAND_IN"):
    """Let a bot take the decisions of an absent person until they are back."""

    #: Whose decisions a bot takes from now on.
    seat: Seat


class Wait(Command, frozen=True, kw_only=True, tag="TABLE.WAIT"):
    """Hold the bomb window open, seen by everybody."""


class SetPace(Command, frozen=True, kw_only=True, tag="TABLE.PACE"):
    """Have the bots decide faster or slower: for the host, or whoever plays with bots alone.

    The time for bombs stays what it was when the table was made.
    """

    #: A factor of the usual time: 0.5 takes half of it, 2 twice as long.
    pace: Annotated[float, Meta(ge=0.25, le=3)]


class SetAvatar(Command, frozen=True, kw_only=True, tag="TABLE.AVATAR"):
    """Choose the picture at your seat, or none."""

    #: The picture to show; null for none.
    avatar: AvatarChoice | None = None


class AutoPass(Command, frozen=True, kw_only=True, tag="TABLE.AUTO_PASS"):
    """Pass without being asked, this turn or this trick, as far as a wish allows."""

    #: ``turn``: once, ``trick``: until the trick is taken, ``off``: no longer.
    until: Literal["off", "turn", "trick"]


class CommitNonce(Command, frozen=True, kw_only=True, tag="TABLE.COMMIT_NONCE"):
    """The hash of the player's share in the shuffle, given after the table has committed itself."""

    #: SHA-256 in hexadecimal; ``tichu.core.fairness`` says of what.
    commitment: Annotated[str, Meta(pattern=r"^[0-9a-f]{64}(?!\n)$")]


class Nonce(Command, frozen=True, kw_only=True, tag="TABLE.NONCE"):
    """The player's share in the shuffle, hexadecimal: opens a commitment once the set of them is fixed.

    A program that knows no commitments gives it before; then the deal is not proved for its seat.
    """

    #: Drawn anew for every deal; what was committed to, if anything was.
    nonce: Annotated[str, Meta(pattern=r"^[0-9a-f]{1,64}(?!\n)$")]


class Say(Command, frozen=True, kw_only=True, tag="TABLE.SAY"):
    """Say something to everybody at the table."""

    #: What cannot be seen is left out of it.
    text: Annotated[str, Meta(min_length=1, max_length=280)]


class Emote(Command, frozen=True, kw_only=True, tag="TABLE.EMOTE"):
    """One of the fixed emotes."""

    #: Everybody sees it in their own language.
    emote: EmoteName


TableCommand = (
    Sit
    | Stand
    | Swap
    | PutBot
    | Remove
    | ChangeSettings
    | Start
    | Ready
    | Pause
    | Resume
    | Assist
    | StandIn
    | Wait
    | SetPace
    | SetAvatar
    | AutoPass
    | CommitNonce
    | Nonce
    | Say
    | Emote
)


class Hello(_Said, frozen=True, kw_only=True, tag="hello"):
    """The first message of a socket: which table, who, and the last version seen."""

    #: The id of the table.
    table: Annotated[str, Meta(max_length=40)]
    #: What an earlier welcome gave; without it the server makes a new player.
    token: Annotated[str, Meta(max_length=64)] | None = None
    #: The key of a seat link, which goes before the token; one that has ended changes nothing.
    key: Annotated[str, Meta(max_length=64)] | None = None
    #: For a new player, or a new name; empty keeps the name that the player has.  The name of an account is left out.
    name: Name = ""
    #: The last version seen: ``missed`` of the welcome begins after it.  Null asks for nothing missed.
    since: int | None = None
    #: What a browser has drawn by chance and kept, to tell when two players of a rated match sit at one; never stored.
    device: Annotated[str, Meta(max_length=40)] = ""


class Ping(_Said, frozen=True, kw_only=True, tag="ping"):
    """Asks whether the server is there."""


class Check(_Said, frozen=True, kw_only=True, tag="check"):
    """Asks what these cards can be played as now."""

    #: Chosen by the client; the answer has it again.
    id: CommandId
    #: Cards of the own hand, in any order.
    cards: CardList


class Hint(_Said, frozen=True, kw_only=True, tag="hint"):
    """Asks what a bot would do.  Only at casual tables."""

    #: Chosen by the client; the answer has it again.
    id: CommandId


FromClient = Hello | Ping | Check | Hint | Action | TableCommand
