// A set of rounds, kept as intervals: rounds given up in a row cost no more than one.
#pragma once

#include <iterator>
#include <map>

#include "tarry/ledger/round.h"

namespace tarry {

class RoundSet {
 public:
  bool contains(Round round) const {
    const auto after = last_of_.upper_bound(round);
    return after != last_of_.begin() && std::prev(after)->second >= round;
  }

  void insert(Round round) {  // not contained yet
    const auto after = last_of_.upper_bound(round);
    const bool joins_after = after != last_of_.end() && after->first == round + 1;
    const Round last = joins_after ? after->second : round;
    const bool joins_before = after != last_of_.begin() && std::prev(after)->second + 1 == round;
    if (joins_before)
      std::prev(after)->second = last;
    else
      last_of_.emplace_hint(after, round, last);
    if (joins_after) last_of_.erase(after);
    ++size_;
  }

  std::uint64_t size() const { return size_; }

 private:
  std::map<Round, Round> last_of_;  // first round of an interval → its last
  std::uint64_t size_ = 0;
};

}  // namespace tarry
