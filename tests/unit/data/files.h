// Files for tests: small ones that are written here, and the real data where it is at hand.
#pragma once

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>

#include "paths.h"

namespace tarry::data {

// A file that is gone when the test is over.
class TestFile {
 public:
  TestFile(const std::string& name, std::string_view content)
      : path_(testing::TempDir() + testing::UnitTest::GetInstance()->current_test_info()->name() + "_" + name) {
    std::ofstream(path_, std::ios::binary) << content;
  }
  ~TestFile() { std::filesystem::remove(path_); }
  TestFile(const TestFile&) = delete;
  TestFile& operator=(const TestFile&) = delete;

  const std::string& path() const { return path_; }

 private:
  std::string path_;
};

// A file below the folder that TARRY_DATA names (default: shared/data beside the source tree); "" where there is none.
inline std::string real_data(const std::string& name) {
  const char* folder = std::getenv("TARRY_DATA");
  const std::filesystem::path path = std::filesystem::path(folder != nullptr ? folder : paths::kData) / name;
  return std::filesystem::exists(path) ? path.string() : "";
}

#define REAL_DATA_OR_SKIP(path, name)                      \
  const std::string path = ::tarry::data::real_data(name); \
  if (path.empty()) GTEST_SKIP() << "no " << (name) << " below TARRY_DATA"

}  // namespace tarry::data
