// Rounds that are played on by a network at all seats, many at a time: to the end, or until a critic judges them.
//
// As in tichu/agents/learned: the same rows, the same features, the same choice among the legal actions.
#pragma once

#include <cstdint>
#include <cstring>
#include <vector>

#include "tichu/network.hpp"
#include "tichu/playout.hpp"

namespace tichu {

class Rollouts {
public:
    static constexpr int OUTCOME_SIZE = 7;

    // The network must live as long.
    explicit Rollouts(const Network& network) : network_(network) {}

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

    // Every round goes on with what the network likes best, for so many decisions with a choice; below 0 to its end.
    void play(std::int64_t most) {
        std::vector<std::uint8_t> rows(BLOCK * ROW_SIZE);
        std::vector<Mask> masks(BLOCK);
        std::vector<int> numbers(BLOCK);
        for (std::int64_t step = 0; !active_.empty() && step != most; ++step) {
            std::size_t still = 0;
            for (std::size_t first = 0; first < active_.size(); first += BLOCK) {
                const std::size_t here = active_.size() - first < BLOCK ? active_.size() - first : BLOCK;
                for (std::size_t place = 0; place < here; ++place) {
                    const Game& game = games_[active_[first + place]];
                    write_row(game, &rows[place * ROW_SIZE]);
                    masks[place] = game.mask;
                }
                network_.choose(rows.data(), masks.data(), here, numbers.data());
                for (std::size_t place = 0; place < here; ++place) {
                    Game& game = games_[active_[first + place]];
                    decide(game, numbers[place]);
                    if (settle(game)) active_[still++] = active_[first + place];
                }
                decisions_ += here;
            }
            active_.resize(still);
        }
    }

    // Team 0+2 less team 1+3 of every round; of those that are not over what the critic expects.
    void write_points(const Critic& critic, float* into) const {
        for (std::size_t number = 0; number < games_.size(); ++number) {
            into[number] = static_cast<float>(games_[number].points[0] - games_[number].points[1]);
        }
        std::vector<std::uint8_t> rows(BLOCK * ROW_SIZE), hands(BLOCK * HANDS_SIZE);
        std::vector<float> expected(BLOCK);
        for (std::size_t first = 0; first < active_.size(); first += BLOCK) {
            const std::size_t here = active_.size() - first < BLOCK ? active_.size() - first : BLOCK;
            for (std::size_t place = 0; place < here; ++place) {
                const Game& game = games_[active_[first + place]];
                write_row(game, &rows[place * ROW_SIZE]);
                write_hands(game.state, game.picks, game.state.first_pending(), &hands[place * HANDS_SIZE]);
            }
            critic.judge(rows.data(), hands.data(), here, expected.data());
            for (std::size_t place = 0; place < here; ++place) {
                const std::size_t number = active_[first + place];
                into[number] = games_[number].state.first_pending() & 1 ? -expected[place] : expected[place];
            }
        }
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

private:
    // Rounds whose decisions are made together: twice what a network computes at once.
    static constexpr std::size_t BLOCK = 96;

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

    const Network& network_;
    std::vector<Game> games_;
    std::vector<std::size_t> active_;
    std::uint64_t decisions_ = 0;
};

}  // namespace tichu
