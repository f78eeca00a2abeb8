#include "tarry/linalg/matrices/top_pair.h"

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include "tarry/base/elementary.h"
#include "tarry/base/random.h"
#include "tarry/linalg/dense_kernels.h"
#include "tarry/linalg/gaussian.h"
#include "tarry/linalg/matrices/panel.h"

namespace tarry {
namespace {

constexpr double kEpsilon = std::numeric_limits<double>::epsilon();
constexpr double kBreakdown = 32 * kEpsilon;  // of the largest coefficient: what is left of a vector is rounding
constexpr double kConverged = 64 * kEpsilon;  // residual over σ, where all digits are asked for
constexpr double kRandomPart = 0.1;           // of the first vector, beside the last pair
constexpr std::uint64_t kSeed = 0x70702d70616972;
constexpr std::size_t kMostSteps = 300;
constexpr std::size_t kMostNumbers = std::size_t{1} << 25;  // in the two bases
constexpr int kMostCycles = 12;

double normalise(Vec& x) {
  const double length = std::sqrt(kernels::sum_of_squares(x));
  if (length > 0)
    for (double& xi : x) xi /= length;
  return length;
}

// x minus its projection on the span of the orthonormal `basis`, until so much is left that rounding does not matter.
void orthogonalise(Vec& x, const Panel& basis) {
  for (int pass = 0; pass < 2; ++pass) {
    const double before = kernels::sum_of_squares(x);
    Vec weights = basis.dots(x);
    for (double& weight : weights) weight = -weight;
    basis.combine(weights, x);
    if (kernels::sum_of_squares(x) > 0.25 * before) return;
  }
}

// C V = U B and Cᵀ U = V Bᵀ + β_k v_{k+1} e_kᵀ, with V and U orthonormal and B upper bidiagonal: α on the diagonal, β
// above it.
class Bidiagonal {
 public:
  Bidiagonal(const LinearMap& c, Vec first) : c_(c) { v_.append(std::move(first)); }

  // One more column; false when the spaces are exhausted: what was found is exact.
  bool extend() {
    Vec u(static_cast<std::size_t>(c_.rows())), v(static_cast<std::size_t>(c_.cols()));
    c_.apply(v_.columns().back(), u);
    orthogonalise(u, u_);
    alpha_.push_back(normalise(u));
    largest_ = std::max(largest_, alpha_.back());
    if (alpha_.back() <= kBreakdown * largest_) {
      alpha_.back() = 0;
      std::fill(u.begin(), u.end(), 0.0);
      u_.append(std::move(u));
      beta_.push_back(0);
      return false;
    }
    c_.apply_transposed(u, v);
    u_.append(std::move(u));
    orthogonalise(v, v_);
    beta_.push_back(normalise(v));
    largest_ = std::max(largest_, beta_.back());
    if (beta_.back() <= kBreakdown * largest_) {
      beta_.back() = 0;
      return false;
    }
    v_.append(std::move(v));
    return true;
  }

  std::size_t steps() const { return alpha_.size(); }
  double sigma() const { return tarry::hypot(theta_, residual_); }  // ‖Cᵀu‖, of the best u
  double residual() const { return std::fabs(residual_); }          // ‖Cᵀu − θ w‖, w the best of V

  // The top pair of B, with θ.
  void solve() {
    const auto k = static_cast<Eigen::Index>(steps());
    Eigen::VectorXd diagonal(k), above(std::max<Eigen::Index>(k - 1, 0));
    for (std::size_t j = 0; j < steps(); ++j) {
      const double before = j > 0 ? beta_[j - 1] / largest_ : 0, a = alpha_[j] / largest_;
      diagonal[static_cast<Eigen::Index>(j)] = a * a + before * before;
      if (j + 1 < steps()) above[static_cast<Eigen::Index>(j)] = a * (beta_[j] / largest_);
    }
    Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> solver;
    solver.computeFromTridiagonal(diagonal, above, Eigen::ComputeEigenvectors);
    const auto top = solver.eigenvectors().col(k - 1);
    right_.assign(top.begin(), top.end());
    left_.assign(steps(), 0.0);
    for (std::size_t j = 0; j < steps(); ++j)
      left_[j] = alpha_[j] * right_[j] + (j + 1 < steps() ? beta_[j] * right_[j + 1] : 0);
    theta_ = normalise(left_);
    residual_ = beta_.back() * left_.back();
  }

  // No singular value of C above the result has a right vector w with |⟨v₁, w⟩| ≥ `share`. For such a σ and its w,
  // a_j = ⟨v_j, w⟩/⟨v₁, w⟩ follow from B alone, grow with σ beyond θ, and satisfy Σ a_j² ≤ 1/⟨v₁, w⟩².
  // The random part of v₁, ρ times as long as v₁, is uniform on the sphere, with density at most √((n − 1)/2π) along w
  // for n ≥ 3. So |⟨v₁, w⟩| ≥ pρ√(2π/(n − 1))/2 except with probability p; for n = 2 (arcsine law) ρ sin²(πp/2). The
  // cycles of a search share its p.
  double ceiling(double share) const {
    const double most = 1 / (share * share);
    const auto excluded = [&](double sigma) {
      double a = 1, b = 0, before = 0, sum = 1;
      for (std::size_t j = 0; j < steps() && sum <= most; ++j) {
        if (alpha_[j] == 0) return true;
        b = (sigma * a - before * b) / alpha_[j];
        if (beta_[j] == 0) return true;
        a = (sigma * b - alpha_[j] * a) / beta_[j];
        before = beta_[j];
        sum += a * a;
      }
      return !(sum <= most);
    };
    double low = theta_, width = kEpsilon * theta_;
    while (!excluded(low + width)) width *= 2;
    double high = low + width;
    for (int i = 0; i < 50 && high - low > kEpsilon * high; ++i) {
      const double middle = 0.5 * (low + high);
      (excluded(middle) ? high : low) = middle;
    }
    return high;
  }

  // u, and Cᵀu made a unit vector: half a step further than w, for nothing.
  Vec left() const { return combine(u_, left_); }
  Vec right() const {
    Vec weights = right_;
    for (double& x : weights) x *= theta_;
    if (v_.size() > weights.size()) weights.push_back(residual_);
    return combine(v_, weights);
  }

 private:
  static Vec combine(const Panel& basis, Vec weights) {
    Vec x(basis.columns().front().size(), 0.0);
    weights.resize(basis.size(), 0.0);
    basis.combine(weights, x);
    normalise(x);
    return x;
  }

  const LinearMap& c_;
  Panel v_, u_;
  Vec alpha_, beta_;
  double largest_ = 0;
  Vec left_, right_;                 // the top pair of B
  double theta_ = 0, residual_ = 0;  // the residual along v_{k+1}
};

class Transposed final : public LinearMap {
 public:
  explicit Transposed(const LinearMap& c) : c_(c) {}
  Index rows() const override { return c_.cols(); }
  Index cols() const override { return c_.rows(); }
  void apply(std::span<const double> x, std::span<double> out) const override { c_.apply_transposed(x, out); }
  void apply_transposed(std::span<const double> x, std::span<double> out) const override { c_.apply(x, out); }

 private:
  const LinearMap& c_;
};

// A random direction. In single precision an entry is 0 once in 3·10⁷: for a smaller chance a second draw, far below
// the first, fills in the digits.
Vec on_the_sphere(std::size_t n, const PairSearch& search, int cycle) {
  const std::uint64_t seed = search.owner == 0 ? kSeed : Random(kSeed, search.owner).bits(0)[0];
  const std::uint64_t stream = search.stream * kMostCycles + static_cast<std::uint64_t>(cycle);
  std::vector<float> drawn(n);
  fill_gaussian(seed, stream, drawn);
  Vec z(drawn.begin(), drawn.end());
  if (search.chance < kPairFailure) {
    fill_gaussian(~seed, stream, drawn);
    for (std::size_t i = 0; i < n; ++i) z[i] += 0x1p-20 * static_cast<double>(drawn[i]);
  }
  normalise(z);
  return z;
}

struct FirstVector {
  Vec v;
  double
      share;  // |⟨v, w⟩| is at least this for the top w, except with the chance over all cycles: a half, a quarter, …
};

// The last pair's vector and a random one z on the sphere: whatever w is, |a + ρ⟨z, w⟩| < t says that ⟨z, w⟩ is in an
// interval of length 2t/ρ. In one dimension there is nothing to miss.
FirstVector first_vector(std::span<const double> last, std::size_t n, const PairSearch& search, int cycle) {
  if (n == 1) return {Vec{1}, 1};
  const double part = last.empty() ? 1 : kRandomPart;
  FirstVector first{on_the_sphere(n, search, cycle), 0};
  for (double& v : first.v) v *= part;
  for (std::size_t i = 0; i < std::min(n, last.size()); ++i) first.v[i] += last[i];
  const double scale = normalise(first.v);
  first.share = spread_of_sphere(n, std::ldexp(search.chance, -1 - cycle)) * part / scale;
  return first;
}

TopPair search_columns(const LinearMap& c, std::span<const double> last, const PairSearch& search) {
  const auto n = static_cast<std::size_t>(c.cols()), m = static_cast<std::size_t>(c.rows());
  const std::size_t most = std::min({n, kMostSteps, std::max<std::size_t>(20, kMostNumbers / (n + m))});
  TopPair found;
  Vec again;
  double ceiling = std::numeric_limits<double>::infinity();
  for (int cycle = 0; cycle < kMostCycles; ++cycle) {
    // All digits: once the top is known to be there, further cycles only polish the pair.
    const bool polish = cycle > 0 && search.allowed == 0;
    FirstVector first = polish ? FirstVector{again, 0} : first_vector(cycle == 0 ? last : again, n, search, cycle);
    Bidiagonal b(c, std::move(first.v));
    bool more = true, done = false, known = false;
    std::size_t look = 1;  // solving for each new column would cost more than the column
    while (more && !done && b.steps() < most) {
      more = b.extend();
      if (more && b.steps() < std::min(most, look)) continue;
      look = b.steps() + 1 + b.steps() / 16;
      b.solve();
      if (b.sigma() == 0) return {Vec(m, 0.0), Vec(n, 0.0), 0, 0, {}, {}};
      if (search.allowed == 0 || !more) {
        done = b.residual() <= kConverged * b.sigma();
      } else if (search.ceiling - b.sigma() <= search.allowed) {
        done = known = true;
        ceiling = search.ceiling;
      } else {
        ceiling = std::min(ceiling, b.ceiling(first.share));
        done = ceiling - b.sigma() <= std::max(search.allowed, kConverged * b.sigma());
      }
    }
    if (first.share > 0 && !known) ceiling = std::min(ceiling, b.ceiling(first.share));
    again = b.right();
    found = {b.left(), again, b.sigma(), std::max(0.0, ceiling - b.sigma()), {}, {}};
    if (done) break;
  }
  return found;
}

}  // namespace

// Up to three dimensions the density of ⟨z, w⟩ is at least as large at ±1 as at 0: with two it is 1/(π√(1 − t²)), and
// the likeliest interval is [1 − 2δ, 1], of chance (2/π) arcsin √δ. From three on it is largest at 0, at most
// √((n−1)/2π).
double spread_of_sphere(std::size_t n, double p) {
  if (n == 2) {
    const double sine = tarry::sin_turns(p / 4);
    return sine * sine;
  }
  return p / (2 * std::sqrt(static_cast<double>(n - 1) / (2 * std::numbers::pi)));
}

TopPair find_top_pair(const LinearMap& c, const PairSearch& search) {
  if (c.rows() == 0 || c.cols() == 0) return {};
  if (c.cols() <= c.rows()) return search_columns(c, search.w, search);
  TopPair found = search_columns(Transposed(c), search.u, search);
  std::swap(found.u, found.w);
  return found;
}

}  // namespace tarry
