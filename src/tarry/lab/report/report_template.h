// The page that shows a run: web/report in one text.
#pragma once

#include <string_view>

#include "tarry/base/embedded_page.h"

namespace tarry::lab {

// A whole HTML document in which kReportData occurs exactly once. A report is this text with the {} inside kReportData
// replaced by the run as JSON, in which every '<' is written \u003c (it only occurs inside strings): escaping "</"
// alone would still let "<!--" and "<script" in a specification's text swallow the end of the element.
extern const EmbeddedPage kReportPage;

inline constexpr std::string_view kReportData = R"(<script id="data" type="application/json">{}</script>)";

}  // namespace tarry::lab
