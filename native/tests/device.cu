// The same headers on a GPU, one game a thread:
//
//   nvcc -std=c++20 -O3 -arch=sm_90 -I native/include -o device native/tests/device.cu
//   device sums SEED GAMES      per preset the number that `driver sums SEED GAMES` prints on a CPU
//   device speed GAMES STEPS    random steps a second: that many games, dealt anew when they end
#include <cstdio>
#include <cstdlib>
#include <string>

#include "games.hpp"

using namespace tichu;

namespace {

using Word = unsigned long long;

void require(cudaError_t status) {
    if (status == cudaSuccess) return;
    std::fprintf(stderr, "%s\n", cudaGetErrorString(status));
    std::exit(1);
}

__global__ void sum_games(Rules rules, std::uint64_t seed, std::uint64_t games, Word* checksum, Word* steps) {
    const std::uint64_t game = std::uint64_t{blockIdx.x} * blockDim.x + threadIdx.x;
    if (game >= games) return;
    const GameSum sum = sum_of_game(rules, seed, game);
    atomicAdd(checksum, static_cast<Word>(sum.checksum));
    atomicAdd(steps, static_cast<Word>(sum.steps));
}

__global__ void play_on(Rules rules, std::uint64_t seed, std::uint32_t steps, Word* rounds) {
    const std::uint64_t game = std::uint64_t{blockIdx.x} * blockDim.x + threadIdx.x;
    std::uint64_t round = 0;
    Rng rng = rng_for(seed, game, round);
    State state;
    start_shuffled_round(state, rng, rules, 0);
    apply_automatic(state);
    for (std::uint32_t step = 0; step < steps; ++step) {
        random_step(state, rng);
        if (!state.is_over()) continue;
        rng = rng_for(seed, game, ++round);
        start_shuffled_round(state, rng, rules, 0);
        apply_automatic(state);
    }
    atomicAdd(rounds, static_cast<Word>(round));
}

}  // namespace

int main(int count, char** words) {
    const std::string mode = count > 1 ? words[1] : "";
    if (count != 4 || (mode != "sums" && mode != "speed")) {
        std::fprintf(stderr, "device sums SEED GAMES | device speed GAMES STEPS\n");
        return 2;
    }
    Word* sums;
    require(cudaMalloc(&sums, 2 * sizeof(Word)));
    const std::uint64_t one = std::strtoull(words[2], nullptr, 10), two = std::strtoull(words[3], nullptr, 10);
    for (const Preset& preset : PRESETS) {
        require(cudaMemset(sums, 0, 2 * sizeof(Word)));
        Word result[2];
        cudaEvent_t start, stop;
        require(cudaEventCreate(&start));
        require(cudaEventCreate(&stop));
        const unsigned threads = 128;
        const std::uint64_t games = mode == "sums" ? two : one;
        const unsigned blocks = static_cast<unsigned>((games + threads - 1) / threads);
        // The first launch warms up.
        for (int launch = 0; launch < (mode == "speed" ? 2 : 1); ++launch) {
            require(cudaMemset(sums, 0, 2 * sizeof(Word)));
            require(cudaEventRecord(start));
            if (mode == "sums") {
                sum_games<<<blocks, threads>>>(preset.rules, one, games, sums, sums + 1);
            } else {
                play_on<<<blocks, threads>>>(preset.rules.in_sequence(), 1, static_cast<std::uint32_t>(two), sums);
            }
            require(cudaGetLastError());
            require(cudaEventRecord(stop));
            require(cudaEventSynchronize(stop));
        }
        require(cudaMemcpy(result, sums, sizeof result, cudaMemcpyDeviceToHost));
        float milliseconds = 0;
        require(cudaEventElapsedTime(&milliseconds, start, stop));
        if (mode == "sums") {
            std::printf("%-15s seed %llu games %llu steps %llu checksum %016llx\n", preset.name, Word{one}, Word{two},
                        result[1], result[0]);
        } else {
            const double steps = static_cast<double>(blocks) * threads * static_cast<double>(two);
            std::printf("%-15s %8.3f G steps/s %8.2f M rounds/s\n", preset.name, steps / milliseconds / 1e6,
                        static_cast<double>(result[0]) / milliseconds / 1e3);
        }
    }
    return 0;
}
