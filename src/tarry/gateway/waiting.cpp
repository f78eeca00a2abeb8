#include "tarry/gateway/waiting.h"

#include <limits>

namespace tarry::gateway {
namespace {

// Of outcomes that came too early, all together; beyond it somebody may wait in vain until their time is up.
constexpr std::size_t kMostEarly = std::size_t{64} << 20;

}  // namespace

Waiting::Waiting(int partitions, std::size_t most) : most_(most), partitions_(static_cast<std::size_t>(partitions)) {}

std::optional<Waiting::Id> Waiting::add(int partition, bool for_outcome, std::int64_t until_ms, Done done) {
  const std::lock_guard lock(mutex_);
  if (entries_.size() >= most_) return std::nullopt;
  const Id id = next_++;
  entries_.emplace(id, Entry{.partition = partition, .for_outcome = for_outcome, .done = std::move(done)});
  ++place(partition).unacknowledged;
  deadlines_.emplace_back(until_ms, id);
  return id;
}

void Waiting::forget_early(Partition& partition, Offset up_to) {
  const auto end = partition.early.upper_bound(up_to);
  for (auto one = partition.early.begin(); one != end; ++one) early_bytes_ -= one->second.size();
  partition.early.erase(partition.early.begin(), end);
}

void Waiting::acknowledged(Id id, Offset offset) {
  Done done;
  News news{.kind = News::Kind::kAcknowledged, .offset = offset};
  {
    const std::lock_guard lock(mutex_);
    const auto found = entries_.find(id);
    if (found == entries_.end()) return;
    Entry& entry = found->second;
    Partition& partition = place(entry.partition);
    --partition.unacknowledged;
    const auto early = partition.early.find(offset);
    if (entry.done && entry.for_outcome && early == partition.early.end()) {
      entry.offset = offset;
      partition.waiting.emplace(offset, id);
    } else {
      if (entry.for_outcome && early != partition.early.end())
        news = {.kind = News::Kind::kOutcome, .offset = offset, .text = early->second};
      done = std::move(entry.done);
      entries_.erase(found);
    }
    // Events of one partition are acknowledged in the order of their places.
    forget_early(partition, partition.unacknowledged == 0 ? std::numeric_limits<Offset>::max() : offset);
  }
  if (done) done(news);
}

void Waiting::refused(Id id, const News& why) {
  Done done;
  {
    const std::lock_guard lock(mutex_);
    const auto found = entries_.find(id);
    if (found == entries_.end()) return;
    Partition& partition = place(found->second.partition);
    if (--partition.unacknowledged == 0) forget_early(partition, std::numeric_limits<Offset>::max());
    done = std::move(found->second.done);
    entries_.erase(found);
  }
  if (done) done(why);
}

void Waiting::outcome(int of_partition, Offset event, std::string_view text) {
  Done done;
  {
    const std::lock_guard lock(mutex_);
    Partition& partition = place(of_partition);
    partition.answered = std::max(partition.answered, event);
    const auto waits = partition.waiting.find(event);
    if (waits == partition.waiting.end()) {
      if (partition.unacknowledged == 0 || early_bytes_ + text.size() > kMostEarly) return;
      if (partition.early.emplace(event, text).second) early_bytes_ += text.size();
      return;
    }
    const auto found = entries_.find(waits->second);
    done = std::move(found->second.done);
    entries_.erase(found);
    partition.waiting.erase(waits);
  }
  done({.kind = News::Kind::kOutcome, .offset = event, .text = std::string(text)});
}

void Waiting::expire(std::int64_t now_ms) {
  std::vector<std::pair<Done, News>> told;
  {
    const std::lock_guard lock(mutex_);
    for (; !deadlines_.empty() && deadlines_.front().first <= now_ms; deadlines_.pop_front()) {
      const auto found = entries_.find(deadlines_.front().second);
      if (found == entries_.end()) continue;
      Entry& entry = found->second;
      const bool acknowledged = entry.offset >= 0;
      told.emplace_back(
          std::move(entry.done),
          News{.kind = acknowledged ? News::Kind::kNoOutcome : News::Kind::kNotAcknowledged, .offset = entry.offset});
      entry.done = {};
      if (!acknowledged) continue;  // it is still on its way
      place(entry.partition).waiting.erase(entry.offset);
      entries_.erase(found);
    }
  }
  for (const auto& [done, news] : told) done(news);
}

Offset Waiting::answered(int partition) const {
  const std::lock_guard lock(mutex_);
  return partitions_[static_cast<std::size_t>(partition)].answered;
}

Waiting::Counts Waiting::counts() const {
  const std::lock_guard lock(mutex_);
  Counts counts;
  for (const Partition& partition : partitions_) counts.unacknowledged += partition.unacknowledged;
  for (const auto& [id, entry] : entries_) counts.waiting += entry.done ? 1 : 0;
  return counts;
}

}  // namespace tarry::gateway
