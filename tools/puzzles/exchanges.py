"""The exchanges that the learned bot thinks of, with their chances."""

import numpy as np

from tichu.agents.learned.features import encode_row
from tichu.agents.learned.mirror import mirror_action, mirror_view
from tichu.agents.learned.network import champion
from tichu.core.actions import Action, Exchange
from tichu.core.cards import Card
from tichu.core.view import View
from tichu.encoding import decode_pick, legal_numbers
from tichu.encoding.numbering import CALLING_TICHU


def likely_exchanges(view: View, least: float, fewest: int) -> list[tuple[Action, float]]:
    """Exchanges with a chance of at least this, or at least so many; the likeliest first."""
    is_mirrored = view.rules.direction == "cw"
    seen = mirror_view(view) if is_mirrored else view
    open_picks: list[tuple[tuple[Card, ...], float]] = [((), 1.0)]
    for _ in range(3):
        numbers = [sorted(legal_numbers(seen, picks) - {CALLING_TICHU}) for picks, _ in open_picks]
        rows = np.stack([encode_row(seen, picks) for picks, _ in open_picks])
        answers = champion().scores_together(rows, [np.array(each) for each in numbers])
        further = []
        for (picks, chance), each, (scores, _) in zip(open_picks, numbers, answers, strict=True):
            weights = np.exp(scores - scores.max())
            for number, share in zip(each, (weights / weights.sum()).tolist(), strict=True):
                further.append(((*picks, decode_pick(number, seen, picks)), chance * share))
        further.sort(key=lambda pair: -pair[1])
        open_picks = [pair for place, pair in enumerate(further) if place < fewest or pair[1] >= least]
    found: list[tuple[Action, float]] = [(Exchange(*picks), chance) for picks, chance in open_picks]
    if is_mirrored:
        found = [(mirror_action(action), chance) for action, chance in found]
    return found
