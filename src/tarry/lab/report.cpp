// report.html: the template of web/report with the results inside.
#include <string>

#include "tarry/lab/report_template.h"
#include "tarry/lab/results.h"

namespace tarry::lab {

std::string report_html(const ReportInput& input, const std::vector<RunResult>& runs) {
  std::string data;
  for (char c : summary_json(input, runs)) {
    if (c == '<')
      data += "\\u003c";  // see report_template.h
    else
      data += c;
  }
  const std::size_t hole = kReportTemplate.find(kReportData) + kReportData.find("{}");
  return std::string(kReportTemplate.substr(0, hole)) + data + std::string(kReportTemplate.substr(hole + 2));
}

}  // namespace tarry::lab
