// The value of a position with open hands: alpha-beta in null windows with a transposition table.  Host only.
//
// Values are differences of the round's scores, team 0+2 less team 1+3; everybody plays for their team and sees all
// cards.  A search asks "is it worth at least this much?"; the answers narrow the bounds of each first action until
// they meet, so that a search which is stopped still knows something about all of them.
//
// Where no hand holds a straight flush, suits mean nothing: states that differ in suits alone are one to the table, and
// of plays that differ in suits one is tried.
#pragma once

#include <algorithm>
#include <vector>

#include "playout.hpp"

namespace tichu {

struct Bounds {
    int low, high;
};

class Solver {
public:
    struct Line {
        Action action;
        Bounds bounds;
    };

    // `start` is in play, with a decision to take, and the table has nothing to decide.
    explicit Solver(const State& start) : start_(start), slots_(FEWEST) {
        start_.rules = start_.rules.in_sequence();
        for (auto& gifts : start_.given) std::fill(std::begin(gifts), std::end(gifts), NONE);
        const int seat = start_.first_pending();
        auto add = [&](const Action& action) {
            lines.push_back(Line{action, static_bounds(after(start_, seat, action))});
        };
        each_action(start_, seat, legal_of(start_, seat), add);
    }

    // Goes on until all is known or so many more states were looked at; `stops` is asked now and then.
    template <typename Stops>
    bool run(std::uint64_t budget, const Stops& stops) {
        limit_ = nodes + budget;
        stopped_ = false;
        int guess = 0;
        for (Line& line : lines) {
            const State next = after(start_, start_.first_pending(), line.action);
            Bounds& bounds = line.bounds;
            bool first = true;
            while (bounds.low < bounds.high) {
                // The value of the action before is a good guess, then just above it, then halves.
                int least = bounds.low + ((bounds.high - bounds.low) / STEP + 1) / 2 * STEP;
                if (first && guess > bounds.low && guess <= bounds.high) least = guess;
                const int value = worth(next, least, stops);
                if (stopped_) return false;
                (value >= least ? bounds.low : bounds.high) = value;
                first = false;
            }
            guess = bounds.low;
        }
        return true;
    }

    std::vector<Line> lines;  // the first actions, in the order of the rules core
    std::uint64_t nodes = 0;

private:
    // Card points come in fives and both teams share a hundred of them; calls and double victories count hundreds.
    static constexpr int STEP = 10;
    static constexpr std::size_t FEWEST = std::size_t{1} << 14, MOST = std::size_t{1} << 22;
    static constexpr std::uint64_t BETWEEN_QUESTIONS = 1 << 15;

    struct Key {
        std::uint64_t one, two;
        bool operator==(const Key& other) const { return one == other.one && two == other.two; }
    };
    struct Slot {
        Key key{0, 0};
        std::int16_t low = 0, high = 0;
        std::uint16_t best = 0;  // the place of the action that proved the last bound
    };

    static State after(State state, int seat, const Action& action) {
        apply(state, seat, action);
        apply_automatic(state);
        return state;
    }

    static int difference(const State& state) {
        const Score score = score_of(state);
        return score.teams[0] - score.teams[1];
    }

    // What can still come of a state, from what is public and the points that are left.
    static Bounds static_bounds(const State& state) {
        if (state.is_over()) return Bounds{difference(state), difference(state)};
        const Cards held = state.hands[0] | state.hands[1] | state.hands[2] | state.hands[3];
        // Twice the points that move from one team to the other, at most.
        int open = 0, settled = 0, won = 0;
        for (int seat = 0; seat < 4; ++seat) {
            const int points = state.points[seat];
            won += points;
            if (state.hands[seat]) {
                open += points < 0 ? -points : points;  // §8.4: may go to whoever was first
            } else {
                settled += seat & 1 ? -points : points;
            }
        }
        const int phoenix = held & PHOENIX_BIT ? 25 : 0;
        const int table = points_of(ALL_CARDS & ~held) - won;
        open += points_of(held) + 2 * phoenix + (table < 0 ? -table : table);
        Bounds bounds{settled - open, settled + open};
        if (state.out_count == 0 || (state.out_count == 1 && !(state.out[0] & 1)))
            bounds.high = std::max(bounds.high, 200);
        if (state.out_count == 0 || (state.out_count == 1 && state.out[0] & 1)) bounds.low = std::min(bounds.low, -200);
        const Bounds calls = call_bounds(state);
        return Bounds{bounds.low + calls.low, bounds.high + calls.high};
    }

    // §8.5: what the calls bring, whoever is first.
    static Bounds call_bounds(const State& state) {
        Bounds bounds{1000, -1000};
        for (int first = 0; first < 4; ++first) {
            if (state.out_count ? state.out[0] != first : !state.hands[first]) continue;
            int low = 0, high = 0;
            for (int seat = 0; seat < 4; ++seat) {
                const int sign = (seat & 1) == (seat == first) ? -1 : 1;
                const int stake = 100 * static_cast<int>(state.call(seat)) * sign;
                low += stake;
                high += stake;
                const bool may_still = count_bits(state.hands[seat]) == 14 && state.call(seat) == Call::NO_CALL;
                if (may_still && !state.rules.calls_are_automatic()) (sign < 0 ? low : high) += 100 * sign;
            }
            bounds = Bounds{std::min(bounds.low, low), std::max(bounds.high, high)};
        }
        return bounds;
    }

    static bool holds_flush(const State& state) {
        for (const Cards hand : state.hands) {
            const Cards suited = hand & SUITED;
            if (suited & suited >> 4 & suited >> 8 & suited >> 12 & suited >> 16) return true;
        }
        return false;
    }

    // Equal for states that differ in nothing but suits that mean nothing.
    static Key key_of(const State& state, bool suits_count) {
        Key key{GOLDEN, ~GOLDEN};
        const auto add = [&key](std::uint64_t word) {
            key.one = mixed(key.one ^ word);
            key.two = mixed((key.two + word) * 0xD6E8FEB86659FD93);
        };
        for (const Cards hand : state.hands) add(suits_count ? hand : counts_of(hand & SUITED) | (hand & 15));
        // Of the table the Dragon and the Phoenix are looked at, and the suits of a bomb.
        const bool is_special = state.top_cards == DRAGON_BIT || state.top_cards == PHOENIX_BIT;
        add(suits_count || is_special ? state.top_cards : 0);
        add(suits_count);
        std::uint64_t words[3] = {};
        std::memcpy(words, reinterpret_cast<const char*>(&state) + offsetof(State, top_kind), 8);
        std::memcpy(words + 1, reinterpret_cast<const char*>(&state) + offsetof(State, phase), 10);
        for (const std::uint64_t word : words) add(word);
        return key;
    }

    template <typename Stops>
    int worth(const State& state, int least, const Stops& stops) {
        if (++nodes >= limit_ || (nodes % BETWEEN_QUESTIONS == 0 && stops())) stopped_ = true;
        if (stopped_) return 0;
        const Bounds possible = static_bounds(state);
        if (possible.low >= least) return possible.low;
        if (possible.high < least) return possible.high;
        const bool suits_count = holds_flush(state);
        const Key key = key_of(state, suits_count);
        const std::size_t place = find(key);
        int first = -1;
        if (slots_[place].key == key) {
            const Slot& slot = slots_[place];
            if (slot.low >= least) return slot.low;
            if (slot.high < least) return slot.high;
            first = slot.best;
        }
        const int seat = state.first_pending();
        const bool is_ours = !(seat & 1);
        const std::vector<Action> actions = choices(state, seat, suits_count);
        int best = is_ours ? possible.low : possible.high;
        int chosen = 0;
        for (int n = first >= 0 ? -1 : 0; n < static_cast<int>(actions.size()); ++n) {
            const int at = n < 0 ? first : n;
            if (n == first || at >= static_cast<int>(actions.size())) continue;
            const int value = worth(after(state, seat, actions[static_cast<std::size_t>(at)]), least, stops);
            if (stopped_) return 0;
            if (is_ours ? value > best : value < best) {
                best = value;
                chosen = at;
            }
            if ((best >= least) == is_ours) break;
        }
        keep(key, possible, best, best >= least, chosen);
        return best;
    }

    // What the seat may do; of plays that differ in suits alone one, unless suits count.
    static std::vector<Action> choices(const State& state, int seat, bool suits_count) {
        std::vector<Action> actions;
        auto add = [&](const Action& action) {
            if (!suits_count && action.act == Act::PLAY) {
                for (const Action& other : actions) {
                    if (other.act == Act::PLAY && alike(other.combo, action.combo)) return;
                }
            }
            actions.push_back(action);
        };
        each_action(state, seat, legal_of(state, seat), add);
        // Many cards first; of as many the lowest.  A pass comes first where the partner holds the trick.
        const bool yields = state.has_top() && state.owner == partner_of(seat);
        const auto rating = [yields](const Action& action) {
            if (action.act != Act::PLAY) return yields ? 1000 : 0;
            return action.combo.kind >= Kind::FOUR ? 1 : 20 * action.combo.size - action.combo.rank;
        };
        std::stable_sort(actions.begin(), actions.end(),
                         [&](const Action& one, const Action& two) { return rating(one) > rating(two); });
        return actions;
    }

    static bool alike(const Combo& one, const Combo& two) {
        return one.kind == two.kind && one.rank == two.rank && one.size == two.size && one.phoenix == two.phoenix &&
               counts_of(one.cards) == counts_of(two.cards) && (one.cards & 15) == (two.cards & 15);
    }

    // The slot of a state, or one that is free or may be given to it.
    std::size_t find(const Key& key) const {
        const std::size_t mask = slots_.size() - 1;
        std::size_t place = key.one & mask;
        for (int tries = 0; tries < 8; ++tries, place = (place + 1) & mask) {
            if (slots_[place].key == key || slots_[place].key == Key{0, 0}) return place;
        }
        return (key.one + (key.two & 7)) & mask;
    }

    void keep(const Key& key, const Bounds& possible, int value, bool is_low, int chosen) {
        if (2 * used_ > slots_.size() && slots_.size() < MOST) grow();
        Slot& slot = slots_[find(key)];
        if (!(slot.key == key)) {
            used_ += slot.key == Key{0, 0};
            slot.key = key;
            slot.low = static_cast<std::int16_t>(possible.low);
            slot.high = static_cast<std::int16_t>(possible.high);
        }
        (is_low ? slot.low : slot.high) = static_cast<std::int16_t>(value);
        slot.best = static_cast<std::uint16_t>(chosen);
    }

    void grow() {
        std::vector<Slot> before(2 * slots_.size());
        before.swap(slots_);
        for (const Slot& slot : before) {
            if (!(slot.key == Key{0, 0})) slots_[find(slot.key)] = slot;
        }
    }

    State start_;
    std::vector<Slot> slots_;
    std::size_t used_ = 0;
    std::uint64_t limit_ = 0;
    bool stopped_ = false;
};

}  // namespace tichu
