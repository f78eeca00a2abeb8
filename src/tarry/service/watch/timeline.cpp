#include "tarry/service/watch/timeline.h"

#include <fmt/format.h>

#include <bit>
#include <iterator>

#include "tarry/spec/value.h"

namespace tarry::service {

void DelayTimes::add(std::int64_t ms) {
  const auto width = std::bit_width(static_cast<std::uint64_t>(std::max<std::int64_t>(1, ms)));
  ++counts[std::min(static_cast<std::size_t>(width - 1), kMost - 1)];
}

std::uint64_t DelayTimes::answers() const {
  std::uint64_t all = 0;
  for (const std::uint64_t count : counts) all += count;
  return all;
}

double DelayTimes::within_ms(double share) const {
  const double wanted = static_cast<double>(answers()) * share;
  double before = 0;
  for (std::size_t k = 0; k < counts.size(); ++k) {
    const auto here = static_cast<double>(counts[k]);
    if (here > 0 && before + here >= wanted) return std::ldexp(1 + (wanted - before) / here, static_cast<int>(k));
    before += here;
  }
  return 0;
}

const std::string_view kPointColumns =
    R"(["at", "decisions", "answered", "given_up", "losses", "loss", "constant", "feedback", "duplicates", "expired", )"
    R"("refused", "updates", "update_ms", "backlog", "outstanding", "oldest_ms", "certificate", "store_bytes", "syncs", )"
    R"("sync_ms", "predicted", "outcome"])";

namespace {

// Short: figures need no more than seven digits.
void append_number(std::string& out, double x) {
  if (std::isfinite(x))
    fmt::format_to(std::back_inserter(out), ",{:.7g}", x);
  else
    out += ",null";
}

}  // namespace

void append_point(std::string& out, const Step& step, std::int64_t step_ms) {
  fmt::format_to(std::back_inserter(out), "[{},{},{},{},{}", step.number * step_ms, step.decisions, step.answered,
                 step.given_up, step.losses);
  append_number(out, step.loss);
  append_number(out, step.constant);
  fmt::format_to(std::back_inserter(out), ",{},{},{},{},{}", step.feedback, step.duplicates, step.expired, step.refused,
                 step.updates);
  append_number(out, step.update_ms);
  fmt::format_to(std::back_inserter(out), ",{}", step.backlog);
  for (const double x : {step.outstanding, step.oldest_ms, step.certificate, step.store_bytes}) append_number(out, x);
  fmt::format_to(std::back_inserter(out), ",{}", step.syncs);
  append_number(out, step.sync_ms);
  append_number(out, step.predicted);
  append_number(out, step.outcome);
  out += "]";
}

void append_counts(std::string& out, const DelayTimes& delays) {
  std::size_t last = delays.counts.size();
  while (last > 0 && delays.counts[last - 1] == 0) --last;
  out += "[";
  for (std::size_t k = 0; k < last; ++k)
    fmt::format_to(std::back_inserter(out), "{}{}", k > 0 ? "," : "", delays.counts[k]);
  out += "]";
}

}  // namespace tarry::service
