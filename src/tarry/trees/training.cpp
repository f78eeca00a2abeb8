#include "tarry/trees/training.h"

#include <algorithm>
#include <array>
#include <span>
#include <utility>

#include "tarry/base/elementary.h"
#include "tarry/base/random.h"
#include "tarry/linalg/elementary_kernels.h"

namespace tarry::trees {
namespace {

constexpr double kRate = 0.15;
constexpr std::size_t kFewestTrees = 24, kMostTrees = 96, kRowsATree = 60;
constexpr std::size_t kLooks = 64;                                 // rows that a label pays for, for each tree
constexpr std::size_t kRowsPulled = 512;                           // in one step, a multiple of what one draw decides
constexpr std::size_t kMany = 4096;                                // rows, from which on trees see a part of them: …
constexpr auto kDrawn = static_cast<std::uint32_t>(0.7 * 0x1p32);  // … of 2^32

}  // namespace

// With few labels many trees would learn them by heart.
Training::Training(std::uint64_t first, std::size_t rows, Fits fits)
    : first_(first), fits_(fits), trees_(std::clamp(rows / kRowsATree, kFewestTrees, kMostTrees)), bins_(first, rows) {}

std::size_t Training::allowance() const { return kLooks * trees_; }

bool Training::work(const KeptRows& kept) {
  for (std::size_t left = allowance(); left > 0;) {
    if (started_ && ensemble_.size() == trees_) return true;
    const std::size_t looked = step(kept);
    looked_at_ += looked;
    left -= std::min(left, looked);
  }
  return started_ && ensemble_.size() == trees_;
}

std::size_t Training::step(const KeptRows& kept) {
  if (!started_) {
    if (const std::size_t looked = bins_.work(kept)) return looked;
    start(kept);
    return bins_.rows() / 16 + 1;
  }
  if (pulled_ < bins_.rows()) return pull();
  if (!growing_) growth_.begin(drawn_);
  growing_ = true;
  if (const std::size_t looked = growth_.work(bins_, pulls_)) return looked;
  ensemble_.add(growth_.finish(bins_, kRate, others_, scores_));
  growing_ = false;
  if (ensemble_.size() == trees_) ensemble_.done();
  drawn_.clear();
  others_.clear();
  pulled_ = 0;
  return bins_.rows() / 8 + 1;
}

void Training::start(const KeptRows& kept) {
  double sum = 0;
  for (std::size_t i = 0; i < bins_.rows(); ++i) {
    const double label = kept.row(first_ + i).label;
    labels_.push_back(fits_ == Fits::kNumbers ? label : label > 0 ? 1 : 0);
    sum += labels_.back();
  }
  const auto rows = static_cast<double>(bins_.rows());
  const double mean = fits_ == Fits::kNumbers ? sum / rows : tarry::log((sum + 0.5) / (rows - sum + 0.5));
  scores_.assign(bins_.rows(), mean);
  pulls_.resize(bins_.rows());
  ensemble_ = Ensemble(bins_.slots(), mean);
  started_ = true;
}

// One draw of 128 bits decides for four rows. The same rows are drawn when training is done again from a snapshot.
void Training::draw(std::size_t begin, std::size_t end) {
  const Random random(this->end(), ensemble_.size());  // by the labels there were, and by tree
  std::array<std::uint64_t, 2> bits = {};
  const bool all = bins_.rows() < kMany;
  std::size_t drawn = drawn_.size(), others = others_.size();
  drawn_.resize(drawn + end - begin);
  others_.resize(others + end - begin);
  for (std::size_t row = begin; row < end; ++row) {  // written to both; one counts
    if (!all && row % 4 == 0) bits = random.bits(row / 4);
    const std::size_t is_drawn =
        all || static_cast<std::uint32_t>(bits[row / 2 % 2] >> (row % 2 * 32)) < kDrawn ? 1 : 0;
    drawn_[drawn] = others_[others] = static_cast<std::uint32_t>(row);
    drawn += is_drawn;
    others += 1 - is_drawn;
  }
  drawn_.resize(drawn);
  others_.resize(others);
}

// Only of rows that the next tree is grown on.
std::size_t Training::pull() {
  const std::size_t begin = pulled_, end = std::min(bins_.rows(), begin + kRowsPulled), from = drawn_.size();
  draw(begin, end);
  pulled_ = end;
  const auto rows = std::span(drawn_).subspan(from);
  if (fits_ == Fits::kNumbers) {
    for (std::uint32_t row : rows) pulls_[row] = {scores_[row] - labels_[row], 1};
    return (end - begin) / 2 + 1;
  }
  std::array<double, kRowsPulled> powers;
  for (std::size_t i = 0; i < rows.size(); ++i) powers[i] = -scores_[rows[i]];
  kernels::exp_each(std::span(powers).first(rows.size()));
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const double chance = 1 / (1 + powers[i]);
    pulls_[rows[i]] = {chance - labels_[rows[i]], chance * (1 - chance)};
  }
  return (end - begin) / 2 + 1;
}

}  // namespace tarry::trees
