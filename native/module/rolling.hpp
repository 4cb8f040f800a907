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

using Matrix = nb::ndarray<nb::numpy, const float, nb::ndim<2>, nb::c_contig, nb::device::cpu>;
using Vector = nb::ndarray<nb::numpy, const float, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
using Places = nb::ndarray<nb::numpy, const std::int64_t, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
using Bytes = nb::ndarray<nb::numpy, const std::uint8_t, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
using Hidden = nb::ndarray<nb::numpy, float, nb::ndim<2>, nb::c_contig, nb::device::cpu>;
using Numbers = nb::ndarray<nb::numpy, std::int64_t, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
using Seats = nb::ndarray<nb::numpy, std::int8_t, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
using Rows = nb::ndarray<nb::numpy, std::uint8_t, nb::ndim<2>, nb::c_contig, nb::device::cpu>;
using Outcomes = nb::ndarray<nb::numpy, std::int16_t, nb::ndim<2>, nb::c_contig, nb::device::cpu>;
using Differences = nb::ndarray<nb::numpy, std::int16_t, nb::ndim<1>, nb::c_contig, nb::device::cpu>;

inline NetworkEnds ends_from(const Matrix& entry, const Vector& entry_bias, const Matrix& head, const Vector& head_bias,
                             const Places& places, const Bytes& thresholds) {
    const std::size_t width = entry.shape(1), features = entry.shape(0);
    if (entry_bias.shape(0) != width || head.shape(1) != width || head.shape(0) != ACTION_COUNT ||
        head_bias.shape(0) != ACTION_COUNT || places.shape(0) < features || thresholds.shape(0) != places.shape(0)) {
        throw nb::value_error("arrays of another size");
    }
    NetworkEnds ends{entry.data(),
                     entry_bias.data(),
                     head.data(),
                     head_bias.data(),
                     static_cast<int>(features),
                     static_cast<int>(width),
                     {},
                     {}};
    for (std::size_t feature = 0; feature < features; ++feature) {
        const std::int64_t place = places.data()[feature];
        if (place < 0 || place >= Rollouts::BYTES) throw nb::value_error("no such byte");
        ends.places.push_back(static_cast<std::uint16_t>(place));
        ends.thresholds.push_back(thresholds.data()[feature]);
    }
    return ends;
}

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

inline void check_rows(const Rollouts& rollouts, std::size_t rows) {
    if (rows != rollouts.active()) throw nb::value_error("a row for each round that is not over");
}

inline void bind(nb::module_& m) {
    m.attr("MEMORY_BYTES") = sizeof(Memory);
    nb::class_<Rollouts>(m, "Rollouts")
        .def(
            "__init__",
            [](Rollouts* self, const Matrix& entry, const Vector& entry_bias, const Matrix& head,
               const Vector& head_bias, const Places& places, const Bytes& thresholds) {
                new (self) Rollouts(ends_from(entry, entry_bias, head, head_bias, places, thresholds));
            },
            "entry"_a, "entry_bias"_a, "head"_a, "head_bias"_a, "places"_a, "thresholds"_a,
            // The weights must live as long.
            nb::keep_alive<1, 2>(), nb::keep_alive<1, 3>(), nb::keep_alive<1, 4>(), nb::keep_alive<1, 5>())
        .def("__len__", &Rollouts::size)
        .def_prop_ro("active", &Rollouts::active)
        .def_prop_ro("decisions", &Rollouts::decisions)
        .def("add", &add, "state"_a, "memory"_a, "seat"_a, "action"_a, "score"_a)
        .def(
            "enter",
            [](const Rollouts& self, const Hidden& into) {
                check_rows(self, into.shape(0));
                self.enter(into.data());
            },
            "hidden"_a)
        .def(
            "choose",
            [](Rollouts& self, const Hidden& hidden) {
                check_rows(self, hidden.shape(0));
                self.choose(hidden.data());
            },
            "hidden"_a)
        .def(
            "write_differences",
            [](const Rollouts& self, const Differences& into) {
                if (into.shape(0) != self.size()) throw nb::value_error("a number a round");
                self.write_differences(into.data());
            },
            "into"_a)
        .def(
            "write_outcomes",
            [](const Rollouts& self, const Outcomes& into) {
                if (into.shape(0) != self.size() || into.shape(1) != Rollouts::OUTCOME_SIZE) {
                    throw nb::value_error("a row a round");
                }
                self.write_outcomes(into.data());
            },
            "into"_a)
        .def(
            "write_critic_rows",
            [](const Rollouts& self, const Numbers& numbers, const Seats& seats, const Rows& rows, const Rows& hands) {
                for (std::size_t length : {numbers.shape(0), seats.shape(0), rows.shape(0), hands.shape(0)}) {
                    check_rows(self, length);
                }
                if (rows.shape(1) != Rollouts::BYTES || hands.shape(1) != HANDS_SIZE) {
                    throw nb::value_error("rows of another size");
                }
                self.write_critic_rows(numbers.data(), seats.data(), rows.data(), hands.data());
            },
            "numbers"_a, "seats"_a, "rows"_a, "hands"_a);
}

}  // namespace tichu::rolling
