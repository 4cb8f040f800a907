// What a round is worth to each team (§8).
#pragma once

#include "state.hpp"

namespace tichu {

struct Score {
    std::int16_t teams[2];  // 0+2, then 1+3
};

// §8.2, §8.4, §8.5: count a round that is over.
TICHU_HD inline Score score_of(const State& state) {
    int won[2] = {0, 0};
    const int first = state.out[0];
    if (state.is_double_victory()) {
        won[first & 1] = 200;
    } else {
        const int last = 6 - state.out[0] - state.out[1] - state.out[2];
        // §8.4: the last player's tricks go to the first, the cards left to the other team.
        for (int seat = 0; seat < 4; ++seat) won[(seat == last ? first : seat) & 1] += state.points[seat];
        won[1 - (last & 1)] += points_of(state.hands[last]);
    }
    for (int seat = 0; seat < 4; ++seat) {
        const int stake = 100 * static_cast<int>(state.call(seat));
        won[seat & 1] += seat == first ? stake : -stake;
    }
    return Score{{static_cast<std::int16_t>(won[0]), static_cast<std::int16_t>(won[1])}};
}

}  // namespace tichu
