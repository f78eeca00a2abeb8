#include "tarry/features/interactions.h"

#include "tarry/features/named.h"

namespace tarry {
namespace {

constexpr Index kMostProducts = 1'000'000;

std::pair<std::string, std::string> read_pair(const spec::Node& node) {
  const auto names = node.list("two different names");
  if (names.size() != 2) node.fail("two different names");
  for (const spec::Node& name : names)
    if (name.text().empty() || name.text().size() > kLongestName) name.fail("a name of 1 to 1024 bytes");
  if (names[0].text() == names[1].text()) node.fail("two different names");
  return std::minmax(names[0].text(), names[1].text());
}

}  // namespace

Interactions Interactions::read(const spec::Node& node) {
  Interactions read;
  const auto products = node.find("products"), earlier = node.find("interactions");
  if (products && earlier) node.fail_whole("give either products or interactions, its earlier name, not both");
  if (const auto& given = products ? products : earlier) {
    if (given->is_text()) {
      if (given->text() != "pairs") given->fail(kProductsByName);
      read.all = true;
    } else {
      for (const spec::Node& pair : given->list(kProductsByName)) {
        read.pairs.push_back(read_pair(pair));
        if (std::count(read.pairs.begin(), read.pairs.end(), read.pairs.back()) > 1) pair.fail("given once");
      }
      std::sort(read.pairs.begin(), read.pairs.end());
    }
  }
  if (node.has("most_pairs")) read.most = node.count("most_pairs", 1, kMostProducts);
  return read;
}

spec::Value Interactions::to_value() const {
  if (all) return {std::string("pairs")};
  spec::Array list;
  for (const auto& [a, b] : pairs) list.push_back({spec::Array{{a}, {b}}});
  return {std::move(list)};
}

}  // namespace tarry
