#include "tarry/model/waiting_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

namespace tarry {
namespace {

using Line = std::function<void(std::string_view name, const std::string& text)>;

constexpr std::size_t kWidest = 12;  // of a class's name

std::string percent(double share) { return fmt::format("{:.3g} %", 100 * share); }

std::string span_text(Round rounds, double seconds) {
  return rounds > 0 ? fmt::format("{} rounds", rounds) : fmt::format("{} seconds", seconds);
}

void told_lines(const WaitingView& view, const Line& line) {
  if (const Expiry& expiry = view.expiry; expiry.rounds > 0 || expiry.seconds > 0) {
    const spec::Value value = expiry.to_value();
    const spec::Value* label = value.find("then") != nullptr ? value.find("then")->find("label") : nullptr;
    line("window", fmt::format("{}; then {}", span_text(expiry.rounds, expiry.seconds),
                               label != nullptr ? "the label " + spec::to_json(*label) : "a round is given up"));
  }
  if (view.lost) line("lost labels", "as it was told: " + spec::to_json(*view.lost));
  if (view.revisable.any())
    line("corrections", fmt::format("of labels, for {}", span_text(view.revisable.rounds, view.revisable.seconds)));
  const auto& clocks = view.believed ? view.believed->clocks : std::vector<BelievedWaits::Clock>{};
  for (const BelievedWaits::Clock& clock : clocks)
    if (clock.by_due) line("due times", fmt::format("of {:.0f} rounds", clock.rounds));
}

// A row for every second age, up to the last that anything is known about.
void clock_lines(const WaitingView& view, const BelievedWaits::Clock& clock, const Line& line) {
  if (clock.from == BelievedWaits::From::kNothing || clock.ages.size() < 2) return;
  std::string head = fmt::format("{:>10}", clock.by_due ? "of the time" : "rounds");
  for (const std::string& name : view.classes) head += fmt::format("  {:>8}", name.substr(0, kWidest));
  line(clock.by_due ? "open by due time" : "still open after", head + "       all   got that old");
  for (std::size_t age = 1; age < clock.ages.size() && age <= clock.known; age += 2) {
    std::string row = fmt::format("{:>10.4g}", clock.ages[age]);
    for (std::size_t c = 0; c < clock.classes.size(); ++c)
      row += fmt::format("  {:>{}}", percent(clock.classes[c].open[age]),
                         std::max<std::size_t>(8, std::min(kWidest, view.classes[c].size())));
    line("", row + fmt::format("  {:>8}  {:>13.0f}", percent(clock.open[age]), clock.reached[age]));
  }
  if (clock.from == BelievedWaits::From::kLabels)
    line("", fmt::format("({} of the difference between classes that labels show is believed)", percent(clock.trust)));
}

void open_lines(const WaitingView& view, const Line& line) {
  const char* name = "open by age";
  for (std::size_t i = 0; i < view.by_age.size(); ++i) {
    const WaitingView::Age& age = view.by_age[i];
    if (age.open == 0 && age.given_up == 0) continue;
    const std::string to = i + 1 < view.by_age.size()
                               ? fmt::format("{:.0f} to {:.0f}", age.from, view.by_age[i + 1].from - 1)
                               : fmt::format("{:.0f} or more", age.from);
    line(name, fmt::format("{:>16} rounds: {:.0f}{}", to, age.open,
                           age.given_up > 0 ? fmt::format(", and {:.0f} given up at that age", age.given_up) : ""));
    name = "";
  }
}

}  // namespace

void waiting_lines(const WaitingView& view, const Line& line) {
  line("rounds", fmt::format("{}: {} answered, {} open, {} {}{}", view.rounds, view.answered, view.open, view.given_up,
                             view.expiry.then_label ? "ended by the window" : "given up",
                             view.voided > 0 ? fmt::format(", {} void", view.voided) : ""));
  told_lines(view, line);
  const char* name = "waiting";
  for (const std::string& said : spoken(view)) {
    line(name, said);
    name = "";
  }
  if (view.believed)
    for (const BelievedWaits::Clock& clock : view.believed->clocks) clock_lines(view, clock, line);
  open_lines(view, line);
}

}  // namespace tarry
