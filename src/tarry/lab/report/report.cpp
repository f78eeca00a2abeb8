// report.html: the template of web/report with the results inside.
#include <string>

#include "tarry/lab/report/report_template.h"
#include "tarry/lab/report/results.h"

namespace tarry::lab {

std::string report_html(const ReportInput& input, const std::vector<RunResult>& runs) {
  // "<" only occurs inside strings, where \u003c means the same to JSON. Escaping "</" alone is not enough: "<!--" and
  // "<script" in a specification's comment would swallow the end of the element.
  std::string data;
  for (const char c : summary_json(input, runs)) {
    if (c == '<')
      data += "\\u003c";
    else
      data += c;
  }
  std::string html(kReportPage.text);
  html.replace(html.find(kReportData) + kReportData.find("{}"), 2, data);
  return html;
}

}  // namespace tarry::lab
