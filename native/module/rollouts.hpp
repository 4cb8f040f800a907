// Rounds that are played on by a network at all seats: the game, the first layer and the last are here, the layers in
// between belong to whoever multiplies matrices faster.
//
// As in tichu/agents/learned: the same rows, the same features, the same choice among the legal actions.
#pragma once

#include <cstdint>
#include <vector>

#include "tichu/network.hpp"
#include "tichu/open_hands.hpp"
#include "tichu/playout.hpp"

// The sums of rows are most of the work here; a processor with wider registers takes them, where the system can choose
// among functions when it loads them.
#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__) && defined(__GLIBC__)
#define TICHU_WIDE __attribute__((target_clones("avx2", "default")))
#else
#define TICHU_WIDE
#endif

namespace tichu {

TICHU_WIDE inline void add_row(const float* row, int width, float* sum) {
    for (int at = 0; at < width; ++at) sum[at] += row[at];
}

TICHU_WIDE inline float dot(const float* one, const float* two, int width) {
    float sums[8] = {};
    int at = 0;
    for (; at + 8 <= width; at += 8) {
        for (int lane = 0; lane < 8; ++lane) sums[lane] += one[at + lane] * two[at + lane];
    }
    float sum = ((sums[0] + sums[1]) + (sums[2] + sums[3])) + ((sums[4] + sums[5]) + (sums[6] + sums[7]));
    for (; at < width; ++at) sum += one[at] * two[at];
    return sum;
}

// The ends of a network, with a row an input and a row an action; the arrays belong to others.
struct NetworkEnds {
    const float *entry_weight, *entry_bias, *head_weight, *head_bias;
    int features, width;
    std::vector<std::uint16_t> places;     // the byte of each feature
    std::vector<std::uint8_t> thresholds;  // what it must reach
};

class Rollouts {
public:
    static constexpr int BYTES = COUNTED_SIZE;
    static constexpr int OUTCOME_SIZE = 7;

    explicit Rollouts(NetworkEnds ends) : ends_(std::move(ends)) {}

    // A round from `state` on, after what `seat` does; `scores` are those of the match so far.
    void add(const State& state, const Memory& memory, int seat, const Action& action, const int* scores) {
        Game game{state, memory, no_picks(), {}, {scores[0], scores[1]}, {}, -1, {}};
        if (action.act != Act::NOTHING) {
            note(game, seat, action);
            apply(game.state, seat, action);
        }
        games_.push_back(game);
        if (settle(games_.back())) active_.push_back(games_.size() - 1);
    }

    std::size_t active() const { return active_.size(); }
    std::size_t size() const { return games_.size(); }
    std::uint64_t decisions() const { return decisions_; }

    // The first layer for every round that is not over, a row each.
    void enter(float* hidden) const {
        std::uint8_t row[BYTES];
        for (std::size_t place = 0; place < active_.size(); ++place) {
            const Game& game = games_[active_[place]];
            write_row(game, row);
            float* sum = hidden + place * static_cast<std::size_t>(ends_.width);
            std::memcpy(sum, ends_.entry_bias, sizeof(float) * static_cast<std::size_t>(ends_.width));
            for (int feature = 0; feature < ends_.features; ++feature) {
                const auto at = static_cast<std::size_t>(feature);
                if (row[ends_.places[at]] < ends_.thresholds[at]) continue;
                add_row(ends_.entry_weight + at * static_cast<std::size_t>(ends_.width), ends_.width, sum);
            }
        }
    }

    // The last layer: every round goes on with what it likes best.
    void choose(const float* hidden) {
        std::vector<std::size_t> still;
        still.reserve(active_.size());
        for (std::size_t place = 0; place < active_.size(); ++place) {
            Game& game = games_[active_[place]];
            decide(game, best(game.mask, hidden + place * static_cast<std::size_t>(ends_.width)));
            ++decisions_;
            if (settle(game)) still.push_back(active_[place]);
        }
        active_.swap(still);
    }

    // Team 0+2 less team 1+3, for every round that is over.
    void write_differences(std::int16_t* into) const {
        for (const Game& game : games_) *into++ = static_cast<std::int16_t>(game.points[0] - game.points[1]);
    }

    // How every round went, as far as it was played: OUTCOME_SIZE numbers each.
    void write_outcomes(std::int16_t* into) const {
        for (const Game& game : games_) {
            const State& state = game.state;
            const bool is_over = state.is_over();
            *into++ = game.points[0];
            *into++ = game.points[1];
            *into++ = static_cast<std::int16_t>(is_over ? state.out[0] : -1);
            *into++ = static_cast<std::int16_t>(is_over && state.is_double_victory() ? state.out[0] & 1 : -1);
            *into++ = game.dragon;
            *into++ = game.bombs[0];
            *into++ = game.bombs[1];
        }
    }

    // What a critic reads of every round that is not over: which round, whose decision, what that seat sees, all hands.
    void write_critic_rows(std::int64_t* numbers, std::int8_t* seats, std::uint8_t* rows, std::uint8_t* hands) const {
        for (std::size_t place = 0; place < active_.size(); ++place) {
            const Game& game = games_[active_[place]];
            const int seat = game.state.first_pending();
            numbers[place] = static_cast<std::int64_t>(active_[place]);
            seats[place] = static_cast<std::int8_t>(seat);
            write_row(game, rows + place * BYTES);
            write_hands(game.state, game.picks, seat, hands + place * HANDS_SIZE);
        }
    }

private:
    struct Game {
        State state;
        Memory memory;
        Picks picks;
        Mask mask;
        int scores[2];
        std::int16_t points[2];  // of the round, by team
        std::int16_t dragon;     // who played the Dragon, -1 while nobody has
        std::int16_t bombs[2];   // how many each team has thrown
    };

    static void note(Game& game, int seat, const Action& action) {
        remember(game.memory, game.state, seat, action);
        if (action.act != Act::PLAY) return;
        if (action.combo.cards == DRAGON_BIT) game.dragon = static_cast<std::int16_t>(seat);
        if (action.combo.is_bomb()) ++game.bombs[seat & 1];
    }

    static void write_row(const Game& game, std::uint8_t* row) {
        const int seat = game.state.first_pending();
        write_observation(game.state, seat, game.picks, game.scores, row);
        write_memory(game.memory, seat, game.state.goal, game.scores, row + OBSERVATION_SIZE);
        add_counts(row);
    }

    float score(int number, const float* hidden) const {
        const auto at = static_cast<std::size_t>(number);
        const float* weights = ends_.head_weight + at * static_cast<std::size_t>(ends_.width);
        return dot(weights, hidden, ends_.width) + ends_.head_bias[at];
    }

    int best(const Mask& mask, const float* hidden) const {
        return Network::best_of(mask, [&](int number) { return score(number, hidden); });
    }

    static void decide(Game& game, int number) {
        const int seat = game.state.first_pending();
        if (number >= PICKING && number < SINGLES) {
            Picks& picks = game.picks;
            picks.cards[picks.count] = decode_pick(game.state, seat, picks, number);
            if (++picks.count < 3) return;
            apply(game.state, seat, exchange_of(picks.cards[0], picks.cards[1], picks.cards[2]));
            picks = no_picks();
            return;
        }
        const Action action = decode(game.state, seat, number);
        note(game, seat, action);
        apply(game.state, seat, action);
    }

    // On to the next decision with a choice; whether there is one.
    static bool settle(Game& game) {
        for (;;) {
            apply_automatic(game.state);
            if (game.state.is_over()) break;
            write_mask(game.state, game.state.first_pending(), game.picks, game.mask);
            if (game.mask.count() != 1) return true;
            decide(game, game.mask.nth(0));
        }
        const Score score = score_of(game.state);
        for (int team = 0; team < 2; ++team) game.points[team] = static_cast<std::int16_t>(score.teams[team]);
        return false;
    }

    NetworkEnds ends_;
    std::vector<Game> games_;
    std::vector<std::size_t> active_;
    std::uint64_t decisions_ = 0;
};

}  // namespace tichu
