#include "tarry/quality/drift_column.h"

#include <algorithm>
#include <numeric>

#include "tarry/base/error.h"

namespace tarry::quality {
namespace {

constexpr double kFewValues = 50;       // of a step: then it waits for more
constexpr double kFewLearnt = 64;       // to make bins of
constexpr double kMattersShare = 0.01;  // differences of shares that nobody minds
constexpr double kAsUsual = 0.05;       // a p-value above it looks as usual
constexpr std::uint64_t kUsualSteps = 6;
constexpr std::int64_t kNewUsualMs = kWeekMs;  // an alarm that lasted so long: it is usual now

}  // namespace

ScoredSteps::Turn ScoredSteps::score(double score, double uniform, double budget, std::int64_t from_ms) {
  const double p = ranks_.p_value(score, uniform);
  if (alarmed_) {
    usual_ = p > kAsUsual ? usual_ + 1 : 0;
    if (usual_ < kUsualSteps) return Turn::kNone;
    alarmed_ = false;
    detector_.restart();
    return Turn::kOver;
  }
  ranks_.add(score);
  const bool alarm = detector_.step(budget, ScoreRanks::bet(p));
  if (detector_.was_quiet()) since_ms_ = from_ms;
  if (!alarm) return Turn::kNone;
  alarmed_ = true;
  usual_ = 0;
  return Turn::kAlarm;
}

void ScoredSteps::save(ByteWriter& out) const {
  ranks_.save(out);
  out.f64(detector_.level());
  out.u64(alarmed_ ? 1 : 0);
  out.u64(usual_);
  out.i64(since_ms_);
}

ScoredSteps ScoredSteps::load(ByteReader& in) {
  ScoredSteps steps;
  steps.ranks_ = ScoreRanks::load(in);
  steps.detector_.set_level(in.size());
  steps.alarmed_ = in.flag();
  steps.usual_ = in.u64();
  steps.since_ms_ = in.i64();
  return steps;
}

// What this block would look like if all were as usual, with how far chance takes it.
void DriftColumn::expect(const Block& block) {
  const double count = std::accumulate(block_.begin(), block_.end(), 0.0);
  const WeekProfile::Usual usual = profile_.usual(block.from_ms), before = profile_.usual(block.from_ms, lately_);
  if (pending_.count <= 0) pending_.from_ms = block.from_ms;
  pending_.count += count;
  for (std::size_t j = 0; j < kBins; ++j) {
    const double q = usual.share[j];
    pending_.counts[j] += block_[j];
    pending_.expected[j] += count * q;
    pending_.before[j] += count * before.share[j];
    pending_.noise[j] += count * q * (1 - q) * (1 + count / std::max(1.0, usual.count));
  }
}

// A chi-square in which differences that nobody minds count as noise, so that a thousand values and a million are
// judged alike.
double DriftColumn::distance() {
  const double minded = kMattersShare * pending_.count;
  double sum = 0, most = -1, more = 0;
  for (std::size_t j = 0; j < kBins; ++j) {
    if (const double grown = pending_.counts[j] - pending_.before[j]; grown > more) {
      more = grown;
      grew_ = j;
    }
    const double off = pending_.counts[j] - pending_.expected[j];
    const double one = off * off / (pending_.noise[j] + minded * minded + 0.5);
    sum += one;
    if (one <= most) continue;
    most = one;
    difference_ = {bins_.name_of(j), pending_.before[j] / pending_.count, pending_.counts[j] / pending_.count};
  }
  return sum;
}

ScoredSteps::Turn DriftColumn::close(const Block& block) {
  const std::int64_t now_ms = block.from_ms + kBlockMs;
  if (!bins_.fixed()) {
    if (now_ms - first_ms_ >= kLearnBinsMs && bins_.learnt() >= kFewLearnt) bins_.fix();
    return ScoredSteps::Turn::kNone;
  }
  block_[kMissingBin] += static_cast<float>(block.missing);
  const bool spoke = !learning(now_ms);
  if (spoke) expect(block);
  if (!alarmed()) {
    profile_.add(block.from_ms, block_);
    if (spoke) lately_.add(block.from_ms, block_);
  }
  block_ = {};
  if (!spoke) scored_ms_ = now_ms;
  if (pending_.count < kFewValues) return ScoredSteps::Turn::kNone;
  const double budget = block.budget_per_ms * static_cast<double>(std::max(kBlockMs, now_ms - scored_ms_));
  scored_ms_ = now_ms;
  const ScoredSteps::Turn turn = steps_.score(distance(), block.uniform, budget, pending_.from_ms);
  pending_ = {};
  if (steps_.is_quiet(budget)) {
    lately_.clear();
    examples_.clear();
  }
  if (turn == ScoredSteps::Turn::kAlarm) alarm_ms_ = now_ms;
  if (!alarmed() || now_ms - alarm_ms_ < kNewUsualMs) return turn;
  *this = DriftColumn(now_ms);
  return ScoredSteps::Turn::kOver;
}

std::vector<std::uint64_t> DriftColumn::take_rounds() {
  std::vector<std::uint64_t> found = examples_.of(grew_);
  examples_.clear();
  return found;
}

void DriftColumn::save(ByteWriter& out) const {
  out.i64(first_ms_);
  out.i64(scored_ms_);
  out.i64(alarm_ms_);
  bins_.save(out);
  for (const float count : block_) out.f64(count);
  out.i64(pending_.from_ms);
  for (const auto* numbers : {&pending_.counts, &pending_.expected, &pending_.noise})
    for (const double x : *numbers) out.f64(x);
  profile_.save(out);
  steps_.save(out);
}

DriftColumn DriftColumn::load(ByteReader& in) {
  DriftColumn column(in.i64());
  column.scored_ms_ = in.i64();
  column.alarm_ms_ = in.i64();
  column.bins_ = Bins::load(in);
  for (float& count : column.block_) count = static_cast<float>(in.size());
  column.pending_.from_ms = in.i64();
  for (auto* numbers : {&column.pending_.counts, &column.pending_.expected, &column.pending_.noise})
    for (double& x : *numbers) x = in.size();
  column.pending_.before = column.pending_.expected;
  for (const double x : column.pending_.counts) column.pending_.count += x;
  column.profile_ = WeekProfile::load(in);
  column.steps_ = ScoredSteps::load(in);
  return column;
}

}  // namespace tarry::quality
