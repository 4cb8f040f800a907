// The Python side of tichu/network.hpp.
#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include "tichu/network.hpp"

namespace tichu::inference {

namespace nb = nanobind;
using namespace nb::literals;

template <typename T, std::size_t DIMENSIONS>
using Array = nb::ndarray<nb::numpy, const T, nb::ndim<DIMENSIONS>, nb::c_contig, nb::device::cpu>;
using Matrix = Array<float, 2>;
using Vector = Array<float, 1>;
using Rows = Array<std::uint8_t, 2>;
using Numbers = Array<std::int64_t, 1>;

template <typename T, std::size_t DIMENSIONS>
using Into = nb::ndarray<nb::numpy, T, nb::ndim<DIMENSIONS>, nb::c_contig, nb::device::cpu>;

inline NetworkWeights::Layer layer_from(const Matrix& weight, const Vector& bias, std::size_t rows, std::size_t columns,
                                        std::size_t outputs) {
    if (weight.shape(0) != rows || weight.shape(1) != columns || bias.shape(0) != outputs) {
        throw nb::value_error("arrays of another size");
    }
    return {weight.data(), bias.data()};
}

// Weights from arrays; until they are copied, the arrays must not go.
struct Given {
    NetworkWeights weights;
    std::vector<std::pair<Matrix, Vector>> kept;
};

// Layers are pairs of weights and biases.
inline Given given_from(const Matrix& entry, const Vector& entry_bias, const nb::list& layers, const Matrix& value,
                        const Vector& value_bias, const Numbers& places, const Array<std::uint8_t, 1>& thresholds,
                        int bytes, std::size_t predictions) {
    const std::size_t features = entry.shape(0), width = entry.shape(1);
    if (width == 0 || width > NETWORK_WIDEST || features > 0xFFFF) throw nb::value_error("arrays of another size");
    if (places.shape(0) < features || thresholds.shape(0) != places.shape(0) || layers.size() % 2) {
        throw nb::value_error("arrays of another size");
    }
    Given given;
    NetworkWeights& from = given.weights;
    from.width = width;
    from.predictions = predictions;
    for (std::size_t feature = 0; feature < features; ++feature) {
        const std::int64_t place = places.data()[feature];
        if (place < 0 || place >= bytes) throw nb::value_error("no such byte");
        from.features.push_back({static_cast<std::uint16_t>(place), thresholds.data()[feature]});
    }
    from.entry = layer_from(entry, entry_bias, features, width, width);
    for (const nb::handle each : layers) {
        const auto pair = nb::cast<nb::tuple>(each);
        if (pair.size() != 2) throw nb::value_error("a layer has weights and biases");
        given.kept.emplace_back(nb::cast<Matrix>(pair[0]), nb::cast<Vector>(pair[1]));
        from.layers.push_back(layer_from(given.kept.back().first, given.kept.back().second, width, width, width));
    }
    from.value = layer_from(value, value_bias, width, predictions, predictions);
    return given;
}

// `bits` says how wide registers may be.
inline void make(Network* self, const Matrix& entry, const Vector& entry_bias, const nb::list& layers,
                 const Matrix& head, const Vector& head_bias, const Matrix& value, const Vector& value_bias,
                 const Numbers& places, const Array<std::uint8_t, 1>& thresholds, int bits) {
    Given given =
        given_from(entry, entry_bias, layers, value, value_bias, places, thresholds, COUNTED_SIZE, PREDICTIONS);
    given.weights.head = layer_from(head, head_bias, ACTION_COUNT, given.weights.width, ACTION_COUNT);
    new (self) Network(given.weights, kernels_for(bits));
}

inline void make_critic(Critic* self, const Matrix& entry, const Vector& entry_bias, const nb::list& layers,
                        const Matrix& value, const Vector& value_bias, const Numbers& places,
                        const Array<std::uint8_t, 1>& thresholds) {
    Given given = given_from(entry, entry_bias, layers, value, value_bias, places, thresholds, OPEN_SIZE, 1);
    given.weights.head = {nullptr, nullptr};
    given.weights.actions = 0;
    new (self) Critic(given.weights, kernels_for(512));
}

inline std::size_t check_rows(const Rows& rows) {
    if (rows.shape(1) != ROW_SIZE) throw nb::value_error("rows of another size");
    return rows.shape(0);
}

// The best action of every row among those of its packed mask.
inline void choose(const Network& self, const Rows& rows, const Rows& masks, const Into<std::int64_t, 1>& into) {
    const std::size_t count = check_rows(rows);
    if (masks.shape(0) != count || masks.shape(1) != sizeof(Mask) || into.shape(0) != count) {
        throw nb::value_error("a mask and an action for each row");
    }
    std::vector<Mask> legal(count);
    std::memcpy(legal.data(), masks.data(), count * sizeof(Mask));
    for (Mask& mask : legal) mask.words[MASK_WORDS - 1] &= (std::uint64_t{1} << ACTION_COUNT % 64) - 1;
    nb::gil_scoped_release unlocked;
    self.choose(rows.data(), legal.data(), count, into.data());
}

// The scores of actions, row by row in one array, of which `starts` says where each row begins; and the predictions.
inline void judge(const Network& self, const Rows& rows, const Numbers& starts, const Numbers& numbers,
                  const Into<float, 1>& scores, const Into<float, 2>& predictions) {
    const std::size_t count = check_rows(rows);
    const std::int64_t *start = starts.data(), *number = numbers.data();
    const auto last = static_cast<std::int64_t>(numbers.shape(0));
    bool fits = starts.shape(0) == count + 1 && scores.shape(0) == numbers.shape(0) && predictions.shape(0) == count &&
                predictions.shape(1) == PREDICTIONS;
    for (std::size_t row = 0; fits && row <= count; ++row) {
        fits = start[row] >= (row ? start[row - 1] : 0) && start[row] <= last;
    }
    for (std::int64_t at = 0; fits && at < last; ++at) fits = number[at] >= 0 && number[at] < ACTION_COUNT;
    if (!fits) throw nb::value_error("actions, scores and predictions do not fit the rows");
    float *score = scores.data(), *expected = predictions.data();
    nb::gil_scoped_release unlocked;
    self.run(rows.data(), count, [&](std::size_t row, const float* hidden) {
        for (std::int64_t at = start[row]; at < start[row + 1]; ++at) {
            score[at] = self.score(static_cast<int>(number[at]), hidden);
        }
        self.predict(hidden, expected + row * PREDICTIONS);
    });
}

inline void bind(nb::module_& m) {
    nb::class_<Network>(m, "Network")
        .def("__init__", &make, "entry"_a, "entry_bias"_a, "layers"_a, "head"_a, "head_bias"_a, "value"_a,
             "value_bias"_a, "places"_a, "thresholds"_a, "bits"_a = 512)
        .def("choose", &choose, "rows"_a, "masks"_a, "into"_a)
        .def("judge", &judge, "rows"_a, "starts"_a, "numbers"_a, "scores"_a, "predictions"_a);
    nb::class_<Critic>(m, "Critic")
        .def("__init__", &make_critic, "entry"_a, "entry_bias"_a, "layers"_a, "value"_a, "value_bias"_a, "places"_a,
             "thresholds"_a);
}

}  // namespace tichu::inference
