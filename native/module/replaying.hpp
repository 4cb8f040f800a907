// The Python side of replays.hpp.
#pragma once

#include <nanobind/nanobind.h>

#include "replays.hpp"

namespace tichu::replays {

namespace nb = nanobind;
using namespace nb::literals;

// Ours as long as Python holds the text.
inline std::string_view text_of(nb::handle text) {
    Py_ssize_t size = 0;
    const char* data = PyUnicode_AsUTF8AndSize(text.ptr(), &size);
    if (!data) throw nb::python_error();
    return {data, static_cast<std::size_t>(size)};
}

template <typename Values>
nb::bytes bytes_of(const Values& values) {
    return nb::bytes(reinterpret_cast<const char*>(values.data()), values.size() * sizeof(values[0]));
}

// The buffers of an Arrow array: what is there (None: everything), and the values; of texts first the ends.
inline nb::tuple buffers_of(const Column& column) {
    const nb::object present = column.missing() ? nb::object(bytes_of(column.present())) : nb::none();
    if (!column.ends().empty()) return nb::make_tuple(present, bytes_of(column.ends()), bytes_of(column.text()));
    if (!column.numbers().empty()) return nb::make_tuple(present, bytes_of(column.numbers()));
    return nb::make_tuple(present, bytes_of(column.flags()));
}

// The number of rows, and for each column how many are missing and its buffers.
inline nb::tuple table_of(const Table& table) {
    nb::list columns;
    for (const Column& column : table.columns()) columns.append(nb::make_tuple(column.missing(), buffers_of(column)));
    return nb::make_tuple(table.rows(), columns);
}

inline nb::object add(Replays& replays, int game, std::uint32_t bits, nb::tuple names, nb::list rounds) {
    const Rules rules{static_cast<std::uint16_t>(bits)};
    if (bits > 0xFFFF || !rules.exist()) throw nb::value_error("no such rules");
    if (names.size() != 4) throw nb::value_error("four names");
    std::vector<std::string> players;
    for (nb::handle name : names) players.emplace_back(text_of(name));
    std::vector<RoundText> texts;
    for (nb::handle round : rounds) {
        const auto parts = nb::cast<nb::tuple>(round);
        if (parts.size() != 4) throw nb::value_error("a round is deal, actions and two scores");
        texts.push_back({text_of(parts[0]), text_of(parts[1]), {nb::cast<int>(parts[2]), nb::cast<int>(parts[3])}});
    }
    const auto outcomes = replays.add(game, rules, players, texts);
    if (!outcomes) return nb::none();
    nb::list told;
    for (const Outcome& one : *outcomes) {
        nb::list out;
        for (int place = 0; place < one[7]; ++place) out.append(one[static_cast<std::size_t>(4 + place)]);
        told.append(nb::make_tuple(nb::make_tuple(one[0], one[1]), nb::make_tuple(one[2], one[3]), nb::tuple(out)));
    }
    return told;
}

inline void bind(nb::module_& m) {
    nb::class_<Replays>(m, "Replays")
        .def(nb::init<>())
        .def("add", &add, "game"_a, "rules"_a, "names"_a, "rounds"_a)
        .def_prop_ro("rounds", [](const Replays& self) { return table_of(self.rounds); })
        .def_prop_ro("seats", [](const Replays& self) { return table_of(self.seats); })
        .def_prop_ro("decisions", [](const Replays& self) { return table_of(self.decisions); });
}

}  // namespace tichu::replays
