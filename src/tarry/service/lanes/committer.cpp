#include "tarry/service/lanes/committer.h"

#include <algorithm>
#include <chrono>
#include <utility>

#include "tarry/base/contract.h"
#include "tarry/base/error.h"

namespace tarry::service {

Committer::Room::Room(Room&& other) noexcept
    : of_(std::exchange(other.of_, nullptr)), records_(other.records_), bytes_(other.bytes_) {}

Committer::Room::~Room() {
  if (of_ != nullptr) of_->give_back(records_, bytes_);
}

Committer::Committer(hosting::Log& log, std::function<void(const std::string&)> broken,
                     std::function<std::string()> opening)
    : log_(log),
      broken_(std::move(broken)),
      opening_(std::move(opening)),
      opened_(!opening_),
      appended_(log.last()),
      durable_(log.synced()),
      thread_([this] { work(); }) {}

Committer::~Committer() {
  {
    const std::lock_guard lock(mutex_);
    stopping_ = true;
  }
  more_.notify_one();
  thread_.join();
}

Committer::Room Committer::reserve(std::size_t records, std::size_t bytes) {
  const std::lock_guard lock(mutex_);
  try {
    if (!opened_) open();
    log_.reserve(reserved_records_ + records, reserved_bytes_ + bytes);
  } catch (const Error& error) {
    if (error.code() == Code::kIo) broken_(error.what());
    throw;
  }
  reserved_records_ += records;
  reserved_bytes_ += bytes;
  return Room(*this, records, bytes);
}

void Committer::open() {
  const std::string entry = opening_();
  const std::string_view payload = entry;
  log_.reserve(1, entry.size());
  appended_ = log_.append({&payload, 1});
  opened_ = true;
  more_.notify_one();
}

void Committer::give_back(std::size_t records, std::size_t bytes) {
  const std::lock_guard lock(mutex_);
  ensure(reserved_records_ >= records && reserved_bytes_ >= bytes, "all room is counted");
  reserved_records_ -= records;
  reserved_bytes_ -= bytes;
}

Position Committer::append(Room room, std::span<const std::string_view> payloads,
                           const std::function<void(Position)>& then) {
  const std::lock_guard lock(mutex_);
  ensure(room.of_ == this, "who appends has reserved room, and uses it once");
  ensure(payloads.size() <= room.records_, "no more is appended than there is room for");
  ensure(reserved_records_ >= room.records_ && reserved_bytes_ >= room.bytes_, "all room is counted");
  room.of_ = nullptr;
  reserved_records_ -= room.records_;
  reserved_bytes_ -= room.bytes_;
  Position position = 0;
  try {
    position = log_.append(payloads);
    // An append uses up what was reserved, also for others: their room is still there and is asked for again.
    if (reserved_records_ > 0) log_.reserve(reserved_records_, reserved_bytes_);
  } catch (const Error& error) {
    broken_(error.what());
    throw;
  }
  ensure(position >= appended_ + payloads.size(), "positions grow by one with each entry");
  appended_ = position;
  if (then) then(position);
  more_.notify_one();
  return position;
}

void Committer::between_appends(const std::function<void(Position)>& f) {
  const std::lock_guard lock(mutex_);
  f(appended_);
}

void Committer::when_durable(Position position, std::function<void()> f) {
  {
    const std::lock_guard lock(mutex_);
    if (position > durable_) {
      waiting_.push_back({position, std::move(f)});
      return;
    }
  }
  f();
}

Committer::Counts Committer::counts() const {
  const std::lock_guard lock(mutex_);
  return counts_;
}

void Committer::work() {
  using Steady = std::chrono::steady_clock;
  for (;;) {
    {
      std::unique_lock lock(mutex_);
      more_.wait(lock, [this] { return stopping_ || appended_ > durable_; });
      if (appended_ == durable_) return;
    }
    Position durable = 0;
    const auto start = Steady::now();
    try {
      durable = log_.sync();
    } catch (const Error& error) {
      broken_(error.what());
      return;
    }
    const double seconds = std::chrono::duration<double>(Steady::now() - start).count();
    {
      const std::lock_guard lock(mutex_);
      ++counts_.syncs;
      counts_.seconds += seconds;
      counts_.longest = std::max(counts_.longest, seconds);
    }
    finish(durable);
  }
}

void Committer::finish(Position durable) {
  std::vector<Waiting> ready;
  {
    const std::lock_guard lock(mutex_);
    ensure(durable >= durable_ && durable <= appended_, "what is durable was appended, and stays durable");
    durable_ = durable;
    const auto first = std::stable_partition(waiting_.begin(), waiting_.end(),
                                             [&](const Waiting& one) { return one.position > durable; });
    ready.assign(std::make_move_iterator(first), std::make_move_iterator(waiting_.end()));
    waiting_.erase(first, waiting_.end());
  }
  for (Waiting& one : ready) one.f();
}

}  // namespace tarry::service
