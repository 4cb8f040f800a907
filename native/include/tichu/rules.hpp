// Rule sets as bits (§12): one field of `Rules` each, in the order of the table, the first value of a field 0.
#pragma once

#include <cstdint>

#include "cards.hpp"

namespace tichu {

enum class Wishes : std::uint8_t { MAY, MUST, OFF };
enum class Bombs : std::uint8_t { ANYTIME, ORDERED, IN_TURN };

// The fields but the goal, which a round does not ask about.
struct Rules {
    std::uint16_t bits;

    TICHU_HD bool is_clockwise() const { return bits & 1; }
    TICHU_HD bool has_grand() const { return !(bits >> 1 & 1); }
    TICHU_HD bool has_exchange() const { return !(bits >> 2 & 1); }
    TICHU_HD bool calls_are_automatic() const { return bits >> 3 & 1; }
    TICHU_HD bool tichu_from_play() const { return bits >> 4 & 1; }
    TICHU_HD Wishes wishes() const { return static_cast<Wishes>(bits >> 5 & 3); }
    TICHU_HD bool phoenix_grants_wish() const { return bits >> 7 & 1; }
    TICHU_HD Bombs bombs() const { return static_cast<Bombs>(bits >> 8 & 3); }
    TICHU_HD bool suit_decides() const { return bits >> 10 & 1; }
    TICHU_HD bool has_stacked_stairs() const { return bits >> 11 & 1; }
    TICHU_HD bool dragon_is_automatic() const { return bits >> 12 & 1; }

    // §1.2: who sits next in the order of play.  The direction lives here and nowhere else.
    TICHU_HD int next_seat(int seat) const { return (seat + (is_clockwise() ? 1 : 3)) & 3; }

    // §7.2: the sequential form in which simulations play `anytime`.
    TICHU_HD Rules in_sequence() const {
        if (bombs() != Bombs::ANYTIME) return *this;
        return Rules{static_cast<std::uint16_t>(bits | 1 << 8)};
    }

    TICHU_HD bool exist() const { return bits < 1 << 13 && (bits >> 5 & 3) < 3 && (bits >> 8 & 3) < 3; }
};

}  // namespace tichu
