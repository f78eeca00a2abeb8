// Whether what does not wait for labels has changed: features, predictions, and how labels come. Pure: it gets what
// happens and when, and keeps the alarms. On average it raises at most one false alarm a year over all that it watches
// (drift_column.h says under which condition); each watched column has its share of that. Memory is bounded: about 4 kB
// for each of at most 32 features. One thread at a time.
#pragma once

#include <cstdint>
#include <deque>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "tarry/quality/drift_column.h"
#include "tarry/quality/label_arrivals.h"

namespace tarry::quality {

enum class DriftKind : std::uint8_t { kFeature, kNewNames, kPrediction, kLabel, kDelay, kArrivals };
inline constexpr std::size_t kDriftKinds = 6;
std::string_view name_of(DriftKind kind);  // for metrics: "feature", "new_names", …

struct Alarm {
  DriftKind kind = DriftKind::kFeature;
  std::string column = {};  // the feature, or the first name that is new
  std::int64_t since_ms = 0, raised_ms = 0;
  std::int64_t over_ms = 0;    // 0: it lasts
  Difference difference = {};  // of arrivals: labels that were usual, and that came
};

class Drift {
 public:
  static constexpr double kFalseAlarmsAYear = 1;
  static constexpr std::size_t kMostColumns = 32, kMostNames = 1024, kAlarmsKept = 50;

  // A decision: begin, its features, what was predicted.
  void decided(std::int64_t now_ms);
  void feature(std::string_view name, const ColumnValue& value);
  void predicted(const ColumnValue& value);
  // A label that came, after so long.
  void labelled(std::int64_t now_ms, const std::optional<ColumnValue>& label, std::int64_t wait_ms);
  // To be called now and then while the service runs: time without events counts, too.
  void advance(std::int64_t now_ms);

  const std::deque<Alarm>& alarms() const { return alarms_; }  // oldest first; those that last and the last others
  std::size_t lasting(DriftKind kind) const;
  std::uint64_t raised(DriftKind kind) const { return raised_[static_cast<std::size_t>(kind)]; }
  // Until when it only learns; 0: nothing was seen yet.
  std::int64_t learns_until_ms() const { return first_ms_ == 0 ? 0 : first_ms_ + kLearnMs; }
  std::size_t watched() const { return features_.size(); }

  void save(ByteWriter& out) const;
  static Drift load(ByteReader& in);  // throws Error{kCorrupt}

 private:
  struct Feature {
    std::string name;
    DriftColumn column;
    double seen = 0;  // in this block
  };
  void close(std::int64_t from_ms);
  void tell(ScoredSteps::Turn turn, DriftKind kind, const std::string& column, std::int64_t since_ms,
            const Difference& difference, std::int64_t now_ms);
  double uniform();

  std::int64_t first_ms_ = 0, block_ = 0, told_ms_ = 0;  // block_: since 1970
  std::uint64_t drawn_ = 0;
  double decisions_ = 0;  // in this block
  bool alive_ = false;    // somebody told the time in this block
  std::vector<Feature> features_;
  std::size_t next_ = 0;                 // where the next feature is, if they come in the same order
  std::set<std::uint64_t> names_;        // hashes of those of the first day
  bool names_known_ = true;              // there are not too many
  double new_ = 0;                       // decisions of this block with a name that is new
  bool is_new_ = false;                  // of this decision
  std::string new_name_;                 // the first of them since it was usual
  std::vector<DriftColumn> others_;      // new names, predictions, labels, delays
  std::vector<LabelArrivals> arrivals_;  // one, once there was a decision
  std::deque<Alarm> alarms_;
  std::array<std::uint64_t, kDriftKinds> raised_{};
};

}  // namespace tarry::quality
