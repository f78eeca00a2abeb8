// What the journal does in the background: the next segment is made, seals are written, old segments go.
#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "tarry/store/journal/journal.h"

namespace tarry::store {

Journal::Spare Journal::make_spare(std::uint64_t size) {
  const std::string path = fmt::format("{}/next-{}{}", folder_, ++spares_, kUnfinished);
  try {
    std::shared_ptr<File> file = disk_.open(path, Open::kCreate);
    file->fill(size);
    file->sync();
    return {std::move(file), path, size};
  } catch (const Error& error) {
    if (error.code() == Code::kFull) disk_.remove(path);
    throw;
  }
}

void Journal::prepare(std::uint64_t room) {
  const Guard one_at_a_time(preparing_);
  const std::uint64_t size = std::max(options_.segment_bytes, (room + kRecordUnit - 1) / kRecordUnit * kRecordUnit);
  {
    const Guard state(state_);
    check();
    if (!ready_) make_ready();
    if (spare_.file && spare_.size >= size) return;
  }
  try {
    // One that is too small stays until there is a larger one: others may have room in it.
    Spare made = make_spare(size);
    Guard state(state_);
    std::swap(spare_, made);
    spare_refused_ = false;
    state.unlock();
    if (made.file) disk_.remove(made.path);
  } catch (const Error& error) {
    const Guard state(state_);
    spare_refused_ = true;
    if (error.code() == Code::kFull) throw;
    break_down(error);
  }
}

void Journal::prune(Position upto) {
  const Guard one_at_a_time(syncing_);
  std::vector<Position> gone;
  Position first = 0;
  {
    const Guard state(state_);
    check();
    // The segment that stays must be durable, head and name.
    while (firsts_.size() > 1 && firsts_[1] <= synced_ && firsts_[1] - 1 <= upto) {
      gone.push_back(firsts_.front());
      firsts_.erase(firsts_.begin());
    }
    first = firsts_.front();
  }
  if (gone.empty()) return;
  try {
    write_first(disk_, folder_, first);  // durable before the first of them is gone
    for (const Position each : gone) disk_.remove(path(each));
    disk_.sync_folder(folder_);
  } catch (const Error& error) {
    if (error.code() == Code::kFull) throw;
    const Guard state(state_);
    break_down(error);
  }
}

bool Journal::wants_spare() const {
  return broken_.empty() && ready_ && !spare_.file && !spare_refused_ && current_.end > current_.size / 2;
}

bool Journal::wants_seal() const { return broken_.empty() && synced_ > named_ && seal_refused_ != last_; }

void Journal::work() {
  Guard state(state_);
  while (!stop_) {
    try {
      if (wants_spare()) {
        state.unlock();
        prepare();
        state.lock();
      } else if (wants_seal()) {
        const std::uint64_t before = writes_;
        wake_.wait_for(state, options_.idle, [this] { return stop_ || wants_spare(); });
        if (stop_ || writes_ != before || synced_ != last_ || !wants_seal()) continue;
        state.unlock();
        seal();
        state.lock();
      } else {
        resting_ = true;
        wake_.wait(state, [this] { return stop_ || wants_spare() || wants_seal(); });
        resting_ = false;
      }
    } catch (const Error&) {  // a full disk is reported by reserve(); anything else has broken the journal
      if (!state.owns_lock()) state.lock();
    }
  }
}

}  // namespace tarry::store
