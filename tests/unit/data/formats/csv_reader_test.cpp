#include "tarry/data/formats/csv_reader.h"

#include <algorithm>
#include <cmath>

#include "tarry/data/formats/feature_hash.h"
#include "tarry/data/text/csv_records.h"
#include "tarry/linalg/parallel.h"
#include "tarry/spec/json.h"
#include "unit/data/files.h"
#include "unit/data/flat_rows.h"
#include "unit/data/gzip.h"
#include "unit/data/memory_text.h"
#include "unit/expect_error.h"

namespace tarry::data {
namespace {

CsvOptions options_of_csv(const std::string& json) {
  const spec::Value value = spec::parse_json(json);
  return csv_options(spec::Node(value, "csv"));
}

Dataset csv_of(const std::string& text, const std::string& options) {
  TextLines lines = text_lines("f.csv", text);
  return read_csv(lines, options_of_csv(options));
}

using Entries = std::vector<std::pair<Index, double>>;

Entries row(const Dataset& data, std::size_t r) {
  Entries entries;
  data.features(r).each([&](Index i, double value) { entries.emplace_back(i, value); });
  return entries;
}

using Records = std::vector<std::vector<std::string>>;

Records records(const std::string& text, char delimiter = ',') {
  TextLines lines = text_lines("f", text);
  CsvRecords csv(lines, delimiter);
  Records all;
  for (std::vector<std::string_view> cells; csv.next(cells);) all.emplace_back(cells.begin(), cells.end());
  return all;
}

TEST(CsvRecords, FollowRfc4180) {
  EXPECT_EQ(records("a,b\r\n1,\r\n"), (Records{{"a", "b"}, {"1", ""}}));
  EXPECT_EQ(records("\"a,b\",\"say \"\"hi\"\"\",\"\"\n\"two\r\nlines\",x,\n"),
            (Records{{"a,b", "say \"hi\"", ""}, {"two\nlines", "x", ""}}));
  EXPECT_EQ(records("a;b,c\n\n\nd;e", ';'), (Records{{"a", "b,c"}, {"d", "e"}}));
  EXPECT_EQ(records("\"\"\"\"\n,\n"), (Records{{"\""}, {"", ""}}));
}

TEST(CsvRecords, SayWhereAQuoteIsWrong) {
  EXPECT_ERROR(records("a\n\"b\nc\n"), Code::kBadInput, "f: line 2: a quote is never closed");
  EXPECT_ERROR(records("a\n\"b\"c\n"), Code::kBadInput, "f: line 2: a cell goes on after its closing quote");
  EXPECT_ERROR(records("a\nb\"c\"\n"), Code::kBadInput, "f: line 2: there is a quote inside a cell that is not quoted");
}

TEST(FeatureHash, IsFnv1a) {  // the vectors that its authors publish
  EXPECT_EQ(fnv1a(""), 0xcbf29ce484222325u);
  EXPECT_EQ(fnv1a("a"), 0xaf63dc4c8601ec8cu);
  EXPECT_EQ(fnv1a("foobar"), 0x85944171f73967e8u);
  EXPECT_EQ(fnv1a("bar", fnv1a("foo")), fnv1a("foobar"));
}

TEST(CsvReader, NamesTheLineOfAMistakeFarIntoTheText) {
  std::string text = "x,y\n";
  for (int i = 0; i < 30000; ++i) text += i % 3 == 0 ? "0.5,1\n" : "\"-12\",2\r\n";  // several blocks of reading
  const std::string keys = R"({"features": ["x"], "label": "y"})";
  EXPECT_EQ(csv_of(text, keys).rows(), 30000u);
  EXPECT_ERROR(csv_of(text + "abc,1\n" + text, keys), Code::kBadInput,
               "f.csv: line 30002: x must be a number (\"abc\" came)");
  EXPECT_ERROR(csv_of(text + "1,2,3\n" + text, keys), Code::kBadInput,
               "f.csv: line 30002: has 3 cells, but the header has 2");
}

TEST(CsvReader, NamesTheLineOfAMistakeInAPackedFileWhateverTheThreads) {
  std::string text = "x,y\r\n";
  for (std::uint64_t i = 1; i <= 60000; ++i)
    text += std::to_string(i * i * 40503 % 1000003) + ",\"" + std::to_string(i) + "\"\r\n";
  const CsvOptions options = options_of_csv(R"({"features": ["x"], "label": "y", "intercept": false})");
  const TestFile good("good.csv.gz", gzip(text + "7,\"8\"")), bad("bad.csv.gz", gzip(text + "7,x\n" + text));
  ASSERT_GT(std::filesystem::file_size(good.path()), std::uintmax_t{1} << 18);  // else no thread reads ahead
  for (const int threads : {1, 2}) {
    const ThreadLimit limit(threads);
    TextLines lines(good.path());
    const Dataset data = read_csv(lines, options);
    EXPECT_EQ(data.rows(), 60001u);
    EXPECT_EQ(data.labels[59999], 60000);
    EXPECT_EQ(row(data, 60000), (Entries{{0, 7}}));
    TextLines wrong(bad.path());
    EXPECT_ERROR(read_csv(wrong, options), Code::kBadInput,
                 bad.path() + ": line 60002: y must be a number (\"x\" came)");
  }
}

TEST(CsvReader, ReadsShortAndLongNumbersAlike) {
  const std::string keys = R"({"features": ["x"], "label": "y", "intercept": false})";
  const std::vector<std::string> cells = {
      "1", "-2.5", " 3", "+4", "1e3", "0.1234567890123456789", "-.5", "7.", "12345678901234567890", "000.5"};
  std::string text = "x,y\n";
  for (const std::string& cell : cells) text += cell + ",1\n";
  EXPECT_EQ(flat(csv_of(text, keys)).values,
            (Vec{1, -2.5, 3, 4, 1000, 0.1234567890123456789, -.5, 7, 12345678901234567890.0, 0.5}));
  EXPECT_EQ(flat(csv_of("x,y\n3,1\n-0,1\n", R"({"features": ["x"], "label": "y", "divide": {"x": 4}})")).values,
            (Vec{0.75, 1, 1}));
}

TEST(CsvReader, KnowsWhenLabelsAreDue) {
  const std::string keys = R"("label": "y", "features": ["x"], "event_time": "t", "feedback_time": "f", "due": "d")";
  const Dataset data = csv_of("t,x,y,f,d\n3,1,1,4,9\n1,1,2,2,\n2,1,3,8,1.5\n", "{" + keys + R"(, "sort": true})");
  EXPECT_EQ(data.event_time, (Vec{1, 2, 3}));
  ASSERT_EQ(data.due_time.size(), 3u);
  EXPECT_TRUE(std::isnan(data.due_time[0]));  // nobody knows
  EXPECT_EQ(data.due_time[1], 1.5);           // before the row was seen: the model ignores it
  EXPECT_EQ(data.due_time[2], 9);
  EXPECT_ERROR(csv_of("t,x,y,f,d\n1,1,1,2,soon\n", "{" + keys + "}"), Code::kBadInput,
               "f.csv: line 2: d must be a number, or a date and time as in 2024-03-01T12:30 (\"soon\" came)");
  EXPECT_ERROR(csv_of("t,x,y,f\n1,1,1,2\n", "{" + keys + "}"), Code::kBadInput,
               "f.csv: line 1: no column \"d\" (columns: t, x, y, f)");
  EXPECT_ERROR(options_of_csv(R"({"label": "y", "features": ["x"], "event_time": "t", "due": "d"})"), Code::kBadSpec,
               "csv: due needs event_time and feedback_time");
  EXPECT_TRUE(csv_of("x,y\n1,1\n", R"({"label": "y", "features": ["x"]})").due_time.empty());
}

TEST(CsvReader, PutsNumbersThenWordsThenTheIntercept) {
  const Dataset data = csv_of("y,a,city,b\n3,10,Oslo,0\n4,-5,Rom,2\n",
                              R"({"label": "y", "label_divide": 2, "features": ["b", "a"], "divide": {"a": 10},
                                "categorical": ["city"], "hash_dimension": 16})");
  EXPECT_EQ(data.dimension, 2 + 16 + 1);
  EXPECT_EQ(data.rows(), 2u);
  EXPECT_EQ(data.labels, (Vec{1.5, 2}));
  EXPECT_FALSE(data.has_times());
  const auto slot = [](const char* word) { return 2 + static_cast<Index>(fnv1a(word) % 16); };
  EXPECT_EQ(row(data, 0), (Entries{{1, 1}, {slot("city=Oslo"), 1}, {18, 1}}));
  EXPECT_EQ(row(data, 1), (Entries{{0, 2}, {1, -0.5}, {slot("city=Rom"), 1}, {18, 1}}));
}

TEST(CsvReader, AddsUpWordsThatCollide) {
  const Dataset data = csv_of("y,a,b\n1,u,v\n", R"({"label": "y", "categorical": ["a", "b"], "hash_dimension": 1,
                                                  "intercept": false})");
  EXPECT_EQ(data.dimension, 1);
  EXPECT_EQ(row(data, 0), (Entries{{0, 2}}));
}

TEST(CsvReader, ReadsAClassAsASign) {
  const std::string text = "x,class\n1,up\n2,down\n";
  EXPECT_EQ(csv_of(text, R"({"label": "class", "positive": "up", "features": ["x"]})").labels, (Vec{1, -1}));
  EXPECT_ERROR(csv_of(text, R"({"label": "class", "positive": "UP", "features": ["x"]})"), Code::kBadInput,
               "f.csv: no row has the class \"UP\" that positive names");
}

TEST(CsvReader, ReadsTimes) {
  const std::string keys = R"("label": "y", "features": ["x"], "event_time": "t", "feedback_time": "f")";
  const Dataset data = csv_of("t,f,x,y\n1,5,1,1\n1,1,2,2\n2,,3,\n", "{" + keys + "}");
  EXPECT_EQ(data.event_time, (Vec{1, 1, 2}));
  EXPECT_EQ(data.feedback_time, (Vec{5, 1, std::numeric_limits<double>::infinity()}));
  EXPECT_TRUE(std::isnan(data.labels[2]));
  EXPECT_ERROR(csv_of("t,f,x,y\n1,5,1,1\n3,3,1,1\n2,3,1,1\n", "{" + keys + "}"), Code::kBadInput,
               "f.csv: line 4: t must not go backwards (2 after 3); sort = true puts the rows in order");
  EXPECT_ERROR(csv_of("t,f,x,y\n1,5,1,1\n3,2,1,1\n", "{" + keys + "}"), Code::kBadInput,
               "f.csv: line 3: f must not be before t (2 before 3)");
  EXPECT_ERROR(csv_of("t,f,x,y\n1,5,1,\n", "{" + keys + "}"), Code::kBadInput,
               "f.csv: line 2: y must be a number (\"\" came)");
  EXPECT_ERROR(csv_of("t,f,x,y\n1,nan,1,\n", "{" + keys + "}"), Code::kBadInput,
               "f.csv: line 2: f must be a finite number (\"nan\" came)");
}

TEST(CsvReader, SortsByTimeAndThenCuts) {
  const std::string text = "t,f,x,y\n3,4,1,10\n1,2,2,20\n3,5,3,30\n2,2,4,40\n";
  const std::string keys = R"("label": "y", "features": ["x"], "intercept": false, "event_time": "t", "sort": true)";
  const Dataset data = csv_of(text, "{" + keys + R"(, "feedback_time": "f", "limit": 3})");
  EXPECT_EQ(data.labels, (Vec{20, 40, 10}));
  EXPECT_EQ(flat(data).values, (Vec{2, 4, 1}));
  EXPECT_EQ(data.event_time, (Vec{1, 2, 3}));
  EXPECT_EQ(data.feedback_time, (Vec{2, 2, 4}));
  const Dataset untimed = csv_of(text, "{" + keys + "}");
  EXPECT_EQ(untimed.labels, (Vec{20, 40, 10, 30}));
  EXPECT_FALSE(untimed.has_times());
}

TEST(CsvReader, StopsAtTheLimit) {
  const Dataset data = csv_of("x,y\n1,1\n2,2\nbroken\n", R"({"label": "y", "features": ["x"], "limit": 2})");
  EXPECT_EQ(data.labels, (Vec{1, 2}));
}

TEST(CsvReader, ToleratesCrlfTheByteOrderMarkQuotesAndOtherDelimiters) {
  const Dataset data = csv_of("\xEF\xBB\xBF\"x\";y\r\n\"1.5\";2\r\n\r\n", R"({"label": "y", "features": ["x"],
                            "delimiter": ";"})");
  EXPECT_EQ(row(data, 0), (Entries{{0, 1.5}, {1, 1}}));
}

TEST(CsvReader, ReadsEmptyCellsAsZeroOnlyWhereAsked) {
  const std::string text = "x,w,y\n,,1\n", keys = R"("label": "y", "features": ["x"], "categorical": ["w"])";
  EXPECT_EQ(row(csv_of(text, "{" + keys + R"(, "missing": "zero"})"), 0), (Entries{{4097, 1}}));
  EXPECT_ERROR(csv_of(text, "{" + keys + "}"), Code::kBadInput, "f.csv: line 2: x must be a number (\"\" came)");
  EXPECT_ERROR(csv_of("x,w,y\n1,,1\n", "{" + keys + "}"), Code::kBadInput,
               "f.csv: line 2: w must be given (\"\" came)");
}

TEST(CsvReader, TellsColumnsOfOneNameApart) {
  const std::string text = "x,y,x,x\n1,2,3,4\n";
  EXPECT_EQ(row(csv_of(text, R"({"label": "y", "features": ["x", "x.2", "x.3"], "intercept": false})"), 0),
            (Entries{{0, 1}, {1, 3}, {2, 4}}));
}

TEST(CsvReader, NamesTheLineOfWhatIsWrong) {
  const std::string options = R"({"label": "y", "features": ["x"]})";
  EXPECT_ERROR(csv_of("", options), Code::kBadInput, "f.csv: is empty (wanted a header line)");
  EXPECT_ERROR(csv_of("x,y\n", options), Code::kBadInput, "f.csv: has no rows after its header");
  EXPECT_ERROR(csv_of("x,z\n1,2\n", options), Code::kBadInput, "f.csv: line 1: no column \"y\" (columns: x, z)");
  EXPECT_ERROR(csv_of("x,y\n1,2\n1,2,3\n", options), Code::kBadInput,
               "f.csv: line 3: has 3 cells, but the header has 2");
  EXPECT_ERROR(csv_of("x,y\n1,2\nabc,2\n", options), Code::kBadInput,
               "f.csv: line 3: x must be a number (\"abc\" came)");
  EXPECT_ERROR(csv_of("x,y\n1,2\n\n1,NaN\n", options), Code::kBadInput,
               "f.csv: line 4: y must be a finite number (\"NaN\" came)");
  EXPECT_ERROR(csv_of("x,\"y\"\n\"1\",\"2\n3\"\n", options), Code::kBadInput,
               "f.csv: line 2: y must be a number (\"2\\u000a3\" came)");
}

TEST(CsvReader, RefusesOptionsThatContradictEachOther) {
  EXPECT_ERROR(options_of_csv(R"({"label": "y"})"), Code::kBadSpec, "csv: give features or categorical");
  EXPECT_ERROR(options_of_csv(R"({"label": "y", "features": ["y"]})"), Code::kBadSpec,
               "csv: label must be no feature: it is what is predicted (label = \"y\")");
  EXPECT_ERROR(options_of_csv(R"({"label": "y", "features": ["x", "x"]})"), Code::kBadSpec,
               "csv: features[1] must be listed once (features[1] = \"x\")");
  EXPECT_ERROR(options_of_csv(R"({"label": "y", "features": ["x"], "divide": {"z": 2}})"), Code::kBadSpec,
               "csv: divide must be about columns among the features, which z is not (divide = {\"z\": 2})");
  EXPECT_ERROR(options_of_csv(R"({"label": "y", "features": ["x"], "divide": {"x": 0}})"), Code::kBadSpec,
               "csv: x must be positive (x = 0)");
  EXPECT_ERROR(options_of_csv(R"({"label": "y", "features": ["x"], "positive": "a", "label_divide": 2})"),
               Code::kBadSpec, "csv: give positive or label_divide, not both");
  EXPECT_ERROR(options_of_csv(R"({"label": "y", "features": ["x"], "feedback_time": "f"})"), Code::kBadSpec,
               "csv: feedback_time needs event_time");
  EXPECT_ERROR(options_of_csv(R"({"label": "y", "features": ["x"], "sort": true})"), Code::kBadSpec,
               "csv: sort needs event_time");
  EXPECT_ERROR(options_of_csv(R"({"label": "y", "features": ["x"], "delimiter": ", "})"), Code::kBadSpec,
               "csv: delimiter must be one character (delimiter = \", \")");
  EXPECT_ERROR(options_of_csv(R"({"label": "y", "features": ["x"], "missing": "mean"})"), Code::kBadSpec,
               "csv: missing must be \"error\", \"zero\" or \"absent\" (missing = \"mean\")");
}

TEST(CsvReader, ReadsElectricity) {
  REAL_DATA_OR_SKIP(path, "elec2/elec.csv");
  TextLines lines(path);
  const Dataset data = read_csv(lines, options_of_csv(R"({"label": "class", "positive": "1", "features": ["nswprice",
                                       "nswdemand", "vicprice", "vicdemand", "transfer"]})"));
  EXPECT_EQ(data.rows(), 45312u);
  EXPECT_EQ(data.dimension, 6);
  EXPECT_EQ(std::count(data.labels.begin(), data.labels.end(), 1.0), 19237);
}

// By name or not, a row has the same numbers, and is kept once.
TEST(Csv, RowsAreKeptOnceAndAreTheSameNumbers) {
  const std::string text = "t,x,z,a,b,y\n3,1,0,red,red,1\n1,,2,blue,,0\n2,0,-3,red,green,1\n4,5,0,blue,red,0\n";
  for (const char* missing : {"zero", "absent"})
    for (const char* more : {"", R"(, "hash_dimension": 1)", R"(, "hash_dimension": 3, "intercept": false)"}) {
      const std::string keys = std::string(R"("label": "y", "features": ["z", "x"], "categorical": ["a", "b"], )") +
                               R"("event_time": "t", "sort": true, "missing": ")" + missing + "\"" + more;
      const Dataset hashed = csv_of(text, "{" + keys + "}"), named = csv_of(text, "{" + keys + R"(, "names": true})");
      EXPECT_TRUE(flat(named).indices.empty() && flat(named).values.empty());
      EXPECT_TRUE(hashed.named.empty());
      Dataset::Made made;
      for (std::size_t r = 0; r < hashed.rows(); ++r) {
        Entries entries;
        named.features(r, made).each([&](Index i, double value) { entries.emplace_back(i, value); });
        EXPECT_EQ(entries, row(hashed, r)) << keys << " row " << r;
        EXPECT_EQ(named.labels[r], hashed.labels[r]);
      }
    }
}

// Rows of one key: the one that was known first is the round, the others correct its label when they were known.
TEST(Csv, RowsOfOneKeyAreARoundAndItsCorrections) {
  const std::string options = R"({"label": "y", "features": ["x"], "intercept": false, "event_time": "asked",
                                  "feedback_time": "known", "key": "id", "sort": true})";
  const Dataset data =
      csv_of("id,asked,known,x,y\na,1,9,5,1\nb,2,3,6,7\na,1,4,5,2\n,3,4,8,8\n,4,5,8,8\na,1,6,5,3\nb,2,,6,\nc,5,,9,\n",
             options);
  EXPECT_EQ(data.rows(), 5u);
  EXPECT_EQ(data.event_time, (Vec{1, 2, 3, 4, 5}));
  EXPECT_EQ((Vec{data.labels.begin(), data.labels.begin() + 4}), (Vec{2, 7, 8, 8}));
  EXPECT_EQ((Vec{data.feedback_time.begin(), data.feedback_time.begin() + 4}), (Vec{4, 3, 4, 5}));
  ASSERT_EQ(data.corrected.size(), 2u);
  EXPECT_EQ(data.corrected[0].row, 0u);
  EXPECT_EQ((Vec{data.corrected[0].time, data.corrected[0].label}), (Vec{6, 3}));
  EXPECT_EQ((Vec{data.corrected[1].time, data.corrected[1].label}), (Vec{9, 1}));
  EXPECT_EQ(data.origin, (std::vector<std::size_t>{2, 1, 3, 4, 7}));
  EXPECT_ERROR(options_of_csv(R"({"label": "y", "features": ["x"], "key": "id"})"), Code::kBadSpec,
               "csv: key needs event_time and feedback_time");
}

}  // namespace
}  // namespace tarry::data
