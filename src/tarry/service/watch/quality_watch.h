// How good a model is, as far as it is known before its labels have come: what is expected of them, whether its
// probabilities come true, and what to say of both in one sentence. Since the service was started.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "tarry/hosting/hosted_model.h"
#include "tarry/quality/maturing.h"
#include "tarry/quality/reliability.h"

namespace tarry::service {

enum class Health : std::uint8_t { kNoLabels, kTooEarly, kUnclear, kBetter, kWorse };
std::string_view name_of(Health health);

// One thread at a time.
class QualityWatch {
 public:
  // A play, or feedback that was applied for the first time.
  void folded(const Model& model, const Event& event, const hosting::Folded& folded, std::int64_t now_ms);
  // A label, or the one that a window's end stands for, beside what a constant answer lost.
  void judged(const Model& model, double label, const hosting::Folded& folded, double constant, std::int64_t now_ms);
  void review(std::int64_t now_ms);  // does something at most once a second, and once in an eighth of a span

  Health health(std::int64_t now_ms) const;
  std::string sentence(std::int64_t now_ms) const;
  const quality::Maturing& maturing() const { return maturing_; }
  const quality::Reliability& reliability() const { return reliability_; }
  // Whether predictions are off by more than chance explains, and by something that matters.
  bool is_miscalibrated() const;
  // {"health", "miscalibrated", "overdue", "sentence", "lately", "complete", "spans", "reliability", "checks"}; `more`
  // is added to the sentence.
  void append(std::string& out, std::int64_t now_ms, const std::string& more = "") const;

  template <class F>
  void fields(F& f) {
    f(maturing_, reliability_);
  }
  template <class F>
  void later_fields(F& f) {
    maturing_.later_fields(f);
  }
  void forget_usual() { maturing_.forget_usual(); }
  bool is_sound() const { return maturing_.is_sound(); }  // after it was loaded

 private:
  std::string warnings(std::int64_t now_ms) const;  // each with a space in front

  quality::Maturing maturing_;
  quality::Reliability reliability_;
  std::int64_t reviewed_ms_ = 0;
};

}  // namespace tarry::service
