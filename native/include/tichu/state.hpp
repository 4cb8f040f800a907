// A round as 112 bytes: everything of tichu/core/round.py's Round, nothing that can be derived.
//
// The layout is fixed, little-endian and without padding (docs/native.md); two rounds are equal if their bytes are.
#pragma once

#include <cstddef>
#include <type_traits>

#include "combos.hpp"
#include "rules.hpp"

namespace tichu {

enum class Phase : std::uint8_t { GRAND, EXCHANGE, PLAY, WISH, TAKE, BOMB, END };
enum class Call : std::uint8_t { NO_CALL, TICHU, GRAND };

// §1.1: who sits opposite.
TICHU_HD inline int partner_of(int seat) { return seat ^ 2; }

struct State {
    Cards hands[4];
    Cards later[4];   // the six cards of each seat that are not dealt yet; only during the Grand calls
    Cards top_cards;  // the combination on the table, all zero without one
    Kind top_kind;
    std::uint8_t top_size;
    std::uint8_t top_rank;
    std::uint8_t top_phoenix;
    std::int8_t points[4];  // card points won so far, by seat
    std::uint32_t goal;     // §9: the target, 0 for one round; carried along for the match
    Rules rules;
    Phase phase;
    std::uint8_t pending;      // the seats that must decide now, a bit each
    std::uint8_t owner;        // who played what is on the table, NONE without
    std::uint8_t actor;        // whose play or pass the question to bomb follows (§7.2), NONE when nobody is asked
    std::uint8_t wish;         // the rank wished for, 0 without a wish
    std::uint8_t calls;        // a Call per seat, two bits each
    std::uint8_t out[3];       // the seats that are out, in order, then NONE
    std::uint8_t out_count;    // how many
    std::uint8_t given[4][3];  // cards given by seat to LEFT, PARTNER, RIGHT, NONE if not chosen
    std::uint8_t unused[4];    // zero

    TICHU_HD Combo top() const { return combo_of(top_kind, top_size, top_rank, top_cards, top_phoenix); }

    TICHU_HD void set_top(const Combo& combo) {
        top_cards = combo.cards;
        top_kind = combo.kind;
        top_size = combo.size;
        top_rank = combo.rank;
        top_phoenix = combo.phoenix;
    }

    TICHU_HD void clear_table() {
        set_top(no_combo());
        owner = NONE;
    }

    TICHU_HD bool has_top() const { return top_cards != 0; }
    TICHU_HD bool is_dragon_trick() const { return top_cards == DRAGON_BIT; }
    TICHU_HD bool is_over() const { return phase == Phase::END; }
    TICHU_HD bool is_pending(int seat) const { return pending >> seat & 1; }

    // The lowest seat that must decide now; -1 at the end.
    TICHU_HD int first_pending() const { return pending ? lowest(pending) : -1; }

    TICHU_HD Call call(int seat) const { return static_cast<Call>(calls >> 2 * seat & 3); }

    TICHU_HD void set_call(int seat, Call call) {
        calls = byte((calls & ~(3 << 2 * seat)) | static_cast<int>(call) << 2 * seat);
    }

    // §8.2: whether the first two out are partners.
    TICHU_HD bool is_double_victory() const { return out_count >= 2 && (out[0] ^ out[1]) == 2; }

    // All cards played so far, by anybody.
    TICHU_HD Cards played() const {
        if (phase == Phase::GRAND) return 0;
        return ALL_CARDS & ~(hands[0] | hands[1] | hands[2] | hands[3]);
    }

    // What the trick in progress is worth.
    TICHU_HD int points_on_table() const {
        return points_of(played()) - (points[0] + points[1] + points[2] + points[3]);
    }
};

static_assert(sizeof(State) == 112 && std::has_unique_object_representations_v<State>);
static_assert(offsetof(State, later) == 32 && offsetof(State, top_cards) == 64 && offsetof(State, top_kind) == 72);
static_assert(offsetof(State, points) == 76 && offsetof(State, goal) == 80 && offsetof(State, rules) == 84);
static_assert(offsetof(State, phase) == 86 && offsetof(State, pending) == 87 && offsetof(State, owner) == 88);
static_assert(offsetof(State, actor) == 89 && offsetof(State, wish) == 90 && offsetof(State, calls) == 91);
static_assert(offsetof(State, out) == 92 && offsetof(State, out_count) == 95 && offsetof(State, given) == 96);

TICHU_HD inline bool same(const State& one, const State& two) {
    const auto* left = reinterpret_cast<const unsigned char*>(&one);
    const auto* right = reinterpret_cast<const unsigned char*>(&two);
    for (std::size_t at = 0; at < sizeof(State); ++at) {
        if (left[at] != right[at]) return false;
    }
    return true;
}

}  // namespace tichu
