// The decisions that the table takes (§5.3, §10), as in tichu/core/automation.py and Round.automatic.
#pragma once

#include "legal.hpp"

namespace tichu {

inline constexpr int CALL_THRESHOLD = 85;

// How strong fourteen cards are; above CALL_THRESHOLD the table calls.
TICHU_HD inline int rating(Cards hand) {
    int worth = 10 * static_cast<int>(hand >> MAH_JONG & 1) - 12 * static_cast<int>(hand >> DOG & 1) +
                45 * static_cast<int>(hand >> PHOENIX & 1) + 45 * static_cast<int>(hand >> DRAGON & 1);
    const std::uint64_t counts = counts_of(hand);
    worth += 26 * nibble_of(counts, 14) + 11 * nibble_of(counts, 13) + 3 * nibble_of(counts, 12);
    worth += 40 * count_bits(at_least(4, counts));
    int length = 0, alone = 0;
    for (int rank = 2; rank <= 15; ++rank) {
        const int count = rank <= ACE ? nibble_of(counts, rank) : 0;
        if (count) {
            ++length;
            if (count == 1 && rank < 11) alone += 11 - rank;
            continue;
        }
        // Five in a row leave in one turn; otherwise a card alone in its rank costs, the more the lower it is.
        if (length < 5) worth -= 3 * alone;
        length = alone = 0;
    }
    return worth;
}

// §10.1: whether the table may call for a seat now.
TICHU_HD inline bool table_may_call(const State& state, int seat) {
    return state.call(seat) == Call::NO_CALL && state.call(partner_of(seat)) == Call::NO_CALL;
}

struct Decision {
    int seat;  // -1: none
    Action action;
};

// The decision that the table itself takes now, if any: apply it before asking anybody.
TICHU_HD inline Decision automatic(const State& state) {
    const Rules rules = state.rules;
    if (rules.calls_are_automatic()) {
        if (state.phase == Phase::GRAND) return Decision{state.first_pending(), action_of(Act::DECLINE_GRAND)};
        // Before the first lead no card is played.
        if (state.phase == Phase::PLAY && !state.played()) {
            int seat = state.first_pending();
            for (int other = 0; other < 4; ++other) {
                if (table_may_call(state, seat) && rating(state.hands[seat]) > CALL_THRESHOLD) {
                    return Decision{seat, action_of(Act::CALL_TICHU)};
                }
                seat = rules.next_seat(seat);
            }
        }
    }
    if (state.phase == Phase::TAKE && (rules.bombs() == Bombs::IN_TURN || state.out_count == 3)) {
        const int seat = state.first_pending();
        if (!state.is_dragon_trick()) return Decision{seat, action_of(Act::TAKE, NONE)};
        if (rules.dragon_is_automatic()) {
            return Decision{seat, action_of(Act::TAKE, recipients_of(state, seat).first)};
        }
    }
    return Decision{-1, action_of(Act::NOTHING)};
}

}  // namespace tichu
