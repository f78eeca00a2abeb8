#include "tarry/lab/world/logged_world.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "tarry/lab/delays/recorded_delays.h"

namespace tarry::lab {
namespace {

constexpr double kNone = std::numeric_limits<double>::quiet_NaN();

bool has(const std::vector<std::string>& names, const std::string& name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

void add_estimate(std::map<std::string, double>& metrics, const std::string& name,
                  const std::optional<evaluation::Estimate>& estimate) {
  metrics[name] = estimate ? estimate->value : kNone;
  metrics[name + "_low"] = estimate ? estimate->low.value_or(kNone) : kNone;
  metrics[name + "_high"] = estimate ? estimate->high.value_or(kNone) : kNone;
}

}  // namespace

LoggedWorld::LoggedWorld(const Logged& log, Policy policy, const std::vector<std::string>* only)
    : log_(log), policy_(std::move(policy)), only_(only), value_(log.range) {}

bool LoggedWorld::is_shown(const std::string& name) const {
  return !has(log_.hidden, name) && (only_ == nullptr || has(*only_, name));
}

std::optional<Turn> LoggedWorld::next() {
  const std::size_t row = row_++;
  if (row >= log_.choices.size()) return std::nullopt;
  const LoggedChoice& choice = log_.choices[row];
  Choosing& asked = *std::get<Play>(play_).choosing;
  log_.data.named.write(row, asked.context);
  std::erase_if(asked.context, [&](const NamedFeature& x) { return !is_shown(x.name); });
  if (last_actions_ != choice.actions.get()) {
    asked.actions = *choice.actions;
    if (only_ != nullptr)
      for (Action& action : asked.actions)
        std::erase_if(action.features, [&](const NamedFeature& x) { return !has(*only_, "action." + x.name); });
    last_actions_ = choice.actions.get();
  }
  asked.shown = ShownInstead{(*choice.actions)[choice.taken].id, choice.probability};
  return Turn{play_};
}

Coming LoggedWorld::answer(Round round, const Model&, const Model::Outcome& decided) {
  const std::size_t row = row_ - 1;
  const std::vector<RankedAction>& ranking = decided.choice->ranking;
  if (row < log_.counted) {
    value_.add(judged_by(policy_, log_, row, ranking));
    unsupported_ += unsupported(policy_, log_, row, ranking);
  }
  const double reward = log_.data.labels[row];
  RoundPlayed played{.round = round, .prediction = decided.prediction, .label = reward, .judged = !std::isnan(reward)};
  if (!played.judged) return {played};
  return {played, Label{decided.round, reward}};
}

Recorded LoggedWorld::recorded() {
  if (!log_.data.has_times()) return {};
  return [this](double wait) { return recorded_delays(log_.data, wait); };
}

bool LoggedWorld::never(Round round) const { return std::isnan(log_.data.labels[round - 1]); }

std::map<std::string, double> LoggedWorld::metrics() const {
  std::map<std::string, double> metrics{{"effective_rounds", value_.effective()},
                                        {"mean_weight", value_.mean_weight()},
                                        {"weight_error", value_.weight_error()},
                                        {"open_rounds", value_.open()},
                                        {"unsupported", unsupported_ / value_.rounds()}};
  add_estimate(metrics, "dr", value_.dr());
  add_estimate(metrics, "ips", value_.ips());
  add_estimate(metrics, "snips", value_.snips());
  return metrics;
}

}  // namespace tarry::lab
