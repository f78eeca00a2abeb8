#include "tarry/features/label_value.h"

#include <algorithm>
#include <array>
#include <charconv>

#include "tarry/spec/value.h"

namespace tarry {
namespace {

constexpr std::array<std::string_view, 6> kYes = {"yes", "y", "true", "t", "positive", "pos"};
constexpr std::array<std::string_view, 6> kNo = {"no", "n", "false", "f", "negative", "neg"};

std::string_view without_spaces(std::string_view text) {
  const auto from = text.find_first_not_of(" \t");
  if (from == std::string_view::npos) return {};
  return text.substr(from, text.find_last_not_of(" \t") + 1 - from);
}

}  // namespace

LabelValue plain_label(std::string_view text) {
  const std::string_view word = without_spaces(text);
  const auto is = [&](std::string_view known) {
    return std::equal(word.begin(), word.end(), known.begin(), known.end(),
                      [](char a, char b) { return (a >= 'A' && a <= 'Z' ? a - 'A' + 'a' : a) == b; });
  };
  if (std::any_of(kYes.begin(), kYes.end(), is)) return true;
  if (std::any_of(kNo.begin(), kNo.end(), is)) return false;
  double number = 0;
  const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), number);
  if (!word.empty() && error == std::errc() && end == word.data() + word.size()) return number;
  return std::string(text);
}

std::string class_name(const LabelValue& label) {
  if (const auto* text = std::get_if<std::string>(&label)) return *text;
  if (const auto* flag = std::get_if<bool>(&label)) return *flag ? "true" : "false";
  std::string digits;
  spec::append_json(digits, std::get<double>(label));
  return digits;
}

}  // namespace tarry
