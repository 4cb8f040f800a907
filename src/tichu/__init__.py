"""Tichu: the rules, a notation, records and real games, bots.

The names here are the public library, and beside them what ``tichu.agents``, ``tichu.arena``, ``tichu.kernel`` and
``tichu.formats.bsw`` export; everything else may change without notice.
"""

from tichu.core.actions import (
    Action,
    CallGrand,
    CallTichu,
    DeclineBomb,
    DeclineGrand,
    Exchange,
    Pass,
    Take,
    Wish,
    format_action,
    parse_action,
)
from tichu.core.cards import (
    DOG,
    DRAGON,
    HIDDEN,
    MAH_JONG,
    PHOENIX,
    Card,
    Cards,
    cards_of,
    format_card,
    format_cards,
    parse_card,
    parse_cards,
    points_of,
    rank_of,
    suit_of,
)
from tichu.core.combos import Combo, Kind, format_combo, parse_combo, readings
from tichu.core.deals import Deal, deal_in_order, format_deal, parse_deal, shuffled_deal
from tichu.core.errors import GameError, IllegalAction, NotationError, Reason, RulesError
from tichu.core.fairness import check_record, commit_of, committed_deal, fair_deal, nonce_commit_of
from tichu.core.game import Game
from tichu.core.legal import Legal
from tichu.core.match import Match
from tichu.core.perft import perft
from tichu.core.phases import Call, Phase
from tichu.core.plays import bombs, leads, plays
from tichu.core.position import format_position, format_view, parse_position, parse_view
from tichu.core.record import (
    Reading,
    Record,
    RoundRecord,
    format_jsonl,
    format_record,
    parse_record,
    read_jsonl,
    read_record,
    replay,
)
from tichu.core.round import Round
from tichu.core.rules import PRESETS, STANDARD, Goal, Rules
from tichu.core.scoring import Outcome
from tichu.core.view import View
from tichu.formats.reading import read_game, read_games

__version__ = "0.1.0"

__all__ = [
    "DOG",
    "DRAGON",
    "HIDDEN",
    "MAH_JONG",
    "PHOENIX",
    "PRESETS",
    "STANDARD",
    "Action",
    "Call",
    "CallGrand",
    "CallTichu",
    "Card",
    "Cards",
    "Combo",
    "Deal",
    "DeclineBomb",
    "DeclineGrand",
    "Exchange",
    "Game",
    "GameError",
    "Goal",
    "IllegalAction",
    "Kind",
    "Legal",
    "Match",
    "NotationError",
    "Outcome",
    "Pass",
    "Phase",
    "Reading",
    "Reason",
    "Record",
    "Round",
    "RoundRecord",
    "Rules",
    "RulesError",
    "Take",
    "View",
    "Wish",
    "bombs",
    "cards_of",
    "check_record",
    "commit_of",
    "committed_deal",
    "deal_in_order",
    "fair_deal",
    "format_action",
    "format_card",
    "format_cards",
    "format_combo",
    "format_deal",
    "format_jsonl",
    "format_position",
    "format_record",
    "format_view",
    "leads",
    "nonce_commit_of",
    "parse_action",
    "parse_card",
    "parse_cards",
    "parse_combo",
    "parse_deal",
    "parse_position",
    "parse_record",
    "parse_view",
    "perft",
    "plays",
    "points_of",
    "rank_of",
    "read_game",
    "read_games",
    "read_jsonl",
    "read_record",
    "readings",
    "replay",
    "shuffled_deal",
    "suit_of",
]
