#include "tarry/ledger/keys.h"

#include <gtest/gtest.h>

#include "unit/expect_error.h"

namespace tarry {
namespace {

std::string saved(const Keys& keys) {
  ByteWriter out;
  keys.save(out);
  return out.take();
}

Keys loaded(const std::string& bytes, Round issued, std::size_t remembered = kRememberedKeys) {
  Keys keys(remembered);
  ByteReader in(bytes);
  keys.load(in, issued);
  in.expect_end();
  return keys;
}

TEST(Keys, FindAnOpenRoundAndAClosedOne) {
  Keys keys;
  keys.open("a", {.round = 1, .digest = 7, .prediction = 0.5, .scores = {1, 2}});
  keys.open("b", {.round = 2});
  EXPECT_EQ(*keys.key_of(1), "a");
  keys.close(1);
  EXPECT_EQ(keys.key_of(1), nullptr);
  ASSERT_NE(keys.find("a"), nullptr);
  EXPECT_EQ(keys.find("a")->round, 1u);
  EXPECT_EQ(keys.find("a")->digest, 7u);
  EXPECT_EQ(keys.find("a")->prediction, 0.5);
  EXPECT_EQ(keys.find("a")->scores, (std::vector<double>{1, 2}));
  EXPECT_EQ(*keys.key_of(2), "b");
  EXPECT_EQ(keys.find("c"), nullptr);
  EXPECT_EQ(keys.size(), 2u);
}

TEST(Keys, ClosingARoundWithoutAKeyDoesNothing) {
  Keys keys;
  keys.open("a", {.round = 2});
  keys.close(1);
  keys.close(2);
  keys.close(2);
  EXPECT_EQ(keys.size(), 1u);
}

TEST(Keys, ForgetWhatWasClosedFirstOncePastTheLimit) {
  Keys keys(2);
  for (Round t = 1; t <= 5; ++t) keys.open("k" + std::to_string(t), {.round = t});
  for (Round t : {3, 1, 2}) keys.close(t);  // k3 is the oldest of the closed
  EXPECT_EQ(keys.find("k3"), nullptr);
  for (const char* known : {"k1", "k2", "k4", "k5"}) EXPECT_NE(keys.find(known), nullptr) << known;
  keys.close(5);
  EXPECT_EQ(keys.find("k1"), nullptr);
  EXPECT_EQ(keys.size(), 3u);
  keys.open("k3", {.round = 6});  // a forgotten key is a new one
  EXPECT_EQ(keys.find("k3")->round, 6u);
}

TEST(Keys, AreTheSameAfterSaveAndLoad) {
  Keys keys(3);
  for (Round t = 1; t <= 8; ++t)
    keys.open("k" + std::to_string(t), {t, 100 + t, 0.1 * static_cast<double>(t), {1.5, -0.0}});
  for (Round t : {8, 2, 5, 3}) keys.close(t);
  Keys copy = loaded(saved(keys), 8, 3);
  EXPECT_EQ(saved(copy), saved(keys));
  EXPECT_EQ(copy.size(), 7u);
  EXPECT_EQ(copy.find("k8"), nullptr);
  EXPECT_EQ(copy.find("k2")->scores, (std::vector<double>{1.5, -0.0}));
  for (Keys* one : {&keys, &copy}) one->close(7);  // the next to be forgotten is the same
  EXPECT_EQ(copy.find("k2"), nullptr);
  EXPECT_EQ(saved(copy), saved(keys));
}

TEST(Keys, AreSavedInOneOrderWhateverTheHistory) {
  Keys up, down;
  for (Round t = 1; t <= 50; ++t) up.open("k" + std::to_string(t), {.round = t});
  for (Round t = 50; t >= 1; --t) down.open("k" + std::to_string(t), {.round = t});
  EXPECT_EQ(saved(up), saved(down));
}

TEST(Keys, FitRoundsThatWait) {
  Keys keys;
  for (Round t = 1; t <= 3; ++t) keys.open("k" + std::to_string(t), {.round = t, .scores = {1, 2}});
  keys.close(2);
  const auto waits = [](Round round) { return round != 2; };
  const auto two = [](const KeyedRound& x) { return x.scores.size() == 2; };
  const auto three = [](const KeyedRound& x) { return x.scores.size() == 3; };
  EXPECT_TRUE(keys.fit(waits, two));
  EXPECT_FALSE(keys.fit(waits, three)) << "scores of another loss";
  EXPECT_FALSE(keys.fit([](Round) { return true; }, two)) << "closed, and its round waits";
  EXPECT_FALSE(keys.fit([](Round round) { return round == 1; }, two)) << "open, and its round does not wait";
}

TEST(Keys, RefuseWhatCannotHaveBeenSaved) {
  const std::string message = "snapshot: a key is there twice, or for a round that was not played";
  const auto refused = [&](const std::vector<std::pair<std::string, Round>>& open,
                           const std::vector<std::pair<std::string, Round>>& closed) {
    ByteWriter out;
    for (const auto& list : {open, closed}) {
      out.u64(list.size());
      for (const auto& [key, round] : list) {
        out.text(key);
        out.u64(round);
        out.u64(0);
        out.f64(0);
        out.reals({});
      }
    }
    return thrown_by([&] { loaded(out.bytes(), 5, 2); });
  };
  EXPECT_EQ(refused({{"a", 1}}, {{"b", 2}}).message, "nothing was thrown");
  for (const Thrown& thrown :
       {refused({{"a", 1}, {"a", 2}}, {}), refused({{"a", 1}}, {{"a", 2}}), refused({{"a", 0}}, {}),
        refused({{"a", 6}}, {}), refused({{"", 1}}, {}), refused({{std::string(1025, 'x'), 1}}, {}),
        refused({{"a", 1}, {"b", 1}}, {}), refused({}, {{"a", 1}, {"b", 2}, {"c", 3}})}) {
    EXPECT_EQ(thrown.message, message);
    EXPECT_EQ(thrown.code, Code::kCorrupt);
  }
}

}  // namespace
}  // namespace tarry
