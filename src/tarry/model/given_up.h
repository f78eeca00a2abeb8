// What exploring costs a model that chooses: the best of the rewards that it predicts, less what it expects of its own
// draw. Both are known exactly at each play.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "tarry/base/bytes.h"
#include "tarry/model/choice.h"

namespace tarry {

class GivenUp {
 public:
  static constexpr double kLately = 1000;  // rounds, about: each counts for 1/1000 less than the one after it

  void played(const std::vector<RankedAction>& ranking);
  bool any() const { return rounds_ > 0; }

  struct Cost {
    double reward = 0;  // a round
    // Of the best reward that was predicted; nothing where that is not positive, or less than what was given up.
    std::optional<double> share = std::nullopt;
  };
  struct Figures {
    std::uint64_t rounds = 0;
    Cost all = {}, lately = {};
  };
  Figures figures() const;

  void save(ByteWriter& out) const;
  void load(ByteReader& in);

 private:
  struct Means {
    double given_up = 0, best = 0;
  };

  std::uint64_t rounds_ = 0;
  Means all_, lately_;
};

// {"rounds", "cost", "share", "lately": {"cost", "share"}}
spec::Value to_value(const GivenUp::Figures& figures);

}  // namespace tarry
