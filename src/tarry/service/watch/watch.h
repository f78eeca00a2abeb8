// What dashboards show: the timelines of each model and of all together, how long answers took, and what was
// refused lately. Lanes report to it; any thread may look.
#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <limits>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

#include "tarry/hosting/hosted_model.h"
#include "tarry/hosting/reply.h"
#include "tarry/service/watch/challenger_watch.h"
#include "tarry/service/watch/choice_watch.h"
#include "tarry/service/watch/constant_answer.h"
#include "tarry/service/watch/drift_watch.h"
#include "tarry/service/watch/past_weeks.h"
#include "tarry/service/watch/quality_watch.h"
#include "tarry/service/watch/round_places.h"
#include "tarry/service/watch/timeline.h"
#include "tarry/service/watch/watch_news.h"

namespace tarry::service {

// What is known of a model beside its own numbers.
struct WatchedModel {
  static constexpr double kUnknown = std::numeric_limits<double>::quiet_NaN();

  std::mutex mutex;
  Timeline timeline;
  PastWeeks weeks;
  DelayTimes delays;
  ChoiceWatch choices;  // of a model that chooses
  QualityWatch quality;
  DriftWatch drift;
  NewsWatch news;  // of these two
  RoundMarks marks;
  ChallengerWatch beside;
  std::vector<hosting::ChallengerList::One> challengers = {};  // as of about a second before the last event
  std::vector<DelayTimes> by_class = {};                       // of labels of each class, where there are a few
  std::uint64_t before = 0;  // rounds that it had when this began: of a model from a snapshot
  std::uint64_t duplicates = 0, expired = 0, refused = 0;
  double loss = kUnknown, constant = kUnknown;  // means over about the last thousand labels
  double certificate = kUnknown;

  bool at_rest = true;  // only for gauges

  // Only on the lane.
  ConstantAnswer answer;
  std::uint64_t labels = 0;
  std::int64_t certified_at = 0, challengers_at = 0;
  bool watched = true;  // false: the service keeps no history
};

// What its sentence says before the verdict.
QualityWatch::Beside said_beside(const WatchedModel& watched, const Model& model, std::int64_t now_ms);

// One event that was folded, or answered without a change.
struct FoldedEvent {
  const hosting::HostedModel& model;
  const Event& event;
  const hosting::Folded& folded;
  double seconds = 0;  // that the fold took
  std::int64_t now_ms = 0;
};

struct RefusedRequest {
  std::uint64_t number = 0;  // 1, 2, 3 …
  std::int64_t at_ms = 0;
  int status = 0;
  std::string code, message, model;
};

// Of the service as a whole, once a second.
struct ServiceGauges {
  std::int64_t now_ms = 0;
  std::uint64_t outstanding = 0, backlog = 0, syncs = 0;
  double oldest_ms = 0, sync_seconds = 0;
  double certificate = WatchedModel::kUnknown;  // the sum of those that are known
  double store_bytes = WatchedModel::kUnknown;
};

// How its challengers do, with what is expected of them. On the lane, and not while its mutex is held.
hosting::ChallengerList challengers_of(const hosting::HostedModel& model, WatchedModel& of, std::int64_t now_ms);
// The same for who looks from other threads. On the lane.
void look_at_challengers(WatchedModel& of, const hosting::HostedModel& model, std::int64_t now_ms);

class Watch {
 public:
  explicit Watch(bool watches = true) : watches_(watches) {}

  // Never throws: what it has no memory for is not told.
  void folded(WatchedModel& of, const FoldedEvent& event) noexcept;
  // `model` may be null: nobody knows whose it was.
  void refused(WatchedModel* model, const RefusedRequest& request);
  // What waits now, of one model and of all.
  static void gauge(WatchedModel& of, std::int64_t now_ms, std::uint64_t outstanding, double oldest_ms,
                    std::uint64_t backlog);
  void gauge(const ServiceGauges& gauges);

  // Runs `f(timeline, delays)` while nothing changes.
  template <class F>
  void look(F f) const {
    const std::lock_guard lock(mutex_);
    f(total_, delays_);
  }
  // As kept_watch.h has it for models.
  std::string kept_bytes() const;
  bool keep_on(std::string_view bytes);
  // Those after number `after`, oldest first.
  std::vector<RefusedRequest> refused_after(std::uint64_t after) const;

 private:
  void add(WatchedModel& of, const FoldedEvent& event);
  void count(Timeline& timeline, const FoldedEvent& event, const Step& told) const;

  const bool watches_;
  mutable std::mutex mutex_;
  Timeline total_;
  DelayTimes delays_;
  std::deque<RefusedRequest> refused_;
  std::uint64_t numbered_ = 0;
  std::uint64_t syncs_ = 0;
  double sync_seconds_ = 0;
};

}  // namespace tarry::service
