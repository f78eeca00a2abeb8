// What happened lately, in steps of time that grow with the distance: 5 s for ten minutes, 1 min for three hours, 10
// min for a day. A step has two sides: of the decisions made in it (how many, how many of them are answered by now,
// their losses: late feedback changes steps of the past), and of what happened in it. Memory is bounded.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <deque>
#include <limits>
#include <string>
#include <string_view>

namespace tarry::service {

struct Step {
  std::int64_t number = 0;    // since 1970, in steps of its range
  std::uint64_t changed = 0;  // when, in revisions of its timeline

  // Of the decisions made in it.
  std::uint32_t decisions = 0, answered = 0, given_up = 0;
  std::uint32_t losses = 0;           // answers whose loss is known, and the sums over them
  double loss = 0, constant = 0;      // of the model, and of a constant answer to the same labels
  double predicted = 0, outcome = 0;  // what was predicted and what came of it; NaN where one is no number

  // Of what happened in it.
  std::uint32_t feedback = 0, duplicates = 0, expired = 0, refused = 0, updates = 0, backlog = 0, syncs = 0;
  double update_ms = 0, sync_ms = 0;

  // As it was at the end; NaN: not known.
  static constexpr double kUnknown = std::numeric_limits<double>::quiet_NaN();
  double outstanding = kUnknown, oldest_ms = kUnknown, certificate = kUnknown, store_bytes = kUnknown;

  template <class F>
  void fields(F& f) {
    f(number, changed, decisions, answered, given_up, losses, loss, constant, predicted, outcome, feedback, duplicates,
      expired, refused, updates, backlog, syncs, update_ms, sync_ms, outstanding, oldest_ms, certificate, store_bytes);
  }
};

struct Range {
  std::string_view name;
  std::int64_t step_ms;
  std::int64_t kept;  // steps
};
inline constexpr std::array<Range, 3> kRanges{{{"10m", 5'000, 120}, {"3h", 60'000, 180}, {"24h", 600'000, 144}}};

// Of steps with a number and when they changed. One thread at a time.
template <class S>
class TimelineOf {
 public:
  // Does `f` to the step of now in every range.
  template <class F>
  void now(std::int64_t ms, F f) {
    ++revision_;
    for (std::size_t k = 0; k < kRanges.size(); ++k) {
      S& step = current(k, ms);
      f(step);
      step.changed = revision_;
    }
  }
  // Does `f` to the step of an earlier time in every range that still has it.
  template <class F>
  void then(std::int64_t ms, F f) {
    ++revision_;
    for (std::size_t k = 0; k < kRanges.size(); ++k) {
      S* step = find(k, ms);
      if (step == nullptr) continue;
      f(*step);
      step->changed = revision_;
    }
  }

  const std::deque<S>& steps(std::size_t range) const { return steps_[range]; }
  std::uint64_t revision() const { return revision_; }

  template <class F>
  void fields(F& f) {
    f(steps_, revision_);
  }
  bool is_sound() const {  // after it was loaded
    for (std::size_t k = 0; k < kRanges.size(); ++k) {
      const auto before = [](const S& a, const S& b) { return a.number <= b.number; };
      if (steps_[k].size() > static_cast<std::size_t>(kRanges[k].kept) ||
          !std::is_sorted(steps_[k].begin(), steps_[k].end(), before))
        return false;
    }
    return true;
  }

 private:
  S& current(std::size_t range, std::int64_t ms) {
    std::deque<S>& steps = steps_[range];
    const std::int64_t number = ms / kRanges[range].step_ms;
    if (steps.empty() || steps.back().number < number) {
      steps.push_back({.number = number});
      while (steps.front().number <= number - kRanges[range].kept) steps.pop_front();
    }
    return steps.back();
  }
  S* find(std::size_t range, std::int64_t ms) {
    std::deque<S>& steps = steps_[range];
    const std::int64_t number = ms / kRanges[range].step_ms;
    if (!steps.empty() && steps.back().number == number) return &steps.back();  // most feedback is not that late
    const auto at = std::lower_bound(steps.begin(), steps.end(), number,
                                     [](const S& step, std::int64_t wanted) { return step.number < wanted; });
    return at != steps.end() && at->number == number ? &*at : nullptr;
  }

  std::array<std::deque<S>, kRanges.size()> steps_;  // ascending
  std::uint64_t revision_ = 0;
};

using Timeline = TimelineOf<Step>;

// How long answers took: [k] counts delays from 2^k to 2^{k+1} − 1 milliseconds, with those below 1 ms in the first.
struct DelayTimes {
  static constexpr std::size_t kMost = 40;  // 35 years
  std::array<std::uint64_t, kMost> counts{};

  template <class F>
  void fields(F& f) {
    f(counts);
  }

  void add(std::int64_t ms);
  std::uint64_t answers() const;
  // Within which so many of the answers came, by the middle of a bin's octave at worst; 0: there are none.
  double within_ms(double share) const;
  double half_ms() const { return within_ms(0.5); }
};

// The names of a point's numbers in a stream, in the order of append_point.
extern const std::string_view kPointColumns;  // a JSON array
void append_point(std::string& out, const Step& step, std::int64_t step_ms);
void append_counts(std::string& out, const DelayTimes& delays);  // without the zeros at the end

}  // namespace tarry::service
