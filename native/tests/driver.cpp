// The core without Python, for the sanitizers and for comparison with a GPU:
//
//   driver test ROUNDS           rounds of every preset with every check on, perft, fuzzed bytes
//   driver sums SEED GAMES       per preset one number for that many games; device.cu prints the same
//   driver speed ROUNDS          rounds and steps a second
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>

#include "games.hpp"
#include "module/batch.hpp"
#include "module/seats.hpp"
#include "module/tables.hpp"
#include "networks.hpp"
#include "rolled.hpp"
#include "tichu/check.hpp"
#include "tichu/perft.hpp"
#include "tichu/refusal.hpp"

using namespace tichu;

namespace {

void require(bool holds, const char* what, const State& state) {
    if (holds) return;
    std::fprintf(stderr, "%s, state ", what);
    const auto* bytes = reinterpret_cast<const unsigned char*>(&state);
    for (std::size_t at = 0; at < sizeof state; ++at) std::fprintf(stderr, "%02x", bytes[at]);
    std::fprintf(stderr, "\n");
    std::exit(1);
}

void examine_greedy(const State& state) {
    for (int seat = 0; seat < 4; ++seat) {
        if (!state.is_pending(seat)) continue;
        const Action action = greedy_action(state, seat);
        require(refusal(state, seat, action) == Reason::LEGAL, "what greedy does is refused", state);
        require(pack(unpack(pack(action))) == pack(action), "what greedy does cannot be packed", state);
    }
}

// What must hold in every state: it passes for one from outside, and what is listed is legal and packs.
void examine(const State& state, Rng& rng) {
    const Fault fault = fault_of(state);
    require(!fault, fault ? fault : "", state);
    examine_greedy(state);
    for (int seat = 0; seat < 4; ++seat) {
        const Legal legal = legal_of(state, seat);
        const std::uint32_t count = legal.count();
        for (std::uint32_t tries = 0; tries < 3 && tries < count; ++tries) {
            const PackedAction packed = pack(nth_action(state, seat, legal, rng.below(count)));
            require(pack(unpack(packed)) == packed, "packing changes an action", state);
            require(refusal(state, seat, unpack(packed)) == Reason::LEGAL, "a listed action is refused", state);
        }
        // Any word is answered.
        const PackedAction word = rng.next();
        const PackedAction near =
            static_cast<PackedAction>(rng.below(10)) << 60 | (rng.next() & rng.next() & ALL_CARDS);
        for (const PackedAction packed : {word, near}) {
            if (refusal_now(state, seat, unpack(packed)) != Reason::LEGAL) continue;
            State next = state;
            apply(next, seat, unpack(packed));
            require(!fault_of(next), "a legal action leads to a state that cannot be", next);
        }
    }
}

// Every number of the mask of the seat that decides is a legal action, or a card of its hand.
void examine_encoding(const State& state) {
    const int seat = state.first_pending();
    Mask mask;
    write_mask(state, seat, no_picks(), mask);
    require(mask.count() > 0, "nothing can be decided", state);
    for (int place = 0; place < mask.count(); ++place) {
        const int number = mask.nth(place);
        if (number >= PICKING && number < SINGLES) {
            const Card card = decode_pick(state, seat, no_picks(), number);
            require(state.hands[seat] & bit(card), "a pick is not in the hand", state);
        } else {
            require(refusal(state, seat, decode(state, seat, number)) == Reason::LEGAL, "a number is refused", state);
        }
    }
}

void play_rounds(const Preset& preset, std::uint64_t rounds) {
    std::uint64_t steps = 0;
    for (std::uint64_t round = 0; round < rounds; ++round) {
        Rng rng = rng_for(7, round, 0), other = rng_for(8, round, 0);
        State state;
        // Every second round stays under bombs=anytime, which play_out would put in sequence.
        start_shuffled_round(state, rng, round & 1 ? preset.rules : preset.rules.in_sequence(), 1000);
        for (apply_automatic(state); !state.is_over(); ++steps) {
            examine(state, other);
            examine_encoding(state);
            random_step(state, rng);
        }
        examine(state, other);
        const Score score = score_of(state);
        require((score.teams[0] + score.teams[1]) % 100 == 0, "points are lost", state);
    }
    std::printf("%-15s %10llu rounds %12llu steps\n", preset.name, static_cast<unsigned long long>(rounds),
                static_cast<unsigned long long>(steps));
}

void count_some(const Preset& preset) {
    for (std::uint64_t game = 0; game < 20; ++game) {
        Rng rng = rng_for(9, game, 0);
        State state;
        start_shuffled_round(state, rng, preset.rules, 1000);
        std::uint64_t sequences = 0;
        for (int step = 0; !state.is_over(); ++step) {
            if (state.phase != Phase::EXCHANGE && step % 7 == 0) sequences += perft(state, 2);
            random_step(state, rng);
        }
        require(sequences > 0, "perft counts nothing", state);
    }
}

// Bytes changed at random are refused or can be played to the end.
void fuzz(std::uint64_t tries) {
    std::uint64_t taken = 0;
    for (std::uint64_t game = 0; game < tries; ++game) {
        Rng rng = rng_for(10, game, 0);
        State state;
        start_shuffled_round(state, rng, PRESETS[rng.below(6)].rules, 1000);
        for (std::uint32_t step = rng.below(120); step && !state.is_over(); --step) random_step(state, rng);
        for (int bytes = 0; bytes < 20; ++bytes) {
            unsigned char raw[sizeof(State)];
            std::memcpy(raw, &state, sizeof raw);
            for (std::uint32_t changes = 1 + rng.below(3); changes; --changes) {
                unsigned char& changed = raw[rng.below(sizeof raw)];
                changed = static_cast<unsigned char>(rng.below(2) ? rng.below(256) : changed ^ 1u << rng.below(8));
            }
            State wrong;
            std::memcpy(&wrong, raw, sizeof raw);
            if (fault_of(wrong)) continue;
            ++taken;
            examine(wrong, rng);
            Rng own = rng;
            play_out(wrong, own);
        }
    }
    std::printf("fuzzed          %10llu states %12llu of them could be\n", static_cast<unsigned long long>(20 * tries),
                static_cast<unsigned long long>(taken));
}

// A batch on several threads does what one on a single thread does.
void compare_batches() {
    Batch one(500, PRESETS[0].rules, 1000, 11, 1, 0), several(500, PRESETS[0].rules, 1000, 11, 3, 0);
    std::vector<std::int64_t> indices(one.size());
    std::vector<PackedAction> actions(one.size());
    for (int step = 0; step < 300; ++step) {
        for (std::size_t game = 0; game < one.size(); ++game) indices[game] = step % one.counts[game];
        several.pick(indices.data(), actions.data());
        one.step(indices.data());
        const bool legal = several.first_wrong_action(actions.data()) == several.size();
        require(legal, "a picked action is not legal", several.states[0]);
        several.act(actions.data());
        one.random_steps(2);
        several.random_steps(2);
        for (std::size_t game = 0; game < one.size(); ++game) {
            require(same(one.states[game], several.states[game]), "threads change a game", several.states[game]);
        }
    }
    std::printf("batches         %10zu games on %zu threads as on one\n", several.size(), several.threads());
}

// Tables on several threads do what those on a single thread do; now and then a game is left alone or begun anew.
void compare_tables(const Preset& preset, Reward reward, bool takes_forced, bool deals_anew) {
    Tables one(100, preset.rules, 300, 12, reward, takes_forced, deals_anew, 1, 5, 100);
    Tables several(100, preset.rules, 300, 12, reward, takes_forced, deals_anew, 3, 5, 100);
    std::vector<std::int64_t> numbers(one.size()), others(one.size());
    for (int step = 0; step < 400; ++step) {
        one.sample(numbers.data());
        several.sample(others.data());
        require(numbers == others, "threads draw other numbers", one.states[0]);
        if (step % 5 == 0) numbers[step % one.size()] = -1;
        const std::size_t wrong = one.first_wrong(numbers.data());
        require(wrong == one.size(), "a drawn number is not in the mask", one.states[wrong % one.size()]);
        one.step(numbers.data());
        several.step(numbers.data());
        for (std::size_t game = 0; game < one.size(); ++game) {
            require(same(one.states[game], several.states[game]), "threads change a game", several.states[game]);
            if (one.states[game].is_over() && step % 7 == 0) {
                one.begin(game);
                several.begin(game);
            }
        }
        require(one.observations == several.observations, "threads change what is seen", one.states[0]);
        require(one.final_observations == several.final_observations, "threads change the last look", one.states[0]);
        require(one.rewards == several.rewards && one.done == several.done, "threads change a reward", one.states[0]);
    }
}

// Seats on several threads do what those on a single thread do, and so do stored ones; some actions are illegal.
void compare_seats(const Preset& preset, Reward reward, bool takes_forced, const Network* network = nullptr) {
    SeatSettings settings{preset.rules, 300, reward, takes_forced, 3, true, 1, {Bot::GREEDY, {}, Bot::RANDOM}, -200};
    if (network) settings.networks[0] = settings.networks[3] = network;
    Seats one(100, settings, 1, false), several(100, settings, 3, false), stored(100, settings, 1, false);
    std::vector<std::int64_t> numbers(one.size()), others(one.size());
    for (int step = 0; step < 300; ++step) {
        one.sample(numbers.data());
        several.sample(others.data());
        stored.sample(others.data());
        require(numbers == others, "threads or storing draw other numbers", one.game(0).state);
        require(one.first_illegal(numbers.data()) == one.size(), "a drawn number is illegal", one.game(0).state);
        if (step % 5 == 0) numbers[static_cast<std::size_t>(step) % one.size()] = step;
        for (Seats* seats : {&one, &several, &stored}) seats->step(numbers.data());
        for (std::size_t game = 0; game < one.size(); ++game) {
            const SeatGame& from = one.game(game);
            require(!fault_of(from.state) && Seats::can_restore(from, 1), "a game cannot be stored", from.state);
            if (step % 11 == 0) stored.restore(game, from);
            for (const Seats* seats : {&several, &stored}) {
                require(!std::memcmp(&from, &seats->game(game), sizeof from), "a game differs", from.state);
            }
        }
        for (const Seats* seats : {&several, &stored}) {
            require(one.observations == seats->observations, "what is seen differs", one.game(0).state);
            require(one.masks == seats->masks && one.rewards == seats->rewards, "masks differ", one.game(0).state);
        }
    }
}

double seconds_since(std::chrono::steady_clock::time_point start) {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

}  // namespace

int main(int count, char** words) {
    const std::string mode = count > 1 ? words[1] : "";
    if (mode == "test" && count == 3) {
        const std::uint64_t rounds = std::strtoull(words[2], nullptr, 10);
        for (const Preset& preset : PRESETS) {
            play_rounds(preset, rounds);
            count_some(preset);
        }
        fuzz(rounds);
        compare_batches();
        compare_networks();
        compare_rollouts();
        const RandomNetwork random(32, 2, 700, 5);
        const Network network(random.weights, kernels_for(512));
        for (const Preset& preset : PRESETS) {
            compare_tables(preset, Reward::POINTS, true, true);
            compare_tables(preset, Reward::DIFFERENCE, false, false);
            compare_tables(preset, Reward::MATCH, true, true);
            compare_seats(preset, Reward::POINTS, false);
            compare_seats(preset, Reward::MATCH, true);
            compare_seats(preset, Reward::MATCH, false, &network);
        }
        std::printf("tables          on three threads as on one, and games of one seat, stored and not\n");
    } else if (mode == "sums" && count == 4) {
        const std::uint64_t seed = std::strtoull(words[2], nullptr, 10), games = std::strtoull(words[3], nullptr, 10);
        for (const Preset& preset : PRESETS) {
            std::uint64_t checksum = 0, steps = 0;
            for (std::uint64_t game = 0; game < games; ++game) {
                const GameSum sum = sum_of_game(preset.rules, seed, game);
                checksum += sum.checksum;
                steps += sum.steps;
            }
            std::printf("%-15s seed %llu games %llu steps %llu checksum %016llx\n", preset.name,
                        static_cast<unsigned long long>(seed), static_cast<unsigned long long>(games),
                        static_cast<unsigned long long>(steps), static_cast<unsigned long long>(checksum));
        }
    } else if (mode == "speed" && count == 3) {
        const std::uint64_t rounds = std::strtoull(words[2], nullptr, 10);
        for (const Preset& preset : PRESETS) {
            const auto start = std::chrono::steady_clock::now();
            std::uint64_t steps = 0;
            for (std::uint64_t round = 0; round < rounds; ++round) {
                Rng rng = rng_for(1, round, 0);
                State state;
                start_shuffled_round(state, rng, preset.rules, 0);
                steps += play_out(state, rng);
            }
            const double seconds = seconds_since(start);
            std::printf("%-15s %10.0f rounds/s %8.2f M steps/s\n", preset.name, static_cast<double>(rounds) / seconds,
                        static_cast<double>(steps) / seconds / 1e6);
        }
    } else {
        std::fprintf(stderr, "driver test ROUNDS | driver sums SEED GAMES | driver speed ROUNDS\n");
        return 2;
    }
    return 0;
}
