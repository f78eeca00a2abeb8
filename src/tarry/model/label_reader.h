// Labels as they come (numbers, true or false, words for these, names of classes) to the numbers that the loss takes:
// the one place for it, whichever door a label came through. New names become classes as they come, while there is
// room; which ones is part of the model's state.
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

  bool names_classes() const { return limit_ > 0; }
  const std::vector<std::string>& names() const { return names_; }

  // A label in one form for all its spellings: a name where classes have names, else a number, true or false.
  LabelValue plain(const LabelValue& label) const;
  // Throws Error{kBadInput} for what cannot be a label. A new class is only counted by add().
  double read(const LabelValue& label, const AnyLoss& loss) const;
  // The same, but a class for which there is no room has a number, too: one that no loss knows.
  double number(const LabelValue& label, const AnyLoss& loss) const;
  void add(const LabelValue& label);  // of a label that was read

  void save(ByteWriter& out) const;
  void load(ByteReader& in);

 private:
  std::size_t limit_ = 0;
  std::vector<std::string> names_;
  std::unordered_map<std::string, std::size_t> numbers_;
};

}  // namespace tarry
