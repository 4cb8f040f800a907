// The other direction of play, as src/tichu/agents/learned/mirror.py has it: networks have played counterclockwise only
// (§1.2), and where play goes clockwise they are shown the table in a mirror.
#pragma once

#include <utility>

#include "memory.hpp"

namespace tichu {

TICHU_HD inline int across(int seat) { return seat == NONE ? seat : -seat & 3; }

TICHU_HD inline std::uint8_t mirrored_bits(unsigned bits, int each) {
    const unsigned seat = (1u << each) - 1, ends = seat | seat << 2 * each;
    const unsigned one = bits >> each & seat, three = bits >> 3 * each & seat;
    return static_cast<std::uint8_t>((bits & ends) | three << each | one << 3 * each);
}

// Seats 1 and 3 have changed places.
inline State mirrored(State state) {
    std::swap(state.hands[1], state.hands[3]);
    std::swap(state.later[1], state.later[3]);
    std::swap(state.points[1], state.points[3]);
    std::swap(state.given[1], state.given[3]);
    for (auto& gifts : state.given) std::swap(gifts[0], gifts[2]);
    state.pending = mirrored_bits(state.pending, 1);
    state.calls = mirrored_bits(state.calls, 2);
    state.owner = static_cast<std::uint8_t>(across(state.owner));
    state.actor = static_cast<std::uint8_t>(across(state.actor));
    for (std::uint8_t& seat : state.out) seat = static_cast<std::uint8_t>(across(seat));
    state.rules.bits ^= 1;
    return state;
}

inline Memory mirrored(Memory memory) {
    std::swap(memory.played[1], memory.played[3]);
    std::swap(memory.passed[1], memory.passed[3]);
    return memory;
}

inline Action mirrored(Action action) {
    if (action.act == Act::EXCHANGE) std::swap(action.gifts[0], action.gifts[2]);
    if (action.act == Act::TAKE) action.argument = static_cast<std::uint8_t>(across(action.argument));
    return action;
}

}  // namespace tichu
