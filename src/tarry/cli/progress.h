// Progress on standard error: bars on a terminal, a plain line now and then elsewhere.
#pragma once

#include <cstddef>
#include <map>
#include <string>

namespace tarry::cli {

class ProgressBar {
 public:
  explicit ProgressBar(std::string name);
  ~ProgressBar();  // leaves no bar behind
  ProgressBar(const ProgressBar&) = delete;
  ProgressBar& operator=(const ProgressBar&) = delete;

  void update(std::size_t done, std::size_t total);
  // A job below the overall bar, by number; share 1 removes it. Shown on terminals alone.
  void job(std::size_t number, const std::string& name, double share);
  void waiting(const std::string& path);  // says that nothing comes from there

 private:
  void draw();
  void erase();

  std::string name_;
  bool terminal_;
  std::size_t done_ = 0, total_ = 1;
  std::size_t shown_tenth_ = 0;
  std::size_t drawn_lines_ = 0;
  struct Job {
    std::string name;
    int percent;
  };
  std::map<std::size_t, Job> jobs_;
};

}  // namespace tarry::cli
