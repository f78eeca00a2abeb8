#include "tarry/model/explanation_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>

#include "tarry/learners/combined/treed_bases.h"
#include "tarry/model/curves.h"
#include "tarry/model/waiting_text.h"

namespace tarry {
namespace {

constexpr std::size_t kWidth = 100;

// What fits on a line stays on one.
void append_pretty(std::string& out, const spec::Value& value, std::size_t indent, std::size_t before) {
  const std::string line = spec::to_json(value);
  const auto* object = std::get_if<spec::Object>(&value.as);
  const auto* array = std::get_if<spec::Array>(&value.as);
  if (before + line.size() <= kWidth || (object == nullptr && array == nullptr)) {
    out += line;
    return;
  }
  const std::size_t size = object != nullptr ? object->size() : array->size(), inside = indent + 2;
  out += object != nullptr ? '{' : '[';
  for (std::size_t i = 0; i < size; ++i) {
    out += (i > 0 ? ",\n" : "\n") + std::string(inside, ' ');
    std::string key;
    if (object != nullptr) key = spec::to_json({(*object)[i].first}) + ": ";
    out += key;
    append_pretty(out, object != nullptr ? (*object)[i].second : (*array)[i], inside, inside + key.size() + 1);
  }
  out += "\n" + std::string(indent, ' ') + (object != nullptr ? '}' : ']');
}

std::string plural(std::size_t count, const std::string& noun) {
  return fmt::format("{} {}{}", count, noun, count == 1 ? "" : "s");
}

// The value of IPS can lie outside its interval, which knows that no reward is above the highest.
std::string with_interval(const evaluation::Estimate& x) {
  if (!x.low || !x.high) return fmt::format("{:.4g}", x.value);
  return fmt::format("{:.4g} ({:.4g} to {:.4g})", std::min(std::max(x.value, *x.low), *x.high), *x.low, *x.high);
}

constexpr std::size_t kToldPoints = 12;  // of a curve
constexpr std::size_t kAlone = 3;        // actions, the best first

std::string cost_text(const GivenUp::Cost& cost) {
  return fmt::format("{:.4g}{}", cost.reward, cost.share ? fmt::format(" ({:.3g} %)", 100 * *cost.share) : "");
}

template <class Line>
void comparison_lines(const Comparison::Figures& seen, const Line& line) {
  if (seen.exploration.rounds > 0)
    line("exploration", fmt::format("gives up {} of the predicted reward a round, lately {}",
                                    cost_text(seen.exploration.all), cost_text(seen.exploration.lately)));
  if (seen.rounds == 0) return line("compared", "no round yet whose wait is over, and that of all before it");
  line("compared",
       fmt::format("{} that are over earned {} each", plural(seen.rounds, "round"), with_interval(seen.earned)));
  line("", fmt::format("any action alike: {}", with_interval(seen.uniform.best())));
  for (std::size_t i = 0; i < std::min(kAlone, seen.always.size()); ++i)
    line("", fmt::format("always {}: {}", shown(seen.always[i].first), with_interval(seen.always[i].second.best())));
}

}  // namespace

std::string explanation_text(const Explanation& told) {
  std::string out;
  append_pretty(out, told.spec.to_value(), 0, 0);
  out += "\n\n";
  const auto line = [&](std::string_view name, const std::string& value) {
    fmt::format_to(std::back_inserter(out), "{:<17} {}\n", name, value);
  };
  line("fingerprint", told.fingerprint);
  if (told.set) {
    line("dimension", fmt::format("{}", told.set->dimension));
    line("diameter", fmt::format("{:.6g}", told.set->diameter));
    if (told.set->strong_convexity) line("strong convexity", fmt::format("{:.6g}", *told.set->strong_convexity));
    if (told.set->gauge_curvature) line("gauge curvature", fmt::format("{:.6g}", *told.set->gauge_curvature));
    line("projection", told.set->can_project ? "yes" : "no: only the oracle");
  } else {
    line("set", "too large for this machine's memory");
  }
  if (told.learners && *told.learners > 1) line("learners", fmt::format("{} in one", *told.learners));
  const std::size_t own = told.spec.trees ? TreedBases::kOwn : 0, rest = told.banks.size() - (own > 0 ? 1 : 0);
  for (std::size_t i = 0; i < told.banks.size(); ++i)
    line(i == 0 ? "banks" : "", fmt::format("{}{}, {} learners", i == 0 ? "" : "and ", told.banks[i],
                                            i < rest ? (*told.learners - own) / rest : own));
  if (told.update) line("an update", *told.update);
  if (told.waiting)
    line("a waiting round",
         fmt::format("{} bytes{}, {} of memo among them", told.waiting->bytes,
                     told.waiting->features > 0 ? " with " + plural(told.waiting->features, "feature")
                                                : std::string(" without features"),
                     plural(told.waiting->memo, "number")));
  if (told.bound) {
    const auto& [rounds, gradient_bound, regret, trivial, holds] = *told.bound;
    line("regret",
         fmt::format("at most {:.6g} after {} rounds with gradients of at most {}", regret, rounds, gradient_bound));
    line("", fmt::format("({})", holds));
    if (regret >= trivial) line("", fmt::format("(says nothing yet: no decisions lose more than {:.6g})", trivial));
  }
  if (told.waits) waiting_lines(*told.waits, line);
  if (!told.state) return out;
  if (!told.waits) line("rounds", fmt::format("{}, {} of them waiting", told.state->rounds, told.state->outstanding));
  if (told.state->comparison) comparison_lines(*told.state->comparison, line);
  for (const Model::Curve& curve : told.curves) {
    std::string points;
    const std::size_t step = (curve.at.size() - 1) / kToldPoints + 1;
    for (std::size_t i = 0; i < curve.at.size(); i += step)
      points += fmt::format("{}{:.3g} at {:.3g}", i == 0 ? "" : ", ", curve.effect[i], curve.at[i]);
    line("curve of " + curve.name, points);
  }
  if (told.spec.trees && !told.curves.empty()) line("", "(curves are without what the trees add)");
  for (const AlikeName& one : told.alike)
    line("a rare name", fmt::format("{}, in {} of {} rounds: did you mean {}?", tarry::shown(one.name), one.rounds,
                                    one.of, tarry::shown(one.like)));
  if (!told.state->apprentice) return out;
  const Apprentice::Figures& seen = *told.state->apprentice;
  line("apprentice",
       fmt::format("agrees in {} of {} rounds in which something else was shown", seen.agreed, seen.shown));
  if (seen.judged == 0) return out;
  line("", fmt::format("{} that were judged earned {:.4g} a round; the model would have earned", seen.judged,
                       seen.as_shown));
  line("", fmt::format("{:.4g} by DR, {} by IPS, {} by SNIPS", seen.dr.value,
                       seen.ips.low ? fmt::format("{:.4g} ({:.4g} to {:.4g} at any time)", seen.ips.value,
                                                  *seen.ips.low, *seen.ips.high)
                                    : fmt::format("{:.4g}", seen.ips.value),
                       std::isfinite(seen.snips.value) ? fmt::format("{:.4g}", seen.snips.value) : "-"));
  return out;
}

std::string explanation_json(const Explanation& told) {
  using spec::Value;
  spec::Object out{{"spec", told.spec.to_value()}, {"fingerprint", Value{told.fingerprint}}};
  const auto whole = [](std::size_t x) { return Value{static_cast<std::int64_t>(x)}; };
  if (told.set) {
    out.emplace_back("dimension", Value{told.set->dimension});
    out.emplace_back("diameter", Value{told.set->diameter});
    if (told.set->strong_convexity) out.emplace_back("strong_convexity", Value{*told.set->strong_convexity});
    if (told.set->gauge_curvature) out.emplace_back("gauge_curvature", Value{*told.set->gauge_curvature});
    out.emplace_back("can_project", Value{told.set->can_project});
  }
  if (told.learners) out.emplace_back("learners", whole(*told.learners));
  if (!told.banks.empty()) {
    spec::Array banks;
    for (const std::string& bank : told.banks) banks.push_back(Value{bank});
    out.emplace_back("banks", Value{std::move(banks)});
  }
  if (told.update) out.emplace_back("update", Value{*told.update});
  if (told.waiting)
    out.emplace_back("waiting_round", Value{spec::Object{{"features", whole(told.waiting->features)},
                                                         {"bytes", whole(told.waiting->bytes)},
                                                         {"memo", whole(told.waiting->memo)}}});
  if (told.bound)
    out.emplace_back("bound", Value{spec::Object{{"rounds", Value{told.bound->rounds}},
                                                 {"gradient_bound", Value{told.bound->gradient_bound}},
                                                 {"regret", Value{told.bound->regret}},
                                                 {"trivial", Value{told.bound->trivial}},
                                                 {"holds", Value{told.bound->holds}}}});
  if (told.waits) out.emplace_back("waiting", to_value(*told.waits));
  if (told.state) {
    out.emplace_back("rounds", whole(told.state->rounds));
    out.emplace_back("outstanding", whole(told.state->outstanding));
    if (told.state->comparison) out.emplace_back("compared", to_value(*told.state->comparison));
    if (told.state->apprentice) out.emplace_back("apprentice", to_value(*told.state->apprentice));
  }
  if (!told.curves.empty()) out.emplace_back("curves", to_value(told.curves));
  if (!told.alike.empty()) {
    spec::Array names;
    for (const AlikeName& one : told.alike)
      names.push_back(Value{spec::Object{
          {"name", Value{one.name}}, {"like", Value{one.like}}, {"rounds", whole(one.rounds)}, {"of", whole(one.of)}}});
    out.emplace_back("rare_names", Value{std::move(names)});
  }
  return spec::to_json({out});
}

}  // namespace tarry
