#include "tarry/lab/delays/recorded_delays.h"

#include <algorithm>
#include <cmath>

#include "tarry/base/error.h"

namespace tarry::lab {
namespace {

class RecordedDelays final : public Delays {
 public:
  RecordedDelays(const Dataset& data, double wait) {
    std::vector<std::pair<double, Round>> known;  // and when
    known.reserve(data.rows());
    never_.reserve(data.rows());
    const bool dated = !data.due_time.empty();
    for (std::size_t row = 0; row < data.rows(); ++row) {
      never_.push_back(!std::isfinite(data.feedback_time[row]));
      const double time = std::max(data.feedback_time[row], data.event_time[row] + wait);
      if (!never_.back()) known.emplace_back(time, row + 1);
      if (dated) times_.push_back(data.seconds(time));
    }
    for (std::size_t i = 0; i < data.corrected.size(); ++i) {
      const data::Corrected& one = data.corrected[i];
      const double time = std::max(one.time, data.event_time[one.row] + wait);
      known.emplace_back(time, data.rows() + 1 + i);
      if (dated) times_.push_back(data.seconds(time));
    }
    std::sort(known.begin(), known.end());
    order_.reserve(known.size());
    for (const auto& [time, round] : known) order_.push_back(round);
    std::size_t arrived = 0;
    before_.reserve(data.rows());
    for (std::size_t row = 0; row < data.rows(); ++row) {
      while (arrived < known.size() && known[arrived].first < data.event_time[row]) ++arrived;
      before_.push_back(arrived);
    }
  }

  bool never(Round t) const override { return never_[t - 1]; }
  bool corrects() const override { return true; }

  std::optional<double> time_of(Round t) const override {
    return times_.empty() ? std::nullopt : std::optional(times_[t - 1]);
  }

  void played(Round, const AskGradient&) override {}

  std::vector<Round> arriving(Round t) override {
    if (t < 1 || t >= before_.size()) return {};  // no query follows
    const auto at = [&](std::size_t position) { return order_.begin() + static_cast<std::ptrdiff_t>(position); };
    return {at(before_[t - 1]), at(before_[t])};
  }

 private:
  std::vector<bool> never_;          // by row
  Vec times_;                        // by row, in seconds, where rows are due at times
  std::vector<Round> order_;         // of arrival
  std::vector<std::size_t> before_;  // how many have arrived before the query of each row
};

}  // namespace

double wait_for_nine_in_ten(const Dataset& data) {
  Vec waits;
  for (std::size_t row = 0; row < data.feedback_time.size(); ++row)
    if (std::isfinite(data.feedback_time[row])) waits.push_back(data.feedback_time[row] - data.event_time[row]);
  if (waits.empty()) return 0;
  const auto place = waits.begin() + static_cast<std::ptrdiff_t>((waits.size() - 1) * 9 / 10);
  std::nth_element(waits.begin(), place, waits.end());
  return *place;
}

std::unique_ptr<Delays> recorded_delays(const Dataset& data, double wait) {
  if (data.event_time.size() != data.rows() || data.feedback_time.size() != data.rows())
    throw Error(Code::kBadInput, "recorded delays: the data has no event and feedback times");
  return std::make_unique<RecordedDelays>(data, wait);
}

}  // namespace tarry::lab
