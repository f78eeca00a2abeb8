#include "tarry/quality/score_ranks.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "tarry/base/elementary.h"
#include "tarry/base/error.h"

namespace tarry::quality {
namespace {

constexpr double kPerOctave = 6, kEpsilon = 0.1;
constexpr std::size_t kMostScoreCells = 128;  // the last one: from 2^21 on

std::size_t score_cell(double score) {
  const double at = kPerOctave * tarry::log(1 + std::max(0.0, score)) / std::numbers::ln2;
  return static_cast<std::size_t>(std::min(at, static_cast<double>(kMostScoreCells - 1)));
}

}  // namespace

double ScoreRanks::p_value(double score, double uniform) const {
  const std::size_t at = score_cell(score);
  double above = 0;
  for (std::size_t k = at + 1; k < cells_.size(); ++k) above += cells_[k];
  const double same = at < cells_.size() ? cells_[at] : 0;
  return std::max(1.0, above + uniform * (same + 1)) / (count_ + 1);
}

void ScoreRanks::add(double score) {
  const std::size_t at = score_cell(score);
  if (cells_.size() <= at) cells_.resize(at + 1);
  ++cells_[at];
  ++count_;
}

double ScoreRanks::bet(double p) { return kEpsilon * tarry::exp((kEpsilon - 1) * tarry::log(p)); }

void ScoreRanks::save(ByteWriter& out) const {
  out.u64(cells_.size());
  for (const std::uint32_t cell : cells_) out.u64(cell);
}

ScoreRanks ScoreRanks::load(ByteReader& in) {
  ScoreRanks ranks;
  const std::uint64_t cells = in.count();
  if (cells > kMostScoreCells) throw Error(Code::kCorrupt, "drift: too many scores");
  for (std::uint64_t k = 0; k < cells; ++k) {
    ranks.cells_.push_back(static_cast<std::uint32_t>(in.u64()));
    ranks.count_ += ranks.cells_.back();
  }
  return ranks;
}

}  // namespace tarry::quality
