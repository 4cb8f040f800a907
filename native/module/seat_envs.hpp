// The Python side of seats.hpp.
#pragma once

#include <nanobind/stl/pair.h>

#include "envs.hpp"
#include "inference.hpp"
#include "seats.hpp"

namespace tichu::envs {

inline void make_seats(Seats* self, std::size_t games, std::uint32_t bits, std::uint32_t goal, int reward,
                       bool takes_forced, std::uint32_t max_rounds, bool deals_anew, int seat,
                       const std::vector<int>& bots, float illegal, std::size_t threads, bool packs,
                       const nb::object& networks) {
    const Rules rules{static_cast<std::uint16_t>(bits)};
    if (bits > 0xFFFF || !rules.exist()) throw nb::value_error("no such rules");
    if (games == 0 || games > std::size_t{1} << 24) throw nb::value_error("1 to 16,777,216 games");
    if (threads == 0 || threads > 256) throw nb::value_error("1 to 256 threads");
    if (reward < 0 || reward > 2) throw nb::value_error("no such reward");
    if (seat < 0 || seat > 3) throw nb::value_error("there are the seats 0 to 3");
    if (bots.size() != 4) throw nb::value_error("one bot a seat");
    SeatSettings settings{rules, goal,   static_cast<Reward>(reward), takes_forced, max_rounds, deals_anew, seat,
                          {},    illegal};
    for (int each = 0; each < 4; ++each) {
        const int bot = bots[static_cast<std::size_t>(each)];
        if (bot < 0 || bot >= BOTS) throw nb::value_error("no such bot");
        settings.bots[each] = static_cast<Bot>(bot);
        if (settings.bots[each] != Bot::NETWORK || each == seat) continue;
        if (networks.is_none()) throw nb::value_error("a bot lacks its network");
        settings.networks[each] =
            nb::cast<const Network*>(nb::cast<nb::tuple>(networks)[static_cast<std::size_t>(each)]);
    }
    new (self) Seats(games, settings, threads, packs);
}

// The arguments, then the games one after another.
inline nb::tuple stored_seats(const Seats& seats) {
    const SeatSettings& of = seats.settings();
    std::vector<int> bots;
    for (const Bot bot : of.bots) bots.push_back(static_cast<int>(bot));
    std::string bytes;
    for (std::size_t game = 0; game < seats.size(); ++game) {
        bytes.append(reinterpret_cast<const char*>(&seats.game(game)), sizeof(SeatGame));
    }
    return nb::make_tuple(seats.size(), of.rules.bits, of.goal, static_cast<int>(of.reward), of.takes_forced,
                          of.max_rounds, of.deals_anew, of.seat, bots, of.illegal, seats.threads(), seats.packs(),
                          nb::bytes(bytes.data(), bytes.size()));
}

inline void restore_seats(Seats* self, const nb::tuple& stored) {
    if (stored.size() != 13 && stored.size() != 14) throw nb::value_error("not a stored environment");
    const auto games = nb::cast<std::size_t>(stored[0]);
    const auto bytes = nb::cast<nb::bytes>(stored[12]);
    // Before anything is made: what cannot be read must not leave half an object.
    if (games == 0 || bytes.size() / sizeof(SeatGame) != games || bytes.size() % sizeof(SeatGame)) {
        throw nb::value_error("not a stored environment");
    }
    const auto seat = nb::cast<int>(stored[7]);
    std::vector<SeatGame> from(games);
    std::memcpy(from.data(), bytes.data(), bytes.size());
    for (const SeatGame& game : from) {
        if (Fault fault = fault_of(game.state)) throw nb::value_error(fault);
        if (!Seats::can_restore(game, seat & 3)) throw nb::value_error("not a stored environment");
    }
    make_seats(self, games, nb::cast<std::uint32_t>(stored[1]), nb::cast<std::uint32_t>(stored[2]),
               nb::cast<int>(stored[3]), nb::cast<bool>(stored[4]), nb::cast<std::uint32_t>(stored[5]),
               nb::cast<bool>(stored[6]), seat, nb::cast<std::vector<int>>(stored[8]), nb::cast<float>(stored[9]),
               nb::cast<std::size_t>(stored[10]), nb::cast<bool>(stored[11]),
               stored.size() > 13 ? nb::object(stored[13]) : nb::none());
    for (std::size_t game = 0; game < games; ++game) self->restore(game, from[game]);
}

inline nb::bytes secrets_of_seats(const Seats& seats) {
    std::string bytes;
    for (std::size_t number = 0; number < seats.size(); ++number) {
        const SeatGame& game = seats.game(number);
        append_secrets(bytes, game.state, game.picks, game.totals);
    }
    return nb::bytes(bytes.data(), bytes.size());
}

inline void check_actions(const Seats& seats, const Numbers& numbers) {
    if (numbers.shape(0) != seats.size()) throw nb::value_error("one action a game");
}

inline void bind_seats(nb::module_& m) {
    nb::class_<Seats>(m, "Seats")
        .def("__init__", &make_seats, "games"_a, "rules"_a, "goal"_a, "reward"_a, "takes_forced"_a, "max_rounds"_a,
             "deals_anew"_a, "seat"_a, "bots"_a, "illegal"_a, "threads"_a = 1, "packs"_a = false,
             "networks"_a = nb::none(), nb::keep_alive<1, 14>())
        .def("__getstate__", &stored_seats)
        .def(
            "__setstate__", [](Seats& self, const nb::tuple& stored) { restore_seats(&self, stored); },
            nb::keep_alive<1, 2>())
        .def("__len__", &Seats::size)
        .def_prop_ro("observations", &rows_of<&Seats::observations, Seats>)
        .def_prop_ro("final_observations", &rows_of<&Seats::final_observations, Seats>)
        .def_prop_ro("masks", &rows_of<&Seats::masks, Seats>)
        .def_prop_ro("packed_masks", &rows_of<&Seats::packed_masks, Seats>)
        .def_prop_ro("scores", &rows_of<&Seats::scores, Seats>)
        .def_prop_ro("rewards", &row_of<&Seats::rewards, Seats>)
        .def_prop_ro("terminated", &row_of<&Seats::terminated, Seats>)
        .def_prop_ro("truncated", &row_of<&Seats::truncated, Seats>)
        .def_prop_ro("illegal", &row_of<&Seats::illegal, Seats>)
        .def_prop_ro("rounds", &row_of<&Seats::rounds, Seats>)
        .def(
            "state",
            [](const Seats& self, std::size_t game) {
                check_game(self, game);
                return nb::bytes(reinterpret_cast<const char*>(&self.game(game).state), sizeof(State));
            },
            "game"_a)
        .def(
            "totals",
            [](const Seats& self, std::size_t game) {
                check_game(self, game);
                return std::pair<int, int>(self.game(game).totals[0], self.game(game).totals[1]);
            },
            "game"_a)
        .def("secrets", &secrets_of_seats)
        .def(
            "seed",
            [](Seats& self, std::size_t game, std::uint64_t seed) {
                check_game(self, game);
                self.seed(game, seed);
            },
            "game"_a, "seed"_a)
        .def(
            "begin",
            [](Seats& self, std::size_t game) {
                check_game(self, game);
                self.begin(game);
            },
            "game"_a)
        .def("begin_all",
             [](Seats& self) {
                 nb::gil_scoped_release unlocked;
                 self.begin_all();
             })
        .def(
            "begin_at",
            [](Seats& self, std::size_t game, nb::bytes packed) {
                check_game(self, game);
                self.begin_at(game, state_from(packed));
            },
            "game"_a, "state"_a)
        .def(
            "first_illegal",
            [](const Seats& self, const Numbers& numbers) {
                check_actions(self, numbers);
                return self.first_illegal(numbers.data());
            },
            "actions"_a)
        .def(
            "step",
            [](Seats& self, const Numbers& numbers) {
                check_actions(self, numbers);
                nb::gil_scoped_release unlocked;
                self.step(numbers.data());
            },
            "actions"_a)
        .def(
            "step_one",
            [](Seats& self, std::size_t game, std::int64_t number) {
                check_game(self, game);
                self.step_one(game, number);
                return self.terminated[game] || self.truncated[game];
            },
            "game"_a, "action"_a)
        .def(
            "sample",
            [](Seats& self, Into<std::int64_t> into) {
                if (into.shape(0) != self.size()) throw nb::value_error("one action a game");
                nb::gil_scoped_release unlocked;
                self.sample(into.data());
            },
            "into"_a);
}

}  // namespace tichu::envs
