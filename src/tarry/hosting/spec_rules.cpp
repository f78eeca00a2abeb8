#include "tarry/hosting/spec_rules.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "tarry/base/overload.h"
#include "tarry/hosting/names.h"
#include "tarry/model/tasks.h"
#include "tarry/model/update_cost.h"
#include "tarry/sets/registry.h"
#include "tarry/spec/node.h"

namespace tarry::hosting {

void check_names_no_file(const spec::Value& value) {
  if (const auto* array = std::get_if<spec::Array>(&value.as))
    for (const spec::Value& element : *array) check_names_no_file(element);
  const auto* object = std::get_if<spec::Object>(&value.as);
  if (object == nullptr) return;
  const spec::Value* type = value.find("type");
  const auto* name = type == nullptr ? nullptr : std::get_if<std::string>(&type->as);
  for (const auto& [key, inner] : *object) {
    if (key == "lp_file" && name != nullptr && *name == "polytope")
      throw Rejection(Rejection::kMalformed, "names_a_file",
                      "polytope: lp_file names a file, which a request must not: give rows", key);
    check_names_no_file(inner);
  }
}

void check_size(const ModelSpec& spec, std::int64_t most_coordinates) {
  const AnySet set = make_set(spec::Node(spec.set, "set"));
  const std::int64_t size = std::max(set.dimension(), coordinates_kept(spec.learner, set));
  if (size > most_coordinates)
    throw Rejection(Rejection::kTooLarge, "too_large",
                    fmt::format("a model must have at most {} coordinates ({} came)", most_coordinates, size),
                    "dimension");
}

std::string difference_from(const spec::Value& given, const std::string& there, const std::string& first,
                            const std::string& here) {
  const auto differs = [&](const spec::Value& meant, const std::string& from) {
    return first_difference(ModelSpec::read(meant).to_value(), ModelSpec::parse(from).to_value(), here, "in the model");
  };
  std::vector<spec::Value> meanings = earlier_meanings(given);
  meanings.insert(meanings.begin(), given);
  for (const spec::Value& meant : meanings)
    if (differs(meant, there).empty() || differs(meant, first).empty()) return "";
  return differs(given, there);
}

bool has_impossible_number(const spec::Value& value) {
  const auto too_large = [](double x) { return !(std::fabs(x) <= spec::kLargest); };
  return std::visit(
      Overload{[&](double x) { return too_large(x); },
               [&](const spec::Numbers& x) { return std::any_of(x.begin(), x.end(), too_large); },
               [&](const spec::Array& x) { return std::any_of(x.begin(), x.end(), has_impossible_number); },
               [&](const spec::Object& x) {
                 return std::any_of(x.begin(), x.end(),
                                    [](const spec::Member& member) { return has_impossible_number(member.second); });
               },
               [](const auto&) { return false; }},
      value.as);
}

}  // namespace tarry::hosting
