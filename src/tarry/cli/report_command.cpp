#include <fmt/format.h>

#include <chrono>

#include "tarry/base/error.h"
#include "tarry/cli/commands.h"
#include "tarry/cli/progress.h"
#include "tarry/data/text/iso_time.h"
#include "tarry/data/text/write_file.h"
#include "tarry/service/report/service_report.h"
#include "tarry/store/disk/real_disk.h"

namespace tarry::cli {
namespace {

constexpr double kMostDays = 36'500;
constexpr double kDaySeconds = 86'400;
constexpr auto kQuick = std::chrono::seconds(2);  // a mail that is sent by itself needs no progress

// A day means its beginning, or its end where a period ends with it.
std::optional<std::int64_t> time_given(const char* option, const std::string& text, bool is_end) {
  if (text.empty()) return std::nullopt;
  data::TimeCell time;
  if (!data::read_iso_time(text, time))
    throw Error(Code::kBadInput,
                fmt::format("{} must be a date such as 2026-03-31 or 2026-03-31T12:30 ({} came)", option, text));
  const double seconds = time.seconds + (is_end && !time.has_time ? kDaySeconds : 0);
  return static_cast<std::int64_t>(seconds * 1000);
}

}  // namespace

void report(const ReportOptions& options, Output& out) {
  if (!(options.days > 0 && options.days <= kMostDays))
    throw Error(Code::kBadInput,
                fmt::format("--days must be above 0 and at most {} ({} came)", kMostDays, options.days));
  const service::ReportSetting setting{.models = options.models,
                                       .from_ms = time_given("--from", options.from, false),
                                       .to_ms = time_given("--to", options.to, true),
                                       .days = options.days};
  const auto disk = store::real_disk();
  service::ServiceReport made;
  {
    ProgressBar bar("reading the log");
    const auto start = std::chrono::steady_clock::now();
    made = service::service_report(*disk, options.data, setting, [&](std::uint64_t done, std::uint64_t all) {
      if (std::chrono::steady_clock::now() - start < kQuick) return;
      bar.update(static_cast<std::size_t>(done), static_cast<std::size_t>(all));
    });
  }
  if (options.out == "-") return out.print(made.html);
  data::write_file(options.out, made.html);
  out.print(fmt::format("{}: {} model{}\n", options.out, made.models, made.models == 1 ? "" : "s"));
}

}  // namespace tarry::cli
