#include "tarry/oracles/lp_file.h"

#include <fmt/format.h>

#include <cerrno>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <system_error>

#include "tarry/base/error.h"
#include "tarry/oracles/lp_format.h"
#include "tarry/oracles/mps_format.h"

namespace tarry::oracles {
namespace {

std::string text_of(const std::string& path) {
  if (std::filesystem::is_directory(path)) throw Error(Code::kBadInput, fmt::format("{}: Is a directory", path));
  errno = 0;
  std::ifstream file(path, std::ios::binary);
  if (!file) throw Error(Code::kBadInput, fmt::format("{}: {}", path, std::generic_category().message(errno)));
  std::string text{std::istreambuf_iterator<char>(file), {}};
  if (text.empty()) throw Error(Code::kBadInput, fmt::format("{}: nothing there", path));
  return text;
}

}  // namespace

LinearProgram read_lp_file(const std::string& path) {
  const std::string text = text_of(path);
  const bool lp = path.ends_with(".lp") || path.ends_with(".LP");
  return lp ? read_lp_format(text, path) : read_mps_format(text, path);
}

}  // namespace tarry::oracles
