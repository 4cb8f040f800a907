// What a seat can do, and the same as one 64-bit word (docs/native.md).
#pragma once

#include "combos.hpp"

namespace tichu {

enum class Act : std::uint8_t {
    NOTHING,  // no action, so that a word of zeros is none
    PLAY,
    PASS,
    TAKE,
    WISH,
    EXCHANGE,
    CALL_TICHU,
    CALL_GRAND,
    DECLINE_GRAND,
    DECLINE_BOMB,
};

struct Action {
    Act act;
    std::uint8_t argument;  // the rank of a wish, 0 for none; the recipient of a take, NONE without
    Card gifts[3];          // for LEFT, PARTNER, RIGHT
    Combo combo;            // what is played
};

TICHU_HD inline Action action_of(Act act, int argument = 0) {
    return Action{act, byte(argument), {0, 0, 0}, no_combo()};
}

TICHU_HD inline Action play_of(const Combo& combo) { return Action{Act::PLAY, 0, {0, 0, 0}, combo}; }

TICHU_HD inline Action exchange_of(int left, int partner, int right) {
    return Action{
        Act::EXCHANGE, 0, {static_cast<Card>(left), static_cast<Card>(partner), static_cast<Card>(right)}, no_combo()};
}

using PackedAction = std::uint64_t;

// Bits 60 to 63 the act, 56 to 59 the Phoenix's rank, below them the cards or the argument.
TICHU_HD inline PackedAction pack(const Action& action) {
    PackedAction packed = static_cast<PackedAction>(action.act) << 60;
    switch (action.act) {
        case Act::PLAY: return packed | static_cast<PackedAction>(action.combo.phoenix) << 56 | action.combo.cards;
        case Act::TAKE: return packed | (action.argument == NONE ? 0u : action.argument + 1u);
        case Act::WISH: return packed | action.argument;
        case Act::EXCHANGE:
            return packed | static_cast<PackedAction>(action.gifts[0]) |
                   static_cast<PackedAction>(action.gifts[1]) << 6 | static_cast<PackedAction>(action.gifts[2]) << 12;
        default: return packed;
    }
}

// Any word is read; what is not an action gives Act::NOTHING, cards that are nothing a play without a combination.
TICHU_HD inline Action unpack(PackedAction packed) {
    const int act = static_cast<int>(packed >> 60);
    const PackedAction rest = packed << 4 >> 4;
    const Action nothing = action_of(Act::NOTHING);
    switch (static_cast<Act>(act)) {
        case Act::PLAY: return play_of(read_combo(rest & ALL_CARDS, static_cast<int>(rest >> 56)));
        case Act::TAKE:
            if (rest > 4) return nothing;
            return action_of(Act::TAKE, rest ? static_cast<int>(rest) - 1 : NONE);
        case Act::WISH: return rest < 16 ? action_of(Act::WISH, static_cast<int>(rest)) : nothing;
        case Act::EXCHANGE:
            if (rest >> 18 || (rest & 63) >= 56 || (rest >> 6 & 63) >= 56 || rest >> 12 >= 56) return nothing;
            return exchange_of(rest & 63, rest >> 6 & 63, static_cast<int>(rest >> 12));
        case Act::PASS:
        case Act::CALL_TICHU:
        case Act::CALL_GRAND:
        case Act::DECLINE_GRAND:
        case Act::DECLINE_BOMB: return rest ? nothing : action_of(static_cast<Act>(act));
        default: return nothing;
    }
}

}  // namespace tichu
