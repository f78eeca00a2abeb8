#include "tarry/service/watch/troubles.h"

#include <fmt/format.h>

#include "tarry/service/watch/wait_words.h"

namespace tarry::service {

std::string_view name_of(Trouble trouble) {
  constexpr std::string_view kNames[kTroubles] = {"overdue", "worse", "miscalibrated"};
  return kNames[static_cast<std::size_t>(trouble)];
}

std::string_view look_of(Trouble trouble) {
  switch (trouble) {
    case Trouble::kOverdue:
      return "Look at the source of the labels, and at the rounds that have waited longest.";
    case Trouble::kWorse:
      return "Look at the losses by the time of the decision, and at what has changed since then.";
    case Trouble::kMiscalibrated:
      return "Look at how often predictions come true, bin by bin, and whether labels of one class come late or get "
             "lost.";
  }
  return "";
}

void Troubles::review(Trouble trouble, bool holds, std::int64_t now_ms) {
  One& one = each_[static_cast<std::size_t>(trouble)];
  if (holds) {
    if (one.since_ms == 0) one.since_ms = now_ms;
    one.quiet = 0;
  } else if (one.since_ms != 0 && ++one.quiet >= kQuietReviews) {
    one = {};
  }
}

std::string since_words(std::int64_t since_ms, std::int64_t now_ms) {
  constexpr std::int64_t kShort = 2000;
  if (since_ms == 0 || now_ms - since_ms < kShort) return "";
  return fmt::format(", for {} now", wait_words(static_cast<double>(now_ms - since_ms)));
}

}  // namespace tarry::service
