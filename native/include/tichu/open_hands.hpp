// All four hands, for a critic that sees what no seat can see.
#pragma once

#include "encoding.hpp"

namespace tichu {

inline constexpr int HANDS_SIZE = 28;  // four sets of 56 bits

// By distance from the seat, with suits numbered as the seat does.  Before the exchange they include the cards still to
// be dealt, during it the gifts chosen so far have changed hands.
TICHU_HD inline void write_hands(const State& state, const Picks& picks, int seat, std::uint8_t* into) {
    Cards hands[4];
    for (int other = 0; other < 4; ++other) hands[other] = state.hands[other] | state.later[other];
    for (int giver = 0; state.phase == Phase::EXCHANGE && giver < 4; ++giver) {
        const bool chosen = state.given[giver][0] != NONE;
        const Card* gifts = chosen ? state.given[giver] : picks.cards;
        if (!chosen && giver != seat) continue;
        for (int gift = 0; gift < 3; ++gift) {
            if (gifts[gift] == NONE) continue;
            hands[giver] &= ~bit(gifts[gift]);
            hands[(giver + gift + 1) & 3] |= bit(gifts[gift]);
        }
    }
    const Order order = suit_order(seen_cards(state, seat, picks), state.rules);
    for (int distance = 0; distance < 4; ++distance) {
        const Cards cards = arranged(hands[(seat + distance) & 3], order);
        for (int part = 0; part < 7; ++part) into[7 * distance + part] = static_cast<std::uint8_t>(cards >> 8 * part);
    }
}

}  // namespace tichu
