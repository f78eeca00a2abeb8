// What is expected of a model's challengers before the labels of their decisions have come: the estimate that a model
// has (quality/maturing.h), with the model in the place of a constant answer. One thread at a time.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "tarry/hosting/hosted_model.h"
#include "tarry/hosting/reply.h"
#include "tarry/quality/maturing.h"

namespace tarry::service {

class ChallengerWatch {
 public:
  // A play, or feedback that was applied for the first time.
  void folded(const hosting::HostedModel& model, const Event& event, const hosting::Folded& folded,
              std::int64_t now_ms);
  void review(std::int64_t now_ms);  // does something at most once a second, and once in an eighth of a span
  // Fills in what is expected of each.
  void fill_in(std::vector<hosting::ChallengerList::One>& challengers, std::int64_t now_ms) const;

  template <class F>
  void fields(F& f) {
    f(each_);
  }
  bool is_sound() const;  // after it was loaded

 private:
  // Another trial of the same name begins with another round.
  struct One {
    std::string name;
    std::uint64_t from = 0;
    quality::Maturing maturing = {};
    std::int64_t reviewed_ms = 0;

    template <class F>
    void fields(F& f) {
      f(name, from, maturing);
      maturing.later_fields(f);
      maturing.part_fields(f);
    }
  };
  One* follow(const hosting::Challenger& challenger);

  std::vector<One> each_;
};

}  // namespace tarry::service
