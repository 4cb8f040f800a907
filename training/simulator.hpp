// One game of self-play, for a thread of a GPU or a loop on a CPU: dealt, decided, settled, shown.
//
// It plays what tichu::Tables plays with forced decisions taken: the same seed, game and actions give the same bytes.
#pragma once

#include "tichu/encoding.hpp"
#include "tichu/playout.hpp"

namespace tichu::training {

struct Game {
    State state;
    Picks picks;
    std::uint32_t deals;  // rounds dealt so far
};
static_assert(sizeof(Game) == 120);

// What all games of a run share.
struct Setting {
    std::uint64_t seed;
    std::uint64_t first;  // the number of game 0
    Rules rules;
    std::uint32_t goal;
};

// A step that did not end a round.
inline constexpr std::int16_t NO_RESULT = -32768;

// Sums over rounds that have ended.
enum Counter { ROUNDS, TICHUS, TICHUS_MADE, GRANDS, GRANDS_MADE, DOUBLES, COUNTERS };

inline constexpr int HANDS_SIZE = 28;  // four sets of 56 bits

TICHU_HD inline void deal(Game& game, const Setting& setting, std::uint64_t number) {
    Rng rng = rng_for(setting.seed, setting.first + number, game.deals++);
    start_shuffled_round(game.state, rng, setting.rules, setting.goal);
    game.picks = no_picks();
    apply_automatic(game.state);
}

// One decision, and the table's own that follow.
TICHU_HD inline void decide(Game& game, int number) {
    State& state = game.state;
    const int seat = state.first_pending();
    if (number >= PICKING && number < SINGLES) {
        Picks& picks = game.picks;
        picks.cards[picks.count] = decode_pick(state, seat, picks, number);
        if (++picks.count < 3) return;
        apply(state, seat, exchange_of(picks.cards[0], picks.cards[1], picks.cards[2]));
        picks = no_picks();
    } else {
        apply(state, seat, decode(state, seat, number));
    }
    apply_automatic(state);
}

// Takes every decision that leaves no choice; the mask is that of the next real one.
TICHU_HD inline void settle(Game& game, Mask& mask) {
    while (!game.state.is_over()) {
        write_mask(game.state, game.state.first_pending(), game.picks, mask);
        if (mask.count() != 1) return;
        decide(game, mask.nth(0));
    }
}

// Adds what a round that is over has to tell; answers the difference of the scores, team 0+2 first.
template <typename Add>
TICHU_HD inline std::int16_t result_of(const State& state, const Add& add) {
    add(ROUNDS);
    for (int seat = 0; seat < 4; ++seat) {
        const Call call = state.call(seat);
        if (call == Call::NO_CALL) continue;
        add(call == Call::TICHU ? TICHUS : GRANDS);
        if (state.out[0] == seat) add(call == Call::TICHU ? TICHUS_MADE : GRANDS_MADE);
    }
    if (state.is_double_victory()) add(DOUBLES);
    const Score score = score_of(state);
    return static_cast<std::int16_t>(score.teams[0] - score.teams[1]);
}

// Takes an action and goes on to the next decision, of the next round if this one is over.
template <typename Add>
TICHU_HD inline std::int16_t step(Game& game, const Setting& setting, std::uint64_t number, int action, Mask& mask,
                                  const Add& add) {
    decide(game, action);
    settle(game, mask);
    if (!game.state.is_over()) return NO_RESULT;
    const std::int16_t result = result_of(game.state, add);
    deal(game, setting, number);
    settle(game, mask);
    return result;
}

// For critics: the hands as they will be when what is decided has happened, by distance, suits as the seat numbers
// them.  Before the exchange that means with all cards dealt, during it with the gifts chosen so far handed over.
TICHU_HD inline void write_hands(const Game& game, int seat, std::uint8_t* into) {
    const State& state = game.state;
    Cards hands[4];
    for (int other = 0; other < 4; ++other) hands[other] = state.hands[other] | state.later[other];
    for (int giver = 0; state.phase == Phase::EXCHANGE && giver < 4; ++giver) {
        const bool chosen = state.given[giver][0] != NONE;
        const Card* gifts = chosen ? state.given[giver] : game.picks.cards;
        if (!chosen && giver != seat) continue;
        for (int gift = 0; gift < 3; ++gift) {
            if (gifts[gift] == NONE) continue;
            hands[giver] &= ~bit(gifts[gift]);
            hands[(giver + gift + 1) & 3] |= bit(gifts[gift]);
        }
    }
    const Order order = suit_order(seen_cards(state, seat, game.picks), state.rules);
    for (int distance = 0; distance < 4; ++distance) {
        const Cards cards = arranged(hands[(seat + distance) & 3], order);
        for (int part = 0; part < 7; ++part) into[7 * distance + part] = static_cast<std::uint8_t>(cards >> 8 * part);
    }
}

TICHU_HD inline void show(const Game& game, std::uint8_t* observation, std::uint8_t* hands, std::int8_t& seat) {
    constexpr int no_score[2] = {0, 0};
    seat = static_cast<std::int8_t>(game.state.first_pending());
    write_observation(game.state, seat, game.picks, no_score, observation);
    write_hands(game, seat, hands);
}

// The random policy for measurements: a round that is over is dealt anew, which is no step; answers whether it was one.
TICHU_HD inline bool random_turn(Game& game, Rng& rng, const Setting& setting, std::uint64_t number) {
    if (!game.state.is_over()) {
        random_step(game.state, rng);
        return true;
    }
    rng = rng_for(setting.seed, setting.first + number, game.deals++);
    start_shuffled_round(game.state, rng, setting.rules, setting.goal);
    apply_automatic(game.state);
    return false;
}

}  // namespace tichu::training
