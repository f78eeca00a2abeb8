#include "tarry/model/lost_labels.h"

#include <algorithm>
#include <array>
#include <string_view>

namespace tarry {
namespace {

constexpr const char* kWanted = "\"random\", or an object with the share of each class that never comes: {\"no\": 0.4}";

// Of two classes without names.
std::optional<std::size_t> side_of(std::string_view name) {
  constexpr std::array<std::string_view, 4> kNo = {"no", "false", "0", "-1"};
  constexpr std::array<std::string_view, 3> kYes = {"yes", "true", "1"};
  if (std::find(kNo.begin(), kNo.end(), name) != kNo.end()) return 0;
  if (std::find(kYes.begin(), kYes.end(), name) != kYes.end()) return 1;
  return std::nullopt;
}

std::optional<std::size_t> class_named(const std::string& name, const LabelReader& labels) {
  if (!labels.names_classes()) return side_of(name);
  const auto at = std::find(labels.names().begin(), labels.names().end(), name);
  if (at == labels.names().end()) return std::nullopt;
  return static_cast<std::size_t>(at - labels.names().begin());
}

}  // namespace

void check_lost(const spec::Node& lost) {
  if (lost.is_text() && lost.text() == "random") return;
  if (!lost.is_object()) lost.fail(kWanted);
  const spec::Node shares(lost.value(), "lost");
  for (const auto& [name, value] : std::get<spec::Object>(lost.value().as)) {
    const double share = shares.number(name);
    if (!(share >= 0 && share < 1)) shares.at(name).fail("a share, from 0 to less than 1");
  }
}

Lost lost_labels(const spec::Node& lost, const LabelReader& labels, const AnyLoss* loss) {
  const std::size_t classes = loss != nullptr ? loss->classes() : 0;
  if (classes == 0) lost.fail_whole("lost needs a loss of classes");
  if (lost.is_text()) return {.at_random = true};
  Lost told{.shares = std::vector<double>(classes)};
  const spec::Node shares(lost.value(), "lost");
  for (const auto& [name, value] : std::get<spec::Object>(lost.value().as)) {
    const auto which = class_named(name, labels);
    if (!which) shares.fail_whole("\"" + name + "\" is not one of the model's classes");
    told.shares[*which] = shares.number(name);
  }
  return told;
}

}  // namespace tarry
