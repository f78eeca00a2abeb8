// report.html: the template of web/report with the results inside.
#include <string>

#include "tarry/lab/report_template.h"
#include "tarry/lab/results.h"

namespace tarry::lab {

std::string report_html(const ReportInput& input, const std::vector<RunResult>& runs) {
  static const std::string kPlace = R"(<script id="data" type="application/json">{}</script>)";
  static const std::string kBefore = R"(<script id="data" type="application/json">)";
  std::string data = summary_json(input, runs);
  // "</" inside JSON strings would end the script element; "<\/" means the same to JSON.
  for (std::size_t at = data.find("</"); at != std::string::npos; at = data.find("</", at + 3))
    data.replace(at, 2, "<\\/");
  std::string html(kReportTemplate);
  const std::size_t at = html.find(kPlace);
  if (at != std::string::npos) html.replace(at, kPlace.size(), kBefore + data + "</script>");
  return html;
}

}  // namespace tarry::lab
