#include "tarry/data/formats/arff_reader.h"

#include <algorithm>
#include <cmath>

#include "tarry/spec/json.h"
#include "unit/data/files.h"
#include "unit/data/flat_rows.h"
#include "unit/data/memory_text.h"
#include "unit/expect_error.h"

namespace tarry::data {
namespace {

const std::string kHeader = R"(% flights
@relation 'late labels'

@ATTRIBUTE when numeric
@attribute 'the city' {Oslo, "New York", 'it''s'}
@attribute size REAL
@attribute class {early,late}
@attribute key string
@data
)";
const std::string kOptions = R"({"label": "class", "id": "key", "time": "when", "positive": "late"})";

ArffOptions options_of_arff(const std::string& json) {
  const spec::Value value = spec::parse_json(json);
  return arff_options(spec::Node(value, "arff_events"));
}

Dataset arff_of(const std::string& text, const std::string& options = kOptions) {
  TextLines lines = text_lines("f", text);
  return read_arff(lines, options_of_arff(options));
}

std::string with_words(std::string header) {  // 'it''s' is two quoted texts in a row: write it ARFF's way
  const std::size_t at = header.find("'it''s'");
  return header.replace(at, 7, "'it\\'s'");
}

const std::string kGood = with_words(kHeader);  // lines 1 to 9

TEST(ArffReader, JoinsLabelsToQueries) {
  const Dataset data = arff_of(kGood +
                                   "1,Oslo,10,?,a\n"
                                   "1, 'New York' ,0,?,b\n"
                                   "% a comment\n"
                                   "2,Oslo,10,late,a\n"
                                   "2,'it\\'s',-4,?,c\n"
                                   "3,'New York',0,early,b\n",
                               R"({"label": "class", "id": "key", "time": "when", "positive": "late",
                                "divide": {"size": 2}})");
  EXPECT_EQ(data.rows(), 3u);
  EXPECT_EQ(data.dimension, 3 + 1 + 1);
  EXPECT_EQ(flat(data).begin, (std::vector<std::size_t>{0, 3, 5, 8}));
  EXPECT_EQ(flat(data).indices, (std::vector<Index>{0, 3, 4, 1, 4, 2, 3, 4}));
  EXPECT_EQ(flat(data).values, (Vec{1, 5, 1, 1, 1, 1, -2, 1}));
  EXPECT_EQ(data.event_time, (Vec{0, 1, 3}));
  EXPECT_EQ(data.feedback_time, (Vec{2, 4, std::numeric_limits<double>::infinity()}));
  EXPECT_EQ(data.labels[0], 1);
  EXPECT_EQ(data.labels[1], -1);
  EXPECT_TRUE(std::isnan(data.labels[2]));
}

TEST(ArffReader, ReadsANumericLabel) {
  const Dataset data = arff_of("@attribute y numeric\n@attribute id numeric\n@data\n?,1\n?,2\n2.5,2\n-1,1\n",
                               R"({"label": "y", "id": "id"})");
  EXPECT_EQ(data.labels, (Vec{-1, 2.5}));
  EXPECT_EQ(data.feedback_time, (Vec{3, 2}));
  EXPECT_EQ(data.dimension, 1);
}

TEST(ArffReader, NamesTheEventThatIsWrong) {
  const auto after = [](const std::string& events) { return arff_of(kGood + events); };
  EXPECT_ERROR(after("1,Oslo,1,?,a\n1,Oslo,1,late,b\n"), Code::kBadInput,
               "f: line 11: a label for key b without a query");
  EXPECT_ERROR(after("1,Oslo,1,?,a\n1,Oslo,1,?,a\n"), Code::kBadInput,
               "f: line 11: a second query for key a, after line 10");
  EXPECT_ERROR(after("1,Oslo,1,?,a\n1,Oslo,1,late,a\n1,Oslo,1,late,a\n"), Code::kBadInput,
               "f: line 12: a second label for key a");
  EXPECT_ERROR(after("1,Rom,1,?,a\n"), Code::kBadInput,
               "f: line 10: the city must be one of its declared words (\"Rom\" came)");
  EXPECT_ERROR(after("1,Oslo,1,?,a\n1,Oslo,1,never,a\n"), Code::kBadInput,
               "f: line 11: class must be one of its declared words (\"never\" came)");
  EXPECT_ERROR(after("1,Oslo,?,?,a\n"), Code::kBadInput, "f: line 10: size must be a number (\"?\" came)");
  EXPECT_ERROR(after("1,Oslo,1,?\n"), Code::kBadInput, "f: line 10: has 4 cells, but 5 attributes were declared");
  EXPECT_ERROR(after("2,Oslo,1,?,a\n1,Oslo,1,?,b\n"), Code::kBadInput,
               "f: line 11: when must not go backwards (1 after 2)");
  EXPECT_ERROR(after("1,'Oslo,1,?,a\n"), Code::kBadInput, "f: line 10: a quote is never closed");
  EXPECT_ERROR(after("1,'Oslo'o,1,?,a\n"), Code::kBadInput, "f: line 10: a cell goes on after its closing quote");
  EXPECT_ERROR(after("{0 1, 3 ?}\n"), Code::kBadInput, "f: line 10: rows of index and value are not supported");
  EXPECT_ERROR(after(""), Code::kBadInput, "f: has no query (a line whose label is ?)");
}

TEST(ArffReader, NamesTheDeclarationThatIsWrong) {
  EXPECT_ERROR(arff_of(""), Code::kBadInput, "f: is empty");
  EXPECT_ERROR(arff_of("@relation x\n@attribute a numeric\n"), Code::kBadInput, "f: has no @data line");
  EXPECT_ERROR(arff_of("@data\n1\n"), Code::kBadInput, "f: line 1: no attribute was declared before @data");
  EXPECT_ERROR(arff_of("a,b\n"), Code::kBadInput,
               "f: line 1: a line before @data must be @relation or @attribute (\"a,b\" came)");
  EXPECT_ERROR(arff_of("@attribute a\n"), Code::kBadInput, "f: line 1: an attribute needs a name and a type");
  EXPECT_ERROR(arff_of("@attribute a color\n"), Code::kBadInput,
               "f: line 1: the type of a must be numeric, real, integer, string, date or {…} (\"color\" came)");
  EXPECT_ERROR(arff_of("@attribute a {x,y\n"), Code::kBadInput, "f: line 1: the words of an attribute must end with }");
  EXPECT_ERROR(arff_of("@attribute a {x,y,x}\n"), Code::kBadInput, "f: line 1: attribute a lists \"x\" twice");
  EXPECT_ERROR(arff_of("@attribute a real\n@attribute a real\n"), Code::kBadInput,
               "f: line 2: attribute a comes twice");
  EXPECT_ERROR(arff_of(kHeader), Code::kBadInput, "f: line 5: a cell goes on after its closing quote");
}

TEST(ArffReader, SaysWhichAttributeItCannotUse) {
  EXPECT_ERROR(arff_of(kGood, R"({"label": "klass", "id": "key"})"), Code::kBadInput,
               "f: no attribute \"klass\" (attributes: when, the city, size, class, key)");
  EXPECT_ERROR(arff_of(kGood, R"({"label": "class", "id": "key"})"), Code::kBadInput,
               "f: class is nominal: positive is missing (wanted the word whose label is +1)");
  EXPECT_ERROR(arff_of(kGood, R"({"label": "size", "id": "key", "positive": "1"})"), Code::kBadInput,
               "f: size is not nominal: positive has no meaning (wanted the word whose label is +1)");
  EXPECT_ERROR(arff_of(kGood, R"({"label": "class", "id": "key", "positive": "LATE"})"), Code::kBadInput,
               "f: positive must be one of {early,late} (\"LATE\" came)");
  EXPECT_ERROR(arff_of(kGood, R"({"label": "class", "id": "when", "positive": "late"})"), Code::kBadInput,
               "f: attribute key is neither numeric nor nominal: it cannot be a feature");
  EXPECT_ERROR(arff_of(kGood, R"({"label": "class", "id": "key", "positive": "late", "divide": {"the city": 2}})"),
               Code::kBadInput, "f: divide must name numeric features, which the city is not");
}

TEST(ArffReader, ReadsAirlines) {
  REAL_DATA_OR_SKIP(path, "airlines-events/airlines_delayed_label_events.arff");
  TextLines lines(path);
  const Dataset data = read_arff(lines, options_of_arff(R"({"label": "ValueToPredict", "id": "instanceId",
                                                         "time": "timeStamp", "positive": "delayed"})"));
  EXPECT_EQ(data.rows(), 7541u);
  EXPECT_EQ(std::count(data.labels.begin(), data.labels.end(), 1.0), 1945);
  EXPECT_TRUE(std::all_of(data.feedback_time.begin(), data.feedback_time.end(), [](double t) { return t < 15082; }));
}

}  // namespace
}  // namespace tarry::data
