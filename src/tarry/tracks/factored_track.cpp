#include "tarry/tracks/factored_track.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "tarry/base/elementary.h"
#include "tarry/base/error.h"
#include "tarry/base/within.h"
#include "tarry/linalg/dense_kernels.h"
#include "tarry/linalg/lazy_scale.h"
#include "tarry/linalg/matrices/svd.h"
#include "tarry/linalg/matrices/top_pair.h"

namespace tarry {
namespace {

constexpr double kBankBelow = 1e-3;  // a smaller scale would cost the banked sum its digits
constexpr std::size_t kFewFactors = 32;
// A fixed rhythm: if what a search finds decided how long its ceiling serves, wrong ones would be kept longest.
constexpr std::uint64_t kCertifyEvery = 64;  // sweeps
constexpr double kCeilingFailure = 1e-8;     // a ceiling serves many searches, and none of them shall be wrong by it
constexpr double kRoundedUp = 1 + 64 * std::numeric_limits<double>::epsilon();

const RankOne& as_rank_one(const Atom& atom) {
  if (const auto* v = std::get_if<RankOne>(&atom.as)) return *v;
  throw Error(Code::kInternal, "factored track: an atom is not of rank one");
}

// Whether the atom's vector is over the axis' own numbers: what the search for the pair answers with.
bool is_over(const Axis& axis, const RankOne& v, const std::vector<Index>& where) {
  return v.is_listed() && where == axis.at();
}

// The vector over the axis' numbers.
Vec over_axis(const Axis& axis, const RankOne& v, const Vec& x, const std::vector<Index>& where) {
  if (is_over(axis, v, where)) return x;
  Vec local(axis.size(), 0.0);
  for (std::size_t i = 0; i < x.size(); ++i) {
    const std::uint32_t number = axis.find(v.is_listed() ? where[i] : static_cast<Index>(i));
    if (number != IndexMap::kAbsent) local[number] = x[i];
  }
  return local;
}

void touch_all(Axis& axis, const RankOne& v, const Vec& x, const std::vector<Index>& where) {
  if (is_over(axis, v, where)) return;
  for (std::size_t i = 0; i < x.size(); ++i)
    if (x[i] != 0) axis.touch(v.is_listed() ? where[i] : static_cast<Index>(i));
}

}  // namespace

FactoredTrack::FactoredTrack(const Shape& shape, double p_over_y, std::uint64_t stream)
    : stream_(stream), rows_(shape.start.dimension / shape.cols), cols_(shape.cols), shorten_at_(kFewFactors) {
  if (shape.start.values.empty() && shape.start.everywhere == 0) return;
  const Vec y = shape.start.dense();
  for (Index i = 0; i < rows_.length(); ++i) rows_.touch(i);
  for (Index j = 0; j < cols_.length(); ++j) cols_.touch(j);
  for (std::size_t i = 0; i < rows_.size(); ++i) {  // Σ e_i (row i)ᵀ: the start to the last bit
    Vec unit(i + 1, 0.0);
    unit[i] = 1;
    const auto row = y.begin() + static_cast<std::ptrdiff_t>(i * cols_.size());
    u_.append(std::move(unit));
    w_.append(Vec(row, row + static_cast<std::ptrdiff_t>(cols_.size())));
  }
  c_hat_.assign(rows_.size(), 1.0);
  bank_.assign(rows_.size(), 0.0);
  yy_ = kernels::sum_of_squares(y);
  shorten_at_ = std::max(kFewFactors, 2 * rank());
  restart(p_over_y);
}

void FactoredTrack::add(const Covector& gradient, double a) {
  met_.reset();
  raise_ceiling(std::fabs(a) * gradient.norm());
  gradient.each([&](Index i, double g) {
    if (g == 0) return;
    sum_.add(rows_.touch(i / cols_.length()), cols_.touch(i % cols_.length()), a * g);
    py_ += a * g * at(i);
  });
}

void FactoredTrack::sweep(const Covector& gradient, const Sweep& k) {
  add(gradient, k.a);
  q_ += k.gamma * scale_;
  py_ += k.gamma * yy_;
  raise_ceiling(std::fabs(k.gamma + k.b - b_) * std::sqrt(std::max(0.0, yy_)));
  b_ = k.b;
  allowed_ = k.allowed;
  ++sweeps_;
}

// (B + (Q + b s) diag ĉ) x, or its transpose: c without S.
Vec FactoredTrack::core_times(const Vec& x, bool transposed) const {
  Vec out(rank());
  for (std::size_t k = 0; k < rank(); ++k) out[k] = (bank_[k] + (q_ + b_ * scale_) * c_hat_[k]) * x[k];
  for (std::size_t k = 0; k < base_size_; ++k)
    for (std::size_t l = 0; l < base_size_; ++l)
      if (transposed)
        out[l] += base_[k * base_size_ + l] * x[k];
      else
        out[k] += base_[k * base_size_ + l] * x[l];
  return out;
}

void FactoredTrack::apply(std::span<const double> x, std::span<double> out) const {
  sum_.multiply(x, out);
  u_.combine(core_times(w_.dots(x), false), out);
}

void FactoredTrack::apply_transposed(std::span<const double> x, std::span<double> out) const {
  sum_.multiply_transposed(x, out);
  w_.combine(core_times(u_.dots(x), true), out);
}

TopPair FactoredTrack::top_pair(Index, Index, double allowed_short) const {
  const bool anew = sweeps_ % kCertifyEvery == 0;
  PairSearch search{.allowed = allowed_short, .u = last_u_, .w = last_w_, .stream = sweeps_, .owner = stream_};
  if (anew) {
    search.allowed /= 2;  // the rest is for the changes until the next
    search.chance = kCeilingFailure;
  } else {
    search.ceiling = ceiling_;
  }
  TopPair top = find_top_pair(*this, search);
  if (top.sigma > 0)
    met_ = {top.u, top.w, top.sigma, decision_times(top.u, top.w), 1, anew ? top.sigma + top.short_by : ceiling_, true};
  top.rows = rows_.at();
  top.cols = cols_.at();
  return top;
}

double FactoredTrack::decision_times(const Vec& u, const Vec& w) const {
  const Vec uu = u_.dots(u), ww = w_.dots(w);
  double sum = 0;
  for (std::size_t k = 0; k < rank(); ++k) sum += c_hat_[k] * uu[k] * ww[k];
  return scale_ * sum;
}

const FactoredTrack::Products& FactoredTrack::products(const Atom& atom) const {
  const RankOne& v = as_rank_one(atom);
  Products made{over_axis(rows_, v, v.u, v.rows), over_axis(cols_, v, v.w, v.cols), 0, 0, 0, ceiling_};
  if (met_ && met_->u == made.u && met_->w == made.w) return *met_;
  Vec across(rows_.size());
  apply(made.w, across);
  made.c = kernels::dot(made.u, across);
  made.y = decision_times(made.u, made.w);
  made.norm = std::sqrt(kernels::sum_of_squares(v.u) * kernels::sum_of_squares(v.w));
  return met_.emplace(std::move(made));
}

Segment FactoredTrack::toward(const Atom& atom) const {
  const Products& v = products(atom);
  const double scale = as_rank_one(atom).scale, size = scale * v.norm, vv = size * size, yv = scale * v.y;
  const double width = (yy_ - yv) + (vv - yv);
  if (!(width > kCancelled * (yy_ + vv))) return toward_exactly(v, scale);
  return {py_ + b_ * yy_ - scale * v.c, width};
}

// y is close to v and the differences have lost their digits: y − v as a sum of few orthogonal parts.
Segment FactoredTrack::toward_exactly(const Products& v, double scale) const {
  Factors away = factors();
  away.u.push_back(v.u);
  away.w.push_back(v.w);
  away.y.push_back(-scale);
  const std::size_t k = rank() + 1;
  Vec c(k * k, 0.0);  // c − S, over the same bases
  for (std::size_t i = 0; i < rank(); ++i) {
    for (std::size_t j = 0; j < rank(); ++j) c[i * k + j] = away.p.empty() ? 0 : away.p[i * rank() + j];
    c[i * k + i] += b_ * away.y[i];
  }
  away.p = std::move(c);
  const Spectrum parts = spectrum(away, tarry::hypot(std::sqrt(std::max(0.0, yy_)), scale * v.norm));
  Segment exact{parts.times_p, 0};
  Vec across(rows_.size());
  for (std::size_t i = 0; i < parts.sigma.size(); ++i) {
    Vec z = parts.z[i];
    z.resize(cols_.size(), 0.0);
    sum_.multiply(z, across);
    exact.gap += parts.sigma[i] * kernels::dot(parts.x[i], std::span(across).first(parts.x[i].size()));
    exact.width += parts.sigma[i] * parts.sigma[i];
  }
  return exact;
}

void FactoredTrack::raise_ceiling(double change) { ceiling_ = (ceiling_ + change) * kRoundedUp; }

// c += bσ(v − y), with v = scale · u wᵀ. Where cᵀu = a w, adding t u wᵀ to c adds ((a + t)² − a²) w wᵀ to cᵀc: where
// the step shortens that direction, nothing. Likewise where c w = a u.
void FactoredTrack::turn_ceiling(double sigma, double scale, const Products& v) {
  const double t = b_ * sigma * scale;
  ceiling_ = v.is_pair ? std::sqrt(v.ceiling * v.ceiling + std::max(0.0, t * (2 * v.c + t)))
                       : v.ceiling + std::fabs(t) * v.norm;
  raise_ceiling(std::fabs(b_) * sigma * std::sqrt(std::max(0.0, yy_)));
}

// Makes s = 1: what p has of y so far is frozen, then ĉ takes the scale on.
void FactoredTrack::bank(double scale) {
  for (std::size_t k = 0; k < rank(); ++k) {
    bank_[k] += q_ * c_hat_[k];
    c_hat_[k] *= scale;
  }
  q_ = 0;
  scale_ = 1;
}

void FactoredTrack::step(double sigma, const Atom& atom) {
  const RankOne& given = as_rank_one(atom);
  touch_all(rows_, given, given.u, given.rows);
  touch_all(cols_, given, given.w, given.cols);
  Products v = products(atom);
  met_.reset();
  last_u_ = v.u;
  last_w_ = v.w;
  turn_ceiling(sigma, given.scale, v);
  if (sigma == 0) return;

  const double size = given.scale * v.norm;
  scale_ *= 1 - sigma;
  py_ = (1 - sigma) * py_ + sigma * given.scale * (v.c - b_ * v.y);
  yy_ = (1 - sigma) * ((1 - sigma) * yy_ + 2 * sigma * given.scale * v.y) + sigma * sigma * size * size;
  if (scale_ < kBankBelow) bank(scale_);
  const auto zero = [](double x) { return x == 0; };
  if (sigma == 1 && base_size_ == 0 && std::all_of(bank_.begin(), bank_.end(), zero)) {
    u_.clear();
    w_.clear();
    c_hat_.clear();
    bank_.clear();
  }
  const double weight = sigma * given.scale / scale_;
  u_.append(std::move(v.u));
  w_.append(std::move(v.w));
  c_hat_.push_back(weight);
  bank_.push_back(-q_ * weight);  // p has nothing of it yet
  if (rank() >= shorten_at_) shorten();
}

Factors FactoredTrack::factors() const {
  Factors f{u_.columns(), w_.columns(), c_hat_, {}};
  for (double& y : f.y) y *= scale_;
  const std::size_t n = rank();
  f.p.assign(n * n, 0.0);
  bool any = base_size_ > 0;
  for (std::size_t k = 0; k < n; ++k) {
    f.p[k * n + k] = bank_[k] + q_ * c_hat_[k];
    any = any || f.p[k * n + k] != 0;
  }
  for (std::size_t k = 0; k < base_size_; ++k)
    for (std::size_t l = 0; l < base_size_; ++l) f.p[k * n + l] += base_[k * base_size_ + l];
  if (!any) f.p.clear();
  return f;
}

void FactoredTrack::shorten() {
  const double s_norm = sum_.norm();
  Factors after = refactor(factors(), {allowed_.rise, allowed_.spurious, b_, s_norm});
  if (allowed_.rise > 0) raise_ceiling(b_ * allowed_.rise / s_norm);  // ‖S‖ times what y has lost is within the rise
  raise_ceiling(allowed_.spurious);
  u_ = Panel(std::move(after.u));
  w_ = Panel(std::move(after.w));
  c_hat_ = std::move(after.y);
  base_ = std::move(after.p);
  base_size_ = base_.empty() ? 0 : c_hat_.size();
  bank_.assign(c_hat_.size(), 0.0);
  scale_ = 1;
  q_ = 0;
  yy_ = py_ = 0;
  Vec across(rows_.size());
  for (std::size_t k = 0; k < rank(); ++k) {
    yy_ += c_hat_[k] * c_hat_[k];
    if (base_size_ > 0) py_ += c_hat_[k] * base_[k * base_size_ + k];
    Vec w = w_.columns()[k];
    w.resize(cols_.size(), 0.0);
    sum_.multiply(w, across);
    py_ += c_hat_[k] * kernels::dot(u_.columns()[k], std::span(across).first(u_.columns()[k].size()));
  }
  shorten_at_ = std::max(kFewFactors, 2 * rank());
}

void FactoredTrack::restart(double p_over_y) {
  met_.reset();
  sum_.clear();
  bank(scale_);
  base_.clear();
  base_size_ = 0;
  for (std::size_t k = 0; k < rank(); ++k) bank_[k] = p_over_y * c_hat_[k];
  py_ = p_over_y * yy_;
  ceiling_ = 0;
  raise_ceiling(std::fabs(p_over_y + b_) * std::sqrt(std::max(0.0, yy_)));
}

double FactoredTrack::at(Index i) const {
  const std::uint32_t row = rows_.find(i / cols_.length()), col = cols_.find(i % cols_.length());
  if (row == IndexMap::kAbsent || col == IndexMap::kAbsent) return 0;
  double sum = 0;
  for (std::size_t k = 0; k < rank(); ++k) sum += c_hat_[k] * u_.at(row, k) * w_.at(col, k);
  return scale_ * sum;
}

double FactoredTrack::dot(const Covector& features) const {
  double sum = 0;
  features.each([&](Index i, double a) { sum += a == 0 ? 0 : a * at(i); });
  return sum;
}

void FactoredTrack::write(std::span<double> y) const {
  std::fill(y.begin(), y.end(), 0.0);
  for (Index row : rows_.at())
    for (Index col : cols_.at()) {
      const Index i = row * cols_.length() + col;
      y[static_cast<std::size_t>(i)] = at(i);
    }
}

void FactoredTrack::save(ByteWriter& out) const {
  out.i64(rows_.length());
  out.i64(cols_.length());
  rows_.save(out);
  cols_.save(out);
  sum_.save(out);
  u_.save(out);
  w_.save(out);
  for (const Vec* x : {&c_hat_, &base_, &bank_, &last_u_, &last_w_}) out.reals(*x);
  out.reals(Vec{scale_, q_, py_, yy_, b_, ceiling_});
  out.u64(shorten_at_);
  out.u64(sweeps_);
}

void FactoredTrack::load(ByteReader& in) {
  const auto corrupt = [](const std::string& why) { throw Error(Code::kCorrupt, "snapshot: " + why); };
  FactoredTrack fresh(*this);
  const Index rows = in.i64(), cols = in.i64();
  if (rows != rows_.length() || cols != cols_.length())
    corrupt("its matrix has " + std::to_string(rows) + " rows and " + std::to_string(cols) +
            " columns, the set's has " + std::to_string(rows_.length()) + " and " + std::to_string(cols_.length()));
  fresh.rows_.load(in);
  fresh.cols_.load(in);
  fresh.sum_.load(in, fresh.rows_.size(), fresh.cols_.size());
  fresh.u_.load(in, fresh.rows_.size());
  fresh.w_.load(in, fresh.cols_.size());
  for (Vec* x : {&fresh.c_hat_, &fresh.base_, &fresh.bank_, &fresh.last_u_, &fresh.last_w_}) *x = in.reals();
  const Vec numbers = in.reals();
  fresh.shorten_at_ = in.u64();
  fresh.sweeps_ = in.u64();
  const std::size_t k = fresh.rank();
  fresh.base_size_ = static_cast<std::size_t>(std::lround(std::sqrt(static_cast<double>(fresh.base_.size()))));
  if (fresh.u_.size() != k || fresh.w_.size() != k || fresh.bank_.size() != k || numbers.size() != 6 ||
      fresh.base_size_ > k || fresh.base_size_ * fresh.base_size_ != fresh.base_.size() ||
      fresh.last_u_.size() > fresh.rows_.size() || fresh.last_w_.size() > fresh.cols_.size())
    corrupt("its factors do not fit together");
  fresh.scale_ = numbers[0];
  fresh.q_ = numbers[1];
  fresh.py_ = numbers[2];
  fresh.yy_ = numbers[3];
  fresh.b_ = numbers[4];
  fresh.ceiling_ = numbers[5];
  for (const Vec* x : {&fresh.base_, &fresh.bank_}) check_within(*x, kMostWithSteps);
  check_within(numbers, kMostWithSteps);
  check_within(fresh.c_hat_, kMostInState, fresh.scale_);
  for (const Panel* panel : {&fresh.u_, &fresh.w_})
    for (const Vec& column : panel->columns()) check_within(column);
  fresh.sum_.each([](std::uint32_t, std::uint32_t, double x) { check_within({&x, 1}, kMostWithSteps); });
  if (!(fresh.ceiling_ >= 0)) corrupt("its largest singular value is impossible");
  fresh.met_.reset();
  *this = std::move(fresh);
}

}  // namespace tarry
