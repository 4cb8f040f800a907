// Why an action is not legal, without listing those that are: the reasons of tichu/core/errors.py in their order.
#pragma once

#include "legal.hpp"

namespace tichu {

enum class Reason : std::uint8_t {
    NOT_IN_PHASE,
    NOT_YOUR_TURN,
    BOMB_ASKED,
    ROUND_OVER,
    NOT_IN_HAND,
    NO_COMBINATION,
    DOES_NOT_BEAT,
    LEAD_ONLY,
    MUST_LEAD,
    NO_BOMB,
    NOTHING_TO_BOMB,
    WISH_OWED,
    MUST_WISH,
    NO_SUCH_RANK,
    PHOENIX_AMBIGUOUS,
    THREE_CARDS,
    ALREADY_CALLED,
    TOO_LATE_TO_CALL,
    TOO_EARLY_TO_CALL,
    TABLE_DECIDES,
    CHOOSE_RECIPIENT,
    NOT_THE_RECIPIENT,
    NOTHING_TO_GIVE,
    LEGAL,
};

inline const char* name_of(Reason reason) {
    constexpr const char* NAMES[] = {
        "NOT_IN_PHASE",     "NOT_YOUR_TURN",     "BOMB_ASKED",        "ROUND_OVER",
        "NOT_IN_HAND",      "NO_COMBINATION",    "DOES_NOT_BEAT",     "LEAD_ONLY",
        "MUST_LEAD",        "NO_BOMB",           "NOTHING_TO_BOMB",   "WISH_OWED",
        "MUST_WISH",        "NO_SUCH_RANK",      "PHOENIX_AMBIGUOUS", "THREE_CARDS",
        "ALREADY_CALLED",   "TOO_LATE_TO_CALL",  "TOO_EARLY_TO_CALL", "TABLE_DECIDES",
        "CHOOSE_RECIPIENT", "NOT_THE_RECIPIENT", "NOTHING_TO_GIVE",   "LEGAL",
    };
    return NAMES[static_cast<int>(reason)];
}

// Whether this phase is on and the seat's decision is due.
TICHU_HD inline Reason duty_refusal(Sight sight, Phase phase) {
    if (sight.phase != phase) return sight.phase == Phase::END ? Reason::ROUND_OVER : Reason::NOT_IN_PHASE;
    return sight.on_turn ? Reason::LEGAL : Reason::NOT_YOUR_TURN;
}

TICHU_HD inline Reason call_refusal(const State& state, int seat, Phase seen) {
    if (seen == Phase::GRAND || seen == Phase::END) return Reason::NOT_IN_PHASE;
    if (count_bits(state.hands[seat]) != 14) return Reason::TOO_LATE_TO_CALL;
    if (state.call(seat) != Call::NO_CALL) return Reason::ALREADY_CALLED;
    if (state.rules.calls_are_automatic()) return Reason::TABLE_DECIDES;
    if (seen == Phase::EXCHANGE && state.rules.tichu_from_play()) return Reason::TOO_EARLY_TO_CALL;
    return Reason::LEGAL;
}

TICHU_HD inline Reason exchange_refusal(const State& state, int seat, Phase seen, const Action& exchange) {
    if (seen != Phase::EXCHANGE) return Reason::NOT_IN_PHASE;
    const Card* gifts = exchange.gifts;
    if (gifts[0] == gifts[1] || gifts[0] == gifts[2] || gifts[1] == gifts[2]) return Reason::THREE_CARDS;
    const Cards cards = bit(gifts[0]) | bit(gifts[1]) | bit(gifts[2]);
    return cards & ~state.hands[seat] ? Reason::NOT_IN_HAND : Reason::LEGAL;
}

TICHU_HD inline Reason pass_refusal(const State& state, int seat) {
    if (!state.has_top()) return Reason::MUST_LEAD;
    return owes_wish(state, seat) ? Reason::WISH_OWED : Reason::LEGAL;
}

TICHU_HD inline Reason wish_refusal(const State& state, int rank) {
    if (rank == 0) return state.rules.wishes() == Wishes::MUST ? Reason::MUST_WISH : Reason::LEGAL;
    return rank >= 2 && rank <= ACE ? Reason::LEGAL : Reason::NO_SUCH_RANK;
}

TICHU_HD inline Reason take_refusal(const State& state, int seat, int recipient) {
    if (!state.is_dragon_trick()) return recipient == NONE ? Reason::LEGAL : Reason::NOTHING_TO_GIVE;
    if (recipient == NONE) return Reason::CHOOSE_RECIPIENT;
    const Recipients recipients = recipients_of(state, seat);
    if (recipient == recipients.first || recipient == recipients.second) return Reason::LEGAL;
    const bool is_opponent = (recipient ^ seat) & 1;
    return state.rules.dragon_is_automatic() && is_opponent ? Reason::TABLE_DECIDES : Reason::NOT_THE_RECIPIENT;
}

TICHU_HD inline Reason turn_refusal(const State& state, int seat, const Combo& combo) {
    if (state.has_top() && !beats(combo, state.top(), state.rules)) {
        const bool led_only = combo.kind == Kind::DOG || (combo.cards & MAH_JONG_BIT);
        return led_only ? Reason::LEAD_ONLY : Reason::DOES_NOT_BEAT;
    }
    const bool excused = combo.is_bomb() && state.has_top() && state.rules.bombs() == Bombs::ANYTIME;
    if (state.wish && !excused && !fulfils(combo, state.wish, state.rules) && owes_wish(state, seat)) {
        return Reason::WISH_OWED;
    }
    return Reason::LEGAL;
}

// `cards` are those that were to be played; the combination may not exist.
TICHU_HD inline Reason play_refusal(const State& state, int seat, Sight sight, const Combo& combo) {
    if (sight.phase == Phase::END) return Reason::ROUND_OVER;
    if (sight.phase == Phase::GRAND || sight.phase == Phase::EXCHANGE || sight.phase == Phase::WISH) {
        return Reason::NOT_IN_PHASE;
    }
    if (!combo.exists()) return Reason::NO_COMBINATION;
    if (combo.cards & ~state.hands[seat]) return Reason::NOT_IN_HAND;
    const bool is_stacked = combo.kind == Kind::TRIPLE_STAIRS || combo.kind == Kind::FOUR_STAIRS;
    if (is_stacked && !state.rules.has_stacked_stairs()) return Reason::NO_COMBINATION;
    if (sight.phase == Phase::PLAY && sight.on_turn) return turn_refusal(state, seat, combo);
    if (!combo.is_bomb()) return sight.phase == Phase::BOMB ? Reason::NO_BOMB : Reason::NOT_YOUR_TURN;
    if (!state.has_top()) return Reason::NOTHING_TO_BOMB;
    if (!may_throw(state, sight)) return Reason::NOT_YOUR_TURN;
    return beats(combo, state.top(), state.rules) ? Reason::LEGAL : Reason::DOES_NOT_BEAT;
}

// LEGAL exactly if the action is among those of legal_of(state, seat).
TICHU_HD inline Reason refusal(const State& state, int seat, const Action& action) {
    const Sight sight = seen_by(state, seat);
    Reason reason = Reason::LEGAL;
    switch (action.act) {
        case Act::PLAY: return play_refusal(state, seat, sight, action.combo);
        case Act::PASS:
            reason = duty_refusal(sight, Phase::PLAY);
            return reason == Reason::LEGAL ? pass_refusal(state, seat) : reason;
        case Act::CALL_TICHU: return call_refusal(state, seat, sight.phase);
        case Act::DECLINE_GRAND: return duty_refusal(sight, Phase::GRAND);
        case Act::CALL_GRAND:
            if (sight.phase == Phase::GRAND && state.call(seat) == Call::GRAND) return Reason::ALREADY_CALLED;
            reason = duty_refusal(sight, Phase::GRAND);
            return reason == Reason::LEGAL && state.rules.calls_are_automatic() ? Reason::TABLE_DECIDES : reason;
        case Act::EXCHANGE: return exchange_refusal(state, seat, sight.phase, action);
        case Act::WISH:
            reason = duty_refusal(sight, Phase::WISH);
            return reason == Reason::LEGAL ? wish_refusal(state, action.argument) : reason;
        case Act::TAKE:
            reason = duty_refusal(sight, Phase::TAKE);
            return reason == Reason::LEGAL ? take_refusal(state, seat, action.argument) : reason;
        case Act::DECLINE_BOMB:
            return sight.phase == Phase::BOMB && sight.on_turn ? Reason::LEGAL : Reason::NOT_IN_PHASE;
        case Act::NOTHING: break;
    }
    return Reason::NO_COMBINATION;
}

// The same for an action that is to be applied: while a seat is asked to bomb, the others wait (§7.2).
TICHU_HD inline Reason refusal_now(const State& state, int seat, const Action& action) {
    const Reason reason = refusal(state, seat, action);
    if (reason != Reason::LEGAL) return reason;
    const bool waits = state.phase == Phase::BOMB && !state.is_pending(seat) && action.act != Act::CALL_TICHU;
    return waits ? Reason::BOMB_ASKED : Reason::LEGAL;
}

}  // namespace tichu
