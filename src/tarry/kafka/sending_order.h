// What is under way to one partition, and in which order it may go.
//
// The client numbers its records, and a broker refuses one whose predecessor it has not got: nothing overtakes when a
// partition moves to another broker while a request is under way. But a broker that has nothing of this producer yet
// takes any number. So where nothing is under way a record goes alone, and what comes after it is held back until it
// is acknowledged. That costs nothing: at a low rate each record is alone anyway, at a high one there always is more.
#pragma once

#include <cstdint>
#include <deque>
#include <optional>
#include <string>
#include <string_view>

namespace tarry::kafka {

class SendingOrder {
 public:
  struct Held {
    std::string key;
    std::optional<std::string> value;
  };

  // Whether a record may be handed to the client now; otherwise hold() it.
  bool may_go() const { return held_.empty() && may_follow(); }
  void hold(std::string_view key, std::optional<std::string_view> value) {
    held_.push_back({std::string(key), value ? std::optional<std::string>(*value) : std::nullopt});
  }
  // The next of those held back that may go; nullptr: none. release() it once the client has it.
  const Held* next() const { return held_.empty() || !may_follow() ? nullptr : &held_.front(); }
  void release() { held_.pop_front(); }

  void gone() { ++under_way_; }
  void acknowledged() {
    --under_way_;
    known_ = under_way_ > 0 || !held_.empty();
  }

 private:
  bool may_follow() const { return under_way_ == 0 || known_; }

  std::deque<Held> held_;
  std::int64_t under_way_ = 0;
  bool known_ = false;  // the broker has acknowledged a record since nothing was under way
};

}  // namespace tarry::kafka
