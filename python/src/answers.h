// What code written in Python answered since a model's state was last kept. With it the events since then can be played
// again without calling that code, which may have failed meanwhile.
#pragma once

#include <cstdint>
#include <unordered_map>
#include <utility>
#include <vector>

#include "tarry/ledger/round.h"
#include "tarry/linalg/covector.h"

namespace tarry::python {

class Answers {
 public:
  enum class Mode { kOff, kRecord, kReplay };
  struct Played {
    Vec decision;
    Memo memo;
  };

  Mode mode() const { return mode_; }
  bool replays() const { return mode_ == Mode::kReplay; }
  bool records() const { return mode_ == Mode::kRecord; }
  void off() { mode_ = Mode::kOff; }
  void record() { mode_ = Mode::kRecord; }
  // From the first play on, of which `plays` are left.
  void replay(std::size_t plays) {
    mode_ = Mode::kReplay;
    plays_.resize(plays);
    next_ = 0;
  }

  // Of functions, which answer the same question alike: by what was asked.
  const Vec* find(std::uint64_t question) const {
    const auto found = functions_.find(question);
    return found == functions_.end() ? nullptr : &found->second;
  }
  void keep(std::uint64_t question, const Vec& answer) {
    if (functions_.emplace(question, answer).second) bytes_ += kEach + answer.size() * sizeof(double);
  }

  // Of learners, which are called one at a time: in order.
  void keep(Played play) {
    bytes_ += kEach + (play.decision.size() + play.memo.size()) * sizeof(double);
    plays_.push_back(std::move(play));
  }
  const Played& next() { return plays_.at(next_++); }
  std::size_t plays() const { return plays_.size(); }

  std::size_t bytes() const { return bytes_; }  // about
  void clear() {
    functions_.clear();
    plays_.clear();
    bytes_ = 0;
  }

 private:
  static constexpr std::size_t kEach = 64;

  Mode mode_ = Mode::kOff;
  std::unordered_map<std::uint64_t, Vec> functions_;
  std::vector<Played> plays_;
  std::size_t next_ = 0, bytes_ = 0;
};

}  // namespace tarry::python
