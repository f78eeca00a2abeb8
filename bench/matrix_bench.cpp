// Times one update of delayed_ofw on a nuclear ball through the factored track, at the size of MovieLens-1M, against
// the number of entries and of factors, its search for the top pair beside Spectra's, and small matrices dense and
// factored.
// Usage: matrix_bench TURNS [FILE], where FILE receives the direction for other programs to decompose.
#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <fstream>
#include <memory>
#include <stdexcept>
#include <unordered_set>

#include "spectra_pair.h"
#include "tarry/base/random.h"
#include "tarry/learners/frank_wolfe/delayed_ofw.h"
#include "tarry/sets/matrices/nuclear_ball.h"
#include "tarry/theory/step_size.h"
#include "tarry/tracks/factored_track.h"
#include "timing.h"

namespace {

using namespace tarry;
using tarry::bench::Contestant;

struct Size {
  Index rows = 6040, cols = 3952;
  std::size_t entries = 1'000'000;
  std::size_t factors = 100;
};

// Entries of a matrix of rank 8 with noise, popular rows and columns more often: what ratings look like.
class Ratings {
 public:
  Ratings(const Size& size, std::uint64_t seed) : size_(size), random_(seed) {
    for (Index i = 0; i < kRank * (size.rows + size.cols); ++i) taste_.push_back(random_.gaussian());
  }

  struct Rating {
    Index at;
    double value;
  };
  Rating next() {
    for (;;) {
      const Index row = pick(size_.rows), col = pick(size_.cols), at = row * size_.cols + col;
      if (!seen_.insert(at).second) continue;
      double value = random_.gaussian();
      for (Index k = 0; k < kRank; ++k)
        value += 0.25 * taste_[static_cast<std::size_t>(kRank * row + k)] *
                 taste_[static_cast<std::size_t>(kRank * (size_.rows + col) + k)];
      return {at, std::clamp(value, -2.0, 2.0)};
    }
  }

 private:
  static constexpr Index kRank = 8;
  Index pick(Index n) { return static_cast<Index>(static_cast<double>(n) * std::pow(random_.uniform(), 1.5)); }

  Size size_;
  RandomSequence random_;
  Vec taste_;
  std::unordered_set<Index> seen_;
};

constexpr double kRadius = 2000, kGradientBound = 8, kHorizon = 1e6;

// A game that has come far: the entries in the sum of gradients, the factors in the decision.
class Game {
 public:
  explicit Game(const Size& size)
      : set_(size.rows, size.cols, kRadius),
        rule_(theory::ofw_eta_general(set_.diameter(), kGradientBound, kHorizon)),
        ratings_(size, 7),
        track_(set_.shape(), rule_.p_over_y()) {
    rule_.see(kGradientBound);
    pass_until(size.factors);
    for (std::size_t f = 0; f < size.factors; ++f) {
      for (std::size_t k = 0; k < size.entries / size.factors; ++k) add(ratings_.next());
      Sweep k = rule_.next();
      k.allowed.oracle = allowed();  // nothing is cut: every atom stays
      sweep(Covector::sparse({}, {}), k);
      descend();
    }
  }

  // As FrankWolfe::receive does it.
  void update() {
    const Ratings::Rating rating = ratings_.next();
    const std::vector<Index> at = {rating.at};
    const Vec g = {slope(rating)};
    Sweep k = rule_.next();
    k.allowed.oracle = allowed();
    sweep(Covector::sparse(at, g), k);
    descend();
  }

  // The update of a sweep whose search certifies anew.
  void certify() {
    pass_until(1);
    update();
  }

  double allowed() const { return rule_.allowed(set_.diameter()).oracle; }
  double allowed_short() const { return allowed() * set_.diameter() / kRadius; }  // of σ₁
  const FactoredTrack& track() const { return track_; }

  // Rows, columns, entries, factors; the entries; c's low-rank part as U · core · Wᵀ; the error of σ that is allowed.
  void write(const std::string& path) const {
    const Factors f = track_.factors();
    const auto k = static_cast<std::int64_t>(f.y.size());
    std::ofstream out(path, std::ios::binary);
    const auto put = [&](const auto& x) { out.write(reinterpret_cast<const char*>(&x), sizeof x); };
    std::size_t rows = 0, cols = 0;
    for (const Vec& u : f.u) rows = std::max(rows, u.size());
    for (const Vec& w : f.w) cols = std::max(cols, w.size());
    const auto& sum = track_.gradient_sum();
    sum.each([&](std::uint32_t i, std::uint32_t j, double) {
      rows = std::max<std::size_t>(rows, i + 1);
      cols = std::max<std::size_t>(cols, j + 1);
    });
    for (std::size_t n : {rows, cols, sum.size(), static_cast<std::size_t>(k)}) put(static_cast<std::int64_t>(n));
    sum.each([&](std::uint32_t i, std::uint32_t j, double x) {
      put(static_cast<double>(i));
      put(static_cast<double>(j));
      put(x);
    });
    for (std::size_t c = 0; c < f.y.size(); ++c) {
      for (std::size_t i = 0; i < rows; ++i) put(i < f.u[c].size() ? f.u[c][i] : 0.0);
      for (std::size_t j = 0; j < cols; ++j) put(j < f.w[c].size() ? f.w[c][j] : 0.0);
      put(2 * f.y[c]);
    }
    put(allowed_short());
  }

 private:
  static constexpr std::size_t kCertifyEvery = 64;  // as linalg/factored_track.cpp has it

  void sweep(const Covector& g, const Sweep& k) {
    track_.sweep(g, k);
    ++sweeps_;
  }
  // Sweeps without a gradient, until one that certifies is the `ahead`-th from here.
  void pass_until(std::size_t ahead) {
    while ((sweeps_ + ahead) % kCertifyEvery != 0) sweep(Covector::sparse({}, {}), rule_.next());
  }
  double slope(const Ratings::Rating& rating) const {
    const std::vector<Index> at = {rating.at};
    const Vec one = {1};
    return 2 * (track_.dot(Covector::sparse(at, one)) - rating.value);
  }
  void add(const Ratings::Rating& rating) {
    const std::vector<Index> at = {rating.at};
    const Vec g = {slope(rating)};
    track_.add(Covector::sparse(at, g), rule_.next().a);
  }
  void descend() {
    const Atom v = set_.oracle(track_);
    const Segment to_v = track_.toward(v);
    track_.step(to_v.gap > 0 ? std::min(1.0, to_v.gap / (2 * to_v.width)) : 0, v);
  }

  NuclearBall set_;
  OfwRule rule_;
  Ratings ratings_;
  FactoredTrack track_;
  std::size_t sweeps_ = 0;
};

Contestant updates(std::string name, std::shared_ptr<Game> game, int count) {
  return {std::move(name), count, [=] {
            for (int i = 0; i < count; ++i) game->update();
          }};
}

// The search alone, ours and Spectra's, in one direction, at `share` of the error that the bound allows the oracle.
std::vector<Contestant> searches(std::shared_ptr<const Game> game, double share, int vectors) {
  const double top = game->track().top_pair(0, 0, 0).sigma, error = share * game->allowed_short();
  const auto check = [=](double sigma) {
    if (!(top - sigma <= error + 1e-12 * top)) throw std::runtime_error("a pair is less accurate than was asked for");
  };
  return {{fmt::format("pair{}", share), 1, [=] { check(game->track().top_pair(0, 0, error).sigma); }},
          {fmt::format("spectra{}", share), 1,
           [=] { check(bench::spectra_pair(game->track().direction(), error / top, vectors).sigma); }}};
}

// One update of an n × n matrix with ten entries a gradient, dense and factored.
Contestant small(Index n, Storage storage, int count) {
  const NuclearBall set(n, n, 3);
  auto learner = std::make_shared<DelayedOfw<NuclearBall>>(set, OfwRule(0.05), set.shape(), storage);
  auto random = std::make_shared<RandomSequence>(3);
  return {fmt::format("{}{}", storage == Storage::kDense ? "dense" : "factored", n), count, [=] {
            for (int i = 0; i < count; ++i) {
              std::vector<Index> at;
              for (Index k = 0; k < 10; ++k)
                at.push_back(k * n * n / 10 + static_cast<Index>(random->below(
                                                  static_cast<std::uint64_t>(std::max<Index>(1, n * n / 10)))));
              at.erase(std::unique(at.begin(), at.end()), at.end());
              Vec g(at.size());
              for (double& x : g) x = random->gaussian();
              learner->receive(1, {.gradient = Covector::sparse(at, g)}, Memo{});
            }
          }};
}

}  // namespace

int main(int argc, char** argv) {
  const int turns = argc > 1 ? std::atoi(argv[1]) : 5;
  auto still = std::make_shared<Game>(Size{});
  still->update();
  if (argc > 2) still->write(argv[2]);
  const auto certifying = std::make_shared<Game>(Size{});
  std::vector<Contestant> all = {updates("update", std::make_shared<Game>(Size{}), 2),
                                 {"certify", 1, [=] { certifying->certify(); }}};
  // Spectra keeps the fewest vectors that it takes, else as many as svds.
  for (auto [share, vectors] : {std::pair{1.0, 2}, {0.01, 20}, {0.0, 20}})
    for (Contestant& each : searches(still, share, vectors)) all.push_back(std::move(each));
  for (std::size_t entries : {62'500u, 250'000u})
    all.push_back(updates(fmt::format("entries{}", entries), std::make_shared<Game>(Size{.entries = entries}), 2));
  for (std::size_t factors : {25u, 50u})
    all.push_back(updates(fmt::format("factors{}", factors), std::make_shared<Game>(Size{.factors = factors}), 2));
  for (Index n : {8, 16, 32, 64})
    for (Storage storage : {Storage::kDense, Storage::kFactored}) all.push_back(small(n, storage, 20));
  take_turns(all, turns);
  print(all);
}
