#include "tarry/service/report/service_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "tarry/base/error.h"
#include "tarry/base/version.h"
#include "tarry/service/report/model_section.h"
#include "tarry/service/report/report_page.h"
#include "tarry/service/report/report_words.h"
#include "tarry/service/watch/kept_watch.h"
#include "tarry/store/disk/kept_file.h"
#include "tarry/store/snapshots/read_models.h"

namespace tarry::service {
namespace {

constexpr double kDayMs = 86'400'000;

std::vector<hosting::ModelPointer> chosen(const hosting::Models& models, const ReportSetting& setting,
                                          const std::string& path) {
  if (setting.models.empty()) return models.all();
  std::vector<hosting::ModelPointer> found;
  for (const std::string& name : setting.models) {
    const hosting::ModelPointer model = models.find(name);
    if (!model) throw Error(Code::kBadInput, fmt::format("--model: {} has no model \"{}\"", path, name));
    if (std::find(found.begin(), found.end(), model) == found.end()) found.push_back(model);
  }
  return found;
}

struct LastTimes {
  std::int64_t ran_ms = 0;   // when the service last ran, as far as the store says
  std::int64_t kept_ms = 0;  // how new its history is: a service that runs writes it now and then
};

LastTimes last_times(const hosting::Models& models, store::Disk& disk, const std::string& folder) {
  LastTimes last{models.head().at_ms, models.head().at_ms};
  Watch all;
  const auto kept = store::read_kept(disk, folder, store::kKeptOfAll);
  if (!kept || !all.keep_on(*kept)) return last;
  all.look([&](const Timeline& timeline, const DelayTimes&) {
    if (timeline.steps(0).empty()) return;
    const std::int64_t begun = timeline.steps(0).back().number * kRanges[0].step_ms;
    last.ran_ms = std::max(last.ran_ms, begun);
    last.kept_ms = std::min(last.ran_ms, begun + kRanges[0].step_ms);
  });
  return last;
}

ReportTimes times_of(const ReportSetting& setting, const LastTimes& last) {
  const std::int64_t now = last.ran_ms;
  ReportTimes times{.as_of_ms = last.kept_ms};
  times.to_ms = setting.to_ms.value_or(now);
  times.from_ms = setting.from_ms.value_or(times.to_ms - static_cast<std::int64_t>(setting.days * kDayMs));
  if (times.from_ms >= times.to_ms)
    throw Error(Code::kBadInput, fmt::format("--from must be before the end of the period ({} came, and it ends {})",
                                             day_and_time(times.from_ms), day_and_time(times.to_ms)));
  if (times.from_ms > now)
    throw Error(Code::kBadInput, fmt::format("--from must be before {}, when the service last ran ({} came)",
                                             day_and_time(now), day_and_time(times.from_ms)));
  return times;
}

std::string words(const std::vector<ModelSection>& sections, const ReportTimes& times, bool without_history) {
  const auto troubles = std::count_if(sections.begin(), sections.end(), [](const auto& one) { return one.trouble; });
  std::string out = fmt::format(
      "<header>\n<h1>{} to {}</h1>\n<p class=\"quiet\">Decisions of this period, and what was known of them on {}. "
      "Times are in UTC. Tarry {}.</p>\n<p class=\"summary\">{}</p>\n",
      day_and_time(times.from_ms), day_and_time(times.to_ms), day_and_time(times.as_of_ms), kVersion,
      sections.empty()       ? std::string("There are no models.")
      : troubles == 0        ? fmt::format("{} model{}, nothing that needs a look.", sections.size(),
                                           plural_s(static_cast<double>(sections.size())))
      : sections.size() == 1 ? std::string("The model needs a look.")
      : troubles == 1        ? fmt::format("One of {} models needs a look.", sections.size())
                             : fmt::format("{} of {} models need a look.", troubles, sections.size()));
  if (without_history)
    out +=
        "<p class=\"problem\">Some models have no history here: a service that runs writes it every five minutes, and "
        "a copy of a store may lack the folder <code>watch</code>.</p>\n";
  out += "</header>\n<main>\n";
  if (sections.size() > 1) {
    out +=
        "<div class=\"table-box\"><table class=\"results\"><thead><tr><th scope=\"col\">Model</th><th "
        "scope=\"col\">Beside a constant</th><th scope=\"col\" class=\"number\">Decisions</th><th scope=\"col\" "
        "class=\"number\">Labels</th><th scope=\"col\" class=\"number\">Expected loss</th><th scope=\"col\" "
        "class=\"number\">Constant’s</th><th scope=\"col\" class=\"number\">Alarms</th></tr></thead><tbody>\n";
    for (const ModelSection& one : sections) out += one.row;
    out += "</tbody></table></div>\n";
  }
  for (const ModelSection& one : sections) out += one.section;
  return out + "</main>\n";
}

std::string figures(const std::vector<ModelSection>& sections, const ReportTimes& times) {
  std::string json = fmt::format("{{\"from\":{},\"to\":{},\"models\":[", times.from_ms, times.to_ms);
  for (const ModelSection& one : sections) json += (json.back() == '[' ? "" : ",") + one.data;
  json += "]}";
  std::string out;  // "<" only occurs inside strings
  for (const char c : json)
    if (c == '<')
      out += "\\u003c";
    else
      out += c;
  return out;
}

}  // namespace

ServiceReport service_report(store::Disk& disk, const std::string& path, const ReportSetting& setting,
                             const std::function<void(std::uint64_t, std::uint64_t)>& progress) {
  const hosting::Models models = store::read_models(disk, path, progress);
  const std::string folder = path + "/watch";
  const std::vector<hosting::ModelPointer> wanted = chosen(models, setting, path);
  const ReportTimes times = times_of(setting, last_times(models, disk, folder));
  std::vector<ModelSection> sections;
  bool without_history = false;
  for (const hosting::ModelPointer& model : wanted) {
    WatchedModel watched;
    const auto kept = store::read_kept(disk, folder, store::kept_name(model->incarnation()));
    if ((!kept || !keep_on(watched, *kept)) && model->model().ledger().issued() > 0) without_history = true;
    sections.push_back(model_section(*model, watched, times));
  }
  std::stable_partition(sections.begin(), sections.end(), [](const ModelSection& one) { return one.trouble; });
  ServiceReport report{std::string(kServiceReportPage.text), sections.size(), times.from_ms, times.to_ms};
  std::string& html = report.html;
  html.replace(html.find(kReportFigures) + kReportFigures.find("{}"), 2, figures(sections, times));
  html.replace(html.find(kReportWords), kReportWords.size(), words(sections, times, without_history));
  return report;
}

}  // namespace tarry::service
