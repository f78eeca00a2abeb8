#include "tarry/model/model.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "tarry/base/error.h"
#include "tarry/linalg/stacked.h"
#include "tarry/spec/node.h"

namespace tarry {
namespace {

// Gradients of standardised labels are in their units squared: after a larger one every other would be refused.
constexpr double kLargestScaled = 1e45;

[[noreturn]] void refuse(const std::string& why) { throw Error(Code::kBadInput, why); }

// Numbers small enough that their squares and sums are numbers.
void check_sizes(const Covector& given, const std::string& name) {
  for (double x : given.values())
    if (!(std::fabs(x) <= spec::kLargest))
      refuse(fmt::format("{} must be finite and at most 1e100 in size ({} came)", name, x));
}

// A gradient or features as they come from outside: of the right size, ascending, finite.
void check(const Covector& given, const std::string& name, Index dimension,
           const std::string& which = "the set's dimension") {
  if (!given.is_sparse() && static_cast<Index>(given.stored()) != dimension)
    refuse(fmt::format("{} must have {} entries, {} ({} came)", name, dimension, which, given.stored()));
  if (given.is_sparse() && given.indices().size() != given.values().size())
    refuse(fmt::format("values must have as many entries as indices ({} and {} came)", given.values().size(),
                       given.indices().size()));
  Index last = -1;
  for (Index i : given.indices()) {
    if (i < 0 || i >= dimension) refuse(fmt::format("indices must be from 0 to {} ({} came)", dimension - 1, i));
    if (i <= last) refuse(fmt::format("indices must be ascending, each once ({} after {})", i, last));
    last = i;
  }
  check_sizes(given, name);
}

// c with gradient = c · features, entry by entry; nothing where there is none.
std::optional<double> multiple_of(const Covector& features, const Covector& gradient) {
  constexpr double kRounding = 1e-12;
  const auto a = features.values(), g = gradient.values();
  if (features.is_sparse() != gradient.is_sparse() || a.size() != g.size() ||
      !std::equal(features.indices().begin(), features.indices().end(), gradient.indices().begin(),
                  gradient.indices().end()))
    return std::nullopt;
  const auto largest =
      std::max_element(a.begin(), a.end(), [](double x, double y) { return std::fabs(x) < std::fabs(y); });
  if (largest == a.end() || *largest == 0) return std::nullopt;
  const double slope = g[static_cast<std::size_t>(largest - a.begin())] / *largest;
  if (!std::isfinite(slope)) return std::nullopt;
  for (std::size_t i = 0; i < a.size(); ++i)
    if (!(std::fabs(g[i] - slope * a[i]) <= kRounding * std::fabs(slope * *largest))) return std::nullopt;
  return slope;
}

Covector view(const Context& context) {
  return context.sparse ? Covector::sparse(context.indices, context.values) : Covector::dense(context.values);
}

std::size_t likeliest(const Vec& scores) {
  return static_cast<std::size_t>(std::max_element(scores.begin(), scores.end()) - scores.begin());
}

}  // namespace

Model::Outcome Model::apply(const Event& event) {
  return std::visit(Overload{[&](const Play& e) { return play(e); }, [&](const Gradient& e) { return receive(e); },
                             [&](const Label& e) { return receive(e); }, [&](const Expire& e) { return expire(e); }},
                    event);
}

// Where a loss has several outputs the decision is one block of weights after the other, one for each.
Index Model::features_dimension() const {
  return loss_ ? set_.dimension() / static_cast<Index>(loss_->outputs()) : set_.dimension();
}

void Model::check_classes() const {
  if (set_.dimension() % static_cast<Index>(loss_->outputs()) != 0)
    throw Error(Code::kBadSpec, fmt::format("a loss over {} classes needs a set whose dimension is a multiple of that "
                                            "(dimension = {})",
                                            loss_->outputs(), set_.dimension()));
  if (loss_->outputs() > 1 && !learner_.tells_classes())
    throw Error(Code::kUnsupported,
                "per_block: a block cannot tell the classes of a round apart; take another learner");
}

void Model::standardise() {
  if (!loss_) throw Error(Code::kBadSpec, "standardise needs a loss: a gradient cannot be told in other units");
  if (ledger_.issued() > 0) throw Error(Code::kBadSpec, "standardise must be asked for before the first round");
  standardiser_.emplace(features_dimension());
  if (loss_->of_the_error()) label_scale_.emplace();
}

void Model::keep_features(const Covector& features, Context& context) {
  check(features, "features", features_dimension(),
        loss_ && loss_->outputs() > 1 ? "the set's dimension for each class" : "the set's dimension");
  context.has_features = true;
  if (standardiser_) {
    context.sparse = true;
    standardiser_->prepare(features, context.indices, context.values);
  } else {
    context.sparse = features.is_sparse();
    context.indices.assign(features.indices().begin(), features.indices().end());
    context.values.assign(features.values().begin(), features.values().end());
  }
}

Model::Outcome Model::play(const Play& event) {
  if (standardiser_ && !event.features) refuse("features must come with the play: this model standardises them");
  Context context;
  if (event.features) keep_features(*event.features, context);
  if (loss_ && loss_->outputs() > 1) return play_classes(std::move(context));
  if (loss_ && !event.features) full_size(set_.dimension());  // refused before anything changes
  if (label_scale_) context.link = label_scale_->link();
  const Covector features = view(context);
  context.prediction = learner_.play(ledger_.issued() + 1, event.features ? &features : nullptr, context.memo);
  Version version = loss_ && !event.features ? current_version() : nullptr;
  return {Answer::kApplied, ledger_.issue(context, std::move(version)), context.link(context.prediction)};
}

// The scores, which the loss needs again, are kept at the memo's end.
Model::Outcome Model::play_classes(Context context) {
  if (!context.has_features) refuse("features must come with the play: this model predicts classes");
  const std::size_t classes = loss_->outputs();
  const Stacked stacked(view(context), classes, features_dimension());
  const Covector features = stacked.view();
  learner_.play(ledger_.issued() + 1, &features, context.memo);
  Outcome outcome{.answer = Answer::kApplied, .round = 0};
  for (std::size_t c = 0; c < classes; ++c) outcome.scores.push_back(learner_.predict(features.output(c)));
  context.prediction = static_cast<double>(likeliest(outcome.scores));
  outcome.prediction = context.prediction;
  context.memo.insert(context.memo.end(), outcome.scores.begin(), outcome.scores.end());
  outcome.round = ledger_.issue(context);
  return outcome;
}

Model::Outcome Model::receive_class(const Label& event, double label) {
  if (event.features) refuse("features were given at play: a label must not bring others");
  auto peeked = ledger_.peek(event.round);
  if (!peeked) return {ledger_.why_not(event.round), event.round};
  const std::size_t classes = loss_->outputs();
  Memo& memo = peeked->context.memo;
  const Vec scores(memo.end() - static_cast<std::ptrdiff_t>(classes), memo.end());
  memo.resize(memo.size() - classes);
  const Stacked stacked(view(peeked->context), classes, features_dimension());
  const KnownLoss known{stacked.view(), *loss_, label};
  Vec slopes(classes), values;
  known.slopes(scores, slopes);
  const Covector gradient = known.gradient(slopes, values);
  check_sizes(gradient, "gradient");
  ledger_.settle_peeked(event.round, *peeked);
  pass_on(event.round, {.gradient = gradient, .known = &known, .predictions = scores}, memo);
  return {Answer::kApplied, event.round, peeked->context.prediction, known.value(scores), scores};
}

// One copy for all the rounds that play the same point.
Version Model::current_version() {
  Vec x = full_vector(set_.dimension());
  learner_.write(x);
  if (!version_ || *version_ != x) version_ = std::make_shared<const Vec>(std::move(x));
  return version_;
}

void Model::pass_on(Round round, const Feedback& feedback, const Memo& memo) {
  gradient_bound_ = std::max(gradient_bound_, feedback.gradient.norm());
  learner_.receive(round, feedback, memo);
}

Model::Outcome Model::receive(const Gradient& event) {
  if (standardiser_) refuse("a gradient does not fit a model that standardises features: give the label");
  if (loss_ && loss_->outputs() > 1) refuse("a gradient does not fit a model that predicts classes: give the label");
  check(event.gradient, "gradient", set_.dimension());
  const auto settled = ledger_.settle(event.round);
  if (!settled) return {ledger_.why_not(event.round), event.round};
  const Context& context = settled->context;
  const auto slope = context.has_features ? multiple_of(view(context), event.gradient) : std::nullopt;
  Feedback feedback{.gradient = event.gradient, .slope = slope};
  if (context.has_features) feedback.predictions = {&context.prediction, 1};
  if (settled->version) feedback.decision = *settled->version;
  pass_on(event.round, feedback, context.memo);
  return {Answer::kApplied, event.round, context.prediction};
}

Model::Outcome Model::receive(const Label& event) {
  if (!loss_) refuse("a label needs a model with a loss");
  const double label = loss_->label(event.label);
  if (loss_->outputs() > 1) return receive_class(event, label);
  if (label_scale_ && std::fabs(label) > kLargestScaled)
    refuse(fmt::format("label must be at most 1e45 in size where the model standardises ({} came)", label));
  if (event.features) check(*event.features, "features", set_.dimension());
  const auto peeked = ledger_.peek(event.round);
  if (!peeked) return {ledger_.why_not(event.round), event.round};
  const auto& [context, version, delay] = *peeked;
  if (context.has_features && event.features) refuse("features were given at play: a label must not bring others");
  if (!context.has_features && !event.features) refuse("features were not given at play: the label must bring them");
  const Covector features = context.has_features ? view(context) : *event.features;
  const double prediction = context.has_features ? context.prediction : features.dot(*version);
  KnownLoss known{features, *loss_, label, context.link};

  // Gradient = slope · features, at the point that was played.
  double slope = 0;
  known.slopes({&prediction, 1}, {&slope, 1});
  Vec values;
  const Covector gradient = features.times(slope, values);
  check_sizes(gradient, "gradient");
  ledger_.settle_peeked(event.round, *peeked);
  if (label_scale_) {
    label_scale_->add(label);
    known.now = label_scale_->link();
  }
  Feedback feedback{.gradient = gradient, .slope = slope, .known = &known, .predictions = {&prediction, 1}};
  if (version) feedback.decision = *version;
  pass_on(event.round, feedback, context.memo);
  return {Answer::kApplied, event.round, context.link(prediction), known.value({&prediction, 1})};
}

Model::Outcome Model::expire(const Expire& event) {
  auto settled = ledger_.expire(event.round);
  if (!settled) return {ledger_.why_not(event.round), event.round};
  Context& context = settled->context;
  if (loss_ && loss_->outputs() > 1) context.memo.resize(context.memo.size() - loss_->outputs());
  learner_.abandon(event.round, context.memo);
  return {Answer::kApplied, event.round, context.link(context.prediction)};
}

theory::Seen Model::seen() const {
  return {.rounds = static_cast<double>(ledger_.issued()),
          .sum_outstanding = ledger_.delays().sum_outstanding,
          .largest_delay = static_cast<double>(ledger_.largest_delay_so_far()),
          .gradient_bound = gradient_bound_};
}

std::optional<double> Model::certificate() const {
  if (ledger_.issued() == 0 || gradient_bound_ == 0) return std::nullopt;
  const auto bound = learner_.bound(seen());
  // The theorem covers the rounds that were not given up; each of the others costs at most G D (docs/theory.md).
  const double given_up = gradient_bound_ * set_.diameter() * static_cast<double>(ledger_.expired());
  return bound ? std::optional(*bound + given_up) : std::nullopt;
}

}  // namespace tarry
