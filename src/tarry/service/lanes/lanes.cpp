#include "tarry/service/lanes/lanes.h"

#include <new>
#include <utility>

#include "tarry/base/contract.h"

namespace tarry::service {

Workers::Workers(std::size_t threads) {
  for (std::size_t i = 0; i < threads; ++i) threads_.emplace_back([this] { work(); });
}

void Workers::post(Task task) {
  {
    const std::lock_guard lock(mutex_);
    tasks_.push_back(std::move(task));
  }
  more_.notify_one();
}

void Workers::stop() {
  {
    const std::lock_guard lock(mutex_);
    stopping_ = true;
  }
  more_.notify_all();
  for (std::thread& thread : threads_)
    if (thread.joinable()) thread.join();
}

void Workers::work() {
  for (;;) {
    Task task;
    {
      std::unique_lock lock(mutex_);
      more_.wait(lock, [this] { return stopping_ || !tasks_.empty(); });
      if (tasks_.empty()) return;
      task = std::move(tasks_.front());
      tasks_.pop_front();
    }
    task();
  }
}

bool Lane::submit(Task task) {
  const std::lock_guard lock(mutex_);
  if (tasks_.size() >= limits_.waiting) return false;
  if (!tasks_.empty() && Clock::now() - tasks_.front().first > limits_.behind) return false;
  push(std::move(task));
  return true;
}

void Lane::submit_always(Task task) {
  const std::lock_guard lock(mutex_);
  push(std::move(task));
}

void Lane::push(Task task) {
  tasks_.emplace_back(Clock::now(), std::move(task));
  if (running_) return;
  try {
    workers_.post([self = shared_from_this()] { self->drain(); });
  } catch (...) {  // a task that nobody will run must not be there
    tasks_.pop_back();
    throw;
  }
  running_ = true;
}

std::size_t Lane::waiting() const {
  const std::lock_guard lock(mutex_);
  return tasks_.size();
}

// A few tasks in a row, then the other lanes have their turn.
void Lane::drain() {
  constexpr int kInARow = 64;
  for (int i = 0; i < kInARow; ++i) {
    Task task;
    {
      const std::lock_guard lock(mutex_);
      if (tasks_.empty()) {
        running_ = false;
        return;
      }
      task = std::move(tasks_.front().second);
      tasks_.pop_front();
    }
    ensure(at_work_.exchange(std::this_thread::get_id()) == std::thread::id(), "one task of a lane runs at a time");
    try {
      task();
    } catch (const std::bad_alloc&) {  // the lane goes on; the client hears when the reply is let go of
    }
    at_work_ = std::thread::id();
  }
  workers_.post([self = shared_from_this()] { self->drain(); });
}

}  // namespace tarry::service
