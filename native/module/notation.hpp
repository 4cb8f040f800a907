// Cards and actions as text, as in tichu/core/cards.py, combos.py and actions.py.
//
// Readers take what is written in the plain way and nothing else: whoever calls them asks the Python core about the
// rest, which knows every way and says what is wrong.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "tichu/actions.hpp"

namespace tichu::notation {

inline constexpr std::string_view RANKS = "23456789TJQKA";
inline constexpr std::string_view SUITS = "sbgr";
inline constexpr std::string_view SPECIALS = "MaDoPhDr";

inline void write_card(std::string& text, int card) {
    if (card < 4) {
        text += SPECIALS.substr(2 * static_cast<std::size_t>(card), 2);
        return;
    }
    text += RANKS[static_cast<std::size_t>(rank_of(card) - 2)];
    text += SUITS[static_cast<std::size_t>(suit_of(card))];
}

inline std::string card_text(int card) {
    std::string text;
    write_card(text, card);
    return text;
}

inline std::string rank_text(int rank) { return std::string(1, RANKS[static_cast<std::size_t>(rank - 2)]); }

// In written order: Ma, Do, the ranks, Ph, Dr; "-" for none.
inline std::string cards_text(Cards cards) {
    if (!cards) return "-";
    std::string text;
    for (Cards rest = cards & ~(PHOENIX_BIT | DRAGON_BIT); rest; rest &= rest - 1) write_card(text, lowest(rest));
    for (Cards rest = cards & (PHOENIX_BIT | DRAGON_BIT); rest; rest &= rest - 1) write_card(text, lowest(rest));
    return text;
}

inline std::string combo_text(const Combo& combo) {
    if (combo.size == 1) return card_text(lowest(combo.cards));
    const Cards natural = combo.cards & ~PHOENIX_BIT;
    std::string text = cards_text(natural);
    if (!combo.phoenix) return text;
    // It comes after the natural cards of its rank: a rank is a nibble.
    const int before = count_bits(natural & (bit(4 * combo.phoenix) - 1));
    return text.insert(2 * static_cast<std::size_t>(before), "P" + rank_text(combo.phoenix));
}

// Without the seat, and a play or a pass without its colon.
inline std::string action_text(const Action& action) {
    switch (action.act) {
        case Act::PLAY: return combo_text(action.combo);
        case Act::PASS: return "-";
        case Act::TAKE: return action.argument == NONE ? "!" : "!" + std::to_string(action.argument);
        case Act::WISH: return action.argument ? "?" + rank_text(action.argument) : "?-";
        case Act::EXCHANGE: {
            std::string text = ">";
            for (const Card card : action.gifts) write_card(text, card);
            return text;
        }
        case Act::CALL_TICHU: return "+T";
        case Act::CALL_GRAND: return "+G";
        case Act::DECLINE_GRAND: return "-G";
        case Act::DECLINE_BOMB: return "-B";
        case Act::NOTHING: break;
    }
    return "";
}

inline std::optional<int> read_rank(char letter) {
    const std::size_t at = RANKS.find(letter);
    if (at == std::string_view::npos) return std::nullopt;
    return static_cast<int>(at) + 2;
}

inline std::optional<int> read_card(std::string_view text) {
    const std::size_t suit = SUITS.find(text[1]);
    if (suit != std::string_view::npos) {
        const std::optional<int> rank = read_rank(text[0]);
        if (rank) return 4 * (*rank - 1) + static_cast<int>(suit);
    }
    for (std::size_t card = 0; card < 4; ++card) {
        if (text == SPECIALS.substr(2 * card, 2)) return static_cast<int>(card);
    }
    return std::nullopt;
}

// A set of different cards.
inline std::optional<Cards> read_cards(std::string_view text) {
    Cards cards = 0;
    if (text.empty() || text.size() % 2) return std::nullopt;
    for (std::size_t at = 0; at < text.size(); at += 2) {
        const std::optional<int> card = read_card(text.substr(at, 2));
        if (!card || cards & bit(*card)) return std::nullopt;
        cards |= bit(*card);
    }
    return cards;
}

inline std::optional<Action> read_play(std::string_view text) {
    Cards cards = 0;
    int phoenix = 0;
    if (text.empty() || text.size() % 2) return std::nullopt;
    for (std::size_t at = 0; at < text.size(); at += 2) {
        std::optional<int> card = read_card(text.substr(at, 2));
        if (!card && text[at] == 'P') {
            const std::optional<int> rank = read_rank(text[at + 1]);
            if (rank) {
                card = PHOENIX;
                phoenix = *rank;
            }
        }
        if (!card || cards & bit(*card)) return std::nullopt;
        cards |= bit(*card);
    }
    const Combo combo = read_combo(cards, cards == PHOENIX_BIT && !phoenix ? 1 : phoenix);
    if (!combo.exists()) return std::nullopt;
    return play_of(combo);
}

inline std::optional<Action> read_exchange(std::string_view text) {
    if (text.size() != 6 || !read_cards(text)) return std::nullopt;
    return exchange_of(*read_card(text.substr(0, 2)), *read_card(text.substr(2, 2)), *read_card(text.substr(4, 2)));
}

struct Move {
    int seat;
    Action action;
};

inline std::optional<Action> read_action(std::string_view text) {
    if (text == ":-") return action_of(Act::PASS);
    if (text == "!") return action_of(Act::TAKE, NONE);
    if (text == "-G") return action_of(Act::DECLINE_GRAND);
    if (text == "+G") return action_of(Act::CALL_GRAND);
    if (text == "+T") return action_of(Act::CALL_TICHU);
    if (text == "-B") return action_of(Act::DECLINE_BOMB);
    if (text == "?-") return action_of(Act::WISH, 0);
    if (text.size() < 2) return std::nullopt;
    const std::string_view rest = text.substr(1);
    switch (text[0]) {
        case ':': return read_play(rest);
        case '>': return read_exchange(rest);
        case '!':
            if (rest.size() != 1 || rest[0] < '0' || rest[0] > '3') return std::nullopt;
            return action_of(Act::TAKE, rest[0] - '0');
        case '?': {
            const std::optional<int> rank = rest.size() == 1 ? read_rank(rest[0]) : std::nullopt;
            if (!rank) return std::nullopt;
            return action_of(Act::WISH, *rank);
        }
        default: return std::nullopt;
    }
}

inline std::optional<Move> read_move(std::string_view text) {
    if (text.empty() || text[0] < '0' || text[0] > '3') return std::nullopt;
    const std::optional<Action> action = read_action(text.substr(1));
    if (!action) return std::nullopt;
    return Move{text[0] - '0', *action};
}

// "eight+six", four times with " / " between.
inline bool read_deal(std::string_view text, Cards eights[4], Cards sixes[4]) {
    constexpr std::size_t HAND = 2 * 14 + 1, STEP = HAND + 3;
    if (text.size() != 3 * STEP + HAND) return false;
    Cards dealt = 0;
    for (std::size_t seat = 0; seat < 4; ++seat) {
        const std::string_view hand = text.substr(STEP * seat, HAND);
        if (hand[16] != '+' || (seat < 3 && text.substr(STEP * seat + HAND, 3) != " / ")) return false;
        const std::optional<Cards> eight = read_cards(hand.substr(0, 16)), six = read_cards(hand.substr(17));
        if (!eight || !six) return false;
        eights[seat] = *eight;
        sixes[seat] = *six;
        dealt |= *eight | *six;
    }
    return dealt == ALL_CARDS;
}

}  // namespace tichu::notation
