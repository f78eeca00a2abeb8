#include "tarry/features/named.h"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <cmath>

#include "tarry/base/error.h"
#include "tarry/spec/node.h"

namespace tarry {
namespace {

constexpr std::size_t kShown = 40;  // bytes of a name in a message

[[noreturn]] void refuse(const std::string& why) { throw Error(Code::kBadInput, why); }

[[noreturn]] void refuse_kind(const std::string& name, const std::string& came) {
  refuse(
      fmt::format("features.{} must be a number, text, true, false, null or a list of texts ({})", shown(name), came));
}

std::string kind_of(const spec::Value& value) {
  switch (value.as.index()) {
    case 0:
      return "null";
    case 1:
      return "true or false";
    case 2:
    case 3:
      return "a number";
    case 4:
      return "a text";
    case 7:
      return "an object";
    default:
      return "a list";
  }
}

FeatureValue read_value(const std::string& name, const spec::Value& value) {
  if (std::holds_alternative<std::monostate>(value.as)) return {};
  if (const auto* flag = std::get_if<bool>(&value.as)) return *flag;
  if (const auto* whole = std::get_if<std::int64_t>(&value.as)) return static_cast<double>(*whole);
  if (const auto* number = std::get_if<double>(&value.as)) return *number;
  if (const auto* text = std::get_if<std::string>(&value.as)) return *text;
  if (const auto* numbers = std::get_if<spec::Numbers>(&value.as)) {  // as which an empty list comes
    if (!numbers->empty()) refuse_kind(name, "a list of numbers came");
    return std::vector<std::string>{};
  }
  const auto* list = std::get_if<spec::Array>(&value.as);
  if (list == nullptr) refuse_kind(name, "an object came");
  std::vector<std::string> words;
  for (const spec::Value& element : *list) {
    const auto* text = std::get_if<std::string>(&element.as);
    if (text == nullptr) refuse_kind(name, fmt::format("entry {} is {}", words.size(), kind_of(element)));
    words.push_back(*text);
  }
  return words;
}

void check_word(const std::string& name, const std::string& word) {
  if (word.size() > kLongestWord)
    refuse(fmt::format("features.{} must be at most {} bytes long ({} came)", shown(name), kLongestWord, word.size()));
}

struct Writer {
  spec::Value operator()(std::monostate) const { return {}; }
  spec::Value operator()(double x) const { return {x == 0 ? 0.0 : x}; }  // −0 is 0
  spec::Value operator()(bool x) const { return {x}; }
  spec::Value operator()(const std::string& x) const { return {x}; }
  spec::Value operator()(std::vector<std::string> x) const {
    std::sort(x.begin(), x.end());
    x.erase(std::unique(x.begin(), x.end()), x.end());
    spec::Array words;
    for (std::string& word : x) words.push_back({std::move(word)});
    return {std::move(words)};
  }
};

}  // namespace

NamesId new_names_id() {
  static std::atomic<std::uint64_t> last = 0;
  return static_cast<NamesId>(last.fetch_add(1, std::memory_order_relaxed) + 1);
}

std::string shown(const std::string& name) {
  std::size_t cut = std::min(name.size(), kShown);
  while (cut > 0 && cut < name.size() && (static_cast<unsigned char>(name[cut]) & 0xC0) == 0x80) --cut;
  std::string text;
  spec::append_json(text, name.substr(0, cut));  // escapes what would break the line
  return text.substr(1, text.size() - 2) + (cut < name.size() ? "..." : "");
}

void check(const NamedFeature& feature) {
  const auto& [name, value] = feature;
  if (name.empty()) refuse("features: a name must not be empty");
  if (name.size() > kLongestName)
    refuse(fmt::format("features: a name must be at most {} bytes long ({} has {})", kLongestName, shown(name),
                       name.size()));
  if (const auto* number = std::get_if<double>(&value); number != nullptr && !(std::fabs(*number) <= spec::kLargest))
    refuse(fmt::format("features.{} must be finite and at most 1e100 in size ({} came)", shown(name), *number));
  if (const auto* word = std::get_if<std::string>(&value)) check_word(name, *word);
  if (const auto* words = std::get_if<std::vector<std::string>>(&value))
    if (std::ranges::any_of(*words, [](const std::string& word) { return word.size() > kLongestWord; })) [[unlikely]]
      for (const std::string& word : *words) check_word(name, word);
}

NamedFeatures read_named(const spec::Value& value) {
  const auto* members = std::get_if<spec::Object>(&value.as);
  if (members == nullptr) refuse(fmt::format("features must be an object with named values ({} came)", kind_of(value)));
  NamedFeatures features;
  features.reserve(members->size());
  for (const auto& [name, member] : *members) {
    features.push_back({name, read_value(name, member)});
    check(features.back());
  }
  std::vector<std::string_view> names;
  names.reserve(features.size());
  for (const auto& feature : features) names.push_back(feature.name);
  std::sort(names.begin(), names.end());
  if (const auto twin = std::adjacent_find(names.begin(), names.end()); twin != names.end())
    refuse(fmt::format("features.{} is given twice", shown(std::string(*twin))));
  return features;
}

spec::Value to_value(const NamedFeatures& features) {
  std::vector<const NamedFeature*> sorted;
  for (const NamedFeature& feature : features) sorted.push_back(&feature);
  std::sort(sorted.begin(), sorted.end(), [](auto* a, auto* b) { return a->name < b->name; });
  spec::Object object;
  for (const NamedFeature* feature : sorted) object.emplace_back(feature->name, std::visit(Writer{}, feature->value));
  return {std::move(object)};
}

std::string to_json(const NamedFeatures& features) { return spec::to_json(to_value(features)); }

}  // namespace tarry
