// Any text as an ARFF stream of queries and answers.
#include "rows.h"
#include "tarry/data/formats/arff_reader.h"

extern "C" int LLVMFuzzerTestOneInput(const unsigned char* data, std::size_t size) {
  using namespace tarry;
  if (size == 0) return 0;
  data::ArffOptions options{.label = "y", .id = "id"};
  if ((data[0] & 1) != 0) options.time = "t";
  if ((data[0] & 2) != 0) options.positive = "yes";
  if ((data[0] & 4) != 0) options.divide = {{"a", 3.0}};
  options.over_classes = (data[0] & 8) != 0;
  options.intercept = (data[0] & 16) == 0;
  fuzz::expect_rows({reinterpret_cast<const char*>(data + 1), size - 1},
                    [&](data::TextLines& lines) { return data::read_arff(lines, options); });
  return 0;
}
