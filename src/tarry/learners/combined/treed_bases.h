// Rows come with what trees see behind their last weight: the features as the user gave them, from slot `width` on. A
// round keeps that until its label comes, each entry as one number, slot · 2^32 + the bits of its value.
//
// The bases of a model that also grows trees (trees/boosted_trees.h): banks of rates as ever, and behind them five that
// the weights may choose: the mean of the banks, the trees, and a quarter, half and three quarters of the way from one
// to the other. While the trees sleep (loss_weights.h), these five are the mean of the banks (docs/theory.md, 12.6).
#pragma once

#include <optional>
#include <span>

#include "tarry/learners/combined/banked_bases.h"
#include "tarry/trees/boosted_trees.h"

namespace tarry {

class TreedBases {
 public:
  static constexpr bool kKeepsRows = true;
  static constexpr std::size_t kOwn = 5;

  TreedBases(BankedBases banks, trees::Fits fits, Index width);

  std::size_t size() const { return banks_.size() + kOwn; }
  // How the banks' bases are weighed from now on, and whether trees count.
  void follow(const Vec& weights, bool awake);
  void play(Round t, const Covector* features, std::span<double> predictions, Memo& memo);
  void predict(const Covector& features, std::span<double> predictions) const;
  // The part that is linear in the features: without the trees.
  void predict_linear(const Covector& features, std::span<double> predictions) const;
  void write(std::size_t k, std::span<double> x) const;
  void receive(Round t, const Feedback& feedback, const BasesPlayed& played, std::span<const double> memo);
  void move(const KnownLoss& open, std::span<const double> says, std::span<double> given) {
    banks_.move(open, says, given.first(banks_.size() * open.outputs()));
  }
  void abandon(Round t, std::span<const double> memo) { banks_.abandon(t, memo); }
  void save(ByteWriter& out) const;
  void load(ByteReader& in);
  std::optional<double> bound(const theory::Seen& seen) const { return banks_.bound(seen); }
  std::optional<double> bound(std::size_t k, const theory::Seen& seen) const {
    return k < banks_.size() ? banks_.bound(k, seen) : std::nullopt;
  }
  std::size_t instances() const { return size(); }
  bool tells_classes() const { return false; }

 private:
  bool awake() const { return awake_ && trees_.ready(); }
  double mean_of_banks(std::span<const double> predictions) const;
  Covector for_banks(const Covector& row) const;
  std::optional<double> grown(const Covector& row) const;
  void add_own(double base, std::optional<double> trees, std::span<double> own) const;

  BankedBases banks_;
  trees::Fits fits_;
  Index width_;
  trees::BoostedTrees trees_;
  Vec weights_;  // of the banks' bases
  bool awake_ = false;
  double errors_ = 0, squares_ = 0;  // of the banks' mean: how many, and the sum of their squares
  Link now_;                         // how predictions are shown
};

}  // namespace tarry
