#include "tarry/service/dashboard/challenger_metrics.h"

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
  add("tarry_model_challenger_compared", "Rounds whose losses are compared, the model's and the challenger's.",
      [](const One& one) { return std::optional(one.figures ? static_cast<double>(one.figures->pairs) : 0.0); });
  add("tarry_model_challenger_loss", "Mean loss of the challenger over these rounds.", figure(&Figures::second));
  add("tarry_model_challenger_champion_loss", "Mean loss of the model over the same rounds.", figure(&Figures::first));
  add("tarry_model_challenger_difference", "The challenger's loss less the model's, clipped: below zero, it leads.",
      figure(&Figures::difference));
  add("tarry_model_challenger_difference_low", "The lower end of its 95 % interval, at all times at once.",
      figure(&Figures::low));
  add("tarry_model_challenger_difference_high", "The upper end: below zero, the challenger is better.",
      figure(&Figures::high));
  add("tarry_model_challenger_failed", "1: it could not take a play, and is out.",
      [](const One& one) { return std::optional(one.failure.empty() ? 0.0 : 1.0); });
}

}  // namespace tarry::service
