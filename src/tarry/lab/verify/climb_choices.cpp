// An adversary against inverse gap weighting (docs/theory.md, 16): it climbs over contexts, delays and mean rewards,
// not over the rewards themselves, which are drawn; both sides of the inequality are means over the same seeds.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "tarry/base/random.h"
#include "tarry/lab/verify/verify.h"
#include "tarry/model/model_spec.h"

namespace tarry::lab {
namespace {

constexpr std::size_t kContexts = 3, kActions = 3;
constexpr Round kRounds = 50;
constexpr std::uint64_t kSeeds = 4;

struct ChoiceTurn {
  std::size_t context;
  Round delay;  // beyond the last round: never
};

struct ChoiceGame {
  std::array<std::array<double, kActions>, kContexts> means;  // f*
  std::vector<ChoiceTurn> turns;
};

struct Sides {
  double regret = 0, bound = 0;
};

std::string word(const char* what, std::size_t k) { return fmt::format("{}{}", what, k); }

// Of one seed. Rounds before the first reward have γ = 0, and no promise.
Sides play_seed(const ChoiceGame& game, const std::string& learner, double gamma, std::uint64_t seed) {
  Model model = tarry::make_model(ModelSpec::parse(learner));
  const Random rewards(seed, 1);
  Choosing asked;
  for (std::size_t a = 0; a < kActions; ++a) asked.actions.push_back({word("a", a)});
  std::vector<std::vector<Label>> due(game.turns.size());
  Sides sides;
  for (std::size_t t = 0; t < game.turns.size(); ++t) {
    const auto& [context, delay] = game.turns[t];
    const auto& mean = game.means[context];
    const auto answered = static_cast<double>(model.ledger().settled());
    const double share = answered > 0 ? answered / (answered + static_cast<double>(model.ledger().outstanding())) : 0;
    const double g = gamma * std::sqrt(kActions * answered) * share;
    asked.context = {{"x", word("x", context)}};
    const Model::Outcome outcome = model.choose(asked);
    const double best = *std::max_element(mean.begin(), mean.end());
    double regret = 0, squares = 0, earned = 0;
    for (std::size_t a = 0; a < kActions; ++a) {
      const RankedAction& one = outcome.choice->ranking[a];
      regret += one.probability * (best - mean[a]);
      squares += one.probability * (one.reward - mean[a]) * (one.reward - mean[a]);
      if (one.id == outcome.choice->action) earned = rewards.uniform(t) < mean[a] ? 1 : 0;
    }
    if (g > 0) {
      sides.regret += regret;
      sides.bound += 2 * kActions / g + g / 4 * squares;
    }
    if (t + delay - 1 < due.size()) due[t + delay - 1].push_back({outcome.round, earned});
    for (const Label& label : due[t]) model.apply(label);
  }
  return sides;
}

Finding judge_choices(const ChoiceGame& game, double gamma) {
  Sides sum;
  for (std::uint64_t seed = 1; seed <= kSeeds; ++seed) {
    const std::string learner = fmt::format(R"({{"task": "choose", "features": {{"capacity": 16}}, "seed": {},)"
                                            R"( "explore": {{"type": "gaps", "gamma": {}, "optimism": 0}}}})",
                                            seed, gamma);
    const Sides one = play_seed(game, learner, gamma, seed);
    sum.regret += one.regret / kSeeds;
    sum.bound += one.bound / kSeeds;
  }
  if (sum.bound == 0) return {};
  return {climbing_ratio(sum.regret, sum.bound), sum.regret, sum.bound, game.turns.size()};
}

class ChoiceMoves {
 public:
  explicit ChoiceMoves(std::uint64_t seed) : draw_(seed, 0x63686F696365) {}

  ChoiceGame start() {
    ChoiceGame game;
    for (auto& row : game.means)
      for (double& mean : row) mean = draw_.uniform();
    game.turns.resize(2 + draw_.below(kRounds - 1));
    for (ChoiceTurn& turn : game.turns) turn = {draw_.below(kContexts), some_delay()};
    return game;
  }

  ChoiceGame change(ChoiceGame game) {
    for (std::uint64_t left = 1 + draw_.below(3); left > 0; --left) {
      ChoiceTurn& turn = game.turns[draw_.below(game.turns.size())];
      double& mean = game.means[draw_.below(kContexts)][draw_.below(kActions)];
      switch (draw_.below(5)) {
        case 0:
          turn.context = draw_.below(kContexts);
          break;
        case 1:
          turn.delay = some_delay();
          break;
        case 2:
          mean = static_cast<double>(draw_.below(2));
          break;
        case 3:
          mean = draw_.uniform();
          break;
        default:
          game.turns.resize(2 + draw_.below(kRounds - 1), {draw_.below(kContexts), some_delay()});
      }
    }
    return game;
  }

 private:
  Round some_delay() { return draw_.below(4) == 0 ? 1 + draw_.below(2 * kRounds) : 1 + draw_.below(4); }

  RandomSequence draw_;
};

void climb_choices(double gamma, std::uint64_t games, ClimbCheck& check) {
  constexpr std::uint64_t kBegin = 12;
  ChoiceMoves moves(static_cast<std::uint64_t>(gamma));
  ChoiceGame best;
  const auto look = [&](ChoiceGame game) {
    const Finding finding = judge_choices(game, gamma);
    ++check.games;
    if (best.turns.empty() || finding.ratio >= check.worst.ratio) {
      best = std::move(game);
      check.worst = finding;
    }
  };
  for (std::uint64_t i = 0; i < games && !check.worst.violates(); ++i)
    look(i < kBegin ? moves.start() : moves.change(best));
}

}  // namespace

Jobs choice_climb_jobs(const VerifyEffort& effort, std::vector<ClimbCheck>& result) {
  const std::uint64_t games = (effort.climb > 0 ? effort.climb : effort.quick ? 200 : 2000) / kSeeds + 1;
  const std::vector<double> gammas = {1, 16, 128};
  result.resize(gammas.size());
  Jobs jobs;
  for (std::size_t i = 0; i < gammas.size(); ++i) {
    result[i] = {.learner = fmt::format("choose, gamma {}", gammas[i]),
                 .set = fmt::format("{} actions", kActions),
                 .game = "contexts, delays, mean rewards",
                 .promise = "section 16"};
    jobs.push_back([&check = result[i], gamma = gammas[i], games] { climb_choices(gamma, games, check); });
  }
  return jobs;
}

}  // namespace tarry::lab
