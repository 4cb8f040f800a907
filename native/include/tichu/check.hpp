// Whether bytes from outside are a round: the checks of tichu/core/position.py, so that nothing wrong is played on.
#pragma once

#include "legal.hpp"

namespace tichu {

// What is wrong; null if nothing is.
using Fault = const char*;

// Hands, and the cards still to be dealt: each card once at most, as many as the phase has.
inline Fault hands_fault(const State& state) {
    Cards seen = 0;
    for (int seat = 0; seat < 4; ++seat) {
        for (const Cards cards : {state.hands[seat], state.later[seat]}) {
            if (cards & ~ALL_CARDS) return "hands: no such card";
            if (cards & seen) return "hands: a card twice";
            seen |= cards;
        }
        const int held = count_bits(state.hands[seat]), later = count_bits(state.later[seat]);
        if (state.phase == Phase::GRAND ? held != 8 || later != 6 : later != 0 || held > 14) {
            return "hands: a wrong number of cards";
        }
        if (state.phase == Phase::EXCHANGE && held != 14) return "hands: a wrong number of cards";
    }
    return nullptr;
}

inline Fault phase_fault(const State& state) {
    if (state.phase > Phase::END || state.pending > 15) return "phase: no such phase";
    const int pending = count_bits(state.pending);
    switch (state.phase) {
        case Phase::GRAND:
        case Phase::EXCHANGE:
            if (pending == 0) return "phase: nobody is pending";
            break;
        case Phase::END:
            if (pending != 0) return "phase: somebody is pending";
            break;
        default:
            if (pending != 1) return "phase: one seat is to act";
    }
    if (state.phase == Phase::BOMB ? state.actor > 3 : state.actor != NONE) return "phase: a wrong actor";
    return nullptr;
}

inline Fault table_fault(const State& state) {
    const Combo top = state.top();
    if (!top.exists()) {
        const bool blank = state.top_kind == Kind::DOG && !top.size && !top.rank && !top.phoenix;
        return blank && state.owner == NONE ? nullptr : "table: not blank";
    }
    if (state.owner > 3) return "table: no owner";
    if (top.cards == PHOENIX_BIT) {
        // §4.3: alone it has the rank of what it lies on.
        const bool proper = top.kind == Kind::SINGLE && top.size == 1 && top.rank >= 1 && top.rank <= ACE;
        return proper && top.phoenix == top.rank ? nullptr : "table: no such Phoenix";
    }
    const Combo read = read_combo(top.cards, top.phoenix);
    if (!read.exists() || read.kind != top.kind || read.size != top.size || read.rank != top.rank) {
        return "table: no combination";
    }
    return top.kind == Kind::DOG ? "table: the Dog does not stay" : nullptr;
}

inline Fault out_fault(const State& state) {
    if (state.out_count > 3) return "order out: too many seats";
    int seats = 0, empty = 0;
    for (int place = 0; place < 3; ++place) {
        const int seat = state.out[place];
        if (place >= state.out_count) {
            if (seat != NONE) return "order out: a seat too many";
            continue;
        }
        if (seat > 3 || (seats >> seat & 1)) return "order out: no order of seats";
        seats |= 1 << seat;
    }
    for (int seat = 0; seat < 4; ++seat) empty |= (state.hands[seat] == 0) << seat;
    return seats == empty ? nullptr : "order out: exactly the seats without cards are out";
}

inline Fault small_fields_fault(const State& state) {
    if (!state.rules.exist() || state.goal > 999999) return "rules: no such rules";
    if (state.wish == 1 || state.wish > ACE) return "wish: no such rank";
    for (int seat = 0; seat < 4; ++seat) {
        if (state.unused[seat]) return "unused bytes: not zero";
        if ((state.calls >> 2 * seat & 3) == 3) return "calls: no such call";
        const int points = state.points[seat];
        if (points < -25 || points > 125 || points % 5) return "points: cannot be";
        const Call call = state.call(seat);
        if (call == Call::GRAND && (!state.rules.has_grand() || state.rules.calls_are_automatic())) {
            return "calls: under these rules nobody calls Grand Tichu";
        }
        const bool from_play = state.rules.tichu_from_play() || state.rules.calls_are_automatic();
        if (call == Call::TICHU && state.phase == Phase::EXCHANGE && from_play) return "calls: too early";
        if (state.phase != Phase::GRAND) continue;
        if (call == Call::TICHU || (call == Call::GRAND && state.is_pending(seat))) return "calls: too early";
    }
    return nullptr;
}

inline Fault given_fault(const State& state) {
    const Cards held = state.phase == Phase::GRAND ? ALL_CARDS : ALL_CARDS & ~state.played();
    Cards seen = 0;
    int chosen = 0;
    for (int giver = 0; giver < 4; ++giver) {
        const Card* gifts = state.given[giver];
        if (gifts[0] == NONE && gifts[1] == NONE && gifts[2] == NONE) continue;
        chosen |= 1 << giver;
        for (int distance = 1; distance <= 3; ++distance) {
            const Card card = gifts[distance - 1];
            if (card >= 56 || (seen & bit(card))) return "exchange: no three cards";
            seen |= bit(card);
            const int holder = state.phase == Phase::EXCHANGE ? giver : (giver + distance) & 3;
            if (held & ~state.hands[holder] & bit(card)) return "exchange: a card is with another seat";
        }
    }
    if (state.phase == Phase::EXCHANGE) {
        return (chosen ^ state.pending) == 15 ? nullptr : "exchange: those who have chosen are not pending";
    }
    if (chosen == 0) return nullptr;
    if (chosen != 15 || state.phase == Phase::GRAND) return "exchange: all four give or none";
    return state.rules.has_exchange() ? nullptr : "exchange: these rules have none";
}

// Points must be those of cards that can lie there, in the piles and on the table.
inline Fault points_fault(const State& state) {
    const Cards under = state.played() & ~state.top_cards;
    const int phoenix = static_cast<int>(under >> PHOENIX & 1);
    int won = 0, negative = 0;
    for (const int points : state.points) {
        if (points > 0) won += points;
        negative += points < 0;
    }
    if (won > points_of(under & ~PHOENIX_BIT) || negative > phoenix)
        return "points: more than the cards played are worth";
    const int on_table = state.points_on_table();
    if (!state.has_top()) return on_table ? "points: there is no trick that holds the rest" : nullptr;
    const int wanted = on_table - points_of(state.top_cards);
    const int fives = count_bits(under & Cards{15} << 16);
    const int tens = count_bits(under & (Cards{15} << 36 | Cards{15} << 48));
    for (int plus = 0; plus <= static_cast<int>(under >> DRAGON & 1); ++plus) {
        for (int minus = 0; minus <= phoenix; ++minus) {
            for (int five = 0; five <= fives; ++five) {
                const int rest = wanted - 25 * plus + 25 * minus - 5 * five;
                if (rest >= 0 && rest % 10 == 0 && rest / 10 <= tens) return nullptr;
            }
        }
    }
    return "points: such points cannot lie on the table";
}

// What holds between phase, table, wish and order out.
inline Fault public_fault(const State& state) {
    const Phase phase = state.phase;
    const int seat = state.first_pending();
    const bool ended = state.out_count == 3 || state.is_double_victory();
    const bool gift =
        phase == Phase::TAKE && state.out_count == 3 && state.out[2] == state.owner && state.is_dragon_trick();
    if (ended != (phase == Phase::END || gift)) return "phase: does not go with the order out";
    const bool needs_table = phase == Phase::WISH || phase == Phase::TAKE || phase == Phase::BOMB;
    if (phase != Phase::PLAY && state.has_top() != needs_table) return "table: does not go with the phase";
    if ((phase == Phase::WISH || phase == Phase::TAKE) && seat != state.owner) return "phase: not the owner";
    if (phase == Phase::PLAY && (seat == state.owner || !state.hands[seat])) return "phase: cannot be this seat's turn";
    if (phase == Phase::WISH && (!(state.top_cards & MAH_JONG_BIT) || state.wish)) return "phase: nothing to wish for";
    const bool wishes = state.wish || phase == Phase::WISH;
    if (wishes && state.rules.wishes() == Wishes::OFF) return "wish: these rules have none";
    const bool absent = (phase == Phase::GRAND && !state.rules.has_grand()) ||
                        (phase == Phase::EXCHANGE && !state.rules.has_exchange());
    if (absent) return "phase: these rules have none such";
    const bool stacked = state.top_kind == Kind::TRIPLE_STAIRS || state.top_kind == Kind::FOUR_STAIRS;
    if (stacked && !state.rules.has_stacked_stairs()) return "table: these rules have no stacked stairs";
    if (state.has_top() && count_bits(state.hands[state.owner]) + state.top_size > 14) {
        return "table: its owner had too many cards";
    }
    // Where it has the rank 1, it was led or lies on the Mah Jong.
    if (state.top_cards == PHOENIX_BIT && state.top_rank > 1 && !nibble_of(state.played(), state.top_rank)) {
        return "table: the Phoenix lies on a rank that is not played";
    }
    if ((state.top_cards & MAH_JONG_BIT) && state.rules.wishes() == Wishes::MUST && !wishes) {
        return "wish: the Mah Jong brings one";
    }
    if (phase == Phase::BOMB) {
        if (state.rules.bombs() != Bombs::ORDERED) return "phase: nobody is asked to bomb";
        if (state.actor != state.owner && !state.hands[state.actor]) return "phase: who acted is out";
    }
    return nullptr;
}

inline Fault fault_of(const State& state) {
    if (Fault fault = phase_fault(state)) return fault;
    if (Fault fault = small_fields_fault(state)) return fault;
    if (Fault fault = hands_fault(state)) return fault;
    if (Fault fault = table_fault(state)) return fault;
    if (Fault fault = out_fault(state)) return fault;
    const Cards held = ALL_CARDS & ~state.played();
    if (state.top_cards & held) return "table: a card is in a hand";
    if (state.wish && (held & MAH_JONG_BIT)) return "wish: the Mah Jong is in a hand";
    if (state.phase == Phase::PLAY && !state.played() && !(state.hands[state.first_pending()] & MAH_JONG_BIT)) {
        return "phase: the Mah Jong leads";
    }
    if (Fault fault = given_fault(state)) return fault;
    if (Fault fault = public_fault(state)) return fault;
    if (Fault fault = points_fault(state)) return fault;
    if (state.phase == Phase::BOMB && !can_bomb(state.hands[state.first_pending()], state.top(), state.rules)) {
        return "phase: who is asked has no bomb that beats the table";
    }
    return nullptr;
}

}  // namespace tichu
