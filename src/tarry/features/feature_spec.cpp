#include "tarry/features/feature_spec.h"

#include "tarry/features/vocabulary.h"

namespace tarry {

std::vector<spec::Key> FeatureSpec::keys() {
  return {{"capacity", "a whole number of slots", "262144"},
          {"intercept", "true or false", "true"},
          {"products", kProductsByName, "[]"},
          {"most_pairs", "a whole number: the most products of a row", "1000"}};
}

FeatureSpec FeatureSpec::read(const spec::Node& node) {
  FeatureSpec read;
  if (node.has("capacity")) read.capacity = node.count("capacity", 2, kMostSlots);
  if (const auto intercept = node.find("intercept")) read.intercept = intercept->flag();
  read.interactions = Interactions::read(node);
  node.refuse_unknown_keys();
  return read;
}

spec::Value FeatureSpec::to_value() const {
  spec::Object object;
  object.emplace_back("capacity", spec::Value{capacity});
  object.emplace_back("intercept", spec::Value{intercept});
  object.emplace_back("interactions", interactions.to_value());
  object.emplace_back("most_pairs", spec::Value{interactions.most});
  return {std::move(object)};
}

spec::Value with_products(const spec::Value& features, const spec::Node& products) {
  spec::Value both = features;
  auto& members = std::get<spec::Object>(both.as);
  std::erase_if(members, [](const spec::Member& member) {  // as defaults are written out
    const auto* none = std::get_if<spec::Array>(&member.second.as);
    const auto* numbers = std::get_if<spec::Numbers>(&member.second.as);
    return member.first == "interactions" && ((none && none->empty()) || (numbers && numbers->empty()));
  });
  for (const char* key : {"products", "interactions"})
    if (both.find(key) != nullptr) products.fail(std::string("left out, or a whole number: features has ") + key);
  members.emplace_back("products", products.value());
  return both;
}

}  // namespace tarry
