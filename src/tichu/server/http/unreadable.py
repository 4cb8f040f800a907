"""What is wrong with a message that cannot be read, without what was written there, which may be a secret."""

import re
from typing import Final

import msgspec

__all__ = ["unreadable_words"]

#: What stands in the place, and the place.
_SAID: Final = re.compile(r"(Invalid (?:enum )?value)\b.*?(?P<place> - at `\$[^`]*`)?", re.DOTALL)
#: A field that we do not know, under a name that cannot be one.
_NO_FIELD: Final = re.compile(
    r"Object contains unknown field `(?![A-Za-z]{1,20}`).*?`(?P<place> - at `\$[^`]*`)?", re.DOTALL
)


def unreadable_words(error: msgspec.MsgspecError) -> str:
    """The fact and the place; the name of a field is told if it may be one, its value never.

    >>> from tichu.server.wire.requests import NewPlayer
    >>> try:
    ...     msgspec.json.decode(b'{"kind": "my password"}', type=NewPlayer)
    ... except msgspec.MsgspecError as error:
    ...     unreadable_words(error)
    'Invalid enum value - at `$.kind`'
    """
    words = str(error)
    if value := _SAID.fullmatch(words):
        return f"{value[1]}{value['place'] or ''}"
    if field := _NO_FIELD.fullmatch(words):
        return f"Object contains an unknown field{field['place'] or ''}"
    return words
