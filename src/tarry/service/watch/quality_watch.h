// How good a model is, as far as it is known before its labels have come: what is expected of them, whether its
// probabilities come true, and what to say of both in one sentence. Since the service was started.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "tarry/hosting/hosted_model.h"
#include "tarry/quality/maturing.h"
#include "tarry/quality/reliability.h"
#include "tarry/service/watch/troubles.h"

namespace tarry::service {

enum class Health : std::uint8_t { kNoLabels, kTooEarly, kUnclear, kBetter, kWorse };
std::string_view name_of(Health health);

// One thread at a time.
class QualityWatch {
 public:
  // A play, or feedback that was applied for the first time.
  void folded(const Model& model, const Event& event, const hosting::Folded& folded, std::int64_t now_ms);
  // A label, or the default one at a window's end, beside what a constant answer lost.
  void judged(const Model& model, double label, const hosting::Folded& folded, double constant, std::int64_t now_ms);
  void review(std::int64_t now_ms);  // does something at most once a second, and once in an eighth of a span

  Health health(std::int64_t now_ms) const;
  // What is wrong comes first.
  struct Beside {
    std::string changed = {};     // sentences about changes, each with a space behind
    bool tells_arrivals = false;  // that labels do not come is among them
    bool chooses = false;         // labels are rewards
    std::uint64_t before = 0;     // rounds that the model had when the watch began
  };
  std::string sentence(std::int64_t now_ms, const Beside& beside) const;
  std::string sentence(std::int64_t now_ms) const { return sentence(now_ms, {}); }
  const quality::Maturing& maturing() const { return maturing_; }
  const quality::Reliability& reliability() const { return reliability_; }
  // Predictions beside what came of them: probabilities of yes, or numbers, of these only the last thousand or so.
  // Classes have none: which class would be meant?
  struct Means {
    double labels = 0, predicted = 0, outcome = 0;

    template <class F>
    void fields(F& f) {
      f(labels, predicted, outcome);
    }
  };
  Means means() const;
  // Whether predictions are off by more than chance explains, and by something that matters.
  bool is_miscalibrated() const;
  const Troubles& troubles() const { return troubles_; }
  // {"health", "miscalibrated", "overdue", "sentence", "troubles", "lately", "complete", "spans", "calibration",
  // "reliability", "checks"}
  void append(std::string& out, std::int64_t now_ms, const Beside& beside) const;

  template <class F>
  void fields(F& f) {
    f(maturing_, reliability_);
  }
  template <class F>
  void later_fields(F& f) {
    maturing_.later_fields(f);
  }
  template <class F>
  void part_fields(F& f) {
    maturing_.part_fields(f);
  }
  // What forms before 4 do not have: without it, troubles that last and means of numbers begin again.
  template <class F>
  void trouble_fields(F& f) {
    f(troubles_, numbers_);
  }
  void forget_usual() { maturing_.forget_usual(); }
  bool is_sound() const { return maturing_.is_sound(); }  // after it was loaded

 private:
  std::string warnings(std::int64_t now_ms, const Beside& beside) const;  // each with a space behind
  std::string verdict(std::int64_t now_ms, const Beside& beside) const;
  void append_calibration(std::string& out) const;
  std::string lasting(Trouble trouble, std::int64_t now_ms) const;  // for how long, or empty

  quality::Maturing maturing_;
  // Only shown. An output recalibrated online (monotone, under delay) was tried on five streams and gained at most
  // 0.001, so there is none.
  quality::Reliability reliability_;
  Means numbers_;
  std::int64_t reviewed_ms_ = 0;
  Troubles troubles_;
};

}  // namespace tarry::service
