"""The taste of the heuristic bot: the numbers worth arguing about, in turns unless said otherwise.

They were found by playing variants against each other on the same deals (``tools/tune_heuristic.py``).
"""

from dataclasses import dataclass

__all__ = ["DEFAULT", "Weights"]


@dataclass(frozen=True, slots=True)
class Weights:
    """What things are worth."""

    # How much of a turn a sure winner of each kind gives back; singles and pairs also take the lead from others.
    single_control: float = 1.75
    pair_control: float = 1.5
    triple_control: float = 1.15
    full_house_control: float = 1.3
    straight_control: float = 1.05
    stairs_control: float = 1.1
    #: The cost of a bomb in hand: it takes the lead whenever it likes.
    bomb: float = -1.1
    #: The Dog wins nothing, but it hands the lead to the partner.
    dog: float = 0.65
    #: The chance that one higher single that is out does not come.
    single_holds: float = 0.76
    #: The chance that the Phoenix wins when kept for the right moment.
    phoenix_chance: float = 0.80

    #: Winning a trick.
    lead: float = 0.95
    #: Not spending a card on an opponent's trick.
    hold_back: float = 0.15
    #: Leaving a trick to the partner.
    partner_holds: float = 0.85
    #: One card point.
    point: float = 0.012
    #: Beating an opponent who called.
    stop_caller: float = 0.6
    #: Handing the lead to a partner who called.
    support: float = 2.0
    #: Keeping an opponent with one, two or three cards from the lead.
    block_one: float = 1.6
    block_two: float = 1.0
    block_three: float = 0.5
    #: Leading as many cards as an opponent about to go out holds.
    feed_one: float = 1.3
    feed_two: float = 0.7
    #: Leading what a partner about to go out could use.
    feed_partner: float = 0.5
    #: Each card that a lead gets rid of.
    card: float = 0.02
    #: Keeping a bomb when asked.
    keep_bomb: float = 0.2

    # What the giver thinks of.
    generosity: float = 1.6
    generosity_strong: float = 0.4
    strong: float = 1.0
    harm: float = 1.3

    # The chances to be first from which it calls, and what an opponent's call adds.
    tichu_chance: float = 0.485
    grand_chance: float = 0.46
    against_caller: float = 0.1


DEFAULT = Weights()
