#include "tarry/cli/progress.h"

#include <fmt/format.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <iterator>

#include "tarry/cli/terminal.h"

namespace tarry::cli {
namespace {

constexpr int kWidth = 32;

std::string bar(int percent) {
  const int filled = percent * kWidth / 100;
  std::string text;
  for (int i = 0; i < kWidth; ++i) text += i < filled ? "█" : "░";
  return fmt::format("{} {:>3}%", text, percent);
}

// Names are cut so that a line never wraps: a wrapped line could not be erased again.
std::size_t columns() {
  winsize size{};
  return ::ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0 ? size.ws_col : 80;
}

std::string cut(const std::string& text, std::size_t width) {
  std::size_t shown = 0, at = 0;
  while (at < text.size() && shown < width) {
    ++at;
    while (at < text.size() && (static_cast<unsigned char>(text[at]) & 0xC0) == 0x80) ++at;
    ++shown;
  }
  return text.substr(0, at);
}

}  // namespace

ProgressBar::ProgressBar(std::string name) : name_(std::move(name)), terminal_(::isatty(STDERR_FILENO) == 1) {}

ProgressBar::~ProgressBar() {
  if (terminal_) erase();
}

void ProgressBar::update(std::size_t done, std::size_t total) {
  const bool moved = done * 100 / total != done_ * 100 / total_;
  done_ = done;
  total_ = total;
  if (terminal_) {
    if (moved || drawn_lines_ == 0) draw();
    return;
  }
  const std::size_t tenth = done * 10 / total;
  if (tenth == shown_tenth_) return;
  shown_tenth_ = tenth;
  print_error(fmt::format("{}: {}% ({} of {})\n", name_, 100 * done / total, done, total));
}

void ProgressBar::job(std::size_t number, const std::string& name, double share) {
  if (!terminal_) return;
  const int percent = static_cast<int>(100 * share);
  const auto known = jobs_.find(number);
  if (share >= 1) {
    if (known != jobs_.end()) jobs_.erase(known);
  } else if (known != jobs_.end() && known->second.percent == percent) {
    return;
  } else {
    jobs_[number] = {name, percent};
  }
  draw();
}

void ProgressBar::waiting(const std::string& path) {
  if (terminal_) erase();
  print_error(fmt::format("{}: waiting for data from {}\n", name_, path));
}

void ProgressBar::erase() {
  for (std::size_t line = 0; line < drawn_lines_; ++line) print_error("\033[1A\033[2K");
  drawn_lines_ = 0;
}

void ProgressBar::draw() {
  erase();
  const std::size_t room = columns() > kWidth + 10 ? columns() - kWidth - 10 : 10;
  const auto print = [&](const std::string& name, int percent) {
    print_error(fmt::format("{}  {}\n", bar(percent), cut(name, room)));
    ++drawn_lines_;
  };
  print(fmt::format("{}: {} of {}", name_, done_, total_), static_cast<int>(100 * done_ / total_));
  for (const auto& [number, job] : jobs_) print(job.name, job.percent);
}

}  // namespace tarry::cli
