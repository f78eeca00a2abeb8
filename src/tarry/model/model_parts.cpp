// How a model is put together, and what can be asked of it that no event asks.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <span>
#include <utility>

#include "tarry/base/elementary.h"
#include "tarry/base/error.h"
#include "tarry/learners/registry.h"
#include "tarry/linalg/stacked.h"
#include "tarry/losses/softmax.h"
#include "tarry/model/model.h"
#include "tarry/model/model_spec.h"

namespace tarry {
namespace {

[[noreturn]] void refuse_parts(const std::string& why) { throw Error(Code::kBadSpec, "model: " + why); }

constexpr std::uint64_t kDated = std::uint64_t{1} << 63;
constexpr std::uint64_t kApprentice = std::uint64_t{1} << 62;
constexpr std::uint64_t kCounted = std::uint64_t{1} << 61;  // rewards that the apprentice has counted may change
constexpr std::uint64_t kCompared = std::uint64_t{1} << 60;
constexpr std::uint64_t kComparedMore = std::uint64_t{1} << 59;  // with what each action alone would earn

bool is_class(double x, std::size_t classes) {
  return x >= 0 && x < static_cast<double>(classes) && x == std::floor(x);
}

bool all_finite(const Vec& x) {
  return std::all_of(x.begin(), x.end(), [](double one) { return std::isfinite(one); });
}

// Whether a round that was loaded has features of this many, or none, and no number that is not finite.
bool fits(const Context& x, Index dimension) {
  if (!std::isfinite(x.prediction) || !all_finite(x.values) || !all_finite(x.scores) || !all_finite(x.memo))
    return false;
  if (!x.has_features) return !x.sparse && x.values.empty();
  if (!x.sparse) return static_cast<Index>(x.values.size()) == dimension;
  Index last = -1;
  for (Index i : x.indices)
    if (i <= std::exchange(last, i) || i >= dimension) return false;
  return true;
}

}  // namespace

Model::Model(ModelParts parts)
    : set_(std::move(parts.set)),
      learner_(std::move(parts.learner)),
      loss_(std::move(parts.loss)),
      care_(set_.dimension() / static_cast<Index>(loss_ ? loss_->outputs() : 1) - parts.products * parts.products -
                Bends::width(parts.bends),
            std::move(parts.encoder), parts.standardise, parts.numbers, {parts.products, parts.bends},
            parts.choice && parts.choice->crossed && parts.products > 0 ? kActionFeature : ""),
      labels_(std::move(parts.labels)),
      names_(std::move(parts.names)),
      expiry_(std::move(parts.expiry)),
      spec_(std::move(parts.spec)),
      revisable_(parts.revisable),
      choice_(std::move(parts.choice)),
      trees_(parts.trees) {
  if (parts.standardise && loss_ && loss_->of_the_error()) label_scale_.emplace();
  ledger_.track(parts.tracked);
  if (trees_) care_.keep_raw();
  check_parts();
  name_classes();
  if (!choice_ || loss_->of_the_error()) return;
  apprentice_ = Apprentice(evaluation::RewardRange{});
  comparison_ = Comparison(evaluation::RewardRange{});
}

void Model::add_name(const LabelValue& given) {
  if (revisable_.labels == LabelsAre::kSum) return;
  const std::size_t before = labels_.names().size();
  labels_.add(given);
  if (labels_.names().size() > before) name_classes();
}

void Model::name_classes() {
  if (loss_ && labels_.names_classes()) loss_ = loss_->naming(labels_.names().size());
}

void Model::check_parts() const {
  const Index dimension = set_.dimension();
  const auto classes = static_cast<Index>(outputs());
  if (const auto own = learner_.dimension(); own && *own != dimension)
    refuse_parts(fmt::format("set and learner must have one dimension ({} and {})", dimension, *own));
  if (dimension % classes != 0)
    throw Error(Code::kBadSpec, fmt::format("a loss over {} classes needs a set whose dimension is a multiple of that "
                                            "(dimension = {})",
                                            classes, dimension));
  if (classes > 1 && !learner_.tells_classes())
    throw Error(Code::kUnsupported, "the learner cannot tell the classes of a round apart; take another");
  if (care_.numbers() > 0 && (!care_.standardises() || care_.takes_names() || care_.numbers() > care_.dimension()))
    refuse_parts(fmt::format("numbers is for standardised features without names; there are at most {} (numbers = {})",
                             care_.dimension(), care_.numbers()));
  if (!loss_ && care_.standardises())
    throw Error(Code::kBadSpec, "standardise needs a loss: a gradient cannot be converted to other units");
  const Index multiplied = care_.products().of(), bent = care_.bends().of();
  if (bent > 0 && !care_.standardises())
    throw Error(Code::kBadSpec,
                "bends needs standardise = true: knots are placed in standard deviations from the mean");
  if (bent > 0 && care_.crosses())
    throw Error(Code::kBadSpec, "bends is not for models that choose by an action's products with its context");
  if (bent > 0 && care_.dimension() < bent)
    throw Error(
        Code::kBadSpec,
        fmt::format("bends of {0} features need a set with a weight for each feature, each product and {1} more "
                    "for each output (dimension = {2})",
                    bent, Bends::width(bent), dimension));
  if (multiplied > 0 && !care_.standardises())
    throw Error(Code::kBadSpec, "products needs standardise = true: features of any size have products of any size");
  if (care_.dimension() < multiplied)
    throw Error(
        Code::kBadSpec,
        fmt::format("products of {0} features need a set with a weight for each feature and each product, {0} + "
                    "{0}² or more for each output (dimension = {1})",
                    multiplied, dimension));
  if (!loss_ && care_.takes_names()) refuse_parts("features need a loss: without one there is nothing to predict");
  if (const AnyEncoder* encoder = care_.encoder()) {
    const Index slots = std::visit([](const auto& e) { return e.dimension(); }, *encoder);
    if (slots != care_.dimension())
      refuse_parts(fmt::format("the set must have a weight for each of the {} slots of the features{} (dimension = {})",
                               slots, classes > 1 ? fmt::format(" and each of {} classes", classes) : "", dimension));
  }
  if (!names_.empty() && static_cast<Index>(names_.size()) != dimension)
    refuse_parts(fmt::format("names must have {} entries, the set's dimension ({} came)", dimension, names_.size()));
  if (expiry_.then_label) {
    if (!loss_) refuse_parts("expiry.then: a default label needs a loss");
    checked_label(labels_.read(*expiry_.then_label, *loss_));
  }
  if (choice_ && (!loss_ || classes > 1 || care_.encoder() == nullptr || !std::get_if<Encoder>(care_.encoder())))
    throw Error(Code::kBadSpec, "choose needs features by name and a loss of numbers or of true and false");
  check_revisable();
  check_tracked();
}

void Model::check_revisable() const {
  if (!revisable_.any()) return;
  if (!loss_) throw Error(Code::kBadSpec, "revisable needs a loss: only labels can be corrected");
  if (revisable_.labels == LabelsAre::kSum && (labels_.names_classes() || outputs() > 1))
    throw Error(Code::kBadSpec, "labels = \"sum\" needs a loss of numbers: classes do not add up");
  if (learner_.revises()) return;
  std::string those;
  for (const LearnerEntry& entry : learner_registry())
    if (!entry.revises.empty()) those += (those.empty() ? "" : "; ") + entry.revises;
  throw Error(Code::kUnsupported,
              fmt::format("revisable: {} cannot take a label back. These can: {}", learner_.name(), those));
}

Model::Outcome Model::predict(const FeaturesView& given) const {
  Row scratch, wide;
  const Covector row = care_.with_raw(care_.widen(care_.look_up(given, scratch), next_own(), wide), given, wide);
  Outcome outcome{.answer = Answer::kApplied};
  if (outputs() == 1) {
    const Link link = label_scale_ ? label_scale_->link() : Link{};
    outcome.prediction = link(learner_.predict(row));
    return outcome;
  }
  const Stacked stacked(row, outputs(), care_.width());
  const Covector features = stacked.view();
  for (std::size_t c = 0; c < outputs(); ++c) outcome.scores.push_back(learner_.predict(features.output(c)));
  outcome.prediction = likeliest(outcome.scores);
  return outcome;
}

// Of the classes that have been named; where none has, the first.
double Model::likeliest(const Vec& scores) const {
  const auto named = labels_.names_classes() ? std::max<std::size_t>(1, labels_.names().size()) : scores.size();
  const auto end = scores.begin() + static_cast<std::ptrdiff_t>(named);
  return static_cast<double>(std::max_element(scores.begin(), end) - scores.begin());
}

Vec Model::probabilities(const Vec& scores) const {
  const std::size_t named = labels_.names_classes() ? labels_.names().size() : scores.size();
  Vec p(scores.begin(), scores.begin() + static_cast<std::ptrdiff_t>(std::min(named, scores.size())));
  if (!p.empty()) softmax(p, p);
  return p;
}

double Model::read(const LabelValue& label) const {
  if (!loss_) throw Error(Code::kBadInput, "a label needs a model with a loss");
  return labels_.read(label, *loss_);
}

Model::Judged Model::judge(const Outcome& played, const LabelValue& given) const {
  if (!loss_) throw Error(Code::kBadInput, "a label needs a model with a loss");
  Judged judged{.label = labels_.number(given, *loss_), .prediction = played.prediction};
  if (played.scores.empty()) {
    judged.loss = judged.shown = loss_->value(played.prediction, judged.label);
    return judged;
  }
  const std::size_t named = labels_.names().size();
  if (names_classes() && named == 0) judged.prediction = -1;
  if (judged.label >= static_cast<double>(outputs())) {
    judged.loss = judged.shown = std::numeric_limits<double>::infinity();
    return judged;
  }
  judged.loss = judged.shown = loss_->value(played.scores, judged.label);
  const auto own = static_cast<std::size_t>(judged.label);
  if (names_classes()) judged.shown = softmax_loss(std::span(played.scores).first(std::max(named, own + 1)), own);
  return judged;
}

SparseVector Model::sample() const {
  SparseAtom v = set_.without_cycles(as_sparse(learner_.sample(), set_.dimension()));
  return {std::move(v.at), std::move(v.value)};
}

Vec Model::decision() const {
  Vec x = full_vector(set_.dimension());
  learner_.write(x);
  return x;
}

// One copy for all the rounds that play the same point.
Version Model::current_version() const {
  Vec x = decision();
  const Version newest = ledger_.newest_version();
  return newest && *newest == x ? newest : std::make_shared<const Vec>(std::move(x));
}

Covector Model::gradient_by_name(const NamedFeatures& named, Vec& values) const {
  if (names_.empty()) throw Error(Code::kBadInput, "gradient must be an array: this model's coordinates have no names");
  values.assign(names_.size(), 0.0);
  for (const NamedFeature& entry : named) {
    const auto at = std::find(names_.begin(), names_.end(), entry.name);
    const auto* number = std::get_if<double>(&entry.value);
    if (at == names_.end() || number == nullptr)
      throw Error(Code::kBadInput, fmt::format("gradient.{} must be a number for one of the model's names{}",
                                               tarry::shown(entry.name), number == nullptr ? "" : ", which it is not"));
    values[static_cast<std::size_t>(at - names_.begin())] = *number;
  }
  return Covector::dense(values);
}

theory::Seen Model::seen() const {
  return {.rounds = static_cast<double>(ledger_.own(ledger_.issued())),
          .sum_outstanding = ledger_.delays().sum_outstanding,
          .largest_delay = static_cast<double>(ledger_.largest_delay_so_far()),
          .gradient_bound = gradient_bound_,
          .curved = loss_ && !loss_->is_linear(),
          .flat = loss_ && set_.dimension() > static_cast<Index>(outputs())};
}

std::optional<double> Model::certificate() const {
  if (ledger_.own(ledger_.issued()) == 0 || revisions_ > 0 || ledger_.untracked() > 0) return std::nullopt;
  if (gradient_bound_ == 0 && !learner_.takes_losses()) return std::nullopt;
  const auto bound = learner_.bound(seen());
  // The theorem covers the rounds that were not given up; each of the others costs at most G D, twice that where it was
  // learnt as a default label (docs/theory.md).
  const double each = gradient_bound_ * set_.diameter() * (expiry_.then_label ? 2 : 1);
  return bound ? std::optional(*bound + each * static_cast<double>(ledger_.expired())) : std::nullopt;
}

// ---- state

// Whether times matter, and whether something else was shown, is in bits that no count of events reaches: states
// without them are as they were.
std::uint64_t Model::first_number() const {
  return events_ | (dated_ ? kDated : 0) | (apprentice_.any() ? kApprentice : 0) |
         (apprentice_.keeps_counted() ? kCounted : 0) | (comparison_.any() ? kCompared : 0) |
         (comparison_.keeps_more() ? kComparedMore : 0);
}

void Model::save(ByteWriter& out) const {
  out.u64(first_number());
  ledger_.save(out);
  keys_.save(out);
  if (revisable_.any()) settled_.save(out);
  save_rest(out);
}

void Model::save_rest(ByteWriter& out) const {
  if (revisable_.any() || dated_) {
    out.u64(revisions_);
    out.f64(now_);
  }
  care_.save(out);
  labels_.save(out);
  if (label_scale_) label_scale_->save(out);
  out.f64(gradient_bound_);
  if (apprentice_.any()) apprentice_.save(out);
  if (apprentice_.keeps_counted()) apprentice_.save_counted(out);
  if (comparison_.any()) comparison_.save(out);
  if (comparison_.keeps_more()) comparison_.save_more(out);
  learner_.save(out);
}

// Whether a round that was loaded has what this model keeps of one.
bool Model::fits_model(const Context& x) const {
  const bool classes = outputs() > 1;
  const bool scored = x.scores.size() == (classes ? outputs() : 0) && (!classes || is_class(x.prediction, outputs()));
  const bool shown = label_scale_ ? std::isfinite(x.link.centre) && x.link.scale >= 0 && std::isfinite(x.link.scale)
                                  : x.link == Link{};
  const bool due = std::isfinite(x.due.played) && std::isfinite(x.due.due);
  return scored && shown && due && fits(x, care_.dimension());
}

// Whether a keyed play can have been answered so: with a class and the scores of each, with the place of an action and
// its probability, or with a prediction.
bool Model::answered_so(const KeyedRound& x) const {
  if (choice_)
    return x.scores.size() == 2 && is_class(x.scores[0], kMostActions) && x.scores[1] > 0 && x.scores[1] <= 1;
  if (outputs() == 1) return x.scores.empty();
  return x.scores.size() == outputs() && x.prediction >= 0 && x.prediction < static_cast<double>(outputs());
}

void Model::load(ByteReader& in) {
  const std::uint64_t first = in.u64();
  events_ = first & ~(kDated | kApprentice | kCounted | kCompared | kComparedMore);
  dated_ = (first & kDated) != 0;
  ledger_.load(in);
  const auto unfit = [](Round round) {
    throw Error(Code::kCorrupt, fmt::format("snapshot: round {} does not fit the model", round));
  };
  for (Round round : ledger_.waiting()) {
    const auto waiting = ledger_.peek(round);
    const Context& x = waiting->context;
    const bool decided = (waiting->version != nullptr) == (loss_ && !x.has_features) &&
                         (!waiting->version || static_cast<Index>(waiting->version->size()) == set_.dimension());
    if (!decided || !fits_model(x)) unfit(round);
  }
  keys_.load(in, ledger_.issued());
  if (!keys_.fit([this](Round round) { return ledger_.is_outstanding(round); },
                 [this](const KeyedRound& x) { return answered_so(x); }))
    throw Error(Code::kCorrupt, "snapshot: a key does not fit its round");
  if (revisable_.any()) {
    settled_.load(in, ledger_.issued());
    settled_.each([&](Round round, const SettledRound& settled) {
      const Context x = settled.context.unpack();
      const bool labelled = loss_->outputs() == 1 || is_class(settled.learnt, loss_->outputs());
      if (!ledger_.is_settled(round) || !x.has_features || !labelled || !fits_model(x)) unfit(round);
    });
  }
  if (revisable_.any() || dated_) {
    revisions_ = in.u64();
    now_ = in.f64();
  }
  due_looks_.clear();
  for (Round round : ledger_.waiting())
    if (ledger_.find(round)->has_due() && learner_.looks_again()) expect_look(round, ledger_.find(round)->unpack().due);
  care_.load(in);
  labels_.load(in);
  name_classes();
  if (label_scale_) label_scale_->load(in);
  gradient_bound_ = in.f64();
  if (!(gradient_bound_ >= 0)) throw Error(Code::kCorrupt, "snapshot: the largest gradient is impossible");
  if ((first & kApprentice) != 0) {
    if (!choice_) throw Error(Code::kCorrupt, "snapshot: something was shown by a model that does not choose");
    apprentice_.load(in);
  }
  if ((first & kCounted) != 0) {
    if (!apprentice_.any() || !revisable_.any())
      throw Error(Code::kCorrupt, "snapshot: a reward that was counted cannot change");
    apprentice_.load_counted(in);
  }
  if ((first & kCompared) != 0) {
    if (!choice_) throw Error(Code::kCorrupt, "snapshot: choices of a model that does not choose");
    comparison_.load(in, (first & kComparedMore) != 0);
  }
  if ((first & kComparedMore) != 0) {
    if (!comparison_.any()) throw Error(Code::kCorrupt, "snapshot: choices that are not compared");
    comparison_.load_more(in);
  }
  learner_.load(in);
}

std::string Model::hash() const {
  return state_hash(spec_, [this](ByteWriter& out) { save(out); });
}

FrozenModel Model::freeze() const {
  FrozenModel frozen{.spec = spec_, .events = first_number(), .ledger = ledger_, .keys = keys_.lists()};
  if (revisable_.any()) frozen.settled = settled_;
  ByteWriter out([&](std::string_view piece) { frozen.rest.emplace_back(piece); });
  save_rest(out);
  out.flush();
  return frozen;
}

Model Model::clone() const {
  if (spec_.empty())
    throw Error(Code::kUnsupported,
                "model: one that was put together by hand has no specification to make it again from");
  Model copy = make_model(ModelSpec::parse(spec_));
  ByteWriter out;
  save(out);
  ByteReader in(out.bytes());
  copy.load(in);
  in.expect_end();
  return copy;
}

}  // namespace tarry
