// Passes a model's events to quality/drift.h, and its findings on to people: a sentence for each alarm that lasts, a
// line for each of the last ones.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "tarry/hosting/hosted_model.h"
#include "tarry/quality/drift.h"

namespace tarry::service {

// One thread at a time.
class DriftWatch {
 public:
  // An event that was applied.
  void folded(const Model& model, const Event& event, const hosting::Folded& folded, std::int64_t now_ms);
  void advance(std::int64_t now_ms) { drift_.advance(now_ms); }

  const quality::Drift& drift() const { return drift_; }
  bool alarmed() const;
  bool tells(quality::DriftKind kind) const;  // an alarm of this kind lasts
  // Of alarms that last, each with a space behind; empty: there are none.
  std::string sentences(std::int64_t now_ms) const;
  // {"learns_until", "features", "alarms": [{"number", "kind", "column", "since", "raised", "over", "text", "look"},
  // …]}, the newest first
  void append(std::string& out) const;

  void save(ByteWriter& out) const { drift_.save(out); }
  void load(ByteReader& in, std::uint64_t form) { drift_ = quality::Drift::load(in, form); }

 private:
  quality::Drift drift_;
};

std::string text_of(const quality::Alarm& alarm);
std::string_view look_of(quality::DriftKind kind);  // where to look

}  // namespace tarry::service
