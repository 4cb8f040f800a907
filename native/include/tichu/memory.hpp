// What a seat remembers beyond the observation, as src/tichu/agents/learned/memory.py writes it.
#pragma once

#include "encoding.hpp"

namespace tichu {

inline constexpr int PASSED_KINDS = 6;  // single, pair, triple, full house, straight, stairs of any width
inline constexpr int SEAT_MEMORY = 4 + 13 + PASSED_KINDS;
inline constexpr int MEMORY_SIZE = 3 * SEAT_MEMORY + 2;

// All seats have seen the same.
struct Memory {
    Cards played[4];
    std::uint8_t passed[4][PASSED_KINDS];  // 16 less the lowest rank that a seat did not beat, 0 without
};

// Called before the action is applied.
TICHU_HD inline void remember(Memory& memory, const State& state, int seat, const Action& action) {
    if (action.act == Act::PLAY) memory.played[seat] |= action.combo.cards;
    const int kind = static_cast<int>(state.top_kind);
    const bool by_opponent = state.has_top() && ((seat ^ state.owner) & 1);
    const bool tells = kind < static_cast<int>(Kind::FOUR) && state.top_cards != PHOENIX_BIT;
    if (action.act != Act::PASS || !by_opponent || !tells) return;
    const int stairs = static_cast<int>(Kind::STAIRS);
    std::uint8_t& passed = memory.passed[seat][(kind < stairs ? kind : stairs) - 1];
    const auto strength = static_cast<std::uint8_t>(16 - state.top_rank);
    if (strength > passed) passed = strength;
}

// The match, as the points that our team and the opponents lack of the goal; without a goal, as at the start of one.
TICHU_HD inline std::uint8_t lacking(std::uint32_t goal, int score) {
    const int points = goal ? static_cast<int>(goal) - score : 1000;
    const int steps = points < 0 ? 0 : points / 25;
    return static_cast<std::uint8_t>(steps > 60 ? 60 : steps);
}

TICHU_HD inline void write_memory(const Memory& memory, int seat, std::uint32_t goal, const int* scores,
                                  std::uint8_t* into) {
    for (int distance = 1; distance < 4; ++distance) {
        const int other = (seat + distance) & 3;
        const Cards cards = memory.played[other];
        for (int special = 0; special < 4; ++special) *into++ = cards >> special & 1;
        for (int rank = 0; rank < 13; ++rank) {
            *into++ = static_cast<std::uint8_t>(count_bits(cards >> (4 + 4 * rank) & 15));
        }
        for (int kind = 0; kind < PASSED_KINDS; ++kind) *into++ = memory.passed[other][kind];
    }
    *into++ = lacking(goal, scores[seat & 1]);
    *into++ = lacking(goal, scores[1 - (seat & 1)]);
}

}  // namespace tichu
