// The loops of network.hpp for one kind of processor.  Included once for each, so there is no guard; whoever includes
// it says what the kernels are called (TICHU_KERNELS), what they are compiled for (TICHU_TARGET) and how many numbers a
// register holds (TICHU_LANES).
//
// Every sum is taken in one order, whatever the width of registers and the number of rows: the same bits come out on
// all processors that multiply and add in one step, and for a row alone or among others.

namespace tichu::TICHU_KERNELS {

inline constexpr int LANES = TICHU_LANES;

#if defined(__GNUC__)
typedef float Lanes __attribute__((vector_size(4 * TICHU_LANES)));
typedef float Stored __attribute__((vector_size(4 * TICHU_LANES), aligned(4), may_alias));

#define TICHU_LOAD(from) (*reinterpret_cast<const Stored*>(from))
#define TICHU_STORE(into, lanes) (*reinterpret_cast<Stored*>(into) = (lanes))
#define TICHU_POSITIVE(lanes) ((lanes) > 0 ? (lanes) : Lanes{})
#else
struct Lanes {
    float at[LANES];
    Lanes& operator+=(const Lanes& other) {
        for (int lane = 0; lane < LANES; ++lane) at[lane] += other.at[lane];
        return *this;
    }
    friend Lanes operator+(Lanes one, const Lanes& two) { return one += two; }
    friend Lanes operator*(Lanes one, const Lanes& two) {
        for (int lane = 0; lane < LANES; ++lane) one.at[lane] *= two.at[lane];
        return one;
    }
    friend Lanes operator*(Lanes one, float two) {
        for (int lane = 0; lane < LANES; ++lane) one.at[lane] *= two;
        return one;
    }
    friend Lanes operator-(Lanes one, float two) {
        for (int lane = 0; lane < LANES; ++lane) one.at[lane] -= two;
        return one;
    }
    static Lanes positive(Lanes lanes) {
        for (float& each : lanes.at) each = each > 0 ? each : 0;
        return lanes;
    }
};
#define TICHU_LOAD(from) (*reinterpret_cast<const Lanes*>(from))
#define TICHU_STORE(into, lanes) (*reinterpret_cast<Lanes*>(into) = (lanes))
#define TICHU_POSITIVE(lanes) Lanes::positive(lanes)
#endif

inline constexpr int PANEL = 2 * LANES;
inline constexpr int PARTS = NETWORK_STEP / LANES;

// Some rows times some panels next to each other: what a layer of panels makes of them, after the bias.
template <int ROWS, int PANELS, Then THEN>
TICHU_TARGET inline void multiply(const float* in, const float* weight, const float* bias, std::size_t width,
                                  float* out) {
    Lanes sums[ROWS][PANELS][2];
    for (int row = 0; row < ROWS; ++row) {
        for (int panel = 0; panel < PANELS; ++panel) {
            for (int half = 0; half < 2; ++half)
                sums[row][panel][half] = TICHU_LOAD(bias + PANEL * panel + LANES * half);
        }
    }
    for (std::size_t input = 0; input < width; ++input) {
        for (int panel = 0; panel < PANELS; ++panel) {
            const float* from = weight + (static_cast<std::size_t>(panel) * width + input) * PANEL;
            const Lanes one = TICHU_LOAD(from), two = TICHU_LOAD(from + LANES);
            for (int row = 0; row < ROWS; ++row) {
                const float by = in[static_cast<std::size_t>(row) * width + input];
                sums[row][panel][0] += one * by;
                sums[row][panel][1] += two * by;
            }
        }
    }
    for (int row = 0; row < ROWS; ++row) {
        for (int panel = 0; panel < PANELS; ++panel) {
            for (int half = 0; half < 2; ++half) {
                float* into = out + static_cast<std::size_t>(row) * width + PANEL * panel + LANES * half;
                const Lanes sum = sums[row][panel][half];
                if constexpr (THEN == Then::ADD) TICHU_STORE(into, TICHU_LOAD(into) + sum);
                if constexpr (THEN == Then::CUT) TICHU_STORE(into, TICHU_POSITIVE(sum));
            }
        }
    }
}

// The same for one row, of which only the inputs that are not zero are read: after a layer that is cut, these are few.
template <int PANELS, Then THEN>
TICHU_TARGET inline void multiply_some(const float* in, const std::uint16_t* inputs, std::size_t count,
                                       const float* weight, const float* bias, std::size_t width, float* out) {
    Lanes sums[PANELS][2];
    for (int panel = 0; panel < PANELS; ++panel) {
        for (int half = 0; half < 2; ++half) sums[panel][half] = TICHU_LOAD(bias + PANEL * panel + LANES * half);
    }
    for (std::size_t place = 0; place < count; ++place) {
        const std::size_t input = inputs[place];
        const float by = in[input];
        for (int panel = 0; panel < PANELS; ++panel) {
            const float* from = weight + (static_cast<std::size_t>(panel) * width + input) * PANEL;
            sums[panel][0] += TICHU_LOAD(from) * by;
            sums[panel][1] += TICHU_LOAD(from + LANES) * by;
        }
    }
    for (int panel = 0; panel < PANELS; ++panel) {
        for (int half = 0; half < 2; ++half) {
            float* into = out + PANEL * panel + LANES * half;
            if constexpr (THEN == Then::ADD) TICHU_STORE(into, TICHU_LOAD(into) + sums[panel][half]);
            if constexpr (THEN == Then::CUT) TICHU_STORE(into, TICHU_POSITIVE(sums[panel][half]));
        }
    }
}

template <Then THEN>
TICHU_TARGET inline void run_one(const float* in, const float* weight, const float* bias, std::size_t width,
                                 float* out) {
    std::uint16_t inputs[NETWORK_WIDEST];
    std::size_t count = 0;
    for (std::size_t input = 0; input < width; ++input) {
        inputs[count] = static_cast<std::uint16_t>(input);
        count += in[input] != 0;
    }
    std::size_t at = 0;
    for (; at + 4 * PANEL <= width; at += 4 * PANEL) {
        multiply_some<4, THEN>(in, inputs, count, weight + at * width, bias + at, width, out + at);
    }
    for (; at < width; at += PANEL) {
        multiply_some<1, THEN>(in, inputs, count, weight + at * width, bias + at, width, out + at);
    }
}

template <Then THEN>
TICHU_TARGET inline void run_layer(const float* in, std::size_t rows, const float* weight, const float* bias,
                                   std::size_t width, float* out) {
    if (rows == 1) return run_one<THEN>(in, weight, bias, width, out);
    // A panel is read from afar once for all rows.
    for (std::size_t at = 0; at < width; at += PANEL) {
        const float* panel = weight + at * width;
        std::size_t row = 0;
        for (; row + 6 <= rows; row += 6)
            multiply<6, 1, THEN>(in + row * width, panel, bias + at, width, out + row * width + at);
        in += row * width;
        out += row * width;
        switch (rows - row) {
            case 5: multiply<5, 1, THEN>(in, panel, bias + at, width, out + at); break;
            case 4: multiply<4, 1, THEN>(in, panel, bias + at, width, out + at); break;
            case 3: multiply<3, 1, THEN>(in, panel, bias + at, width, out + at); break;
            case 2: multiply<2, 1, THEN>(in, panel, bias + at, width, out + at); break;
            case 1: multiply<1, 1, THEN>(in, panel, bias + at, width, out + at); break;
            default: break;
        }
        in -= row * width;
        out -= row * width;
    }
}

TICHU_TARGET inline float sum_of(const Lanes* parts) {
    float sums[NETWORK_STEP];
    for (int part = 0; part < PARTS; ++part) TICHU_STORE(sums + part * LANES, parts[part]);
    for (int half = NETWORK_STEP / 2; half; half /= 2) {
        for (int at = 0; at < half; ++at) sums[at] += sums[at + half];
    }
    return sums[0];
}

TICHU_TARGET inline float dot(const float* one, const float* two, std::size_t width) {
    Lanes sums[PARTS] = {};
    for (std::size_t at = 0; at < width; at += NETWORK_STEP) {
        for (int part = 0; part < PARTS; ++part) {
            sums[part] += TICHU_LOAD(one + at + LANES * part) * TICHU_LOAD(two + at + LANES * part);
        }
    }
    return sum_of(sums);
}

// To mean 0 and variance 1; what is behind `used` is room that is filled with zeros.
TICHU_TARGET inline void normalise(const float* in, std::size_t width, std::size_t used, float* out) {
    Lanes sums[PARTS] = {};
    for (std::size_t at = 0; at < width; at += NETWORK_STEP) {
        for (int part = 0; part < PARTS; ++part) sums[part] += TICHU_LOAD(in + at + LANES * part);
    }
    const float mean = sum_of(sums) / static_cast<float>(used);
    for (std::size_t at = 0; at < width; at += LANES) TICHU_STORE(out + at, TICHU_LOAD(in + at) - mean);
    for (std::size_t at = used; at < width; ++at) out[at] = 0;
    const float variance = dot(out, out, width) / static_cast<float>(used);
    const float scale = 1 / std::sqrt(variance + 1e-5F);
    for (std::size_t at = 0; at < width; at += LANES) TICHU_STORE(out + at, TICHU_LOAD(out + at) * scale);
}

TICHU_TARGET inline void add_rows(const float* table, const std::uint16_t* rows, std::size_t count, std::size_t width,
                                  float* sum) {
    std::size_t place = 0;
    for (; place + 4 <= count; place += 4) {
        const float *one = table + rows[place] * width, *two = table + rows[place + 1] * width,
                    *three = table + rows[place + 2] * width, *four = table + rows[place + 3] * width;
        for (std::size_t at = 0; at < width; at += LANES) {
            const Lanes so_far = TICHU_LOAD(sum + at) + TICHU_LOAD(one + at) + TICHU_LOAD(two + at);
            TICHU_STORE(sum + at, so_far + TICHU_LOAD(three + at) + TICHU_LOAD(four + at));
        }
    }
    for (; place < count; ++place) {
        const float* row = table + rows[place] * width;
        for (std::size_t at = 0; at < width; at += LANES)
            TICHU_STORE(sum + at, TICHU_LOAD(sum + at) + TICHU_LOAD(row + at));
    }
}

inline constexpr NetworkKernels KERNELS{PANEL, run_layer<Then::CUT>, run_layer<Then::ADD>, normalise, dot, add_rows};

#undef TICHU_LOAD
#undef TICHU_STORE
#undef TICHU_POSITIVE

}  // namespace tichu::TICHU_KERNELS

#undef TICHU_KERNELS
#undef TICHU_TARGET
#undef TICHU_LANES
