"""What is true of a table only now, for a server that goes on with it: durations, because clocks differ.

A crash loses it: windows then begin anew in full and reserves are as stored.  Commands that wait for the end of a
window are not in it: nobody was told anything of them, and whoever sent one repeats it by its id.
"""

import msgspec

__all__ = ["AttendanceLeft", "Handover", "SeatClock", "decode_handover", "encode_handover"]


class SeatClock(msgspec.Struct, frozen=True, omit_defaults=True):
    """What is left of the time for a decision, below 0 when the reserve is being used, and of both together."""

    seat: int
    left: float
    reserve_left: float


class AttendanceLeft(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """Who is away from a rated match."""

    #: By seat: seconds away that are not in the log.
    away: dict[int, float] = {}
    #: Who need not be there yet, and for how long after the first who comes.
    excused: tuple[str, ...] = ()
    excused_left: float = 0.0


class Handover(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """Seconds that have passed and seconds that are left; another version may know more or less."""

    #: Of the bomb window, if one is open.
    window_passed: float | None = None
    window_left: float | None = None
    clocks: tuple[SeatClock, ...] = ()
    #: By seat: until when it passes by itself.
    auto_pass: dict[int, str] = {}
    #: Since the wait for the next round began, and since the set of commitments was fixed.
    waited: float = 0.0
    fixed: float = 0.0
    #: Absent if an earlier version has written it.
    attendance: AttendanceLeft | None = None


_DECODER = msgspec.json.Decoder(Handover)


def encode_handover(handover: Handover) -> bytes:
    """As it is kept for the moment."""
    return msgspec.json.encode(handover)


def decode_handover(data: bytes) -> Handover | None:
    """What the former owner has left, None if it cannot be read: then everything begins anew.

    >>> decode_handover(encode_handover(Handover(waited=2.5))).waited
    2.5
    >>> decode_handover(b"?") is None
    True
    """
    try:
        return _DECODER.decode(data)
    except msgspec.MsgspecError:
        return None
