#include "tarry/model/waiting_view.h"

#include <fmt/format.h>

#include <algorithm>

#include "tarry/spec/json.h"

namespace tarry {
namespace {

constexpr std::uint64_t kMostCounted = 1'000'000;  // open rounds whose ages are looked at

std::vector<std::string> class_names(const Model& model, std::size_t told_apart) {
  const std::size_t classes = model.loss() ? model.loss()->classes() : 0;
  std::vector<std::string> names;
  for (std::size_t c = 0; c < told_apart; ++c) {
    if (c + 1 == told_apart && classes > told_apart)
      names.push_back("all others");
    else if (model.names_classes())
      names.push_back(c < model.class_names().size() ? model.class_names()[c] : fmt::format("class {}", c));
    else
      names.push_back(classes == 2 ? (c == 1 ? "yes" : "no") : fmt::format("{}", c));
  }
  return names;
}

// At octaves: every second age of a learner that looks at open rounds.
std::vector<WaitingView::Age> count_ages(const WaitingView& view, const Ledger& ledger) {
  if (view.open > kMostCounted) return {};
  std::vector<double> ages = {0};
  for (double age = 8; age < static_cast<double>(view.rounds); age *= 2) ages.push_back(age);
  std::vector<WaitingView::Age> counted;
  for (const double age : ages) counted.push_back({.from = age});
  const auto of_age = [&](double age) -> WaitingView::Age& {
    return counted[static_cast<std::size_t>(std::upper_bound(ages.begin(), ages.end(), age) - ages.begin()) - 1];
  };
  ledger.each_waiting([&](Round round, const PackedContext& waiting) {
    if (!waiting.has_due()) of_age(static_cast<double>(ledger.issued() - round)).open += 1;
  });
  if (!view.believed) return counted;
  const BelievedWaits::Clock& clock = view.believed->clocks.front();
  for (std::size_t i = 0; i < clock.left.size(); ++i) of_age(clock.ages[i]).given_up += clock.left[i];
  for (WaitingView::Age& age : counted) age.given_up = std::max(0.0, age.given_up - age.open);
  return counted;
}

std::string quoted(const std::string& name) { return spec::to_json({name}); }

// 1,234,567
std::string grouped(double count) {
  std::string digits = fmt::format("{:.0f}", count);
  for (std::size_t at = digits.size(); at > 3; at -= 3) digits.insert(at - 3, ",");
  return digits;
}

std::string age_text(double age, bool by_due) {
  if (!by_due) return fmt::format("{} round{}", grouped(age), age < 1.5 && age >= 0.5 ? "" : "s");
  return fmt::format("{:.3g} of the time until they are due", age);
}

// A class whose labels come later than the others, or sooner; of two such, the one that differs more.
void add_lateness(std::vector<std::string>& out, const WaitingView& view, const BelievedWaits::Clock& clock) {
  const BelievedWaits::OfClass* most = nullptr;
  double largest = 0;
  std::string name;
  for (std::size_t c = clock.classes.size() == 2 ? 1 : 0; c < clock.classes.size(); ++c) {
    const BelievedWaits::OfClass& one = clock.classes[c];
    if (!one.half || !one.others_half || !come_apart(one.labels, one.others, *one.half, *one.others_half)) continue;
    const double a = std::max(*one.half, 1e-9), b = std::max(*one.others_half, 1e-9);
    if (std::max(a, b) / std::min(a, b) <= largest) continue;
    largest = std::max(a, b) / std::min(a, b);
    most = &one;
    name = view.classes[c];
  }
  if (most == nullptr) return;
  out.push_back(fmt::format("labels of {} come {}: half of them within about {}, of the others within about {}",
                            quoted(name), *most->half > *most->others_half ? "later" : "sooner",
                            age_text(*most->half, clock.by_due), age_text(*most->others_half, clock.by_due)));
}

// The age at which two classes differ most in what is still open of them.
void add_shares(std::vector<std::string>& out, const WaitingView& view, const BelievedWaits::Clock& clock) {
  double widest = 0.005;
  std::size_t at = 0, more = 0, fewer = 0;
  for (std::size_t age = 0; age < clock.ages.size(); ++age)
    for (std::size_t c = 0; c < clock.classes.size(); ++c)
      for (std::size_t k = 0; k < clock.classes.size(); ++k) {
        const double apart = clock.classes[c].open[age] - clock.classes[k].open[age];
        if (apart <= widest) continue;
        widest = apart;
        at = age;
        more = c;
        fewer = k;
      }
  if (more == fewer)
    out.push_back("labels of all classes take equally long, as far as is known: that a round is open says nothing");
  else
    out.push_back(fmt::format("of {}, {:.0f} % are thought to be open after {}, of {} {:.0f} %",
                              quoted(view.classes[more]), 100 * clock.classes[more].open[at],
                              age_text(clock.ages[at], clock.by_due), quoted(view.classes[fewer]),
                              100 * clock.classes[fewer].open[at]));
}

void add_clock(std::vector<std::string>& out, const WaitingView& view, const BelievedWaits::Clock& clock) {
  using From = BelievedWaits::From;
  if (clock.from == From::kLabels || clock.from == From::kWindow) return add_shares(out, view, clock);
  if (clock.from == From::kNothing) return;
  for (std::size_t c = 0; c < clock.classes.size(); ++c)
    if (clock.classes[c].labels > 0)
      out.push_back(
          fmt::format("only labels of {} have come: rounds that stay open may be of another class, and count "
                      "as one the more, the longer they stay open",
                      quoted(view.classes[c])));
}

}  // namespace

WaitingView waiting_view(const Model& model) {
  const Ledger& ledger = model.ledger();
  WaitingView view{.rounds = ledger.issued(),
                   .answered = ledger.settled(),
                   .open = ledger.outstanding(),
                   .given_up = ledger.expired(),
                   .voided = ledger.voided(),
                   .expiry = model.expiry(),
                   .revisable = model.revisable(),
                   .believed = model.learner().waits()};
  if (!model.spec().empty()) {
    const spec::Value spec = spec::parse_json(model.spec());
    if (const spec::Value* lost = spec.find("lost")) view.lost = *lost;
  }
  if (view.believed) view.classes = class_names(model, view.believed->clocks.front().classes.size());
  view.by_age = count_ages(view, ledger);
  return view;
}

std::vector<std::string> spoken_lateness(const WaitingView& view) {
  std::vector<std::string> out;
  if (view.believed)
    for (const BelievedWaits::Clock& clock : view.believed->clocks) add_lateness(out, view, clock);
  return out;
}

std::vector<std::string> spoken(const WaitingView& view) {
  std::vector<std::string> out = spoken_lateness(view);
  for (std::string& line : spoken_beliefs(view)) out.push_back(std::move(line));
  return out;
}

std::vector<std::string> spoken_beliefs(const WaitingView& view) {
  std::vector<std::string> out;
  if (!view.believed) return out;
  const bool silent =
      std::all_of(view.believed->clocks.begin(), view.believed->clocks.end(),
                  [](const BelievedWaits::Clock& clock) { return clock.from == BelievedWaits::From::kNothing; });
  for (const BelievedWaits::Clock& clock : view.believed->clocks)
    if (clock.rounds > 0) add_clock(out, view, clock);
  if (silent && view.believed->moves == 0)
    out.push_back("nothing is known about waiting yet: that a round is open says nothing");
  const double moves = view.believed->moves;
  if (moves > 0)
    out.push_back(fmt::format("targets of open rounds have moved {} times, {:.2g} a round{}", grouped(moves),
                              moves / std::max(1.0, static_cast<double>(view.rounds)),
                              view.believed->mean_move > 0
                                  ? fmt::format(", by {:.2g} of probability on average", view.believed->mean_move)
                                  : ""));
  const double without = static_cast<double>(view.given_up) / std::max(1.0, static_cast<double>(view.rounds));
  if (without >= 0.1 && !view.expiry.then_label && !view.lost)
    out.push_back(
        fmt::format("{:.0f} % of rounds were given up without a label: if those of one class are lost more "
                    "often, nothing in the data shows it (say so in \"lost\")",
                    100 * without));
  return out;
}

}  // namespace tarry
