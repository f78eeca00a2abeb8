// A log of choices, as a world: a model that chooses hears of each round what was taken, and how likely that was, and
// learns from the reward when it came. What its policy, or one beside it, would have earned is added up meanwhile.
#pragma once

#include "tarry/lab/logged/policy.h"
#include "tarry/lab/world/world.h"

namespace tarry::lab {

class LoggedWorld final : public World {
 public:
  // `only`: of the features, those that the model sees (null: all). All of it must outlive the world.
  LoggedWorld(const Logged& log, Policy policy, const std::vector<std::string>* only = nullptr);

  std::optional<Turn> next() override;
  Coming answer(Round round, const Model& model, const Model::Outcome& decided) override;
  Covector gradient() override { return Covector::dense({}); }
  Recorded recorded() override;
  bool never(Round round) const override;
  // dr, ips and snips, each with _low and _high (NaN: there is no interval), effective_rounds, mean_weight,
  // weight_error, unsupported, open_rounds; about the rounds whose wait was over.
  std::map<std::string, double> metrics() const override;

 private:
  bool is_shown(const std::string& name) const;

  const Logged& log_;
  Policy policy_;
  const std::vector<std::string>* only_;
  std::size_t row_ = 0;                                // how many were asked for
  Event play_ = Play{.choosing = Choosing{}};          // its memory is used again
  const std::vector<Action>* last_actions_ = nullptr;  // those in it
  evaluation::PolicyValue value_;
  double unsupported_ = 0;  // Σ
};

}  // namespace tarry::lab
