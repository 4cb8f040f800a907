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

    id: CommandId
    #: The version that the client had seen; a play that was made for an older trick is refused.
    version: int | None = None


class DeclaredCombo(Wire, frozen=True, kw_only=True):
    """How the cards are meant; only what the Phoenix leaves open must be said."""

    type: ComboType | None = None
    high_rank: str | None = None
    length: int | None = None
    #: ``s``, ``b``, ``g``, ``r``, or ``♠``, ``♦``, ``♣``, ``♥``.
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

    left: Card | None = None
    partner: Card | None = None
    right: Card | None = None


class ConfirmExchange(Command, frozen=True, kw_only=True, tag="TICHU.CONFIRM_EXCHANGE"):
    """Give the three cards of the draft, or these."""

    left: Card | None = None
    partner: Card | None = None
    right: Card | None = None


class PlayCards(Command, frozen=True, kw_only=True, tag="TICHU.PLAY_CARDS"):
    """Play a combination in turn."""

    cards: CardList
    declared_combo: DeclaredCombo | None = None


class PlayBomb(Command, frozen=True, kw_only=True, tag="TICHU.PLAY_BOMB"):
    """Play a bomb, in or out of turn."""

    cards: CardList
    declared_combo: DeclaredCombo | None = None


class Pass(Command, frozen=True, kw_only=True, tag="TICHU.PASS"):
    """Play nothing this turn."""


class DeclineBomb(Command, frozen=True, kw_only=True, tag="TICHU.DECLINE_BOMB"):
    """Asked (``bombs=ordered``), and do not bomb (ours)."""


class Wish(Command, frozen=True, kw_only=True, tag="TICHU.WISH"):
    """Name the rank wished for after the Mah Jong (ours, for a play without ``wishRank``)."""

    wish_rank: RankInput | Literal["NONE"]


class DragonDonate(Command, frozen=True, kw_only=True, tag="TICHU.DRAGON_DONATE"):
    """Give the Dragon's trick to an opponent, named by seat."""

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

    seat: Seat
    name: Name = ""


class Stand(Command, frozen=True, kw_only=True, tag="TABLE.STAND"):
    """Leave your seat; during a game a bot plays on until somebody sits down."""


class Swap(Command, frozen=True, kw_only=True, tag="TABLE.SWAP"):
    """Exchange two seats before the game; a player moves their own seat, the host any."""

    first: Seat
    second: Seat


class PutBot(Command, frozen=True, kw_only=True, tag="TABLE.PUT_BOT"):
    """The host puts a bot into a seat that no person holds."""

    seat: Seat
    bot: Annotated[str, Meta(max_length=40)]


class Remove(Command, frozen=True, kw_only=True, tag="TABLE.REMOVE"):
    """The host empties a seat."""

    seat: Seat


class ChangeSettings(Command, frozen=True, kw_only=True, tag="TABLE.CHANGE_SETTINGS"):
    """The host changes what is played next, before a game or after it; a given deal or position stays as it is."""

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

    seat: Seat


class StandIn(Command, frozen=True, kw_only=True, tag="TABLE.STAND_IN"):
    """Let a bot take the decisions of an absent person until they are back."""

    seat: Seat


class Wait(Command, frozen=True, kw_only=True, tag="TABLE.WAIT"):
    """Hold the bomb window open, seen by everybody."""


class SetPace(Command, frozen=True, kw_only=True, tag="TABLE.PACE"):
    """Have the bots decide faster or slower: for the host, or whoever plays with bots alone.

    The time for bombs stays what it was when the table was made.
    """

    #: A factor of a usual pace.
    pace: Annotated[float, Meta(ge=0.25, le=3)]


class SetAvatar(Command, frozen=True, kw_only=True, tag="TABLE.AVATAR"):
    """Choose the picture at your seat, or none."""

    avatar: AvatarChoice | None = None


class AutoPass(Command, frozen=True, kw_only=True, tag="TABLE.AUTO_PASS"):
    """Pass without being asked, this turn or this trick, as far as a wish allows."""

    until: Literal["off", "turn", "trick"]


class CommitNonce(Command, frozen=True, kw_only=True, tag="TABLE.COMMIT_NONCE"):
    """The hash of the player's share in the shuffle, given after the table has committed itself."""

    #: ``tichu.core.fairness`` says how it is made.
    commitment: Annotated[str, Meta(pattern=r"^[0-9a-f]{64}(?!\n)$")]


class Nonce(Command, frozen=True, kw_only=True, tag="TABLE.NONCE"):
    """The player's share in the shuffle, hexadecimal: opens a commitment once the set of them is fixed.

    A program that knows no commitments gives it before; then the deal is not proved for its seat.
    """

    nonce: Annotated[str, Meta(pattern=r"^[0-9a-f]{1,64}(?!\n)$")]


class Say(Command, frozen=True, kw_only=True, tag="TABLE.SAY"):
    """Say something to everybody at the table."""

    text: Annotated[str, Meta(min_length=1, max_length=280)]


class Emote(Command, frozen=True, kw_only=True, tag="TABLE.EMOTE"):
    """One of the fixed emotes."""

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

    table: Annotated[str, Meta(max_length=40)]
    #: What an earlier welcome gave; without it the server makes a new player.
    token: Annotated[str, Meta(max_length=64)] | None = None
    name: Name = ""
    since: int | None = None


class Ping(_Said, frozen=True, kw_only=True, tag="ping"):
    """Asks whether the server is there."""


class Check(_Said, frozen=True, kw_only=True, tag="check"):
    """Asks what these cards can be played as now."""

    id: CommandId
    cards: CardList


class Hint(_Said, frozen=True, kw_only=True, tag="hint"):
    """Asks what a bot would do.  Only at casual tables."""

    id: CommandId


FromClient = Hello | Ping | Check | Hint | Action | TableCommand
