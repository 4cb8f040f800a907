// Networks of random weights: rows together as alone to the last bit, and near what plain loops in double make of them.
#pragma once

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <vector>

#include "tichu/network.hpp"
#include "tichu/rng.hpp"

namespace tichu {

class RandomNetwork {
public:
    RandomNetwork(std::size_t width, std::size_t layers, std::size_t features, std::uint64_t seed)
        : rng_(rng_for(seed, 0, 0)) {
        weights.width = width;
        for (std::size_t feature = 0; feature < features; ++feature) {
            weights.features.push_back(
                {static_cast<std::uint16_t>(rng_.below(COUNTED_SIZE)), static_cast<std::uint8_t>(1 + rng_.below(3))});
        }
        weights.entry = layer(features * width, width);
        for (std::size_t each = 0; each < layers; ++each) weights.layers.push_back(layer(width * width, width));
        weights.head = layer(ACTION_COUNT * width, ACTION_COUNT);
        weights.value = layer(width * PREDICTIONS, PREDICTIONS);
    }

    std::vector<std::uint8_t> rows(std::size_t count) {
        std::vector<std::uint8_t> bytes(count * ROW_SIZE);
        for (std::uint8_t& byte : bytes) byte = static_cast<std::uint8_t>(rng_.below(2) ? 0 : rng_.below(4));
        return bytes;
    }

    // The score of an action, step by step.
    double score(const std::uint8_t* from, std::size_t number) const {
        const std::size_t width = weights.width;
        std::uint8_t row[COUNTED_SIZE];
        std::memcpy(row, from, ROW_SIZE);
        add_counts(row);
        std::vector<double> hidden(weights.entry.bias, weights.entry.bias + width);
        for (std::size_t feature = 0; feature < weights.features.size(); ++feature) {
            if (row[weights.features[feature].place] < weights.features[feature].threshold) continue;
            for (std::size_t at = 0; at < width; ++at) hidden[at] += weights.entry.weight[feature * width + at];
        }
        for (std::size_t each = 0; each + 1 < weights.layers.size(); each += 2) {
            std::vector<double> inner = product(weights.layers[each], normal(hidden));
            for (double& value : inner) value = value > 0 ? value : 0;
            const std::vector<double> added = product(weights.layers[each + 1], inner);
            for (std::size_t at = 0; at < width; ++at) hidden[at] += added[at];
        }
        hidden = normal(hidden);
        double sum = weights.head.bias[number];
        for (std::size_t at = 0; at < width; ++at) sum += hidden[at] * weights.head.weight[number * width + at];
        return sum;
    }

    NetworkWeights weights;

private:
    const float* numbers(std::size_t count) {
        std::vector<float>& made = kept_.emplace_back(count);
        for (float& each : made) each = static_cast<float>(rng_.below(2001)) / 10000 - 0.1F;
        return made.data();
    }

    NetworkWeights::Layer layer(std::size_t count, std::size_t outputs) { return {numbers(count), numbers(outputs)}; }

    std::vector<double> product(const NetworkWeights::Layer& by, const std::vector<double>& in) const {
        std::vector<double> out(by.bias, by.bias + in.size());
        for (std::size_t input = 0; input < in.size(); ++input) {
            for (std::size_t at = 0; at < in.size(); ++at) out[at] += in[input] * by.weight[input * in.size() + at];
        }
        return out;
    }

    static std::vector<double> normal(std::vector<double> hidden) {
        double mean = 0, variance = 0;
        for (const double value : hidden) mean += value / static_cast<double>(hidden.size());
        for (const double value : hidden)
            variance += (value - mean) * (value - mean) / static_cast<double>(hidden.size());
        for (double& value : hidden) value = (value - mean) / std::sqrt(variance + 1e-5);
        return hidden;
    }

    Rng rng_;
    std::vector<std::vector<float>> kept_;
};

inline void require_network(bool holds, const char* what) {
    if (holds) return;
    std::fprintf(stderr, "%s\n", what);
    std::exit(1);
}

// A width that fills registers, one that does not, and less than one of them.
inline void compare_networks() {
    constexpr std::size_t COUNT = 101;
    for (const std::size_t width : {64, 40, 3}) {
        RandomNetwork random(width, 4, 700, width);
        const std::vector<std::uint8_t> rows = random.rows(COUNT);
        for (const int bits : {0, 256, 512}) {
            const Network network(random.weights, kernels_for(bits));
            const std::size_t room = network.width();
            std::vector<float> together(COUNT * room), alone(COUNT * room);
            network.run(rows.data(), COUNT, [&](std::size_t row, const float* hidden) {
                std::memcpy(&together[row * room], hidden, room * sizeof(float));
                const double expected = random.score(&rows[row * ROW_SIZE], row);
                const float score = network.score(static_cast<int>(row), hidden);
                require_network(std::abs(expected - score) < 1e-4, "a network computes something else");
            });
            std::size_t first = 0;
            for (std::size_t size = 1; first < COUNT; first += size, size = size % 9 + 1) {
                const std::size_t here = first + size < COUNT ? size : COUNT - first;
                network.run(&rows[first * ROW_SIZE], here, [&](std::size_t row, const float* hidden) {
                    std::memcpy(&alone[(first + row) * room], hidden, room * sizeof(float));
                });
            }
            require_network(together == alone, "what a row gives depends on its batch");
        }
    }
    std::printf("networks        rows together as alone, near what plain loops give\n");
}

}  // namespace tichu
