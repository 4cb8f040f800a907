// The bot of a few rules, deciding as tichu/agents/greedy.py: longest lead, lowest play that beats, no calls.
#pragma once

#include "legal.hpp"

namespace tichu {

// What is played first has the lowest: ordinary plays by size (the longest first), rank, Phoenix and cards, then bombs
// by kind, size and rank.
struct Cost {
    std::uint32_t order;
    Cards cards;
    std::uint8_t phoenix;

    TICHU_HD bool operator<(const Cost& other) const {
        if (order != other.order) return order < other.order;
        return cards != other.cards ? cards < other.cards : phoenix < other.phoenix;
    }
};

// What of a cost the plays of a group have in common.
TICHU_HD inline std::uint32_t cost_order(const Group& group, bool with_phoenix) {
    const auto size = static_cast<std::uint32_t>(group.width * group.ranks + (group.pair ? 2 : 0));
    const auto rank = static_cast<std::uint32_t>(group.top());
    if (group.is_bomb()) return 1u << 24 | static_cast<std::uint32_t>(group.kind) << 16 | size << 8 | 2 * rank;
    // The Dog is below everything, the Phoenix alone between the ace and the Dragon.
    std::uint32_t doubled = 2 * rank;
    if (group.kind == Kind::DOG) doubled = 0;
    if (group.cards == PHOENIX_BIT) doubled = 2 * ACE + 1;
    if (group.cards == DRAGON_BIT) doubled = 2 * DRAGON_RANK;
    return (15 - size) << 16 | doubled << 8 | with_phoenix;
}

// The play of a group whose cards are the lowest as a number.
TICHU_HD inline Combo lowest_play(Cards hand, const Group& group) {
    if (group.kind != Kind::STRAIGHT || group.phoenix || group.low == 1) return nth_play(hand, group, 0);
    Cards cards = 0;
    for (int rank = group.low; rank <= group.top(); ++rank) {
        const int nibble = nibble_of(hand, rank);
        cards |= static_cast<Cards>(nibble & -nibble) << shift_of(rank);
    }
    if (is_suited(cards)) {
        // §3.2: that is a bomb.  The next number differs in the lowest rank that has another card.
        for (int rank = group.low; rank <= group.top(); ++rank) {
            const int nibble = nibble_of(hand, rank), others = nibble & (nibble - 1);
            if (!others) continue;
            cards &= ~(Cards{15} << shift_of(rank));
            cards |= static_cast<Cards>(others & -others) << shift_of(rank);
            break;
        }
    }
    return combo_of(Kind::STRAIGHT, group.ranks, group.top(), cards);
}

struct FindCheapest {
    Wanted wanted;
    Cards hand;
    Cost cost;
    Combo best;

    TICHU_HD bool operator()(const Group& group) {
        if (!wanted(group)) return false;
        bool with_phoenix = group.phoenix;
        if (group.kind == Kind::FULL_HOUSE && !group.phoenix)
            with_phoenix = nibble_count(nibble_of(hand, group.low)) < 3;
        const std::uint32_t order = cost_order(group, with_phoenix);
        if (best.exists() && order > cost.order) return false;
        const Combo combo = lowest_play(hand, group);
        const Cost one{order, combo.cards, combo.phoenix};
        if (!best.exists() || one < cost) {
            cost = one;
            best = combo;
        }
        return false;
    }
};

TICHU_HD inline Action greedy_play(const State& state, int seat) {
    FindCheapest search{{state.rules, 0, false}, state.hands[seat], {}, no_combo()};
    if (owes_wish(state, seat)) {
        search.wanted.wish = state.wish;
        search.wanted.bombs_excused = state.rules.bombs() == Bombs::ANYTIME && state.has_top();
    }
    each_group(search.hand, state.top(), state.rules, search);
    return search.best.exists() ? play_of(search.best) : action_of(Act::PASS);
}

TICHU_HD inline Action greedy_gifts(Cards hand) {
    const Cards suited = hand & SUITED;
    return exchange_of(nth_card(suited, 0), nth_card(suited, 2), nth_card(suited, 1));
}

TICHU_HD inline Action greedy_wish(const State& state, int seat) {
    for (int rank = ACE; rank >= 2; --rank) {
        if (!nibble_of(state.hands[seat], rank)) return action_of(Act::WISH, rank);
    }
    return action_of(Act::WISH, state.rules.wishes() == Wishes::MUST ? 2 : 0);
}

TICHU_HD inline Action greedy_take(const State& state, int seat) {
    if (!state.is_dragon_trick()) return action_of(Act::TAKE, NONE);
    const Recipients recipients = recipients_of(state, seat);
    const bool second = count_bits(state.hands[recipients.second]) > count_bits(state.hands[recipients.first]);
    return action_of(Act::TAKE, second ? recipients.second : recipients.first);
}

// The decision of a pending seat.
TICHU_HD inline Action greedy_action(const State& state, int seat) {
    switch (state.phase) {
        case Phase::PLAY: return greedy_play(state, seat);
        case Phase::GRAND: return action_of(Act::DECLINE_GRAND);
        case Phase::EXCHANGE: return greedy_gifts(state.hands[seat]);
        case Phase::WISH: return greedy_wish(state, seat);
        case Phase::TAKE: return greedy_take(state, seat);
        case Phase::BOMB: return action_of(Act::DECLINE_BOMB);
        default: return action_of(Act::NOTHING);
    }
}

}  // namespace tichu
