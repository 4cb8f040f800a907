// What the CPU driver and the GPU kernel both do, so that their numbers can be compared.
#pragma once

#include "tichu/playout.hpp"
#include "tichu/presets.hpp"

namespace tichu {

struct GameSum {
    std::uint64_t checksum;  // every state of the round folded into one number
    std::uint32_t steps;
};

TICHU_HD inline GameSum sum_of_game(Rules rules, std::uint64_t seed, std::uint64_t game) {
    Rng rng = rng_for(seed, game, 0);
    State state;
    start_shuffled_round(state, rng, rules.in_sequence(), 0);
    GameSum sum{0, 0};
    for (apply_automatic(state); !state.is_over(); ++sum.steps) {
        random_step(state, rng);
        sum.checksum = folded(sum.checksum, state);
    }
    const Score score = score_of(state);
    sum.checksum = mixed(sum.checksum ^ static_cast<std::uint16_t>(score.teams[0]));
    sum.checksum = mixed(sum.checksum ^ static_cast<std::uint16_t>(score.teams[1]));
    return sum;
}

}  // namespace tichu
