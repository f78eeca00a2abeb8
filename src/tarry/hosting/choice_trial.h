// The rounds of a model that chooses, as its challenger is judged by them: what that would have earned is estimated
// from how likely each of the two takes what was shown (evaluation/policy_difference.h).
#pragma once

#include <cstdint>
#include <optional>

#include "tarry/base/bytes.h"
#include "tarry/base/shared_map.h"
#include "tarry/evaluation/policy_difference.h"
#include "tarry/model/choice.h"

namespace tarry::hosting {

// A copy shares what both hold.
class ChoiceTrial {
 public:
  // What both would do, of the same actions; the champion's draw is shown.
  void played(Round round, const Choice& champion, const Choice& challenger);
  // `shown`: told with the reward. Where it is not what the champion drew, that one's reward is not known.
  void rewarded(Round round, double reward, const std::optional<ShownLater>& shown);
  bool has_reward(Round round) const;
  // Rounds end in the order in which they were played, those without a reward too, and void ones: whether a choice is
  // void may depend on what was drawn. False: it does not count.
  bool end(Round round);

  std::uint64_t ahead() const { return rewarded_; }  // rewards of rounds that have not ended
  std::optional<evaluation::PolicyDifference::Figures> figures() const { return difference_.figures(); }

  void save(ByteWriter& out) const;
  void load(ByteReader& in);  // throws Error{kCorrupt}

 private:
  struct Waiting {
    evaluation::Stakes stakes = {};
    double reward = 0;
    std::uint32_t action = 0;          // that was drawn: a checksum of its id
    bool told = false, known = false;  // a reward has come; and it is that of the action
  };

  SharedMap<Waiting> waiting_;
  std::uint64_t rewarded_ = 0;
  evaluation::PolicyDifference difference_;
};

}  // namespace tarry::hosting
