// The embedded page: whole, and with one place for the data.
#include "tarry/lab/report/report_template.h"

#include <gtest/gtest.h>

namespace tarry::lab {
namespace {

TEST(ReportTemplate, HasOnePlaceForTheData) {
  const auto at = kReportTemplate.find(kReportData);
  ASSERT_NE(at, std::string_view::npos);
  EXPECT_EQ(kReportTemplate.find(kReportData, at + 1), std::string_view::npos);
}

TEST(ReportTemplate, IsOneWholeDocumentThatLoadsNothing) {
  EXPECT_TRUE(kReportTemplate.starts_with("<!doctype html>"));
  EXPECT_TRUE(kReportTemplate.ends_with("</html>\n"));
  for (const char* left : {"/*STYLE*/", "/*SCRIPT*/", "<link", " src=", "@import", "https:"}) {
    EXPECT_EQ(kReportTemplate.find(left), std::string_view::npos) << left;
  }
}

}  // namespace
}  // namespace tarry::lab
