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
  std::int64_t over_ms = 0;                // 0: it lasts
  Difference difference = {};              // of arrivals: labels that were usual, and that came
  std::uint64_t number = 0;                // 1, 2, 3 …
  std::vector<std::uint64_t> rounds = {};  // some of the rounds behind it; of arrivals none: those that wait are
};

class Drift {
 public:
  static constexpr double kFalseAlarmsAYear = 1;
  static constexpr std::size_t kMostColumns = 32, kMostNames = 1024, kAlarmsKept = 50,
                               kMostRounds = 24;  // of an alarm

  // A decision: begin, its features, what was predicted. `round` is what an alarm calls it; 0: nothing.
  void decided(std::int64_t now_ms, std::uint64_t round = 0);
  void feature(std::string_view name, const ColumnValue& value);
  void predicted(const ColumnValue& value);
  // A label that came, after so long.
  void labelled(std::int64_t now_ms, const std::optional<ColumnValue>& label, std::int64_t wait_ms,
                std::uint64_t round = 0);
  // To be called now and then while the service runs: time without events counts, too.
  void advance(std::int64_t now_ms);

  const std::deque<Alarm>& alarms() const { return alarms_; }  // oldest first; those that last and the last others
  std::size_t lasting(DriftKind kind) const;
  std::uint64_t raised(DriftKind kind) const { return raised_[static_cast<std::size_t>(kind)]; }
  // Until when it only learns; 0: nothing was seen yet.
  std::int64_t learns_until_ms() const { return first_ms_ == 0 ? 0 : first_ms_ + kLearnMs; }
  std::size_t watched() const { return features_.size(); }

  static constexpr std::uint64_t kForm = 2;  // of what save() writes; 1, without the rounds of alarms, is read too
  void save(ByteWriter& out) const;
  static Drift load(ByteReader& in, std::uint64_t form = kForm);  // throws Error{kCorrupt}

 private:
  struct Feature {
    std::string name;
    DriftColumn column;
    double seen = 0;         // in this block
    std::uint64_t last = 0;  // the round that had it last
  };
  void close(std::int64_t from_ms);
  void end_decision();
  void tell(ScoredSteps::Turn turn, DriftKind kind, const std::string& column, std::int64_t since_ms,
            const Difference& difference, std::int64_t now_ms);
  void tell(ScoredSteps::Turn turn, DriftKind kind, const std::string& column, DriftColumn& of, std::int64_t now_ms);
  void add_rounds(DriftKind kind, const std::string& column, const std::vector<std::uint64_t>& rounds);
  static void save_alarm(ByteWriter& out, const Alarm& alarm);
  static Alarm load_alarm(ByteReader& in, std::uint64_t form);
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
  std::string new_name_;                 // the first of them since it was usual,
  std::vector<std::uint64_t> new_in_;    // and rounds that had one
  std::uint64_t round_ = 0;              // of the decision now; 0: none is under way
  std::vector<DriftColumn> others_;      // new names, predictions, labels, delays
  std::vector<LabelArrivals> arrivals_;  // one, once there was a decision
  std::deque<Alarm> alarms_;
  std::array<std::uint64_t, kDriftKinds> raised_{};
};

}  // namespace tarry::quality
