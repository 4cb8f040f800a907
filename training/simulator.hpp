// One game of self-play, for a thread of a GPU or a loop on a CPU: dealt, decided, settled, shown.
//
// It plays what tichu::Tables plays with forced decisions taken: the same seed, game and actions give the same bytes.
#pragma once

#include "tichu/memory.hpp"
#include "tichu/open_hands.hpp"
#include "tichu/playout.hpp"

namespace tichu::training {

struct Game {
    State state;
    Picks picks;
    std::uint32_t deals;  // rounds dealt so far
};
static_assert(sizeof(Game) == 120);

// A game with what the seats remember of the round, and the score of its match.
struct Slot {
    Game game;
    Memory memory;
    std::int16_t score[2];
    std::int16_t unused[2];
};
static_assert(sizeof(Slot) == 184);

inline constexpr std::int16_t NO_RESULT = -32768;

// The result of a round.
struct Result {
    std::int16_t points[2];  // NO_RESULT while the round goes on
    std::int16_t before[2];  // the match score before it
    std::int16_t first;      // who went out first
    std::int16_t doubled;    // 0 or 1 for the team with a double victory, else 2
    std::int16_t calls;      // a Call per seat, two bits each
};
inline constexpr int SHOWN_SIZE = OBSERVATION_SIZE + MEMORY_SIZE;

// Where the deals come from.
struct Seed {
    std::uint64_t seed;
    std::uint64_t first;  // the number of game 0
};

// What a game is played by.
struct RuleSet {
    Rules rules;
    std::uint16_t unused;
    std::uint32_t goal;
};
static_assert(sizeof(RuleSet) == 8);

TICHU_HD inline void deal(Game& game, const Seed& seed, const RuleSet& rule_set, std::uint64_t number) {
    Rng rng = rng_for(seed.seed, seed.first + number, game.deals++);
    start_shuffled_round(game.state, rng, rule_set.rules, rule_set.goal);
    game.picks = no_picks();
    apply_automatic(game.state);
}

// One decision, and the automatic ones that follow.
TICHU_HD inline void decide(Slot& slot, int number) {
    Game& game = slot.game;
    State& state = game.state;
    const int seat = state.first_pending();
    if (number >= PICKING && number < SINGLES) {
        Picks& picks = game.picks;
        picks.cards[picks.count] = decode_pick(state, seat, picks, number);
        if (++picks.count < 3) return;
        apply(state, seat, exchange_of(picks.cards[0], picks.cards[1], picks.cards[2]));
        picks = no_picks();
    } else {
        const Action action = decode(state, seat, number);
        remember(slot.memory, state, seat, action);
        apply(state, seat, action);
    }
    apply_automatic(state);
}

// Takes every decision that leaves no choice; the mask is that of the next real one.
TICHU_HD inline void settle(Slot& slot, Mask& mask) {
    const State& state = slot.game.state;
    while (!state.is_over()) {
        write_mask(state, state.first_pending(), slot.game.picks, mask);
        if (mask.count() != 1) return;
        decide(slot, mask.nth(0));
    }
}

// The next round, up to the first decision.
TICHU_HD inline void begin(Slot& slot, const Seed& seed, const RuleSet& rule_set, std::uint64_t number, Mask& mask) {
    slot.memory = Memory{};
    deal(slot.game, seed, rule_set, number);
    settle(slot, mask);
}

// The result of a round that is over.
TICHU_HD inline Result result_of(const State& state) {
    const Score score = score_of(state);
    Result result{};
    for (int team = 0; team < 2; ++team) result.points[team] = static_cast<std::int16_t>(score.teams[team]);
    result.first = state.out[0];
    result.calls = state.calls;
    result.doubled = static_cast<std::int16_t>(state.is_double_victory() ? state.out[0] & 1 : 2);
    return result;
}

// Teams whose calls all fail would lose points for ever.
inline constexpr int LOWEST_SCORE = -1000;

// §9.1: the match goes on until a team has reached the goal and is ahead, then a new one begins.
TICHU_HD inline void add_to_match(Slot& slot, const Result& result) {
    int score[2];
    for (int team = 0; team < 2; ++team) score[team] = slot.score[team] + result.points[team];
    const int goal = static_cast<int>(slot.game.state.goal);
    const bool is_won = score[0] != score[1] && (score[0] >= goal || score[1] >= goal);
    const bool is_over = !goal || is_won || score[0] < LOWEST_SCORE || score[1] < LOWEST_SCORE;
    for (int team = 0; team < 2; ++team) slot.score[team] = static_cast<std::int16_t>(is_over ? 0 : score[team]);
}

// Takes an action and goes on to the next decision, of the next round if this one is over.
TICHU_HD inline Result step(Slot& slot, const Seed& seed, const RuleSet& rule_set, std::uint64_t number, int action,
                            Mask& mask) {
    decide(slot, action);
    settle(slot, mask);
    if (!slot.game.state.is_over()) return Result{{NO_RESULT, NO_RESULT}, {0, 0}, 0, 0, 0};
    Result result = result_of(slot.game.state);
    for (int team = 0; team < 2; ++team) result.before[team] = slot.score[team];
    add_to_match(slot, result);
    begin(slot, seed, rule_set, number, mask);
    return result;
}

TICHU_HD inline void show(const Slot& slot, std::uint8_t* shown, std::uint8_t* hands, std::int8_t& seat) {
    const State& state = slot.game.state;
    const int scores[2] = {slot.score[0], slot.score[1]};
    seat = static_cast<std::int8_t>(state.first_pending());
    write_observation(state, seat, slot.game.picks, scores, shown);
    write_memory(slot.memory, seat, state.goal, scores, shown + OBSERVATION_SIZE);
    write_hands(state, slot.game.picks, seat, hands);
}

// The random policy for measurements; a round that is over is dealt again, which does not count as a step (false).
TICHU_HD inline bool random_turn(Game& game, Rng& rng, const Seed& seed, const RuleSet& rule_set,
                                 std::uint64_t number) {
    if (!game.state.is_over()) {
        random_step(game.state, rng);
        return true;
    }
    rng = rng_for(seed.seed, seed.first + number, game.deals++);
    start_shuffled_round(game.state, rng, rule_set.rules, rule_set.goal);
    apply_automatic(game.state);
    return false;
}

}  // namespace tichu::training
