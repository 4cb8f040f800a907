"""What a page hears from its socket, and which cards are in it."""

import json
import re
from collections.abc import Iterator
from typing import Any, Final

from playwright.async_api import WebSocket

from tichu.core.cards import cards_of, format_card, parse_cards

__all__ = ["Frames", "hands_of"]

_CARD: Final = re.compile("[2-9TJQKA][sbgr]|Ma|Do|Ph|Dr")
#: Chosen by people or drawn by lot, so that they may look like cards.
_NAMES: Final = frozenset(
    {"code", "commit", "commitments", "game", "host", "id", "message", "name", "nonces", "player", "token"}
)


def hands_of(deal: str) -> list[set[str]]:
    """All cards of every seat before the exchange."""
    return [
        {format_card(card) for part in hand.split("+") for card in cards_of(parse_cards(part))}
        for hand in deal.split(" / ")
    ]


class Frames:
    """Everything that the sockets of a page receive, over all its connections."""

    def __init__(self) -> None:
        self.heard: list[Any] = []
        self.connections = 0

    def listen(self, socket: WebSocket) -> None:
        """Hear one more socket."""
        self.connections += 1
        socket.on("framereceived", lambda frame: self.heard.append(json.loads(frame)))

    def plays(self) -> list[tuple[int, tuple[str, ...]]]:
        """Who has played what, in order."""
        acted = [event for message in self.heard for event in _events(message) if event["type"] == "acted"]
        return [(event["seat"], tuple(event["combination"]["cards"])) for event in acted if event["what"] == "play"]

    def secrets(self, own: set[str]) -> list[tuple[set[str], Any]]:
        """Cards that are neither own nor played, with the message that had them, until the round is over."""
        known = set(own)
        found = []
        for message in self.heard:
            events = list(_events(message))
            if any(event["type"] == "round_over" for event in events):
                break
            for event in events:
                if event["type"] == "acted" and event["what"] == "play":
                    known.update(event["combination"]["cards"])
            if told := set(_cards_in(message)) - known:
                found.append((told, message))
        return found


def _events(message: Any) -> Iterator[Any]:
    for missed in message.get("missed", ()):
        yield missed["event"]
    if message["type"] == "event":
        yield message["event"]


def _cards_in(part: Any) -> Iterator[str]:
    match part:
        case str():
            yield from _CARD.findall(part)
        case list():
            for one in part:
                yield from _cards_in(one)
        case dict():
            for key, one in part.items():
                if key not in _NAMES:
                    yield from _cards_in(one)
