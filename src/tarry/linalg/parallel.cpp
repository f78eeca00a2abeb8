#include "tarry/linalg/parallel.h"

#include <algorithm>
#include <atomic>
#include <thread>

#ifdef TARRY_STD_THREADS  // Debian's TBB is not built for the thread sanitizer, which then reports false races
#include <exception>
#include <mutex>
#include <vector>
#else
#include <tbb/parallel_for.h>
#include <tbb/task_arena.h>
#endif

namespace tarry {
namespace {

std::atomic<int> thread_limit{0};  // 0: as many as there are cores

}  // namespace

int thread_count() {
  // Asked once: the C library opens a file for each answer.
  static const int cores = std::max(1, static_cast<int>(std::thread::hardware_concurrency()));
  const int limit = thread_limit.load();
  return limit > 0 ? std::min(limit, cores) : cores;
}

ThreadLimit::ThreadLimit(int threads) : previous_(thread_limit.exchange(threads)) {}
ThreadLimit::~ThreadLimit() { thread_limit.store(previous_); }

#ifdef TARRY_STD_THREADS

namespace {

void run_chunks(Index chunks, int threads, const std::function<void(Index)>& one) {
  std::atomic<Index> next{0};
  std::exception_ptr failure;
  std::mutex failure_mutex;
  const auto work = [&] {
    try {
      for (Index k = next++; k < chunks; k = next++) one(k);
    } catch (...) {
      const std::lock_guard lock(failure_mutex);
      failure = std::current_exception();
    }
  };
  std::vector<std::thread> pool;
  for (Index i = 1; i < std::min<Index>(threads, chunks); ++i) pool.emplace_back(work);
  work();
  for (std::thread& thread : pool) thread.join();
  if (failure) std::rethrow_exception(failure);
}

}  // namespace

#else

namespace {

// Each calling thread keeps its arena: making one for each call costs as much as sweeping 50,000 numbers, and its
// workers would have to be woken again.
void run_chunks(Index chunks, int threads, const std::function<void(Index)>& one) {
  thread_local tbb::task_arena arena(threads);
  if (arena.max_concurrency() != threads) {  // a ThreadLimit came or went
    arena.terminate();
    arena.initialize(threads);
  }
  arena.execute([&] { tbb::parallel_for(Index{0}, chunks, one); });
}

}  // namespace

#endif

void parallel_chunks(Index n, Index chunk_size, const std::function<void(Index, Index, Index)>& body) {
  const Index chunks = (n + chunk_size - 1) / chunk_size;
  const auto one = [&](Index k) { body(k, k * chunk_size, std::min(n, (k + 1) * chunk_size)); };
  if (const int threads = chunks > 1 ? thread_count() : 1; threads > 1)
    run_chunks(chunks, threads, one);
  else
    for (Index k = 0; k < chunks; ++k) one(k);
}

}  // namespace tarry
