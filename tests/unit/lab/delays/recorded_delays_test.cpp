#include "tarry/lab/delays/recorded_delays.h"

#include <algorithm>
#include <limits>

#include "tarry/base/random.h"
#include "tarry/data/formats/csv_reader.h"
#include "unit/data/files.h"
#include "unit/expect_error.h"

namespace tarry::lab {

using namespace data;
namespace {

constexpr double kNever = std::numeric_limits<double>::infinity();

Dataset with_times(Vec event, Vec feedback) {
  Dataset data;
  data.labels.assign(event.size(), 0.0);
  for (std::size_t row = 0; row < event.size(); ++row) data.sparse.end_row();
  data.event_time = std::move(event);
  data.feedback_time = std::move(feedback);
  return data;
}

using Rounds = std::vector<Round>;

std::vector<Rounds> all_arrivals(const Dataset& data) {
  const auto delays = recorded_delays(data);
  std::vector<Rounds> arrivals;
  for (Round t = 1; t <= data.rows() + 1; ++t) {
    delays->played(t, [] { return Covector::dense({}); });
    arrivals.push_back(delays->arriving(t));
  }
  return arrivals;
}

// What arrives after round t, from the definition: for each label the first query that may use it.
std::vector<Rounds> slow_arrivals(const Dataset& data) {
  std::vector<Rounds> arrivals(data.rows() + 1);
  for (std::size_t k = 0; k < data.rows(); ++k)
    for (std::size_t query = 0; query < data.rows(); ++query)
      if (data.event_time[query] > data.feedback_time[k]) {
        Rounds& gap = arrivals[query - 1];
        const auto place = std::find_if(
            gap.begin(), gap.end(), [&](Round other) { return data.feedback_time[other - 1] > data.feedback_time[k]; });
        gap.insert(place, k + 1);
        break;
      }
  return arrivals;
}

TEST(RecordedDelays, DeliverInTheOrderOfTime) {
  EXPECT_EQ(all_arrivals(with_times({0, 1, 2, 9, 10}, {8, 7, kNever, 9, 11})),
            (std::vector<Rounds>{{}, {}, {2, 1}, {4}, {}, {}}));
}

TEST(RecordedDelays, DoNotUseALabelForAQueryOfTheSameInstant) {
  EXPECT_EQ(all_arrivals(with_times({0, 1, 1, 2}, {1, 1, 1, 2})), (std::vector<Rounds>{{}, {}, {1, 2, 3}, {}, {}}));
}

TEST(RecordedDelays, AgreeWithTheDefinition) {
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    RandomSequence random(seed);
    const std::size_t rows = 1 + random.below(60);
    const std::uint64_t range = 1 + random.below(80);  // a small one has many ties
    Vec event, feedback;
    for (std::size_t row = 0; row < rows; ++row) event.push_back(static_cast<double>(random.below(range)));
    std::sort(event.begin(), event.end());
    for (const double t : event)
      feedback.push_back(random.below(8) == 0 ? kNever : t + static_cast<double>(random.below(range) / 2));
    const Dataset data = with_times(event, feedback);
    EXPECT_EQ(all_arrivals(data), slow_arrivals(data)) << "seed " << seed;
  }
}

TEST(RecordedDelays, MayWaitForAWindowToClose) {
  const Dataset data = with_times({0, 1, 2, 3, 4, 9}, {0, 6, 2, 3, kNever, 9});
  const auto delays = recorded_delays(data, 2);
  std::vector<Rounds> arrivals;
  for (Round t = 1; t <= 5; ++t) arrivals.push_back(delays->arriving(t));
  EXPECT_EQ(arrivals, (std::vector<Rounds>{{}, {}, {1}, {}, {3, 4, 2}}));
}

TEST(RecordedDelays, NineInTenComeWithinAWait) {
  Vec event, feedback;
  for (double t = 0; t < 100; ++t) {
    event.push_back(t);
    feedback.push_back(t < 3 ? kNever : t + t);
  }
  EXPECT_EQ(wait_for_nine_in_ten(with_times(event, feedback)), 3 + 96 * 9 / 10);
  EXPECT_EQ(wait_for_nine_in_ten(with_times({1}, {kNever})), 0);
}

TEST(RecordedDelays, NeedTimes) {
  Dataset data;
  data.labels = {1};
  EXPECT_ERROR(recorded_delays(data), Code::kBadInput, "recorded delays: the data has no event and feedback times");
}

TEST(RecordedDelays, OfFlights) {
  REAL_DATA_OR_SKIP(path, "flights/derived_hflights_stream.csv.gz");
  CsvOptions options;
  options.label = "ArrDelay";
  options.features = {"DepDelay"};
  options.event_time = "t_depart_min";
  options.feedback_time = "t_feedback_min";
  TextLines lines(path);
  const Dataset data = read_csv(lines, options);
  ASSERT_EQ(data.rows(), 223874u);
  const auto delays = recorded_delays(data);
  std::size_t outstanding = 0, most = 0;
  double minutes = 0;
  for (Round t = 1; t <= data.rows(); ++t) {
    most = std::max(most, ++outstanding);
    outstanding -= delays->arriving(t).size();
    minutes += data.feedback_time[t - 1] - data.event_time[t - 1];
  }
  EXPECT_EQ(most, 135u);
  EXPECT_NEAR(minutes / static_cast<double>(data.rows()), 129, 1);
}

}  // namespace
}  // namespace tarry::lab
