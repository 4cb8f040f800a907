// Deals and the start of a round (§2.1).
#pragma once

#include "rng.hpp"
#include "transition.hpp"

namespace tichu {

// A round before its first decision: eight cards in the hands and six to come.
TICHU_HD inline void start_round(State& state, const Cards eights[4], const Cards sixes[4], Rules rules,
                                 std::uint32_t goal) {
    for (int seat = 0; seat < 4; ++seat) {
        state.hands[seat] = eights[seat];
        state.later[seat] = sixes[seat];
        state.points[seat] = 0;
        for (int gift = 0; gift < 3; ++gift) state.given[seat][gift] = NONE;
        state.unused[seat] = 0;
    }
    state.clear_table();
    state.goal = goal;
    state.rules = rules;
    state.phase = Phase::GRAND;
    state.pending = 15;
    state.actor = NONE;
    state.wish = 0;
    state.calls = 0;
    for (int place = 0; place < 3; ++place) state.out[place] = NONE;
    state.out_count = 0;
    if (!rules.has_grand()) deal_the_rest(state);
}

// Shuffle the cards 0 to 55 from the last down, then deal eight to each seat and six to each.
TICHU_HD inline void start_shuffled_round(State& state, Rng& rng, Rules rules, std::uint32_t goal) {
    Card cards[56];
    for (int card = 0; card < 56; ++card) cards[card] = static_cast<Card>(card);
    for (int place = 55; place > 0; --place) {
        const auto other = rng.below(static_cast<std::uint32_t>(place) + 1);
        const Card card = cards[place];
        cards[place] = cards[other];
        cards[other] = card;
    }
    Cards eights[4] = {0, 0, 0, 0}, sixes[4] = {0, 0, 0, 0};
    for (int seat = 0; seat < 4; ++seat) {
        for (int place = 0; place < 8; ++place) eights[seat] |= bit(cards[8 * seat + place]);
        for (int place = 0; place < 6; ++place) sixes[seat] |= bit(cards[32 + 6 * seat + place]);
    }
    start_round(state, eights, sixes, rules, goal);
}

}  // namespace tichu
