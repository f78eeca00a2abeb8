// A log that is kept in memory, with a bound on its size: for tests and trials.
#pragma once

#include <atomic>
#include <mutex>
#include <string>
#include <vector>

#include "tarry/base/error.h"
#include "tarry/hosting/log.h"

namespace tarry::hosting {

class MemoryLog : public Log {
 public:
  explicit MemoryLog(std::size_t room = SIZE_MAX) : room_(room) {}

  Position last() const override {
    const std::lock_guard lock(mutex_);
    return records_.size();
  }
  Position synced() const override { return synced_; }

  void reserve(std::size_t, std::size_t bytes) override {
    const std::lock_guard lock(mutex_);
    if (bytes > room_) throw Error(Code::kFull, "the log is full");
  }
  Position append(std::span<const std::string_view> payloads) override {
    const std::lock_guard lock(mutex_);
    for (const std::string_view payload : payloads) {
      records_.emplace_back(payload);
      if (room_ != SIZE_MAX) room_ -= payload.size();
    }
    return records_.size();
  }
  Position sync() override {
    if (broken_) throw Error(Code::kIo, "the log cannot be synced");
    return synced_ = last();
  }
  void read(Position after, const std::function<bool(Position, std::string_view)>& visit) const override {
    const Position end = last();
    for (Position position = after + 1; position <= end; ++position) {
      std::unique_lock lock(mutex_);
      const std::string record = records_[position - 1];
      lock.unlock();
      if (!visit(position, record)) return;
    }
  }

  void set_room(std::size_t bytes) {
    const std::lock_guard lock(mutex_);
    room_ = bytes;
  }
  void break_sync() { broken_ = true; }

 private:
  mutable std::mutex mutex_;
  std::vector<std::string> records_;
  std::size_t room_;
  std::atomic<Position> synced_ = 0;
  std::atomic<bool> broken_ = false;
};

}  // namespace tarry::hosting
