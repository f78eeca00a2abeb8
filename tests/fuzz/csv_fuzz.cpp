// Any text as comma-separated rows: with columns that are named, in several ways, and with columns that are found.
#include "rows.h"
#include "tarry/data/formats/csv_reader.h"
#include "tarry/data/infer/look_at_table.h"

namespace {

using namespace tarry;

data::CsvOptions options(unsigned char which) {
  data::CsvOptions some{.label = "y", .features = {"a", "b"}, .categorical = {"w"}, .hash_dimension = 7};
  if ((which & 1) != 0) some.positive = "yes";
  if ((which & 2) != 0) {
    some.event_time = "t";
    some.feedback_time = "known";
  }
  some.sort = (which & 6) == 6;
  some.missing = (which & 8) == 0   ? data::Missing::kError
                 : (which & 1) != 0 ? data::Missing::kAbsent
                                    : data::Missing::kZero;
  some.lenient = (which & 16) != 0;
  some.names = (which & 32) != 0;
  if ((which & 64) != 0) some.delimiter = ';';
  if ((which & 128) != 0) some.limit = 2;
  return some;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const unsigned char* data, std::size_t size) {
  if (size == 0) return 0;
  const std::string text(reinterpret_cast<const char*>(data + 1), size - 1);
  fuzz::expect_rows(text, [&](data::TextLines& lines) { return data::read_csv(lines, options(data[0])); });
  const auto open = [&] { return data::text_lines("fuzz", text); };
  fuzz::expect_rows(text, [&](data::TextLines&) {
    data::LateLabelsKeys keys{.usual = {"squared", "logistic", "softmax"}};
    if ((data[0] & 1) != 0) keys.feedback = (data[0] & 2) != 0 ? "none" : "3 days";
    if ((data[0] & 4) != 0) keys.expiry = data::DefaultLabel{86400, "no"};
    data::LateLabels found = data::look_at_table("fuzz", open, keys, std::nullopt);
    data::throw_if_questions("fuzz", found);
    found.options.names = (data[0] & 8) != 0;
    data::TextLines again = open();
    return data::read_csv(again, found.options);
  });
  return 0;
}
