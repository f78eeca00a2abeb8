// The page of a period of a service: web/service_report in one text.
#pragma once

#include <string_view>

#include "tarry/base/embedded_page.h"

namespace tarry::service {

// In it the first of these is replaced by the words, as HTML, and the {} in the second by what the figures are drawn
// from, as JSON with every '<' written \u003c.
extern const EmbeddedPage kServiceReportPage;

inline constexpr std::string_view kReportWords = "<!--WORDS-->";
inline constexpr std::string_view kReportFigures = R"(<script id="data" type="application/json">{}</script>)";

}  // namespace tarry::service
