// For streams that change: beside other banks one that sees the features alone and forgets the squares by which
// AdaGrad's steps shrink, at several speeds. Its steps never get small, so that it follows what changes; where nothing
// does, the others lose less, and the weights will show it.
#pragma once

#include "tarry/learners/combined/banked_bases.h"

namespace tarry {

class ForgettingBases {
 public:
  ForgettingBases(BankedBases others, ImplicitBases forgetting)
      : others_(std::move(others)), forgetting_(std::move(forgetting)) {}

  std::size_t size() const { return others_.size() + forgetting_.size(); }
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
  std::optional<double> bound(const theory::Seen& seen) const { return others_.bound(seen); }
  std::optional<double> bound(std::size_t k, const theory::Seen& seen) const {
    return k < others_.size() ? others_.bound(k, seen) : std::nullopt;
  }
  std::size_t instances() const { return size(); }
  bool tells_classes() const { return true; }

 private:
  BankedBases others_;
  ImplicitBases forgetting_;
};

}  // namespace tarry
