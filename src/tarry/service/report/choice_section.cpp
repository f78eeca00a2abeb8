#include "tarry/service/report/choice_section.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "tarry/service/report/report_words.h"

namespace tarry::service {
namespace {

constexpr std::size_t kMostReported = 5;  // actions that alone are taken, the best first

// The value of IPS can be outside its interval, which knows that no reward is above the highest.
double within(const evaluation::Estimate& of) {
  return of.low && of.high ? std::clamp(of.value, *of.low, *of.high) : of.value;
}

void append_rule(std::string& out, const std::string& name, const evaluation::Estimate& of, std::string_view by) {
  fmt::format_to(
      std::back_inserter(out),
      "<tr><th scope=\"row\">{}</th><td class=\"number\">{}</td><td class=\"number\">{}</td><td>{}</td></tr>\n",
      html_text(name), number_text(within(of)),
      of.low && of.high ? number_text(*of.low) + " to " + number_text(*of.high) : "–", by);
}

void append_policy(std::string& out, const std::string& name, const Comparison::Policy& of) {
  const bool by_model = of.dr && of.dr->low;
  append_rule(out, name, of.best(), by_model ? "DR" : of.ips.low ? "IPS" : "SNIPS");
}

std::string cost_text(const GivenUp::Cost& of) {
  return number_text(of.reward) + (of.share ? " (" + percent_text(*of.share) + ")" : "");
}

std::string taken_text(const ChoiceWatch& watched) {
  const auto taken = watched.taken_in_a_day();
  double all = 0;
  for (const auto& [name, count] : taken) all += static_cast<double>(count);
  std::string out;
  for (const auto& [name, count] : taken)
    if (count > 0) out += (out.empty() ? "" : ", ") + name + " " + percent_text(static_cast<double>(count) / all);
  return out;
}

}  // namespace

std::string choice_section(const Model& model, const ChoiceWatch& watched) {
  if (!model.choice()) return "";
  std::string out = "<h3>Actions</h3>\n";
  const Comparison::Figures figures = model.comparison().figures();
  if (figures.rounds > 0) {
    out +=
        "<div class=\"table-box\"><table class=\"results\"><thead><tr><th scope=\"col\">Rule</th><th scope=\"col\" "
        "class=\"number\">Reward</th><th scope=\"col\" class=\"number\">95 %</th><th "
        "scope=\"col\">By</th></tr></thead><tbody>\n";
    append_rule(out, "as shown", figures.earned, "–");
    append_policy(out, "any action alike", figures.uniform);
    for (std::size_t k = 0; k < std::min(kMostReported, figures.always.size()); ++k)
      append_policy(out, "always " + figures.always[k].first, figures.always[k].second);
    out += "</tbody></table></div>\n";
  }
  out += "<p class=\"quiet\">";
  out += figures.rounds > 0
             ? fmt::format("Mean rewards of the {} rounds, since the model was made, whose wait is over.",
                           count_text(static_cast<double>(figures.rounds)))
             : std::string("No round yet whose wait is over, and that of all before it.");
  if (figures.exploration.rounds > 0)
    out += fmt::format(" Exploration gives up {} of the predicted reward a round, lately {}.",
                       cost_text(figures.exploration.all), cost_text(figures.exploration.lately));
  if (const std::string taken = taken_text(watched); !taken.empty())
    out += " Taken in the last day: " + html_text(taken) + ".";
  return out + "</p>\n";
}

}  // namespace tarry::service
