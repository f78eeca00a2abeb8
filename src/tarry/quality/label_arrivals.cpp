#include "tarry/quality/label_arrivals.h"

#include <algorithm>
#include <utility>

#include "tarry/base/elementary.h"
#include "tarry/base/error.h"

namespace tarry::quality {
namespace {

constexpr double kFewExpected = 20;    // labels of a step: then it waits for more
constexpr double kMostBlocks = 60;     // of a part that count: then older ones count less and less
constexpr double kMostWaits = 10'000;  // of the mean wait
constexpr double kMattersRate = 0.05;  // of labels that may be missing
constexpr std::int64_t kNewUsualRateMs = kWeekMs;

}  // namespace

void LabelArrivals::came(std::int64_t wait_ms) {
  ++block_;
  waits_ = std::min(waits_ + 1, kMostWaits);
  wait_ms_ += (static_cast<double>(wait_ms) - wait_ms_) / waits_;
}

ScoredSteps::Turn LabelArrivals::close(const DriftColumn::Block& block, double decisions) {
  const std::int64_t now_ms = block.from_ms + kBlockMs;
  if (parts_.empty()) parts_.resize(kParts);
  Part& part = parts_[part_of(block.from_ms)];
  const bool known = now_ms - first_ms_ >= kLearnMs && part.blocks > 0;
  const double labels = std::exchange(block_, 0);
  // Fewer decisions give fewer labels, as late as labels are.
  const double reach = std::clamp(wait_ms_, 6.0 * kBlockMs, static_cast<double>(kWeekMs));
  const double kept = tarry::exp(-static_cast<double>(kBlockMs) / reach);
  recent_ = kept * recent_ + decisions;
  usual_ = kept * usual_ + (part.blocks > 0 ? part.decisions / part.blocks : decisions);
  if (known) {
    if (expected_ <= 0) from_ms_ = block.from_ms;
    expected_ += part.labels / part.blocks * (usual_ > 0 ? std::min(1.0, recent_ / usual_) : 1);
    came_ += labels;
  } else {
    scored_ms_ = now_ms;
  }
  if (!alarmed()) {
    part.blocks += 1;
    part.labels += labels;
    part.decisions += decisions;
    if (part.blocks > kMostBlocks)
      for (double Part::*x : {&Part::labels, &Part::decisions, &Part::blocks})
        part.*x *= kMostBlocks / (kMostBlocks + 1);
  }
  if (expected_ < kFewExpected) return ScoredSteps::Turn::kNone;
  const double budget = block.budget_per_ms * static_cast<double>(std::max(kBlockMs, now_ms - scored_ms_));
  const double off = std::max(0.0, expected_ - came_), minded = kMattersRate * expected_;
  scored_ms_ = now_ms;
  told_expected_ = std::exchange(expected_, 0);
  told_came_ = std::exchange(came_, 0);
  const ScoredSteps::Turn turn =
      steps_.score(off * off / (told_expected_ + minded * minded), block.uniform, budget, from_ms_);
  if (turn == ScoredSteps::Turn::kAlarm) alarm_ms_ = now_ms;
  if (!alarmed() || now_ms - alarm_ms_ < kNewUsualRateMs) return turn;
  *this = LabelArrivals(now_ms);
  return ScoredSteps::Turn::kOver;
}

void LabelArrivals::save(ByteWriter& out) const {
  for (const std::int64_t x : {first_ms_, scored_ms_, from_ms_, alarm_ms_}) out.i64(x);
  out.u64(parts_.size());
  for (const Part& part : parts_)
    for (const double x : {part.blocks, part.labels, part.decisions}) out.f64(x);
  for (const double x : {block_, wait_ms_, waits_, recent_, usual_, expected_, came_, told_expected_, told_came_})
    out.f64(x);
  steps_.save(out);
}

LabelArrivals LabelArrivals::load(ByteReader& in) {
  LabelArrivals found(in.i64());
  for (std::int64_t* x : {&found.scored_ms_, &found.from_ms_, &found.alarm_ms_}) *x = in.i64();
  const std::uint64_t parts = in.count();
  if (parts != 0 && parts != kParts) throw Error(Code::kCorrupt, "drift: a week of another length");
  found.parts_.resize(parts);
  for (Part& part : found.parts_)
    for (double Part::*x : {&Part::blocks, &Part::labels, &Part::decisions}) part.*x = in.size();
  for (double* x : {&found.block_, &found.wait_ms_, &found.waits_, &found.recent_, &found.usual_, &found.expected_,
                    &found.came_, &found.told_expected_, &found.told_came_})
    *x = in.size();
  found.steps_ = ScoredSteps::load(in);
  return found;
}

}  // namespace tarry::quality
