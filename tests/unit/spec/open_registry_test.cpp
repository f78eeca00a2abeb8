#include "tarry/spec/open_registry.h"

#include <gtest/gtest.h>

#include "unit/expect_error.h"

namespace tarry::spec {
namespace {

struct Entry {
  std::string name;
};

TEST(OpenRegistry, TakesEntriesUntilItIsUsed) {
  OpenRegistry<Entry> registry("loss", {{"a"}});
  registry.add({"b"});
  const auto all = registry.all();
  ASSERT_EQ(all.size(), 2u);
  EXPECT_EQ(all[0].name, "a");
  EXPECT_EQ(all[1].name, "b");
  EXPECT_ERROR(registry.add({"c"}), Code::kInternal, "loss registry: c must be added before the first use");
  EXPECT_EQ(registry.all().size(), 2u);
}

TEST(OpenRegistry, HasEachNameOnce) {
  OpenRegistry<Entry> registry("loss", {{"a"}});
  EXPECT_ERROR(registry.add({"a"}), Code::kInternal, "loss registry: there is a loss named a already");
}

}  // namespace
}  // namespace tarry::spec
