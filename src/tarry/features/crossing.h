// Rows of models that choose: the features of an action, and the product of each with each of the context's. What the
// context says by itself is the same for all actions and decides nothing, so it is left out. The product of slots a
// (the action's) and c (the context's) is at n + a·m + c for the first m of n features; that with the constant
// feature is the action's own.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "tarry/features/row.h"
#include "tarry/features/vocabulary.h"

namespace tarry {

class Crossing {
 public:
  static constexpr std::size_t kMost = 1 << 14;  // products of a row; one with more has none

  // The action's features are those whose names are `name`, or begin with it and a dot.
  Crossing(Index features, Index of, std::string name) : features_(features), of_(of), name_(std::move(name)) {}

  void learn(const Vocabulary& vocabulary);  // which side its new slots are on
  bool is_action(Index slot) const { return side(slot) == Side::kAction; }
  bool is_constant(Index slot) const { return side(slot) == Side::kConstant; }

  Covector widen(const Covector& row, Row& wide) const;
  // The same of a context and an action apart.
  Covector cross(const Covector& context, const Covector& action, Row& wide) const;

 private:
  enum class Side : std::uint8_t { kContext, kAction, kConstant };
  Side side(Index slot) const {
    const auto at = static_cast<std::size_t>(slot);
    return at < sides_.size() ? sides_[at] : Side::kContext;
  }

  Index features_, of_;
  std::string name_;
  std::vector<Side> sides_;  // by slot
};

}  // namespace tarry
