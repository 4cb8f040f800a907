// Games as tables, as tichu/data/rows.py makes them: rounds as text are played, and their rows become columns.
//
// The rows and their order are those of tichu/data/columns.py.  A game is taken whole or not at all: whatever is not
// plain and right is left to the Python core, which says what is wrong.
#pragma once

#include <array>

#include "columns.hpp"
#include "notation.hpp"
#include "tichu/automation.hpp"
#include "tichu/deal.hpp"
#include "tichu/refusal.hpp"
#include "tichu/scoring.hpp"

namespace tichu::replays {

using notation::Move;
using OptionalText = std::optional<std::string_view>;

inline constexpr OptionalText CALL_NAMES[] = {std::nullopt, "tichu", "grand"};

// A round as it is written.
struct RoundText {
    std::string_view deal, actions;
    int score[2];
};

// §10: whether the table may decide this for the seat; a recorded call and a recorded gift are believed.
inline bool table_may(const State& state, int seat, const Action& action) {
    if (action.act == Act::CALL_TICHU) {
        return state.rules.calls_are_automatic() && state.phase == Phase::PLAY && !state.played() &&
               table_may_call(state, seat);
    }
    return action.act == Act::TAKE && state.rules.dragon_is_automatic() && state.phase == Phase::TAKE &&
           state.is_pending(seat) && state.is_dragon_trick() && action.argument != NONE &&
           ((action.argument ^ seat) & 1);
}

// A round that was played to its end.
class Replay {
public:
    Cards eights[4], sixes[4];
    std::vector<Move> moves;
    // Before each move, and at the end.
    std::vector<State> states;
    Score score;

    // Whether it can be read, every action is legal and the score follows.
    bool play(const RoundText& text, Rules rules) {
        if (!notation::read_deal(text.deal, eights, sixes)) return false;
        State state;
        start_round(state, eights, sixes, rules, 0);
        std::string_view rest = text.actions;
        while (true) {
            const std::size_t start = rest.find_first_not_of(" \n\r\t");
            if (start == std::string_view::npos) break;
            const std::size_t end = rest.find_first_of(" \n\r\t", start);
            const std::optional<Move> move = notation::read_move(rest.substr(start, end - start));
            rest = end == std::string_view::npos ? std::string_view() : rest.substr(end);
            if (!move || state.is_over()) return false;
            states.push_back(state);
            moves.push_back(*move);
            const bool is_allowed = table_may(state, move->seat, move->action) ||
                                    refusal_now(state, move->seat, move->action) == Reason::LEGAL;
            if (!is_allowed) return false;
            apply(state, move->seat, move->action);
        }
        if (!state.is_over()) return false;
        states.push_back(state);
        score = score_of(state);
        return score.teams[0] == text.score[0] && score.teams[1] == text.score[1];
    }

    const State& end() const { return states.back(); }

    // What the calls won and lost, by team.
    int bonus(int team) const {
        int won = 0;
        for (int seat = team; seat < 4; seat += 2) {
            const int stake = 100 * static_cast<int>(end().call(seat));
            won += seat == end().out[0] ? stake : -stake;
        }
        return won;
    }

    int place(int seat) const {
        for (int at = 0; at < end().out_count; ++at) {
            if (end().out[at] == seat) return at + 1;
        }
        return end().is_double_victory() ? 3 : 4;
    }

    std::optional<bool> made(int seat) const {
        if (end().call(seat) == Call::NO_CALL) return std::nullopt;
        return seat == end().out[0];
    }

    int difference(int seat) const {
        const int first = score.teams[0] - score.teams[1];
        return seat & 1 ? -first : first;
    }
};

// What a match asks of a round: card points and bonus of each team, and who went out, three of them or two.
using Outcome = std::array<int, 8>;

class Replays {
public:
    // The outcomes of the rounds of a game whose rows are added; nothing, and no row, if one of them is not plain.
    std::optional<std::vector<Outcome>> add(int game, Rules rules, const std::vector<std::string>& names,
                                            const std::vector<RoundText>& texts) {
        std::vector<Replay> rounds(texts.size());
        for (std::size_t at = 0; at < texts.size(); ++at) {
            if (!rounds[at].play(texts[at], rules)) return std::nullopt;
        }
        std::vector<Outcome> outcomes;
        int before[2] = {0, 0};
        for (std::size_t at = 0; at < rounds.size(); ++at) {
            const Replay& one = rounds[at];
            const int number = static_cast<int>(at);
            add_round(game, number, one, before);
            for (int seat = 0; seat < 4; ++seat) add_seat(game, number, seat, one, names[static_cast<size_t>(seat)]);
            add_decisions(game, number, one, before);
            const State& end = one.end();
            outcomes.push_back({one.score.teams[0] - one.bonus(0), one.score.teams[1] - one.bonus(1), one.bonus(0),
                                one.bonus(1), end.out[0], end.out[1], end.out_count > 2 ? end.out[2] : -1,
                                end.out_count});
            for (int team = 0; team < 2; ++team) before[team] += one.score.teams[team];
        }
        return outcomes;
    }

    Table rounds, seats, decisions;

private:
    void add_round(int game, int number, const Replay& one, const int before[2]) {
        int plays = 0, passes = 0, bombs = 0, tricks = 0;
        for (std::size_t at = 0; at < one.moves.size(); ++at) {
            const Action& action = one.moves[at].action;
            passes += action.act == Act::PASS;
            if (action.act != Act::PLAY) continue;
            ++plays;
            bombs += action.combo.is_bomb();
            tricks += !one.states[at].has_top();
        }
        const int first = one.score.teams[0], second = one.score.teams[1];
        rounds.add(game, number, before[0], before[1], first, second, first - one.bonus(0), second - one.bonus(1),
                   static_cast<int>(one.end().out[0]), one.end().is_double_victory(), plays, passes, bombs, tricks);
    }

    void add_seat(int game, int number, int seat, const Replay& one, const std::string& name) {
        const State& end = one.end();
        std::size_t after_exchange = 0;
        while (one.states[after_exchange].phase <= Phase::EXCHANGE) ++after_exchange;
        std::string cards[6];
        OptionalText given[6];
        for (int on = 1; on <= 3; ++on) {
            // LEFT, PARTNER and RIGHT sit 1, 2 and 3 seats on; LEFT gave to its RIGHT, and so on.
            const int both[2] = {end.given[seat][on - 1], end.given[(seat + on) & 3][3 - on]};
            for (int way = 0; way < 2; ++way) {
                const auto at = static_cast<std::size_t>(3 * way + on - 1);
                if (both[way] != NONE) given[at] = cards[at] = notation::card_text(both[way]);
            }
        }
        int bombs = 0;
        std::string wished;
        for (const Move& move : one.moves) {
            if (move.seat != seat) continue;
            bombs += move.action.act == Act::PLAY && move.action.combo.is_bomb();
            if (move.action.act == Act::WISH && wished.empty()) wished = notation::action_text(move.action).substr(1);
        }
        const OptionalText wish = wished.empty() ? OptionalText() : OptionalText(wished);
        const std::string eight = notation::cards_text(one.eights[seat]);
        const std::string dealt = notation::cards_text(one.eights[seat] | one.sixes[seat]);
        const std::string hand = notation::cards_text(one.states[after_exchange].hands[seat]);
        seats.add(game, number, seat, std::string_view(name), std::string_view(eight), std::string_view(dealt),
                  std::string_view(hand), given[0], given[1], given[2], given[3], given[4], given[5],
                  CALL_NAMES[static_cast<int>(end.call(seat))], one.made(seat), one.place(seat),
                  static_cast<int>(end.points[seat]), one.difference(seat), bombs, wish);
    }

    void add_decisions(int game, int number, const Replay& one, const int before[2]) {
        for (std::size_t at = 0; at < one.moves.size(); ++at) {
            const State& state = one.states[at];
            const auto& [seat, action] = one.moves[at];
            if (action.act == Act::TAKE && action.argument == NONE) continue;  // Nobody can do anything else.
            if (table_may(state, seat, action) || is_automatic(state, seat, action)) continue;  // §10
            add_decision(game, number, static_cast<int>(at), one, before);
        }
    }

    static bool is_automatic(const State& state, int seat, const Action& action) {
        const Decision decision = automatic(state);
        return decision.seat == seat && pack(decision.action) == pack(action);
    }

    void add_decision(int game, int number, int at, const Replay& one, const int before[2]) {
        const State& state = one.states[static_cast<std::size_t>(at)];
        const auto& [seat, action] = one.moves[static_cast<std::size_t>(at)];
        int cards[4];
        OptionalText calls[4];
        for (int on = 0; on < 4; ++on) {
            const int who = (seat + on) & 3;
            cards[on] = count_bits(state.hands[who]);
            // A Grand decision of somebody else that this seat cannot know yet is told as none.
            const bool is_hidden = state.phase == Phase::GRAND && on;
            if (!is_hidden) calls[on] = CALL_NAMES[static_cast<int>(state.call(who))];
        }
        const std::string hand = notation::cards_text(state.hands[seat]);
        const std::string done = notation::action_text(action);
        std::string top, wish;
        if (state.has_top()) top = notation::combo_text(state.top());
        if (state.wish) wish = notation::rank_text(state.wish);
        decisions.add(game, number, at, seat, kind_of(state, seat, action), std::string_view(hand),
                      std::string_view(done), static_cast<int>(legal_of(state, seat).count()),
                      state.has_top() ? OptionalText(top) : OptionalText(),
                      state.has_top() ? std::optional<int>(state.owner) : std::optional<int>(),
                      state.wish ? OptionalText(wish) : OptionalText(), cards[0], cards[1], cards[2], cards[3],
                      calls[0], calls[1], calls[2], calls[3], before[seat & 1], before[1 - (seat & 1)], one.place(seat),
                      one.made(seat), one.difference(seat));
    }

    static std::string_view kind_of(const State& state, int seat, const Action& action) {
        switch (action.act) {
            case Act::CALL_GRAND:
            case Act::DECLINE_GRAND: return "grand";
            case Act::EXCHANGE: return "exchange";
            case Act::CALL_TICHU: return "tichu";
            case Act::WISH: return "wish";
            case Act::TAKE: return "gift";
            case Act::DECLINE_BOMB: return "bomb";
            default: break;
        }
        if (!state.is_pending(seat) || state.actor != NONE) return "bomb";
        return state.has_top() ? "follow" : "lead";
    }
};

}  // namespace tichu::replays
