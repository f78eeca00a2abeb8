// A model while it is served, and the models by name and by incarnation.
#pragma once

#include <atomic>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <new>
#include <optional>
#include <shared_mutex>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "tarry/base/tally.h"
#include "tarry/hosting/models.h"
#include "tarry/service/lanes/lanes.h"
#include "tarry/service/watch/name_watch.h"
#include "tarry/service/watch/round_places.h"
#include "tarry/service/watch/watch.h"

namespace tarry::service {

using hosting::Position;

struct Served {
  Served(hosting::ModelPointer hosted, std::shared_ptr<Lane> its_lane);

  const std::string name;
  const std::shared_ptr<Lane> lane;
  const double expires_after;  // seconds; 0: not by time
  const bool chooses;
  struct Facts {
    std::string about;             // what it is made of, in short
    std::string spec, first_spec;  // of the model now, and of the one that was there first
  };
  Facts facts() const;  // from any thread

  // Only on the lane.
  const hosting::ModelPointer model;
  bool gone = false;      // deleted
  std::string explained;  // for its page, once somebody asked
  NameWatch names;
  ClosedRounds closed;
  // An event was applied; then, what was applied since the last time is in the log, in so many entries. Neither throws:
  // what there is no memory for is not remembered.
  void note_applied(const Event& event, const hosting::Folded& applied) noexcept;
  void remember_closed(std::size_t entries) noexcept;

  // To look at, from any thread: as of the last event.
  struct Numbers {
    std::atomic<std::uint64_t> rounds = 0, outstanding = 0, settled = 0, expired = 0, voided = 0, events = 0;
    std::atomic<std::int64_t> bytes = 0;  // of memory
    std::atomic<Position> position = 0;
    std::atomic<std::int64_t> oldest_since_ms = 0;  // 0: none waits
  };
  Numbers numbers;
  WatchedModel watched;
  void publish();        // on the lane
  void look_at_facts();  // on the lane, after another model took the place of this one

 private:
  mutable std::mutex mutex_;
  Facts facts_;
  Round next_mark_ = 0;
  std::vector<std::optional<ClosedRound>> applied_;  // not in the log yet; what closed no round is nothing
};

using ServedPointer = std::shared_ptr<Served>;

// Gives a frozen copy back at its end, whatever happens, and reports to its model what memory came free: the copy was
// counted as the model's.
template <class Frozen>
struct ReturnsCopy {
  std::optional<Frozen>& copy;
  ServedPointer of;

  ReturnsCopy(std::optional<Frozen>& frozen, ServedPointer served) : copy(frozen), of(std::move(served)) {}
  ReturnsCopy(const ReturnsCopy&) = delete;
  ReturnsCopy& operator=(const ReturnsCopy&) = delete;
  ~ReturnsCopy() {
    const TallySince before;
    copy.reset();
    try {
      of->lane->submit_always([served = of, freed = before.bytes()] { served->model->count_copy(freed); });
    } catch (const std::bad_alloc&) {  // then it is counted too high
    }
  }
};

inline constexpr std::size_t kMostCopies =
    4;  // of models that wait to be read beside their lanes, for snapshots and hashes each

class ServedModels {
 public:
  void add(const ServedPointer& served);
  void remove(const ServedPointer& served);
  ServedPointer find(std::string_view name) const;
  ServedPointer find(Position incarnation) const;
  std::vector<ServedPointer> all() const;  // by name
  std::size_t size() const;

 private:
  mutable std::shared_mutex mutex_;
  std::map<std::string, ServedPointer, std::less<>> by_name_;
  std::unordered_map<Position, ServedPointer> by_incarnation_;
};

}  // namespace tarry::service
