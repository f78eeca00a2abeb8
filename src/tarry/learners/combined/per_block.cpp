#include "tarry/learners/combined/per_block.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "tarry/base/contract.h"
#include "tarry/learners/combined/nested_memo.h"
#include "tarry/learners/kept_memo.h"
#include "tarry/learners/registry.h"

namespace tarry {
namespace {

AnyLearner read_per_block(const spec::Node& node, const LearnerSetting& setting) {
  setting.refuse_initial(node);
  const std::string at = node.text_or("gradients", "played");
  if (at != "played" && at != "fresh") node.at("gradients").fail("\"played\" or \"fresh\"");
  const std::vector<spec::Node> specs = node.at("learners", "an array of learners").list("an array of learners");
  const std::vector<AnySet> parts = setting.set.parts();
  if (parts.empty()) node.fail_whole("needs a product, but this set is not one", Code::kUnsupported);
  if (specs.size() != parts.size())
    node.fail_whole(fmt::format("needs a product with a part for each learner: it has {} parts, and {} learners came",
                                parts.size(), specs.size()),
                    Code::kUnsupported);
  std::vector<AnyLearner> blocks;
  std::vector<Index> sizes;
  for (std::size_t k = 0; k < parts.size(); ++k) {
    blocks.push_back(make_learner(
        specs[k], {.set = parts[k], .initial = {}, .instance = setting.part(k).instance, .copies = setting.copies}));
    sizes.push_back(parts[k].dimension());
  }
  return PerBlock(std::move(blocks), sizes, at == "fresh" ? GradientAt::kFresh : GradientAt::kPlayed);
}

double total(std::span<const double> x) { return std::accumulate(x.begin(), x.end(), 0.0); }

VerifyRows per_block_rows() {
  return {.climbed = {{"per_block gauge_ftrl", R"({"type": "per_block", "learners": [{"type": "gauge_ftrl"},)"
                                               R"( {"type": "gauge_ftrl", "light": true}]})"},
                      {"per_block delayed_eg",
                       R"({"type": "per_block", "learners": [{"type": "delayed_eg"}, {"type": "delayed_eg"}]})"},
                      {"per_block box_ftrl",
                       R"({"type": "per_block", "learners": [{"type": "box_ftrl"}, {"type": "box_ftrl"}]})"},
                      {"per_block hedge", R"({"type": "per_block", "learners": [{"type": "delayed_ogd", "eta": 0.1},)"
                                          R"( {"type": "hedge", "learners": [{"type": "delayed_ogd", "eta": 0.05},)"
                                          R"( {"type": "delayed_ogd", "eta": 2}]}]})"}}};
}

}  // namespace

LearnerEntry per_block_entry() {
  return {
      .name = "per_block",
      .summary = "A learner for each part of a product: the prediction is the sum of theirs",
      .keys = {{"learners", "an array of learners, one for each part", ""},
               {"gradients", "\"played\", or \"fresh\": taken where the blocks stand when a label comes", "played"}},
      .make = read_per_block,
      .examples = {R"({"type": "per_block", "learners": [{"type": "delayed_ofw", "eta": 0.01},)"
                   R"( {"type": "delayed_ofw", "eta": 0.02}]})",
                   R"({"type": "per_block", "gradients": "fresh", "learners": [{"type": "delayed_ofw", "eta": 0.01},)"
                   R"( {"type": "delayed_ofw_sc", "beta": 0.7}]})"},
      .cost = [](const spec::Value& learner,
                 const CostScene& scene) { return cost_of_all(learner, scene.set.parts(), scene.touched); },
      .promise = [](const spec::Value& learner) -> Promise {
        return {.made = learner.text_at("gradients") != "fresh"};
      },
      .one_per_part = true,
      .verify = per_block_rows};
}

PerBlock::PerBlock(std::vector<AnyLearner> blocks, const std::vector<Index>& sizes, GradientAt at)
    : blocks_(std::move(blocks)), begin_{0}, at_(at) {
  ensure(blocks_.size() == sizes.size() && !sizes.empty(), "each block has its learner");
  for (Index size : sizes) begin_.push_back(begin_.back() + size);
}

// The memo: each block's prediction, then each block's own memo with its length in front.
double PerBlock::play(Round t, const Covector* features, Memo& memo) {
  ensure(memo.empty(), "the memo of a product begins with its blocks' predictions");
  std::vector<Memo> own(blocks_.size());
  double sum = 0;
  for (std::size_t k = 0; k < blocks_.size(); ++k) {
    const Covector part = features != nullptr ? slice(*features, k) : Covector::sparse({}, {});
    memo.push_back(blocks_[k].play(t, features != nullptr ? &part : nullptr, own[k]));
    sum += memo.back();
  }
  for (const Memo& one : own) put_memo(memo, one);
  return sum;
}

Vec PerBlock::predictions(const Covector& features) const {
  Vec all;
  for (std::size_t k = 0; k < blocks_.size(); ++k) all.push_back(blocks_[k].predict(slice(features, k)));
  return all;
}

double PerBlock::predict(const Covector& features) const { return total(predictions(features)); }

void PerBlock::write(std::span<double> x) const {
  for (std::size_t k = 0; k < blocks_.size(); ++k) blocks_[k].write(part(x, k));
}

// A block's own loss, as a function of its own prediction: the others' are part of how it is shown.
KnownLoss PerBlock::own_loss(const KnownLoss& whole, std::size_t k, const Predictions& of) const {
  return {slice(whole.features, k),
          whole.loss,
          whole.label,
          {whole.at_play(total(of.played) - of.played[k]), whole.at_play.scale},
          {whole.now(total(of.now) - of.now[k]), whole.now.scale}};
}

// What the blocks predicted: kept at play, or told by the decision where the features came with the label.
Vec PerBlock::played(const Feedback& feedback, const Memo& memo) const {
  if (feedback.decision.empty() || feedback.known == nullptr) return {memo.begin(), memo.begin() + begin_.size() - 1};
  Vec all;
  for (std::size_t k = 0; k < blocks_.size(); ++k)
    all.push_back(slice(feedback.known->features, k).dot(part(feedback.decision, k)));
  return all;
}

void PerBlock::receive(Round t, const Feedback& feedback, const Memo& memo) {
  kept_number(memo, blocks_.size() - 1);
  const Vec played = this->played(feedback, memo);
  auto memos = std::span(memo).subspan(blocks_.size());
  const auto give = [&](std::size_t k, Feedback own) {
    if (!feedback.predictions.empty()) own.predictions = {&played[k], 1};
    if (!feedback.decision.empty()) own.decision = part(feedback.decision, k);
    blocks_[k].receive(t, own, take_memo(memos));
  };
  if (feedback.known == nullptr) {
    for (std::size_t k = 0; k < blocks_.size(); ++k)
      give(k, {.gradient = slice(feedback.gradient, k), .slope = feedback.slope});
    return;
  }
  const KnownLoss& loss = *feedback.known;
  const Vec now = predictions(loss.features);
  const bool fresh = at_ == GradientAt::kFresh;
  std::optional<double> slope = feedback.slope;
  if (fresh) {
    const double prediction = total(now);
    loss.fresh_slopes({&prediction, 1}, {&slope.emplace(), 1});
  }
  Vec values;
  const Covector gradient = fresh ? loss.features.times(*slope, values) : feedback.gradient;
  for (std::size_t k = 0; k < blocks_.size(); ++k) {
    const KnownLoss known = own_loss(loss, k, {played, now});
    give(k, {.gradient = slice(gradient, k), .slope = slope, .known = &known});
  }
}

void PerBlock::abandon(Round t, const Memo& memo) {
  kept_number(memo, blocks_.size() - 1);
  auto own = std::span(memo).subspan(blocks_.size());
  for (AnyLearner& block : blocks_) block.abandon(t, take_memo(own));
}

// A bound is about gradients at the played point, and about linear losses: those that a block sees of its own
// prediction do not add up to the whole.
std::optional<double> PerBlock::bound(const theory::Seen& seen) const {
  if (at_ == GradientAt::kFresh) return std::nullopt;
  theory::Seen of_block = seen;
  of_block.linear = true;
  double sum = 0;
  for (const AnyLearner& block : blocks_) {
    const auto one = block.bound(of_block);
    if (!one) return std::nullopt;
    sum += *one;
  }
  return sum;
}

std::size_t PerBlock::instances() const {
  std::size_t all = 0;
  for (const AnyLearner& block : blocks_) all += block.instances();
  return all;
}

void PerBlock::save(ByteWriter& out) const {
  for (const AnyLearner& block : blocks_) block.save(out);
}

void PerBlock::load(ByteReader& in) {
  for (AnyLearner& block : blocks_) block.load(in);
}

}  // namespace tarry
