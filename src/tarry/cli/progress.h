// Progress on standard error: a bar on a terminal, a plain line now and then elsewhere.
#pragma once

#include <cstddef>
#include <string>

namespace tarry::cli {

class ProgressBar {
 public:
  explicit ProgressBar(std::string name);
  ~ProgressBar();  // leaves no bar behind
  ProgressBar(const ProgressBar&) = delete;
  ProgressBar& operator=(const ProgressBar&) = delete;

  void update(std::size_t done, std::size_t total);

 private:
  std::string name_;
  bool terminal_;
  std::size_t shown_ = 0;  // the last hundredth (bar) or tenth (lines) that was shown
};

}  // namespace tarry::cli
