// Work on models: what is submitted for one model runs in order, one at a time, on whichever thread is free; a long
// update of one model leaves the threads of the others alone.
#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

namespace tarry::service {

using Task = std::function<void()>;

class Workers {
 public:
  explicit Workers(std::size_t threads);
  ~Workers() { stop(); }
  Workers(const Workers&) = delete;
  Workers& operator=(const Workers&) = delete;

  void post(Task task);
  void stop();  // when all that was posted is done

 private:
  void work();

  std::mutex mutex_;
  std::condition_variable more_;
  std::deque<Task> tasks_;
  bool stopping_ = false;
  std::vector<std::thread> threads_;
};

// The workers must outlive it. A lane is held by its model and, while it has tasks, by the workers; a task is let go of
// as soon as it has run.
class Lane : public std::enable_shared_from_this<Lane> {
 public:
  struct Limits {
    std::size_t waiting = 2000;       // tasks
    std::chrono::seconds behind{10};  // how long the first of them may have waited
  };
  Lane(Workers& workers, Limits limits) : workers_(workers), limits_(limits) {}

  // False, and nothing happens, where the lane is too far behind.
  bool submit(Task task);
  void submit_always(Task task);  // what the service itself must do
  std::size_t waiting() const;
  // Whether the caller is a task of this lane: what a lane guards is touched by nobody else.
  bool is_here() const { return at_work_.load(std::memory_order_relaxed) == std::this_thread::get_id(); }

 private:
  using Clock = std::chrono::steady_clock;
  void push(Task task);  // with the mutex held
  void drain();

  Workers& workers_;
  Limits limits_;
  mutable std::mutex mutex_;
  std::deque<std::pair<Clock::time_point, Task>> tasks_;
  bool running_ = false;
  std::atomic<std::thread::id> at_work_ = {};  // whose task runs
};

}  // namespace tarry::service
