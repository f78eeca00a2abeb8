// Which rounds are kept where not all can be. Round t draws u uniformly from (0, 1) by (seed, t); its score is u times
// its age in rounds. When more than `most` wait, those with the largest scores go, an eighth of them at once, and θ is
// the smallest score that went. So a round of age a is kept while u ≤ θ/a: its chance falls as 1/a, recent rounds are
// nearly always kept, and W, the least θ/a of the times when rounds went, is exactly the probability with which it is
// still there, given what all others drew (docs/theory.md, 21).
#pragma once

#include <cstdint>
#include <vector>

#include "tarry/base/bytes.h"
#include "tarry/base/shared_map.h"
#include "tarry/ledger/round.h"

namespace tarry {

struct Tracked {
  std::uint64_t most = 0;  // rounds that may wait at once; 0: any number
  std::uint64_t seed = 0;

  bool any() const { return most > 0; }
  bool operator==(const Tracked&) const = default;
};

inline constexpr std::uint64_t kFewestTracked = 2;  // with one, the variance of weights may be infinite
inline constexpr std::uint64_t kMostTracked = std::uint64_t{1} << 30;

class Tracking {
 public:
  explicit Tracking(Tracked asked = {}) : asked_(asked) {}

  const Tracked& asked() const { return asked_; }
  // The newest round has been played. Gives the rounds that go, oldest first; they are not known any more.
  std::vector<Round> add(Round newest);
  void remove(Round round) { chance_.erase(round); }
  // W of a round that is kept; 1 where nothing is dropped.
  double chance(Round round) const;

  void save(ByteWriter& out) const;
  void load(ByteReader& in);  // on error it must not be used further
  std::size_t size() const { return chance_.size(); }
  bool keeps(Round round) const { return chance_.contains(round); }

 private:
  double score(Round round, Round newest) const;

  Tracked asked_;
  SharedMap<double> chance_;  // of the rounds that are kept
};

}  // namespace tarry
