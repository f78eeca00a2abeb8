// Group commit: many threads append to one log, one thread makes it durable for all of them, and answers that wait for
// it are sent then. A log that cannot be synced is the end: `broken` is called once, and must not return to work.
#pragma once

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <functional>
#include <mutex>
#include <span>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "tarry/hosting/log.h"

namespace tarry::service {

using hosting::Position;

// The log must outlive it. Functions that it is given are kept until they were called, at the latest by its end; a Room
// must not outlive its committer.
class Committer {
 public:
  // `opening` gives an entry that must stand in the log before any other, if there is one: it is written with the first
  // reservation, so that a log without room can be opened.
  Committer(hosting::Log& log, std::function<void(const std::string& why)> broken,
            std::function<std::string()> opening = {});
  ~Committer();  // after what was appended is durable
  Committer(const Committer&) = delete;
  Committer& operator=(const Committer&) = delete;

  // Room in the log, so that what is done to a model can be written down for sure; what is left of it is given back.
  class Room {
   public:
    Room(Room&& other) noexcept;
    Room& operator=(Room&&) = delete;
    ~Room();

   private:
    friend class Committer;
    Room(Committer& of, std::size_t records, std::size_t bytes) : of_(&of), records_(records), bytes_(bytes) {}
    Committer* of_;
    std::size_t records_, bytes_;
  };

  // Throws Error{kFull}: nothing has changed then. Any other error of the log is its end.
  Room reserve(std::size_t records, std::size_t bytes);
  // Within the room; gives the position of the last one. `then` runs before anyone else can append.
  Position append(Room room, std::span<const std::string_view> payloads,
                  const std::function<void(Position)>& then = {});

  // Calls `f` once all up to `position` is durable: at once, or later from another thread.
  void when_durable(Position position, std::function<void()> f);

  bool opened() const { return opened_; }
  Position appended() const { return appended_; }
  Position durable() const { return durable_; }
  // Runs `f` while nobody appends.
  void between_appends(const std::function<void(Position last)>& f);

  struct Counts {
    std::uint64_t syncs = 0;
    double seconds = 0;  // spent in them
    double longest = 0;
  };
  Counts counts() const;

 private:
  struct Waiting {
    Position position;
    std::function<void()> f;
  };
  void open();
  void give_back(std::size_t records, std::size_t bytes);
  void work();
  void finish(Position durable);

  hosting::Log& log_;
  std::function<void(const std::string&)> broken_;
  std::function<std::string()> opening_;
  std::atomic<bool> opened_;
  mutable std::mutex mutex_;  // of the log's end and of what follows
  std::condition_variable more_;
  std::size_t reserved_records_ = 0, reserved_bytes_ = 0;
  std::vector<Waiting> waiting_;
  Counts counts_;
  bool stopping_ = false;
  std::atomic<Position> appended_, durable_;
  std::thread thread_;
};

}  // namespace tarry::service
