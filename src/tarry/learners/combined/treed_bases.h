// Rows come with what trees see behind their last weight: the features as the user gave them, from slot `width` on. A
// round keeps that until its label comes, each entry as one number, slot · 2^32 + the bits of its value.
//
// The bases of a model that also grows trees (trees/boosted_trees.h): banks of rates as ever, and behind them five that
// the weights may choose: the base that has lost least so far, the trees, and three mixtures u·(that base) + w·(trees)
// whose shares are learnt by AdaGrad at three rates, from u = w = 1/2.
//
// While few rounds have their labels, and until there are trees, these five are the base that has lost least: they
// begin where it is, and not behind what they would have lost before (docs/theory.md, 12.6).
#pragma once

#include <array>
#include <optional>
#include <span>

#include "tarry/learners/combined/banked_bases.h"
#include "tarry/trees/boosted_trees.h"

namespace tarry {

class TreedBases {
 public:
  static constexpr bool kKeepsRows = true;
  static constexpr std::size_t kMixtures = 3;
  static constexpr std::size_t kOwn = 2 + kMixtures;

  TreedBases(BankedBases banks, trees::Fits fits, Index width);

  std::size_t size() const { return banks_.size() + kOwn; }
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
  struct Mixture {
    double of_base = 0.5, of_trees = 0.5;
    double squares_of_base = 1, squares_of_trees = 1;
    double at(double base, double trees) const { return of_base * base + of_trees * trees; }
  };
  bool awake() const;
  Covector for_banks(const Covector& row) const;
  std::optional<double> grown(const Covector& row) const;
  void learn_mixtures(const KnownLoss& known, double base, double trees);
  void add_own(double base, std::optional<double> trees, std::span<double> own) const;

  BankedBases banks_;
  trees::Fits fits_;
  Index width_;
  trees::BoostedTrees trees_;
  double played_ = 0, told_ = 0;
  Vec lost_;              // by each base of the banks
  std::size_t best_ = 0;  // which has lost least
  std::array<Mixture, kMixtures> mixtures_;
  Link now_;  // how predictions are shown
};

}  // namespace tarry
