// The Python side of tichu/encoding.hpp and tables.hpp.
#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/vector.h>

#include <string>

#include "tables.hpp"
#include "tichu/check.hpp"

namespace tichu::envs {

namespace nb = nanobind;
using namespace nb::literals;

template <typename T>
using Rows = nb::ndarray<nb::numpy, T, nb::ndim<2>>;
template <typename T>
using Row = nb::ndarray<nb::numpy, T, nb::ndim<1>>;
template <typename T>
using Into = nb::ndarray<nb::numpy, T, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
using Numbers = nb::ndarray<nb::numpy, const std::int64_t, nb::ndim<1>, nb::c_contig, nb::device::cpu>;

inline Tables& tables_of(nb::handle self) { return nb::cast<Tables&>(self); }

template <auto Member, typename Games = Tables>
auto row_of(nb::handle self) {
    auto& values = nb::cast<Games&>(self).*Member;
    using T = typename std::remove_reference_t<decltype(values)>::value_type;
    return Row<T>(values.data(), {values.size()}, self);
}

template <auto Member, typename Games = Tables>
auto rows_of(nb::handle self) {
    Games& games = nb::cast<Games&>(self);
    auto& values = games.*Member;
    using T = typename std::remove_reference_t<decltype(values)>::value_type;
    return Rows<T>(values.data(), {games.size(), values.size() / games.size()}, self);
}

template <typename Games>
void check_game(const Games& games, std::size_t game) {
    if (game >= games.size()) throw nb::index_error("no such game");
}

inline void check_step(const Tables& tables, const Numbers& numbers) {
    if (numbers.shape(0) != tables.size()) throw nb::value_error("one action a game");
    const std::size_t wrong = tables.first_wrong(numbers.data());
    if (wrong == tables.size()) return;
    const std::string text =
        "game " + std::to_string(wrong) + " has no action " + std::to_string(numbers.data()[wrong]) + " now";
    throw nb::value_error(text.c_str());
}

inline void spread_mask(const Mask& mask, std::int8_t* into) {
    for (int first = 0; first < ACTION_COUNT; first += 8) {
        const std::uint64_t bytes = spread(mask.words[first / 64] >> first % 64);
        const int wanted = ACTION_COUNT - first;
        std::memcpy(into + first, &bytes, wanted < 8 ? static_cast<std::size_t>(wanted) : 8);
    }
}

// What a seat sees and, if it is to decide, what it may do, one byte an action.
inline void observe(const Tables& tables, std::size_t game, int seat, Into<std::uint8_t> observation,
                    Into<std::int8_t> mask) {
    check_game(tables, game);
    if (seat < 0 || seat > 3) throw nb::value_error("there are the seats 0 to 3");
    if (observation.shape(0) != OBSERVATION_SIZE || mask.shape(0) != ACTION_COUNT) {
        throw nb::value_error("arrays of another size");
    }
    tables.observe(game, seat, observation.data());
    if (seat == tables.states[game].first_pending()) {
        spread_mask(tables.legal(game), mask.data());
    } else {
        std::memset(mask.data(), 0, ACTION_COUNT);
    }
}

inline State state_from(nb::bytes packed) {
    if (packed.size() != sizeof(State)) throw nb::value_error("a state has 112 bytes");
    State state;
    std::memcpy(&state, packed.data(), sizeof state);
    if (Fault fault = fault_of(state)) throw nb::value_error(fault);
    return state;
}

inline Picks picks_from(const State& state, int seat, const std::vector<int>& cards) {
    if (seat < 0 || seat > 3 || cards.size() > 2) throw nb::value_error("no such seat, or too many picks");
    Picks picks = no_picks();
    for (const int card : cards) {
        if (card < 0 || card > 55 || !(state.hands[seat] & bit(card))) throw nb::value_error("not in the hand");
        picks.cards[picks.count++] = static_cast<Card>(card);
    }
    return picks;
}

inline void bind_encoding(nb::module_& m) {
    m.attr("ENCODING_VERSION") = ENCODING_VERSION;
    m.attr("ACTION_COUNT") = static_cast<int>(ACTION_COUNT);
    m.attr("OBSERVATION_SIZE") = static_cast<int>(OBSERVATION_SIZE);
    m.def(
        "encode_state",
        [](nb::bytes packed, int seat, const std::vector<int>& cards, std::pair<int, int> score,
           Into<std::uint8_t> observation, Into<std::int8_t> mask) {
            const State state = state_from(packed);
            const Picks picks = picks_from(state, seat, cards);
            if (observation.shape(0) != OBSERVATION_SIZE || mask.shape(0) != ACTION_COUNT) {
                throw nb::value_error("arrays of another size");
            }
            const int scores[2] = {score.first, score.second};
            Mask marked;
            write_observation(state, seat, picks, scores, observation.data());
            write_mask(state, seat, picks, marked);
            spread_mask(marked, mask.data());
        },
        "state"_a, "seat"_a, "picks"_a, "score"_a, "observation"_a, "mask"_a);
    m.def(
        "decode",
        [](nb::bytes packed, int seat, int number) {
            const State state = state_from(packed);
            Mask marked;
            write_mask(state, seat & 3, no_picks(), marked);
            const bool is_pick = number >= PICKING && number < SINGLES;
            if (number < 0 || number >= ACTION_COUNT || is_pick || !marked.has(number)) {
                throw nb::value_error("no such action now");
            }
            return pack(decode(state, seat & 3, number));
        },
        "state"_a, "seat"_a, "number"_a);
    m.def(
        "decode_pick",
        [](nb::bytes packed, int seat, const std::vector<int>& cards, int number) {
            const State state = state_from(packed);
            const Picks picks = picks_from(state, seat, cards);
            Mask marked;
            write_mask(state, seat, picks, marked);
            if (number < PICKING || number >= SINGLES || !marked.has(number)) throw nb::value_error("no such pick now");
            return static_cast<int>(decode_pick(state, seat, picks, number));
        },
        "state"_a, "seat"_a, "picks"_a, "number"_a);
}

inline void make_tables(Tables* self, std::size_t games, std::uint32_t bits, std::uint32_t goal, std::uint64_t seed,
                        int reward, bool takes_forced, bool deals_anew, std::size_t threads, std::uint64_t first,
                        std::uint32_t max_rounds) {
    const Rules rules{static_cast<std::uint16_t>(bits)};
    if (bits > 0xFFFF || !rules.exist()) throw nb::value_error("no such rules");
    if (games == 0 || games > std::size_t{1} << 24) throw nb::value_error("1 to 16,777,216 games");
    if (threads == 0 || threads > 256) throw nb::value_error("1 to 256 threads");
    if (reward < 0 || reward > 2) throw nb::value_error("no such reward");
    new (self) Tables(games, rules, goal, seed, static_cast<Reward>(reward), takes_forced, deals_anew, threads, first,
                      max_rounds);
}

// What a critic may see of one game: the round, the cards picked, the match so far.
inline void append_secrets(std::string& bytes, const State& state, const Picks& picks, const std::int32_t* totals) {
    static_assert(sizeof(State) == 112 && sizeof(Picks) == 4);
    bytes.append(reinterpret_cast<const char*>(&state), sizeof(State));
    bytes.append(reinterpret_cast<const char*>(&picks), sizeof(Picks));
    bytes.append(reinterpret_cast<const char*>(totals), 2 * sizeof(std::int32_t));
}

inline nb::bytes secrets_of_tables(const Tables& tables) {
    std::string bytes;
    for (std::size_t game = 0; game < tables.size(); ++game) {
        append_secrets(bytes, tables.states[game], tables.picks[game], &tables.totals[2 * game]);
    }
    return nb::bytes(bytes.data(), bytes.size());
}

// The arguments, then the columns one after another.
inline nb::tuple stored_tables(Tables& tables) {
    const Tables::Arguments of = tables.arguments();
    std::string bytes;
    tables.each_column([&](auto& values) {
        bytes.append(reinterpret_cast<const char*>(values.data()), values.size() * sizeof(values[0]));
    });
    return nb::make_tuple(tables.size(), of.rules.bits, of.goal, of.seed, static_cast<int>(of.reward), of.takes_forced,
                          of.deals_anew, of.threads, of.first, of.max_rounds, nb::bytes(bytes.data(), bytes.size()));
}

// Fills the columns and what follows from them; answers what is wrong, if anything.
inline Fault fill_tables(Tables& tables, const nb::bytes& bytes) {
    std::size_t wanted = 0;
    tables.each_column([&](auto& values) { wanted += values.size() * sizeof(values[0]); });
    if (bytes.size() != wanted) return "not a stored environment";
    const char* next = static_cast<const char*>(bytes.data());
    tables.each_column([&](auto& values) {
        std::memcpy(static_cast<void*>(values.data()), next, values.size() * sizeof(values[0]));
        next += values.size() * sizeof(values[0]);
    });
    for (std::size_t game = 0; game < tables.size(); ++game) {
        if (Fault fault = fault_of(tables.states[game])) return fault;
        if (!tables.can_restore(game)) return "not a stored environment";
        tables.restore(game);
    }
    return nullptr;
}

inline void restore_tables(Tables& self, const nb::tuple& stored) {
    if (stored.size() != 11) throw nb::value_error("not a stored environment");
    make_tables(&self, nb::cast<std::size_t>(stored[0]), nb::cast<std::uint32_t>(stored[1]),
                nb::cast<std::uint32_t>(stored[2]), nb::cast<std::uint64_t>(stored[3]), nb::cast<int>(stored[4]),
                nb::cast<bool>(stored[5]), nb::cast<bool>(stored[6]), nb::cast<std::size_t>(stored[7]),
                nb::cast<std::uint64_t>(stored[8]), nb::cast<std::uint32_t>(stored[9]));
    if (Fault fault = fill_tables(self, nb::cast<nb::bytes>(stored[10]))) {
        // Python will not take care of an object whose making failed.
        self.~Tables();
        throw nb::value_error(fault);
    }
}

inline void bind(nb::module_& m) {
    bind_encoding(m);
    nb::class_<Tables>(m, "Tables")
        .def("__init__", &make_tables, "games"_a, "rules"_a, "goal"_a, "seed"_a, "reward"_a, "takes_forced"_a,
             "deals_anew"_a, "threads"_a = 1, "first"_a = 0, "max_rounds"_a = 100)
        .def("__getstate__", &stored_tables)
        .def("__setstate__", &restore_tables)
        .def("__len__", &Tables::size)
        .def_prop_ro("observations", &rows_of<&Tables::observations>)
        .def_prop_ro("final_observations", &rows_of<&Tables::final_observations>)
        .def_prop_ro("masks",
                     [](nb::handle self) {
                         Tables& tables = tables_of(self);
                         return Rows<std::uint8_t>(tables.masks.data(), {tables.size(), sizeof(Mask)}, self);
                     })
        .def_prop_ro("rewards", &rows_of<&Tables::rewards>)
        .def_prop_ro("scores", &rows_of<&Tables::scores>)
        .def_prop_ro("totals", &rows_of<&Tables::totals>)
        .def_prop_ro("seats", &row_of<&Tables::seats>)
        .def_prop_ro("done", &row_of<&Tables::done>)
        .def_prop_ro("truncated", &row_of<&Tables::truncated>)
        .def(
            "seat",
            [](const Tables& self, std::size_t game) {
                check_game(self, game);
                return self.states[game].first_pending();
            },
            "game"_a)
        .def(
            "state",
            [](const Tables& self, std::size_t game) {
                check_game(self, game);
                return nb::bytes(reinterpret_cast<const char*>(&self.states[game]), sizeof(State));
            },
            "game"_a)
        .def(
            "picks",
            [](const Tables& self, std::size_t game) {
                check_game(self, game);
                const Picks& picks = self.picks[game];
                return std::vector<int>(picks.cards, picks.cards + picks.count);
            },
            "game"_a)
        .def("secrets", &secrets_of_tables)
        .def("reset", &Tables::reset, "seed"_a, nb::call_guard<nb::gil_scoped_release>())
        .def(
            "begin",
            [](Tables& self, std::size_t game) {
                check_game(self, game);
                self.begin(game);
            },
            "game"_a)
        .def(
            "step",
            [](Tables& self, const Numbers& numbers) {
                check_step(self, numbers);
                nb::gil_scoped_release unlocked;
                self.step(numbers.data());
            },
            "actions"_a)
        .def(
            "step_one",
            [](Tables& self, std::size_t game, std::int64_t number) {
                check_game(self, game);
                if (!self.may(game, number)) {
                    throw nb::value_error(
                        ("game " + std::to_string(game) + " has no action " + std::to_string(number) + " now").c_str());
                }
                self.step_one(game, static_cast<int>(number));
            },
            "game"_a, "action"_a)
        .def(
            "sample",
            [](Tables& self, Into<std::int64_t> into) {
                if (into.shape(0) != self.size()) throw nb::value_error("one action a game");
                nb::gil_scoped_release unlocked;
                self.sample(into.data());
            },
            "into"_a)
        .def("observe", &observe, "game"_a, "seat"_a, "observation"_a, "mask"_a);
}

}  // namespace tichu::envs
