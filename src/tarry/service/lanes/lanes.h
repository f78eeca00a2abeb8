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

 private:
  using Clock = std::chrono::steady_clock;
  void push(Task task);  // with the mutex held
  void drain();

  Workers& workers_;
  Limits limits_;
  mutable std::mutex mutex_;
  std::deque<std::pair<Clock::time_point, Task>> tasks_;
  bool running_ = false;
};

}  // namespace tarry::service
