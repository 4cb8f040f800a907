// The network of the learned bot, in single precision: src/tichu/agents/learned/network.py is the reference, from which
// it differs in the last bits.  For the host alone.
//
// The inputs say whether bytes reach thresholds, so the first layer is a sum of rows of its weights; those of one byte
// come together and are added up beforehand.  Of the last layer only legal actions are computed.  The layers between
// them are products of matrices, whose weights lie in panels as wide as two registers.
#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <new>
#include <vector>

#include "memory.hpp"
#include "open_hands.hpp"

#if defined(__x86_64__) && defined(__GNUC__)
#define TICHU_MANY_TARGETS 1
#else
#define TICHU_MANY_TARGETS 0
#endif

namespace tichu {

// Bytes of a decision: an observation, what the seat remembers, and how many cards of each rank it holds and misses.
inline constexpr int ROW_SIZE = OBSERVATION_SIZE + MEMORY_SIZE;
inline constexpr int COUNTED_SIZE = ROW_SIZE + 2 * 13;
// With a byte for each card of each hand, for who sees them all.
inline constexpr int OPEN_SIZE = COUNTED_SIZE + 8 * HANDS_SIZE;

// Widths are filled up to a multiple of this, which sums have as many parts as.
inline constexpr int NETWORK_STEP = 32;
inline constexpr int NETWORK_WIDEST = 8192;
inline constexpr int PREDICTIONS = 8;

// What becomes of the sums of a layer: the negative ones are cut, or all are added to what is there.
enum class Then { CUT, ADD };

struct NetworkKernels {
    using Layer = void (*)(const float* in, std::size_t rows, const float* weight, const float* bias, std::size_t width,
                           float* out);
    int panel;
    Layer cut, add;
    void (*normalise)(const float* in, std::size_t width, std::size_t used, float* out);
    float (*dot)(const float* one, const float* two, std::size_t width);
    void (*add_rows)(const float* table, const std::uint16_t* rows, std::size_t count, std::size_t width, float* sum);
};

}  // namespace tichu

#define TICHU_KERNELS any_processor
#define TICHU_TARGET
#define TICHU_LANES 4
#include "network_kernels.hpp"

#if TICHU_MANY_TARGETS
#define TICHU_KERNELS avx2
#define TICHU_TARGET __attribute__((target("avx2,fma")))
#define TICHU_LANES 8
#include "network_kernels.hpp"

#define TICHU_KERNELS avx512
#define TICHU_TARGET __attribute__((target("avx512f,fma")))
#define TICHU_LANES 16
#include "network_kernels.hpp"
#endif

namespace tichu {

// The widest registers to use, in bits; 0 for what every processor has.
inline const NetworkKernels& kernels_for(int bits) {
#if TICHU_MANY_TARGETS
    if (bits >= 512 && __builtin_cpu_supports("avx512f")) return avx512::KERNELS;
    if (bits >= 256 && __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma")) return avx2::KERNELS;
#endif
    (void)bits;
    return any_processor::KERNELS;
}

// The counts by rank behind a row.
inline void add_counts(std::uint8_t* row) {
    for (int rank = 0; rank < 13; ++rank) {
        int held = 0, played = 0;
        for (int suit = 0; suit < 4; ++suit) {
            held += row[AT_HAND + 4 + 4 * rank + suit];
            played += row[AT_PLAYED + 4 + 4 * rank + suit];
        }
        row[ROW_SIZE + rank] = static_cast<std::uint8_t>(held);
        row[ROW_SIZE + 13 + rank] = static_cast<std::uint8_t>(4 - held - played);
    }
}

// Numbers that begin where a line of the cache does.
class Floats {
public:
    Floats() = default;
    explicit Floats(std::size_t size)
        : data_(static_cast<float*>(::operator new(size * sizeof(float), ALIGNMENT))), size_(size) {
        std::memset(data_.get(), 0, size * sizeof(float));
    }
    float* data() { return data_.get(); }
    const float* data() const { return data_.get(); }
    std::size_t size() const { return size_; }

private:
    static constexpr std::align_val_t ALIGNMENT{64};
    struct Free {
        void operator()(float* data) const { ::operator delete(data, ALIGNMENT); }
    };
    std::unique_ptr<float[], Free> data_;
    std::size_t size_ = 0;
};

// What a network is made of; the arrays belong to others.
struct NetworkWeights {
    struct Layer {
        const float *weight, *bias;
    };
    struct Feature {
        std::uint16_t place;     // the byte
        std::uint8_t threshold;  // what it must reach
    };
    std::size_t width;
    std::vector<Feature> features;
    Layer entry;                // a row a feature
    std::vector<Layer> layers;  // a row an input; two of them are a block
    Layer head;                 // a row an action
    Layer value;                // a row an input
    std::size_t actions = ACTION_COUNT, predictions = PREDICTIONS;
};

class Network {
public:
    explicit Network(const NetworkWeights& from, const NetworkKernels& kernels)
        : kernels_(kernels), used_(from.width), width_((from.width + NETWORK_STEP - 1) / NETWORK_STEP * NETWORK_STEP),
          rows_of_(static_cast<std::size_t>(OPEN_SIZE) * 256), predictions_(from.predictions) {
        pack_entry(from);
        for (const NetworkWeights::Layer& layer : from.layers) layers_.push_back(packed(layer));
        head_ = copied(from.head, from.actions, false);
        value_ = copied(from.value, from.predictions, true);
    }

    std::size_t width() const { return width_; }

    // For every row what the last layer is given: each(place, hidden).  What comes of a row does not depend on others.
    template <typename Each>
    void run(const std::uint8_t* rows, std::size_t count, const Each& each) const {
        run_open(rows, nullptr, count, each);
    }

    // The same for a network that sees all hands, HANDS_SIZE bytes a row.
    template <typename Each>
    void run_open(const std::uint8_t* rows, const std::uint8_t* hands, std::size_t count, const Each& each) const {
        thread_local Floats room;
        const std::size_t most = (count < CHUNK ? count : CHUNK) * width_;
        if (room.size() < 3 * most) room = Floats(3 * most);
        float *hidden = room.data(), *normal = hidden + most, *inner = normal + most;
        for (std::size_t first = 0; first < count; first += CHUNK) {
            const std::size_t here = count - first < CHUNK ? count - first : CHUNK;
            for (std::size_t row = 0; row < here; ++row) {
                const std::uint8_t* open = hands ? hands + (first + row) * HANDS_SIZE : nullptr;
                enter(rows + (first + row) * ROW_SIZE, open, hidden + row * width_);
            }
            for (std::size_t layer = 0; layer + 1 < layers_.size(); layer += 2) {
                normalise(hidden, here, normal);
                run_layer(kernels_.cut, layers_[layer], normal, here, inner);
                run_layer(kernels_.add, layers_[layer + 1], inner, here, hidden);
            }
            normalise(hidden, here, normal);
            for (std::size_t row = 0; row < here; ++row) each(first + row, normal + row * width_);
        }
    }

    float score(int number, const float* hidden) const {
        const auto at = static_cast<std::size_t>(number);
        return kernels_.dot(head_.weight.data() + at * width_, hidden, width_) + head_.bias.data()[at];
    }

    // Points in hundreds, then logits of who is first and of double victories.
    void predict(const float* hidden, float* into) const {
        for (std::size_t at = 0; at < predictions_; ++at) {
            into[at] = kernels_.dot(value_.weight.data() + at * width_, hidden, width_) + value_.bias.data()[at];
        }
    }

    // A call is a question of its own: it is made if it is more likely than not.  -1 without a legal action.
    int best(const Mask& mask, const float* hidden) const {
        return best_of(mask, [&](int number) { return score(number, hidden); });
    }

    // The best action of every row.
    template <typename Number>
    void choose(const std::uint8_t* rows, const Mask* masks, std::size_t count, Number* into) const {
        run(rows, count,
            [&](std::size_t row, const float* hidden) { into[row] = static_cast<Number>(best(masks[row], hidden)); });
    }

    template <typename Score>
    static int best_of(const Mask& mask, const Score& score) {
        int found = -1;
        float highest = 0;
        for (int word = 0; word < MASK_WORDS; ++word) {
            for (std::uint64_t bits = mask.words[word]; bits; bits &= bits - 1) {
                const int number = 64 * word + lowest(bits);
                const float value = score(number);
                if (number == CALLING_TICHU || number == CALLING_GRAND) {
                    if (value > 0) return number;
                } else if (found < 0 || value > highest) {
                    found = number;
                    highest = value;
                }
            }
        }
        return found;
    }

private:
    // Rows that are computed together: what they need stays in the cache beside a panel.
    static constexpr std::size_t CHUNK = 48;

    struct Layer {
        Floats weight, bias;
    };

    // The features of one byte are reached one after another, so each of its values has one row: the sum of theirs.
    void pack_entry(const NetworkWeights& from) {
        std::vector<std::vector<std::size_t>> by_place(OPEN_SIZE);
        for (std::size_t each = 0; each < from.features.size(); ++each) {
            by_place[from.features[each].place].push_back(each);
        }
        entry_.weight = Floats(from.features.size() * width_);
        entry_.bias = Floats(width_);
        std::memcpy(entry_.bias.data(), from.entry.bias, used_ * sizeof(float));
        std::vector<double> sum;
        std::uint16_t rows = 0;
        for (std::size_t place = 0; place < OPEN_SIZE; ++place) {
            sum.assign(used_, 0);
            std::uint16_t row = 0;
            for (std::size_t value = 1; value < 256 && !by_place[place].empty(); ++value) {
                bool is_reached = false;
                for (const std::size_t feature : by_place[place]) {
                    if (from.features[feature].threshold != value) continue;
                    is_reached = true;
                    for (std::size_t at = 0; at < used_; ++at) sum[at] += from.entry.weight[feature * used_ + at];
                }
                if (is_reached) {
                    float* into = entry_.weight.data() + rows * width_;
                    for (std::size_t at = 0; at < used_; ++at) into[at] = static_cast<float>(sum[at]);
                    row = ++rows;
                }
                rows_of_[place * 256 + value] = row;
            }
        }
    }

    // A layer of blocks: panel by panel, of each a row an input.
    Layer packed(const NetworkWeights::Layer& from) const {
        Layer layer{Floats(width_ * width_), Floats(width_)};
        const auto panel = static_cast<std::size_t>(kernels_.panel);
        for (std::size_t input = 0; input < used_; ++input) {
            for (std::size_t output = 0; output < used_; ++output) {
                layer.weight.data()[(output / panel * width_ + input) * panel + output % panel] =
                    from.weight[input * used_ + output];
            }
        }
        std::memcpy(layer.bias.data(), from.bias, used_ * sizeof(float));
        return layer;
    }

    // A row an output, each filled up.
    Layer copied(const NetworkWeights::Layer& from, std::size_t outputs, bool is_turned) const {
        Layer layer{Floats(outputs * width_), Floats(outputs)};
        for (std::size_t output = 0; output < outputs; ++output) {
            for (std::size_t input = 0; input < used_; ++input) {
                layer.weight.data()[output * width_ + input] =
                    from.weight[is_turned ? input * outputs + output : output * used_ + input];
            }
        }
        std::memcpy(layer.bias.data(), from.bias, outputs * sizeof(float));
        return layer;
    }

    void enter(const std::uint8_t* from, const std::uint8_t* hands, float* into) const {
        std::uint8_t row[COUNTED_SIZE];
        std::memcpy(row, from, ROW_SIZE);
        add_counts(row);
        std::uint16_t rows[OPEN_SIZE];
        std::size_t count = 0;
        for (std::size_t place = 0; place < COUNTED_SIZE; ++place) {
            const std::uint16_t found = row[place] ? rows_of_[place * 256 + row[place]] : std::uint16_t{0};
            rows[count] = static_cast<std::uint16_t>(found - 1);
            count += found != 0;
        }
        for (int part = 0; hands && part < HANDS_SIZE; ++part) {
            for (unsigned bits = hands[part]; bits; bits &= bits - 1) {
                const int place = COUNTED_SIZE + 8 * part + lowest(bits);
                const std::uint16_t found = rows_of_[static_cast<std::size_t>(place) * 256 + 1];
                if (found) rows[count++] = static_cast<std::uint16_t>(found - 1);
            }
        }
        std::memcpy(into, entry_.bias.data(), width_ * sizeof(float));
        kernels_.add_rows(entry_.weight.data(), rows, count, width_, into);
    }

    void normalise(const float* in, std::size_t rows, float* out) const {
        for (std::size_t row = 0; row < rows; ++row) {
            kernels_.normalise(in + row * width_, width_, used_, out + row * width_);
        }
    }

    void run_layer(NetworkKernels::Layer kernel, const Layer& layer, const float* in, std::size_t rows,
                   float* out) const {
        kernel(in, rows, layer.weight.data(), layer.bias.data(), width_, out);
    }

    NetworkKernels kernels_;
    std::size_t used_, width_;            // the network's own, and filled up
    std::vector<std::uint16_t> rows_of_;  // of the first layer, by byte and value: 1 + the row, or 0
    std::size_t predictions_;
    Layer entry_, head_, value_;
    std::vector<Layer> layers_;
};

// Sees all hands, and says what will come of a round.
class Critic {
public:
    // Without actions, and with one prediction.
    explicit Critic(const NetworkWeights& from, const NetworkKernels& kernels) : network_(from, kernels) {}

    // The expected difference of the scores, for the team of the seat whose row it is.
    void judge(const std::uint8_t* rows, const std::uint8_t* hands, std::size_t count, float* into) const {
        network_.run_open(rows, hands, count, [&](std::size_t row, const float* hidden) {
            network_.predict(hidden, into + row);
            into[row] *= 100;
        });
    }

private:
    Network network_;
};

}  // namespace tichu
