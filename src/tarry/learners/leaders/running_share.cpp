#include "tarry/learners/leaders/running_share.h"

#include <algorithm>
#include <cmath>

#include "tarry/base/elementary.h"
#include "tarry/base/error.h"
#include "tarry/learners/registry.h"

namespace tarry {
namespace {

constexpr double kHalf = 0.5;  // a label of each class, before any has come

// 0: the labels are numbers.
std::size_t classes_of(const KnownLoss& known) { return known.outputs() > 1 ? known.outputs() : known.loss.classes(); }

std::size_t class_of(const KnownLoss& known) {
  std::size_t c = 0;
  while (c + 1 < classes_of(known) && known.loss.class_label(c) != known.label) ++c;
  return c;
}

}  // namespace

LearnerEntry running_share_entry() {
  return {.name = "running_share",
          .summary = "Predicts the share of each class among the labels so far, or their mean: a baseline",
          .keys = {{"constant", "which of a row's features is always 1, from 0", "0, as for named features"}},
          .make = [](const spec::Node& node, const LearnerSetting& setting) -> AnyLearner {
            setting.refuse_initial(node);
            auto box = setting.set.bounds();
            if (!box) node.fail_whole("needs a box, but this set is not one", Code::kUnsupported);
            const Index row = setting.row.width > 0 ? setting.row.width : box->dimension();
            return RunningShare(std::move(*box), node.has("constant") ? node.count("constant", 0, row - 1) : 0);
          },
          .examples = {R"({"type": "running_share"})"},
          .cost = [](const spec::Value&, const CostScene& scene) { return touched_cost(scene); },
          .promise = [](const spec::Value&) -> Promise { return {.made = false}; }};
}

RunningShare::RunningShare(Bounds box, Index constant) : box_(std::move(box)), constant_(constant) {}

double RunningShare::value(Index i) const {
  const auto outputs = static_cast<Index>(weights_.size());
  if (outputs == 0) return box_.centre(i);
  const Index width = dimension() / outputs;
  if (i % width != constant_) return box_.centre(i);
  return std::min(box_.upper(i), std::max(box_.lower(i), weights_[static_cast<std::size_t>(i / width)]));
}

double RunningShare::predict(const Covector& features) const {
  double prediction = 0;
  features.each([&](Index i, double a) { prediction += a * value(i); });
  return prediction;
}

void RunningShare::write(std::span<double> x) const {
  for (std::size_t i = 0; i < x.size(); ++i) x[i] = value(static_cast<Index>(i));
}

// A gradient without a loss says nothing of a label.
void RunningShare::receive(Round, const Feedback& feedback, const Memo&) {
  if (feedback.known == nullptr) return;
  const KnownLoss& known = *feedback.known;
  labels_ += 1;
  if (classes_of(known) == 0) {
    sum_ += known.label;
    return predict_mean(known.now);
  }
  counts_.resize(classes_of(known));
  counts_[class_of(known)] += 1;
  predict_shares(known.outputs());
}

void RunningShare::predict_shares(std::size_t outputs) {
  if (outputs == 1) {
    weights_ = {tarry::log((counts_[1] + kHalf) / (counts_[0] + kHalf))};
    return;
  }
  weights_.resize(outputs);
  // Of all of them: their size is nothing to softmax, and the box is about 0.
  const double whole = labels_ + kHalf * static_cast<double>(outputs);
  for (std::size_t c = 0; c < outputs; ++c) weights_[c] = tarry::log((counts_[c] + kHalf) / whole);
}

// In the units in which predictions are shown by now.
void RunningShare::predict_mean(const Link& link) {
  const double mean = sum_ / labels_;
  weights_ = {link.scale > 0 ? (mean - link.centre) / link.scale : 0};
}

void RunningShare::save(ByteWriter& out) const {
  out.i64(dimension());
  out.f64(labels_);
  out.f64(sum_);
  out.reals(counts_);
  out.reals(weights_);
}

void RunningShare::load(ByteReader& in) {
  if (in.i64() != dimension()) throw Error(Code::kCorrupt, "snapshot: its decision does not have the set's dimension");
  labels_ = in.f64();
  sum_ = in.f64();
  counts_ = in.reals();
  weights_ = in.reals();
  const auto outputs = static_cast<Index>(weights_.size());
  const bool shares = counts_.empty() || outputs == (counts_.size() == 2 ? outputs : std::ssize(counts_));
  if (labels_ < 0 || outputs > dimension() || !shares || (outputs > 0 && constant_ >= dimension() / outputs))
    throw Error(Code::kCorrupt, "snapshot: the running shares are not those of this model");
}

}  // namespace tarry
