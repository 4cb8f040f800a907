// Games played in rank-level decisions: what environments step, with observations and masks written after every step.
//
// Dealt as Batch deals: a game depends on the seed, its number and what it is told.
#pragma once

#include <vector>

#include "pool.hpp"
#include "rewards.hpp"
#include "tichu/encoding.hpp"
#include "tichu/playout.hpp"

namespace tichu {

class Tables {
public:
    Tables(std::size_t games, Rules rules, std::uint32_t goal, std::uint64_t seed, Reward reward, bool takes_forced,
           bool deals_anew, std::size_t threads, std::uint64_t first, std::uint32_t max_rounds)
        : states(games), picks(games), masks(games), observations(games * OBSERVATION_SIZE),
          final_observations(games * OBSERVATION_SIZE), seats(games), done(games), truncated(games), rewards(4 * games),
          scores(2 * games), totals(2 * games), legal_(games), deals_(games), match_rounds_(games), rngs_(games),
          rules_(rules.in_sequence()), goal_(goal), seed_(seed), first_(first), reward_(reward),
          takes_forced_(takes_forced), deals_anew_(deals_anew), max_rounds_(max_rounds), pool_(threads) {
        reset(seed);
    }

    std::size_t size() const { return states.size(); }

    // Every game at the first deal of a seed.
    void reset(std::uint64_t seed) {
        seed_ = seed;
        each([this](std::size_t game) {
            deals_[game] = 0;
            rngs_[game] = rng_for(seed_ + 1, first_ + game, 0);
            begin(game);
        });
    }

    // A new episode of one game: the next deal of its seed.
    void begin(std::size_t game) {
        forget_end(game);
        forget_match(game);
        scores[2 * game] = scores[2 * game + 1] = 0;
        deal(game);
        settle(game);
        show(game);
    }

    template <typename Index>
    bool may(std::size_t game, Index number) const {
        return number >= 0 && number < ACTION_COUNT && legal_[game].has(static_cast<int>(number));
    }

    // The game whose action cannot be taken; size() if there is none.  A game that is told -1 is left alone.
    template <typename Index>
    std::size_t first_wrong(const Index* numbers) const {
        for (std::size_t game = 0; game < size(); ++game) {
            if (numbers[game] != -1 && !may(game, numbers[game])) return game;
        }
        return size();
    }

    template <typename Index>
    void step(const Index* numbers) {
        each([&](std::size_t game) {
            if (numbers[game] >= 0) {
                step_one(game, static_cast<int>(numbers[game]));
            } else if (done[game]) {
                forget_end(game);
            }
        });
    }

    void step_one(std::size_t game, int number) {
        const int actor = seats[game];
        if (done[game]) forget_end(game);
        decide(game, number);
        settle(game);
        if (states[game].is_over()) {
            finish(game, actor);
            settle(game);
        }
        show(game);
    }

    // Any action of the mask, equally likely; -1 where there is none.
    void sample(std::int64_t* numbers) {
        each([&](std::size_t game) {
            const int count = legal_[game].count();
            numbers[game] = -1;
            if (count)
                numbers[game] = legal_[game].nth(static_cast<int>(rngs_[game].below(static_cast<unsigned>(count))));
        });
    }

    void observe(std::size_t game, int seat, std::uint8_t* into) const {
        const bool deciding = seat == states[game].first_pending();
        const int so_far[2] = {totals[2 * game], totals[2 * game + 1]};
        write_observation(states[game], seat, deciding ? picks[game] : no_picks(), so_far, into);
    }

    const Mask& legal(std::size_t game) const { return legal_[game]; }

    // Calls visit(values) with each of the columns that games go on from.
    template <typename Visit>
    void each_column(const Visit& visit) {
        visit(states);
        visit(picks);
        visit(rngs_);
        visit(deals_);
        visit(match_rounds_);
        visit(totals);
        visit(scores);
        visit(rewards);
        visit(done);
        visit(truncated);
        visit(final_observations);
    }

    // Whether a stored game, whose state is one, can be gone on with.
    bool can_restore(std::size_t game) const {
        const int seat = states[game].first_pending();
        if (picks[game].count > 2) return false;
        for (int pick = 0; pick < picks[game].count; ++pick) {
            const Card card = picks[game].cards[pick];
            if (seat < 0 || card > 55 || !(states[game].hands[seat] & bit(card))) return false;
        }
        return seat >= 0 || !deals_anew_;
    }

    // What follows from the columns.
    void restore(std::size_t game) {
        if (states[game].is_over()) {
            legal_[game].clear();
        } else {
            write_mask(states[game], states[game].first_pending(), picks[game], legal_[game]);
        }
        show(game);
    }

    struct Arguments {
        Rules rules;
        std::uint32_t goal;
        std::uint64_t seed;
        Reward reward;
        bool takes_forced, deals_anew;
        std::size_t threads;
        std::uint64_t first;
        std::uint32_t max_rounds;
    };

    Arguments arguments() const {
        return {rules_, goal_, seed_, reward_, takes_forced_, deals_anew_, pool_.threads(), first_, max_rounds_};
    }

    std::vector<State> states;
    std::vector<Picks> picks;
    std::vector<Mask> masks;                       // of the seat that is to decide
    std::vector<std::uint8_t> observations;        // the same seat's
    std::vector<std::uint8_t> final_observations;  // of who acted last, where the last step ended an episode
    std::vector<std::int8_t> seats;                // who is to decide, -1 at the end
    std::vector<std::uint8_t> done;                // whether the last step ended an episode
    std::vector<std::uint8_t> truncated;           // whether that was a match without a winner
    std::vector<float> rewards;                    // of the last step, four seats a game
    std::vector<std::int16_t> scores;              // of the round that ended last, two teams a game
    std::vector<std::int32_t> totals;              // of the match so far

private:
    template <typename Work>
    void each(const Work& work) {
        pool_.run(size(), [&](std::size_t first, std::size_t last) {
            for (std::size_t game = first; game < last; ++game) work(game);
        });
    }

    void deal(std::size_t game) {
        Rng rng = rng_for(seed_, first_ + game, deals_[game]++);
        start_shuffled_round(states[game], rng, rules_, goal_);
        picks[game] = no_picks();
        apply_automatic(states[game]);
    }

    // One decision, and the table's own that follow.
    void decide(std::size_t game, int number) {
        State& state = states[game];
        const int seat = state.first_pending();
        if (number >= PICKING && number < SINGLES) {
            Picks& so_far = picks[game];
            so_far.cards[so_far.count] = decode_pick(state, seat, so_far, number);
            if (++so_far.count < 3) return;
            apply(state, seat, exchange_of(so_far.cards[0], so_far.cards[1], so_far.cards[2]));
            so_far = no_picks();
        } else {
            apply(state, seat, decode(state, seat, number));
        }
        apply_automatic(state);
    }

    // The mask of whoever is to decide, after all decisions that leave no choice, where the table takes those.
    void settle(std::size_t game) {
        while (!states[game].is_over()) {
            write_mask(states[game], states[game].first_pending(), picks[game], legal_[game]);
            if (!takes_forced_ || legal_[game].count() != 1) return;
            decide(game, legal_[game].nth(0));
        }
        legal_[game].clear();
    }

    void forget_end(std::size_t game) {
        done[game] = truncated[game] = 0;
        for (int seat = 0; seat < 4; ++seat) rewards[4 * game + seat] = 0;
    }

    void forget_match(std::size_t game) { totals[2 * game] = totals[2 * game + 1] = match_rounds_[game] = 0; }

    void finish(std::size_t game, int actor) {
        const Score score = score_of(states[game]);
        const int first_out = states[game].out[0];
        for (int team = 0; team < 2; ++team) scores[2 * game + team] = score.teams[team];
        int won = -1;
        if (reward_ == Reward::MATCH) {
            for (int team = 0; team < 2; ++team) totals[2 * game + team] += score.teams[team];
            ++match_rounds_[game];
            won = winner_of(&totals[2 * game], goal_, match_rounds_[game], first_out);
            if (won < 0 && match_rounds_[game] < max_rounds_) {
                deal(game);
                return;
            }
            truncated[game] = won < 0;
        }
        done[game] = 1;
        for (int seat = 0; seat < 4; ++seat) {
            rewards[4 * game + seat] = static_cast<float>(reward_of(reward_, seat & 1, score, won));
        }
        observe(game, actor, &final_observations[game * OBSERVATION_SIZE]);
        if (deals_anew_) {
            forget_match(game);
            deal(game);
        }
    }

    void show(std::size_t game) {
        masks[game] = legal_[game];
        seats[game] = static_cast<std::int8_t>(states[game].first_pending());
        if (seats[game] >= 0) observe(game, seats[game], &observations[game * OBSERVATION_SIZE]);
    }

    std::vector<Mask> legal_;  // what `masks` shows; arrays that are given out may be written to
    std::vector<std::uint32_t> deals_, match_rounds_;
    std::vector<Rng> rngs_;
    Rules rules_;
    std::uint32_t goal_;
    std::uint64_t seed_;
    std::uint64_t first_;
    Reward reward_;
    bool takes_forced_;
    bool deals_anew_;
    std::uint32_t max_rounds_;
    Pool pool_;
};

}  // namespace tichu
