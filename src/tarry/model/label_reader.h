// Labels as they come (numbers, true or false, names of classes) to the numbers that the loss takes. New names become
// classes as they come, while there is room; which ones is part of the model's state.
#pragma once

#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "tarry/base/bytes.h"
#include "tarry/losses/loss.h"
#include "tarry/model/event.h"

namespace tarry {

class LabelReader {
 public:
  LabelReader() = default;
  // Classes with names: these, and others as they come, up to `limit`.
  LabelReader(std::vector<std::string> names, std::size_t limit);

  // What a label is called as a class: a number by its digits, true and false by their words.
  static std::string name_of(const LabelValue& label);

  bool names_classes() const { return limit_ > 0; }
  const std::vector<std::string>& names() const { return names_; }

  // Throws Error{kBadInput} for what cannot be a label. A new class is only counted by add().
  double read(const LabelValue& label, const AnyLoss& loss) const;
  void add(const LabelValue& label);  // of a label that was read

  void save(ByteWriter& out) const;
  void load(ByteReader& in);

 private:
  std::size_t limit_ = 0;
  std::vector<std::string> names_;
  std::unordered_map<std::string, std::size_t> numbers_;
};

}  // namespace tarry
