// The Python side of tichu/solve.hpp.
#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <cstring>

#include "tichu/check.hpp"
#include "tichu/solve.hpp"

namespace tichu::solving {

namespace nb = nanobind;
using namespace nb::literals;

inline State position_from(nb::bytes packed) {
    if (packed.size() != sizeof(State)) throw nb::value_error("a state has 112 bytes");
    State state;
    std::memcpy(&state, packed.data(), sizeof state);
    if (Fault fault = fault_of(state)) throw nb::value_error(fault);
    if (state.phase == Phase::GRAND || state.phase == Phase::EXCHANGE || state.is_over()) {
        throw nb::value_error("not a position in play");
    }
    return state;
}

// Ctrl-C ends a search; what it has found out stays.
inline bool run(Solver& solver, std::uint64_t budget) {
    bool is_interrupted = false, is_done;
    {
        nb::gil_scoped_release unlocked;
        is_done = solver.run(budget, [&] {
            nb::gil_scoped_acquire locked;
            is_interrupted = is_interrupted || PyErr_CheckSignals() != 0;
            return is_interrupted;
        });
    }
    if (is_interrupted) throw nb::python_error();
    return is_done;
}

inline void bind(nb::module_& m) {
    nb::class_<Solver>(m, "Solver")
        .def(
            "__init__", [](Solver* self, nb::bytes state) { new (self) Solver(position_from(state)); }, "state"_a)
        .def("run", &run, "budget"_a)
        .def_prop_ro("nodes", [](const Solver& self) { return self.nodes; })
        .def_prop_ro("bounds", [](const Solver& self) {
            std::vector<std::tuple<PackedAction, int, int>> lines;
            for (const Solver::Line& line : self.lines) {
                lines.emplace_back(pack(line.action), line.bounds.low, line.bounds.high);
            }
            return lines;
        });
}

}  // namespace tichu::solving
