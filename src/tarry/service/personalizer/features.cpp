#include "tarry/service/personalizer/features.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "tarry/base/overload.h"
#include "tarry/model/choice.h"

namespace tarry::service::personalizer {
namespace {

bool all_texts(const spec::Array& array) {
  return std::all_of(array.begin(), array.end(),
                     [](const spec::Value& each) { return std::holds_alternative<std::string>(each.as); });
}

class Flat {
 public:
  NamedFeatures features;

  void add_members(const std::string& above, const spec::Object& object) {
    for (const auto& [key, member] : object)
      if (!key.starts_with('_')) add(above.empty() ? key : fmt::format("{}.{}", above, key), member);
  }

 private:
  void add(const std::string& name, const spec::Value& value) {
    const auto each = [&](const auto& list, const auto& of) {
      for (std::size_t i = 0; i < list.size(); ++i) of(fmt::format("{}.{}", name, i), list[i]);
    };
    std::visit(Overload{[](std::monostate) {}, [&](bool x) { put(name, x); },
                        [&](std::int64_t x) { put(name, static_cast<double>(x)); }, [&](double x) { put(name, x); },
                        [&](const std::string& x) { put(name, x); },
                        [&](const spec::Numbers& x) {
                          each(x, [&](const std::string& inside, double number) { put(inside, number); });
                        },
                        [&](const spec::Array& x) {
                          if (all_texts(x)) return put(name, words(x));
                          each(x, [&](const std::string& inside, const spec::Value& element) { add(inside, element); });
                        },
                        [&](const spec::Object& x) { add_members(name, x); }},
               value.as);
  }

  static std::vector<std::string> words(const spec::Array& array) {
    std::vector<std::string> all;
    for (const spec::Value& each : array) all.push_back(std::get<std::string>(each.as));
    return all;
  }

  void put(const std::string& name, FeatureValue value) {
    const int times = ++seen_[name];
    if (times == 1)
      features.push_back({name, std::move(value)});
    else
      put(fmt::format("{}#{}", name, times), std::move(value));
  }

  std::map<std::string, int> seen_;
};

}  // namespace

NamedFeatures read_feature_list(const spec::Node& list) {
  Flat flat;
  for (const spec::Node& each : list.list("an array of objects")) {
    const auto* object = std::get_if<spec::Object>(&each.value().as);
    if (object == nullptr) list.fail("an array of objects");
    flat.add_members("", *object);
  }
  return std::move(flat.features);
}

NamedFeatures read_context(const spec::Node& list) {
  NamedFeatures features = read_feature_list(list);
  const std::string own = kActionFeature;
  for (NamedFeature& feature : features)
    if (feature.name == own || feature.name.starts_with(own + ".")) feature.name = "context." + feature.name;
  return features;
}

}  // namespace tarry::service::personalizer
