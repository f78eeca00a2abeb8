#include "tarry/service/report/model_section.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>

#include "tarry/hosting/reply.h"
#include "tarry/service/models/model_row.h"
#include "tarry/service/report/choice_section.h"
#include "tarry/service/report/report_words.h"
#include "tarry/service/watch/wait_words.h"
#include "tarry/spec/json.h"
#include "tarry/spec/value.h"

namespace tarry::service {
namespace {

using quality::Alarm;
using quality::Prospect;

// Of the quarters that begin in the period.
Quarter sums_of(const PastWeeks& weeks, const ReportTimes& times) {
  Quarter sum;
  for (const Quarter& one : weeks.quarters()) {
    const std::int64_t at = one.number * PastWeeks::kQuarterMs;
    if (at + PastWeeks::kQuarterMs <= times.from_ms || at >= times.to_ms) continue;
    sum.decisions += one.decisions;
    sum.answered += one.answered;
    sum.given_up += one.given_up;
    sum.losses += one.losses;
    sum.loss += one.loss;
    sum.constant += one.constant;
  }
  return sum;
}

std::vector<const Alarm*> alarms_in(const WatchedModel& watched, const ReportTimes& times) {
  std::vector<const Alarm*> found;
  for (const Alarm& alarm : watched.drift.drift().alarms())
    if (alarm.since_ms < times.to_ms && (alarm.over_ms == 0 || alarm.over_ms >= times.from_ms)) found.push_back(&alarm);
  std::reverse(found.begin(), found.end());
  return found;
}

class Section {
 public:
  Section(const hosting::HostedModel& hosted, const WatchedModel& watched, const ReportTimes& times)
      : hosted_(hosted), watched_(watched), times_(times) {}

  ModelSection made() {
    const Model& model = hosted_.model();
    learns_from_labels_ = model.loss().has_value();
    sums_ = sums_of(watched_.weeks, times_);
    expected_ = watched_.quality.maturing().between(times_.from_ms, times_.to_ms, times_.as_of_ms);
    alarms_ = alarms_in(watched_, times_);
    lasting_ = std::count_if(alarms_.begin(), alarms_.end(), [](const Alarm* one) { return one->over_ms == 0; });
    health_ = learns_from_labels_ ? watched_.quality.health(times_.as_of_ms) : Health::kNoLabels;
    ModelSection found;
    found.trouble = health_ == Health::kWorse || lasting_ > 0 || watched_.quality.is_miscalibrated() ||
                    watched_.quality.maturing().arrivals(times_.as_of_ms).overdue();
    trouble_ = found.trouble;
    found.row = row(found.trouble);
    found.section = section();
    found.data = data();
    return found;
  }

 private:
  std::string sentence() const {
    if (!learns_from_labels_) return "It learns from gradients: there are no labels to judge it by.";
    return watched_.quality.sentence(times_.as_of_ms, said_beside(watched_, hosted_.model(), times_.as_of_ms));
  }

  std::string row(bool trouble) const {
    return fmt::format(
        "<tr data-trouble=\"{}\"><th scope=\"row\"><a href=\"#model-{}\">{}</a></th><td class=\"text\">{}</td>"
        "<td class=\"number\">{}</td><td class=\"number\">{}</td><td class=\"number\">{}</td><td "
        "class=\"number\">{}</td><td class=\"number\">{}</td></tr>\n",
        trouble, html_text(hosted_.name()), html_text(hosted_.name()),
        learns_from_labels_ ? name_of(health_) : std::string_view("–"),
        count_text(static_cast<double>(sums_.decisions)), count_text(static_cast<double>(sums_.answered)),
        number_text(expected_.loss.expected), number_text(expected_.loss.expected + expected_.gain.expected), lasting_);
  }

  void fact(std::string_view name, const std::string& text) {
    fmt::format_to(std::back_inserter(facts_), "<div><dt>{}</dt><dd>{}</dd></div>\n", name, html_text(text));
  }

  void labels_facts() {
    if (sums_.losses > 0) {
      const auto labels = static_cast<double>(sums_.losses);
      fact("Loss of the labels that came", fmt::format("{}; a constant answer {}", number_text(sums_.loss / labels),
                                                       number_text(sums_.constant / labels)));
    }
    if (std::isfinite(expected_.loss.expected))
      fact("Loss expected once all are in",
           fmt::format("{} ({} to {}); a constant answer {}; {} of the labels of {} decisions are in",
                       number_text(expected_.loss.expected), number_text(expected_.loss.low),
                       number_text(expected_.loss.high), number_text(expected_.loss.expected + expected_.gain.expected),
                       percent_text(expected_.share()), count_text(expected_.decisions)));
    else
      fact("Loss expected once all are in", "too early to say");
    const quality::Reliability& reliability = watched_.quality.reliability();
    if (const quality::Reliability::Bin all = reliability.all(); all.labels > 0)
      fact("Calibration", fmt::format("{} predicted on average, {} happened; error {} ({} by chance alone)",
                                      percent_text(all.predicted / all.labels), percent_text(all.outcome / all.labels),
                                      number_text(reliability.error()), number_text(reliability.error_by_chance())));
  }

  std::string section() {
    const auto decisions = static_cast<double>(sums_.decisions);
    fact("Decisions",
         fmt::format("{}; {} of them have their {}, {} were given up", count_text(decisions),
                     count_text(static_cast<double>(sums_.answered)), learns_from_labels_ ? "label" : "feedback",
                     count_text(static_cast<double>(sums_.given_up))));
    if (learns_from_labels_) labels_facts();
    if (watched_.delays.answers() > 0)
      fact("Delays", fmt::format("half of all answers came within {}, nine in ten within {}",
                                 wait_words(watched_.delays.half_ms()), wait_words(watched_.delays.within_ms(0.9))));
    const auto waiting = static_cast<double>(hosted_.model().ledger().outstanding());
    const auto oldest = hosted_.oldest_since_ms();
    fact("Waiting", oldest ? fmt::format("{} round{}, the oldest since {}", count_text(waiting), plural_s(waiting),
                                         day_and_time(*oldest))
                           : std::string("nothing"));
    return fmt::format(
        "<section class=\"model\" id=\"model-{}\">\n<h2>{}</h2>\n<p class=\"about\">{}</p>\n"
        "<p class=\"sentence\" data-health=\"{}\">{}</p>\n<dl class=\"facts\">\n{}</dl>\n{}{}<div "
        "class=\"charts\"></div>\n</section>\n",
        html_text(hosted_.name()), html_text(hosted_.name()), html_text(about_model(hosted_.model())),
        trouble_ ? name_of(Health::kWorse) : name_of(health_), html_text(sentence()), facts_, alarms(),
        choice_section(hosted_.model(), watched_.choices) + challengers());
  }

  std::string alarms() const {
    if (alarms_.empty()) return "";
    std::string out = "<h3>What has changed</h3>\n<ul class=\"alarms\">\n";
    for (const Alarm* alarm : alarms_)
      fmt::format_to(std::back_inserter(out),
                     "<li data-lasts=\"{}\"><strong>{}.</strong> Since {}, noticed after {}{}.</li>\n",
                     alarm->over_ms == 0, html_text(text_of(*alarm)), day_and_time(alarm->since_ms),
                     wait_words(static_cast<double>(alarm->raised_ms - alarm->since_ms)),
                     alarm->over_ms == 0 ? "; it lasts" : "; over since " + day_and_time(alarm->over_ms));
    return out + "</ul>\n";
  }

  std::string challengers() const {
    hosting::ChallengerList list = hosting::challengers_of(hosted_);
    watched_.beside.fill_in(list.challengers, times_.as_of_ms);
    if (list.challengers.empty()) return "";
    std::string out = "<h3>Challengers</h3>\n<ul class=\"challengers\">\n";
    for (const auto& one : list.challengers) {
      fmt::format_to(std::back_inserter(out), "<li><strong>{}</strong>: {}", html_text(one.name), name_of(one.verdict));
      if (one.figures)
        fmt::format_to(std::back_inserter(out),
                       "; it loses {}, the model {}, over {} rounds (difference {}, from {} to {})",
                       number_text(one.figures->second), number_text(one.figures->first),
                       count_text(static_cast<double>(one.figures->pairs)), number_text(one.figures->difference),
                       number_text(one.figures->low), number_text(one.figures->high));
      if (one.earned)
        fmt::format_to(std::back_inserter(out),
                       "; it would have earned {}, the model {}, over {} rounds (difference {}, from {} to {})",
                       number_text(one.earned->second), number_text(one.earned->first),
                       count_text(static_cast<double>(one.earned->rounds)), number_text(one.earned->difference),
                       number_text(one.earned->low), number_text(one.earned->high));
      if (one.expected && std::isfinite(one.expected->loss.expected))
        fmt::format_to(
            std::back_inserter(out), "; once all labels are in, it is expected to lose {} ({} to {}), the model {}: {}",
            number_text(one.expected->loss.expected), number_text(one.expected->loss.low),
            number_text(one.expected->loss.high),
            number_text(one.expected->loss.expected + one.expected->gain.expected), name_of(one.expected->verdict));
      out += ".</li>\n";
    }
    return out + "</ul>\n";
  }

  std::string data() const {
    std::string out = "{\"name\":";
    spec::append_json(out, hosted_.name());
    out += ",\"quarters\":[";
    for (const Quarter& one : watched_.weeks.quarters()) {
      const std::int64_t at = one.number * PastWeeks::kQuarterMs;
      if (at + PastWeeks::kQuarterMs <= times_.from_ms || at >= times_.to_ms) continue;
      fmt::format_to(std::back_inserter(out), "{}[{},{},{}]", out.back() == '[' ? "" : ",", at, one.decisions,
                     one.answered);
    }
    out += "],\"quality\":";
    if (learns_from_labels_)
      watched_.quality.append(out, times_.as_of_ms, said_beside(watched_, hosted_.model(), times_.as_of_ms));
    else
      out += "null";
    return out + "}";
  }

  const hosting::HostedModel& hosted_;
  const WatchedModel& watched_;
  const ReportTimes& times_;
  bool learns_from_labels_ = false;
  Quarter sums_;
  Prospect expected_;
  std::vector<const Alarm*> alarms_;
  std::ptrdiff_t lasting_ = 0;
  bool trouble_ = false;
  Health health_ = Health::kNoLabels;
  std::string facts_;
};

}  // namespace

ModelSection model_section(const hosting::HostedModel& hosted, const WatchedModel& watched, const ReportTimes& times) {
  return Section(hosted, watched, times).made();
}

}  // namespace tarry::service
