#include "tarry/learners/combined/patient.h"

#include "tarry/learners/combined/banked_bases.h"
#include "tarry/learners/combined/crossed_bases.h"
#include "tarry/learners/combined/forgetting_bases.h"
#include "tarry/learners/combined/hedge.h"
#include "tarry/learners/combined/loss_weights.h"
#include "tarry/learners/combined/treed_bases.h"
#include "tarry/learners/descent/implicit_adagrad.h"
#include "tarry/learners/registry.h"
#include "tarry/losses/registry.h"

namespace tarry {
namespace {

// Every rate has its streams; eight, since their states then fill whole cache lines. The largest are believed last:
// what comes first may be of one class, and they would be sure of it at once.
Vec rates() { return {2, 1, 1.0 / 2, 1.0 / 4, 1.0 / 8, 1.0 / 16, 1.0 / 32, 1.0 / 64}; }
Vec prior() { return {1.0 / 8, 1.0 / 4, 1.0 / 2, 1, 1, 1, 1, 1}; }

constexpr double kCaution = 0.25;  // of Bayes' rule: the base that is best so far may not stay it
constexpr double kNewton = 100;    // and of Newton's steps, beside all others: the first choices decide what is learnt
// Of bases that forget: of the squares that steps shrink by, 1 in so many at each label.
Vec forgetting_rates() { return {4, 4, 4, 4, 1, 1, 1, 1}; }
Vec keeps() {
  const Vec four{1 - 1.0 / 30, 1 - 1.0 / 100, 1 - 1.0 / 300, 1 - 1.0 / 1000};
  Vec all = four;
  all.insert(all.end(), four.begin(), four.end());
  return all;
}
constexpr double kForgetting = 0.05;  // what is believed beforehand of each of them

constexpr double kWide = 0.1;  // what is believed beforehand of bases that see more than the features, together

bool starts_at_0(const Start& start) { return start.everywhere == 0 && start.values.empty(); }

}  // namespace

// With products there are two of every rate, one that sees them and one that does not; with bends there is one more.
AnyLearner make_patient(const LearnerSetting& setting, bool wanted) {
  const Start start = setting.shape().start;
  const auto bases = [&] { return ImplicitBases(*setting.set.bounds(), start, rates()); };
  const auto weights = [&](Vec believed, Sleepers sleepers = {}) {
    return LossWeights(std::move(believed), kCaution, Waiting(setting.classes, setting.otherwise, setting.lost),
                       Waiting(setting.classes, setting.otherwise, setting.lost, Waiting::Clock::kDue),
                       is_quadratic(setting.loss), sleepers);
  };
  const Index dimension = setting.set.dimension();
  const double diameter = setting.set.diameter();
  const bool forgets = wanted && setting.row.crossed == 0, grows = setting.row.trees;
  if (forgets && grows) throw Error(Code::kUnsupported, "patient: forgets and trees cannot be combined");
  if (grows && !starts_at_0(start)) throw Error(Code::kUnsupported, "patient: trees need weights that start at 0");
  if ((setting.row.products + setting.row.bends == 0 && !forgets && !grows) || !starts_at_0(start))
    return Hedge<ImplicitBases, LossWeights>(bases(), dimension, diameter, weights(prior()));
  if (setting.row.crossed > 0) {
    Vec believed{kNewton};
    for (double p : prior()) believed.push_back(p);
    BlockNewton steps(*setting.set.bounds(), setting.row.width - setting.row.products, setting.row.crossed);
    return Hedge<CrossedBases, LossWeights>(CrossedBases(std::move(steps), bases()), dimension, diameter,
                                            weights(std::move(believed)));
  }
  Vec all = prior();
  const int wide = (setting.row.products > 0 ? 1 : 0) + (setting.row.bends > 0 ? 1 : 0);
  for (int bank = 0; bank < wide; ++bank)
    for (double p : prior()) all.push_back(kWide / wide * p);
  Sleepers sleepers{.wide = setting.row.bends > 0 ? rates().size() : 0};
  BankedBases banks(bases(), setting.row);
  if (grows) {
    all.insert(all.end(), TreedBases::kOwn, 0.0);  // these are tried apart (tree_trial.h)
    sleepers.trees = TreedBases::kOwn;
    const trees::Fits fits = is_quadratic(setting.loss) ? trees::Fits::kNumbers : trees::Fits::kOdds;
    return Hedge<TreedBases, LossWeights>(TreedBases(std::move(banks), fits, setting.row.width), dimension, diameter,
                                          weights(std::move(all), sleepers));
  }
  if (!forgets)
    return Hedge<BankedBases, LossWeights>(std::move(banks), dimension, diameter, weights(std::move(all), sleepers));
  ImplicitBases forgetting(*setting.set.bounds(), start, forgetting_rates(), keeps());
  all.insert(all.end(), forgetting.size(), kForgetting);
  sleepers.forgetting = forgetting.size();
  return Hedge<ForgettingBases, LossWeights>(ForgettingBases(std::move(banks), std::move(forgetting)), dimension,
                                             diameter, weights(std::move(all), sleepers));
}

bool wants_forgetting(const spec::Node& node) {
  const auto given = node.find("forgets");
  return given && given->flag();
}

LearnerEntry patient_entry() {
  return {
      .name = "patient",
      .summary = "Eight rates of AdaGrad with implicit steps, fair to labels that come late; for standardised features",
      .keys = {{"forgets", "true: some of its learners follow a stream that changes", "false"}},
      .make = [](const spec::Node& node, const LearnerSetting& setting) -> AnyLearner {
        if (!setting.set.bounds()) node.fail_whole("needs a box, but this set is not one", Code::kUnsupported);
        return make_patient(setting, wants_forgetting(node));
      },
      .examples = {R"({"type": "patient"})", R"({"type": "patient", "forgets": true})"},
      .cost = [](const spec::Value&, const CostScene& scene) { return touched_cost(scene); },
      .weighs_products = true,
      .revises = "patient"};
}

}  // namespace tarry
