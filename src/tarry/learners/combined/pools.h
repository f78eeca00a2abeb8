// Learners made of undelayed copies of a base: BOLD (Joulani, György, Szepesvári 2013), where the copy that has been
// free longest plays and then waits for its own feedback, and round robin (Weinberger, Ordentlich 2002) for a fixed
// delay.
#pragma once

#include <deque>
#include <functional>
#include <vector>

#include "tarry/base/contract.h"
#include "tarry/learners/any_learner.h"

namespace tarry {

struct LearnerEntry;

// Makes copy number k of the base. The pool keeps it, and whatever it holds, for its own life: copies are made as the
// pool grows, and again when it is loaded.
using LearnerFactory = std::function<AnyLearner(std::uint64_t k)>;

// The copies, and which of them played a round: the first number of its memo, before the copy's own.
class Pool {
 public:
  // `each`: how many copies each of them is made of, where it is a pool itself.
  explicit Pool(LearnerFactory make, double each = 1) : make_(std::move(make)), each_(each) {}

  void grow_to(std::size_t size);
  double play(std::size_t instance, Round t, const Covector* features, Memo& memo);
  double predict(const Covector& features) const { return learners_.at(last_).predict(features); }
  void write(std::span<double> x) const { learners_.at(last_).write(x); }
  std::size_t receive(Round t, const Feedback& feedback, const Memo& memo);  // which copy it was
  std::size_t abandon(Round t, const Memo& memo);
  std::size_t size() const { return learners_.size(); }
  bool tells_classes() const { return learners_.front().tells_classes(); }
  std::optional<Index> dimension() const { return learners_.front().dimension(); }
  void save(ByteWriter& out) const;
  void load(ByteReader& in);

 private:
  std::size_t player(const Memo& memo) const;

  LearnerFactory make_;
  double each_;
  std::vector<AnyLearner> learners_;
  std::size_t last_ = 0;  // who played last
};

class Bold {
 public:
  explicit Bold(LearnerFactory make, double each = 1) : pool_(std::move(make), each) { release(grow()); }

  double play(Round t, const Covector* features, Memo& memo);
  double predict(const Covector& features) const { return pool_.predict(features); }
  void write(std::span<double> x) const { pool_.write(x); }
  void receive(Round t, const Feedback& feedback, const Memo& memo) { release(pool_.receive(t, feedback, memo)); }
  void abandon(Round t, const Memo& memo) { release(pool_.abandon(t, memo)); }
  void save(ByteWriter& out) const;
  void load(ByteReader& in);
  std::size_t instances() const { return pool_.size(); }
  bool tells_classes() const { return pool_.tells_classes(); }
  std::optional<Index> dimension() const { return pool_.dimension(); }

 private:
  std::size_t grow();
  void release(std::size_t instance) {
    free_.push_back(instance);
    ensure(free_.size() <= pool_.size(), "a copy is free once");
  }

  Pool pool_;
  std::deque<std::size_t> free_;  // longest free first
};

class RoundRobin {
 public:
  RoundRobin(LearnerFactory make, std::size_t delay);

  double play(Round t, const Covector* features, Memo& memo);
  double predict(const Covector& features) const { return pool_.predict(features); }
  void write(std::span<double> x) const { pool_.write(x); }
  void receive(Round t, const Feedback& feedback, const Memo& memo) { pool_.receive(t, feedback, memo); }
  void abandon(Round t, const Memo& memo) { pool_.abandon(t, memo); }
  void save(ByteWriter& out) const;
  void load(ByteReader& in);
  std::size_t instances() const { return pool_.size(); }
  bool tells_classes() const { return pool_.tells_classes(); }
  std::optional<Index> dimension() const { return pool_.dimension(); }

 private:
  Pool pool_;
  std::uint64_t played_ = 0;
};

static_assert(Learner<Bold> && Learner<RoundRobin>);

LearnerEntry bold_entry();
LearnerEntry round_robin_entry();

}  // namespace tarry
