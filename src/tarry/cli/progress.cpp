#include "tarry/cli/progress.h"

#include <fmt/format.h>
#include <unistd.h>

#include <cstdio>

namespace tarry::cli {
namespace {

constexpr std::size_t kWidth = 40;

}  // namespace

ProgressBar::ProgressBar(std::string name) : name_(std::move(name)), terminal_(::isatty(STDERR_FILENO) == 1) {}

ProgressBar::~ProgressBar() {
  if (terminal_) fmt::print(stderr, "\r\033[K");
}

void ProgressBar::update(std::size_t done, std::size_t total) {
  const std::size_t step = terminal_ ? done * 100 / total : done * 10 / total;
  if (step == shown_) return;
  shown_ = step;
  if (!terminal_) {
    fmt::print(stderr, "{}: {}% ({} of {})\n", name_, 100 * done / total, done, total);
    return;
  }
  const std::size_t filled = done * kWidth / total;
  fmt::print(stderr, "\r{} [{:█<{}}{:░<{}}] {:>3}%", name_, "", filled, "", kWidth - filled, 100 * done / total);
  std::fflush(stderr);
}

}  // namespace tarry::cli
