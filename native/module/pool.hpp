// Threads that live as long as the batch: started once, woken for every step.
#pragma once

#include <atomic>
#include <cstddef>
#include <functional>
#include <memory>
#include <thread>
#include <vector>

namespace tichu {

class Pool {
public:
    // The calling thread is one of them.
    explicit Pool(std::size_t threads) : threads_(threads), shares_(new Share[threads]) {
        for (std::size_t worker = 1; worker < threads; ++worker) {
            workers_.emplace_back([this, worker] { serve(worker); });
        }
    }

    ~Pool() {
        stopping_ = true;
        wake();
        for (std::thread& worker : workers_) worker.join();
    }

    Pool(const Pool&) = delete;
    Pool& operator=(const Pool&) = delete;

    std::size_t threads() const { return threads_; }

    // Runs work(first, last) over parts of 0 to `count` on all threads; returns when all is done.
    void run(std::size_t count, const std::function<void(std::size_t, std::size_t)>& work) {
        if (threads_ == 1 || count <= PART) {
            work(0, count);
            return;
        }
        work_ = &work;
        for (std::size_t thread = 0; thread < threads_; ++thread) {
            shares_[thread].next.store(count * thread / threads_, std::memory_order_relaxed);
            shares_[thread].last = count * (thread + 1) / threads_;
        }
        open_.store(true);
        wake();
        take_parts(0);
        // Whoever has not come by now finds nothing left; only those at work are waited for.
        open_.store(false);
        for (int looks = 0; inside_.load() != 0;) {
            if (++looks > LOOKS) std::this_thread::yield();
        }
    }

private:
    // Small enough that a thread that is held up costs little, large enough that taking one costs nothing.
    static constexpr std::size_t PART = 32;
    // How often to look for work before going to sleep: a step of a batch follows the last one at once.
    static constexpr int LOOKS = 20000;

    // What is left of a thread's own games.  It has the same ones every time, for they are in its cache.
    struct alignas(64) Share {
        std::atomic<std::size_t> next{0};
        std::size_t last = 0;
    };

    void wake() {
        ticket_.fetch_add(1, std::memory_order_release);
        ticket_.notify_all();
    }

    // Its own share first, then what others have not come to.
    void take_parts(std::size_t own) {
        for (std::size_t offset = 0; offset < threads_; ++offset) {
            Share& share = shares_[(own + offset) % threads_];
            for (;;) {
                if (share.next.load(std::memory_order_relaxed) >= share.last) break;
                const std::size_t first = share.next.fetch_add(PART, std::memory_order_relaxed);
                if (first >= share.last) break;
                (*work_)(first, first + PART < share.last ? first + PART : share.last);
            }
        }
    }

    void serve(std::size_t own) {
        unsigned served = 0;
        for (;;) {
            for (int looks = 0; looks < LOOKS && ticket_.load(std::memory_order_acquire) == served; ++looks) {
            }
            ticket_.wait(served, std::memory_order_acquire);
            served = ticket_.load(std::memory_order_acquire);
            if (stopping_) return;
            // Come in first, then look whether it is open: whoever closes looks the other way round.
            inside_.fetch_add(1);
            if (open_.load()) take_parts(own);
            inside_.fetch_sub(1);
        }
    }

    std::size_t threads_;
    std::unique_ptr<Share[]> shares_;
    std::vector<std::thread> workers_;
    std::atomic<unsigned> ticket_{0};
    std::atomic<bool> stopping_{false};
    std::atomic<bool> open_{false};
    std::atomic<std::size_t> inside_{0};
    const std::function<void(std::size_t, std::size_t)>* work_ = nullptr;
};

}  // namespace tichu
