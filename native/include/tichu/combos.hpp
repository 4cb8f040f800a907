// Combinations: what cards can be played together, and which beats which (§3, §4), as in tichu/core/combos.py.
#pragma once

#include "cards.hpp"
#include "rules.hpp"

namespace tichu {

// Those from FOUR on are bombs.
enum class Kind : std::uint8_t {
    DOG,
    SINGLE,
    PAIR,
    TRIPLE,
    FULL_HOUSE,
    STRAIGHT,
    STAIRS,
    TRIPLE_STAIRS,
    FOUR_STAIRS,
    FOUR,
    STRAIGHT_FLUSH,
};

struct Combo {
    Cards cards;  // 0: no combination
    Kind kind;
    std::uint8_t size;
    std::uint8_t rank;     // what is compared: the top of a straight or stairs, the triple of a full house
    std::uint8_t phoenix;  // the rank that the Phoenix stands for, 0 without it

    TICHU_HD bool exists() const { return cards != 0; }
    TICHU_HD bool is_bomb() const { return kind >= Kind::FOUR; }
};

TICHU_HD inline Combo combo_of(Kind kind, int size, int rank, Cards cards, int phoenix = 0) {
    return Combo{cards, kind, byte(size), byte(rank), byte(phoenix)};
}

TICHU_HD inline Combo no_combo() { return combo_of(Kind::DOG, 0, 0, 0); }

// §3.4: ♠ > ♥ > ♦ > ♣, by suit number (swords, pagodas, jade, stars).
TICHU_HD inline int suit_strength(Cards flush) {
    constexpr int SUIT_ORDER = 0x2013;  // a nibble per suit
    return SUIT_ORDER >> 4 * suit_of(lowest(flush)) & 15;
}

// §3.3, §3.4: whether `combo` can be played on `top`.
TICHU_HD inline bool beats(const Combo& combo, const Combo& top, Rules rules) {
    if (combo.is_bomb()) {
        if (combo.kind != top.kind) return combo.kind > top.kind && top.kind != Kind::DOG;
        if (combo.size != top.size) return combo.size > top.size;
        if (combo.rank != top.rank) return combo.rank > top.rank;
        return combo.kind == Kind::STRAIGHT_FLUSH && rules.suit_decides() &&
               suit_strength(combo.cards) > suit_strength(top.cards);
    }
    if (combo.kind != top.kind || combo.size != top.size || combo.kind == Kind::DOG) return false;
    if (combo.cards == PHOENIX_BIT) return top.rank != DRAGON_RANK;  // §4.3
    return combo.rank > top.rank;
}

// §3.5: whether consecutive cards are of one suit; the Mah Jong has none.
TICHU_HD inline bool is_suited(Cards cards) {
    if (cards & MAH_JONG_BIT) return false;
    const Cards swords = LOWEST_BITS << suit_of(lowest(cards));
    return (cards & ~swords) == 0;
}

// One card by itself; the Phoenix led is half above the Mah Jong (§4.3).
TICHU_HD inline Combo single(int card) {
    switch (card) {
        case MAH_JONG: return combo_of(Kind::SINGLE, 1, 1, MAH_JONG_BIT);
        case DOG: return combo_of(Kind::DOG, 1, 0, DOG_BIT);
        case PHOENIX: return combo_of(Kind::SINGLE, 1, 1, PHOENIX_BIT, 1);
        case DRAGON: return combo_of(Kind::SINGLE, 1, DRAGON_RANK, DRAGON_BIT);
        default: return combo_of(Kind::SINGLE, 1, rank_of(card), bit(card));
    }
}

// The kind and rank of cards by how many each rank has, two ranks or more, all of them `low` to `top`.
TICHU_HD inline Combo shape_of_several(std::uint64_t counts, int size, int low, int top, Cards cards, int phoenix) {
    const RankSet held = at_least(1, counts);
    const int ranks = count_bits(held);
    const int first = nibble_of(counts, low), last = nibble_of(counts, top);
    if (ranks == 2 && size == 5 && first + last == 5 && (first == 2 || first == 3)) {
        return combo_of(Kind::FULL_HOUSE, size, first == 3 ? low : top, cards, phoenix);
    }
    if (top - low != ranks - 1 || counts != held * static_cast<unsigned>(first)) return no_combo();
    switch (first) {
        case 1:
            if (size < 5) return no_combo();
            return combo_of(!phoenix && is_suited(cards) ? Kind::STRAIGHT_FLUSH : Kind::STRAIGHT, size, top, cards,
                            phoenix);
        case 2: return combo_of(Kind::STAIRS, size, top, cards, phoenix);
        case 3: return combo_of(Kind::TRIPLE_STAIRS, size, top, cards, phoenix);
        case 4: return combo_of(Kind::FOUR_STAIRS, size, top, cards, phoenix);
        default: return no_combo();
    }
}

// The combination that exactly these cards are, the Phoenix standing for the rank `phoenix` (0 without it; alone it is
// 1), stacked stairs included; none if they are nothing.
TICHU_HD inline Combo read_combo(Cards cards, int phoenix) {
    if (cards == 0 || (cards & ~ALL_CARDS)) return no_combo();
    if ((cards & (cards - 1)) == 0) {
        const Combo combo = single(lowest(cards));
        return combo.phoenix == phoenix ? combo : no_combo();
    }
    const bool has_phoenix = cards & PHOENIX_BIT;
    if ((cards & (DOG_BIT | DRAGON_BIT)) || has_phoenix != (phoenix != 0)) return no_combo();
    std::uint64_t counts = counts_of(cards);
    if (has_phoenix) {
        if (phoenix < 2 || phoenix > ACE || nibble_of(counts, phoenix) == 4) return no_combo();
        counts += std::uint64_t{1} << shift_of(phoenix);
    }
    const int size = count_bits(cards);
    const int low = rank_of(lowest(counts)), top = rank_of(highest(counts));
    if (low != top) return shape_of_several(counts, size, low, top, cards, phoenix);
    switch (size) {
        case 2: return combo_of(Kind::PAIR, size, top, cards, phoenix);
        case 3: return combo_of(Kind::TRIPLE, size, top, cards, phoenix);
        case 4: return has_phoenix ? no_combo() : combo_of(Kind::FOUR, size, top, cards);  // §4.4
        default: return no_combo();
    }
}

}  // namespace tichu
