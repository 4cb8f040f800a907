// What an action leads to, as in tichu/core/round.py; a state is changed in place.
#pragma once

#include "legal.hpp"

namespace tichu {

TICHU_HD inline void set_turn(State& state, Phase phase, int seat) {
    state.phase = phase;
    state.pending = byte(1 << seat);
}

TICHU_HD inline void end_round(State& state) {
    state.phase = Phase::END;
    state.pending = 0;
}

// §2.4: who holds the Mah Jong.
TICHU_HD inline int leader(const State& state) {
    int seat = 0;
    while (!(state.hands[seat] & MAH_JONG_BIT)) ++seat;
    return seat;
}

// §2.1, §2.4: fourteen cards each; on to the exchange, or to the first lead without one.
TICHU_HD inline void deal_the_rest(State& state) {
    for (int seat = 0; seat < 4; ++seat) {
        state.hands[seat] |= state.later[seat];
        state.later[seat] = 0;
    }
    if (state.rules.has_exchange()) {
        state.phase = Phase::EXCHANGE;
        state.pending = 15;
    } else {
        set_turn(state, Phase::PLAY, leader(state));
    }
}

TICHU_HD inline void go_on(State& state, int actor) {
    const Turn turn = unless_bombed(state, actor);
    set_turn(state, turn.phase, turn.seat);
    state.actor = NONE;
}

// §7.2: ask the first that can bomb, from `seat` around to the one that acted.
TICHU_HD inline void ask_from(State& state, int seat) {
    const Combo top = state.top();
    const Rules rules = state.rules;
    for (;; seat = rules.next_seat(seat)) {
        if (may_hold_bomb(state.hands[seat]) && can_bomb(state.hands[seat], top, rules)) {
            set_turn(state, Phase::BOMB, seat);
            return;
        }
        if (seat == state.actor) {
            go_on(state, seat);
            return;
        }
    }
}

// After a play or a pass: the questions to bomb where the rules ask them, then whoever is next.
TICHU_HD inline void open_window(State& state, int actor) {
    if (state.rules.bombs() == Bombs::ORDERED) {
        state.actor = byte(actor);
        ask_from(state, state.rules.next_seat(actor));
    } else {
        go_on(state, actor);
    }
}

// The trick in the pile of a seat, the table empty.
TICHU_HD inline void credit(State& state, int seat) {
    state.points[seat] = static_cast<std::int8_t>(state.points[seat] + state.points_on_table());
    state.clear_table();
}

TICHU_HD inline void apply_grand(State& state, int seat, Call call) {
    state.set_call(seat, call);
    state.pending = byte(state.pending & ~(1 << seat));
    if (!state.pending) deal_the_rest(state);
}

TICHU_HD inline void apply_exchange(State& state, int seat, const Action& exchange) {
    for (int gift = 0; gift < 3; ++gift) state.given[seat][gift] = exchange.gifts[gift];
    state.pending = byte(state.pending & ~(1 << seat));
    if (state.pending) return;
    for (int giver = 0; giver < 4; ++giver) {
        for (int distance = 1; distance <= 3; ++distance) {
            const Cards card = bit(state.given[giver][distance - 1]);
            state.hands[giver] ^= card;
            state.hands[(giver + distance) & 3] |= card;
        }
    }
    set_turn(state, Phase::PLAY, leader(state));
}

// §8.2, §8.3: the player of the last card has the trick, unless the Dragon's has to be given away.
TICHU_HD inline void finish_last_play(State& state, int seat) {
    if (state.is_dragon_trick() && !state.is_double_victory()) {
        set_turn(state, Phase::TAKE, seat);
        return;
    }
    credit(state, seat);
    end_round(state);
}

TICHU_HD inline void apply_play(State& state, int seat, Combo combo) {
    if (state.wish && fulfils(combo, state.wish, state.rules)) state.wish = 0;
    if (combo.cards == PHOENIX_BIT && state.has_top()) {
        combo.rank = combo.phoenix = state.top_rank;  // §4.3
    }
    state.hands[seat] &= ~combo.cards;
    state.set_top(combo);
    state.owner = byte(seat);
    state.actor = NONE;
    set_turn(state, Phase::PLAY, seat);
    if (!state.hands[seat]) {
        state.out[state.out_count++] = byte(seat);
        if (state.out_count == 3 || state.is_double_victory()) {
            finish_last_play(state, seat);
            return;
        }
    }
    if (combo.kind == Kind::DOG) {
        int lead = partner_of(seat);  // §4.2
        while (!state.hands[lead]) lead = state.rules.next_seat(lead);
        state.clear_table();
        set_turn(state, Phase::PLAY, lead);
        return;
    }
    if ((combo.cards & MAH_JONG_BIT) && state.rules.wishes() != Wishes::OFF) {
        state.phase = Phase::WISH;
        return;
    }
    open_window(state, seat);
}

TICHU_HD inline void apply_take(State& state, int seat, int recipient) {
    credit(state, recipient == NONE ? seat : recipient);
    if (state.out_count == 3) {
        end_round(state);
        return;
    }
    int lead = seat;
    while (!state.hands[lead]) lead = state.rules.next_seat(lead);  // §5.2
    set_turn(state, Phase::PLAY, lead);
}

TICHU_HD inline void apply_decline(State& state, int seat) {
    if (seat == state.actor) {
        go_on(state, seat);
    } else {
        ask_from(state, state.rules.next_seat(seat));
    }
}

// The state after an action that is known to be legal.
TICHU_HD inline void apply(State& state, int seat, const Action& action) {
    switch (action.act) {
        case Act::PLAY: apply_play(state, seat, action.combo); break;
        case Act::PASS: open_window(state, seat); break;
        case Act::TAKE: apply_take(state, seat, action.argument); break;
        case Act::DECLINE_BOMB: apply_decline(state, seat); break;
        case Act::WISH:
            state.wish = action.argument;
            open_window(state, seat);
            break;
        case Act::CALL_TICHU: state.set_call(seat, Call::TICHU); break;
        case Act::EXCHANGE: apply_exchange(state, seat, action); break;
        case Act::CALL_GRAND: apply_grand(state, seat, Call::GRAND); break;
        case Act::DECLINE_GRAND: apply_grand(state, seat, Call::NO_CALL); break;
        case Act::NOTHING: break;
    }
}

}  // namespace tichu
