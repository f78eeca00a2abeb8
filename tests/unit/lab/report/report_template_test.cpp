// The embedded page: whole, and with one place for the data.
#include "tarry/lab/report/report_template.h"

#include <gtest/gtest.h>

namespace tarry::lab {
namespace {

TEST(ReportTemplate, HasOnePlaceForTheData) {
  const auto at = kReportPage.text.find(kReportData);
  ASSERT_NE(at, std::string_view::npos);
  EXPECT_EQ(kReportPage.text.find(kReportData, at + 1), std::string_view::npos);
}

TEST(ReportTemplate, IsOneWholeDocumentThatLoadsNothing) {
  EXPECT_TRUE(kReportPage.text.starts_with("<!doctype html>"));
  EXPECT_TRUE(kReportPage.text.ends_with("</html>\n"));
  for (const char* left : {"/*STYLE*/", "/*SCRIPT*/", "<link", " src=", "@import", "https:"}) {
    EXPECT_EQ(kReportPage.text.find(left), std::string_view::npos) << left;
  }
}

}  // namespace
}  // namespace tarry::lab
