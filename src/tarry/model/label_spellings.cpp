#include "tarry/model/label_spellings.h"

#include <charconv>
#include <optional>
#include <string>

#include "tarry/base/error.h"
#include "tarry/model/label_reader.h"

namespace tarry {
namespace {

// A class is known by its name alone.
void add_names(std::vector<LabelValue>& all, const LabelValue& label) {
  const std::string name = class_name(label);
  all.emplace_back(name);
  for (const bool flag : {false, true})
    if (class_name(LabelValue(flag)) == name) all.emplace_back(flag);
  double number = 0;
  const auto [end, error] = std::from_chars(name.data(), name.data() + name.size(), number);
  if (error == std::errc() && class_name(LabelValue(number)) == name) all.emplace_back(number);
}

// As the loss reads it; nothing for what it refuses.
std::optional<double> read(const AnyLoss& loss, double label) {
  try {
    return loss.label(label);
  } catch (const Error&) {
    return std::nullopt;
  }
}

void add_numbers(std::vector<LabelValue>& all, const AnyLoss& loss, double label) {
  if (read(loss, 0) == read(loss, 1)) return;  // it does not look at labels
  const std::optional<double> wanted = read(loss, label);
  for (const double other : {0.0, 1.0, -1.0})
    if (wanted && read(loss, other) == wanted) all.emplace_back(other);
  for (const bool flag : {false, true})
    if (wanted && read(loss, flag ? 1 : 0) == wanted) all.emplace_back(flag);
}

}  // namespace

std::vector<LabelValue> label_spellings(const Model& model, const LabelValue& label) {
  std::vector<LabelValue> all{label};
  const LabelValue plain = model.plain(label);
  if (model.names_classes())
    add_names(all, label);
  else if (const auto* flag = std::get_if<bool>(&plain); flag != nullptr && model.loss())
    add_numbers(all, *model.loss(), *flag ? 1 : 0);
  else if (const auto* number = std::get_if<double>(&plain); number != nullptr && model.loss())
    add_numbers(all, *model.loss(), *number);
  return all;
}

}  // namespace tarry
