// Which combinations a hand can play: by groups, never from subsets, in the order of tichu/core/plays.py.
//
// A group is all plays of one kind, ranks and place of the Phoenix: "a straight from 3 to 7, the Phoenix as the 5".
// How many plays it holds is a product of small binomials, and the n-th of them is read off n in mixed radix, so that
// no list of plays is ever needed: to count is to add up groups, to draw is to find the group of an index.  All plays
// of a group fulfil a wish or none does.
#pragma once

#include "combos.hpp"

namespace tichu {

// How many ways there are to choose `width` of the cards of one rank: Pascal's triangle, a nibble per count.
TICHU_HD inline int choose(int count, int width) {
    switch (width) {
        case 0: return 1;
        case 1: return count;
        case 2: return 0x63100 >> 4 * count & 15;
        case 3: return 0x41000 >> 4 * count & 15;
        default: return count == 4;
    }
}

TICHU_HD inline int nibble_count(int nibble) { return static_cast<int>(0x4332322132212110 >> 4 * nibble & 15); }

// The n-th lowest bit of a nibble.
TICHU_HD inline int nth_bit(int nibble, int n) {
    for (; n > 0; --n) nibble &= nibble - 1;
    return nibble & -nibble;
}

// The n-th lowest card of a set.
TICHU_HD inline int nth_card(Cards cards, std::uint32_t n) {
    for (; n > 0; --n) cards &= cards - 1;
    return lowest(cards);
}

// The n-th set of `width` cards of a nibble, the smallest first.
TICHU_HD inline Cards nth_subset(int nibble, int width, int n) {
    const int count = nibble_count(nibble);
    if (width == count) return static_cast<Cards>(nibble);
    if (width == 0) return 0;
    if (width == 1) return static_cast<Cards>(nth_bit(nibble, n));
    if (width == count - 1) return static_cast<Cards>(nibble & ~nth_bit(nibble, width - n));
    return static_cast<Cards>(0xCA9653 >> 4 * n & 15);  // two of four
}

struct Group {
    Kind kind;
    std::uint8_t low;      // the lowest rank; of a full house the triple
    std::uint8_t ranks;    // how many ranks follow one another
    std::uint8_t width;    // cards a rank, the Phoenix included
    std::uint8_t pair;     // the other rank of a full house, else 0
    std::uint8_t phoenix;  // what the Phoenix stands for, 0 without it
    bool joins;            // full house: the Phoenix may also complete the triple
    std::uint32_t count;   // how many plays
    Cards cards;           // the cards of a group of one play, else 0

    TICHU_HD int top() const { return low + ranks - 1; }
    TICHU_HD bool is_bomb() const { return kind >= Kind::FOUR; }
};

// §6.2, §6.3: whether playing this grants a wish for `rank`.
TICHU_HD inline bool fulfils(const Combo& combo, int rank, Rules rules) {
    if (nibble_of(combo.cards, rank)) return true;
    // A lone Phoenix to be played stands for 1, which nobody can wish for.
    return rules.phoenix_grants_wish() && combo.phoenix == rank;
}

// The same for all plays of a group.
TICHU_HD inline bool fulfils(const Group& group, int rank, Rules rules) {
    const bool holds_rank = (group.low <= rank && rank <= group.top()) || group.pair == rank;
    // One card a rank, and the Phoenix is that card.
    const bool by_phoenix = group.width == 1 && group.phoenix == rank;
    return holds_rank && (!by_phoenix || rules.phoenix_grants_wish());
}

// §3.2: how many of the natural runs of `ranks` cards from `low` are of one suit, as a nibble of suits.
TICHU_HD inline int suited_runs(Cards hand, int low, int ranks) {
    Cards suits = hand >> shift_of(low);
    for (int next = 1; next < ranks; ++next) suits &= hand >> shift_of(low + next);
    return static_cast<int>(suits & 15);
}

// Natural cards of the rank in a run of the group.
TICHU_HD inline int width_at(const Group& group, int rank) { return group.width - (group.phoenix == rank); }

// Where there is no rank to be above.
inline constexpr int LED = 0;

// What a hand holds, and whoever is to be told of its groups: `visit(group)` answers whether that is enough.
template <typename Visit>
struct Generator {
    Cards hand;
    std::uint64_t counts;
    Rules rules;
    Visit& visit;

    TICHU_HD Generator(Cards hand, Rules rules, Visit& visit)
        : hand(hand), counts(counts_of(hand)), rules(rules), visit(visit) {}

    TICHU_HD bool has_phoenix() const { return hand & PHOENIX_BIT; }
    TICHU_HD int count(int rank) const { return nibble_of(counts, rank); }

    TICHU_HD bool one(Kind kind, int low, int ranks, int width, Cards cards, int phoenix = 0) const {
        return visit(Group{kind, byte(low), byte(ranks), byte(width), 0, byte(phoenix), false, 1, cards});
    }

    TICHU_HD bool special(int card) const {
        if (!(hand >> card & 1)) return false;
        return one(card == DOG ? Kind::DOG : Kind::SINGLE, 1, 1, 1, bit(card), card == PHOENIX);
    }

    TICHU_HD bool same_rank(Kind kind, int rank, int width, int phoenix, int plays) const {
        if (plays == 0) return false;
        const auto count = static_cast<std::uint32_t>(plays);
        return visit(Group{kind, byte(rank), 1, byte(width), 0, byte(phoenix), false, count, 0});
    }

    TICHU_HD bool four(int rank) const { return one(Kind::FOUR, rank, 1, 4, Cards{15} << shift_of(rank)); }

    // Every combination in the hand.
    TICHU_HD bool leads() const {
        for (int card = 0; card < 4; ++card) {
            if (special(card)) return true;
        }
        const RankSet held = at_least(1, counts) & RANKS_2_TO_A;
        for (RankSet left = held; left; left &= left - 1) {
            const int rank = rank_of(lowest(left)), held_of_rank = count(rank);
            if (same_rank(Kind::SINGLE, rank, 1, 0, held_of_rank)) return true;
            if (held_of_rank < 2) continue;
            if (same_rank(Kind::PAIR, rank, 2, 0, choose(held_of_rank, 2))) return true;
            if (same_rank(Kind::TRIPLE, rank, 3, 0, choose(held_of_rank, 3))) return true;
            if (held_of_rank == 4 && four(rank)) return true;
        }
        for (RankSet left = has_phoenix() ? held : 0; left; left &= left - 1) {
            const int rank = rank_of(lowest(left)), held_of_rank = count(rank);
            if (same_rank(Kind::PAIR, rank, 2, rank, held_of_rank)) return true;
            if (same_rank(Kind::TRIPLE, rank, 3, rank, choose(held_of_rank, 2))) return true;
        }
        if (full_houses(LED)) return true;
        if (runs(Kind::STRAIGHT, 1, 5, LED) || runs(Kind::STAIRS, 2, 2, LED)) return true;
        if (rules.has_stacked_stairs()) {
            if (runs(Kind::TRIPLE_STAIRS, 3, 2, LED) || runs(Kind::FOUR_STAIRS, 4, 2, LED)) return true;
        }
        return straight_flushes(no_combo());
    }

    // Every combination in the hand that beats `top`.
    TICHU_HD bool follows(const Combo& top) const {
        switch (top.kind) {
            case Kind::SINGLE:
                if (singles(top)) return true;
                break;
            case Kind::PAIR:
                if (several(Kind::PAIR, 2, top.rank)) return true;
                break;
            case Kind::TRIPLE:
                if (several(Kind::TRIPLE, 3, top.rank)) return true;
                break;
            case Kind::FULL_HOUSE:
                if (full_houses(top.rank)) return true;
                break;
            case Kind::STRAIGHT:
                if (runs(Kind::STRAIGHT, 1, top.size, top.rank)) return true;
                break;
            case Kind::STAIRS:
                if (runs(Kind::STAIRS, 2, top.size / 2, top.rank)) return true;
                break;
            case Kind::TRIPLE_STAIRS:
                if (runs(Kind::TRIPLE_STAIRS, 3, top.size / 3, top.rank)) return true;
                break;
            case Kind::FOUR_STAIRS:
                if (runs(Kind::FOUR_STAIRS, 4, top.size / 4, top.rank)) return true;
                break;
            default: break;
        }
        return bombs(top);
    }

    // Every bomb in the hand that beats `top`.
    TICHU_HD bool bombs(const Combo& top) const {
        if (top.kind != Kind::STRAIGHT_FLUSH) {
            const int above = top.kind == Kind::FOUR ? top.rank + 1 : 2;
            for (RankSet left = from_rank(at_least(4, counts), above); left; left &= left - 1) {
                if (four(rank_of(lowest(left)))) return true;
            }
        }
        return straight_flushes(top);
    }

    TICHU_HD bool singles(const Combo& top) const {
        const RankSet higher = top.rank >= ACE ? 0 : from_rank(at_least(1, counts), top.rank + 1) & RANKS_2_TO_A;
        for (RankSet left = higher; left; left &= left - 1) {
            const int rank = rank_of(lowest(left));
            if (same_rank(Kind::SINGLE, rank, 1, 0, count(rank))) return true;
        }
        if (top.cards != DRAGON_BIT && special(PHOENIX)) return true;
        return special(DRAGON);
    }

    TICHU_HD bool several(Kind kind, int width, int above) const {
        const RankSet least = at_least(has_phoenix() ? width - 1 : width, counts) & RANKS_2_TO_A;
        for (RankSet left = from_rank(least, above + 1); left; left &= left - 1) {
            const int rank = rank_of(lowest(left));
            if (same_rank(kind, rank, width, 0, choose(count(rank), width))) return true;
            if (has_phoenix() && same_rank(kind, rank, width, rank, choose(count(rank), width - 1))) return true;
        }
        return false;
    }

    // §3.1: a triple and a pair of another rank; the Phoenix in either.
    TICHU_HD bool full_houses(int above) const {
        const RankSet pairs = at_least(2, counts);
        const RankSet triples = has_phoenix() ? pairs : at_least(3, counts);
        if (triples == 0) return false;
        const RankSet others = has_phoenix() ? at_least(1, counts) & RANKS_2_TO_A : pairs;
        for (RankSet left = from_rank(triples, above + 1); left; left &= left - 1) {
            const int rank = rank_of(lowest(left));
            for (RankSet rest = others & ~(left & (~left + 1)); rest; rest &= rest - 1) {
                if (full_houses_of(rank, rank_of(lowest(rest)))) return true;
            }
        }
        return false;
    }

    TICHU_HD bool full_houses_of(int triple, int pair) const {
        const int natural = choose(count(triple), 3);
        const int joined = has_phoenix() ? choose(count(triple), 2) : 0;
        const auto plays = static_cast<std::uint32_t>(choose(count(pair), 2) * (natural + joined));
        Group group{Kind::FULL_HOUSE, byte(triple), 1, 3, byte(pair), 0, has_phoenix(), plays, 0};
        if (group.count && visit(group)) return true;
        group.phoenix = group.pair;
        group.count = has_phoenix() ? static_cast<std::uint32_t>(count(pair) * natural) : 0;
        return group.count && visit(group);
    }

    // Straights (`width` 1) and stairs: `ranks` ranks ending above `above`, or, led, `ranks` and more.
    TICHU_HD bool runs(Kind kind, int width, int ranks, int above) const {
        const RankSet full = at_least(width, counts);
        const RankSet part = has_phoenix() ? at_least(width - 1, counts) & RANKS_2_TO_A : 0;
        // Where a run can start: naturally, or with the Phoenix in one place.
        RankSet natural = full, joined = part;
        for (int next = 1; next < ranks; ++next) {
            joined = (joined & full >> 4 * next) | (natural & part >> 4 * next);
            natural &= full >> 4 * next;
        }
        RankSet starts = natural | joined;
        if (above - ranks + 2 > 1) starts = from_rank(starts, above - ranks + 2);
        for (; starts; starts &= starts - 1) {
            const int low = rank_of(lowest(starts));
            if (runs_from(kind, width, low, ranks, above == LED ? ACE : low + ranks - 1)) return true;
        }
        return false;
    }

    // The runs of `ranks` ranks and more from `low`, up to `last`, growing by a rank at a time.
    TICHU_HD bool runs_from(Kind kind, int width, int low, int ranks, int last) const {
        int gap = 0;  // the rank that only the Phoenix can complete
        for (int top = low; top <= last; ++top) {
            if (count(top) < width) {
                if (!has_phoenix() || gap || top == 1 || count(top) < width - 1) return false;
                gap = top;
            }
            if (top - low + 1 < ranks) continue;
            if (!gap && run(kind, width, low, top, 0)) return true;
            if (!has_phoenix()) continue;
            const int from = gap ? gap : low == 1 ? 2 : low, to = gap ? gap : top;
            for (int phoenix = from; phoenix <= to; ++phoenix) {
                if (run(kind, width, low, top, phoenix)) return true;
            }
        }
        return false;
    }

    TICHU_HD bool run(Kind kind, int width, int low, int top, int phoenix) const {
        Group group{kind, byte(low), byte(top - low + 1), byte(width), 0, byte(phoenix), false, 1, 0};
        for (int rank = low; rank <= top; ++rank) {
            group.count *= static_cast<std::uint32_t>(choose(count(rank), width_at(group, rank)));
        }
        if (kind == Kind::STRAIGHT && !phoenix && low > 1) {
            group.count -= static_cast<std::uint32_t>(nibble_count(suited_runs(hand, low, group.ranks)));
        }
        return group.count && visit(group);
    }

    // Those that beat `top`, or all of them.
    TICHU_HD bool straight_flushes(const Combo& top) const {
        const Cards suited = hand & SUITED;
        // Bits from which five cards of one suit run upward.
        const Cards starts = suited & suited >> 4 & suited >> 8 & suited >> 12 & suited >> 16;
        for (Cards left = starts; left; left &= left - 1) {
            const int start = lowest(left);
            Cards cards = Cards{0x1111} << start;
            for (int card = start + 16; card < 56 && (suited >> card & 1); card += 4) {
                cards |= bit(card);
                const int size = (card - start) / 4 + 1;
                const Combo flush = combo_of(Kind::STRAIGHT_FLUSH, size, rank_of(card), cards);
                if (top.exists() && !beats(flush, top, rules)) continue;
                if (one(Kind::STRAIGHT_FLUSH, rank_of(start), size, 1, cards)) return true;
            }
        }
        return false;
    }
};

// Visits the groups of what the hand can play: led on an empty table, else what beats `top`.
template <typename Visit>
TICHU_HD inline void each_group(Cards hand, const Combo& top, Rules rules, Visit& visit) {
    const Generator<Visit> generator(hand, rules, visit);
    if (top.exists()) {
        generator.follows(top);
    } else {
        generator.leads();
    }
}

// Whether the hand holds a bomb at all, at the price of a few shifts.
TICHU_HD inline bool may_hold_bomb(Cards hand) {
    const Cards suited = hand & SUITED;
    const Cards fours = suited & suited >> 1 & suited >> 2 & suited >> 3 & LOWEST_BITS;
    return fours | (suited & suited >> 4 & suited >> 8 & suited >> 12 & suited >> 16);
}

template <typename Visit>
TICHU_HD inline void each_bomb(Cards hand, const Combo& top, Rules rules, Visit& visit) {
    if (may_hold_bomb(hand)) Generator<Visit>(hand, rules, visit).bombs(top);
}

struct FindAny {
    bool found = false;
    TICHU_HD bool operator()(const Group&) { return found = true; }
};

// Whether a bomb in the hand beats `top`.
TICHU_HD inline bool can_bomb(Cards hand, const Combo& top, Rules rules) {
    FindAny any;
    each_bomb(hand, top, rules, any);
    return any.found;
}

// The n-th natural straight, those of one suit left out: they are bombs (§3.2).
TICHU_HD inline std::uint32_t skip_suited(Cards hand, const Group& group, std::uint32_t n) {
    // A suit comes before a higher one in every rank, so the suited runs are met in the order of their suits.
    for (int suits = suited_runs(hand, group.low, group.ranks); suits; suits &= suits - 1) {
        const int before = (suits & -suits) - 1;  // the lower suits
        std::uint32_t place = 0;
        for (int rank = group.low; rank <= group.top(); ++rank) {
            const int nibble = nibble_of(hand, rank);
            place = place * static_cast<std::uint32_t>(nibble_count(nibble)) +
                    static_cast<std::uint32_t>(nibble_count(nibble & before));
        }
        if (n >= place) ++n;
    }
    return n;
}

TICHU_HD inline Combo nth_full_house(Cards hand, const Group& group, std::uint32_t n) {
    const int triple = nibble_of(hand, group.low), pair = nibble_of(hand, group.pair);
    const int natural = choose(nibble_count(triple), 3);
    const int joined = group.joins && !group.phoenix ? choose(nibble_count(triple), 2) : 0;
    const int threes = static_cast<int>(n) % (natural + joined), twos = static_cast<int>(n) / (natural + joined);
    Cards cards = nth_subset(pair, group.phoenix ? 1 : 2, twos) << shift_of(group.pair);
    int phoenix = group.phoenix;
    if (threes < natural) {
        cards |= nth_subset(triple, 3, threes) << shift_of(group.low);
    } else {
        cards |= nth_subset(triple, 2, threes - natural) << shift_of(group.low);
        phoenix = group.low;
    }
    return combo_of(Kind::FULL_HOUSE, 5, group.low, phoenix ? cards | PHOENIX_BIT : cards, phoenix);
}

// The n-th play of a group.
TICHU_HD inline Combo nth_play(Cards hand, const Group& group, std::uint32_t n) {
    if (group.kind == Kind::FULL_HOUSE) return nth_full_house(hand, group, n);
    if (group.cards) {
        if (group.low == 1) return single(lowest(group.cards));
        return combo_of(group.kind, group.width * group.ranks, group.top(), group.cards);
    }
    if (group.kind == Kind::STRAIGHT && !group.phoenix && group.low > 1) n = skip_suited(hand, group, n);
    Cards cards = group.phoenix ? PHOENIX_BIT : 0;
    for (int rank = group.top(); rank >= group.low; --rank) {
        const int nibble = rank == 1 ? static_cast<int>(hand & MAH_JONG_BIT) : nibble_of(hand, rank);
        const int width = width_at(group, rank);
        const std::uint32_t ways = static_cast<std::uint32_t>(choose(nibble_count(nibble), width));
        if (ways == 1) {
            cards |= nth_subset(nibble, width, 0) << shift_of(rank);
        } else {
            cards |= nth_subset(nibble, width, static_cast<int>(n % ways)) << shift_of(rank);
            n /= ways;
        }
    }
    return combo_of(group.kind, group.width * group.ranks, group.top(), cards, group.phoenix);
}

}  // namespace tichu
