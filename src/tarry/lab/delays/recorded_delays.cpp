#include "tarry/lab/delays/recorded_delays.h"

#include <algorithm>
#include <cmath>

#include "tarry/base/error.h"

namespace tarry::lab {
namespace {

class RecordedDelays final : public Delays {
 public:
  RecordedDelays(const Dataset& data, double wait) {
    for (std::size_t row = 0; row < data.rows(); ++row)
      if (std::isfinite(data.feedback_time[row])) order_.push_back(row + 1);
    const auto known_at = [&](Round t) { return std::max(data.feedback_time[t - 1], data.event_time[t - 1] + wait); };
    std::stable_sort(order_.begin(), order_.end(), [&](Round a, Round b) { return known_at(a) < known_at(b); });
    std::size_t arrived = 0;
    for (std::size_t row = 0; row < data.rows(); ++row) {
      while (arrived < order_.size() && known_at(order_[arrived]) < data.event_time[row]) ++arrived;
      before_.push_back(arrived);
    }
  }

  void played(Round, const Covector&) override {}

  std::vector<Round> arriving(Round t) override {
    if (t < 1 || t >= before_.size()) return {};  // no query follows
    const auto at = [&](std::size_t position) { return order_.begin() + static_cast<std::ptrdiff_t>(position); };
    return {at(before_[t - 1]), at(before_[t])};
  }

 private:
  std::vector<Round> order_;         // of arrival
  std::vector<std::size_t> before_;  // how many have arrived before the query of each row
};

}  // namespace

std::unique_ptr<Delays> recorded_delays(const Dataset& data, double wait) {
  if (data.event_time.size() != data.rows() || data.feedback_time.size() != data.rows())
    throw Error(Code::kBadInput, "recorded delays: the data has no event and feedback times");
  return std::make_unique<RecordedDelays>(data, wait);
}

}  // namespace tarry::lab
