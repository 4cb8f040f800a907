// Chance: one small generator per game, defined to the bit, so that host, device and Python draw the same.
//
// splitmix64: the state grows by a constant, the output is the state mixed.  A game's generator starts from the seed,
// the number of the game and the number of the round alone, so nothing depends on batch sizes or threads.
#pragma once

#include "cards.hpp"

namespace tichu {

TICHU_HD inline std::uint64_t mixed(std::uint64_t word) {
    word = (word ^ word >> 30) * 0xBF58476D1CE4E5B9;
    word = (word ^ word >> 27) * 0x94D049BB133111EB;
    return word ^ word >> 31;
}

inline constexpr std::uint64_t GOLDEN = 0x9E3779B97F4A7C15;

struct Rng {
    std::uint64_t state;

    TICHU_HD std::uint64_t next() { return mixed(state += GOLDEN); }

    // A number below `limit`, by the upper half of the next word.
    TICHU_HD std::uint32_t below(std::uint32_t limit) {
        return static_cast<std::uint32_t>((next() >> 32) * limit >> 32);
    }
};

TICHU_HD inline Rng rng_for(std::uint64_t seed, std::uint64_t game, std::uint64_t round) {
    return Rng{mixed(mixed(mixed(seed + GOLDEN) ^ game) ^ round)};
}

}  // namespace tichu
