// Thousands of games at once: each decides, is stepped, and is dealt anew when its round is over.
//
// What happens in a game depends on the seed, the number of the game and what it is told, never on the other games, so
// neither the size of a batch nor its threads change anything.
#pragma once

#include <mutex>
#include <vector>

#include "pool.hpp"
#include "tichu/playout.hpp"
#include "tichu/refusal.hpp"

namespace tichu {

class Batch {
public:
    Batch(std::size_t games, Rules rules, std::uint32_t goal, std::uint64_t seed, std::size_t threads,
          std::uint64_t first)
        : states(games), seats(games), counts(games), calls(games), done(games), scores(2 * games), rounds(games),
          legals_(games), rngs_(games), rules_(rules.in_sequence()), goal_(goal), seed_(seed), first_(first),
          pool_(threads) {
        reset();
    }

    std::size_t size() const { return states.size(); }
    std::size_t threads() const { return pool_.threads(); }

    // Every game at its first round.
    void reset() {
        each([this](std::size_t game) {
            rounds[game] = 0;
            done[game] = 0;
            scores[2 * game] = scores[2 * game + 1] = 0;
            deal(game);
            look(game);
        });
    }

    // The game whose index is none of its legal actions; size() if there is none.
    template <typename Index>
    std::size_t first_wrong_index(const Index* indices) const {
        for (std::size_t game = 0; game < size(); ++game) {
            if (indices[game] < 0 || indices[game] >= static_cast<Index>(counts[game])) return game;
        }
        return size();
    }

    // The actions of the indices, one a game.
    template <typename Index>
    void pick(const Index* indices, PackedAction* actions) {
        each([&](std::size_t game) { actions[game] = pack(action(game, static_cast<std::uint32_t>(indices[game]))); });
    }

    // Every game takes its indexed action.
    template <typename Index>
    void step(const Index* indices) {
        each([&](std::size_t game) { take(game, action(game, static_cast<std::uint32_t>(indices[game]))); });
    }

    // All legal actions of every game, one game after another; those of a game begin at its start.
    void list(const std::int64_t* starts, PackedAction* actions) {
        each([&](std::size_t game) {
            PackedAction* next = actions + starts[game];
            auto write = [&](const Action& action) { *next++ = pack(action); };
            each_action(states[game], seats[game], legals_[game], write);
        });
    }

    // The game whose action is not legal; size() if there is none.
    std::size_t first_wrong_action(const PackedAction* actions) {
        std::atomic<std::size_t> wrong{size()};
        each([&](std::size_t game) {
            if (refusal_now(states[game], seats[game], unpack(actions[game])) == Reason::LEGAL) return;
            for (std::size_t seen = wrong; game < seen && !wrong.compare_exchange_weak(seen, game);) {
            }
        });
        return wrong;
    }

    // Every game takes its action, known to be legal.
    void act(const PackedAction* actions) {
        each([&](std::size_t game) { take(game, unpack(actions[game])); });
    }

    // Every game takes `steps` random decisions; answers how many rounds have ended.
    std::uint64_t random_steps(std::uint32_t steps) {
        std::atomic<std::uint64_t> ended{0};
        each([&](std::size_t game) {
            std::uint64_t ended_here = 0;
            for (std::uint32_t step = 0; step < steps; ++step) {
                take(game, random_action(states[game], seats[game], legals_[game], rngs_[game]));
                ended_here += done[game];
            }
            ended += ended_here;
        });
        return ended;
    }

    // Held by whoever steps the batch.
    std::mutex mutex;

    // What a game is asked, as arrays over the games.
    std::vector<State> states;
    std::vector<std::int8_t> seats;     // who is to decide
    std::vector<std::int32_t> counts;   // how many legal actions there are
    std::vector<std::uint8_t> calls;    // whether the last of them is a Tichu call
    std::vector<std::uint8_t> done;     // whether the last step ended a round
    std::vector<std::int16_t> scores;   // the score of the round that ended last, two teams a game
    std::vector<std::uint32_t> rounds;  // how many rounds a game has ended

private:
    template <typename Work>
    void each(const Work& work) {
        pool_.run(size(), [&](std::size_t first, std::size_t last) {
            for (std::size_t game = first; game < last; ++game) work(game);
        });
    }

    Action action(std::size_t game, std::uint32_t index) const {
        return nth_action(states[game], seats[game], legals_[game], index);
    }

    void deal(std::size_t game) {
        rngs_[game] = rng_for(seed_, first_ + game, rounds[game]);
        start_shuffled_round(states[game], rngs_[game], rules_, goal_);
        apply_automatic(states[game]);
    }

    void take(std::size_t game, const Action& action) {
        State& state = states[game];
        apply(state, seats[game], action);
        apply_automatic(state);
        done[game] = state.is_over();
        if (state.is_over()) {
            const Score score = score_of(state);
            scores[2 * game] = score.teams[0];
            scores[2 * game + 1] = score.teams[1];
            ++rounds[game];
            deal(game);
        }
        look(game);
    }

    void look(std::size_t game) {
        seats[game] = static_cast<std::int8_t>(states[game].first_pending());
        legals_[game] = legal_of(states[game], seats[game]);
        counts[game] = static_cast<std::int32_t>(legals_[game].count());
        calls[game] = legals_[game].calls;
    }

    std::vector<Legal> legals_;
    std::vector<Rng> rngs_;
    Rules rules_;
    std::uint32_t goal_;
    std::uint64_t seed_;
    std::uint64_t first_;
    Pool pool_;
};

}  // namespace tichu
