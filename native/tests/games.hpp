// What the CPU driver and the GPU kernel both do, so that their numbers can be compared.
#pragma once

#include "tichu/encoding.hpp"
#include "tichu/playout.hpp"
#include "tichu/presets.hpp"

namespace tichu {

struct GameSum {
    std::uint64_t checksum;  // every state of the round and its encoding folded into one number
    std::uint32_t steps;
};

// What the seat that decides is shown, what it may do, and what one of the numbers does.
TICHU_HD inline std::uint64_t folded_encoding(std::uint64_t checksum, const State& state) {
    const int seat = state.first_pending();
    const int scores[2] = {105, -35};
    Mask mask;
    std::uint8_t observation[OBSERVATION_SIZE];
    write_mask(state, seat, no_picks(), mask);
    write_observation(state, seat, no_picks(), scores, observation);
    for (const std::uint64_t word : mask.words) checksum = mixed(checksum ^ word);
    for (const std::uint8_t byte : observation) checksum = 31 * checksum + byte;
    const int number = mask.nth(static_cast<int>(checksum % static_cast<unsigned>(mask.count())));
    const bool is_pick = number >= PICKING && number < SINGLES;
    return mixed(checksum ^
                 (is_pick ? decode_pick(state, seat, no_picks(), number) : pack(decode(state, seat, number))));
}

TICHU_HD inline GameSum sum_of_game(Rules rules, std::uint64_t seed, std::uint64_t game) {
    Rng rng = rng_for(seed, game, 0);
    State state;
    start_shuffled_round(state, rng, rules.in_sequence(), 0);
    GameSum sum{0, 0};
    for (apply_automatic(state); !state.is_over(); ++sum.steps) {
        sum.checksum = folded_encoding(sum.checksum, state);
        random_step(state, rng);
        sum.checksum = folded(sum.checksum, state);
    }
    const Score score = score_of(state);
    sum.checksum = mixed(sum.checksum ^ static_cast<std::uint16_t>(score.teams[0]));
    sum.checksum = mixed(sum.checksum ^ static_cast<std::uint16_t>(score.teams[1]));
    return sum;
}

}  // namespace tichu
