// Decisions as numbers and bytes: the twin of tichu/encoding/, which defines them (docs/envs.md).
//
// A rank-level action says everything about a decision but the suits.  An exchange is asked as three picks, so a
// decision is a state, a seat and the cards picked so far.
#pragma once

#include <cstring>
#include <initializer_list>

#include "legal.hpp"

namespace tichu {

// As in tichu/encoding/: change both.
inline constexpr int ENCODING_VERSION = 1;

enum Number : int {
    PASSING,
    DECLINING_BOMB,
    TAKING,
    GIVING_LEFT,
    GIVING_RIGHT,
    CALLING_TICHU,
    CALLING_GRAND,
    DECLINING_GRAND,
    WISHING,
    PICKING = WISHING + 14,
    SINGLES = PICKING + 17,
    PAIRS = SINGLES + 17,
    TRIPLES = PAIRS + 26,
    FULL_HOUSES = TRIPLES + 26,
    STRAIGHTS = FULL_HOUSES + 3 * 156,
    PHOENIX_STRAIGHTS = STRAIGHTS + 55,
    STAIRS_OF_2 = PHOENIX_STRAIGHTS + 430,
    STAIRS_OF_3 = STAIRS_OF_2 + 57 + 239,
    STAIRS_OF_4 = STAIRS_OF_3 + 33 + 97,
    FOURS = STAIRS_OF_4 + 23 + 57,
    FLUSHES = FOURS + 13,
    ACTION_COUNT = FLUSHES + 45,
};
static_assert(ACTION_COUNT == 1625);

// A mask is whole words, action n the bit n % 64 of word n / 64.
inline constexpr int MASK_WORDS = (ACTION_COUNT + 63) / 64;

struct Mask {
    std::uint64_t words[MASK_WORDS];

    TICHU_HD void clear() {
        for (std::uint64_t& word : words) word = 0;
    }
    TICHU_HD void set(int number) { words[number >> 6] |= std::uint64_t{1} << (number & 63); }
    TICHU_HD bool has(int number) const { return words[number >> 6] >> (number & 63) & 1; }
    TICHU_HD int count() const {
        int bits = 0;
        for (const std::uint64_t word : words) {
            if (word) bits += count_bits(word);
        }
        return bits;
    }
    // The n-th action, n below count().
    TICHU_HD int nth(int n) const {
        for (int place = 0; place < MASK_WORDS; ++place) {
            if (!words[place]) continue;
            const int bits = count_bits(words[place]);
            if (n < bits) {
                std::uint64_t word = words[place];
                for (; n > 0; --n) word &= word - 1;
                return 64 * place + lowest(word);
            }
            n -= bits;
        }
        return -1;
    }
};

// Plays that differ in their suits alone, as Group without the hand.
struct Shape {
    Kind kind;
    int low, ranks, width, pair, phoenix;  // low is 1 for a special card by itself
    int card;                              // that card, or NONE
};

// 1 + 2 + ... + n, and the same of squares.
TICHU_HD constexpr int sum_to(int n) { return n * (n + 1) / 2; }
TICHU_HD constexpr int squares_to(int n) { return n * (n + 1) * (2 * n + 1) / 6; }

// How many runs are shorter, naturally and with the Phoenix.
TICHU_HD constexpr int shorter_straights(int ranks) { return 15 * (ranks - 5) - (sum_to(ranks - 1) - 10); }
TICHU_HD constexpr int shorter_joined_straights(int ranks) {
    return 15 * (sum_to(ranks - 1) - 10) - (squares_to(ranks - 1) - 30) - (ranks - 5);
}
TICHU_HD constexpr int shorter_stairs(int ranks) { return 14 * (ranks - 2) - (sum_to(ranks - 1) - 1); }
TICHU_HD constexpr int shorter_joined_stairs(int ranks) {
    return 14 * (sum_to(ranks - 1) - 1) - (squares_to(ranks - 1) - 1);
}
TICHU_HD constexpr int shorter_flushes(int ranks) { return 14 * (ranks - 5) - (sum_to(ranks - 1) - 10); }
static_assert(shorter_straights(15) == 55 && shorter_joined_straights(15) == 430 && shorter_flushes(14) == 45);
static_assert(shorter_stairs(8) == 57 && shorter_joined_stairs(8) == 239 && shorter_joined_stairs(5) == 97);

TICHU_HD inline int full_house_number(int triple, int pair, int variant) {
    return FULL_HOUSES + 156 * variant + 12 * (triple - 2) + pair - 2 - (pair > triple);
}

TICHU_HD inline int stairs_number(int first, int longest, int low, int ranks, int phoenix) {
    if (!phoenix) return first + shorter_stairs(ranks) + low - 2;
    return first + shorter_stairs(longest + 1) + shorter_joined_stairs(ranks) + (low - 2) * ranks + phoenix - low;
}

// The number of a play that is not a full house; `card` is a special card by itself, or NONE.
TICHU_HD inline int number_of(Kind kind, int low, int ranks, int phoenix, int card) {
    switch (kind) {
        case Kind::DOG:
        case Kind::SINGLE: return SINGLES + (card != NONE ? card : low + 2);
        case Kind::PAIR: return PAIRS + (phoenix ? 13 : 0) + low - 2;
        case Kind::TRIPLE: return TRIPLES + (phoenix ? 13 : 0) + low - 2;
        case Kind::STRAIGHT:
            if (!phoenix) return STRAIGHTS + shorter_straights(ranks) + low - 1;
            // The lowest rank of a straight from the Mah Jong has no place for the Phoenix.
            return PHOENIX_STRAIGHTS + shorter_joined_straights(ranks) + (low - 1) * ranks + phoenix - low - 1;
        case Kind::STAIRS: return stairs_number(STAIRS_OF_2, 7, low, ranks, phoenix);
        case Kind::TRIPLE_STAIRS: return stairs_number(STAIRS_OF_3, 4, low, ranks, phoenix);
        case Kind::FOUR_STAIRS: return stairs_number(STAIRS_OF_4, 3, low, ranks, phoenix);
        case Kind::FOUR: return FOURS + low - 2;
        default: return FLUSHES + shorter_flushes(ranks) + low - 2;
    }
}

TICHU_HD inline Shape stairs_at(Kind kind, int width, int place, int longest) {
    const int natural = shorter_stairs(longest + 1);
    int ranks = 2;
    if (place < natural) {
        while (place >= shorter_stairs(ranks + 1)) ++ranks;
        return Shape{kind, place - shorter_stairs(ranks) + 2, ranks, width, 0, 0, NONE};
    }
    place -= natural;
    while (place >= shorter_joined_stairs(ranks + 1)) ++ranks;
    place -= shorter_joined_stairs(ranks);
    const int low = place / ranks + 2;
    return Shape{kind, low, ranks, width, 0, low + place % ranks, NONE};
}

TICHU_HD inline Shape straight_at(int number) {
    int ranks = 5;
    if (number < PHOENIX_STRAIGHTS) {
        const int place = number - STRAIGHTS;
        while (place >= shorter_straights(ranks + 1)) ++ranks;
        return Shape{Kind::STRAIGHT, place - shorter_straights(ranks) + 1, ranks, 1, 0, 0, NONE};
    }
    int place = number - PHOENIX_STRAIGHTS;
    while (place >= shorter_joined_straights(ranks + 1)) ++ranks;
    place += 1 - shorter_joined_straights(ranks);
    const int low = place / ranks + 1;
    return Shape{Kind::STRAIGHT, low, ranks, 1, 0, low + place % ranks, NONE};
}

// What is played by a number from SINGLES on.
TICHU_HD inline Shape shape_at(int number) {
    if (number < PAIRS) {
        const int place = number - SINGLES;
        if (place < 4) return Shape{place == DOG ? Kind::DOG : Kind::SINGLE, 1, 1, 1, 0, place == PHOENIX, place};
        return Shape{Kind::SINGLE, place - 2, 1, 1, 0, 0, NONE};
    }
    if (number < FULL_HOUSES) {
        const bool is_pair = number < TRIPLES;
        const int place = number - (is_pair ? PAIRS : TRIPLES), rank = place % 13 + 2;
        return Shape{is_pair ? Kind::PAIR : Kind::TRIPLE, rank, 1, is_pair ? 2 : 3, 0, place >= 13 ? rank : 0, NONE};
    }
    if (number < STRAIGHTS) {
        const int variant = (number - FULL_HOUSES) / 156, place = (number - FULL_HOUSES) % 156;
        const int triple = place / 12 + 2, other = place % 12 + 2, pair = other + (other >= triple);
        return Shape{Kind::FULL_HOUSE, triple, 1, 3, pair, variant == 0 ? 0 : variant == 1 ? triple : pair, NONE};
    }
    if (number < STAIRS_OF_2) return straight_at(number);
    if (number < STAIRS_OF_3) return stairs_at(Kind::STAIRS, 2, number - STAIRS_OF_2, 7);
    if (number < STAIRS_OF_4) return stairs_at(Kind::TRIPLE_STAIRS, 3, number - STAIRS_OF_3, 4);
    if (number < FOURS) return stairs_at(Kind::FOUR_STAIRS, 4, number - STAIRS_OF_4, 3);
    if (number < FLUSHES) return Shape{Kind::FOUR, number - FOURS + 2, 1, 4, 0, 0, NONE};
    const int place = number - FLUSHES;
    int ranks = 5;
    while (place >= shorter_flushes(ranks + 1)) ++ranks;
    return Shape{Kind::STRAIGHT_FLUSH, place - shorter_flushes(ranks) + 2, ranks, 1, 0, 0, NONE};
}

// The cards that a seat has picked in an exchange that is not complete.
struct Picks {
    Card cards[3];
    std::uint8_t count;
};

TICHU_HD inline Picks no_picks() { return Picks{{NONE, NONE, NONE}, 0}; }

TICHU_HD inline int pick_number(int card) { return PICKING + (card < 4 ? card : 2 + rank_of(card)); }

// Marks the groups of plays that count.
struct MarkPlays {
    Wanted wanted;
    std::uint64_t counts;
    Mask& mask;

    TICHU_HD bool operator()(const Group& group) {
        if (!wanted(group)) return false;
        if (group.kind != Kind::FULL_HOUSE) {
            const int card = group.cards && group.low == 1 ? lowest(group.cards) : NONE;
            mask.set(number_of(group.kind, group.low, group.ranks, group.phoenix, card));
        } else if (group.phoenix) {
            mask.set(full_house_number(group.low, group.pair, 2));
        } else {
            if (nibble_of(counts, group.low) >= 3) mask.set(full_house_number(group.low, group.pair, 0));
            if (group.joins) mask.set(full_house_number(group.low, group.pair, 1));
        }
        return false;
    }
};

TICHU_HD inline void mark_turn(const State& state, int seat, Mask& mask) {
    const Cards hand = state.hands[seat];
    MarkPlays marker{{state.rules, 0, false}, counts_of(hand), mask};
    if (owes_wish(state, seat)) {
        marker.wanted.wish = state.wish;
        marker.wanted.bombs_excused = state.rules.bombs() == Bombs::ANYTIME && state.has_top();
    } else if (state.has_top()) {
        mask.set(PASSING);
    }
    each_group(hand, state.top(), state.rules, marker);
}

TICHU_HD inline void mark_takes(const State& state, int seat, Mask& mask) {
    if (!state.is_dragon_trick()) {
        mask.set(TAKING);
        return;
    }
    const Recipients recipients = recipients_of(state, seat);
    for (const int recipient : {recipients.first, recipients.second}) {
        mask.set(((recipient - seat) & 3) == 1 ? GIVING_LEFT : GIVING_RIGHT);
    }
}

// The rank-level actions of a seat: exactly those that a legal action belongs to.
TICHU_HD inline void write_mask(const State& state, int seat, const Picks& picks, Mask& mask) {
    mask.clear();
    const Sight sight = seen_by(state, seat);
    if (sight.phase == Phase::EXCHANGE) {
        if (!sight.on_turn) return;
        Cards left = state.hands[seat];
        for (int pick = 0; pick < picks.count; ++pick) left &= ~bit(picks.cards[pick]);
        for (; left; left &= left - 1) mask.set(pick_number(lowest(left)));
    }
    if (may_call(state, seat, sight.phase)) mask.set(CALLING_TICHU);
    if (sight.on_turn) {
        switch (sight.phase) {
            case Phase::PLAY: mark_turn(state, seat, mask); return;
            case Phase::GRAND:
                mask.set(DECLINING_GRAND);
                if (!state.rules.calls_are_automatic()) mask.set(CALLING_GRAND);
                return;
            case Phase::WISH:
                for (int rank = 2; rank <= ACE; ++rank) mask.set(WISHING + rank - 1);
                if (state.rules.wishes() != Wishes::MUST) mask.set(WISHING);
                return;
            case Phase::TAKE: mark_takes(state, seat, mask); break;
            case Phase::BOMB: mask.set(DECLINING_BOMB); break;
            default: break;
        }
    }
    if (state.has_top() && may_throw(state, sight)) {
        MarkPlays marker{{state.rules, 0, false}, 0, mask};
        each_bomb(state.hands[seat], state.top(), state.rules, marker);
    }
}

// The suits from the first place on, as the seat numbers them.
struct Order {
    int suits[4];
};

inline constexpr RankSet SWORDS = RANKS_2_TO_A;

// Everything a seat sees that has suits, in the order in which suits are told apart.
struct Seen {
    Cards sets[9];  // hand, played, table, given to LEFT, PARTNER, RIGHT, received from them
};

TICHU_HD inline Seen seen_cards(const State& state, int seat, const Picks& picks) {
    Seen seen{{state.hands[seat], state.played(), state.top_cards, 0, 0, 0, 0, 0, 0}};
    const Card* own = state.given[seat][0] != NONE ? state.given[seat] : picks.cards;
    for (int gift = 0; gift < 3; ++gift) {
        if (own[gift] != NONE) seen.sets[3 + gift] = bit(own[gift]);
    }
    if (state.phase == Phase::GRAND || state.phase == Phase::EXCHANGE) return seen;
    for (int distance = 1; distance < 4; ++distance) {
        const Card card = state.given[(seat + distance) & 3][3 - distance];
        if (card != NONE) seen.sets[5 + distance] = bit(card);
    }
    return seen;
}

TICHU_HD inline bool comes_first(const Seen& seen, int one, int two) {
    for (const Cards cards : seen.sets) {
        const Cards left = cards >> one & SWORDS, right = cards >> two & SWORDS;
        if (left != right) return left > right;
    }
    return false;
}

TICHU_HD inline Order suit_order(const Seen& seen, Rules rules) {
    if (rules.suit_decides()) return Order{{2, 1, 3, 0}};  // §3.4, the weakest first
    Order order{{0, 1, 2, 3}};
    for (int place = 1; place < 4; ++place) {
        const int suit = order.suits[place];
        int at = place;
        for (; at > 0 && comes_first(seen, suit, order.suits[at - 1]); --at) order.suits[at] = order.suits[at - 1];
        order.suits[at] = suit;
    }
    return order;
}

// The cards with their suits numbered in the given order, and back.
TICHU_HD inline Cards arranged(Cards cards, const Order& order) {
    return (cards & 15) | (cards >> order.suits[0] & SWORDS) | (cards >> order.suits[1] & SWORDS) << 1 |
           (cards >> order.suits[2] & SWORDS) << 2 | (cards >> order.suits[3] & SWORDS) << 3;
}

TICHU_HD inline Cards restored(Cards cards, const Order& order) {
    return (cards & 15) | (cards & SWORDS) << order.suits[0] | (cards >> 1 & SWORDS) << order.suits[1] |
           (cards >> 2 & SWORDS) << order.suits[2] | (cards >> 3 & SWORDS) << order.suits[3];
}

TICHU_HD inline Cards in_straight_flushes(Cards hand) {
    const Cards suited = hand & SUITED;
    const Cards starts = suited & suited >> 4 & suited >> 8 & suited >> 12 & suited >> 16;
    return starts | starts << 4 | starts << 8 | starts << 12 | starts << 16;
}

// So many cards of a rank: those in no straight flush first, then in the order of the suits.
TICHU_HD inline Cards cards_of_rank(Cards hand, Cards kept, int rank, int width) {
    Cards cards = 0;
    for (int nibble = nibble_of(hand & ~kept, rank); nibble && width; nibble &= nibble - 1, --width) {
        cards |= static_cast<Cards>(nibble & -nibble);
    }
    for (int nibble = nibble_of(hand & kept, rank); nibble && width; nibble &= nibble - 1, --width) {
        cards |= static_cast<Cards>(nibble & -nibble);
    }
    return cards << shift_of(rank);
}

TICHU_HD inline Cards first_flush(const State& state, const Shape& shape, Cards hand, const Order& order) {
    const Cards run = ((Cards{1} << 4 * shape.ranks) / 15) << shift_of(shape.low);
    for (int place = 0; place < 4; ++place) {
        if (run << place & ~hand) continue;
        const Cards cards = restored(run << place, order);
        const Combo flush = combo_of(Kind::STRAIGHT_FLUSH, shape.ranks, shape.low + shape.ranks - 1, cards);
        if (!state.has_top() || beats(flush, state.top(), state.rules)) return cards;
    }
    return 0;
}

// §3.2: a straight of one suit is a bomb, so it takes the second choice at the lowest rank that has one.
TICHU_HD inline Cards broken_up(Cards cards, const Shape& shape, Cards hand, Cards kept) {
    for (int rank = shape.low; rank < shape.low + shape.ranks; ++rank) {
        const Cards nibble = Cards{15} << shift_of(rank);
        const Cards other = cards_of_rank(hand & ~(cards & nibble), kept, rank, 1);
        if (other) return (cards & ~nibble) | other;
    }
    return cards;
}

// The natural cards that the seat plays for a shape that can be played from its hand.
TICHU_HD inline Cards chosen_cards(const State& state, int seat, const Shape& shape, const Order& order) {
    const Cards hand = arranged(state.hands[seat], order);
    if (shape.kind == Kind::STRAIGHT_FLUSH) return first_flush(state, shape, hand, order);
    const Cards kept = in_straight_flushes(hand);
    Cards cards = 0;
    for (int rank = shape.low; rank < shape.low + shape.ranks; ++rank) {
        cards |= rank == 1 ? MAH_JONG_BIT : cards_of_rank(hand, kept, rank, shape.width - (shape.phoenix == rank));
    }
    if (shape.pair) cards |= cards_of_rank(hand, kept, shape.pair, 2 - (shape.phoenix == shape.pair));
    if (shape.kind == Kind::STRAIGHT && !shape.phoenix && is_suited(cards)) {
        cards = broken_up(cards, shape, hand, kept);
    }
    return restored(cards, order);
}

// The card that is given away for a number of the mask.
TICHU_HD inline Card decode_pick(const State& state, int seat, const Picks& picks, int number) {
    const int place = number - PICKING;
    if (place < 4) return static_cast<Card>(place);
    Cards hand = state.hands[seat];
    const Order order = suit_order(seen_cards(state, seat, picks), state.rules);
    for (int pick = 0; pick < picks.count; ++pick) hand &= ~bit(picks.cards[pick]);
    hand = arranged(hand, order);
    return static_cast<Card>(lowest(restored(cards_of_rank(hand, in_straight_flushes(hand), place - 2, 1), order)));
}

// The action that is taken for a number of the mask; not for a pick.
TICHU_HD inline Action decode(const State& state, int seat, int number) {
    switch (number) {
        case PASSING: return action_of(Act::PASS);
        case DECLINING_BOMB: return action_of(Act::DECLINE_BOMB);
        case TAKING: return action_of(Act::TAKE, NONE);
        case GIVING_LEFT: return action_of(Act::TAKE, (seat + 1) & 3);
        case GIVING_RIGHT: return action_of(Act::TAKE, (seat + 3) & 3);
        case CALLING_TICHU: return action_of(Act::CALL_TICHU);
        case CALLING_GRAND: return action_of(Act::CALL_GRAND);
        case DECLINING_GRAND: return action_of(Act::DECLINE_GRAND);
        default: break;
    }
    if (number < PICKING) return action_of(Act::WISH, number == WISHING ? 0 : number - WISHING + 1);
    const Shape shape = shape_at(number);
    if (shape.card != NONE) return play_of(single(shape.card));
    const Order order = suit_order(seen_cards(state, seat, no_picks()), state.rules);
    Cards cards = chosen_cards(state, seat, shape, order);
    if (shape.phoenix) cards |= PHOENIX_BIT;
    const int size = shape.ranks * shape.width + (shape.pair ? 2 : 0);
    return play_of(combo_of(shape.kind, size, shape.low + shape.ranks - 1, cards, shape.phoenix));
}

// Where everything lies in an observation: tichu/encoding/observations.py.
enum Place : int {
    AT_HAND = 0,
    AT_PLAYED = 56,
    AT_TOP_CARDS = 112,
    AT_GIVEN = 168,
    AT_RECEIVED = 224,
    AT_COUNTS = 280,
    AT_TOP_KIND = AT_COUNTS + 4,
    AT_TOP_SIZE = AT_TOP_KIND + 10,
    AT_TOP_RANK,
    AT_TOP_PHOENIX,
    AT_OWNER,
    AT_POINTS = AT_OWNER + 4,
    AT_TABLE_POINTS = AT_POINTS + 4,
    AT_WISH,
    AT_TICHU = AT_WISH + 13,
    AT_GRAND = AT_TICHU + 4,
    AT_OUT = AT_GRAND + 4,
    AT_PENDING = AT_OUT + 4,
    AT_ACTOR = AT_PENDING + 4,
    AT_PHASE = AT_ACTOR + 4,
    AT_PICKS = AT_PHASE + 7,
    AT_SCORE,
    AT_GOAL = AT_SCORE + 2,
    AT_RULES,
    OBSERVATION_SIZE = AT_RULES + 13,
};
static_assert(OBSERVATION_SIZE == 363);

// The lowest eight bits as a byte each.
TICHU_HD inline std::uint64_t spread(std::uint64_t bits) {
    const std::uint64_t one_each = (bits & 255) * 0x0101010101010101 & 0x8040201008040201;
    return (one_each + 0x7F7F7F7F7F7F7F7F) >> 7 & 0x0101010101010101;
}

TICHU_HD inline void write_set(Cards cards, std::uint8_t* into) {
    for (int part = 0; part < 7; ++part) {
        const std::uint64_t bytes = spread(cards >> 8 * part);
        memcpy(into + 8 * part, &bytes, 8);
    }
}

TICHU_HD inline std::uint8_t score_byte(int score) {
    const int tens = score < -1000 ? 0 : (score + 1000) / 10;
    return static_cast<std::uint8_t>(tens > 255 ? 255 : tens);
}

TICHU_HD inline void write_cards(const Seen& seen, const Order& order, std::uint8_t* into) {
    write_set(arranged(seen.sets[0], order), into + AT_HAND);
    write_set(arranged(seen.sets[1], order), into + AT_PLAYED);
    if (seen.sets[2]) write_set(arranged(seen.sets[2], order), into + AT_TOP_CARDS);
    for (int gift = 0; gift < 6; ++gift) {
        if (!seen.sets[3 + gift]) continue;
        const int card = lowest(arranged(seen.sets[3 + gift], order));
        into[(gift < 3 ? AT_GIVEN : AT_RECEIVED) + card] = static_cast<std::uint8_t>(gift % 3 + 1);
    }
}

// What the seat sees; `scores` is the match so far, by team.
TICHU_HD inline void write_observation(const State& state, int seat, const Picks& picks, const int* scores,
                                       std::uint8_t* into) {
    memset(into, 0, OBSERVATION_SIZE);
    const Seen seen = seen_cards(state, seat, picks);
    write_cards(seen, suit_order(seen, state.rules), into);
    Phase phase = state.phase;
    int pending = state.pending;
    bool asked = phase == Phase::BOMB;
    if (asked && !state.is_pending(seat)) {
        const Turn turn = unless_bombed(state, state.actor);
        phase = turn.phase;
        pending = 1 << turn.seat;
        asked = false;
    }
    if (state.has_top()) {
        into[AT_TOP_KIND + static_cast<int>(state.top_kind) - 1] = 1;
        into[AT_TOP_SIZE] = state.top_size;
        into[AT_TOP_RANK] = state.top_rank;
        into[AT_TOP_PHOENIX] = state.top_phoenix;
        into[AT_OWNER + ((state.owner - seat) & 3)] = 1;
    }
    int won = 0;
    for (int distance = 0; distance < 4; ++distance) {
        const int other = (seat + distance) & 3;
        into[AT_COUNTS + distance] = static_cast<std::uint8_t>(count_bits(state.hands[other]));
        into[AT_POINTS + distance] = static_cast<std::uint8_t>((state.points[other] + 25) / 5);
        won += state.points[other];
        // §2.1: Grand decisions are shown when all are made.
        const bool shown = phase != Phase::GRAND || distance == 0;
        into[AT_TICHU + distance] = state.call(other) == Call::TICHU;
        into[AT_GRAND + distance] = shown && state.call(other) == Call::GRAND;
        into[AT_PENDING + distance] = pending >> other & 1;
    }
    for (int place = 0; place < state.out_count; ++place) {
        into[AT_OUT + ((state.out[place] - seat) & 3)] = static_cast<std::uint8_t>(place + 1);
    }
    into[AT_TABLE_POINTS] = static_cast<std::uint8_t>((points_of(state.played()) - won + 25) / 5);
    if (state.wish) into[AT_WISH + state.wish - 2] = 1;
    if (asked) into[AT_ACTOR + ((state.actor - seat) & 3)] = 1;
    into[AT_PHASE + static_cast<int>(phase)] = 1;
    into[AT_PICKS] = picks.count;
    into[AT_SCORE] = score_byte(scores[seat & 1]);
    into[AT_SCORE + 1] = score_byte(scores[1 - (seat & 1)]);
    into[AT_GOAL] = static_cast<std::uint8_t>(state.goal / 10 > 255 ? 255 : state.goal / 10);
    for (int place = 0; place < 13; ++place) into[AT_RULES + place] = state.rules.bits >> place & 1;
}

}  // namespace tichu
