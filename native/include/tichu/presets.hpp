// The presets of §12 as bits, in the order of the table.
#pragma once

#include "rules.hpp"

namespace tichu {

struct Preset {
    const char* name;
    Rules rules;
};

inline constexpr Preset PRESETS[] = {
    {"standard", {0}},
    {"classic", {1 << 5}},                                      // wish=must
    {"courtesy", {1 << 8 | 1 << 11}},                           // bombs=ordered, stairs=stacked
    {"single-round", {1 << 4 | 1 << 7 | 2 << 8 | 1 << 10}},     // tichu_from, phoenix_grants_wish, bombs, equal_flush
    {"simple", {1 << 1 | 1 << 2 | 1 << 3 | 2 << 5 | 1 << 12}},  // grand, exchange, calls, wish, dragon
    {"brettspielwelt", {1}},                                    // direction=cw
};

}  // namespace tichu
