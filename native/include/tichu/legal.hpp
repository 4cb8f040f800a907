// What a seat may do, as far as the seat can know, in the order of tichu/core/legal.py.
//
// A `Legal` is a count and a way to the n-th action: what stands before the plays (how a trick is taken), the plays or
// bombs, what stands after them (to pass, to decline), and last a Tichu call.
#pragma once

#include "actions.hpp"
#include "plays.hpp"
#include "state.hpp"

namespace tichu {

// §5.1, §5.2: who acts if nobody bombs: the next seat with cards plays; back at the owner the trick is complete.
struct Turn {
    Phase phase;
    int seat;
};

TICHU_HD inline Turn unless_bombed(const State& state, int actor) {
    int seat = state.rules.next_seat(actor);
    while (seat != state.owner) {
        if (state.hands[seat]) return Turn{Phase::PLAY, seat};
        seat = state.rules.next_seat(seat);
    }
    return Turn{Phase::TAKE, seat};
}

// The phase as a seat sees it: to the others a question to bomb looks like the state after it (§7.2).
struct Sight {
    Phase phase;
    bool on_turn;
};

TICHU_HD inline Sight seen_by(const State& state, int seat) {
    if (state.phase == Phase::BOMB && !state.is_pending(seat)) {
        const Turn turn = unless_bombed(state, state.actor);
        return Sight{turn.phase, turn.seat == seat};
    }
    return Sight{state.phase, state.is_pending(seat)};
}

// §4.6, §10.2: to whom this seat may give a trick that its Dragon wins; two of them, or the same one twice.
struct Recipients {
    int first, second;
    TICHU_HD std::uint32_t count() const { return first == second ? 1 : 2; }
};

TICHU_HD inline Recipients recipients_of(const State& state, int seat) {
    if (!state.rules.dragon_is_automatic()) return Recipients{(seat + 1) & 3, (seat + 3) & 3};
    const int following = state.rules.next_seat(seat), other = partner_of(following);
    const int more = count_bits(state.hands[other]) - count_bits(state.hands[following]);
    int recipient = more > 0 ? other : following;
    // With equal counts, two callers are alike: the next player after the giver gets the trick.
    if (state.call(recipient) != Call::NO_CALL && (more != 0 || state.call(other) == Call::NO_CALL)) {
        recipient = partner_of(recipient);
    }
    return Recipients{recipient, recipient};
}

// Which plays count: all; or, while a wish is owed, those that fulfil it, and bombs where they are excused (§6.5).
struct Wanted {
    Rules rules;
    std::uint8_t wish;
    bool bombs_excused;

    TICHU_HD bool operator()(const Group& group) const { return !wish || is_due(group); }

    TICHU_HD bool is_due(const Group& group) const {
        return fulfils(group, wish, rules) || (bombs_excused && group.is_bomb());
    }
};

struct CountPlays {
    Wanted wanted;
    std::uint32_t count;

    TICHU_HD bool operator()(const Group& group) {
        if (wanted(group)) count += group.count;
        return false;
    }
};

struct FindPlay {
    Wanted wanted;
    std::uint32_t index;
    Group found;

    TICHU_HD bool operator()(const Group& group) {
        if (!wanted(group)) return false;
        if (index < group.count) {
            found = group;
            return true;
        }
        index -= group.count;
        return false;
    }
};

struct FindFulfilling {
    Wanted wanted;
    bool found;

    TICHU_HD bool operator()(const Group& group) { return found = wanted(group); }
};

// §6.2: whether the wish can be fulfilled on this turn.
TICHU_HD inline bool owes_wish(const State& state, int seat) {
    const Cards hand = state.hands[seat];
    if (!state.wish) return false;
    if (!nibble_of(hand, state.wish) && !(state.rules.phoenix_grants_wish() && (hand & PHOENIX_BIT))) return false;
    FindFulfilling search{{state.rules, state.wish, false}, false};
    each_group(hand, state.top(), state.rules, search);
    return search.found;
}

// §2.2: whether Tichu can be called; it comes on top of a decision and does not replace it.
TICHU_HD inline bool may_call(const State& state, int seat, Phase seen) {
    if (seen == Phase::GRAND || seen == Phase::END || state.call(seat) != Call::NO_CALL) return false;
    if (state.rules.calls_are_automatic()) return false;
    if (seen == Phase::EXCHANGE && state.rules.tichu_from_play()) return false;
    return count_bits(state.hands[seat]) == 14;
}

// Whether bombs are open outside a regular turn.
TICHU_HD inline bool may_throw(const State& state, Sight sight) {
    if (sight.phase == Phase::BOMB) return sight.on_turn;
    // §7.1; §8.3: nothing is thrown on the play that ended the round.
    return state.rules.bombs() == Bombs::ANYTIME && (sight.phase == Phase::PLAY || sight.phase == Phase::TAKE) &&
           state.out_count < 3;
}

struct Legal {
    Wanted wanted;
    Phase phase;  // as the seat sees it
    bool on_turn;
    bool only_bombs;
    bool calls;            // a Tichu call is open
    std::uint32_t before;  // actions before the plays
    std::uint32_t behind;  // actions after them
    std::uint32_t plays;

    // All actions but the Tichu call.
    TICHU_HD std::uint32_t decisions() const { return before + plays + behind; }
    TICHU_HD std::uint32_t count() const { return decisions() + calls; }
};

TICHU_HD inline std::uint32_t count_plays(const State& state, int seat, const Legal& legal) {
    CountPlays counter{legal.wanted, 0};
    if (legal.only_bombs) {
        each_bomb(state.hands[seat], state.top(), state.rules, counter);
    } else {
        each_group(state.hands[seat], state.top(), state.rules, counter);
    }
    return counter.count;
}

TICHU_HD inline Legal legal_of(const State& state, int seat) {
    const Sight sight = seen_by(state, seat);
    const Rules rules = state.rules;
    Legal legal{{rules, 0, false}, sight.phase, sight.on_turn, true, may_call(state, seat, sight.phase), 0, 0, 0};
    if (sight.phase == Phase::EXCHANGE) {
        const auto held = static_cast<std::uint32_t>(count_bits(state.hands[seat]));
        legal.plays = held * (held - 1) * (held - 2);
        return legal;
    }
    if (sight.on_turn) {
        switch (sight.phase) {
            case Phase::PLAY:
                legal.only_bombs = false;
                if (owes_wish(state, seat)) {
                    legal.wanted.wish = state.wish;
                    legal.wanted.bombs_excused = rules.bombs() == Bombs::ANYTIME && state.has_top();
                } else {
                    legal.behind = state.has_top();
                }
                legal.plays = count_plays(state, seat, legal);
                return legal;
            case Phase::GRAND: legal.before = rules.calls_are_automatic() ? 1 : 2; return legal;
            case Phase::WISH: legal.before = rules.wishes() == Wishes::MUST ? 13 : 14; return legal;
            case Phase::TAKE: legal.before = state.is_dragon_trick() ? recipients_of(state, seat).count() : 1; break;
            case Phase::BOMB: legal.behind = 1; break;
            default: break;
        }
    }
    if (state.has_top() && may_throw(state, sight)) legal.plays = count_plays(state, seat, legal);
    return legal;
}

// The n-th ordered choice of three cards of the hand.
TICHU_HD inline Action nth_exchange(Cards hand, std::uint32_t n) {
    const auto held = static_cast<std::uint32_t>(count_bits(hand));
    std::uint32_t places[3] = {n / ((held - 1) * (held - 2)), n / (held - 2) % (held - 1), n % (held - 2)};
    Card gifts[3];
    for (int gift = 0; gift < 3; ++gift) {
        gifts[gift] = static_cast<Card>(nth_card(hand, places[gift]));
        hand &= ~bit(gifts[gift]);
    }
    return exchange_of(gifts[0], gifts[1], gifts[2]);
}

// One of the actions that stand before the plays.
TICHU_HD inline Action nth_before(const State& state, int seat, const Legal& legal, std::uint32_t n) {
    switch (legal.phase) {
        case Phase::GRAND: return action_of(n + 1 == legal.before ? Act::DECLINE_GRAND : Act::CALL_GRAND);
        case Phase::WISH: return action_of(Act::WISH, n < 13 ? static_cast<int>(n) + 2 : 0);
        default: {
            if (!state.is_dragon_trick()) return action_of(Act::TAKE, NONE);
            const Recipients recipients = recipients_of(state, seat);
            return action_of(Act::TAKE, n == 0 ? recipients.first : recipients.second);
        }
    }
}

// The n-th legal action, n below legal.count().
TICHU_HD inline Action nth_action(const State& state, int seat, const Legal& legal, std::uint32_t n) {
    if (n < legal.before) return nth_before(state, seat, legal, n);
    n -= legal.before;
    if (n < legal.plays) {
        if (legal.phase == Phase::EXCHANGE) return nth_exchange(state.hands[seat], n);
        FindPlay search{legal.wanted, n, {}};
        if (legal.only_bombs) {
            each_bomb(state.hands[seat], state.top(), state.rules, search);
        } else {
            each_group(state.hands[seat], state.top(), state.rules, search);
        }
        return play_of(nth_play(state.hands[seat], search.found, search.index));
    }
    n -= legal.plays;
    if (n < legal.behind) return action_of(legal.phase == Phase::BOMB ? Act::DECLINE_BOMB : Act::PASS);
    return action_of(Act::CALL_TICHU);
}

template <typename Take>
struct TakePlays {
    Wanted wanted;
    Cards hand;
    Take& take;

    TICHU_HD bool operator()(const Group& group) {
        for (std::uint32_t n = 0; wanted(group) && n < group.count; ++n) take(play_of(nth_play(hand, group, n)));
        return false;
    }
};

// Every legal action in order, each told to `take`; one by one nth_action would look for its group again and again.
template <typename Take>
TICHU_HD inline void each_action(const State& state, int seat, const Legal& legal, Take& take) {
    for (std::uint32_t n = 0; n < legal.before; ++n) take(nth_before(state, seat, legal, n));
    const Cards hand = state.hands[seat];
    if (legal.phase == Phase::EXCHANGE) {
        for (std::uint32_t n = 0; n < legal.plays; ++n) take(nth_exchange(hand, n));
    } else if (legal.plays) {
        TakePlays<Take> plays{legal.wanted, hand, take};
        if (legal.only_bombs) {
            each_bomb(hand, state.top(), state.rules, plays);
        } else {
            each_group(hand, state.top(), state.rules, plays);
        }
    }
    for (std::uint32_t n = legal.before + legal.plays; n < legal.count(); ++n) {
        take(nth_action(state, seat, legal, n));
    }
}

}  // namespace tichu
