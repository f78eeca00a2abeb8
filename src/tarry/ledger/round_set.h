// A set of rounds, kept as intervals: rounds given up in a row cost no more than one.
#pragma once

#include <algorithm>

#include "tarry/base/bytes.h"
#include "tarry/base/contract.h"
#include "tarry/base/error.h"
#include "tarry/base/shared_map.h"
#include "tarry/ledger/round.h"

namespace tarry {

class RoundSet {
 public:
  bool contains(Round round) const {
    const auto before = last_of_.at_or_before(round);
    return before && *before.value >= round;
  }

  void insert(Round round) {  // not contained yet
    ensure(round >= 1 && !contains(round), "a round is closed once");
    const Round* after = last_of_.find(round + 1);
    const Round last = after == nullptr ? round : *after;
    const auto before = last_of_.at_or_before(round);
    last_of_.set(before && *before.value + 1 == round ? before.key : round, last);
    if (after != nullptr) last_of_.erase(round + 1);
    ++size_;
  }

  std::uint64_t size() const { return size_; }
  std::size_t intervals() const { return last_of_.size(); }
  // Where the interval begins that has so many before it.
  Round beginning(std::size_t before) const {
    Round at = 0;
    last_of_.each_while([&](Round first, Round) {
      at = first;
      return before-- > 0;
    });
    return at;
  }
  // Rounds before this one are counted, and not known any more.
  void forget_before(Round round) {
    for (auto first = last_of_.first(); first && first.key < round; first = last_of_.first()) {
      const Round end = std::min(*first.value, round - 1), last = *first.value;
      forgotten_ += end - first.key + 1;
      last_of_.erase(first.key);
      if (last >= round) last_of_.set(round, last);
    }
  }
  std::uint64_t forgotten() const { return forgotten_; }
  void count_forgotten(std::uint64_t rounds) {
    forgotten_ += rounds;
    size_ += rounds;
  }
  bool meets(const RoundSet& other) const {  // whether a round is in both
    bool found = false;
    last_of_.each_while([&](Round first, Round last) {
      const auto theirs = other.last_of_.at_or_before(last);
      found = theirs && *theirs.value >= first;
      return !found;
    });
    return found;
  }

  void save(ByteWriter& out) const {
    out.u64(last_of_.size());
    last_of_.each([&](Round first, Round last) {
      out.u64(first);
      out.u64(last);
    });
  }
  void load(ByteReader& in, Round issued) {  // of rounds from 1 to `issued`
    *this = {};
    Round before = 0;  // the end of the interval before
    for (std::uint64_t left = in.count(16); left > 0; --left) {
      const Round first = in.u64(), last = in.u64();
      if (first > last || last > issued || (before > 0 ? first <= before + 1 : first == 0))
        throw Error(Code::kCorrupt, "snapshot: intervals of rounds are out of order");
      last_of_.set(first, last);
      size_ += last - first + 1;
      before = last;
    }
  }

 private:
  SharedMap<Round> last_of_;  // first round of an interval → its last
  std::uint64_t size_ = 0;
  std::uint64_t forgotten_ = 0;  // of them
};

}  // namespace tarry
