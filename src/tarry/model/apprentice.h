// An apprentice is a model that chooses while something else decides what is shown. Of these
// rounds: how often it agreed, and what it would have earned instead.
//
// Rounds count in the order of their plays, each once its wait has ended and that of all before it: if quick rewards
// counted first, they would count for more than they are.
#pragma once

#include <map>
#include <optional>

#include "tarry/base/bytes.h"
#include "tarry/evaluation/policy_value.h"
#include "tarry/ledger/round.h"
#include "tarry/spec/value.h"

namespace tarry {

class Apprentice {
 public:
  explicit Apprentice(std::optional<evaluation::RewardRange> range = std::nullopt) : value_(range), earned_(range) {}

  // Of a play: whether the model drew what was shown, and how that weighs where it is known how likely it was shown.
  void shown(Round round, bool agreed, const std::optional<evaluation::LoggedReward>& judged);
  // `revisable`: another reward may take its place, which is another call.
  void rewarded(Round round, double reward, bool revisable = false);
  void lost(Round round);    // its reward never comes
  void voided(Round round);  // it was never shown
  void final(Round round);   // its reward stays as it is

  struct Figures {
    std::uint64_t shown = 0, agreed = 0;  // rounds
    std::uint64_t judged = 0;             // rounds whose reward has come and whose probability is known
    double as_shown = 0;                  // what these earned, a round; and what the model would have:
    evaluation::Estimate ips = {}, snips = {}, dr = {};
  };
  Figures figures() const;
  bool any() const { return shown_ > 0; }

  void save(ByteWriter& out) const;
  void load(ByteReader& in);
  // Rounds that were counted, and whose rewards may change, stand apart: most models have none.
  bool keeps_counted() const { return !counted_.empty(); }
  void save_counted(ByteWriter& out) const;
  void load_counted(ByteReader& in);

 private:
  struct Waiting {
    evaluation::LoggedReward judged;
    bool ended = false;
    bool revisable = false;
  };
  struct Counted {
    evaluation::LoggedReward judged;
    evaluation::PolicyValue::Guessed value = {}, earned = {};
  };
  void count_ended();

  std::uint64_t shown_ = 0, agreed_ = 0;
  std::map<Round, Waiting> waiting_;
  std::map<Round, Counted> counted_;
  evaluation::PolicyValue value_, earned_;
};

// {"shown", "agreed", "judged", "as_shown", "ips": {"value", "low", "high"}, "snips": …, "dr": …}; what is not known is
// null.
spec::Value to_value(const Apprentice::Figures& figures);

}  // namespace tarry
