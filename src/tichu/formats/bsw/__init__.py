"""Logs of BrettspielWelt (``.tch``), read and written.

A log tells the hands, the exchange and every play and pass, but leaves some things to the reader: a pass by the owner
of a complete trick takes it, an owner who is out takes it without a line, no line for the wish is no wish, and where
the Phoenix stands in a play tells what it is - but for ``A A Ph 9 9``, which is read so that the rest of the round is
legal.  Notes say what the reader had to choose or to leave out.

``Reading.record()`` keeps the layout of a log in tags, as far as it does not follow from the game, so that writing
gives the same file again, but for doubled lines, also by way of ``.ttn`` or JSON lines:

``[Tch "crlf" "no-newline"]``
    The lines of the file end in CR LF; its last line has no end.
``[Tch3 "bs///gs" "sgb/rb/..." "bs//gr" "12-" "80+Wunsch:4"]``
    Round 3.  The first three values are orders of suits where there are several cards of one rank: by seat in the
    first eight cards, by seat in all fourteen, and by play for those plays where there is a choice.  ``p`` is the
    Phoenix; nothing between slashes is the usual order, Phoenix, s, b, g, r.  The other values are edits of the lines,
    counted from 1 in the round: ``12-`` line 12 is missing, ``12=text`` it is another, ``12+text`` this one comes
    before it; ``{2}`` in them is the name of seat 2.  ``12@2 Cho``: all edits made, seat 2 is called Cho from line 12
    on.

A record without these tags is written in the usual order and without edits.
"""

from tichu.formats.bsw.export import can_express, format_tch
from tichu.formats.bsw.reading import read_tch

__all__ = ["can_express", "format_tch", "read_tch"]
