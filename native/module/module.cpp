// The Python module: packed states and actions in and out, nothing that knows a Python class of tichu.
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <cstring>
#include <mutex>
#include <stdexcept>

#include "batch.hpp"
#include "envs.hpp"
#include "inference.hpp"
#include "replaying.hpp"
#include "rolling.hpp"
#include "seat_envs.hpp"
#include "solving.hpp"
#include "tichu/check.hpp"
#include "tichu/perft.hpp"
#include "tichu/playout.hpp"
#include "tichu/presets.hpp"
#include "tichu/refusal.hpp"

namespace nb = nanobind;
using namespace nb::literals;
using namespace tichu;

namespace {

// Raised with tichu.kernel's number in mind: change it when the layout of states or actions or a signature changes.
constexpr int ABI = 5;

// An action that the rules refuse; the message is the name of the Reason.
struct Refused : std::runtime_error {
    using std::runtime_error::runtime_error;
};

State state_from(nb::bytes packed) {
    if (packed.size() != sizeof(State)) throw nb::value_error("a state has 112 bytes");
    State state;
    std::memcpy(&state, packed.data(), sizeof state);
    if (Fault fault = fault_of(state)) throw nb::value_error(fault);
    return state;
}

nb::bytes bytes_of(const State& state) { return nb::bytes(reinterpret_cast<const char*>(&state), sizeof state); }

void check_seat(int seat) {
    if (seat < 0 || seat > 3) throw nb::value_error("there are the seats 0 to 3");
}

Rules rules_from(std::uint32_t bits) {
    const Rules rules{static_cast<std::uint16_t>(bits)};
    if (bits > 0xFFFF || !rules.exist()) throw nb::value_error("no such rules");
    return rules;
}

// The action, if it may be applied now.
Action check_action(const State& state, int seat, PackedAction packed) {
    check_seat(seat);
    const Action action = unpack(packed);
    const Reason reason = refusal_now(state, seat, action);
    if (reason != Reason::LEGAL) throw Refused(name_of(reason));
    return action;
}

// The legal actions of a seat as a sequence that lists nothing until it is asked.
struct LegalActions {
    State state;
    Legal legal;
    int seat;

    PackedAction nth(std::uint32_t n) const { return pack(nth_action(state, seat, legal, n)); }
};

std::vector<PackedAction> list_actions(const State& state, int seat, const Legal& legal) {
    std::vector<PackedAction> actions;
    actions.reserve(legal.count());
    auto add = [&](const Action& action) { actions.push_back(pack(action)); };
    each_action(state, seat, legal, add);
    return actions;
}

std::vector<PackedAction> list_actions(const State& state, int seat) {
    return list_actions(state, seat, legal_of(state, seat));
}

// len() and [] by the type's own slots: half the price of a method.
Py_ssize_t legal_length(PyObject* self) { return nb::inst_ptr<LegalActions>(self)->legal.count(); }

PyObject* legal_item(PyObject* self, Py_ssize_t n) {
    const LegalActions& actions = *nb::inst_ptr<LegalActions>(self);
    if (n < 0 || n >= static_cast<Py_ssize_t>(actions.legal.count())) {
        PyErr_SetString(PyExc_IndexError, "there are fewer legal actions");
        return nullptr;
    }
    return PyLong_FromUnsignedLongLong(actions.nth(static_cast<std::uint32_t>(n)));
}

int legal_contains(PyObject* self, PyObject* action) {
    const LegalActions& actions = *nb::inst_ptr<LegalActions>(self);
    const unsigned long long packed = PyLong_Check(action) ? PyLong_AsUnsignedLongLong(action) : 0;
    if (PyErr_Occurred()) {
        PyErr_Clear();
        return 0;
    }
    return refusal(actions.state, actions.seat, unpack(packed)) == Reason::LEGAL;
}

PyObject* legal_iterator(PyObject* self) {
    const LegalActions& actions = *nb::inst_ptr<LegalActions>(self);
    return PyObject_GetIter(nb::cast(list_actions(actions.state, actions.seat, actions.legal)).ptr());
}

PyType_Slot legal_slots[] = {
    {Py_tp_iter, reinterpret_cast<void*>(legal_iterator)},
    {Py_sq_length, reinterpret_cast<void*>(legal_length)},
    {Py_sq_item, reinterpret_cast<void*>(legal_item)},
    {Py_sq_contains, reinterpret_cast<void*>(legal_contains)},
    {0, nullptr},
};

nb::object automatic_of(const State& state) {
    const Decision decision = automatic(state);
    if (decision.seat < 0) return nb::none();
    return nb::make_tuple(decision.seat, pack(decision.action));
}

std::pair<int, int> score_pair(const State& state) {
    if (!state.is_over()) throw nb::value_error("the round is not over");
    const Score score = score_of(state);
    return {score.teams[0], score.teams[1]};
}

std::vector<std::pair<int, int>> playouts(nb::bytes packed, std::uint64_t rounds, std::uint64_t seed) {
    const State start = state_from(packed);
    std::vector<std::pair<int, int>> scores(rounds);
    nb::gil_scoped_release unlocked;
    for (std::uint64_t round = 0; round < rounds; ++round) {
        State state = start;
        Rng rng = rng_for(seed, round, 0);
        play_out(state, rng);
        const Score score = score_of(state);
        scores[round] = {score.teams[0], score.teams[1]};
    }
    return scores;
}

template <typename T>
using Column = nb::ndarray<nb::numpy, const T, nb::ndim<1>>;
using Indices = nb::ndarray<nb::numpy, const std::int64_t, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
using Actions = nb::ndarray<nb::numpy, const PackedAction, nb::ndim<1>, nb::c_contig, nb::device::cpu>;

template <typename T>
Column<T> column(const std::vector<T>& values, nb::handle owner) {
    return Column<T>(values.data(), {values.size()}, owner);
}

// A column of a batch as an array that follows it.
template <auto Member>
auto column_of(nb::handle self) {
    return column(nb::cast<const Batch&>(self).*Member, self);
}

[[noreturn]] void refuse(std::size_t game, const char* why) {
    throw nb::value_error(("game " + std::to_string(game) + why).c_str());
}

// Runs `work` without the GIL and with the batch to itself, if `wrong` finds no game to refuse.
template <typename Wrong, typename Work>
void run_alone(Batch& batch, const char* why, const Wrong& wrong, const Work& work) {
    std::size_t refused;
    {
        nb::gil_scoped_release unlocked;
        const std::lock_guard<std::mutex> alone(batch.mutex);
        refused = wrong();
        if (refused == batch.size()) work();
    }
    if (refused < batch.size()) refuse(refused, why);
}

void check_size(const Batch& batch, std::size_t size) {
    if (size != batch.size()) throw nb::value_error("one index or action a game");
}

template <typename T>
nb::ndarray<nb::numpy, T, nb::ndim<1>> new_array(std::size_t size) {
    auto* values = new T[size];
    nb::capsule owner(values, [](void* array) noexcept { delete[] static_cast<T*>(array); });
    return nb::ndarray<nb::numpy, T, nb::ndim<1>>(values, {size}, owner);
}

void check_threads(std::size_t threads) {
    if (threads == 0 || threads > 256) throw nb::value_error("1 to 256 threads");
}

// Deals and plays so many rounds: how many decisions that took, and the scores, two teams a round.
nb::tuple random_rounds(std::uint32_t bits, std::uint64_t rounds, std::uint64_t seed, std::size_t threads) {
    const Rules rules = rules_from(bits);
    check_threads(threads);
    if (rounds > std::uint64_t{1} << 40) throw nb::value_error("at most 2**40 rounds");
    auto* scores = new std::int16_t[2 * rounds];
    nb::capsule owner(scores, [](void* array) noexcept { delete[] static_cast<std::int16_t*>(array); });
    std::atomic<std::uint64_t> decisions{0};
    {
        nb::gil_scoped_release unlocked;
        Pool(threads).run(rounds, [&](std::size_t first, std::size_t last) {
            std::uint64_t decisions_here = 0;
            for (std::size_t round = first; round < last; ++round) {
                State state;
                Rng rng = rng_for(seed, round, 0);
                start_shuffled_round(state, rng, rules, 0);
                decisions_here += play_out(state, rng);
                const Score score = score_of(state);
                scores[2 * round] = score.teams[0];
                scores[2 * round + 1] = score.teams[1];
            }
            decisions += decisions_here;
        });
    }
    return nb::make_tuple(decisions.load(),
                          nb::ndarray<nb::numpy, std::int16_t, nb::ndim<2>>(scores, {rounds, 2}, owner));
}

nb::ndarray<nb::numpy, PackedAction, nb::ndim<1>> pick(Batch& batch, const Indices& indices) {
    check_size(batch, indices.shape(0));
    auto actions = new_array<PackedAction>(batch.size());
    run_alone(
        batch, " has no such legal action", [&] { return batch.first_wrong_index(indices.data()); },
        [&] { batch.pick(indices.data(), actions.data()); });
    return actions;
}

// Where the actions of each game start, and all of them in one array.
nb::tuple actions_of(Batch& batch) {
    auto starts = new_array<std::int64_t>(batch.size() + 1);
    std::int64_t* start = starts.data();
    start[0] = 0;
    for (std::size_t game = 0; game < batch.size(); ++game) start[game + 1] = start[game] + batch.counts[game];
    auto actions = new_array<PackedAction>(static_cast<std::size_t>(start[batch.size()]));
    // Another thread may have stepped the batch since it was counted.
    const auto recounted = [&] {
        std::size_t game = 0;
        while (game < batch.size() && start[game + 1] - start[game] == batch.counts[game]) ++game;
        return game;
    };
    run_alone(batch, " was stepped meanwhile", recounted, [&] { batch.list(start, actions.data()); });
    return nb::make_tuple(starts, actions);
}

void step(Batch& batch, const Indices& indices) {
    check_size(batch, indices.shape(0));
    run_alone(
        batch, " has no such legal action", [&] { return batch.first_wrong_index(indices.data()); },
        [&] { batch.step(indices.data()); });
}

void act(Batch& batch, const Actions& actions) {
    check_size(batch, actions.shape(0));
    run_alone(
        batch, ": the action is not legal", [&] { return batch.first_wrong_action(actions.data()); },
        [&] { batch.act(actions.data()); });
}

std::uint64_t random_steps(Batch& batch, std::uint32_t steps) {
    std::uint64_t ended = 0;
    run_alone(batch, "", [&] { return batch.size(); }, [&] { ended = batch.random_steps(steps); });
    return ended;
}

void reset(Batch& batch) {
    run_alone(batch, "", [&] { return batch.size(); }, [&] { batch.reset(); });
}

}  // namespace

NB_MODULE(_core, m) {
    // What a cache of Python keeps to the end of the process is no leak.
    nb::set_leak_warnings(false);
    envs::bind(m);
    envs::bind_seats(m);
    solving::bind(m);
    inference::bind(m);
    rolling::bind(m);
    replays::bind(m);
    m.attr("ABI") = ABI;
    m.attr("STATE_SIZE") = sizeof(State);
    nb::dict presets;
    for (const Preset& preset : PRESETS) presets[preset.name] = preset.rules.bits;
    m.attr("PRESETS") = presets;
    nb::list reasons;
    for (int reason = 0; reason < static_cast<int>(Reason::LEGAL); ++reason) {
        reasons.append(name_of(static_cast<Reason>(reason)));
    }
    m.attr("REASONS") = reasons;
    nb::exception<Refused>(m, "Refused", PyExc_ValueError);

    m.def(
        "legal",
        [](nb::bytes state, int seat) {
            check_seat(seat);
            return list_actions(state_from(state), seat);
        },
        "state"_a, "seat"_a);
    m.def("pending", [](nb::bytes state) { return static_cast<int>(state_from(state).pending); }, "state"_a);
    m.def(
        "after",
        [](nb::bytes packed, int seat, PackedAction action) {
            State state = state_from(packed);
            apply(state, seat, check_action(state, seat, action));
            return bytes_of(state);
        },
        "state"_a, "seat"_a, "action"_a);
    m.def(
        "refusal",
        [](nb::bytes packed, int seat, PackedAction action) {
            check_seat(seat);
            return std::string(name_of(refusal(state_from(packed), seat, unpack(action))));
        },
        "state"_a, "seat"_a, "action"_a);
    m.def(
        "perft",
        [](nb::bytes packed, int depth) {
            if (depth < 0) throw nb::value_error("no such depth");
            const State state = state_from(packed);
            nb::gil_scoped_release unlocked;
            return perft(state, depth);
        },
        "state"_a, "depth"_a);
    m.def("playouts", &playouts, "state"_a, "rounds"_a, "seed"_a);
    m.def("random_rounds", &random_rounds, "rules"_a, "rounds"_a, "seed"_a, "threads"_a = 1);
    m.def(
        "greedy_action",
        [](nb::bytes packed, int seat) {
            check_seat(seat);
            const State state = state_from(packed);
            if (!state.is_pending(seat)) throw nb::value_error("the seat has nothing to decide");
            return pack(greedy_action(state, seat));
        },
        "state"_a, "seat"_a);
    m.def("rating", [](std::uint64_t hand) { return rating(hand & ALL_CARDS); }, "hand"_a);
    m.def(
        "fault",
        [](nb::bytes packed) -> nb::object {
            if (packed.size() != sizeof(State)) return nb::str("a state has 112 bytes");
            State state;
            std::memcpy(&state, packed.data(), sizeof state);
            const Fault fault = fault_of(state);
            return fault ? nb::object(nb::str(fault)) : nb::none();
        },
        "state"_a);
    m.def(
        "deal",
        [](std::uint32_t bits, std::uint32_t goal, std::uint64_t seed, std::uint64_t game, std::uint64_t round) {
            State state;
            Rng rng = rng_for(seed, game, round);
            start_shuffled_round(state, rng, rules_from(bits), goal);
            return bytes_of(state);
        },
        "rules"_a, "goal"_a, "seed"_a, "game"_a = 0, "round"_a = 0);

    nb::class_<LegalActions>(m, "Legal", nb::type_slots(legal_slots))
        .def_prop_ro("may_call", [](const LegalActions& self) { return self.legal.calls; })
        .def_prop_ro("decisions", [](const LegalActions& self) { return self.legal.decisions(); });

    nb::class_<State> state(m, "State");
    state.attr("__hash__") = nb::none();  // it can change
    state.def(
             "__init__", [](State* self, nb::bytes packed) { new (self) State(state_from(packed)); }, "packed"_a)
        .def("__bytes__", &bytes_of)
        .def(
            "__eq__", [](const State& self, const State& other) { return same(self, other); }, nb::is_operator())
        .def_prop_ro("seat", &State::first_pending)
        .def_prop_ro("pending", [](const State& self) { return static_cast<int>(self.pending); })
        .def_prop_ro("phase", [](const State& self) { return static_cast<int>(self.phase); })
        .def_prop_ro("score", &score_pair)
        .def(
            "legal",
            [](const State& self, int seat) {
                check_seat(seat);
                return LegalActions{self, legal_of(self, seat), seat};
            },
            "seat"_a)
        .def(
            "after",
            [](const State& self, int seat, PackedAction action) {
                State next = self;
                apply(next, seat, check_action(self, seat, action));
                return next;
            },
            "seat"_a, "action"_a)
        .def(
            "apply",
            [](State& self, int seat, PackedAction action) { apply(self, seat, check_action(self, seat, action)); },
            "seat"_a, "action"_a)
        .def("automatic", &automatic_of);

    nb::class_<Batch>(m, "Batch")
        .def(
            "__init__",
            [](Batch* self, std::size_t games, std::uint32_t rules, std::uint32_t goal, std::uint64_t seed,
               std::size_t threads, std::uint64_t first) {
                if (games == 0 || games > std::size_t{1} << 24) throw nb::value_error("1 to 16,777,216 games");
                check_threads(threads);
                new (self) Batch(games, rules_from(rules), goal, seed, threads, first);
            },
            "games"_a, "rules"_a, "goal"_a, "seed"_a, "threads"_a = 1, "first"_a = 0)
        .def("__len__", &Batch::size)
        .def_prop_ro("threads", &Batch::threads)
        .def_prop_ro("states",
                     [](nb::handle self) {
                         const Batch& batch = nb::cast<const Batch&>(self);
                         return nb::ndarray<nb::numpy, const std::uint8_t, nb::ndim<2>>(
                             batch.states.data(), {batch.size(), sizeof(State)}, self);
                     })
        .def_prop_ro("scores",
                     [](nb::handle self) {
                         const Batch& batch = nb::cast<const Batch&>(self);
                         return nb::ndarray<nb::numpy, const std::int16_t, nb::ndim<2>>(batch.scores.data(),
                                                                                        {batch.size(), 2}, self);
                     })
        .def_prop_ro("seats", &column_of<&Batch::seats>)
        .def_prop_ro("counts", &column_of<&Batch::counts>)
        .def_prop_ro("calls", &column_of<&Batch::calls>)
        .def_prop_ro("done", &column_of<&Batch::done>)
        .def_prop_ro("rounds", &column_of<&Batch::rounds>)
        .def("reset", &reset)
        .def(
            "legal",
            [](const Batch& self, std::size_t game) {
                if (game >= self.size()) throw nb::index_error("no such game");
                return list_actions(self.states[game], self.seats[game]);
            },
            "game"_a)
        .def("actions", &actions_of)
        .def("pick", &pick, "indices"_a)
        .def("step", &step, "indices"_a)
        .def("act", &act, "actions"_a)
        .def("random_steps", &random_steps, "steps"_a = 1);
}
