// What a model that chooses has earned, beside what simple rules would have: any action alike, and always the same one.
// All of it follows from what was shown, how likely that was, and what it earned.
//
// Rounds count in the order of their plays, each once its wait has ended and that of all before it, as an apprentice's
// do (apprentice.h). Of an action that alone is taken, those rounds count in which it could be; what the model
// predicted of each such action waits with the round (DR).
#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "tarry/base/bytes.h"
#include "tarry/evaluation/policy_value.h"
#include "tarry/model/choice.h"
#include "tarry/model/given_up.h"

namespace tarry {

class Comparison {
 public:
  static constexpr std::size_t kMostActions = 16;  // that are told apart: the first that came

  explicit Comparison(std::optional<evaluation::RewardRange> range = std::nullopt);

  void played(Round round, const Choice& choice, const std::optional<ShownInstead>& shown);
  void shown(Round round, const ShownLater& shown);  // told with the reward, before it
  // `revisable`: another reward may take its place, which is another call.
  void rewarded(Round round, double reward, bool revisable);
  void lost(Round round);    // its reward never comes
  void voided(Round round);  // it was never shown
  void final(Round round);   // its reward stays as it is

  struct Policy {
    std::uint64_t rounds = 0;
    evaluation::Estimate ips = {}, snips = {};
    std::optional<evaluation::Estimate> dr = std::nullopt;

    // The one that says most: DR where it has an interval, then IPS, then SNIPS.
    const evaluation::Estimate& best() const { return dr && dr->low ? *dr : ips.low ? ips : snips; }
  };
  struct Figures {
    std::uint64_t rounds = 0;  // whose reward has come
    evaluation::Estimate earned = {};
    Policy uniform = {};
    std::vector<std::pair<std::string, Policy>> always = {};  // the best first; their intervals hold all together
    GivenUp::Figures exploration = {};                        // of all rounds in which the model's own draw was shown
  };
  Figures figures() const;
  bool any() const { return !ids_.empty(); }

  void save(ByteWriter& out) const;
  void load(ByteReader& in, bool more);
  // What single actions would earn, and exploration: states of before there was that are as they were.
  bool keeps_more() const { return more_; }
  void save_more(ByteWriter& out) const;
  void load_more(ByteReader& in);

 private:
  struct Alone {            // an action that could be taken
    float reward = 0;       // that was predicted
    float probability = 0;  // no larger than it was; 0: nothing is known
  };
  struct Judged {            // a round
    double probability = 0;  // of what was shown; 0: it is not known, and the round is not judged
    double uniform = 0;      // how likely that would be if all were alike
    double taken = 0, policy = 0, up = 0, down = 0;  // what the model predicted: as in evaluation::Modelled
    double reward = 0;
    std::uint16_t could = 0;  // a bit for each action that could be taken
    std::uint16_t alone = 0;  // and for each whose prediction alone_ has
    std::uint8_t action = 0;  // that was shown; kMostActions: another one
    bool bounded = true, ended = false, rewarded = false, revisable = false;
  };
  struct Guessed {
    evaluation::PolicyValue::Guessed earned = {}, uniform = {}, always = {};
  };
  struct Counted {
    Judged judged;
    Alone own = {};  // of what was shown
    Guessed guessed = {};
  };
  Judged* waiting(Round round);
  std::uint8_t place_of(const std::string& id, std::size_t likely);
  static evaluation::LoggedReward under_uniform(const Judged& x);
  static evaluation::LoggedReward under_one(const Judged& x, const Alone& one, bool taken);
  static evaluation::LoggedReward as_earned(const Judged& x);
  Counted count(const Judged& judged);
  void count_ended();

  std::vector<std::string> ids_;
  Round first_ = 1;  // of those that wait
  std::deque<Judged> waiting_;
  std::deque<Alone> alone_;           // of each that waits, one after the other: its actions in the order of ids_
  std::map<Round, Counted> counted_;  // whose rewards may change
  evaluation::PolicyValue earned_, uniform_;
  std::vector<evaluation::PolicyValue> always_;
  GivenUp given_up_;
  bool more_ = false;
};

// {"rounds", "earned": {"value", "low", "high"}, "uniform": {"rounds", "ips", "snips", "dr"}, "always": [{"id", …}],
// "exploration": …}; what is not known is null.
spec::Value to_value(const Comparison::Figures& figures);
spec::Value to_value(const evaluation::Estimate& estimate);

}  // namespace tarry
