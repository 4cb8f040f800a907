// Rounds that a network plays on: many together as each alone, cut short and to the end.
#pragma once

#include "module/rollouts.hpp"
#include "networks.hpp"
#include "tichu/deal.hpp"
#include "tichu/presets.hpp"

namespace tichu {

inline void compare_rollouts() {
    constexpr std::size_t COUNT = 150;
    const RandomNetwork random(32, 2, 700, 5);
    const Network network(random.weights, kernels_for(512));
    RandomNetwork seeing(32, 2, 700, 6);
    // Some of what it sees are cards of hands.
    for (std::size_t card = 0; card < 200; ++card) {
        seeing.weights.features[card] = {static_cast<std::uint16_t>(COUNTED_SIZE + card), 1};
    }
    seeing.weights.actions = 0;
    seeing.weights.predictions = 1;
    const Critic critic(seeing.weights, kernels_for(512));
    const int scores[2] = {40, -120};
    for (const Preset& preset : PRESETS) {
        const Rules rules = preset.rules.in_sequence();
        Rollouts together(network);
        std::vector<Rollouts> alone;
        for (std::size_t number = 0; number < COUNT; ++number) {
            Rng rng = rng_for(3, number, 0);
            State state;
            start_shuffled_round(state, rng, rules, 1000);
            together.add(state, Memory{}, 0, Action{}, scores);
            alone.emplace_back(network).add(state, Memory{}, 0, Action{}, scores);
        }
        for (const std::int64_t most : {20, 20, -1}) {
            together.play(most);
            std::vector<float> points(COUNT), one(1);
            std::vector<std::int16_t> outcomes(COUNT * Rollouts::OUTCOME_SIZE), own(Rollouts::OUTCOME_SIZE);
            together.write_points(critic, points.data());
            together.write_outcomes(outcomes.data());
            for (std::size_t number = 0; number < COUNT; ++number) {
                alone[number].play(most);
                alone[number].write_points(critic, one.data());
                alone[number].write_outcomes(own.data());
                const bool same = one[0] == points[number] &&
                                  !std::memcmp(own.data(), &outcomes[number * own.size()], own.size() * sizeof own[0]);
                require_network(same, "a rollout depends on the others");
            }
        }
        require_network(together.active() == 0, "a rollout does not end");
    }
    std::printf("rollouts        many together as each alone, cut short and to the end\n");
}

}  // namespace tichu
