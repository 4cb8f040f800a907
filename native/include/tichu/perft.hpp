// Counting what can happen, as in tichu/core/perft.py: at every step the lowest pending seat chooses.
#pragma once

#include "transition.hpp"

namespace tichu {

// How many sequences of `depth` actions there are; a round that ends sooner has none.  Host only: it recurses.
inline std::uint64_t perft(const State& state, int depth) {
    if (depth == 0) return 1;
    if (!state.pending) return 0;
    const int seat = state.first_pending();
    const Legal legal = legal_of(state, seat);
    if (depth == 1) return legal.count();
    std::uint64_t sequences = 0;
    auto follow = [&](const Action& action) {
        State next = state;
        apply(next, seat, action);
        sequences += perft(next, depth - 1);
    };
    each_action(state, seat, legal, follow);
    return sequences;
}

}  // namespace tichu
