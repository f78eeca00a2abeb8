#include "tarry/lab/world/choices_world.h"

#include <algorithm>
#include <cmath>

#include "tarry/base/contract.h"

namespace tarry::lab {

ChoicesWorld::ChoicesWorld(std::shared_ptr<const Choices> choices)
    : choices_(std::move(choices)), right_(choices_->actions.size(), 0) {
  std::get<Play>(play_).choosing = Choosing{.actions = choices_->actions};
}

std::optional<Turn> ChoicesWorld::next() {
  const std::size_t row = row_++;
  if (row >= choices_->data.rows()) return std::nullopt;
  choices_->data.named.write(row, std::get<Play>(play_).choosing->context);
  return Turn{play_};
}

Coming ChoicesWorld::answer(Round round, const Model&, const Model::Outcome& decided) {
  ensure(decided.choice.has_value(), "who plays for rewards chooses");
  const double label = choices_->data.labels[row_ - 1];
  RoundPlayed played{.round = round, .prediction = decided.prediction, .judged = !std::isnan(label)};
  reward_ = false;
  lost_ = 1;
  if (!played.judged) return {played};
  const auto right = static_cast<std::size_t>(label);
  right_[right] += 1;
  reward_ = decided.choice->action == choices_->actions[right].id;
  lost_ = reward_ ? 0 : 1;
  rewards_ += reward_ ? 1 : 0;
  played.label = reward_ ? 1 : 0;
  played.loss = lost_;
  return {played, Label{decided.round, played.label}};
}

Recorded ChoicesWorld::recorded() {
  if (!choices_->data.has_times() && !choices_->window) return {};
  return [this](double wait) { return late_by_reward(*choices_, reward_, wait); };
}

bool ChoicesWorld::never(Round round) const { return std::isnan(choices_->data.labels[round - 1]); }

std::map<std::string, double> ChoicesWorld::metrics() const {
  const double rounds = static_cast<double>(row_);
  return {{"reward", rewards_ / rounds}, {"best_action", *std::max_element(right_.begin(), right_.end()) / rounds}};
}

}  // namespace tarry::lab
