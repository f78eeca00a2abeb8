// Tables as strangers have them: what is found by cells rather than by names.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>

#include "tarry/data/infer/look_at_table.h"
#include "unit/data/memory_text.h"
#include "unit/expect_error.h"

namespace tarry::data {
namespace {

using Names = std::vector<std::string>;

LateLabels look(const std::string& text, LateLabelsKeys keys = {}) {
  keys.usual = {"squared", "logistic", "softmax"};
  return look_at_table(
      "f.csv", [text] { return text_lines("f.csv", text); }, keys, std::nullopt);
}

Dataset read(const std::string& text, const LateLabelsKeys& keys = {}) {
  LateLabels found = look(text, keys);
  throw_if_questions("f.csv", found);
  TextLines lines = text_lines("f.csv", text);
  return read_csv(lines, found.options);
}

// Thirty rows; {i} is the row, {d} a day of January, {e} one of February.
std::string table(const std::string& header, const std::string& row, int rows = 28) {
  std::string text = header + "\n";
  for (int i = 1; i <= rows; ++i)
    text += fmt::format(fmt::runtime(row), fmt::arg("i", i), fmt::arg("d", fmt::format("{:02}", i)),
                        fmt::arg("yes", i % 3 == 0 ? "yes" : "no"), fmt::arg("c", i % 2 == 0 ? "a" : "b"),
                        fmt::arg("c2", i % 2), fmt::arg("i2", i % 5), fmt::arg("u", i % 2 == 0 ? "kg" : "g")) +
            "\n";
  return text;
}

Names asked(const LateLabels& found) {
  Names keys;
  for (const Question& question : found.reading.questions) keys.push_back(question.key);
  return keys;
}

TEST(Strangers, AnAmountIsNoTime) {
  const LateLabels found = look(table("invoice_date,paid_on,amount,c,late", "2024-01-{d},2024-02-{d},{i}.5,{c},{yes}"));
  EXPECT_EQ(found.options.event_time, "invoice_date");
  EXPECT_EQ(found.options.feedback_time, "paid_on");
  EXPECT_EQ(found.options.features, Names{"amount"});
}

TEST(Strangers, OrderDecidesWhereNamesDoNot) {
  const LateLabels found = look(table("then,later,c,flag", "2024-02-{d} 10:00,2024-01-{d} 10:00,{c},{yes}"));
  EXPECT_EQ(found.options.event_time, "later");  // which is before
  EXPECT_EQ(found.options.feedback_time, "then");
}

TEST(Strangers, ADayEndsAtItsEnd) {
  const std::string text = table("asked_at,known_on,x,late", "2024-01-{d}T10:00+02:00,2024-01-{d},{i},{yes}");
  EXPECT_TRUE(look(text).options.end_of_day);
  const Dataset data = read(text);
  EXPECT_EQ(data.feedback_time[0] - data.event_time[0], 14 * 3600 - 1);  // in the zone of the event
}

TEST(Strangers, OneBadNumberIsNamedAndMissing) {
  std::string text = table("asked_at,known_at,age,late", "2024-01-{d},2024-02-{d},{i},{yes}");
  text.replace(text.find(",17,"), 4, ",4O,");
  const LateLabels found = look(text);
  EXPECT_EQ(found.options.features, Names{"age"});
  ASSERT_EQ(found.reading.bad_cells.size(), 1u);
  EXPECT_EQ(found.reading.bad_cells[0].cell.line, 18u);
  EXPECT_EQ(found.read_as[2], "age: line 18 has \"4O\", which is not a number: it counts as missing");
  EXPECT_EQ(read(text).features(16).indices().size(), 1u);  // the intercept
  for (const char* few : {",3,", ",5,", ",7,", ",9,"}) text.replace(text.find(few), 3, ",x,");
  EXPECT_EQ(look(text).options.categorical, Names{"age"});  // many bad cells: words
}

TEST(Strangers, MoneyAndUnitsAreNumbers) {
  const LateLabels found =
      look(table("asked_at;known_at;price;share;load;late", "2024-01-{d};2024-02-{d};{i}.250,50 €;{i},5;{i} kg;{yes}"));
  EXPECT_EQ(found.options.features, (Names{"price", "share", "load"}));
  EXPECT_EQ(found.read_as[2],
            "price: money, in €, with a decimal comma; share: numbers, with a decimal comma; load: numbers, in kg");
  EXPECT_EQ(
      read(table("asked_at;known_at;price;late", "2024-01-{d};2024-02-{d};{i}.250,50 €;{yes}")).features(1).values()[0],
      2250.5);
}

TEST(Strangers, WhatIsNoNumberAfterAllIsSaid) {
  const LateLabels found =
      look(table("asked_at,known_at,zip,load,late", "2024-01-{d} 9:00,2024-02-{d} 9:00,0{c2}123,{i2} {u},{yes}"));
  EXPECT_EQ(found.options.categorical, (Names{"zip", "load"}));
  EXPECT_EQ(found.read_as[2], "zip: codes, since some begin with 0");
  EXPECT_EQ(found.read_as[3], "load is taken for words, since it has several units: g, kg");
}

TEST(Strangers, ALabelWithoutATimeIsAskedFor) {
  const std::string text = table("signup_date,x,churned", "2024-01-{d},{i},{yes}");
  EXPECT_EQ(asked(look(text)), Names{"feedback"});
  const Dataset later = read(text, {.feedback = "3 days"});
  EXPECT_EQ(later.feedback_time[0] - later.event_time[0], 3 * 86400);
  const Dataset at_once = read(table("kind,churned", "{c},{yes}"), {.feedback = "none"});
  EXPECT_EQ(at_once.feedback_time, at_once.event_time);
  EXPECT_ERROR(
      read(table("kind,churned", "{c},{yes}"), {.feedback = "3 days"}), Code::kBadInput,
      "f.csv: it is not clear when the features were known (event_time). Paste one line into [stream] of the file "
      "that tarry init --csv writes, or add --override stream.event_time='…' (columns: kind, churned):\n  event_time = "
      "\"…\"  # no column looks like it");
}

TEST(Strangers, AWordThatNeverHasATimeIsWhatIsLeft) {
  std::string text = "issued_at,paid_at,x,status\n";
  for (int i = 1; i <= 20; ++i)
    text += fmt::format("2024-01-{0:02},{1},{0},{2}\n", i, i % 4 == 0 ? "" : fmt::format("2024-02-{:02}", i),
                        i % 4 == 0 ? "unpaid" : "paid");
  const LateLabels found = look(text);
  EXPECT_EQ(asked(found), Names{"expiry"});
  EXPECT_EQ(found.reading.questions[0].lines, Names{"expiry = { days = 30, label = \"unpaid\" }"});
  const Dataset data = read(text, {.expiry = DefaultLabel{30 * 86400, "unpaid"}});
  EXPECT_EQ(data.labels[3], -1);
  EXPECT_EQ(data.feedback_time[3] - data.event_time[3], 30 * 86400);
  EXPECT_EQ(data.labels[0], 1);
}

TEST(Strangers, ATimeThatIsGivenOrNotMayBeTheLabel) {
  std::string text = "ordered_at,returned_at,article,price\n";
  for (int i = 1; i <= 20; ++i)
    text += fmt::format("2024-01-{0:02},{1},{2},{0}.5\n", i, i % 4 != 0 ? "" : fmt::format("2024-02-{:02}", i),
                        i % 3 == 0 ? "shoes" : "book");
  EXPECT_EQ(look(text).reading.questions[0].lines[0], "label = \"returned_at\"  # whether it is given");
  const Dataset data = read(text, {.label = "returned_at", .expiry = DefaultLabel{30 * 86400, "no"}});
  EXPECT_EQ(data.labels[3], 1);
  EXPECT_EQ(data.labels[0], -1);
}

TEST(Strangers, TextSetsAndDatesAreFeatures) {
  const std::string text =
      table("asked_at,known_at,note,tags,member_since,late",
            "2024-01-{d} 10:00,2024-02-{d} 10:00,Parcel number {i} was broken,{c}|x,2023-05-{d},{yes}");
  const LateLabels found = look(text);
  EXPECT_EQ(found.options.texts, Names{"note"});
  ASSERT_EQ(found.options.sets.size(), 1u);
  EXPECT_EQ(found.options.sets[0].name, "tags");
  ASSERT_EQ(found.options.date_features.size(), 1u);
  LateLabels named = found;
  named.options.names = true;
  TextLines lines = text_lines("f.csv", text);
  const Dataset data = read_csv(lines, named.options);
  NamedFeatures row;
  data.named.write(0, row);
  EXPECT_EQ(spec::to_json(to_value(row)),
            R"({"member_since.days": 245.41666666666666, "member_since.month": "5", "member_since.weekday": "Mon", )"
            R"("note": ["1", "broken", "number", "parcel", "was"], "tags": ["b", "x"]})");
}

TEST(Strangers, WhatIsGivenOnlyWithTheLabelIsNoFeature) {
  std::string text = "opened_at,resolved_at,x,code,outcome\n";
  for (int i = 1; i <= 20; ++i)
    text += fmt::format("2024-01-{0:02},{1},{0},{2},{3}\n", i, i % 4 == 0 ? "" : fmt::format("2024-02-{:02}", i),
                        i % 4 == 0 ? "" : "c",
                        i % 4 == 0   ? ""
                        : i % 3 == 0 ? "yes"
                                     : "no");
  const LateLabels found = look(text);
  EXPECT_EQ(found.options.features, Names{"x"});
  EXPECT_TRUE(found.options.categorical.empty());
}

TEST(Strangers, JsonLinesAndTitlesAreTables) {
  std::string json;
  for (int i = 1; i <= 20; ++i)
    json += fmt::format(
        "{{\"asked_at\": \"2024-01-{0:02}\", \"known_at\": \"2024-02-{0:02}\", \"who\": {{\"age\": {0}}}, "
        "\"late\": {1}}}\n",
        i, i % 3 == 0 ? "true" : "false");
  const LateLabels found = look(json);
  EXPECT_EQ(found.options.features, Names{"who.age"});
  EXPECT_EQ(read(json).rows(), 20u);
  const std::string titled =
      "Report of March\n\n" + table("asked_at,known_at,x,late", "2024-01-{d},2024-02-{d},{i},{yes}");
  EXPECT_EQ(look(titled).reading.header_line, 3u);
  EXPECT_EQ(read(titled).rows(), 28u);
}

TEST(Strangers, ClocksThatGoBackAreTold) {
  std::string text = "start_time,end_time,x,late\n";
  for (int i = 0; i < 20; ++i)
    text += fmt::format("2024-10-27 02:{:02},2024-10-27 {},{},{}\n", 10 + i, i == 7 ? "02:05" : "05:00", i, i % 2);
  const Dataset data = read(text);
  ASSERT_EQ(data.told.size(), 1u);
  EXPECT_EQ(data.told[0],
            "clocks go back on 2024-10-27, and times have no zone: 1 row would have a label before being seen, which "
            "counts as "
            "known at once");
}

TEST(Strangers, ClocksThatGoForwardAreTold) {
  const auto told = [](const char* third) {
    std::string text = "start_time,end_time,x,late\n";
    for (const char* hour : {"00", "01", third, "04"})
      for (int i = 0; i < 5; ++i)
        text += fmt::format("2024-03-31 {}:{:02},2024-03-31 09:00,{},{}\n", hour, 10 + i, i, i % 2);
    return read(text).told;
  };
  EXPECT_EQ(told("03"),
            (Names{"clocks seem to go forward on 2024-03-31, and times have no zone: waits across that night "
                   "are an hour too long"}));
  EXPECT_EQ(told("02"), Names{});
}

TEST(Strangers, LabelsBeforeTheirRowsShowWhichOfDayAndMonthComesFirst) {
  std::string text = "created,closed,x,late\n";
  for (int month = 1; month <= 6; ++month)
    for (int day = 1; day <= 12; day += 3)
      text +=
          fmt::format("{0:02}/{1:02}/2024,{3:02}/{4:02}/2024,{0},{2}\n", day, month, day % 2, day % 3 + 1, month + 1);
  EXPECT_EQ(look(text).options.dates, DateOrder::kDayFirst);
}

}  // namespace
}  // namespace tarry::data
