#include "tarry/model/codec.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <limits>

#include "tarry/spec/json.h"
#include "unit/expect_error.h"

namespace tarry {
namespace {

Event read(const std::string& json) {
  const spec::Value value = spec::parse_json(json);
  return read_event(spec::Node(value, "event"));
}

// One of each kind, as a log has it in its canonical form.
const std::vector<std::string>& canonical_events() {
  static const std::vector<std::string> events = {
      R"({"play": 1})",
      R"({"play": 2, "key": "a"})",
      R"({"play": 3, "features": [0.5, -2, 0]})",
      R"({"play": 4, "features": {"indices": [1, 7], "values": [0.5, -2]}})",
      R"({"play": 5, "key": "ключ \"\\", "features": {"age": 31, "city": "Paris", "gone": null, "new": true, "tags": ["a", "b"]}})",
      R"({"play": 6, "features": {}})",
      R"({"play": 7, "features": {"indices": 3, "values": 4}})",
      R"({"play": 8, "features": []})",
      R"({"play": 9007199254740992})",
      R"({"play": 9, "key": "a", "now": 5, "due": 9.5})",
      R"({"play": 10, "context": {"x": 1}, "actions": [{"id": "a"}, {"id": "b", "features": {"y": "z"}}], "exclude": ["a"], "shown": {"id": "b", "probability": 0.5}})",
      R"({"play": 11, "key": "a", "context": {}, "now": 5})",
      R"({"receive": 1, "gradient": [1, 0.1, 5e-324]})",
      R"({"receive": "a", "gradient": [1]})",
      R"({"receive": 3, "indices": [0, 4], "values": [1, 2]})",
      R"({"receive": 4, "gradient": {"search": 1, "social": -1.5}})",
      R"({"label": 1, "value": 0.30000000000000004})",
      R"({"label": "a", "value": true})",
      R"({"label": "a", "value": true, "revise": true, "sequence": 2})",
      R"({"label": "a", "value": true, "shown": {"id": "b"}})",
      R"({"label": 2, "value": 0.5, "part": "x", "now": 7, "shown": {"id": "b", "probability": 0.5, "features": {"y": "z"}}})",
      R"({"label": 2, "value": "on time"})",
      R"({"label": 3, "value": 1, "features": {"x": 1}})",
      R"({"label": 3, "value": 1, "features": [1, 2]})",
      R"({"expire": 4})",
      R"({"expire": "a"})",
      R"({"loss_of": 5, "loss": 0.25})",
      R"({"loss_of": "a", "loss": -3})",
      R"({"void": 5})",
      R"({"void": "a"})",
  };
  return events;
}

TEST(Codec, EveryKindSurvivesJson) {
  for (const std::string& json : canonical_events()) EXPECT_EQ(event_json(read(json)), json);
}

TEST(Codec, EveryKindSurvivesBytes) {
  for (const std::string& json : canonical_events()) {
    const Event event = read(json);
    const std::string bytes = event_bytes(event);
    EXPECT_EQ(event_from_bytes(bytes), event) << json;
    EXPECT_EQ(event_bytes(event_from_bytes(bytes)), bytes) << json;
  }
}

TEST(Codec, BytesCutOrWithMoreBehindAreRefused) {
  for (const std::string& json : canonical_events()) {
    const std::string bytes = event_bytes(read(json));
    for (std::size_t size = 0; size < bytes.size(); ++size)
      EXPECT_EQ(thrown_by([&] { event_from_bytes(bytes.substr(0, size)); }).code, Code::kCorrupt) << json << size;
    EXPECT_EQ(thrown_by([&] { event_from_bytes(bytes + '\0'); }).code, Code::kCorrupt) << json;
  }
}

TEST(Codec, AChangedByteIsAnotherEventOrRefused) {
  for (const std::string& json : canonical_events()) {
    const std::string bytes = event_bytes(read(json));
    for (std::size_t i = 0; i < bytes.size(); ++i) {
      for (const char flip : {'\x01', '\x80', '\xff'}) {
        std::string changed = bytes;
        changed[i] = static_cast<char>(changed[i] ^ flip);
        const Thrown thrown = thrown_by([&] { EXPECT_EQ(event_bytes(event_from_bytes(changed)), changed) << json; });
        EXPECT_TRUE(thrown.message == "nothing was thrown" || thrown.code == Code::kCorrupt) << json << i;
      }
    }
  }
}

// A decision with a due time, as the program wrote it into its journal when version 2 was the last.
TEST(Codec, ReadsVersion2) {
  const std::string hex =
      "0200000000000000000005000000000000006f726465720102010000000000000001000000000000007801000000000000f03f01"
      "a470ede5b9beda41010000000065cded41";
  std::string bytes;
  for (std::size_t i = 0; i < hex.size(); i += 2)
    bytes.push_back(static_cast<char>(std::stoi(hex.substr(i, 2), nullptr, 16)));
  const Event event = event_from_bytes(bytes);
  const auto& play = std::get<Play>(event);
  EXPECT_EQ(play.key, "order");
  EXPECT_EQ(play.times.due, 4e9);
  EXPECT_FALSE(play.choosing);
  EXPECT_EQ(event_bytes(event), bytes);
}

// The value of a loss, as docs/store_format.md has it.
TEST(Codec, WritesVersion5) {
  const std::string bytes(
      "\x05\x05"
      "\x07\0\0\0\0\0\0\0"
      "\0\0\0\0\0\0\0\0"
      "\0\0\0\0\0\0\xd0\x3f",
      26);
  EXPECT_EQ(event_bytes(LossValue{7, 0.25}), bytes);
  EXPECT_EQ(event_from_bytes(bytes), Event(LossValue{7, 0.25}));
  const std::string two = event_bytes(LossValue{7, 0.25, 0.5});
  EXPECT_EQ(two[0], 6);
  EXPECT_EQ(two.size(), bytes.size() + 8);
  EXPECT_EQ(event_from_bytes(two), Event(LossValue{7, 0.25, 0.5}));
  EXPECT_EQ(event_json(LossValue{7, 0.25, 0.5}), R"({"loss_of": 7, "loss": [0.25, 0.5]})");
}

TEST(Codec, SaysWhatIsWrongWithBytes) {
  EXPECT_ERROR(event_from_bytes("\x07"), Code::kCorrupt, "event: version 7 is not one this program reads");
  EXPECT_ERROR(event_from_bytes("\x01\x05"), Code::kCorrupt, "event: no such kind");  // it came with version 5
  EXPECT_ERROR(event_from_bytes("\x05\x06"), Code::kCorrupt, "event: no such kind");
  EXPECT_ERROR(event_from_bytes(std::string("\x01\x03", 2) + std::string(16, '\0')), Code::kCorrupt,
               "event: a round must have a number or a key");
  for (const char version : {'\x02', '\x03', '\x04', '\x05'}) {
    std::string bytes = event_bytes(Void{9});
    bytes[0] = version;
    EXPECT_ERROR(event_from_bytes(bytes), Code::kCorrupt,
                 fmt::format("event: an earlier version than {} says this", int{version}));
  }
  EXPECT_ERROR(event_from_bytes(event_bytes(Expire{kLastRound + 1})), Code::kCorrupt,
               "event: a round must be at most 2^53");
  EXPECT_ERROR(event_from_bytes(event_bytes(Play{.round = ~Round{0}})), Code::kCorrupt,
               "event: a round must be at most 2^53");
  EXPECT_ERROR(event_from_bytes(event_bytes(Void{std::string(1025, 'x')})), Code::kCorrupt,
               "event: a key must have at most 1024 bytes");
  EXPECT_ERROR(event_from_bytes(event_bytes(Play{.key = std::string(1025, 'x')})), Code::kCorrupt,
               "event: a key must have at most 1024 bytes");
}

TEST(Codec, OneEventHasOneTextHoweverItWasWritten) {
  const auto canonical = [](const std::string& json) { return event_json(read(json)); };
  EXPECT_EQ(canonical(R"({"features": {"b": ["y", "x", "y"], "a": 1.0}, "key": "k", "play": 1})"),
            R"({"play": 1, "key": "k", "features": {"a": 1, "b": ["x", "y"]}})");
  EXPECT_EQ(canonical(R"({"values": [2, 1], "indices": [4, 0], "receive": 3})"),
            R"({"receive": 3, "indices": [0, 4], "values": [1, 2]})");
  EXPECT_EQ(canonical(R"({"play": 1, "features": {"values": [2, 1], "indices": [4, 0]}})"),
            R"({"play": 1, "features": {"indices": [0, 4], "values": [1, 2]}})");
}

TEST(Codec, APlayWithoutANumberTakesTheNext) {
  EXPECT_EQ(event_json(Play{.key = "a"}, 12), R"({"play": 12, "key": "a"})");
  EXPECT_EQ(event_json(Play{.round = 3}, 12), R"({"play": 3})");
  EXPECT_EQ(event_json(Play{.key = "a"}), R"({"play": true, "key": "a"})");
  EXPECT_EQ(event_json(read(R"({"play": true})")), R"({"play": true})");
}

TEST(Codec, SaysWhatIsWrongWithJson) {
  const auto refused = [](const std::string& json) {
    const Thrown thrown = thrown_by([&] { read(json); });
    EXPECT_TRUE(thrown.code == Code::kBadInput || thrown.code == Code::kBadSpec) << json;
    EXPECT_LT(thrown.message.size(), 300u) << "a message is one short line";
    EXPECT_EQ(thrown.message.find('\n'), std::string::npos);
    return thrown.message;
  };
  EXPECT_EQ(refused("{}"), R"(an event must have "play", "label", "receive", "loss_of", "expire" or "void" ({} came))");
  EXPECT_EQ(refused(R"({"play": 1, "label": 1, "value": 2})"),
            R"(an event must be one thing ("play" and "label" came))");
  EXPECT_EQ(refused(R"({"expire": 1, "void": 1})"), R"(an event must be one thing ("expire" and "void" came))");
  EXPECT_EQ(
      refused(R"({"play": 1, "colour": 2})"),
      R"(event: unknown key "colour" (known keys: play, key, features, now, due, context, actions, exclude, shown))");
  EXPECT_EQ(refused(R"({"expire": 1, "value": 2})"), R"(event: unknown key "value" (known keys: expire))");
  EXPECT_EQ(refused(R"({"play": 1, "key": ""})"), "key must have 1 to 1024 bytes (0 came)");
  EXPECT_EQ(refused(R"({"expire": ""})"), "key must have 1 to 1024 bytes (0 came)");
  EXPECT_EQ(refused(R"({"label": ")" + std::string(1025, 'x') + R"(", "value": 1})"),
            "key must have 1 to 1024 bytes (1025 came)");
  EXPECT_EQ(refused(R"({"play": 1, "key": 3})"), "event: key must be a text (key = 3)");
  EXPECT_EQ(refused(R"({"play": 1, "features": {")" + std::string(1'000'000, 'x') + R"(": 1}})"),
            "features: a name must be at most 1024 bytes long (" + std::string(40, 'x') + "... has 1000000)");
  EXPECT_EQ(refused(R"({"play": 1, "features": {"": 1}})"), "features: a name must not be empty");
  EXPECT_EQ(refused(R"({"play": 1, "features": {"a": {"b": 1}}})"),
            "features.a must be a number, text, true, false, null or a list of texts (an object came)");
  EXPECT_EQ(refused(R"({"play": 1, "features": {"a": [1, 2]}})"),
            "features.a must be a number, text, true, false, null or a list of texts (a list of numbers came)");
  EXPECT_EQ(refused(R"({"play": 1, "features": {"a": 1e200}})"),
            "features.a must be finite and at most 1e100 in size (1e+200 came)");
  EXPECT_EQ(refused(R"({"play": 1, "features": "x"})"),
            R"(event: features must be an array of numbers (features = "x"))");
  EXPECT_EQ(refused(R"({"label": 1})"),
            "event: value is missing (wanted a number, true, false or the name of a class)");
  EXPECT_EQ(refused(R"({"label": 1, "value": null})"),
            "event: value must be a number, true, false or the name of a class (value = null)");
  EXPECT_EQ(refused(R"({"label": 1, "value": [1]})"),
            "event: value must be a number, true, false or the name of a class (value = [1])");
  EXPECT_EQ(refused(R"({"play": false})"),
            "event: play must be a whole number from 1 to 9007199254740992 (play = false)");
  EXPECT_EQ(refused(R"({"play": 1.5})"), "event: play must be a whole number from 1 to 9007199254740992 (play = 1.5)");
  EXPECT_EQ(refused(R"({"void": 0})"), "event: void must be a whole number from 1 to 9007199254740992 (void = 0)");
}

TEST(Codec, NumbersThatAreNoneAreNotJson) {
  for (const char* number : {"NaN", "Infinity", "-Infinity", "1e999"})
    EXPECT_EQ(thrown_by([&] { read(std::string(R"({"label": 1, "value": )") + number + "}"); }).code, Code::kBadInput)
        << number;
}

}  // namespace
}  // namespace tarry
