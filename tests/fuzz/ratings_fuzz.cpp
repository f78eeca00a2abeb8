// Any text as ratings, in each of the formats: every rating is four places of the space that was read with it.
#include "rows.h"
#include "tarry/data/formats/ratings_reader.h"

extern "C" int LLVMFuzzerTestOneInput(const unsigned char* data, std::size_t size) {
  using namespace tarry;
  if (size == 0) return 0;
  data::RatingOptions options;
  if ((data[0] & 1) != 0) options.order = data::RatingOrder::kTime;
  if ((data[0] & 2) != 0) options.order = data::RatingOrder::kShuffled;
  if ((data[0] & 4) != 0) options.like = 3;
  if ((data[0] & 8) != 0) options.users = options.items = 4;
  if ((data[0] & 16) != 0) options.range = {1, 5};
  if ((data[0] & 32) != 0) options.limit = 2;
  if ((data[0] & 64) != 0 && options.order == data::RatingOrder::kTime) options.feedback_time = "known";
  const std::string text(reinterpret_cast<const char*>(data + 1), size - 1);
  for (const auto format : {data::RatingFormat::kTabs, data::RatingFormat::kDoubleColons, data::RatingFormat::kCsv})
    fuzz::expect_rows(text, [&](data::TextLines& lines) {
      const data::RatingData read = data::read_ratings(lines, format, options);
      fuzz::expect(read.data.dimension == read.space.dimension() && read.space.low <= read.space.high);
      for (std::size_t row = 0; row < read.data.rows(); ++row) fuzz::expect(read.data.features(row).stored() == 4);
      return read.data;
    });
  return 0;
}
