#include "tarry/service/watch/choice_watch.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "tarry/spec/value.h"

namespace tarry::service {

void ChoiceWatch::chose(const std::string& action, std::int64_t now_ms) {
  auto at = std::find(names_.begin(), names_.end(), action);
  if (at == names_.end() && names_.size() < kShownActions) at = names_.insert(names_.end(), action);
  const auto place = static_cast<std::size_t>(at - names_.begin());
  const std::size_t which = at == names_.end() ? kShownActions : place;
  timeline_.now(now_ms, [&](ChoiceStep& step) { ++step.taken[which]; });
}

void ChoiceWatch::earned(double reward, double predicted, std::int64_t chosen_ms) {
  timeline_.then(chosen_ms, [&](ChoiceStep& step) {
    ++step.rewards;
    step.reward += reward;
    step.predicted += predicted;
  });
}

void ChoiceWatch::earned_more(double reward, std::int64_t chosen_ms) {
  timeline_.then(chosen_ms, [&](ChoiceStep& step) { step.reward += reward; });
}

std::vector<std::pair<std::string, std::uint64_t>> ChoiceWatch::taken_in_a_day() const {
  std::vector<std::pair<std::string, std::uint64_t>> taken;
  for (const std::string& name : names_) taken.emplace_back(name, 0);
  taken.emplace_back("others", 0);
  for (const ChoiceStep& step : timeline_.steps(kRanges.size() - 1)) {
    for (std::size_t k = 0; k < names_.size(); ++k) taken[k].second += step.taken[k];
    taken.back().second += step.taken[kShownActions];
  }
  return taken;
}

void ChoiceWatch::append(std::string& out, std::size_t range, std::uint64_t& revision) const {
  out += "{\"actions\":[";
  for (const std::string& name : names_) {
    if (out.back() != '[') out += ",";
    spec::append_json(out, name);
  }
  out += "],\"columns\":[\"at\"";
  for (std::size_t k = 0; k <= kShownActions; ++k) fmt::format_to(std::back_inserter(out), ",\"taken{}\"", k);
  out += ",\"rewards\",\"reward\",\"predicted\"],\"points\":[";
  for (const ChoiceStep& step : timeline_.steps(range)) {
    if (step.changed <= revision) continue;
    fmt::format_to(std::back_inserter(out), "{}[{}", out.back() == '[' ? "" : ",",
                   step.number * kRanges[range].step_ms);
    for (const std::uint32_t count : step.taken) fmt::format_to(std::back_inserter(out), ",{}", count);
    fmt::format_to(std::back_inserter(out), ",{},{:.7g},{:.7g}]", step.rewards, step.reward, step.predicted);
  }
  out += "]}";
  revision = timeline_.revision();
}

std::optional<double> reward_of(const Model& model, const LabelValue& label) {
  const LabelValue plain = model.plain(label);
  if (const auto* flag = std::get_if<bool>(&plain)) return *flag ? 1 : 0;
  if (const auto* number = std::get_if<double>(&plain)) return *number;
  return std::nullopt;
}

}  // namespace tarry::service
