// Cards and sets of cards, as in tichu/core/cards.py.
//
// A card is a number from 0 to 55, a set of cards a word with one bit per card.  The four cards of a rank share a
// nibble; the specials share the lowest one, where the Mah Jong comes first because it is the "1" of a straight.  So a
// card is 4 * (rank - 1) + suit, the ranks run from 2 to 14, the suits are swords, pagodas, jade, stars.
//
// A "rank set" is a set of ranks as the lowest bits of their nibbles, so >> 4 is the next rank down.
#pragma once

#include <cstdint>
#if !defined(__CUDA_ARCH__)
#include <bit>
#endif

// Every function compiles for the host and, under nvcc, for the device.
#if defined(__CUDACC__)
#define TICHU_HD __host__ __device__
#else
#define TICHU_HD
#endif

namespace tichu {

using Card = std::uint8_t;
using Cards = std::uint64_t;
using RankSet = std::uint64_t;

inline constexpr Card MAH_JONG = 0;
inline constexpr Card DOG = 1;
inline constexpr Card PHOENIX = 2;
inline constexpr Card DRAGON = 3;

inline constexpr Cards MAH_JONG_BIT = Cards{1} << MAH_JONG;
inline constexpr Cards DOG_BIT = Cards{1} << DOG;
inline constexpr Cards PHOENIX_BIT = Cards{1} << PHOENIX;
inline constexpr Cards DRAGON_BIT = Cards{1} << DRAGON;

inline constexpr Cards ALL_CARDS = (Cards{1} << 56) - 1;
inline constexpr Cards SUITED = ALL_CARDS & ~Cards{15};
inline constexpr RankSet LOWEST_BITS = 0x11111111111111;
inline constexpr RankSet RANKS_2_TO_A = LOWEST_BITS & SUITED;

inline constexpr int ACE = 14;
// §3.1, §4.6: what the Dragon counts as among singles, above the ace.
inline constexpr int DRAGON_RANK = 15;

// A card or a seat that is not there.
inline constexpr std::uint8_t NONE = 255;

// A small number as it is stored.
TICHU_HD constexpr std::uint8_t byte(int value) { return static_cast<std::uint8_t>(value); }

TICHU_HD inline int count_bits(std::uint64_t bits) {
#if defined(__CUDA_ARCH__)
    return __popcll(bits);
#elif defined(__POPCNT__)
    return std::popcount(bits);
#else
    // Without the instruction std::popcount is a call; bits are added in pairs, nibbles, bytes, then all bytes at once.
    bits -= bits >> 1 & 0x5555555555555555;
    bits = (bits & 0x3333333333333333) + (bits >> 2 & 0x3333333333333333);
    bits = (bits + (bits >> 4)) & 0x0F0F0F0F0F0F0F0F;
    return static_cast<int>(bits * 0x0101010101010101 >> 56);
#endif
}

// The lowest bit of a word that is not zero.
TICHU_HD inline int lowest(std::uint64_t bits) {
#if defined(__CUDA_ARCH__)
    return __ffsll(static_cast<long long>(bits)) - 1;
#else
    return std::countr_zero(bits);
#endif
}

// The highest bit of a word that is not zero.
TICHU_HD inline int highest(std::uint64_t bits) {
#if defined(__CUDA_ARCH__)
    return 63 - __clzll(static_cast<long long>(bits));
#else
    return 63 - std::countl_zero(bits);
#endif
}

TICHU_HD inline Cards bit(int card) { return Cards{1} << card; }
TICHU_HD inline int rank_of(int card) { return card / 4 + 1; }
TICHU_HD inline int suit_of(int card) { return card & 3; }

// Where the nibble of a rank lies.
TICHU_HD inline int shift_of(int rank) { return 4 * (rank - 1); }

TICHU_HD inline int nibble_of(Cards cards, int rank) { return static_cast<int>(cards >> shift_of(rank) & 15); }

// The ranks from `rank` on (1 to 15) of a rank set, or their cards of a set of cards.
TICHU_HD inline std::uint64_t from_rank(std::uint64_t set, int rank) { return set >> shift_of(rank) << shift_of(rank); }

// How many cards of each rank, a nibble each; rank 1 is the Mah Jong.
TICHU_HD inline std::uint64_t counts_of(Cards cards) {
    cards &= SUITED | MAH_JONG_BIT;
    const std::uint64_t pairs = cards - (cards >> 1 & 0x5555555555555555);
    return (pairs & 0x3333333333333333) + (pairs >> 2 & 0x3333333333333333);
}

// The rank set with at least that many natural cards, by width 0 to 4, from the counts; width 0: every rank that the
// Phoenix may stand for (§4.4).
TICHU_HD inline RankSet at_least(int width, std::uint64_t counts) {
    const RankSet one = counts, two = counts >> 1, four = counts >> 2;
    switch (width) {
        case 0: return RANKS_2_TO_A;
        case 1: return (one | two | four) & LOWEST_BITS;
        case 2: return (two | four) & LOWEST_BITS;
        case 3: return ((one & two) | four) & LOWEST_BITS;
        default: return four & LOWEST_BITS;
    }
}

// §1.4: what a set of cards is worth.
TICHU_HD inline int points_of(Cards cards) {
    constexpr Cards FIVES = Cards{15} << 16;
    constexpr Cards TENS_AND_KINGS = Cards{15} << 36 | Cards{15} << 48;
    int points = 0;
    if (cards & (FIVES | TENS_AND_KINGS)) {
        points = 5 * count_bits(cards & FIVES) + 10 * count_bits(cards & TENS_AND_KINGS);
    }
    return points + 25 * static_cast<int>(cards >> DRAGON & 1) - 25 * static_cast<int>(cards >> PHOENIX & 1);
}

}  // namespace tichu
