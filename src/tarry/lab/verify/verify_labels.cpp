// Drawn games through losses: features at play or with the label, and delays that depend on the labels.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "tarry/base/elementary.h"
#include "tarry/base/error.h"
#include "tarry/base/random.h"
#include "tarry/lab/play/game.h"
#include "tarry/lab/verify/verify.h"
#include "tarry/linalg/norms.h"
#include "tarry/losses/registry.h"
#include "tarry/sets/registry.h"
#include "tarry/spec/json.h"

namespace tarry::lab {
namespace {

constexpr double kRow = 0.3;  // features' norm: gradients then stay below the bound of 1 that learners are told
constexpr std::uint64_t kLabelSeed = 20220919;

struct Task {
  std::string name, loss;
  Known known;
};

const std::vector<Task>& tasks() {
  static const std::vector<Task> all = [] {
    std::vector<Task> tasks;
    for (const LossEntry& loss : loss_registry()) {
      if (loss.verify.at_play) tasks.push_back({loss.name + ", features at play", loss.name, Known::kAtPlay});
      if (loss.verify.with_label)
        tasks.push_back({loss.name + ", features with the label", loss.name, Known::kAtFeedback});
    }
    return tasks;
  }();
  return all;
}

bool of_wealth(const std::string& loss) { return measure_of(loss) == Measure::kWealth; }

// Rows with a hidden weight vector, half of whose part in the labels turns round halfway.
Stream labelled_stream(const Task& task, Index dimension, Round rounds) {
  const auto n = static_cast<std::size_t>(dimension);
  RandomSequence draw(kLabelSeed, static_cast<std::uint64_t>(dimension));
  auto data = std::make_shared<Dataset>();
  data->dimension = dimension;
  Vec hidden(n), row(n);
  for (double& w : hidden) w = draw.gaussian();
  for (Round t = 0; t < rounds; ++t) {
    for (double& a : row) a = of_wealth(task.loss) ? tarry::exp(0.3 * draw.gaussian()) : draw.gaussian();
    if (!of_wealth(task.loss)) {
      const double norm = norm2(row);
      for (double& a : row) a *= kRow / norm;
    }
    double signal = 0.1 * draw.gaussian();
    for (std::size_t i = 0; i < n; ++i) signal += row[i] * hidden[i] * (i % 2 == 0 && 2 * t > rounds ? -1 : 1);
    for (std::size_t i = 0; i < n; ++i) data->sparse.add(static_cast<Index>(i), row[i]);
    data->sparse.end_row();
    data->labels.push_back(measure_of(task.loss) == Measure::kError ? std::clamp(signal, -0.6, 0.6)
                           : signal > 0                             ? 1
                                                                    : 0);
  }
  const spec::Value named{task.loss};
  Stream stream;
  stream.dimension = dimension;
  stream.rule =
      Table{.data = data, .loss = make_loss(spec::Node(named, "loss")), .loss_name = task.loss, .known = task.known};
  return stream;
}

struct LabelDelay {
  std::string name;
  Round (*of)(double label, Round root);
};

const std::vector<LabelDelay>& label_delays() {
  static const std::vector<LabelDelay> all = {
      {"none", [](double, Round) { return Round{1}; }},
      {"fixed √T", [](double, Round root) { return root; }},
      {"one class 2√T late", [](double label, Round root) { return label > 0 ? 2 * root : 1; }},
      {"the larger the later",
       [](double label, Round root) {
         return 1 + static_cast<Round>(4 * std::fabs(label) * static_cast<double>(root));
       }},
  };
  return all;
}

// Theorems for strongly convex losses say nothing here, nor do those that count linear losses.
bool suits(const DrawnLearner& learner) {
  const Promise promise = promise_of(learner.spec);
  return !promise.strongly_convex && !promise.linear;
}

// One game; its regret and bound are added to what the check has of both.
void play_once(BoundCheck& check, const Stream& stream, const Interval& best, const std::string& learner,
               const std::string& set, const LabelDelay& delay) {
  constexpr double kFeasible = 1e-9;
  const Table& table = *stream.table();
  Model model = make_model(set, learner, {}, table.loss_name);
  const auto root = static_cast<Round>(std::sqrt(static_cast<double>(check.rounds)));
  std::vector<std::vector<Round>> due(table.data->rows() + 1);
  for (Round t = 1; t < due.size(); ++t)
    if (const Round at = t + delay.of(table.data->labels[t - 1], root) - 1; at < due.size()) due[at].push_back(t);
  const auto late = arriving_at(std::move(due));
  Vec x(static_cast<std::size_t>(stream.dimension));
  const auto look = [&](const RoundPlayed&, const Played&) {
    model.write(x);
    check.feasible = check.feasible && model.set().contains(x, kFeasible);
  };
  check.regret += play_game(model, stream, *late, {.rounds = check.rounds, .after = look, .clock = {}}).loss - best.low;
  if (const auto bound = model.certificate()) check.bound = check.bound.value_or(0) + *bound;
}

void play_check(BoundCheck& check, const Stream& stream, const Interval& best, const DrawnLearner& learner,
                const std::string& set, const LabelDelay& delay) {
  check.has_theorem = promise_of(learner.spec).made;
  check.always = learner.always && !of_wealth(stream.table()->loss_name);  // whose gradients may be above 1
  if (learner.draws == 1) return play_once(check, stream, best, learner.spec, set, delay);
  for (int seed = 1; seed <= learner.draws; ++seed)
    play_once(check, stream, best, with_seed(learner.spec, seed), set, delay);
  check.regret /= learner.draws;
  if (check.bound) *check.bound /= learner.draws;
}

}  // namespace

// One job for each set and task: they share the comparator.
Jobs label_jobs(bool quick, std::vector<BoundCheck>& result) {
  const Round rounds = quick ? 256 : 2048;
  Jobs jobs;
  std::size_t next = 0;
  for (const Named& set : drawn_sets())
    for (const Task& task : tasks()) {
      if (of_wealth(task.loss) && set.name != "simplex") continue;
      std::vector<DrawnLearner> chosen;
      for (const DrawnLearner& learner : drawn_learners(rounds))
        if (suits(learner) && can_make(set.spec, learner.spec)) chosen.push_back(learner);
      jobs.push_back([&result, first = next, set, &task, chosen, rounds] {
        constexpr double kGap = 1e-4;
        const AnySet over = make_set(spec::Node(spec::parse_json(set.spec), "set"));
        const Stream stream = labelled_stream(task, over.dimension(), rounds);
        const Interval best = best_at_checkpoints(over, stream, {rounds}, kGap)[0];
        std::size_t at = first;
        for (const DrawnLearner& learner : chosen)
          for (const LabelDelay& delay : label_delays()) {
            BoundCheck& check = result[at++];
            check.learner = learner.name;
            check.set = set.name;
            check.delay = delay.name;
            check.adversary = task.name;
            check.rounds = rounds;
            play_check(check, stream, best, learner, set.spec, delay);
          }
      });
      next += chosen.size() * label_delays().size();
    }
  result.resize(next);
  return jobs;
}

}  // namespace tarry::lab
