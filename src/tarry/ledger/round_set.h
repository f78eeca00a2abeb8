// A set of rounds, kept as intervals: rounds given up in a row cost no more than one.
#pragma once

#include <iterator>
#include <map>

#include "tarry/base/bytes.h"
#include "tarry/base/error.h"
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
  bool meets(const RoundSet& other) const {  // whether a round is in both
    auto mine = last_of_.begin(), theirs = other.last_of_.begin();
    while (mine != last_of_.end() && theirs != other.last_of_.end()) {
      if (mine->first <= theirs->second && theirs->first <= mine->second) return true;
      ++(mine->second < theirs->second ? mine : theirs);
    }
    return false;
  }

  void save(ByteWriter& out) const {
    out.u64(last_of_.size());
    for (const auto& [first, last] : last_of_) {
      out.u64(first);
      out.u64(last);
    }
  }
  void load(ByteReader& in, Round issued) {  // of rounds from 1 to `issued`
    *this = {};
    Round before = 0;  // the end of the interval before
    for (std::uint64_t left = in.count(16); left > 0; --left) {
      const Round first = in.u64(), last = in.u64();
      if (first > last || last > issued || (before > 0 ? first <= before + 1 : first == 0))
        throw Error(Code::kCorrupt, "snapshot: intervals of rounds are out of order");
      last_of_.emplace_hint(last_of_.end(), first, last);
      size_ += last - first + 1;
      before = last;
    }
  }

 private:
  std::map<Round, Round> last_of_;  // first round of an interval → its last
  std::uint64_t size_ = 0;
};

}  // namespace tarry
