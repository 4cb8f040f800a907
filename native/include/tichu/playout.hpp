// Rounds played to the end by a policy: the lowest pending seat decides, after the table's own decisions.
#pragma once

#include "automation.hpp"
#include "deal.hpp"
#include "scoring.hpp"

namespace tichu {

// The random policy makes one of this many calls that it could make.
inline constexpr std::uint32_t CALL_ODDS = 20;

// Any decision equally likely, without calls; nothing is drawn where there is no choice.
TICHU_HD inline Action random_decision(const State& state, int seat, const Legal& legal, Rng& rng) {
    if (legal.phase == Phase::GRAND) return action_of(Act::DECLINE_GRAND);
    const std::uint32_t decisions = legal.decisions();
    return nth_action(state, seat, legal, decisions > 1 ? rng.below(decisions) : 0);
}

// The same with calls, but seldom.
TICHU_HD inline Action random_action(const State& state, int seat, const Legal& legal, Rng& rng) {
    if (legal.phase == Phase::GRAND) {
        const bool calls = legal.before == 2 && rng.below(CALL_ODDS) == 0;
        return action_of(calls ? Act::CALL_GRAND : Act::DECLINE_GRAND);
    }
    if (legal.calls && rng.below(CALL_ODDS) == 0) return action_of(Act::CALL_TICHU);
    return random_decision(state, seat, legal, rng);
}

// The table's decisions that are due.
TICHU_HD inline void apply_automatic(State& state) {
    // Most states leave the table nothing to decide.
    if (state.phase != Phase::TAKE && !state.rules.calls_are_automatic()) return;
    for (Decision decision = automatic(state); decision.seat >= 0; decision = automatic(state)) {
        apply(state, decision.seat, decision.action);
    }
}

// Decides once for the lowest pending seat, then the table decides what is its to decide.
TICHU_HD inline void random_step(State& state, Rng& rng) {
    const int seat = state.first_pending();
    apply(state, seat, random_action(state, seat, legal_of(state, seat), rng));
    apply_automatic(state);
}

// Plays a round to its end; answers how many decisions that took, the table's not counted.
TICHU_HD inline std::uint32_t play_out(State& state, Rng& rng) {
    std::uint32_t steps = 0;
    state.rules = state.rules.in_sequence();
    for (apply_automatic(state); !state.is_over(); ++steps) random_step(state, rng);
    return steps;
}

// One number for what has happened: the words of the state folded into those before.
TICHU_HD inline std::uint64_t folded(std::uint64_t checksum, const State& state) {
    for (int seat = 0; seat < 4; ++seat) {
        checksum = mixed(checksum ^ state.hands[seat]);
        checksum = mixed(checksum ^ state.later[seat]);
        std::uint64_t small = byte(state.points[seat]);
        for (int gift = 0; gift < 3; ++gift) small = small << 8 | state.given[seat][gift];
        checksum = mixed(checksum ^ small);
    }
    checksum = mixed(checksum ^ state.top_cards);
    const std::uint64_t table =
        static_cast<std::uint64_t>(state.top_kind) << 40 | static_cast<std::uint64_t>(state.top_size) << 32 |
        static_cast<std::uint64_t>(state.top_rank) << 24 | state.top_phoenix << 16 | state.owner << 8 | state.actor;
    checksum = mixed(checksum ^ table);
    const std::uint64_t order =
        static_cast<std::uint64_t>(state.out[0]) << 24 | state.out[1] << 16 | state.out[2] << 8 | state.out_count;
    const std::uint64_t rest =
        static_cast<std::uint64_t>(state.phase) << 24 | state.pending << 16 | state.wish << 8 | state.calls;
    return mixed(checksum ^ (order << 32 | rest));
}

}  // namespace tichu
