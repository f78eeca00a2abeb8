#include "tarry/cli/thread_clock.h"

#include <algorithm>
#include <ctime>

namespace tarry::cli {
namespace {

constexpr double kPause = 10e-6;  // no thread is set aside and back for less

double seconds(clockid_t clock) {
  timespec at{};
  clock_gettime(clock, &at);
  return static_cast<double>(at.tv_sec) + 1e-9 * static_cast<double>(at.tv_nsec);
}

struct State {
  double wall = seconds(CLOCK_MONOTONIC);         // at the last call
  double cpu = seconds(CLOCK_THREAD_CPUTIME_ID);  // when the system was asked last
  double since = 0;                               // counted since then
  double total = 0;
};

}  // namespace

double thread_seconds() {
  thread_local State state;
  const double now = seconds(CLOCK_MONOTONIC);
  const double passed = now - state.wall;
  state.wall = now;
  if (passed < kPause) {
    state.since += passed;
    return state.total += passed;
  }
  const double cpu = seconds(CLOCK_THREAD_CPUTIME_ID);
  const double own = std::clamp(cpu - state.cpu - state.since, 0.0, passed);
  state.cpu = cpu;
  state.since = 0;
  state.wall = seconds(CLOCK_MONOTONIC);  // asking is nobody's time
  return state.total += own;
}

}  // namespace tarry::cli
