#include "tarry/model/label_reader.h"

#include <gtest/gtest.h>

#include <limits>

#include "tarry/losses/registry.h"
#include "tarry/spec/json.h"
#include "unit/expect_error.h"

namespace tarry {
namespace {

AnyLoss loss(const std::string& json) {
  const spec::Value value = spec::parse_json(json);
  return make_loss(spec::Node(value, "loss"));
}
const AnyLoss kSquared = loss(R"({"type": "squared"})");
const AnyLoss kLogistic = loss(R"({"type": "logistic"})");
const AnyLoss kSoftmax = loss(R"({"type": "softmax", "classes": 3})");

LabelValue name(const char* text) { return std::string(text); }

TEST(LabelReader, WithoutNamesTakesNumbersTrueAndFalse) {
  const LabelReader reader;
  EXPECT_FALSE(reader.names_classes());
  EXPECT_EQ(reader.read(2.5, kSquared), 2.5);
  EXPECT_EQ(reader.read(true, kSquared), 1);
  EXPECT_EQ(reader.read(false, kSquared), 0);
  EXPECT_EQ(reader.read(true, kLogistic), reader.read(1, kLogistic));
  EXPECT_EQ(reader.read(false, kLogistic), reader.read(0, kLogistic));
  EXPECT_NE(reader.read(true, kLogistic), reader.read(false, kLogistic));
  EXPECT_ERROR(reader.read(name("late"), kSquared), Code::kBadInput,
               "label must be a number, true or false (late came)");
  for (const double x : {std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity()})
    for (const AnyLoss* each : {&kSquared, &kLogistic, &kSoftmax})
      EXPECT_EQ(thrown_by([&] { reader.read(x, *each); }).code, Code::kBadInput);
}

TEST(LabelReader, WordsMeanTheSameInAnySpelling) {
  const LabelReader reader, classes({}, 9);
  for (const char* yes : {"yes", "Yes", "Y", "true", "TRUE", "t", " pos ", "positive", "1", "1.0"})
    EXPECT_EQ(reader.read(name(yes), kLogistic), 1) << yes;
  for (const char* no : {"no", "NO", "n", "false", "F", "neg", "negative", "0", "-1"})
    EXPECT_EQ(reader.read(name(no), kLogistic), -1) << no;
  EXPECT_EQ(reader.read(name("2.5"), kSquared), 2.5);
  for (const char* none : {"", "yess", "1 apple", "nan", "inf"})
    EXPECT_EQ(thrown_by([&] { reader.read(name(none), kLogistic); }).code, Code::kBadInput) << none;
  EXPECT_EQ(reader.plain(name("Y")), LabelValue(true));
  EXPECT_EQ(classes.plain(name("Y")), LabelValue(std::string("Y")));  // a class of its own
}

TEST(LabelReader, NewNamesBecomeClassesAsTheyCome) {
  LabelReader reader({"late"}, 3);
  EXPECT_EQ(reader.read(name("late"), kSoftmax), 0);
  EXPECT_EQ(reader.read(name("on time"), kSoftmax), 1);
  EXPECT_EQ(reader.read(name("cancelled"), kSoftmax), 1) << "reading alone counts nothing";
  EXPECT_EQ(reader.names().size(), 1u);
  reader.add(name("on time"));
  reader.add(name("on time"));
  EXPECT_EQ(reader.read(name("cancelled"), kSoftmax), 2);
  reader.add(name("cancelled"));
  EXPECT_EQ(reader.names(), (std::vector<std::string>{"late", "on time", "cancelled"}));
  EXPECT_EQ(reader.read(name("on time"), kSoftmax), 1);
  EXPECT_ERROR(reader.read(name("diverted"), kSoftmax), Code::kBadInput,
               "label must be one of 3 classes: late, on time, cancelled (diverted came)");
}

TEST(LabelReader, NumbersAndFlagsAreNamesToo) {
  LabelReader reader({}, 3);
  reader.add(3);
  reader.add(true);
  reader.add(0.5);
  EXPECT_EQ(reader.names(), (std::vector<std::string>{"3", "true", "0.5"}));
  EXPECT_EQ(reader.read(name("3"), kSoftmax), 0);
  EXPECT_EQ(reader.read(true, kSoftmax), 1);
}

TEST(LabelReader, RefusesWhatCannotBeAName) {
  const LabelReader reader({}, 3);
  EXPECT_ERROR(reader.read(name(""), kSoftmax), Code::kBadInput,
               "label must be the name of a class, of 1 to 1024 bytes (0 came)");
  EXPECT_ERROR(reader.read(std::string(1025, 'x'), kSoftmax), Code::kBadInput,
               "label must be the name of a class, of 1 to 1024 bytes (1025 came)");
  EXPECT_EQ(thrown_by([&] { reader.read(std::numeric_limits<double>::quiet_NaN(), kSoftmax); }).code, Code::kBadInput);
  EXPECT_EQ(thrown_by([&] { reader.read(std::numeric_limits<double>::infinity(), kSoftmax); }).code, Code::kBadInput);
}

TEST(LabelReader, IsTheSameAfterSaveAndLoad) {
  LabelReader reader({"b"}, 3), copy({"b"}, 3);
  reader.add(name("a"));
  ByteWriter out;
  reader.save(out);
  ByteReader in(out.bytes());
  copy.load(in);
  in.expect_end();
  EXPECT_EQ(copy.names(), reader.names());
  EXPECT_EQ(copy.read(name("a"), kSoftmax), 1);
}

TEST(LabelReader, RefusesNamesThatCannotHaveBeenSaved) {
  const auto refused = [](const std::vector<std::string>& names, LabelReader reader) {
    ByteWriter out;
    out.u64(names.size());
    for (const std::string& each : names) out.text(each);
    ByteReader in(out.bytes());
    return thrown_by([&] { reader.load(in); }).code;
  };
  EXPECT_EQ(refused({"a", "a"}, LabelReader({}, 3)), Code::kCorrupt);
  EXPECT_EQ(refused({"a", "b", "c", "d"}, LabelReader({}, 3)), Code::kCorrupt);
  EXPECT_EQ(refused({"a"}, LabelReader()), Code::kCorrupt);
  EXPECT_EQ(refused({""}, LabelReader({}, 3)), Code::kCorrupt);
  EXPECT_EQ(refused({std::string(1025, 'x')}, LabelReader({}, 3)), Code::kCorrupt);
}

}  // namespace
}  // namespace tarry
