#include "tarry/service/http/query.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "tarry/service/http/errors.h"

namespace tarry::service {
namespace {

std::string unescaped(std::string_view text) {
  std::string plain;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '%') {
      plain += text[i] == '+' ? ' ' : text[i];
      continue;
    }
    unsigned byte = 0;
    const char* const from = text.data() + i + 1;
    const bool there = i + 2 < text.size() && std::from_chars(from, from + 2, byte, 16).ptr == from + 2;
    if (!there)
      throw Refusal(400, "bad_query",
                    fmt::format("the query must have two hexadecimal digits after % ({} came)", text));
    plain += static_cast<char>(byte);
    i += 2;
  }
  return plain;
}

}  // namespace

std::vector<std::pair<std::string, std::string>> read_query(std::string_view rest) {
  std::vector<std::pair<std::string, std::string>> read;
  while (!rest.empty()) {
    const std::string_view part = rest.substr(0, rest.find('&'));
    rest.remove_prefix(std::min(rest.size(), part.size() + 1));
    if (part.empty()) continue;
    const std::size_t equals = part.find('=');
    const std::string key = unescaped(part.substr(0, equals));
    if (equals == std::string_view::npos)
      throw Refusal(400, "bad_query", fmt::format("{} must have a value: {}=…", key, key), key);
    read.emplace_back(key, unescaped(part.substr(equals + 1)));
  }
  return read;
}

}  // namespace tarry::service
