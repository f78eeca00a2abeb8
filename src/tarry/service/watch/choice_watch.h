// What a model that chooses is watched for beside the rest: which actions were taken, what they earned, and what had
// been predicted. By the time of the choice: late rewards change steps of the past.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "tarry/model/model.h"
#include "tarry/service/watch/timeline.h"

namespace tarry::service {

inline constexpr std::size_t kShownActions = 6;  // the first that came, by name; the others count together

struct ChoiceStep {
  std::int64_t number = 0;    // since 1970, in steps of its range
  std::uint64_t changed = 0;  // when, in revisions of its timeline
  std::array<std::uint32_t, kShownActions + 1> taken{};
  std::uint32_t rewards = 0;  // that have come, defaults among them, and the sums over them
  double reward = 0, predicted = 0;

  template <class F>
  void fields(F& f) {
    f(number, changed, taken, rewards, reward, predicted);
  }
};

// One thread at a time.
class ChoiceWatch {
 public:
  void chose(const std::string& action, std::int64_t now_ms);
  void earned(double reward, double predicted, std::int64_t chosen_ms);
  void earned_more(double reward, std::int64_t chosen_ms);  // of a choice that was counted: a part of a sum

  // How often each of the first actions was taken in the last day; the last of them is all others together.
  std::vector<std::pair<std::string, std::uint64_t>> taken_in_a_day() const;
  // {"actions", "columns", "points"}: the steps that changed after `revision`, which is brought up to date.
  void append(std::string& out, std::size_t range, std::uint64_t& revision) const;

  template <class F>
  void fields(F& f) {
    f(names_, timeline_);
  }
  bool is_sound() const { return names_.size() <= kShownActions && timeline_.is_sound(); }  // after it was loaded

 private:
  std::vector<std::string> names_;
  TimelineOf<ChoiceStep> timeline_;
};

// A label as a number; nothing where it is none.
std::optional<double> reward_of(const Model& model, const LabelValue& label);

}  // namespace tarry::service
