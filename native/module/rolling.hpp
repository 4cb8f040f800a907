// The Python side of rollouts.hpp.
#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/pair.h>

#include <cstring>

#include "rollouts.hpp"
#include "tichu/check.hpp"
#include "tichu/refusal.hpp"

namespace tichu::rolling {

namespace nb = nanobind;
using namespace nb::literals;

using Points = nb::ndarray<nb::numpy, float, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
using Outcomes = nb::ndarray<nb::numpy, std::int16_t, nb::ndim<2>, nb::c_contig, nb::device::cpu>;

// The word 0 is no action: the round goes on as it stands.
inline void add(Rollouts& rollouts, nb::bytes packed, nb::bytes seen, int seat, PackedAction word,
                std::pair<int, int> score) {
    if (packed.size() != sizeof(State) || seen.size() != sizeof(Memory)) throw nb::value_error("bytes of another size");
    State state;
    Memory memory;
    std::memcpy(&state, packed.data(), sizeof state);
    std::memcpy(&memory, seen.data(), sizeof memory);
    if (Fault fault = fault_of(state)) throw nb::value_error(fault);
    if (state.rules.bombs() == Bombs::ANYTIME) throw nb::value_error("bombs are asked for in order");
    const Action action = unpack(word);
    if (word && (seat < 0 || seat > 3 || refusal(state, seat, action) != Reason::LEGAL)) {
        throw nb::value_error("the action is not legal");
    }
    const int scores[2] = {score.first, score.second};
    rollouts.add(state, memory, seat, action, scores);
}

inline void bind(nb::module_& m) {
    m.attr("MEMORY_BYTES") = sizeof(Memory);
    nb::class_<Rollouts>(m, "Rollouts")
        .def(nb::init<const Network&>(), "network"_a, nb::keep_alive<1, 2>())
        .def("__len__", &Rollouts::size)
        .def_prop_ro("active", &Rollouts::active)
        .def_prop_ro("decisions", &Rollouts::decisions)
        .def("add", &add, "state"_a, "memory"_a, "seat"_a, "action"_a, "score"_a)
        .def("play", &Rollouts::play, "decisions"_a = -1, nb::call_guard<nb::gil_scoped_release>())
        .def(
            "write_points",
            [](const Rollouts& self, const Critic& critic, const Points& into) {
                if (into.shape(0) != self.size()) throw nb::value_error("a number a round");
                float* points = into.data();
                nb::gil_scoped_release unlocked;
                self.write_points(critic, points);
            },
            "critic"_a, "into"_a)
        .def(
            "write_outcomes",
            [](const Rollouts& self, const Outcomes& into) {
                if (into.shape(0) != self.size() || into.shape(1) != Rollouts::OUTCOME_SIZE) {
                    throw nb::value_error("a row a round");
                }
                self.write_outcomes(into.data());
            },
            "into"_a);
}

}  // namespace tichu::rolling
