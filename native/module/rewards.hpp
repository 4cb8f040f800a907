// What an episode is worth to a team.
#pragma once

#include "tichu/scoring.hpp"

namespace tichu {

enum class Reward : std::uint8_t { POINTS, DIFFERENCE, MATCH };

// §9: the team that has won the match, -1 while it goes on; a goal of 0 is one round.
inline int winner_of(const std::int32_t* totals, std::uint32_t goal, std::uint32_t rounds, int first_out) {
    const int one = totals[0], two = totals[1];
    if (goal) {
        const bool decided = (one > two ? one : two) >= static_cast<int>(goal) && one != two;
        return decided ? two > one : -1;
    }
    if (one != two) return two > one;
    return rounds > 1 ? first_out & 1 : -1;
}

// `winner` is asked for matches alone.
inline int reward_of(Reward reward, int team, const Score& score, int winner) {
    switch (reward) {
        case Reward::POINTS: return score.teams[team];
        case Reward::DIFFERENCE: return score.teams[team] - score.teams[1 - team];
        default: return winner < 0 ? 0 : winner == team ? 1 : -1;
    }
}

}  // namespace tichu
