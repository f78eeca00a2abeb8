// Banks of bases for rows that end in products of their features, in numbers that bend, or in both: each bank sees more
// of the row than the one before it, the first the features alone, the last everything. Where products or bends say
// nothing, those that do not see them are better, and the weights will show it.
//
// The bank that sees bends is asleep until it learns the first row that has some: it is the one before it until then,
// and begins as its copy. So rows in which nothing bends cost nothing more, and it never begins behind.
#pragma once

#include <vector>

#include "tarry/learners/descent/implicit_adagrad.h"
#include "tarry/learners/registry.h"

namespace tarry {

class BankedBases {
 public:
  // `row` has products, bends or both; every bank begins as `one`.
  BankedBases(const ImplicitBases& one, RowShape row);

  std::size_t size() const { return rates() * ends_.size(); }
  void play(Round t, const Covector* features, std::span<double> predictions, Memo& memo);
  void predict(const Covector& features, std::span<double> predictions) const;
  void write(std::size_t k, std::span<double> x) const { banks_[bank_of(k)].write(k % rates(), x); }
  void receive(Round t, const Feedback& feedback, const BasesPlayed& played, std::span<const double> memo);
  void move(const KnownLoss& open, std::span<const double> says, std::span<double> given);
  void abandon(Round, std::span<const double>) {}
  void save(ByteWriter& out) const;
  void load(ByteReader& in);
  std::optional<double> bound(const theory::Seen& seen) const { return banks_.back().bound(seen); }
  std::optional<double> bound(std::size_t k, const theory::Seen& seen) const;
  std::size_t instances() const { return size(); }
  bool tells_classes() const { return true; }

  // What a bank sees of a row; of a loss it is valid until the next call.
  Covector seen_by(std::size_t bank, const Covector& row) const;
  KnownLoss seen_by(std::size_t bank, const KnownLoss& known);

 private:
  std::size_t rates() const { return banks_[0].size(); }
  std::size_t bank_of(std::size_t k) const { return std::min(k / rates(), banks_.size() - 1); }
  bool asleep() const { return banks_.size() < ends_.size(); }
  void wake(const Covector& row);
  // The part of numbers that stand base by base, so many each, which is the bank's.
  template <class T>
  std::span<T> part(std::size_t bank, std::span<T> all, std::size_t each) const {
    return all.empty() ? all : all.subspan(bank * rates() * each, rates() * each);
  }

  RowShape row_;
  std::vector<Index> ends_;           // of what each bank sees of an output
  std::vector<ImplicitBases> banks_;  // those that are awake
  std::vector<Index> indices_;        // of all outputs' features, as one bank sees them
  Vec values_;
};

}  // namespace tarry
