// Many games at once, one a thread on a GPU (nvcc) or one after another on a CPU (any C++20 compiler, -x c++).
//
// The functions below are what training/simulator.py calls.  All pointers lie where the games are played; `stream` is
// the CUDA stream to work on.  They answer null, or what went wrong.
#include <cstring>

#include "simulator.hpp"

using namespace tichu;
using namespace tichu::training;

namespace {

// Arrays with a row a game.
struct Arrays {
    std::uint8_t* observations;
    std::uint64_t* masks;
    std::uint8_t* hands;
    std::int8_t* seats;
};

using Word = unsigned long long;

}  // namespace

#if defined(__CUDACC__)

namespace {

// What a thread writes byte by byte is gathered in shared memory, whose rows then leave side by side.
constexpr int SHOWN = 64;

struct Rows {
    alignas(16) std::uint8_t observations[SHOWN * SHOWN_SIZE];
    alignas(16) std::uint64_t masks[SHOWN * MASK_WORDS];
    alignas(16) std::uint8_t hands[SHOWN * HANDS_SIZE];
};

__device__ void copy_rows(const void* from, void* to, std::size_t row_size) {
    const std::size_t words = SHOWN * row_size / 16, offset = blockIdx.x * words;
    for (std::size_t word = threadIdx.x; word < words; word += SHOWN) {
        static_cast<uint4*>(to)[offset + word] = static_cast<const uint4*>(from)[word];
    }
}

// Without actions the games are dealt.
__global__ void __launch_bounds__(SHOWN) play(Slot* slots, Seed seed, const RuleSet* rule_sets,
                                              const std::int16_t* actions, Arrays arrays, Result* results) {
    __shared__ Rows rows;
    const std::uint64_t number = std::uint64_t{blockIdx.x} * SHOWN + threadIdx.x;
    Slot slot = actions ? slots[number] : Slot{};
    Mask& mask = *reinterpret_cast<Mask*>(rows.masks + threadIdx.x * MASK_WORDS);
    if (actions) {
        results[number] = step(slot, seed, rule_sets[number], number, actions[number], mask);
    } else {
        begin(slot, seed, rule_sets[number], number, mask);
    }
    show(slot, rows.observations + threadIdx.x * SHOWN_SIZE, rows.hands + threadIdx.x * HANDS_SIZE,
         arrays.seats[number]);
    slots[number] = slot;
    __syncthreads();
    copy_rows(rows.observations, arrays.observations, SHOWN_SIZE);
    copy_rows(rows.masks, arrays.masks, sizeof(Mask));
    copy_rows(rows.hands, arrays.hands, HANDS_SIZE);
}

// What a game is about to do: games that do the same thing are put into the same warp.
constexpr int KEYS = 48;

__device__ int key_of(const State& state) {
    const int phase = static_cast<int>(state.phase);
    if (state.phase != Phase::PLAY) return 32 + phase;
    const int kind = state.has_top() ? static_cast<int>(state.top_kind) : 0;
    return 2 * kind + static_cast<int>(state.hands[state.first_pending()] >> PHOENIX & 1);
}

template <int SIZE>
struct Table {
    Game games[SIZE];
    Rng rngs[SIZE];
    std::uint16_t order[SIZE];
    int starts[KEYS];
};

// The games of a block stay in shared memory; before each turn they are sorted by what they are about to do.
template <int SIZE>
__global__ void __launch_bounds__(SIZE, 1024 / SIZE)
    play_at_random(Seed seed, RuleSet rule_set, std::uint32_t turns, Word* sums) {
    extern __shared__ __align__(16) unsigned char memory[];
    Table<SIZE>& table = *reinterpret_cast<Table<SIZE>*>(memory);
    const int own = static_cast<int>(threadIdx.x);
    const std::uint64_t first = std::uint64_t{blockIdx.x} * SIZE;
    table.games[own].state.phase = Phase::END;
    table.games[own].deals = 0;
    std::uint32_t steps = 0;
    for (std::uint32_t turn = 0; turn < turns; ++turn) {
        const int key = key_of(table.games[own].state);
        if (own < KEYS) table.starts[own] = 0;
        __syncthreads();
        const int place = atomicAdd(&table.starts[key], 1);
        __syncthreads();
        if (own < 32) {
            // Sums of all keys before, two a lane.
            const int one = 2 * own < KEYS ? table.starts[2 * own] : 0,
                      two = 2 * own < KEYS ? table.starts[2 * own + 1] : 0;
            int before = one + two;
            for (int distance = 1; distance < 32; distance *= 2) {
                const int other = __shfl_up_sync(~0u, before, distance);
                if (own >= distance) before += other;
            }
            before -= one + two;
            if (2 * own < KEYS) {
                table.starts[2 * own] = before;
                table.starts[2 * own + 1] = before + one;
            }
        }
        __syncthreads();
        table.order[table.starts[key] + place] = static_cast<std::uint16_t>(own);
        __syncthreads();
        const int chosen = table.order[own];
        Game game = table.games[chosen];
        Rng rng = table.rngs[chosen];
        steps += random_turn(game, rng, seed, rule_set, first + chosen);
        table.games[chosen] = game;
        table.rngs[chosen] = rng;
        __syncthreads();
    }
    atomicAdd(&sums[0], Word{steps});
    atomicAdd(&sums[1], Word{table.games[own].deals});
    atomicAdd(&sums[2], static_cast<Word>(folded(0, table.games[own].state)));
}

const char* outcome() {
    const cudaError_t status = cudaGetLastError();
    return status == cudaSuccess ? nullptr : cudaGetErrorString(status);
}

template <int SIZE>
const char* run_at_random(Seed seed, RuleSet rule_set, std::uint32_t games, std::uint32_t turns, Word* sums,
                          cudaStream_t stream) {
    cudaFuncSetAttribute(play_at_random<SIZE>, cudaFuncAttributeMaxDynamicSharedMemorySize, sizeof(Table<SIZE>));
    play_at_random<SIZE><<<games / SIZE, SIZE, sizeof(Table<SIZE>), stream>>>(seed, rule_set, turns, sums);
    return outcome();
}

}  // namespace

#endif

extern "C" {

int tichu_encoding_version() { return ENCODING_VERSION; }
int tichu_game_size() { return sizeof(Slot); }
int tichu_row_size() { return SHOWN_SIZE; }

// Deals (without actions) or takes an action in every game; 64 games or a multiple.
const char* tichu_play(Slot* slots, int count, std::uint64_t seed, std::uint64_t first, const RuleSet* rule_sets,
                       const std::int16_t* actions, std::uint8_t* observations, std::uint64_t* masks,
                       std::uint8_t* hands, std::int8_t* seats, Result* results, void* stream) {
    const Seed deals{seed, first};
    const Arrays arrays{observations, masks, hands, seats};
    if (count <= 0 || count % 64) return "64 games or a multiple";
#if defined(__CUDACC__)
    play<<<count / SHOWN, SHOWN, 0, static_cast<cudaStream_t>(stream)>>>(slots, deals, rule_sets, actions, arrays,
                                                                         results);
    return outcome();
#else
    (void)stream;
    for (int number = 0; number < count; ++number) {
        Slot& slot = slots[number];
        Mask mask;
        if (actions) {
            results[number] = step(slot, deals, rule_sets[number], number, actions[number], mask);
        } else {
            slot = Slot{};
            begin(slot, deals, rule_sets[number], number, mask);
        }
        std::memcpy(arrays.masks + std::size_t{MASK_WORDS} * number, &mask, sizeof mask);
        show(slot, arrays.observations + std::size_t{SHOWN_SIZE} * number,
             arrays.hands + std::size_t{HANDS_SIZE} * number, arrays.seats[number]);
    }
    return nullptr;
#endif
}

// Plays at random; adds up the steps, the deals and a checksum of where the games stand.
const char* tichu_play_at_random(int count, int block, std::uint64_t seed, int rules, std::uint32_t turns, Word* sums,
                                 void* stream) {
    const Seed deals{seed, 0};
    const RuleSet rule_set{Rules{static_cast<std::uint16_t>(rules)}, 0, 0};
    if (count <= 0 || count % 1024) return "1024 games or a multiple";
#if defined(__CUDACC__)
    const auto games = static_cast<std::uint32_t>(count);
    const auto where = static_cast<cudaStream_t>(stream);
    switch (block) {
        case 128: return run_at_random<128>(deals, rule_set, games, turns, sums, where);
        case 256: return run_at_random<256>(deals, rule_set, games, turns, sums, where);
        case 512: return run_at_random<512>(deals, rule_set, games, turns, sums, where);
        default: return run_at_random<1024>(deals, rule_set, games, turns, sums, where);
    }
#else
    (void)block;
    (void)stream;
    for (int number = 0; number < count; ++number) {
        Game game;
        Rng rng{0};
        game.state.phase = Phase::END;
        game.deals = 0;
        for (std::uint32_t turn = 0; turn < turns; ++turn) sums[0] += random_turn(game, rng, deals, rule_set, number);
        sums[1] += game.deals;
        sums[2] += folded(0, game.state);
    }
    return nullptr;
#endif
}
}
