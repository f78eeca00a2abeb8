// Where in the log a model's rounds are: a mark now and then that says up to which position so many rounds were played,
// and for the last rounds that were closed where that is written, and what had been predicted. Bounded. One thread at a
// time.
#pragma once

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

#include "tarry/hosting/log.h"
#include "tarry/ledger/round.h"

namespace tarry::service {

struct RoundMark {
  Round rounds = 0;  // played at or before this position, and no more
  hosting::Position position = 0;

  template <class F>
  void fields(F& f) {
    f(rounds, position);
  }
};

class RoundMarks {
 public:
  static constexpr std::size_t kMost = 512;

  void add(RoundMark mark) {
    if (!marks_.empty() && mark.rounds < marks_.back().rounds + spacing_) return;
    if (marks_.size() >= kMost) {  // every second one, and from now on half as many
      for (std::size_t k = 0; 2 * k < marks_.size(); ++k) marks_[k] = marks_[2 * k];
      marks_.resize((marks_.size() + 1) / 2);
      spacing_ *= 2;
    }
    marks_.push_back(mark);
  }
  // The last one before a round was played. Without one it is in the log before all marks, or not any more.
  const RoundMark* before(Round round) const {
    const auto after =
        std::partition_point(marks_.begin(), marks_.end(), [&](const RoundMark& mark) { return mark.rounds < round; });
    return after == marks_.begin() ? nullptr : &*(after - 1);
  }
  // Those of an earlier run: they come before what this one has.
  void begin_with(RoundMarks earlier) {
    std::swap(*this, earlier);
    for (const RoundMark& mark : earlier.marks_) {
      std::erase_if(marks_,
                    [&](const RoundMark& old) { return old.rounds >= mark.rounds || old.position >= mark.position; });
      marks_.push_back(mark);
    }
  }

  template <class F>
  void fields(F& f) {
    f(marks_, spacing_);
  }
  bool is_sound() const {  // after it was loaded
    const auto grows = [](const RoundMark& a, const RoundMark& b) {
      return a.rounds < b.rounds && a.position < b.position;
    };
    const auto fails = [&](const RoundMark& a, const RoundMark& b) { return !grows(a, b); };
    return spacing_ > 0 && marks_.size() <= kMost &&
           std::adjacent_find(marks_.begin(), marks_.end(), fails) == marks_.end();
  }

 private:
  std::vector<RoundMark> marks_;  // ascending
  std::uint64_t spacing_ = 64;    // rounds between two of them at least
};

struct ClosedRound {
  Round round = 0;
  double prediction = 0;           // as it is shown; over classes, the likeliest one's number
  hosting::Position position = 0;  // of what closed it
};

class ClosedRounds {
 public:
  static constexpr std::size_t kKept = 4096;

  void add(const ClosedRound& one) {
    if (closed_.size() < kKept)
      closed_.push_back(one);
    else
      closed_[next_] = one;
    next_ = (next_ + 1) % kKept;
  }
  const ClosedRound* find(Round round) const {  // null: it was not, or too long ago
    const auto at =
        std::find_if(closed_.begin(), closed_.end(), [&](const ClosedRound& one) { return one.round == round; });
    return at == closed_.end() ? nullptr : &*at;
  }

 private:
  std::vector<ClosedRound> closed_;
  std::size_t next_ = 0;
};

}  // namespace tarry::service
