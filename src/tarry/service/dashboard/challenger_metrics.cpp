#include "tarry/service/dashboard/challenger_metrics.h"

#include <cmath>
#include <optional>
#include <string>
#include <vector>

namespace tarry::service {

void add_challengers(MetricsPage& page, const Service& service) {
  using One = hosting::ChallengerList::One;
  struct Told {
    std::string labels;
    One one;
  };
  std::vector<Told> all;
  for (const ServedPointer& served : service.models().all()) {
    const std::lock_guard lock(served->watched.mutex);
    for (const One& one : served->watched.challengers)
      all.push_back({fmt::format("model=\"{}\",challenger=\"{}\"", served->name, one.name), one});
  }
  const auto add = [&](const char* name, const char* help, auto value) {
    page.head(name, "gauge", help);
    for (const Told& told : all)
      if (const std::optional<double> x = value(told.one)) page.row(name, told.labels, *x);
  };
  using Figures = evaluation::PairedLosses::Figures;
  const auto figure = [](double Figures::*what) {
    return [what](const One& one) { return one.figures ? std::optional(*one.figures.*what) : std::nullopt; };
  };
  add("tarry_model_challenger_compared",
      "Rounds over which the model and the challenger are compared, by losses or rewards.", [](const One& one) {
        const std::uint64_t rounds = one.figures ? one.figures->pairs : one.earned ? one.earned->rounds : 0;
        return std::optional(static_cast<double>(rounds));
      });
  add("tarry_model_challenger_loss", "Mean loss of the challenger over these rounds.", figure(&Figures::second));
  add("tarry_model_challenger_champion_loss", "Mean loss of the model over the same rounds.", figure(&Figures::first));
  add("tarry_model_challenger_difference",
      "The challenger's loss minus the model's, clipped: below zero, the challenger leads.",
      figure(&Figures::difference));
  add("tarry_model_challenger_difference_low", "The lower end of its 95 % interval, at all times at once.",
      figure(&Figures::low));
  add("tarry_model_challenger_difference_high", "The upper end: below zero, the challenger is better.",
      figure(&Figures::high));
  using Earned = evaluation::PolicyDifference::Figures;
  const auto earned = [](double Earned::*what) {
    return [what](const One& one) { return one.earned ? std::optional(*one.earned.*what) : std::nullopt; };
  };
  add("tarry_model_challenger_reward", "What the challenger of a model that chooses would have earned a round.",
      earned(&Earned::second));
  add("tarry_model_challenger_champion_reward", "What the model earned over the same rounds.", earned(&Earned::first));
  add("tarry_model_challenger_reward_difference",
      "The challenger's reward minus the model's: above zero, the challenger leads.", earned(&Earned::difference));
  add("tarry_model_challenger_reward_difference_low",
      "The lower end of its 95 % interval, at all times at once: above zero, the challenger is better.",
      earned(&Earned::low));
  add("tarry_model_challenger_reward_difference_high", "The upper end.", earned(&Earned::high));
  using Expected = hosting::ChallengerList::Expected;
  const auto expected = [](Expected::Figure Expected::*what, double Expected::Figure::*part) {
    return [what, part](const One& one) -> std::optional<double> {
      if (!one.expected || std::isnan((*one.expected).*what.*part)) return std::nullopt;
      return (*one.expected).*what.*part;
    };
  };
  using Figure = Expected::Figure;
  add("tarry_model_challenger_expected_loss",
      "Mean loss of the challenger's newest decisions, once all their labels have come.",
      expected(&Expected::loss, &Figure::expected));
  add("tarry_model_challenger_expected_loss_low", "The lower end of its 95 % interval.",
      expected(&Expected::loss, &Figure::low));
  add("tarry_model_challenger_expected_loss_high", "The upper end.", expected(&Expected::loss, &Figure::high));
  add("tarry_model_challenger_expected_gain",
      "How much more the model is expected to lose over the same: above zero, the challenger leads.",
      expected(&Expected::gain, &Figure::expected));
  add("tarry_model_challenger_expected_gain_low", "The lower end of its 95 % interval.",
      expected(&Expected::gain, &Figure::low));
  add("tarry_model_challenger_expected_gain_high", "The upper end: below zero, the challenger is worse.",
      expected(&Expected::gain, &Figure::high));
  add("tarry_model_challenger_failed", "1: it could not take a play and was dropped.",
      [](const One& one) { return std::optional(one.failure.empty() ? 0.0 : 1.0); });
}

}  // namespace tarry::service
