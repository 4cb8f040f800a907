// Games of one seat each: bots decide for the others, and the seat is asked whenever its decision is due.
//
// A game depends on its own seed and what it is told, never on the other games.  Its deals are those of game 0 of
// Tables; the generator that has dealt a round goes on to draw for its bots.  Where a network is to decide, a game
// waits until all others have come as far as they can: what waits for the same network is one batch.
#pragma once

#include <cstring>
#include <vector>

#include "pool.hpp"
#include "rewards.hpp"
#include "tichu/encoding.hpp"
#include "tichu/greedy.hpp"
#include "tichu/mirror.hpp"
#include "tichu/network.hpp"
#include "tichu/playout.hpp"

namespace tichu {

enum class Bot : std::uint8_t { GREEDY, RANDOM, NETWORK };
inline constexpr int BOTS = 3;

// What all games have in common.
struct SeatSettings {
    Rules rules;
    std::uint32_t goal;
    Reward reward;
    bool takes_forced;  // whether the seat is not asked where it has only one action
    std::uint32_t max_rounds;
    bool deals_anew;  // whether an episode that ends is followed by the next at once
    int seat;
    Bot bots[4];    // the seat's own is not asked
    float illegal;  // what an action outside the mask brings
    const Network* networks[4] = {};

    bool has_networks() const { return networks[0] || networks[1] || networks[2] || networks[3]; }
};

// All that a game goes on from; plain bytes, so that it can be stored.
struct SeatGame {
    State state;
    std::uint64_t seed;
    Rng rng;    // for the bots of this round
    Rng draws;  // for sample()
    std::uint32_t deals;
    std::uint32_t rounds;    // played in this episode
    std::int32_t totals[2];  // of the match so far, by team; zero where episodes are rounds
    Picks picks;             // of the seat, or of a network while it decides
    std::uint32_t is_over;   // nothing can be done before the next episode
    Memory memory;           // for networks
};
// How an episode ended.
struct SeatEnd {
    bool is_over;  // false: the seat is asked, or a network
    bool is_truncated;
    int reward;
    Score score;  // of the last round, by team
    bool waits;   // for a network
};

static_assert(std::is_trivially_copyable_v<SeatGame> && sizeof(SeatGame) == 216);

class Seats {
public:
    Seats(std::size_t games, const SeatSettings& settings, std::size_t threads, bool packs)
        : observations(games * OBSERVATION_SIZE), final_observations(games * OBSERVATION_SIZE),
          masks(packs ? 0 : games * ACTION_COUNT), packed_masks(packs ? games * sizeof(Mask) : 0), rewards(games),
          terminated(games), truncated(games), illegal(games), scores(2 * games), rounds(games), games_(games),
          legal_(games), waiting_(games), courses_(games), settings_(settings), packs_(packs), pool_(threads) {
        settings_.rules = settings_.rules.in_sequence();
        for (std::size_t game = 0; game < games; ++game) seed(game, game);
        begin_all();
    }

    std::size_t size() const { return games_.size(); }
    std::size_t threads() const { return pool_.threads(); }
    bool packs() const { return packs_; }
    const SeatSettings& settings() const { return settings_; }
    const SeatGame& game(std::size_t game) const { return games_[game]; }

    // The next episode has the first deal of the seed.
    void seed(std::size_t game, std::uint64_t seed) {
        games_[game].seed = seed;
        games_[game].deals = 0;
        games_[game].draws = rng_for(seed + 1, 0, 0);
    }

    // A new episode: the next deal.
    void begin(std::size_t game) {
        forget_end(game);
        deal_anew(game);
        answer_those_waiting();
    }

    void begin_all() {
        each([&](std::size_t game) {
            forget_end(game);
            deal_anew(game);
        });
        answer_those_waiting();
    }

    // A new episode from a state on; it counts as a deal, so that bots draw anew.
    void begin_at(std::size_t game, const State& state) {
        forget_end(game);
        SeatGame& one = games_[game];
        begin_episode(one);
        one.rng = rng_for(one.seed, 0, one.deals++);
        one.state = state;
        one.picks = no_picks();
        one.memory = Memory{};
        apply_automatic(one.state);
        courses_[game] = Course::ONE_EPISODE;
        go_on(game);
        answer_those_waiting();
    }

    template <typename Index>
    bool may(std::size_t game, Index number) const {
        return number >= 0 && number < ACTION_COUNT && legal_[game].has(static_cast<int>(number));
    }

    // The game whose action is not in its mask; size() if there is none.
    template <typename Index>
    std::size_t first_illegal(const Index* numbers) const {
        for (std::size_t game = 0; game < size(); ++game) {
            if (!may(game, numbers[game])) return game;
        }
        return size();
    }

    // An action in every game.  One outside the mask ends its episode, lost.
    template <typename Index>
    void step(const Index* numbers) {
        each([&](std::size_t game) { start_step(game, numbers[game]); });
        answer_those_waiting();
    }

    template <typename Index>
    void step_one(std::size_t game, Index number) {
        start_step(game, number);
        answer_those_waiting();
    }

    // Any action of the mask, equally likely; -1 where there is none.
    void sample(std::int64_t* numbers) {
        each([&](std::size_t game) {
            const auto count = static_cast<std::uint32_t>(legal_[game].count());
            numbers[game] = count ? legal_[game].nth(static_cast<int>(games_[game].draws.below(count))) : -1;
        });
    }

    // Whether a stored game, whose state is one, can be gone on with.
    static bool can_restore(const SeatGame& from, int seat) {
        if (from.is_over > 1 || from.picks.count > 2) return false;
        for (int pick = 0; pick < from.picks.count; ++pick) {
            const Card card = from.picks.cards[pick];
            if (card > 55 || !(from.state.hands[seat] & bit(card))) return false;
        }
        return from.is_over || from.state.first_pending() == seat;
    }

    void restore(std::size_t game, const SeatGame& from) {
        games_[game] = from;
        if (from.is_over) {
            legal_[game].clear();
        } else {
            write_mask(from.state, settings_.seat, from.picks, legal_[game]);
        }
        show(game);
    }

    std::vector<std::uint8_t> observations;        // of the seat
    std::vector<std::uint8_t> final_observations;  // at the end, where the last step ended an episode
    std::vector<std::int8_t> masks;                // a byte an action, or nothing
    std::vector<std::uint8_t> packed_masks;        // a bit an action, or nothing
    std::vector<float> rewards;                    // of the last step
    std::vector<std::uint8_t> terminated;          // whether it ended an episode
    std::vector<std::uint8_t> truncated;           // whether it ended a match that nobody has won
    std::vector<std::uint8_t> illegal;             // whether it was an action outside the mask
    std::vector<std::int16_t> scores;              // of the round that ended last: the seat's team, the other
    std::vector<std::uint32_t> rounds;             // of the episode that ended last

private:
    // What follows when an episode is over: the next one, after this is told; the next one, for there was nothing to
    // tell of; or nothing.
    enum class Course : std::uint8_t { ON_AND_ON, DEALING, ONE_EPISODE };

    template <typename Work>
    void each(const Work& work) {
        pool_.run(size(), [&](std::size_t first, std::size_t last) {
            for (std::size_t game = first; game < last; ++game) work(game);
        });
    }

    void forget_end(std::size_t game) {
        rewards[game] = 0;
        terminated[game] = truncated[game] = illegal[game] = 0;
    }

    void begin_episode(SeatGame& one) const {
        one.is_over = one.rounds = 0;
        one.totals[0] = one.totals[1] = 0;
    }

    void deal_anew(std::size_t game) {
        begin_episode(games_[game]);
        deal(games_[game]);
        courses_[game] = Course::DEALING;
        go_on(game);
    }

    template <typename Index>
    void start_step(std::size_t game, Index number) {
        forget_end(game);
        courses_[game] = settings_.deals_anew ? Course::ON_AND_ON : Course::ONE_EPISODE;
        if (may(game, number)) {
            decide(games_[game], static_cast<int>(number));
            return go_on(game);
        }
        illegal[game] = terminated[game] = 1;
        rewards[game] = settings_.illegal;
        end(game);
        if (settings_.deals_anew) {
            deal_anew(game);
        } else {
            show(game);
        }
    }

    // On to the next question, to the end, which is told, or to the decision of a network.
    void go_on(std::size_t game) {
        SeatGame& one = games_[game];
        for (;;) {
            const SeatEnd how = ask(game);
            waiting_[game] = how.waits;
            if (how.waits) return;
            if (!how.is_over) break;
            // A round can pass by without a choice for the seat; then the next one is its episode.
            if (courses_[game] != Course::DEALING) {
                tell(game, how);
                if (courses_[game] == Course::ONE_EPISODE) break;
                courses_[game] = Course::DEALING;
            }
            begin_episode(one);
            deal(one);
        }
        show(game);
    }

    void tell(std::size_t game, const SeatEnd& how) {
        const int team = settings_.seat & 1;
        rewards[game] = static_cast<float>(how.reward);
        truncated[game] = how.is_truncated;
        terminated[game] = !how.is_truncated;
        for (int each = 0; each < 2; ++each) scores[2 * game + each] = how.score.teams[team ^ each];
        rounds[game] = games_[game].rounds;
        end(game);
    }

    // Networks decide, each for all games that wait for it, until no game waits.
    void answer_those_waiting() {
        if (!settings_.has_networks()) return;
        std::vector<std::size_t> places;
        std::vector<std::uint8_t> rows;
        std::vector<Mask> masks;
        std::vector<std::int16_t> numbers;
        for (;;) {
            const Network* network = nullptr;
            places.clear();
            for (std::size_t game = 0; game < size(); ++game) {
                if (!waiting_[game]) continue;
                const Network* wanted = settings_.networks[games_[game].state.first_pending()];
                if (!network) network = wanted;
                if (network == wanted) places.push_back(game);
            }
            if (!network) return;
            rows.resize(places.size() * ROW_SIZE);
            masks.resize(places.size());
            numbers.resize(places.size());
            pool_.run(places.size(), [&](std::size_t first, std::size_t last) {
                for (std::size_t place = first; place < last; ++place) {
                    masks[place] = legal_[places[place]];
                    write_row(games_[places[place]], &rows[place * ROW_SIZE]);
                }
                network->choose(&rows[first * ROW_SIZE], &masks[first], last - first, &numbers[first]);
                for (std::size_t place = first; place < last; ++place) {
                    decide_for_network(games_[places[place]], numbers[place]);
                    go_on(places[place]);
                }
            });
        }
    }

    // What the network that decides sees and remembers.
    void write_row(const SeatGame& one, std::uint8_t* row) const {
        const int seat = one.state.first_pending();
        const int so_far[2] = {one.totals[0], one.totals[1]};
        if (is_mirrored()) {
            write_row(mirrored(one.state), mirrored(one.memory), across(seat), one.picks, so_far, row);
        } else {
            write_row(one.state, one.memory, seat, one.picks, so_far, row);
        }
    }

    static void write_row(const State& state, const Memory& memory, int seat, const Picks& picks, const int* so_far,
                          std::uint8_t* row) {
        write_observation(state, seat, picks, so_far, row);
        write_memory(memory, seat, state.goal, so_far, row + OBSERVATION_SIZE);
        // Half a past would tell of players who have played nothing.
        Cards remembered = 0;
        for (const Cards cards : memory.played) remembered |= cards;
        if (remembered != state.played()) std::memset(row + OBSERVATION_SIZE, 0, MEMORY_SIZE - 2);
    }

    void end(std::size_t game) {
        games_[game].is_over = 1;
        legal_[game].clear();
        observe(game, &final_observations[game * OBSERVATION_SIZE]);
    }

    void deal(SeatGame& one) {
        one.rng = rng_for(one.seed, 0, one.deals++);
        start_shuffled_round(one.state, one.rng, settings_.rules, settings_.goal);
        one.picks = no_picks();
        one.memory = Memory{};
        apply_automatic(one.state);
    }

    // Networks see clockwise play in a mirror.
    bool is_mirrored() const { return settings_.rules.is_clockwise(); }

    // One card more for an exchange; whether it was the last.
    static bool pick(SeatGame& one, const State& seen, int seat, int number) {
        Picks& picks = one.picks;
        picks.cards[picks.count] = decode_pick(seen, seat, picks, number);
        return ++picks.count == 3;
    }

    static Action exchange_picks(SeatGame& one) {
        const Card* cards = one.picks.cards;
        const Action exchange = exchange_of(cards[0], cards[1], cards[2]);
        one.picks = no_picks();
        return exchange;
    }

    // One decision of the seat, and the table's own that follow.
    void decide(SeatGame& one, int number) const {
        const int seat = settings_.seat;
        if (number < PICKING || number >= SINGLES) return act(one, seat, decode(one.state, seat, number));
        if (pick(one, one.state, seat, number)) act(one, seat, exchange_picks(one));
    }

    // The same of a network, whose numbers are about what it sees.
    void decide_for_network(SeatGame& one, int number) const {
        const int seat = one.state.first_pending();
        const State seen = is_mirrored() ? mirrored(one.state) : one.state;
        const int place = is_mirrored() ? across(seat) : seat;
        Action action;
        if (number < PICKING || number >= SINGLES) {
            action = decode(seen, place, number);
            one.picks = no_picks();  // Who calls begins the exchange anew.
        } else if (pick(one, seen, place, number)) {
            action = exchange_picks(one);
        } else {
            return;
        }
        act(one, seat, is_mirrored() ? mirrored(action) : action);
    }

    void act(SeatGame& one, int seat, const Action& action) const {
        if (settings_.has_networks()) remember(one.memory, one.state, seat, action);
        apply(one.state, seat, action);
        apply_automatic(one.state);
    }

    Action bot_action(SeatGame& one, int seat) const {
        if (settings_.bots[seat] == Bot::GREEDY) return greedy_action(one.state, seat);
        return random_decision(one.state, seat, legal_of(one.state, seat), one.rng);
    }

    // The others decide until the seat has a choice or the episode is over.
    SeatEnd ask(std::size_t game) {
        SeatGame& one = games_[game];
        for (;;) {
            if (one.state.is_over()) {
                const SeatEnd how = finish_round(one);
                if (how.is_over) return how;
                deal(one);
                continue;
            }
            const int seat = one.state.first_pending();
            if (settings_.networks[seat]) {
                if (is_mirrored()) {
                    write_mask(mirrored(one.state), across(seat), one.picks, legal_[game]);
                } else {
                    write_mask(one.state, seat, one.picks, legal_[game]);
                }
                if (legal_[game].count() > 1) return SeatEnd{false, false, 0, {}, true};
                decide_for_network(one, legal_[game].nth(0));
            } else if (seat != settings_.seat) {
                act(one, seat, bot_action(one, seat));
            } else {
                write_mask(one.state, seat, one.picks, legal_[game]);
                if (!settings_.takes_forced || legal_[game].count() != 1) return SeatEnd{};
                decide(one, legal_[game].nth(0));
            }
        }
    }

    SeatEnd finish_round(SeatGame& one) const {
        const Score score = score_of(one.state);
        ++one.rounds;
        int winner = -1;
        bool is_truncated = false;
        if (settings_.reward == Reward::MATCH) {
            for (int team = 0; team < 2; ++team) one.totals[team] += score.teams[team];
            winner = winner_of(one.totals, settings_.goal, one.rounds, one.state.out[0]);
            is_truncated = winner < 0;
            if (is_truncated && one.rounds < settings_.max_rounds) return SeatEnd{};
        }
        return SeatEnd{true, is_truncated, reward_of(settings_.reward, settings_.seat & 1, score, winner), score,
                       false};
    }

    void observe(std::size_t game, std::uint8_t* into) const {
        const SeatGame& one = games_[game];
        const int so_far[2] = {one.totals[0], one.totals[1]};
        const bool is_asked = one.state.first_pending() == settings_.seat;
        write_observation(one.state, settings_.seat, is_asked ? one.picks : no_picks(), so_far, into);
    }

    void show(std::size_t game) {
        observe(game, &observations[game * OBSERVATION_SIZE]);
        if (packs_) {
            std::memcpy(&packed_masks[game * sizeof(Mask)], &legal_[game], sizeof(Mask));
            return;
        }
        std::int8_t* mask = &masks[game * ACTION_COUNT];
        std::memset(mask, 0, ACTION_COUNT);
        for (int place = 0; place < MASK_WORDS; ++place) {
            for (std::uint64_t word = legal_[game].words[place]; word; word &= word - 1) {
                mask[64 * place + lowest(word)] = 1;
            }
        }
    }

    std::vector<SeatGame> games_;
    std::vector<Mask> legal_;            // what the masks show; arrays that are given out may be written to
    std::vector<std::uint8_t> waiting_;  // for a network
    std::vector<Course> courses_;
    SeatSettings settings_;
    bool packs_;
    Pool pool_;
};

}  // namespace tichu
