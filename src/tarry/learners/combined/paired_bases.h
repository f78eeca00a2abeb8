// Bases of two kinds for rows that end in products of their features: some see the features alone, the others all of
// the row. Where products say nothing, the first are better, and the weights will show it.
#pragma once

#include "tarry/learners/descent/implicit_adagrad.h"
#include "tarry/learners/registry.h"

namespace tarry {

class PairedBases {
 public:
  PairedBases(ImplicitBases plain, ImplicitBases wide, RowShape row)
      : plain_(std::move(plain)), wide_(std::move(wide)), row_(row) {}

  std::size_t size() const { return plain_.size() + wide_.size(); }
  void play(Round, const Covector* features, std::span<double> predictions, Memo&) {
    if (features != nullptr) predict(*features, predictions);
  }
  void predict(const Covector& features, std::span<double> predictions) const;
  void write(std::size_t k, std::span<double> x) const;
  void receive(Round t, const Feedback& feedback, const BasesPlayed& played, std::span<const double> memo);
  void move(const KnownLoss& open, std::span<const double> says, std::span<double> given);
  void abandon(Round, std::span<const double>) {}
  void save(ByteWriter& out) const;
  void load(ByteReader& in);
  std::optional<double> bound(const theory::Seen& seen) const { return wide_.bound(seen); }
  std::optional<double> bound(std::size_t k, const theory::Seen& seen) const;
  std::size_t instances() const { return size(); }
  bool tells_classes() const { return true; }

 private:
  Covector without_products(const Covector& row) const;
  KnownLoss without_products(const KnownLoss& known);

  ImplicitBases plain_, wide_;
  RowShape row_;
  std::vector<Index> indices_;  // of all outputs' features, without products
  Vec values_;
};

}  // namespace tarry
