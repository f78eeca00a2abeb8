// The losses of a model by when its decisions were made, while their labels still come: what has come, and an estimate,
// with an interval, of what the loss will be once all labels are there. Decisions are kept by spans of time: short at
// first, twice as long whenever there are too many of them to reach back as far as labels take.
//
// A span is a draw: its labels lose what labels of their stratum and lateness usually lose, plus something of its own,
// whose size is learnt from the spans that are complete. What the labels that came say of that something is carried
// over to those that are missing, which may have something of their own on top: labels that come first may be of
// another kind. Each estimate is noted when 10, 30 and 60 % of a span's labels are in, and
// compared with what came: intervals become wider or narrower until they hold (checked_interval.h).
#pragma once

#include <array>
#include <cstdint>
#include <deque>
#include <limits>
#include <optional>
#include <vector>

#include "tarry/quality/checked_interval.h"
#include "tarry/quality/late_losses.h"

namespace tarry::quality {

// Of one quantity: what the labels that came say, and what all of them are expected to say.
struct Expected {
  static constexpr double kUnknown = std::numeric_limits<double>::quiet_NaN();
  double so_far = kUnknown, expected = kUnknown;
  double low = kUnknown, high = kUnknown;  // 95 %
};

// Of the decisions of a span of time, or of several.
struct Prospect {
  std::int64_t from_ms = 0, to_ms = 0;
  double decisions = 0, labels = 0;
  double to_come = 0;  // labels, by what is known
  Expected loss = {}, gain = {};

  double share() const { return labels + to_come > 0 ? labels / (labels + to_come) : 0; }
};

// How far estimates were off, once it was known.
struct Checks {
  double share = 0;  // of the labels that were in
  double estimates = 0, off = 0, last_known_off = 0, within = 0;

  template <class F>
  void fields(F& f) {
    f(share, estimates, off, last_known_off, within);
  }
};

// Labels of decisions that are not complete yet: how many were to be expected by now, and how many came.
struct Arrivals {
  double expected = 0, came = 0;

  // Half of them or more are missing, and that is no chance.
  bool overdue() const { return expected >= 50 && came < expected / 2; }
};

// An estimate that waits for its check: of the decisions of a span, made when that share of their labels was in.
struct Noted {
  std::int64_t from_ms = 0, to_ms = 0;
  double share = 0, expected = 0, width = 0, last_known = 0;
};

class Maturing {
 public:
  void decided(std::int64_t now_ms, std::size_t stratum);
  void answered(std::int64_t issued_ms, std::int64_t now_ms, std::size_t stratum, const Judged& judged);
  void given_up(std::int64_t issued_ms, std::size_t stratum);
  // To be called now and then: notes estimates, and checks those whose labels have come.
  void review(std::int64_t now_ms);

  // Oldest first; neighbours together that have fewer decisions than `fewest`.
  std::vector<Prospect> spans(std::int64_t now_ms, double fewest = 0) const;
  // Of the decisions of lately: the newest spans with so many decisions, and all of them that are not complete.
  Prospect lately(std::int64_t now_ms, double decisions = 1000) const;
  // Of the decisions of a period, as far as spans fall into it by their middle.
  Prospect between(std::int64_t from_ms, std::int64_t to_ms, std::int64_t now_ms) const;
  // Of the newest spans that are complete, with so many labels; nothing before there is one.
  std::optional<Prospect> complete(std::int64_t now_ms, double labels = 1000) const;
  Arrivals arrivals(std::int64_t now_ms) const;
  // The share of decisions that have their label when they are so old; nothing while it is too early to say.
  std::optional<double> matured(std::int64_t age_ms, std::int64_t now_ms) const;
  std::vector<Checks> checks() const;
  std::vector<Noted> noted() const;
  const LateLosses& losses() const { return losses_; }
  std::int64_t span_ms() const { return span_ms_; }

  // As it was saved (base/kept_fields.h); what was loaded may be nonsense: see is_sound.
  template <class F>
  void fields(F& f) {
    f(losses_, intervals_, spans_, span_ms_, first_ms_, answered_share_, checks_);
  }
  // What form 1 of a kept watch does not have. As no label is known to be unusual without it, see forget_usual.
  template <class F>
  void later_fields(F& f) {
    for (Span& span : spans_) f(span.usual);
  }
  void forget_usual() {
    for (Span& span : spans_) span.usual = span.sum;
  }
  // What forms 1 and 2 do not have: without it, the decisions of a span were made evenly.
  template <class F>
  void part_fields(F& f) {
    for (Span& span : spans_) f(span.made);
  }
  bool is_sound() const;

 private:
  static constexpr std::array<double, 3> kShares{0.1, 0.3, 0.6};
  static constexpr std::size_t kParts = 4;  // of a span: its decisions are not all as old
  struct Note {
    double expected = Expected::kUnknown, deviation = 0, width = 0, last_known = Expected::kUnknown;

    template <class F>
    void fields(F& f) {
      f(expected, deviation, width, last_known);
    }
  };
  struct Span {
    std::int64_t number = 0;  // since 1970
    std::array<double, kStrata> decisions{}, answered{}, given_up{};
    Judged sum = {};
    Judged usual = {};                  // what such labels usually lose, stratum by stratum and wait by wait
    std::array<double, kParts> made{};  // decisions, by the part of the span
    std::array<Note, kShares.size()> notes{};
    bool checked = false;

    template <class F>
    void fields(F& f) {
      f(number, decisions, answered, given_up, sum, notes, checked);
    }
  };
  struct Effects {  // of spans as a whole, beside what their labels usually lose
    double variance = 0, noise = 0;
  };
  struct Estimate {  // sums over labels
    double sum = 0, variance = 0, labels = 0, to_come = 0;
  };

  Span* find(std::int64_t ms);
  Span& current(std::int64_t ms);
  void widen();
  bool too_early(std::int64_t now_ms) const;
  bool is_complete(const Span& span, std::int64_t now_ms) const;
  Ages ages_of(const Span& span, std::int64_t now_ms) const;
  double awaited(const Span& span, std::size_t stratum, double later) const;
  Effects effects(std::int64_t now_ms, double Judged::*what) const;
  Estimate estimate(const Span& span, std::int64_t now_ms, const Effects& effects, const LateSums& late,
                    double Judged::*what) const;
  template <class Spans>
  Prospect prospect(const Spans& spans, std::int64_t now_ms) const;
  double deviations(double share) const;
  std::optional<double> last_known(std::int64_t now_ms) const;

  LateLosses losses_;
  std::array<CheckedInterval, kShares.size()> intervals_;
  std::deque<Span> spans_;  // ascending
  std::int64_t span_ms_ = 1000;
  std::int64_t first_ms_ = 0;  // of the first decision
  double answered_share_ = 1;  // of the decisions of complete spans
  std::array<Checks, kShares.size()> checks_{};
};

}  // namespace tarry::quality
