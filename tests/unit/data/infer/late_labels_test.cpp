#include "tarry/data/infer/late_labels.h"

#include <fmt/format.h>

#include <cmath>
#include <ctime>

#include "tarry/data/formats/feature_hash.h"
#include "tarry/lab/streams/stream.h"
#include "tarry/spec/json.h"
#include "unit/data/files.h"
#include "unit/data/gzip.h"
#include "unit/data/memory_text.h"
#include "unit/expect_error.h"

namespace tarry::data {
namespace {

using Names = std::vector<std::string>;

LateLabels infer(const std::string& text, LateLabelsKeys keys = {}) {
  keys.usual = {"squared", "logistic", "softmax"};
  TextLines lines = text_lines("f.csv", text);
  return infer_late_labels("f.csv", profile_csv(lines, ','), keys);
}

// Three rows whose last column is the label.
std::string with_labels(const std::string& a, const std::string& b, const std::string& c) {
  return "t_event,t_feedback,km,result_words\n1,5,2.5," + a + "\n2,4,1," + b + "\n3,9,7," + c + "\n";
}

TEST(LateLabels, FindsTheTimes) {
  const auto times = [](const std::string& header) {
    const LateLabels found = infer(header + "\n1,1,3,1\n2,2,5,2\n3,3,8,3\n");
    return found.options.event_time + " " + found.options.feedback_time;
  };
  EXPECT_EQ(times("x,event_time,feedback_time,label"), "event_time feedback_time");
  EXPECT_EQ(times("x,asked,known,minutes"), "asked known");
  EXPECT_EQ(times("x,pickup_datetime,dropoff_datetime,fare"), "pickup_datetime dropoff_datetime");
  EXPECT_EQ(times("DepTime,t_depart_min,t_feedback_min,delay"), "t_depart_min t_feedback_min");
  EXPECT_EQ(times("x,timestamp,feedback_time,y"), "timestamp feedback_time");  // the only other time
  EXPECT_EQ(times("x,event_time,date,y"), "event_time date");
  EXPECT_EQ(times("x,pickup_s,dropoff_s,fare"), "pickup_s dropoff_s");
  EXPECT_EQ(times("x,submit_utc_ms,outcome_utc_ms,y"), "submit_utc_ms outcome_utc_ms");
  EXPECT_EQ(times("duration_s,opened_min,resolved_min,y"), "opened_min resolved_min");
}

TEST(LateLabels, AsksWhereTheTimesAreNotClear) {
  const std::string rows = "\n1,1,3,1\n2,2,5,2\n3,3,8,3\n";
  EXPECT_ERROR(infer("a,b,c,y\n3,1,3,1\n2,2,1,2\n3,1,8,3\n"), Code::kBadInput,
               "f.csv: it is not clear when the label was known, since no column looks like a time (event_time and "
               "feedback_time name columns, feedback says it for all rows). Paste one line into [stream] of the file "
               "that tarry init --csv writes, or add --override stream.feedback='none' (columns: a, "
               "b, c, y):\n  feedback = \"none\"  # known at once; rows in the order of the file");
  EXPECT_ERROR(
      infer("a,b,answered_at,y" + rows), Code::kBadInput,
      "f.csv: it is not clear when the features were known (event_time). Paste one line into [stream] of the file that "
      "tarry init --csv writes, or add "
      "--override stream.event_time='a' (columns: a, b, answered_at, y):\n  event_time = \"a\"\n  event_time = "
      "\"b\"");
  EXPECT_ERROR(
      infer("created_at,opened_at,closed_at,y" + rows), Code::kBadInput,
      "f.csv: it is not clear when the features were known (event_time). Paste one line into [stream] of the file that "
      "tarry init --csv writes, or add "
      "--override stream.event_time='created_at' (columns: created_at, opened_at, closed_at, y):\n  event_time = "
      "\"created_at\"\n  event_time = \"opened_at\"");
  EXPECT_EQ(infer("created_at,opened_at,closed_at,y" + rows, {.event_time = "opened_at"}).options.event_time,
            "opened_at");
  EXPECT_ERROR(infer("a,event_time,c,y" + rows, {.feedback_time = "d"}), Code::kBadInput,
               "f.csv: no column \"d\" (columns: a, event_time, c, y)");
  EXPECT_ERROR(infer("x,y,event_time,feedback_time\n1,1,2024-01-01,5\n2,2,2024-01-02,6\n3,3,2024-01-03,7\n"),
               Code::kBadInput, "f.csv: event_time and feedback_time must both be numbers, or both be dates");
  EXPECT_ERROR(infer("x,y,event_time\n1,1,soon\n", {.event_time = "event_time", .feedback_time = "x"}), Code::kBadInput,
               "f.csv: event_time must be numbers, or dates and times as in 2024-03-01T12:30, in every row");
}

TEST(LateLabels, DueTimesAreNamedAndNeverGuessed) {
  const std::string text = "created_at,closed_at,x,y,due\n1,2,5,0,9\n2,5,6,1,7\n3,9,7,0,\n";
  const LateLabels guessed = infer(text, {.label = "y"});
  EXPECT_EQ(guessed.options.due, "");
  EXPECT_EQ(guessed.read_as[0].find("due"), std::string::npos);
  const LateLabels said = infer(text, {.due = "due"});  // the label is the last of the others
  EXPECT_EQ(said.options.due, "due");
  EXPECT_EQ(said.options.label, "y");
  EXPECT_EQ(said.options.features, Names{"x"});
  EXPECT_EQ(said.read_as[0], "event time created_at, feedback time closed_at, due due; label y; loss logistic");
  // A column that would be a time of the row, were it not said to be the due time.
  EXPECT_EQ(infer("created_at,resolved_at,closed_at,x,y\n1,2,5,4,0\n2,5,6,3,1\n3,9,7,1,0\n", {.due = "resolved_at"})
                .options.feedback_time,
            "closed_at");
  EXPECT_ERROR(infer(text, {.due = "dew"}), Code::kBadInput,
               "f.csv: no column \"dew\" (columns: created_at, closed_at, x, y, due)");
  EXPECT_ERROR(infer(text, {.feedback_time = "closed_at", .due = "closed_at"}), Code::kBadInput,
               "f.csv: due must be a column of its own (closed_at is feedback_time)");
  EXPECT_ERROR(infer(text, {.label = "due", .due = "due"}), Code::kBadInput,
               "f.csv: label must be a column of its own (due is a time, or ignored)");
}

TEST(LateLabels, AFlagIsNoTime) {  // `closed` is 0 or 1
  const std::string rows = "\n1,2,1,0\n2,3,1,1\n3,9,0,1\n";
  const LateLabels found = infer("created_at,answered_at,x,closed" + rows);
  EXPECT_EQ(found.options.feedback_time, "answered_at");
  EXPECT_EQ(found.options.label, "closed");
}

TEST(LateLabels, FindsTheLabelAndItsLoss) {
  EXPECT_EQ(infer("y,event_time,feedback_time,x\n0,1,2,3\n1,2,3,4\n1,3,4,5\n").options.label, "y");
  EXPECT_ERROR(
      infer("y,event_time,feedback_time,target\n0,1,2,3\n1,2,3,4\n1,3,4,5\n"), Code::kBadInput,
      "f.csv: it is not clear what to predict (label). Paste one line into [stream] of the file that tarry init --csv "
      "writes, or add --override "
      "stream.label='y' (columns: y, event_time, feedback_time, target):\n  label = \"y\"\n  label = \"target\"");
  EXPECT_EQ(infer(with_labels("0", "1", "1")).options.label, "result_words");  // the last
  EXPECT_EQ(infer(with_labels("0", "1", "1")).loss, "logistic");
  EXPECT_EQ(infer(with_labels("-1", "1.0", "1")).loss, "logistic");
  EXPECT_EQ(infer(with_labels("0", "1", "0.5")).loss, "squared");
  EXPECT_EQ(infer(with_labels("1", "2", "1")).loss, "squared");
  EXPECT_EQ(infer(with_labels("0", "1", "-1")).loss, "squared");
  EXPECT_EQ(infer(with_labels("1", "2", "1"), {.loss = "absolute"}).loss, "absolute");
}

TEST(LateLabels, OneOfTwoWordsIsPositive) {
  EXPECT_EQ(infer(with_labels("yes", "no", "yes")).options.positive, "yes");
  EXPECT_EQ(infer(with_labels("TRUE", "False", "TRUE")).options.positive, "TRUE");
  EXPECT_EQ(infer(with_labels("spam", "ham", "ham")).options.positive, "spam");  // the later by alphabet
  EXPECT_EQ(infer(with_labels("spam", "ham", "ham"), {.positive = "ham"}).options.positive, "ham");
  const LateLabels colours = infer(with_labels("red", "green", "blue"));
  EXPECT_EQ(colours.loss, "softmax");
  EXPECT_EQ(colours.options.classes, (Names{"blue", "green", "red"}));
  EXPECT_ERROR(infer(with_labels("red", "red", "red")), Code::kBadInput,
               "f.csv: result_words has one word only (red…): predictions are of 2 to 100 classes, or of numbers; "
               "positive = \"red\" makes it that word against all others, label = \"…\" names another column");
  EXPECT_EQ(infer(with_labels("red", "green", "blue"), {.positive = "green"}).loss, "logistic");
}

TEST(LateLabels, SortsColumnsIntoNumbersAndWords) {
  const LateLabels found = infer(
      ",event_time,feedback_time,id,km,day,seen,note,zip,place,y\n"
      "0,1,2,a1,2.5,2024-01-01,,,1000,north,1\n"
      "1,2,3,b7,NA,2024-01-02,,,1001,south,2\n"
      "2,3,4,c2,,2024-01-03,,nan,1000,north,3\n",
      {.categorical = {"zip"}, .ignore = {"seen"}});
  EXPECT_EQ(found.options.features, (Names{"km"}));
  EXPECT_EQ(found.options.categorical, (Names{"zip", "place"}));
  EXPECT_EQ(found.read_as,
            (Names{"event time event_time, feedback time feedback_time; label y; loss squared",
                   "numbers: km; words: zip, place; ignored: \"\" (no name), id (no word comes twice), day (a date), "
                   "seen (as asked), note (empty)"}));
  EXPECT_ERROR(infer("event_time,feedback_time,id,y\n1,2,a,1\n2,3,b,2\n3,4,c,5\n"), Code::kBadInput,
               "f.csv: no column is left to predict from; ignored: id (no word comes twice)");
  EXPECT_ERROR(infer(with_labels("1", "2", "3"), {.ignore = {"x"}}), Code::kBadInput,
               "f.csv: no column \"x\" (columns: t_event, t_feedback, km, result_words)");
}

// Rows of times like "01/02/2024".
LateLabels infer_dates(const std::string& a, const std::string& b, const std::string& said = "") {
  const std::string text = "created,closed,x,y\n" + a + " 10:00," + a + " 11:00,1,2\n" + b + " 10:00," + b +
                           " 12:00,2,1\n03/03/2024 1:00 PM,04/04/2024,3,3\n";
  return infer(text, {.dates = said});
}

TEST(LateLabels, FindsTheOrderOfDaysAndMonths) {
  EXPECT_EQ(infer_dates("01/02/2024", "13/02/2024").options.dates, DateOrder::kDayFirst);
  EXPECT_EQ(infer_dates("01/02/2024", "02/13/2024").options.dates, DateOrder::kMonthFirst);
  EXPECT_EQ(infer_dates("01/02/2024", "02/02/2024", "month/day/year").options.dates, DateOrder::kMonthFirst);
  EXPECT_ERROR(infer_dates("01/02/2024", "02/02/2024"), Code::kBadInput,
               "f.csv: it is not clear whether days or months come first in dates such as 01/02/2024 10:00. Paste one "
               "line into [stream] of the file that tarry init --csv writes, or add --override "
               "stream.dates='day/month/year' (columns: created, closed, x, y):\n"
               "  dates = \"day/month/year\"\n  dates = \"month/day/year\"");
  EXPECT_ERROR(
      infer_dates("13/02/2024", "02/13/2024"), Code::kBadInput,
      "f.csv: line 3: dates must be in one order (\"13/02/2024 10:00\" in line 2, \"02/13/2024 10:00\" in line "
      "3)");
}

TEST(LateLabels, TellsTheOneBadDate) {
  std::string text = "created,closed,x,y\n";
  for (int i = 0; i < 40; ++i)
    text += (i == 20 ? std::string("soon") : "2024-01-" + std::to_string(10 + i % 20)) + ",2024-03-01,1," +
            std::to_string(i) + "\n";
  EXPECT_ERROR(infer(text), Code::kBadInput,
               "f.csv: line 22: created must be a date and time as in 2024-03-01T12:30, as in the other rows (\"soon\" "
               "came)");
}

TEST(LateLabels, ADifferenceOfTimesMayBeTheLabel) {
  std::string text = "id,pickup_s,dropoff_s,trip_minutes,x\n";
  for (int i = 0; i < 20; ++i)
    text += fmt::format("{},{},{},{},{}\n", i, 1700000000 + 60 * i, 1700000000 + 60 * i + 600 + 37 * i,
                        (600 + 37 * i) / 60.0, i % 3);
  for (const char* label : {"dropoff - pickup", "dropoff_s − pickup_s", "dropoff_s-pickup_s"}) {
    const LateLabels found = infer(text, {.label = label});
    EXPECT_EQ(found.options.label, "dropoff_s");
    EXPECT_EQ(found.options.label_minus, "pickup_s");
    EXPECT_EQ(found.options.label_divide, 60);
    EXPECT_EQ(found.read_as[0],
              "event time pickup_s, feedback time dropoff_s; label dropoff_s − pickup_s, in minutes; loss squared");
    EXPECT_EQ(found.read_as[1],
              "numbers: x; words: none; ignored: id (an id), trip_minutes (it is dropoff_s − pickup_s)");
  }
  EXPECT_ERROR(
      infer(text, {.label = "dropoff - start"}), Code::kBadInput,
      "f.csv: label must be a column, or a difference of two times such as \"end − start\" (label = \"dropoff - "
      "start\"; columns: id, pickup_s, dropoff_s, trip_minutes, x)");
  EXPECT_EQ(infer(text, {.label = "x", .include = {"trip_minutes"}}).options.features, (Names{"trip_minutes"}));
}

TEST(LateLabels, IdsThatRepeatAreWords) {
  const LateLabels found = infer("vendor_id,event_time,feedback_time,km,y\n1,1,2,3,4\n2,2,3,4,5\n1,3,4,5,6\n");
  EXPECT_EQ(found.options.categorical, (Names{"vendor_id"}));
  EXPECT_EQ(found.options.features, (Names{"km"}));
}

// Cells are as many in both files: only a cost that grows with the square of the columns could tell them apart.
TEST(LateLabels, AWideFileCostsNoMoreThanALongOne) {
#ifdef TARRY_SANITIZED
  GTEST_SKIP() << "sanitizers have costs of their own";
#endif
  const auto seconds = [](int columns, int rows) {
    std::string text = "event_time,feedback_time";
    for (int i = 0; i < columns; ++i) text += ",feature_" + std::to_string(i);
    text += ",y\n";
    for (int row = 0; row < rows; ++row) {
      text += std::to_string(row) + "," + std::to_string(row + 2);
      for (int i = 0; i < columns; ++i) text += (i + row) % 7 == 0 ? ",1.5" : ",2";
      text += row % 2 == 0 ? ",1\n" : ",0\n";
    }
    double best = 1e9;
    for (int again = 0; again < 3; ++again) {
      const std::clock_t start = std::clock();
      const LateLabels found = infer(text);
      TextLines lines = text_lines("f.csv", text);
      EXPECT_EQ(read_csv(lines, found.options).rows(), static_cast<std::size_t>(rows));
      best = std::min(best, static_cast<double>(std::clock() - start));
    }
    return best;
  };
  EXPECT_LT(seconds(16000, 20), 8 * seconds(80, 4000));
}

lab::Stream stream_of(const std::string& path, const std::string& more = "") {
  const spec::Value value = spec::parse_json(R"({"type": "late_labels", "path": ")" + path + "\"" + more + "}");
  return lab::make_stream(spec::Node(value, "stream"), 0, 0);
}

constexpr const char* kTrips =
    "asked,known,km,district,late\n"
    "2024-01-01T09:00,2024-01-01T09:30,4.0,north,yes\n"
    "2024-01-01T08:00,2024-01-01T10:00,1.5,centre,no\n"
    "2024-01-01T10:00,,NA,centre,\n"
    "2024-01-01T11:00,2024-01-01T12:00,2.0,,no\n";

// What is only known later, and what names a row, are no features; it is said that they were left out.
TEST(LateLabels, LeavesOutWhatComesLaterAndIds) {
  const LateLabels found = infer(
      "case,opened_min,resolved_min,closed_min,km,moves_final,duration_min,y\n"
      "71,1,5,6,2.5,3,10,1\n72,2,4,9,1,2,20,0\n73,3,9,9.5,7,1,30,1\n",
      {.event_time = "opened_min", .feedback_time = "resolved_min"});
  EXPECT_EQ(found.options.features, (Names{"km", "duration_min"}));
  EXPECT_NE(found.read_as.back().find("ignored: case (an id), closed_min (known later than the features), moves_final "
                                      "(known later than the features)"),
            std::string::npos)
      << found.read_as.back();
}

TEST(LateLabels, BecomesAStream) {
  const TestFile file("trips.csv", kTrips);
  const lab::Stream stream = stream_of(file.path(), R"(, "hash_dimension": 8)");
  ASSERT_EQ(stream.rounds, 4u);
  EXPECT_EQ(stream.dimension, 1 + 8 + 1);
  EXPECT_EQ(stream.table()->loss_name, "logistic");
  const Dataset& data = *stream.table()->data;
  EXPECT_EQ(data.event_time[1] - data.event_time[0], 3600);  // sorted
  EXPECT_EQ(data.labels[0], -1);
  EXPECT_EQ(data.labels[1], 1);
  EXPECT_TRUE(std::isnan(data.labels[2]));  // never known
  EXPECT_TRUE(std::isinf(data.feedback_time[2]));
  const Index centre = 1 + static_cast<Index>(fnv1a("district=centre") % 8);
  EXPECT_EQ(std::vector<Index>(data.features(2).indices().begin(), data.features(2).indices().end()),
            (std::vector<Index>{centre, 9}));        // no km; its district; the intercept
  EXPECT_EQ(data.features(3).indices().size(), 2u);  // km and the intercept
  EXPECT_EQ(stream.read_as.size(), 3u);
  EXPECT_EQ(stream.read_as[2],
            "half of the labels came within 60 minutes, 9 in 10 within 60 minutes, the last after 2 hours; "
            "1 label never comes, 1 still on its way at the last row");
}

// "open" is no class, and no label that anybody is judged by.
TEST(LateLabels, ALabelWithoutATimeIsNeverKnown) {
  const TestFile file("f.csv", "t_event,t_feedback,x,y\n1,2,1,yes\n2,,2,open\n3,4,3,no\n4,,4,pending\n5,6,1,no\n");
  const lab::Stream stream = stream_of(file.path());
  EXPECT_EQ(stream.table()->loss_name, "logistic");
  EXPECT_TRUE(std::isnan(stream.table()->data->labels[1]));
  EXPECT_TRUE(std::isnan(stream.table()->data->labels[3]));
  EXPECT_NE(stream.read_as[2].find("2 labels never come (2 of them given, but without a time)"), std::string::npos)
      << stream.read_as[2];
}

// What is not there is missing, and 0 is a number.
TEST(LateLabels, AMissingNumberIsNotZero) {
  const TestFile file("f.csv", "t_event,t_feedback,x,y\n1,2,0,1\n2,3,,2\n3,4,5,4\n4,5,6,3\n");
  const lab::Stream stream = stream_of(file.path());
  EXPECT_EQ(stream.table()->data->numbers, 1);
  EXPECT_EQ(stream.table()->data->features(0).indices()[0], 0);  // a zero that is stored
  EXPECT_EQ(stream.table()->data->features(0).values()[0], 0);
  EXPECT_NE(stream.table()->data->features(1).indices()[0], 0);
}

TEST(LateLabels, ReadsGzipAndOtherDelimiters) {
  std::string text = kTrips;
  for (char& c : text)
    if (c == ',') c = ';';
  const TestFile packed("trips.csv.gz", gzip(text));
  EXPECT_EQ(stream_of(packed.path()).rounds, 4u);
}

TEST(LateLabels, ALabelWithoutATextIsNeverKnown) {
  const TestFile file("f.csv", "t_event,t_feedback,x,y\n1,2,1,5\n2,3,2,\n3,4,3,6\n");
  const lab::Stream stream = stream_of(file.path());
  EXPECT_TRUE(std::isnan(stream.table()->data->labels[1]));
  EXPECT_TRUE(std::isinf(stream.table()->data->feedback_time[1]));
}

TEST(LateLabels, RefusesRowsThatCannotBe) {
  const TestFile early("f.csv", "t_event,t_feedback,x,y\n1,2,1,5\n5,3,2,7\n3,4,3,6\n");
  EXPECT_ERROR(stream_of(early.path()), Code::kBadInput,
               early.path() + ": line 3: t_feedback must not be before t_event (3 before 5)");
  const TestFile timeless("g.csv", "t_event,t_feedback,x,y\n1,2,1,5\n,3,2,7\n3,4,3,6\n4,5,6,7\n");
  EXPECT_ERROR(stream_of(timeless.path()), Code::kBadInput,
               timeless.path() +
                   ": line 3: t_event must be a number, or a date and time as in 2024-03-01T12:30 "
                   "(\"\" came)");
  const TestFile uneven("h.csv", "t_event,t_feedback,x,y\n1,2,1\n");
  EXPECT_ERROR(stream_of(uneven.path()), Code::kBadInput,
               uneven.path() + ": line 2: has 3 cells, but the header has 4");
}

TEST(LateLabels, ReadsTheFlights) {
  REAL_DATA_OR_SKIP(path, "flights/derived_hflights_stream.csv.gz");
  const lab::Stream stream = stream_of(path);
  EXPECT_EQ(stream.rounds, 223874u);
  EXPECT_EQ(stream.read_as[0],
            "event time t_depart_min, feedback time t_feedback_min; label ArrDelay, the last column; loss squared");
}

}  // namespace
}  // namespace tarry::data
